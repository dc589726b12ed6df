"""What ``deploy/secrets.sh`` renews, and what it keeps."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
import trustme

from tests.deploy.composed import DEPLOY

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")


def test_certificates_are_renewed_and_authority_passwords_and_names_stay(tmp_path: Path):
    make(tmp_path, PUBLIC_NAMES="DNS:play.example.org")
    before = texts(tmp_path)
    make(tmp_path)
    after = texts(tmp_path)
    renewed = {name for name in before if before[name] != after[name]}
    assert renewed == {"redis.pem", "server.pem", "envoy.pem", "public.pem"}
    assert "DNS:play.example.org" in described(tmp_path / "envoy" / "public.pem")


def test_a_certificate_of_another_authority_is_left_alone(tmp_path: Path):
    make(tmp_path)
    public = tmp_path / "envoy" / "public.pem"
    trustme.CA().issue_cert("play.example.org").private_key_and_cert_chain_pem.write_to_path(public)
    before = public.read_bytes()
    make(tmp_path)
    assert public.read_bytes() == before


def test_nobody_else_may_enter_and_no_service_has_the_authoritys_key(tmp_path: Path):
    secrets = tmp_path / "secrets"
    make(secrets)
    assert secrets.stat().st_mode & 0o777 == 0o700
    authority = (secrets / "ca.key").read_text("ascii")
    for folder in ("redis", "server", "envoy"):
        assert authority not in "".join(f.read_text("ascii") for f in (secrets / folder).iterdir())


def make(folder: Path, **environment: str) -> None:
    script = ["sh", str(DEPLOY / "secrets.sh"), str(folder)]
    subprocess.run(script, check=True, env={**os.environ, **environment})


def texts(folder: Path) -> dict[str, str]:
    """Return the files by their names; the copies of the authority's certificate are one."""
    return {file.name: file.read_text("ascii") for file in folder.rglob("*") if file.is_file()}


def described(file: Path) -> str:
    ask = ["openssl", "x509", "-noout", "-text", "-in", str(file)]
    return subprocess.run(ask, check=True, capture_output=True, text=True).stdout
