"""TLS: with certificates made for each test, and what is said when the ends do not agree."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from taflhall_client import errors
from taflhall_client.admin import Admin
from taflhall_client.async_client import TLS, Client
from taflhall_client.ports import free_port
from taflhall_service.app.access.accounts import Role
from taflhall_service.observability.metrics import Meter
from taflhall_service.operate.health import serving
from taflhall_service.rpc.admin_server import AdminServer
from taflhall_service.rpc.server import Server
from taflhall_service.rpc.tls import BadCertificate, Tls, tls_of
from taflhall_service.settings import read_settings
from tests.papers import Papers
from tests.service.local_server import LocalServer, open_server
from tests.waiting import LIMIT_SECONDS


@pytest.fixture
def papers(tmp_path: Path) -> Papers:
    return Papers(tmp_path / "ours")


@pytest.fixture
def others(tmp_path: Path) -> Papers:
    return Papers(tmp_path / "others")


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server(admin=True) as opened:
        yield opened


Serve = Callable[[Tls], Awaitable[str]]


@pytest.fixture
async def serve(server: LocalServer) -> AsyncIterator[Serve]:
    """Return a function that serves the matches of *server* over TLS and returns the address."""
    listening: list[Server] = []

    async def start(tls: Tls) -> str:
        limits = server.matches.limits
        listening.append(
            Server(server.spectators, limits, Meter(), reflect=False, share_port=False)
        )
        return f"127.0.0.1:{await listening[-1].start('127.0.0.1:0', tls.credentials())}"

    yield start
    for each in listening:
        await each.server.stop(None)


async def games(address: str, **how: Any) -> int:
    async with Client(address, **how) as client:
        return len(await client.games())


async def test_a_client_that_trusts_the_authority_is_served(serve: Serve, papers: Papers):
    address = await serve(papers.server())
    assert await games(address, tls=TLS(papers.ca)) == 3


async def test_a_certificate_of_another_authority_is_refused(
    serve: Serve, papers: Papers, others: Papers
):
    address = await serve(papers.server())
    with pytest.raises(errors.TlsFailed, match="nobody whom this client trusts"):
        await games(address, tls=TLS(others.ca))


async def test_a_certificate_for_another_name_is_refused(serve: Serve, papers: Papers):
    address = await serve(Tls(*papers.issue("example.org")))
    with pytest.raises(errors.TlsFailed, match="another host name"):
        await games(address, tls=TLS(papers.ca))


async def test_a_plaintext_call_to_a_tls_port_is_explained(serve: Serve, papers: Papers):
    for mutual in (False, True):
        address = await serve(papers.server(mutual))
        with pytest.raises(errors.TlsFailed, match="speaks TLS only"):
            await games(address)


async def test_a_tls_call_to_a_plaintext_port_is_explained(server: LocalServer, papers: Papers):
    with pytest.raises(errors.TlsFailed, match="does not speak TLS"):
        await games(f"127.0.0.1:{server.port}", tls=TLS(papers.ca))


async def test_where_clients_show_certificates_none_is_served_without(
    serve: Serve, papers: Papers, others: Papers
):
    address = await serve(papers.server(mutual=True))
    assert await games(address, tls=papers.client()) == 3
    with pytest.raises(errors.TlsFailed, match="wants a certificate"):
        await games(address, tls=TLS(papers.ca))
    forged = others.client()
    with pytest.raises(errors.TaflhallError):
        await games(address, tls=TLS(papers.ca, forged.cert, forged.key))


async def test_an_absent_server_is_not_reported_as_a_tls_fault(papers: Papers):
    address = f"127.0.0.1:{free_port()}"
    for tls in (None, TLS(papers.ca)):
        async with Client(address, deadline=0.5, tls=tls) as client:
            with pytest.raises(errors.Uncertain):
                await client.games()


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
async def test_nothing_older_than_tls_1_2_is_spoken(serve: Serve, papers: Papers):
    host, _, port = (await serve(papers.server())).rpartition(":")

    def speak(version: ssl.TLSVersion) -> str | None:
        context = ssl.create_default_context(cafile=str(papers.ca))
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        context.set_alpn_protocols(["h2"])
        with socket.create_connection((host, int(port)), LIMIT_SECONDS) as raw:
            return context.wrap_socket(raw, server_hostname=host).version()

    assert await asyncio.to_thread(speak, ssl.TLSVersion.TLSv1_2) == "TLSv1.2"
    for old in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        with pytest.raises(OSError):
            await asyncio.to_thread(speak, old)


async def test_a_certificate_that_was_renewed_serves_from_the_next_connection_on(
    serve: Serve, papers: Papers, others: Papers
):
    tls = papers.server()
    address = await serve(tls)
    assert await games(address, tls=TLS(papers.ca)) == 3
    tls.key.write_text("noise")
    assert await games(address, tls=TLS(papers.ca)) == 3, "the old one serves on"
    renewed = others.server()
    shutil.copy(renewed.key, tls.key)
    shutil.copy(renewed.cert, tls.cert)
    os.utime(tls.cert, ns=(1, 1))
    assert await games(address, tls=TLS(others.ca)) == 3


@pytest.mark.parametrize("mutual", [False, True])
async def test_a_server_is_asked_for_its_health_with_its_own_certificate(
    serve: Serve, papers: Papers, others: Papers, mutual: bool
):
    address, own = await serve(papers.server(mutual)), papers.server(mutual)
    settings = {"TAFLHALL_TLS_CERT": str(own.cert), "TAFLHALL_TLS_KEY": str(own.key)}
    if mutual:
        settings["TAFLHALL_TLS_CLIENT_CA"] = str(own.client_ca)
    assert await asyncio.to_thread(serving, address, "live", settings)
    foreign = others.server()
    settings |= {"TAFLHALL_TLS_CERT": str(foreign.cert), "TAFLHALL_TLS_KEY": str(foreign.key)}
    assert not await asyncio.to_thread(serving, address, "live", settings)


async def test_administrators_come_with_a_certificate_and_a_key(
    server: LocalServer, papers: Papers
):
    admin_server = AdminServer(server.spectators, server.accounts, server.matches.limits, Meter())
    port = await admin_server.start("127.0.0.1:0", papers.server(mutual=True).credentials())
    address = f"127.0.0.1:{port}"
    _, key = await server.key(Role.ADMIN)
    _, player = await server.key(Role.PLAYER)
    try:
        async with Admin(address, key, tls=papers.client()) as admin:
            assert len(await admin.accounts()) == 2
        async with Admin(address, player, tls=papers.client()) as admin:
            with pytest.raises(errors.Forbidden):
                await admin.accounts()
        async with Admin(address, key, tls=TLS(papers.ca)) as admin:
            with pytest.raises(errors.TlsFailed, match="wants a certificate"):
                await admin.accounts()
        async with Admin(address, key) as admin:
            with pytest.raises(errors.TlsFailed, match="speaks TLS only"):
                await admin.accounts()
    finally:
        await admin_server.stop(0)


@pytest.mark.parametrize("bad", ["missing", "no pem", "key as certificate"])
def test_bad_files_are_reported_by_name_without_key_material(papers: Papers, bad: str):
    cert, key = papers.issue("localhost")
    if bad == "missing":
        cert.unlink()
    elif bad == "no pem":
        cert.write_text("a certificate, honestly")
    else:
        shutil.copy(key, cert)
    with pytest.raises(BadCertificate) as caught:
        Tls(cert, key).credentials()
    assert cert.name in str(caught.value)
    assert "BEGIN" not in str(caught.value)


def test_a_key_of_another_certificate_is_reported(papers: Papers):
    (cert, key), (_, other) = papers.issue("localhost"), papers.issue("example.org")
    Tls(cert, key).credentials()
    with pytest.raises(BadCertificate, match=rf"{other} is not the private key of {cert}"):
        Tls(cert, other).credentials()
    key.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "utf-8")
    with pytest.raises(BadCertificate, match=r"cannot be used"):
        Tls(cert, key).credentials()


def test_a_bad_handshake_writes_no_line_of_another_kind_into_the_log(papers: Papers):
    cert, key = papers.issue("127.0.0.1")
    flags = ["--listen", "127.0.0.1:0", "--store", "memory:", "--tls-cert", cert, "--tls-key", key]
    server = subprocess.Popen(
        [sys.executable, "-m", "taflhall_service.main", *map(str, flags)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"},
    )
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline().rpartition(":")[2])
        for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00\x05noise"):
            with socket.create_connection(("127.0.0.1", port), LIMIT_SECONDS) as raw:
                raw.sendall(noise)
                with contextlib.suppress(OSError):
                    while raw.recv(100):
                        pass
        server.terminate()
        _, logged = server.communicate(timeout=60)
    finally:
        server.kill()
        server.wait()
    events = [json.loads(line)["event"] for line in logged.splitlines()]
    assert "listening" in events


@pytest.mark.parametrize(
    "flags",
    [
        ["--tls-cert", "a.pem"],
        ["--tls-key", "a.key"],
        ["--tls-client-ca", "ca.pem"],
        ["--admin", "127.0.0.1:1", "--admin-tls-client-ca", "ca.pem"],
        ["--admin", "0.0.0.0:1"],
        ["--admin", "10.1.2.3:1", "--admin-tls-cert", "a", "--admin-tls-key", "b"],
        ["--admin", "nonsense"],
    ],
)
def test_half_a_protection_is_refused_at_the_start(
    flags: list[str], capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        read_settings(flags)
    assert "taflhall-server" in capsys.readouterr().err


def test_administrators_may_come_from_afar_with_certificates():
    flags = ["--admin", "0.0.0.0:1", "--admin-tls-cert", "a", "--admin-tls-key", "b"]
    settings = read_settings([*flags, "--admin-tls-client-ca", "c"])
    files = (settings.admin_tls_cert, settings.admin_tls_key, settings.admin_tls_client_ca)
    assert tls_of(*files) == Tls(Path("a"), Path("b"), Path("c"))
    assert tls_of(settings.tls_cert, settings.tls_key, settings.tls_client_ca) is None
    assert read_settings(["--admin", "[::1]:5"]).admin == "[::1]:5"
