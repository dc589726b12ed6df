"""A hall in memory for every test that asks for one, and the same luck in every run."""

from __future__ import annotations

import random
import secrets
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace

import pytest

from taflhall_service.app.matches import create
from tests import exploring
from tests.service.hall import Hall, open_hall
from tests.service.processes import Process


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    async with open_hall() as opened:
        yield opened


@pytest.fixture(autouse=True)
def rng(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the matches of a test have the same luck and ids in every run, unless one explores."""
    if exploring.NUMBER:
        return
    same = random.Random(request.node.nodeid)
    others = SimpleNamespace(token_bytes=same.randbytes, token_hex=secrets.token_hex)
    monkeypatch.setattr(create, "secrets", others)


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        if process.child.poll() is None:
            process.child.kill()
            process.child.communicate()
