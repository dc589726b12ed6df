"""A server in memory for every test that asks for one, and the same randomness in every run."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator

import pytest

from tests import exploring
from tests.service.local_server import RANDOM, LocalServer, Table, open_server
from tests.service.processes import Process


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with open_server() as opened:
        yield opened


@pytest.fixture
async def table(server: LocalServer) -> Table:
    """Two people with one god each; somebody has to decide."""
    return await server.table(2, 2)


@pytest.fixture(autouse=True)
def rng(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the matches of a test be the same ones in every run, unless one explores."""
    if exploring.NUMBER:
        yield
        return
    RANDOM.append(random.Random(request.node.nodeid).randbytes)
    yield
    RANDOM.pop()


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        if process.child.poll() is None:
            process.child.kill()
            process.child.communicate()
