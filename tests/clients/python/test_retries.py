"""Retries and resumption, against a server that does what the test says.

The server speaks the contract over a socket; each call takes the next line of its script.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as rpc
from taflhall.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)
from taflhall_client import async_client, backoff, errors, watch_loop
from taflhall_client.bots.random import Random
from taflhall_client.results import Restart, Status
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Resigned, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_wire.translate import translator

GAME = registry.game("yggdrasil")
WIRE = translator(GAME)
UNAVAILABLE = grpc.StatusCode.UNAVAILABLE


Servicer: Any = MatchServiceServicer


class Scripted(Servicer):  # type: ignore[misc]
    """Answers each call with the next entry of its script, and remembers every request.

    A call for which the script has nothing is refused, so that nobody tries for ever.
    """

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.heard: list[Any] = []
        self.open = 0

    async def GetMatch(self, request, context):
        return rpc.GetMatchResponse(match=info())

    async def SubmitAnswers(self, request, context):
        return await self._next(request, context)

    async def CreateMatch(self, request, context):
        return await self._next(request, context)

    async def ResignSeat(self, request, context):
        self.heard.append(request)
        return rpc.ResignSeatResponse(match=info())

    async def _step(self, context):
        if not self.script:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "the script is over")
        return self.script.pop(0)

    async def _next(self, request, context):
        self.heard.append(request)
        step = await self._step(context)
        if isinstance(step, grpc.StatusCode):
            await context.abort(step, "as the script says")
        if isinstance(step, float):
            await asyncio.sleep(step)
            await context.abort(UNAVAILABLE, "late")
        return step

    async def WatchMatch(self, request, context):
        self.heard.append(request.resume_token)
        self.open += 1
        try:
            for step in await self._step(context):
                if isinstance(step, grpc.StatusCode):
                    await context.abort(step, "as the script says")
                elif isinstance(step, float):
                    await asyncio.sleep(step)
                else:
                    yield step
        finally:
            self.open -= 1

    async def Play(self, requests, context):
        stream = aiter(requests)
        self.heard.append(await anext(stream))
        for step in await self._step(context):
            if isinstance(step, grpc.StatusCode):
                await context.abort(step, "as the script says")
            elif step is Ellipsis:
                self.heard.append(await anext(stream))
            else:
                yield step


def info(status=match_pb2.MATCH_STATUS_PLAYING, **fields):
    setup = WIRE.setup_to(GAME.setup_kind())
    return match_pb2.Match(id="m", game="yggdrasil", setup=setup, status=status, **fields)


def told(revision, seat):
    event = table_pb2.Event(resigned=table_pb2.ResignedEvent(seat=seat))
    return rpc.WatchMatchResponse(
        revision=revision,
        resume_token=f"t{revision}",
        change=rpc.MatchChange(events=[event], status=match_pb2.MATCH_STATUS_PLAYING),
    )


def snapshot(revision, cause=rpc.SNAPSHOT_CAUSE_UNSPECIFIED):
    shot = rpc.MatchSnapshot(match=info(revision=revision), cause=cause)
    return rpc.WatchMatchResponse(revision=revision, resume_token=f"t{revision}", snapshot=shot)


def ended(cause, revision=9):
    end = rpc.StreamEnd(cause=cause, match=info(match_pb2.MATCH_STATUS_FINISHED))
    return rpc.WatchMatchResponse(revision=revision, resume_token="t9", end=end)


FINISHED = ended(rpc.STREAM_END_CAUSE_FINISHED)
HEARTBEAT = rpc.WatchMatchResponse(revision=1, resume_token="t1", heartbeat=rpc.StreamHeartbeat())

Serve = Callable[..., Any]


@pytest.fixture
async def serve(monkeypatch):
    """Start a scripted server; return it and a match of it, as seat 0's owner sees it."""
    monkeypatch.setattr(backoff, "FIRST", 0.01)
    monkeypatch.setattr(backoff, "LONGEST", 0.02)
    running = []

    async def start(*script):
        server = grpc.aio.server()
        scripted = Scripted(*script)
        add_MatchServiceServicer_to_server(scripted, server)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        client = async_client.Client(f"127.0.0.1:{port}", deadline=30.0)
        running.append((client, server))
        return scripted, client.match("m", "secret")

    yield start
    for client, server in running:
        await client.close()
        await server.stop(0)


async def collect(match, **how):
    return [update async for update in match.watch(view=False, **how)]


# ---------------------------------------------------------------- single calls


async def test_an_unknown_outcome_is_repeated_with_the_same_request(serve):
    reply = rpc.SubmitAnswersResponse(revision=3, applied=1, replayed=True)
    codes = [
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNKNOWN,
    ]
    scripted, match = await serve(*codes, reply)
    submitted = await match.decide(0, "d1")
    assert (submitted.revision, submitted.replayed) == (3, True)
    assert len(scripted.heard) == 5
    assert all(request == scripted.heard[0] for request in scripted.heard)
    assert scripted.heard[0].request_id
    assert scripted.heard[0].decision_id == "d1"


