"""PlayAll: one stream for all matches of a caller, each as in a stream of its own."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.model.limits import Rates
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    Table,
    answer_of,
    bearer,
    limits,
    open_server,
    refused,
)
from tests.waiting import LIMIT_SECONDS


class Bots:
    """The client's side of a stream: all of its matches."""

    def __init__(self, server: LocalServer, secret: str = "", **enter: Any) -> None:
        self.stream = server.match.PlayAll(metadata=bearer(secret))
        self._enter = pb.PlayAllEnter(**enter)
        self._waiting: list[pb.PlayAllUpdate] = []

    async def enter(self, *tables: Table, person: int = 0) -> None:
        seats = [seat_of(table, person) for table in tables]
        await self.stream.write(pb.PlayAllRequest(enter=self._enter, seats=seats))

    async def hear(self, seconds: float = LIMIT_SECONDS) -> pb.PlayAllUpdate:
        """Return the next update."""
        async with asyncio.timeout(seconds):
            while not self._waiting:
                response = await self.stream.read()
                assert response is not grpc.aio.EOF
                self._waiting += response.updates
        return self._waiting.pop(0)

    async def answer(self, *updates: pb.PlayAllUpdate, option: int = 0) -> None:
        """Answer prompts, all in one message."""
        await self.stream.write(
            pb.PlayAllRequest(answers=[answer_to(update, option) for update in updates])
        )

    async def play(self, matches: int) -> list[pb.PlayAllUpdate]:
        """Answer every prompt until that many matches have ended; return what was heard."""
        heard: list[pb.PlayAllUpdate] = []
        while matches:
            update = await self.hear()
            heard.append(update)
            if update.play.HasField("prompt"):
                await self.answer(update)
            matches -= update.play.HasField("end")
        return heard


def seat_of(table: Table, person: int = 0) -> pb.SeatCredential:
    return pb.SeatCredential(match_id=table.id, seat_secret=table.secrets[person])


def answer_to(update: pb.PlayAllUpdate, option: int = 0) -> pb.PlayAllAnswer:
    answer = pb.PlayAnswer(
        decision_id=update.play.prompt.decision.id, answers=[pb.DecisionAnswer(option=option)]
    )
    return pb.PlayAllAnswer(match_id=update.match_id, answer=answer)


async def sit(server: LocalServer, key: str, seats: int = 1, start: bool = True) -> str:
    """Open a match and take its first seat with an API key; return its id."""
    request = pb.CreateMatchRequest(start_when_full=start)
    request.setup.game, request.setup.seats = "yggdrasil", seats
    match_id = (await server.match.CreateMatch(request)).match.id
    join = pb.JoinMatchRequest(match_id=match_id, seats=[0], name="Bot")
    await server.match.JoinMatch(join, metadata=bearer(key))
    return str(match_id)


async def test_one_stream_plays_several_matches_to_their_ends(server: LocalServer):
    tables = [await server.table(2, 1) for _ in range(3)]
    bots = Bots(server)
    await bots.enter(*tables)
    heard = await bots.play(3)
    for table in tables:
        own = [update for update in heard if update.match_id == table.id]
        assert own[0].entered.match.id == table.id
        assert list(own[0].entered.seats) == [0, 1]
        assert own[-1].play.end.cause == pb.STREAM_END_CAUSE_FINISHED
        assert own[-1].play.end.match.status == match_pb2.MATCH_STATUS_FINISHED
        revisions = [update.play.revision for update in own[1:]]
        assert revisions == sorted(revisions)


async def test_an_update_is_what_a_stream_of_its_own_would_carry(server: LocalServer):
    table = await server.table(1, 1)
    bots = Bots(server, with_view=True, language="en")
    await bots.enter(table)
    await bots.hear()
    prompted = await bots.hear()
    alone = server.match.Play(metadata=bearer(table.secrets[0]))
    enter = pb.PlayEnter(match_id=table.id, with_view=True, language="en")
    await alone.write(pb.PlayRequest(enter=enter))
    assert await alone.read() == prompted.play


async def test_matches_enter_as_the_account_takes_seats_on_any_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        _, key = await one.key(Role.BOT)
        before = await sit(one, key)
        bots = Bots(one, key)
        await bots.enter()
        assert (await bots.hear()).entered.match.id == before
        assert (await bots.hear()).play.HasField("prompt")
        later = [await sit(server, key) for server in (one, two)]
        entered: set[str] = set()
        while entered != set(later):
            update = await bots.hear()
            entered |= {update.match_id} - {before}


async def test_a_match_may_enter_before_its_start(server: LocalServer):
    _, key = await server.key(Role.BOT)
    match_id = await sit(server, key, seats=2)
    bots = Bots(server, key)
    await bots.enter()
    assert (await bots.hear()).entered.match.status == match_pb2.MATCH_STATUS_OPEN
    join = pb.JoinMatchRequest(match_id=match_id, name="Ann")
    await server.match.JoinMatch(join)
    assert (await bots.hear()).play.HasField("prompt")


