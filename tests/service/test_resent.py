"""A commit whose answer got lost and that was sent again has the effect of one."""

from __future__ import annotations

from typing import Any

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import Commit, DueQueue
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import server_over
from tests.service.clocked import clocked
from tests.service.local_server import bearer
from tests.service.test_matches import setup


class Twice(MemoryStore):
    """Does every commit twice, and returns the result of the second."""

    async def commit(self, commit: Commit) -> Any:
        await super().commit(commit)
        return await super().commit(commit)


async def test_secrets_come_back_without_a_request_id_too():
    store = Twice(Memory())
    async with server_over(store) as server:
        made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(2)))
        assert made.creator_secret
        assert len(await store.index_page("", 10)) == 1
        match_id = made.match.id
        joined = await server.match.JoinMatch(
            pb.JoinMatchRequest(match_id=match_id, seats=[1], name="Ann")
        )
        assert list(joined.seats) == [1]
        hand = pb.DelegateSeatRequest(match_id=match_id, seat=1, name="Bob", permanent=True)
        handed = await server.match.DelegateSeat(hand, metadata=bearer(joined.seat_secret))
        look = pb.GetMatchRequest(match_id=match_id)
        await server.match.GetMatch(look, metadata=bearer(handed.deputy_secret))


async def test_a_deadline_is_noted_although_the_commit_was_sent_twice():
    async with clocked(stores=[lambda store: Twice(store.memory)]) as made:
        table = await made.table(base=60)
        await made.servers[0].matches.idle(10)
        await made.passes(30)
        made.memory.queues[DueQueue.DEADLINES].clear()
        await table.step()
        await made.servers[0].matches.idle(10)
        due = (await made.servers[0].matches.fresh(table.id)).next_deadline(())
        assert due is not None
        assert made.memory.queues[DueQueue.DEADLINES] == {table.id: due.ms}