async def test_grpc_itself_repeats_what_was_unavailable(serve):
    scripted, match = await serve(
        UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, rpc.SubmitAnswersResponse()
    )
    await match.decide(0, "d1")
    assert len({request.request_id for request in scripted.heard}) == 1
    assert len(scripted.heard) == 4


async def test_every_request_has_an_id_of_its_own(serve):
    scripted, match = await serve(rpc.SubmitAnswersResponse(), rpc.SubmitAnswersResponse())
    await match.decide(0, "d1")
    await match.decide(0, "d2")
    assert len({request.request_id for request in scripted.heard}) == 2


async def test_a_definite_refusal_is_not_repeated(serve):
    scripted, match = await serve(grpc.StatusCode.FAILED_PRECONDITION)
    with pytest.raises(errors.Rejected):
        await match.decide(0, "d1")
    assert len(scripted.heard) == 1


async def test_a_server_that_keeps_failing_is_given_up(serve):
    scripted, match = await serve(*[grpc.StatusCode.INTERNAL] * 20)
    with pytest.raises(errors.Unreachable, match="as the script says"):
        await match.decide(0, "d1")
    assert len(scripted.heard) == async_client.FAULTS + 1


async def test_the_deadline_holds_for_all_repetitions_together(serve):
    _, match = await serve(*[0.1] * 999)
    await match.decoder()
    match.transport.deadline = 1.0
    begin = asyncio.get_running_loop().time()
    with pytest.raises(errors.Uncertain):
        await match.decide(0, "d1")
    assert asyncio.get_running_loop().time() - begin < 20.0, "the script lasts 100 seconds"


async def test_nobody_listening_is_unreachable():
    async with async_client.Client("127.0.0.1:1", deadline=0.5) as client:
        with pytest.raises(errors.Uncertain):
            await client.games()


# ---------------------------------------------------------------- watching


async def test_a_watch_goes_on_from_its_last_token(serve):
    scripted, match = await serve(
        [snapshot(0), told(1, 0), UNAVAILABLE],
        [grpc.StatusCode.CANCELLED],
        [told(2, 1), HEARTBEAT, ended(rpc.STREAM_END_CAUSE_DRAINING, 2)],
        [told(3, 0), ended(rpc.STREAM_END_CAUSE_SLOW_CONSUMER, 3)],
        [told(4, 1)],
        [told(5, 1), FINISHED],
    )
    updates = await collect(match)
    assert [u.revision for u in updates] == [0, 1, 2, 3, 4, 5, 9]
    assert scripted.heard == ["", "t1", "t1", "t9", "t9", "t4"]
    assert updates[0].restart is Restart.BEGIN
    assert updates[1].events == [Resigned("", 0)]
    assert updates[-1].status is Status.FINISHED
    assert updates[-1].match is not None


async def test_a_rewound_history_begins_anew(serve):
    _, match = await serve(
        [snapshot(5), UNAVAILABLE],
        [snapshot(3, rpc.SNAPSHOT_CAUSE_HISTORY_REWOUND), FINISHED],
    )
    updates = await collect(match)
    assert updates[1].restart is Restart.HISTORY_REWOUND
    assert updates[1].revision == 3


async def test_a_watch_may_begin_at_a_token(serve):
    scripted, match = await serve([FINISHED])
    await collect(match, resume_token="t7")
    assert scripted.heard == ["t7"]


async def test_a_watch_that_is_refused_ends(serve):
    _, match = await serve([grpc.StatusCode.NOT_FOUND])
    with pytest.raises(errors.Rejected):
        await collect(match)


async def test_a_watch_gives_up_after_its_patience(serve):
    scripted, match = await serve(*[[UNAVAILABLE]] * 1000)
    with pytest.raises(errors.Unreachable, match="as the script says"):
        await collect(match, patience=1.5)
    assert len(scripted.heard) > 2


async def test_a_stream_that_falls_silent_is_opened_again(serve, monkeypatch):
    """Only the first stream counts as lost, whatever the machine has to do while it is read."""
    lost = []
    wait = watch_loop.Patience.wait

    async def patient_from_now_on(self, failure):
        lost.append(str(failure))
        monkeypatch.setattr(watch_loop, "SILENCE", 60.0)
        await wait(self, failure)

    monkeypatch.setattr(watch_loop.Patience, "wait", patient_from_now_on)
    scripted, match = await serve([snapshot(0), 300.0], [told(1, 0), FINISHED])
    watch = match.watch(view=False)
    updates = [await anext(watch)]
    monkeypatch.setattr(watch_loop, "SILENCE", 0.2)
    updates += [update async for update in watch]
    assert [u.revision for u in updates] == [0, 1, 9]
    assert scripted.heard == ["", "t0"]
    assert lost == ["the stream fell silent"]


async def test_an_abandoned_watch_is_cancelled(serve):
    scripted, match = await serve([snapshot(0), 30.0])
    updates = match.watch(view=False)
    await anext(updates)
    assert scripted.open == 1
    await updates.aclose()
    for _ in range(1000):
        await asyncio.sleep(0.01)
        if scripted.open == 0:
            break
    assert scripted.open == 0


