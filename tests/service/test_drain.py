"""A drain ends what is under way so that every client asks another server."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.ports.match_store import Commit, CommitResult, StoredMatch
from taflhall_service.store.memory import MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.waiting import until


class Stuck(MemoryStore):
    """A store that stops answering."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = asyncio.Event()
        self.answers.set()
        self.waiting = 0

    async def _wait(self) -> None:
        self.waiting += 1
        await self.answers.wait()
        self.waiting -= 1

    async def load(self, match_id: str) -> StoredMatch | None:
        await self._wait()
        return await super().load(match_id)

    async def commit(self, commit: Commit) -> CommitResult:
        await self._wait()
        return await super().commit(commit)


def calls(server: LocalServer, match_id: str, secret: str, decision: str) -> list[Any]:
    """Begin calls that need the store."""
    proof, match = bearer(secret), server.match
    submit = pb.SubmitAnswersRequest(match_id=match_id, decision_id=decision, request_id="a")
    submit.answers.add(option=0)
    return [
        match.SubmitAnswers(submit, metadata=proof),
        match.GetMatch(pb.GetMatchRequest(match_id="other"), metadata=proof),
        match.WatchMatch(pb.WatchMatchRequest(match_id="another")).read(),
    ]


async def test_what_a_drain_cuts_is_unavailable_and_says_why():
    store = Stuck()
    async with open_server(store) as server:
        table = await server.table(2, 1)
        decision = (await table.decision()).id
        store.answers.clear()
        cut = [
            asyncio.create_task(refused(call))
            for call in calls(server, table.id, table.secrets[0], decision)
        ]
        await until(lambda: store.waiting == len(cut))
        drain = asyncio.create_task(server.rpc.drain(0, 0.1))
        for refusal in await asyncio.gather(*cut):
            assert (refusal.code.name, refusal.reason) == ("UNAVAILABLE", "DRAINING")
        store.answers.set()
        await drain
    async with open_server(store) as other:  # the answer is repeated there
        submit = pb.SubmitAnswersRequest(match_id=table.id, decision_id=decision, request_id="a")
        submit.answers.add(option=0)
        again = await other.match.SubmitAnswers(submit, metadata=bearer(table.secrets[0]))
        assert again.first_revision == 1


async def test_calls_under_way_end_before_a_drain_cuts_them():
    store = Stuck()
    async with open_server(store) as server:
        table = await server.table(2, 1)
        decision = (await table.decision()).id
        store.answers.clear()
        answer, *others = [
            asyncio.ensure_future(call)
            for call in calls(server, table.id, table.secrets[0], decision)
        ]
        await until(lambda: store.waiting == 3)
        drain = asyncio.create_task(server.rpc.drain(0, 30))
        store.answers.set()
        assert (await answer).applied == 1
        for other in others:
            assert (await refused(other)).reason == "MATCH_NOT_FOUND"
        await drain
