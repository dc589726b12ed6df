"""docs/curl.md: every line runs, from top to bottom, and every unary call has one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from taflhall_service.app.access.accounts import Role
from tests.service.web.conftest import Web

PAGE = Path(__file__).resolve().parents[3] / "docs" / "curl.md"
PART = re.compile(r"(?P<text>.*?)^```sh\n(?P<lines>.*?)^```$", re.DOTALL | re.MULTILINE)
CAPTURE = re.compile(r"`([A-Z]+)` is `\.([\w.]+)`")


def part_of(response: Any, path: str) -> str:
    """Return the part of a response at *path* as a shell's variable has it."""
    for step in path.split("."):
        response = response[int(step) if isinstance(response, list) else step]
    return response if isinstance(response, str) else json.dumps(response)


def run(line: str, variables: dict[str, str]) -> Any:
    environment = {"PATH": os.environ["PATH"], **variables}
    done = subprocess.run(
        ["bash", "-c", line], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.skipif(
    shutil.which("curl") is None and os.environ.get("CI") != "true", reason="there is no curl"
)
async def test_every_line_of_the_page_runs(web: Web, tmp_path: Path):
    (tmp_path / ".curlrc").write_text("silent\nshow-error\nfail-with-body\nmax-time = 60\n")
    account, key = await web.server.key()
    _, host_key = await web.server.key(Role.HOST)
    variables = {
        "CURL_HOME": str(tmp_path),
        "WEB": f"http://127.0.0.1:{web.port}",
        "ACCOUNT": account,
        "KEY": key,
        "HOST_KEY": host_key,
    }
    for part in PART.finditer(PAGE.read_text("utf-8")):
        response: Any = None
        for line in part["lines"].splitlines():
            response = await asyncio.to_thread(run, line, variables)
        for name, path in CAPTURE.findall(part["text"]):
            variables[name] = part_of(response, path)


def test_every_unary_call_of_the_port_has_a_line(web: Web):
    page = PAGE.read_text("utf-8")
    unary = [
        f"/{method.descriptor.containing_service.full_name}/{method.descriptor.name}\n"
        for method in web.server.rpc.methods
        if not method.descriptor.server_streaming
    ]
    assert [path for path in unary if path not in page] == []