async def test_a_match_that_the_account_leaves_leaves_the_stream(server: LocalServer):
    _, key = await server.key(Role.BOT)
    match_id = await sit(server, key, seats=2)
    bots = Bots(server, key)
    await bots.enter()
    await bots.hear()
    leave = pb.LeaveMatchRequest(match_id=match_id, request_id="leave")
    await server.match.LeaveMatch(leave, metadata=bearer(key))
    assert (await bots.hear()).play.end.cause == pb.STREAM_END_CAUSE_REPLACED
    join = pb.JoinMatchRequest(match_id=match_id, name="Bot")
    await server.match.JoinMatch(join, metadata=bearer(key))
    assert (await bots.hear()).entered.match.id == match_id


async def test_another_stream_takes_a_match_over_for_good(server: LocalServer):
    _, key = await server.key(Role.BOT)
    match_id = await sit(server, key)
    bots = Bots(server, key)
    await bots.enter()
    await bots.hear()
    prompted = await bots.hear()
    alone = server.match.Play(metadata=bearer(key))
    await alone.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=match_id)))
    assert (await alone.read()).prompt == prompted.play.prompt
    assert (await bots.hear()).play.end.cause == pb.STREAM_END_CAUSE_REPLACED
    other = await sit(server, key)
    assert (await bots.hear()).entered.match.id == other


async def test_several_answers_in_one_message_are_all_carried_out(server: LocalServer):
    tables = [await server.table(1, 1) for _ in range(4)]
    bots = Bots(server)
    await bots.enter(*tables)
    prompts: dict[str, pb.PlayAllUpdate] = {}
    while len(prompts) < len(tables):
        update = await bots.hear()
        if update.play.HasField("prompt"):
            prompts[update.match_id] = update
    await bots.answer(*prompts.values())
    for _ in tables:
        update = await bots.hear()
        assert (
            update.play.prompt.decision.id != prompts.pop(update.match_id).play.prompt.decision.id
        )


async def test_answers_sent_before_the_last_word_are_carried_out(server: LocalServer):
    table = await server.table(1, 1)
    bots = Bots(server)
    await bots.enter(table)
    await bots.hear()
    await bots.answer(await bots.hear())
    await bots.stream.done_writing()
    assert (await bots.hear()).play.revision == 1
    assert await bots.stream.read() is grpc.aio.EOF
    assert await bots.stream.code() is grpc.StatusCode.OK
    assert (await table.get()).match.revision == 1


async def test_an_answer_repeated_after_a_lost_stream_has_one_effect(server: LocalServer):
    table = await server.table(1, 1)
    bots = Bots(server)
    await bots.enter(table)
    await bots.hear()
    prompted = await bots.hear()
    await bots.answer(prompted)
    await bots.hear()
    bots.stream.cancel()
    again = Bots(server)
    await again.enter(table)
    await again.hear()
    fresh = await again.hear()
    await again.answer(prompted, fresh)
    assert (await again.hear()).play.revision == 2
    assert (await table.get()).match.revision == 2


async def test_a_refused_answer_costs_no_other_match_anything(server: LocalServer):
    good, bad = await server.table(1, 1), await server.table(1, 1)
    bots = Bots(server)
    await bots.enter(good, bad)
    prompts: dict[str, pb.PlayAllUpdate] = {}
    while len(prompts) < 2:
        update = await bots.hear()
        if update.play.HasField("prompt"):
            prompts[update.match_id] = update
    elsewhere = pb.PlayAllAnswer(match_id="a" * 26, answer=pb.PlayAnswer(decision_id="x"))
    answers = [answer_to(prompts[bad.id], 255), answer_to(prompts[good.id]), elsewhere]
    await bots.stream.write(pb.PlayAllRequest(answers=answers))
    heard = {update.match_id: update.play for update in [await bots.hear() for _ in range(3)]}
    assert heard[bad.id].rejection.reason == "NO_SUCH_OPTION"
    assert heard[good.id].HasField("prompt")
    assert heard["a" * 26].rejection.reason == "MATCH_NOT_FOUND"


async def test_a_secret_that_opens_nothing_costs_no_other_match_anything(server: LocalServer):
    table, other = await server.table(1, 1), await server.table(1, 1)
    wrong = pb.SeatCredential(match_id=other.id, seat_secret=table.secrets[0])
    missing = pb.SeatCredential(match_id="a" * 26, seat_secret=table.secrets[0])
    bots = Bots(server)
    seats = [wrong, missing, seat_of(table)]
    await bots.stream.write(pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=seats))
    assert (await bots.hear()).failure.reason == "SECRET_INVALID"
    assert (await bots.hear()).failure.reason == "MATCH_NOT_FOUND"
    assert (await bots.hear()).entered.match.id == table.id
    await bots.stream.write(pb.PlayAllRequest(seats=[seat_of(other)]))
    updates = [await bots.hear() for _ in range(3)]
    assert other.id in {u.entered.match.id for u in updates}


