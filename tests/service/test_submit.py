"""Submit: exactly one effect, lists of answers, and what several servers do at the same time."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from uuid import uuid4

import grpc

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.ports.match_store import CommitStatus
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, Table, bearer, open_server, refused


async def test_a_repeated_request_gets_the_first_answer(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    first = await table.submit(decision.id, request_id="one", with_options=True)
    await table.step()
    again = await table.submit(decision.id, request_id="one", with_options=True)
    assert again.replayed
    assert not first.replayed
    again.replayed = False
    assert again == first
    assert (await table.get()).match.revision == 2


async def test_another_body_under_the_same_id_is_refused(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    await table.submit(decision.id, request_id="one")
    for option in (0, 1):
        later = await table.decision()
        call = table.submit(later.id, option, request_id="one")
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "REQUEST_ID_REUSED",
        )
        assert refusal.metadata == {"request_id": "one"}
    assert (await table.get()).match.revision == 1


async def test_a_request_that_comes_again_later_gets_the_whole_first_answer(server: LocalServer):
    table = await server.table(2, 1)
    firsts: list[tuple[str, Any, pb.SubmitAnswersResponse]] = []
    for number in range(6):
        decision = await table.decision()
        fields: Any = {"request_id": f"number {number}", "with_options": True}
        firsts.append((decision.id, fields, await table.submit(decision.id, **fields)))
    for decision_id, fields, first in firsts:
        again = await table.submit(decision_id, **dict(fields))
        assert again.replayed
        again.replayed = False
        assert again == first
    assert (await table.get()).match.revision == len(firsts)


async def test_the_record_answers_even_after_the_match_is_over(server: LocalServer):
    table = await server.table(2, 2)
    decision = (await table.get(None)).decisions[0]
    person = decision.seat
    first = await table.submit(decision.id, person=person, request_id="one")
    request = pb.ResignSeatRequest(match_id=table.id, request_id="over")
    await server.match.ResignSeat(request, metadata=bearer(table.secrets[0]))
    again = await table.submit(decision.id, person=person, request_id="one")
    assert again.replayed
    assert again.events == first.events


async def test_the_same_id_of_another_seat_is_another_request(server: LocalServer):
    table = await server.table(2, 2)
    seen: set[int] = set()
    while seen != {0, 1}:
        decision = (await table.get(None)).decisions[0]
        answer = await table.submit(decision.id, person=decision.seat, request_id=f"{len(seen)}")
        if decision.seat not in seen:
            assert not answer.replayed
        seen.add(decision.seat)
        while (await table.get(None)).decisions[0].seat in seen and seen != {0, 1}:
            await table.step()


async def test_a_refused_request_is_not_remembered(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    await refused(table.submit(decision.id, 200, request_id="one"))
    fresh = await table.submit(decision.id, 0, request_id="one")
    assert not fresh.replayed


async def test_a_list_answers_one_decision_after_another(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    done = await table.submit(decision.id, answers=[pb.DecisionAnswer(option=0)] * 3)
    assert (done.applied, done.revision) == (3, 3)
    assert not done.HasField("refusal")
    assert sum(event.WhichOneof("kind") == "answered" for event in done.events) >= 3


async def test_a_list_stops_at_the_first_refusal_and_what_came_before_stands(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    answers = [
        pb.DecisionAnswer(option=0),
        pb.DecisionAnswer(option=0),
        pb.DecisionAnswer(option=250),
    ]
    done = await table.submit(decision.id, answers=[*answers, pb.DecisionAnswer(option=0)])
    assert (done.applied, done.revision) == (2, 2)
    assert done.refusal.code == "not_offered"
    assert (await table.get()).match.revision == 2


async def test_a_list_ends_where_another_seat_decides(server: LocalServer):
    table = await server.table(2, 2)
    decision = (await table.get(None)).decisions[0]
    answers = [pb.DecisionAnswer(option=0)] * 64
    done = await table.submit(decision.id, person=decision.seat, answers=answers)
    assert 1 <= done.applied < 64
    assert done.refusal.code in ("not_your_decision", "game_over")
    after = (await table.get(None)).match
    assert after.revision == done.revision == done.applied


async def test_every_answer_says_how_safely_it_is_kept(server: LocalServer):
    table = await server.table(1, 1)
    assert (await table.step()).durability == match_pb2.DURABILITY_MEMORY


# ---------------------------------------------------------------- several servers, one store


async def test_servers_over_one_store_play_one_match():
    """Every command goes to a random one of three servers; the match comes out the same."""
    memory, rng = Memory(), random.Random(3)
    async with (
        open_server(MemoryStore(memory)) as one,
        open_server(MemoryStore(memory)) as two,
        open_server(MemoryStore(memory)) as three,
    ):
        table = await one.table(2, 2)
        status, revision = match_pb2.MATCH_STATUS_PLAYING, 0
        while status == match_pb2.MATCH_STATUS_PLAYING:
            at = Table(rng.choice((one, two, three)), table.id, table.secrets, table.creator)
            decision = (await table.get(None)).decisions[0]
            answers = await table.whole()
            done = await at.submit(decision.id, person=decision.seat, answers=answers)
            revision += 1
            assert done.revision == revision
            status = done.status
        answers_ = [
            await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=table.id))
            for server in (one, two, three)
        ]
        assert answers_[0] == answers_[1] == answers_[2]
        assert two.matches.conflicts + three.matches.conflicts > 0


async def test_one_of_two_simultaneous_answers_is_stale():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(1, 1)
        for _ in range(10):
            decision = await table.decision()
            other = Table(two, table.id, table.secrets, table.creator)
            answers = await table.whole()
            results = await asyncio.gather(
                table.submit(decision.id, answers=answers),
                other.submit(decision.id, answers=answers),
                return_exceptions=True,
            )
            errors = [r for r in results if isinstance(r, grpc.aio.AioRpcError)]
            assert len(errors) == 1
            assert errors[0].code() is grpc.StatusCode.ABORTED


async def test_a_request_that_is_sent_to_all_servers_has_one_effect():
    memory = Memory()
    async with (
        open_server(MemoryStore(memory)) as one,
        open_server(MemoryStore(memory)) as two,
        open_server(MemoryStore(memory)) as three,
    ):
        table = await one.table(1, 1)
        for revision in range(1, 20):
            decision = await table.decision()
            request_id, whole = uuid4().hex, await table.whole()
            answers = await asyncio.gather(
                *[
                    Table(server, table.id, table.secrets, "").submit(
                        decision.id, request_id=request_id, answers=whole
                    )
                    for server in (one, two, three, one)
                ]
            )
            assert [a.revision for a in answers] == [revision] * 4
            assert sum(not a.replayed for a in answers) == 1
            assert len({a.events[0].SerializeToString() for a in answers}) == 1


# ---------------------------------------------------------------- when the store does not answer


class Shaky(MemoryStore):
    """Loses the answer of every second commit, before or after it was made."""

    calls = 0

    async def commit(self, commit):
        self.calls += 1
        if self.calls % 4 == 2:
            raise StoreUnavailable
        outcome = await super().commit(commit)
        if self.calls % 4 == 0:
            raise StoreUnavailable
        return outcome


async def test_a_retry_after_an_unknown_outcome_has_one_effect():
    async with open_server(Shaky()) as server:
        server.store.calls = 100
        request = pb.CreateMatchRequest(request_id=uuid4().hex, start_when_full=True)
        request.setup.game, request.setup.seats = "yggdrasil", 1
        created = await until_answered(lambda: server.match.CreateMatch(request))
        join = pb.JoinMatchRequest(match_id=created.match.id, name="A", request_id=uuid4().hex)
        joined = await until_answered(lambda: server.match.JoinMatch(join))
        table = Table(server, created.match.id, [joined.seat_secret], "")
        for revision in range(1, 25):
            decision = await table.decision()
            request_id, answers = uuid4().hex, await until_answered(table.whole)

            async def call(decision=decision, request_id=request_id, answers=answers):
                return await table.submit(decision.id, request_id=request_id, answers=answers)

            assert (await until_answered(call)).revision == revision


async def until_answered(call):
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise


class Slow(MemoryStore):
    """Delays each commit of a command."""

    def __init__(self):
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()
        self.begun = asyncio.Event()
        self.done = asyncio.Event()

    async def commit(self, commit):
        self.begun.set()
        await self.free.wait()
        done = await super().commit(commit)
        self.done.set()
        return done


async def test_a_deadline_of_the_client_does_not_cut_a_commit_short():
    store = Slow()
    async with open_server(store) as server:
        table = await server.table(1, 1)
        decision = await table.decision()
        request = pb.SubmitAnswersRequest(
            match_id=table.id,
            decision_id=decision.id,
            request_id="one",
            answers=[pb.DecisionAnswer(option=0)],
        )
        for event in (store.free, store.begun, store.done):
            event.clear()
        for seconds in (1.0, 10.0, 60.0):  # a busy machine may not begin within the first
            call = server.match.SubmitAnswers(
                request, metadata=bearer(table.secrets[0]), timeout=seconds
            )
            assert (await refused(call)).code is grpc.StatusCode.DEADLINE_EXCEEDED
            if store.begun.is_set():
                break
        store.free.set()
        await store.done.wait()
        again = await server.match.SubmitAnswers(request, metadata=bearer(table.secrets[0]))
        assert again.replayed
        assert (await table.get()).match.revision == 1


class Broken(MemoryStore):
    """Has a fault of its own."""

    async def load(self, match_id):
        raise KeyError("seat2_hand CANARY")

    async def commit(self, commit):
        outcome = await super().commit(commit)
        assert outcome.status is not CommitStatus.COMMITTED, "CANARY"
        return outcome


async def test_no_word_of_a_fault_gets_out(capsys):
    async with open_server(Broken()) as server:
        request = pb.CreateMatchRequest()
        request.setup.game, request.setup.seats = "yggdrasil", 2
        calls = [
            server.match.CreateMatch(request),
            server.match.GetMatch(pb.GetMatchRequest(match_id="x")),
            server.match.WatchMatch(pb.WatchMatchRequest(match_id="x")).read(),
        ]
        for call in calls:
            refusal = await refused(call)
            assert (refusal.code, refusal.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
            assert set(refusal.metadata) == {"correlation"}
            assert "CANARY" not in str(refusal.status)
    printed = capsys.readouterr()
    assert "CANARY" not in printed.out + printed.err


async def test_a_repetition_is_compared_by_meaning_and_not_by_bytes(server: LocalServer):
    table = await server.table(1, 1)
    decision = await table.decision()
    request = pb.SubmitAnswersRequest(
        match_id=table.id,
        decision_id=decision.id,
        request_id="the same",
        answers=[pb.DecisionAnswer(option=0)],
    )
    parts = [
        pb.SubmitAnswersRequest(answers=request.answers),
        pb.SubmitAnswersRequest(request_id=request.request_id),
        pb.SubmitAnswersRequest(match_id=table.id, decision_id=decision.id),
    ]
    other_order = b"".join(part.SerializeToString() for part in parts)
    default_written_out, unknown_field = b"\x28\x00", b"\xa0\x1f\x01"
    call: Any = server.channel.unary_unary("/taflhall.v1.MatchService/SubmitAnswers")
    first = await call(request.SerializeToString(), metadata=bearer(table.secrets[0]))
    again = await call(
        other_order + default_written_out + unknown_field, metadata=bearer(table.secrets[0])
    )
    assert not pb.SubmitAnswersResponse.FromString(first).replayed
    assert pb.SubmitAnswersResponse.FromString(again).replayed
