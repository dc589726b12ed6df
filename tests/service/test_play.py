"""Play: a bot is prompted, answers, and hears of everything that concerns it."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.model.limits import Limits
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    Refusal,
    Table,
    answer_of,
    bearer,
    known,
    limits,
    open_server,
    refused,
)
from tests.waiting import LIMIT_SECONDS, until

NOBODY: Any = 50


class Bot:
    """The client's side of a play stream."""

    def __init__(self, table: Table, person: int = 0, **wants: Any) -> None:
        self.stream = table.server.match.Play(metadata=bearer(table.secrets[person]))
        self.enter = pb.PlayEnter(match_id=table.id, **wants)

    async def begin(self) -> Any:
        await self.stream.write(pb.PlayRequest(enter=self.enter))
        return await self.hear()

    async def hear(self, seconds: float = LIMIT_SECONDS) -> Any:
        async with asyncio.timeout(seconds):
            heard: pb.PlayResponse = await self.stream.read()
            return heard

    async def say(self, decision_id: str, option: int = 0, **more: Any) -> None:
        answers = more.pop("answers", None) or [pb.DecisionAnswer(option=option)]
        answer = pb.PlayAnswer(decision_id=decision_id, answers=answers, **more)
        await self.stream.write(pb.PlayRequest(answer=answer))

    async def play(self) -> list[pb.PlayResponse]:
        """Answer every prompt with the first option; return what was heard."""
        heard = [await self.begin()]
        while not heard[-1].HasField("end"):
            if heard[-1].HasField("prompt"):
                await self.say(heard[-1].prompt.decision.id)
            heard.append(await self.hear())
        return heard


async def test_bots_play_a_match_to_its_end(server: LocalServer):
    table = await server.table(2, 2)
    one, two = await asyncio.gather(Bot(table, 0).play(), Bot(table, 1).play())
    for heard, seat in ((one, 0), (two, 1)):
        assert heard[-1].end.cause == pb.STREAM_END_CAUSE_FINISHED
        assert heard[-1].end.match.status == match_pb2.MATCH_STATUS_FINISHED
        prompts = [h.prompt for h in heard if h.HasField("prompt")]
        assert {p.decision.seat for p in prompts} == {seat}
        assert all(p.decision.options for p in prompts)
        revisions = [h.revision for h in heard]
        assert revisions == sorted(revisions)


async def test_bots_on_different_servers_play_one_match():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await one.table(2, 2)
        elsewhere = Table(two, table.id, table.secrets, "")
        first, second = await asyncio.gather(Bot(table, 0).play(), Bot(elsewhere, 1).play())
        assert first[-1].end.match == second[-1].end.match


async def test_a_prompt_brings_the_view_and_the_news(server: LocalServer):
    table = await server.table(2, 2)
    bot = Bot(table, 0, with_view=True, with_events=True)
    heard = await bot.begin() if (await pending(table)).seat == 0 else None
    if heard is None:
        await bot.stream.write(pb.PlayRequest(enter=bot.enter))
        while (await pending(table)).seat != 0:
            await table.step()
        heard = await bot.hear()
    seen: list[table_pb2.Event] = list(heard.prompt.events)
    for _ in range(8):
        got = await table.get(0, with_view=True)
        assert heard.prompt.view == got.view
        assert heard.prompt.decision in list(got.decisions)
        asked_at = heard.revision
        await bot.say(heard.prompt.decision.id, answers=await table.whole())
        await until(lambda asked_at=asked_at: known(server, table.id).revision > asked_at)  # type: ignore[misc]
        while (await pending(table)).seat != 0:
            await table.step()
        heard = await bot.hear()
        seen += heard.prompt.events
    revision = (await table.get(0)).match.revision
    everything = []
    for at in range(1, revision + 1):
        request = pb.GetMatchViewRequest(match_id=table.id, revision=at)
        past = await server.match.GetMatchView(request, metadata=bearer(table.secrets[0]))
        everything += past.events
    assert seen == everything[len(everything) - len(seen) :]
    assert seen


async def pending(table: Table) -> table_pb2.Decision:
    return (await table.get(None)).decisions[0]


async def test_a_refused_answer_leaves_the_prompt_pending(server: LocalServer):
    table = await server.table(1, 1)
    bot = Bot(table)
    decision_id = (await bot.begin()).prompt.decision.id
    await bot.say(decision_id, 255)
    rejection = (await bot.hear()).rejection
    assert rejection.reason == "NO_SUCH_OPTION"
    assert rejection.metadata["option"] == "255"
    await bot.say(decision_id, answers=[pb.DecisionAnswer()])
    assert (await bot.hear()).rejection.reason == "MALFORMED"
    command = table_pb2.Command()
    command.yggdrasil.asgard.enemy = NOBODY
    await bot.say(decision_id, answers=[pb.DecisionAnswer(command=command)])
    refused_ = (await bot.hear()).rejection
    assert (refused_.reason, refused_.decision_id) == ("ILLEGAL_COMMAND", decision_id)
    assert refused_.refusal.code
    await bot.say("nothing")
    assert (await bot.hear()).rejection.reason == "STALE_DECISION"
    await bot.say(decision_id, 0)
    assert (await bot.hear()).HasField("prompt")


