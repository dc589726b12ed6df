"""The web port itself: origins, probes, bounds and TLS."""

from __future__ import annotations

import asyncio
import shutil
import ssl

import pytest
import trustme

from taflhall_service.rpc.tls import Tls
from tests.service.web.client import CATALOG, MATCHES, HttpClient
from tests.service.web.conftest import Web, open_web

PAGE = "https://example.org"


async def test_a_page_of_the_same_origin_needs_no_leave(web: Web):
    response = await web.http.call(f"{CATALOG}ListGames", {}, origin=PAGE)
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(("listed", "allowed"), [("*", "*"), (f"https://a.example, {PAGE}", PAGE)])
async def test_a_page_of_a_listed_origin_may_call(listed: str, allowed: str):
    async with open_web(origins=listed) as web:
        path = f"{MATCHES}GetMatch"
        asked = await web.http.request(
            "OPTIONS", path, origin=PAGE, access_control_request_method="POST"
        )
        assert asked.status == 204
        assert "authorization" in asked.headers["access-control-allow-headers"]
        assert "POST" in asked.headers["access-control-allow-methods"]
        response = await web.http.call(path, {"matchId": "nowhere"}, origin=PAGE)
        assert response.headers["access-control-allow-origin"] == allowed
        exposed = response.headers["access-control-expose-headers"].split(", ")
        assert {"trailer-grpc-retry-pushback-ms", "grpc-status-details-bin"} <= set(exposed)


async def test_probes_tell_live_from_ready(web: Web):
    for path in ("/livez", "/readyz"):
        assert (await web.http.request("GET", path)).status == 200
    await web.server.rpc.ready(False)
    assert (await web.http.request("GET", "/readyz")).status == 503
    assert (await web.http.request("GET", "/livez")).status == 200


async def test_a_draining_server_is_not_ready_and_refuses_calls(web: Web):
    await web.server.rpc.drain(0.0, 0.0)
    assert (await web.http.request("GET", "/readyz")).status == 503
    response = await web.http.call(f"{CATALOG}ListGames", {})
    assert (response.status, response.json["code"]) == (503, "unavailable")


async def test_a_head_without_end_is_cut_off(web: Web):
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(b"GET /livez HTTP/1.1\r\nx: ")
    try:
        for _ in range(100):
            writer.write(b"x" * 1024)
            await writer.drain()
        assert await reader.read() == b""
    except ConnectionError:
        pass
    finally:
        writer.close()
    assert (await web.http.request("GET", "/livez")).status == 200


async def test_bytes_that_are_not_http_get_an_answer(web: Web):
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 400")
    writer.close()


async def test_certificates_are_renewed_without_a_restart(tmp_path):
    first, second = trustme.CA(), trustme.CA()
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"

    def issue(authority: trustme.CA) -> ssl.SSLContext:
        leaf = authority.issue_cert("127.0.0.1")
        leaf.cert_chain_pems[0].write_to_path(str(tmp_path / "new.pem"))
        leaf.private_key_pem.write_to_path(str(key))
        shutil.move(tmp_path / "new.pem", cert)
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        return trusting

    trusts_first = issue(first)
    async with open_web(tls=Tls(cert, key)) as web:
        assert (await HttpClient(web.port, trusts_first).request("GET", "/livez")).status == 200
        trusts_second = issue(second)
        assert (await HttpClient(web.port, trusts_second).request("GET", "/livez")).status == 200
        with pytest.raises(ssl.SSLError):
            await HttpClient(web.port, trusts_first).request("GET", "/livez")


async def test_a_port_that_wants_certificates_refuses_a_client_without(tmp_path):
    authority = trustme.CA()
    cert, key, ca = tmp_path / "cert.pem", tmp_path / "key.pem", tmp_path / "ca.pem"
    leaf = authority.issue_cert("127.0.0.1")
    leaf.cert_chain_pems[0].write_to_path(str(cert))
    leaf.private_key_pem.write_to_path(str(key))
    authority.cert_pem.write_to_path(str(ca))
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with open_web(tls=Tls(cert, key, ca)) as web:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await HttpClient(web.port, trusting).request("GET", "/livez")
        authority.issue_cert("bob@example.org").configure_cert(trusting)
        assert (await HttpClient(web.port, trusting).request("GET", "/livez")).status == 200
