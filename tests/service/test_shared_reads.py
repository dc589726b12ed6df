"""A change of a match is read from the store once by each server, however many watch it there."""

from __future__ import annotations

from collections import Counter
from contextlib import AsyncExitStack

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import StoredEntry, StoredMatch
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import open_server

REPLICAS = 4
COMMANDS = 12


class Counting(MemoryStore):
    """Counts what it reads of a match."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.reads: Counter[str] = Counter()

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        self.reads["entries"] += 1
        return await super().entries(match_id, first, last)

    async def load(self, match_id: str) -> StoredMatch | None:
        self.reads["table"] += 1
        return await super().load(match_id)


@pytest.mark.parametrize("watchers", [1, 20])
async def test_each_replica_reads_a_change_once_for_all_its_watchers(watchers: int):
    memory = Memory()
    stores = [Counting(memory) for _ in range(REPLICAS)]
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(open_server(store)) for store in stores]
        table = await servers[0].table()
        watch = pb.WatchMatchRequest(match_id=table.id, with_view=True)
        streams = [server.match.WatchMatch(watch) for server in servers for _ in range(watchers)]
        for stream in streams:
            await stream.read()
        for store in stores:
            store.reads.clear()
        for revision in range(1, COMMANDS + 1):
            await table.step()
            for stream in streams:
                message = await stream.read()
                assert (message.revision, message.HasField("change")) == (revision, True)
        played_here, *others = [store.reads for store in stores]
        assert played_here["entries"] == played_here["table"] == 0
        assert others == [Counter(entries=COMMANDS, table=COMMANDS)] * (REPLICAS - 1)
        for stream in streams:
            stream.cancel()
