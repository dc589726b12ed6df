"""Lists and scans read what an index names, so that their cost follows what they find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.app.matches.indexes import CODES
from taflhall_service.app.ports.match_store import DueQueue, MatchSummary
from taflhall_service.operate.verify import verify
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import give_up, server_over
from tests.service.test_matches import setup


class Counting(MemoryStore):
    """Counts the matches that are read one by one, or by their summaries."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.read = 0

    async def load(self, match_id: str) -> Any:
        self.read += 1
        return await super().load(match_id)

    async def versions(self, match_ids: Sequence[str]) -> Any:
        self.read += len(match_ids)
        return await super().versions(match_ids)

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        self.read += len(match_ids)
        return await super().summaries(match_ids)


async def ids(server: Any, **asked: Any) -> list[str]:
    answer = await server.match.ListMatches(pb.ListMatchesRequest(**asked))
    return [match.id for match in answer.matches]


async def test_a_list_follows_a_match_from_status_to_status():
    async with server_over(MemoryStore()) as server:
        opened = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        table = await server.table()
        expected = {
            match_pb2.MATCH_STATUS_OPEN: [opened.match.id],
            match_pb2.MATCH_STATUS_PLAYING: [table.id],
            match_pb2.MATCH_STATUS_FINISHED: [],
        }
        for status, found in expected.items():
            assert await ids(server, status=status) == found
            assert await ids(server, status=status, game="yggdrasil") == found
            assert await ids(server, status=status, game="champions") == []
        await give_up(table)
        assert await ids(server, status=match_pb2.MATCH_STATUS_PLAYING) == []
        assert await ids(server, status=match_pb2.MATCH_STATUS_FINISHED) == [table.id]
        assert await ids(server, game="yggdrasil") == [table.id, opened.match.id]


async def test_a_filter_that_nothing_meets_reads_no_match():
    store = Counting(Memory())
    async with server_over(store) as server:
        for _ in range(20):
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        store.read = 0
        for asked in ({"game": "champions"}, {"status": match_pb2.MATCH_STATUS_FINISHED}):
            assert await ids(server, **asked) == []
        assert store.read == 0


async def test_a_sweep_reads_only_what_waits_for_it(tmp_path):
    store = Counting(Memory())
    async with server_over(store) as server:
        for _ in range(20):
            await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        over = await server.table()
        await give_up(over)
        archiver = Archiver(store, FolderArchive(tmp_path), 60.0, lambda _: None, share=1.0)
        await archiver.scan()
        assert store.memory.matches[over.id].archived
        store.read = 0
        await archiver.scan()
        await IdleMatchCloser(server.matches, 1.0).scan()
        assert store.read == 0


async def test_what_the_indexes_lack_is_found_by_the_tool(tmp_path):
    store = MemoryStore()
    async with server_over(store) as server:
        over, waiting = await server.table(), await server.table()
        await give_up(over)
        for lost in (store.memory.queues[DueQueue.ARCHIVE], store.memory.queues[DueQueue.IDLE]):
            lost.clear()
        assert (await verify(store)).unlisted == 2
        assert (await verify(store, reindex=True)).unlisted == 2
        assert (await verify(store)).unlisted == 0
        archiver = Archiver(store, FolderArchive(tmp_path), 60.0, lambda _: None, share=1.0)
        await archiver.scan()
        assert store.memory.matches[over.id].archived
        assert (await verify(store)).unlisted == 0
        store.memory.indexes.clear()
        assert (await verify(store, reindex=True)).unlisted == 2
        finished = match_pb2.MATCH_STATUS_FINISHED
        assert await ids(server, game="yggdrasil", status=finished) == [over.id]
        assert waiting.id in store.memory.queues[DueQueue.IDLE]


async def test_a_match_that_one_index_lacks_is_found_by_the_tool():
    store = MemoryStore()
    async with server_over(store) as server:
        opened = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        for index in list(store.memory.indexes):
            (entry,) = store.memory.indexes[index]
            await store.index_remove(entry, index)
            assert (await verify(store)).unlisted == 1, index
            assert (await verify(store, reindex=True)).unlisted == 1
            assert store.memory.indexes[index] == [entry]
            assert (await verify(store)).unlisted == 0
        assert await ids(server, status=match_pb2.MATCH_STATUS_OPEN) == [opened.match.id]


async def test_the_tool_looks_again_at_a_match_that_changes_meanwhile():
    store = MemoryStore()
    async with server_over(store) as server:
        table = await server.table()
        page = store.index_page

        async def ends(*asked: Any, **more: Any) -> list[str]:
            if store.index_page is ends:
                store.index_page = page  # type: ignore[method-assign]
                await give_up(table)
            return await page(*asked, **more)

        store.index_page = ends  # type: ignore[method-assign]
        assert (await verify(store)).unlisted == 0


async def test_the_code_of_a_match_that_was_never_created_is_a_wrong_one():
    store = MemoryStore()
    async with server_over(store) as server:
        await store.index_add(f"{'A' * 10}{'b' * 24}", CODES)
        join = pb.JoinMatchRequest(join_code="A" * 10, name="Ann")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.match.JoinMatch(join)
        assert refused.value.details() == "no match has this join code"
        join = pb.JoinMatchRequest(match_id="b" * 24, name="Ann")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await server.match.JoinMatch(join)
        assert refused.value.code() is grpc.StatusCode.NOT_FOUND
