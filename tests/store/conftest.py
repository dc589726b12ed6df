"""The stores that the suite runs over; each server is started once, when first asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from taflhall_service.app.ports.match_store import Durability, MatchStore
from taflhall_service.store.address import open_store
from taflhall_service.store.memory import Memory, MemoryStore
from tests.store import servers

KINDS = ("memory", "redis", "sentinel", "cluster")


@pytest.fixture(scope="session")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Return the address of a kind of store; the servers end with the session."""
    known: dict[str, str] = {}
    running: list[servers.Valkey] = []

    def address(kind: str) -> str:
        if kind not in known:
            folder: Path = tmp_path_factory.mktemp(kind)
            if kind == "redis":
                running.append(servers.Valkey(folder, *servers.SAFE))
                known[kind] = running[-1].address
            else:
                start = servers.cluster if kind == "cluster" else servers.sentinels
                known[kind], children = start(folder)
                running.extend(children)
        return known[kind]

    yield address
    for child in running:
        child.stop()


@pytest.fixture(params=KINDS)
async def connect(request: Any, addresses: Any) -> AsyncIterator[Callable[[], Any]]:
    """Return a function that connects one more server to the same store."""
    memory = Memory()
    async with AsyncExitStack() as stack:

        async def connection() -> MatchStore:
            if request.param == "memory":
                store: MatchStore = MemoryStore(memory)
            else:
                store = await open_store(addresses(request.param), Durability.DISK)
            stack.push_async_callback(store.close)
            return store

        yield connection


@pytest.fixture
async def store(connect: Any) -> MatchStore:
    found: MatchStore = await connect()
    return found