async def test_a_list_of_answers_that_stops_says_why(server: LocalServer):
    table = await server.table(1, 1)
    bot = Bot(table)
    decision_id = (await bot.begin()).prompt.decision.id
    await bot.say(decision_id, answers=[pb.DecisionAnswer(option=0), pb.DecisionAnswer(option=255)])
    heard = await bot.hear()
    assert heard.rejection.reason == "ILLEGAL_COMMAND"
    assert heard.rejection.metadata["index"] == "1"
    assert heard.revision == 1
    assert (await bot.hear()).HasField("prompt")


async def test_an_answer_repeated_after_a_lost_stream_has_one_effect(server: LocalServer):
    table = await server.table(1, 1)
    bot = Bot(table)
    decision_id = (await bot.begin()).prompt.decision.id
    await bot.say(decision_id)
    await bot.hear()
    bot.stream.cancel()
    again = Bot(table)
    prompted = await again.begin()
    assert prompted.prompt.decision.id != decision_id
    await again.say(decision_id)
    assert (await again.hear()).prompt.decision == prompted.prompt.decision
    await again.say(prompted.prompt.decision.id)
    heard = await again.hear()
    assert (heard.HasField("prompt"), heard.revision) == (True, 2)


async def test_a_bot_hears_when_another_has_decided_for_it(server: LocalServer):
    table = await server.table(1, 1)
    bot = Bot(table)
    first = await bot.begin()
    await table.step()
    second = await bot.hear()
    assert second.prompt.decision.id != first.prompt.decision.id
    await bot.say(first.prompt.decision.id)
    assert (await bot.hear()).rejection.reason == "STALE_DECISION"
    await server.match.ResignSeat(
        pb.ResignSeatRequest(match_id=table.id, request_id="x"), metadata=bearer(table.secrets[0])
    )
    assert (await bot.hear()).end.cause == pb.STREAM_END_CAUSE_FINISHED


async def test_silence_is_broken_by_heartbeats():
    async with open_server(limits=limits(heartbeat_seconds=0.1)) as server:
        table = await server.table(1, 1)
        bot = Bot(table)
        await bot.begin()
        assert (await bot.hear()).HasField("heartbeat")
        assert (await bot.hear()).HasField("heartbeat")


async def test_a_second_stream_of_the_same_seats_takes_over(server: LocalServer):
    table = await server.table(1, 1)
    first = Bot(table)
    prompted = await first.begin()
    second = Bot(table)
    assert (await second.begin()).prompt == prompted.prompt
    assert (await first.hear()).end.cause == pb.STREAM_END_CAUSE_REPLACED


async def test_a_draining_server_ends_the_stream(server: LocalServer):
    table = await server.table(1, 1)
    bot = Bot(table)
    await bot.begin()
    drained = asyncio.create_task(server.rpc.drain(0, 30))
    assert (await bot.hear()).end.cause == pb.STREAM_END_CAUSE_DRAINING
    await drained


async def test_a_bot_may_enter_before_the_start(server: LocalServer):
    request = pb.CreateMatchRequest()
    request.setup.game, request.setup.seats = "yggdrasil", 1
    created = await server.match.CreateMatch(request)
    match_id = created.match.id
    joined = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Bot"))
    bot = Bot(Table(server, match_id, [joined.seat_secret], ""))
    assert (await bot.begin()).HasField("heartbeat")
    await server.match.StartMatch(
        pb.StartMatchRequest(match_id=match_id), metadata=bearer(created.creator_secret)
    )
    assert (await bot.hear()).HasField("prompt")


@pytest.mark.parametrize("first", ["answer", "", "twice"])
async def test_a_stream_that_begins_wrongly_is_refused(server: LocalServer, first: str):
    table = await server.table(1, 1)
    enter = pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id))
    answer = pb.PlayRequest(answer=pb.PlayAnswer(decision_id="x"))
    requests = {"answer": [answer], "": [], "twice": [enter, enter]}[first]

    def play() -> Any:
        return server.match.Play(metadata=bearer(table.secrets[0]))

    refusal = await refused(answer_of(play, *requests, last=True))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")


async def test_a_stream_that_nobody_enters_ends():
    async with open_server(limits=Limits(enter_seconds=0.1)) as server:
        play = server.match.Play()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await play.read()
        refusal = Refusal(caught.value)
        assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "enter")
