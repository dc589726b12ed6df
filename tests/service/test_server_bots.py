"""AddBot: a bot of the server takes a seat, and any server plays for it to the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from taflhall.v1 import catalog_service_pb2 as catalog
from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.model.server_bots import SERVER_BOTS
from taflhall_service.app.ports.bots import Bots
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.bots.pool import BotPool
from taflhall_service.settings import BOTS, Settings, problem_of, read_settings
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import clock_settings
from tests.service.inline_bots import InlineBots
from tests.service.local_server import LocalServer, bearer, limits, open_server, refused
from tests.service.test_invitations import Opened, create
from tests.waiting import LIMIT_SECONDS, until


async def add(
    server: LocalServer, match: Opened, bot: str = "random", secret: Any = None, **more: Any
) -> match_pb2.Match:
    more.setdefault("request_id", f"add {bot} {more}")
    request = lobby.AddBotRequest(match_id=match.id, bot_id=bot, **more)
    metadata = match.creator if secret is None else bearer(secret)
    found: match_pb2.Match = (await server.lobby.AddBot(request, metadata=metadata)).match
    return found


@asynccontextmanager
async def at_work(server: LocalServer, bots: Bots | None = None) -> AsyncIterator[None]:
    """Let a server act for seats, as a serving process does."""
    await server.matches.store_clock.send_heartbeat()
    timers = Timers(server.matches, bots or InlineBots(), lambda policy, late: None)
    running = [
        asyncio.create_task(timers.run()),
        asyncio.create_task(server.matches.store_clock.run()),
    ]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def play(server: LocalServer, match_id: str, secret: str) -> match_pb2.Match:
    """Answer every prompt with the first option until the match is over."""
    stream = server.match.Play(metadata=bearer(secret))
    await stream.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=match_id)))
    async with asyncio.timeout(LIMIT_SECONDS):
        while not (said := await stream.read()).HasField("end"):
            if said.HasField("prompt"):
                answer = pb.PlayAnswer(
                    decision_id=said.prompt.decision.id, answers=[pb.DecisionAnswer(option=0)]
                )
                await stream.write(pb.PlayRequest(answer=answer))
    over: match_pb2.Match = said.end.match
    return over


async def test_a_bot_of_the_server_plays_a_match_to_its_end(server: LocalServer):
    match = await create(server, start_when_full=True)
    ann = await match.join(name="Ann")
    shown = await add(server, match, "random")
    assert shown.status == match_pb2.MATCH_STATUS_PLAYING
    seat = shown.seats[1]
    assert (seat.name, seat.kind, seat.bot_id) == ("random", match_pb2.SEAT_KIND_BOT, "random")
    async with at_work(server):
        over = await play(server, match.id, ann.seat_secret)
    assert over.status == match_pb2.MATCH_STATUS_FINISHED
    record = await server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match.id))
    assert 1 in {command.seat for command in record.record.commands}


async def test_the_bots_of_a_process_of_their_own_play_too(server: LocalServer):
    match = await create(server, start_when_full=True)
    ann = await match.join(name="Ann")
    await add(server, match, "random")
    pool = BotPool(share=1.0)
    async with at_work(server, pool):
        over = await play(server, match.id, ann.seat_secret)
    await pool.close()
    assert over.status == match_pb2.MATCH_STATUS_FINISHED


async def test_another_server_plays_on_when_one_has_gone():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        match = await create(one, start_when_full=True)
        ann = await match.join(name="Ann")
        await add(one, match, "random")
        memory.queues[DueQueue.DEADLINES].clear()  # as if that server had died before it noted it
        async with at_work(two):
            timers = Timers(two.matches, InlineBots(), lambda policy, late: None)
            await timers.scan()
            over = await play(two, match.id, ann.seat_secret)
        assert over.status == match_pb2.MATCH_STATUS_FINISHED


async def test_the_server_that_has_committed_lets_a_bot_answer_at_once():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as server:
        match = await create(server, start_when_full=True)
        await add(server, match, seat=0)
        await match.join(name="Ann")
        await server.matches.idle(10)
        memory.queues[DueQueue.DEADLINES].clear()  # it need not wait until this is written
        await server.matches.store_clock.send_heartbeat()
        await Timers(server.matches, InlineBots(), lambda policy, late: None).look()
        await server.matches.idle(10)
        assert (await server.matches.fresh(match.id)).revision == 1


async def test_bots_have_no_clock_and_are_not_asked_for_consent(server: LocalServer):
    times = clock_settings(base=60, increment=5)
    match = await create(server, start_when_full=True, time_control=times)
    ann = await match.join(name="Ann")
    shown = await add(server, match)
    assert [clock.stand_in for clock in shown.clocks.seats] == [False, True]
    async with at_work(server):
        get = pb.GetMatchRequest(match_id=match.id, with_options=True)

        async def asked() -> Any:
            found = await server.match.GetMatch(get, metadata=bearer(ann.seat_secret))
            return next((d for d in found.decisions if d.options), None)

        for number in range(3):
            await until(asked)
            decision = await asked()
            answer = pb.SubmitAnswersRequest(
                match_id=match.id,
                decision_id=decision.id,
                request_id=f"{number}",
                answers=[pb.DecisionAnswer(option=0)],
            )
            await server.match.SubmitAnswers(answer, metadata=bearer(ann.seat_secret))
    seen = (await server.match.GetMatch(get)).match
    assert seen.clocks.seats[1].bank.seconds == 60
    give_up = pb.AbandonMatchRequest(match_id=match.id, request_id="enough")
    over = await server.match.AbandonMatch(give_up, metadata=bearer(ann.seat_secret))
    assert over.match.status == match_pb2.MATCH_STATUS_ABANDONED


async def test_one_seat_is_left_to_a_player(server: LocalServer):
    match = await create(server, seats=3)
    await add(server, match, request_id="1")
    shown = await add(server, match, "monte-carlo", request_id="2", name="Carl")
    assert [seat.name for seat in shown.seats] == ["random", "Carl", ""]
    refusal = await refused(add(server, match, request_id="3"))
    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "PLAYER_REQUIRED",
    )
    await match.remove(0)
    await match.join(name="Ann", seats=[2])
    again = await add(server, match, request_id="4")
    assert [seat.bot_id for seat in again.seats] == ["random", "monte-carlo", ""]
    assert len({seat.name for seat in again.seats}) == 3


async def test_a_repeated_request_adds_one_bot(server: LocalServer):
    match = await create(server, seats=4)
    await add(server, match, request_id="same")
    shown = await add(server, match, request_id="same")
    assert [bool(seat.bot_id) for seat in shown.seats] == [True, False, False, False]
    two = await add(server, match, request_id="other")
    assert [seat.name for seat in two.seats[:2]] == ["random", "random 2"]


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"bot": "oracle"}, "BOT_NOT_FOUND"),
        ({"secret": ""}, "SECRET_MISSING"),
        ({"seat": 7}, "UNKNOWN_SEAT"),
        ({"seat": 0}, "SEAT_TAKEN"),
        ({"name": "Ann"}, "NAME_TAKEN"),
        ({"name": "\n"}, "INVALID_NAME"),
        ({"request_id": ""}, "INVALID_NAME"),
    ],
)
async def test_invalid_requests_are_refused(
    server: LocalServer, given: dict[str, Any], reason: str
):
    match = await create(server, seats=3)
    await match.join(name="Ann", seats=[0])
    assert (await refused(add(server, match, **given))).reason == reason


async def test_a_player_may_not_add_a_bot_and_nobody_after_the_start(server: LocalServer):
    match = await create(server)
    ann = await match.join(name="Ann")
    assert (await refused(add(server, match, secret=ann.seat_secret))).reason == "FORBIDDEN"
    await match.join(name="Ben")
    assert (await refused(add(server, match))).reason == "NO_FREE_SEAT"
    await server.match.StartMatch(pb.StartMatchRequest(match_id=match.id), metadata=match.creator)
    assert (await refused(add(server, match, request_id="late"))).reason == "ALREADY_STARTED"


async def test_the_catalogue_lists_the_bots_that_a_server_offers():
    async with open_server(limits=limits(bots=("random",))) as server:
        listed = await server.catalog.ListGames(catalog.ListGamesRequest(language="de-AT"))
        for game in listed.games:
            assert [bot.id for bot in game.bots] == ["random"]
            assert game.bots[0].text.startswith("nimmt")
        match = await create(server)
        assert (await refused(add(server, match, "monte-carlo"))).reason == "BOT_NOT_FOUND"


def test_the_settings_name_the_bots_there_are():
    assert set(SERVER_BOTS) == set(BOTS)
    assert not problem_of(read_settings(["--bots", "none"], {}))
    assert not problem_of(read_settings(["--bots", "random"], {}))
    assert "oracle" in problem_of(Settings(durability="disk", bots="random,oracle"))
