"""The page at the web port: what is served, and how."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from taflhall_service.web.page import page_at
from tests.service.web.client import CATALOG
from tests.service.web.conftest import Web, open_web

INDEX = b"<!doctype html><title>page</title>" + b" " * 1000
SCRIPT = b"export const value = 1;\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    built = tmp_path / "page"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_bytes(INDEX)
    (built / "assets" / "main-3f2a.js").write_bytes(SCRIPT)
    (built / "favicon.svg").write_bytes(b"<svg/>")
    (tmp_path / "secret.txt").write_bytes(b"beside the page")
    return built


@pytest.fixture
async def paged(folder: Path) -> AsyncIterator[Web]:
    async with open_web(page=str(folder)) as opened:
        yield opened


async def test_the_page_is_at_the_root_and_never_cached_unasked(paged: Web):
    response = await paged.http.request("GET", "/")
    assert (response.status, response.body) == (200, INDEX)
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"


async def test_files_with_a_hash_in_their_names_are_kept_for_ever(paged: Web):
    response = await paged.http.request("GET", "/assets/main-3f2a.js")
    assert (response.status, response.body) == (200, SCRIPT)
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in response.headers["cache-control"]


async def test_a_browser_that_takes_gzip_gets_less(paged: Web):
    response = await paged.http.request("GET", "/assets/main-3f2a.js", accept_encoding="gzip, br")
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "accept-encoding"
    assert len(response.body) < len(SCRIPT)
    assert gzip.decompress(response.body) == SCRIPT


async def test_what_has_not_changed_is_not_sent_again(paged: Web):
    first = await paged.http.request("GET", "/")
    again = await paged.http.request("GET", "/", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    other = await paged.http.request("GET", "/", if_none_match='"other"')
    assert other.status == 200


async def test_a_head_has_no_body(paged: Web):
    response = await paged.http.request("HEAD", "/")
    assert (response.status, response.body) == (200, b"")
    assert response.headers["content-length"] == str(len(INDEX))


async def test_the_page_may_load_and_call_this_server_only(paged: Web):
    headers = (await paged.http.request("GET", "/")).headers
    rules = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert rules["default-src"] == "'none'"
    assert {value for name, value in rules.items() if name != "default-src"} == {"'self'", "'none'"}
    assert rules["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//secret.txt",
        "/assets",
        "/assets/",
        "/index.html",
        "/missing.js",
    ],
)
async def test_only_the_files_of_the_page_are_there(paged: Web, path: str):
    assert (await paged.http.request("GET", path)).status == 404


async def test_the_page_takes_nothing(paged: Web):
    assert (await paged.http.request("POST", "/", b"x")).status == 404


async def test_the_methods_stay_where_they_were(paged: Web):
    assert (await paged.http.call(f"{CATALOG}ListGames", {})).status == 200
    assert (await paged.http.request("GET", "/livez")).status == 200


@pytest.mark.parametrize("setting", ["none", "{tmp}"])
async def test_without_a_page_the_root_says_how_to_build_it(tmp_path: Path, setting: str):
    async with open_web(page=setting.format(tmp=tmp_path)) as web:
        response = await web.http.request("GET", "/")
        assert response.status == 404
        assert response.headers["content-type"] == "text/plain; charset=utf-8"
        assert b"make page" in response.body
        assert (await web.http.request("GET", "/favicon.svg")).status == 404


@pytest.mark.parametrize(
    ("host", "secure", "line"),
    [
        ("127.0.0.1", False, "page at http://127.0.0.1:8080/"),
        ("0.0.0.0", True, "page at https://localhost:8080/"),
        ("[::]", False, "page at http://localhost:8080/"),
    ],
)
def test_the_server_prints_an_address_that_a_browser_can_open(
    folder: Path, host: str, secure: bool, line: str
):
    assert page_at(str(folder), host, 8080, secure=secure) == line


def test_the_server_prints_no_address_of_a_page_that_it_does_not_have():
    assert page_at("none", "127.0.0.1", 8080, secure=False) == ""