async def test_the_matches_of_a_stream_are_limited():
    async with open_server(limits=limits(stream_matches=1)) as server:
        _, key = await server.key(Role.BOT)
        one, two = await server.table(1, 1), await server.table(1, 1)
        bots = Bots(server)
        await bots.enter(one, two)
        heard = [await bots.hear() for _ in range(3)]
        [failure] = [update.failure for update in heard if update.HasField("failure")]
        assert (failure.reason, failure.metadata["limit"]) == ("TOO_MANY_MATCHES", "1")
        first, second = await sit(server, key), await sit(server, key)
        own = Bots(server, key)
        await own.enter()
        heard = await own.play(2)  # the other comes in when there is room
        entered = [u.match_id for u in heard if u.HasField("entered")]
        assert sorted(entered) == sorted([first, second])


@pytest.mark.parametrize(("known", "most"), [(True, 4), (False, 20)])
async def test_every_seat_is_a_read_and_a_wrong_secret_counts_six_times(known: bool, most: int):
    rates = Rates(commands=0.0, joins=0.0, reads=0.01, streams=0.0)  # the burst only
    async with open_server(limits=limits(rates=rates)) as server:
        tables = [await server.table(1, 1) for _ in range(40)]
        seats = [
            pb.SeatCredential(match_id=table.id if known else f"none{n}", seat_secret="wrong")
            for n, table in enumerate(tables)
        ]
        stream = server.match.PlayAll()
        await stream.write(pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=seats))
        failures = 0

        async def read_all() -> None:
            nonlocal failures
            while True:
                failures += len((await stream.read()).updates)

        assert (await refused(read_all())).reason == "RATE_LIMITED"
        assert failures <= most


async def test_one_message_names_at_most_a_thousand_seats(server: LocalServer):
    seats = [pb.SeatCredential(match_id=f"none{n}", seat_secret="x") for n in range(1001)]
    enter = pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=seats)
    refusal = await refused(answer_of(server.match.PlayAll, enter))
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "seats")


async def test_a_draining_server_says_so():
    async with open_server() as server:
        table = await server.table(1, 1)
        bots = Bots(server)
        await bots.enter(table)
        await bots.hear()
        await bots.hear()
        drained = asyncio.create_task(server.rpc.drain(0, 30))
        refusal = await refused(bots.stream.read())
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        await drained


async def test_silence_is_broken_by_heartbeats():
    async with open_server(limits=limits(heartbeat_seconds=0.1)) as server:
        _, key = await server.key(Role.BOT)
        bots = Bots(server, key)
        await bots.enter()
        for _ in range(2):
            assert (await bots.stream.read()).HasField("heartbeat")


async def test_a_stream_without_a_match_begins_with_a_heartbeat(server: LocalServer):
    _, key = await server.key(Role.BOT)
    bots = Bots(server, key)
    await bots.enter()
    assert (await bots.stream.read()).HasField("heartbeat")  # the next one would come after 15 s


async def test_a_revoked_key_ends_the_stream(server: LocalServer):
    account, key = await server.key(Role.BOT)
    bots = Bots(server, key)
    await bots.enter()
    await sit(server, key)
    await bots.hear()
    for known in await server.accounts.keys(account):
        await server.accounts.revoke(known.id)
    while True:
        refusal = await refused_at_last(bots)
        if refusal is not None:
            break
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "API_KEY_INVALID")


async def refused_at_last(bots: Bots) -> Any:
    try:
        await bots.stream.read()
    except grpc.aio.AioRpcError:
        return await refused(bots.stream.read())
    return None


@pytest.mark.parametrize("first", ["answers", "", "enter twice", "same match twice"])
async def test_a_stream_that_begins_wrongly_is_refused(server: LocalServer, first: str):
    table = await server.table(1, 1)
    seat = seat_of(table)
    enter = pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat])
    twice = pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat, seat])
    requests = {
        "answers": [pb.PlayAllRequest(seats=[seat])],
        "": [],
        "enter twice": [enter, enter],
        "same match twice": [twice],
    }[first]
    refusal = await refused(answer_of(server.match.PlayAll, *requests, last=True))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


async def test_a_caller_says_who_plays(server: LocalServer):
    _, key = await server.key(Role.BOT)
    table = await server.table(1, 1)
    nobody = answer_of(server.match.PlayAll, pb.PlayAllRequest(enter=pb.PlayAllEnter()))
    assert (await refused(nobody)).reason == "SECRET_MISSING"
    enter = pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[seat_of(table)])
    both = answer_of(lambda: server.match.PlayAll(metadata=bearer(key)), enter)
    refusal = await refused(both)
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "seats")


async def test_a_stream_that_nobody_enters_ends():
    async with open_server(limits=limits(enter_seconds=0.1)) as server:
        refusal = await refused(server.match.PlayAll().read())
        assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "enter")