async def test_events_of_a_newer_server_are_passed_over(serve):
    newer = told(1, 0)
    newer.change.events.insert(0, table_pb2.Event())
    _, match = await serve([newer, FINISHED])
    updates = await collect(match)
    assert updates[0].events == [Resigned("", 0)]


def test_pauses_grow_with_full_jitter_up_to_five_seconds():
    pauses = backoff.Backoff()
    found = [pauses.pause() for _ in range(200)]
    assert all(0.2 <= pause <= 5.0 for pause in found)
    assert max(found) > 3.0
    assert max(found[:1]) <= 0.4
    pauses.reset()
    assert pauses.pause() <= 0.4


# ---------------------------------------------------------------- playing


def prompt(decision_id="d1"):
    s = GAME.new(GAME.setup_kind(), FastChance(2))
    step = waiting(s)
    assert step is not None
    return rpc.PlayResponse(
        prompt=rpc.PlayPrompt(
            decision=WIRE.decision_to(step, 0, decision_id, options(s, 0)),
            view=WIRE.view_to(GAME.view(s, 0)),
        )
    )


def refused(reason, decision_id="d1"):
    return rpc.PlayResponse(rejection=rpc.PlayRejection(reason=reason, decision_id=decision_id))


def over(cause=rpc.STREAM_END_CAUSE_FINISHED):
    end = rpc.StreamEnd(cause=cause, match=info(match_pb2.MATCH_STATUS_FINISHED))
    return rpc.PlayResponse(end=end)


class Thinks(Random):
    def choose(self, view, decision):
        time.sleep(0.5)
        return super().choose(view, decision)


class Crashes:
    def choose(self, view, decision):
        raise ZeroDivisionError


def answers(scripted):
    heard = [request for request in scripted.heard if isinstance(request, rpc.PlayRequest)]
    return [request.answer for request in heard if request.HasField("answer")]


async def test_a_bot_answers_prompts_until_the_end(serve):
    scripted, match = await serve([prompt("d1"), ..., prompt("d2"), ..., over()])
    ended = await match.play(Random(GAME))
    assert ended.finished
    assert scripted.heard[0].enter.match_id == "m"
    assert [answer.decision_id for answer in answers(scripted)] == ["d1", "d2"]
    assert all(answer.answers[0].HasField("option") for answer in answers(scripted))


async def test_a_bot_comes_back_after_a_lost_stream(serve):
    scripted, match = await serve(
        [prompt("d1"), ..., UNAVAILABLE],
        [grpc.StatusCode.CANCELLED],
        [over(rpc.STREAM_END_CAUSE_DRAINING)],
        [prompt("d2"), ..., over()],
    )
    await match.play(Random(GAME), in_thread=True)
    assert [answer.decision_id for answer in answers(scripted)] == ["d1", "d2"]


@pytest.mark.parametrize("reason", ["STALE_DECISION", "REQUEST_ID_REUSED", "MATCH_OVER"])
async def test_an_answer_that_came_late_is_no_failure(serve, reason):
    scripted, match = await serve([prompt("d1"), ..., refused(reason), prompt("d2"), ..., over()])
    await match.play(Random(GAME))
    assert len(answers(scripted)) == 2


async def test_an_answer_whose_outcome_is_unknown_is_repeated(serve):
    scripted, match = await serve([prompt(), ..., refused("BUSY"), ..., over()])
    await match.play(Random(GAME))
    first, second = answers(scripted)
    assert first == second


async def test_an_answer_that_the_rules_refuse_is_told(serve):
    _, match = await serve([prompt(), ..., refused("ILLEGAL_COMMAND")])
    with pytest.raises(errors.IllegalCommand):
        await match.play(Random(GAME))


async def test_whoever_is_replaced_stops(serve):
    _, match = await serve([over(rpc.STREAM_END_CAUSE_REPLACED)])
    with pytest.raises(errors.Replaced):
        await match.play(Random(GAME))


@pytest.mark.parametrize("in_thread", [True, False])
async def test_whoever_is_replaced_while_it_thinks_does_not_come_back(serve, in_thread):
    scripted, match = await serve([prompt(), over(rpc.STREAM_END_CAUSE_REPLACED)], [over()])
    with pytest.raises(errors.Replaced):
        await match.play(Thinks(GAME), in_thread=in_thread)
    assert len(scripted.heard) == 1


async def test_a_failing_bot_raises_resigns_or_is_answered_for(serve):
    _, match = await serve([prompt()])
    with pytest.raises(errors.BotFailed, match="ZeroDivisionError"):
        await match.play(Crashes())
    scripted, match = await serve([prompt(), over()])
    await match.play(Crashes(), on_failure="resign")
    assert any(isinstance(heard, rpc.ResignSeatRequest) for heard in scripted.heard)
    scripted, match = await serve([prompt(), ..., over()])
    await match.play(Crashes(), on_failure="neutral")
    assert len(answers(scripted)) == 1
