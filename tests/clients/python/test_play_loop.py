"""A bot at a hosted table: its answers, and the handling of its failures."""

import asyncio
import logging
import threading

import grpc
import pytest

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.bot_calls import failure_text
from taflhall_client.bots.random import Random
from taflhall_engine.kernel import notation
from tests.clients.python.scripted import GAME, RESIGNED, UNAVAILABLE, over, prompt, refused
from tests.waiting import block


class Thinks(Random):
    def choose(self, view, decision):
        block(0.5)
        return super().choose(view, decision)


class Hangs:
    """A bot that never answers."""

    def choose(self, view, decision):
        threading.Event().wait()


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


async def test_an_answer_that_the_rules_refuse_raises_illegal_command(serve):
    _, match = await serve([prompt(), ..., refused("ILLEGAL_COMMAND")])
    with pytest.raises(errors.IllegalCommand):
        await match.play(Random(GAME))


async def test_a_replaced_player_stops(serve):
    _, match = await serve([over(rpc.STREAM_END_CAUSE_REPLACED)])
    with pytest.raises(errors.Replaced):
        await match.play(Random(GAME))


@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_player_replaced_while_it_thinks_does_not_come_back(serve, in_thread):
    scripted, match = await serve([prompt(), over(rpc.STREAM_END_CAUSE_REPLACED)], [over()])
    with pytest.raises(errors.Replaced):
        await match.play(Thinks(GAME), in_thread=in_thread)
    assert len(scripted.heard) == 1


async def test_a_failing_bot_raises_resigns_or_is_answered_for(serve):
    _, match = await serve([prompt()])
    with pytest.raises(errors.BotFailed, match="ZeroDivisionError"):
        await match.play(Crashes())
    scripted, match = await serve([prompt(), RESIGNED, over()])
    await match.play(Crashes(), on_failure="resign")
    assert any(isinstance(heard, rpc.ResignSeatRequest) for heard in scripted.heard)
    scripted, match = await serve([prompt(), ..., over()])
    await match.play(Crashes(), on_failure="neutral")
    assert len(answers(scripted)) == 1


async def test_a_bot_that_hangs_ends_with_its_match(serve):
    _, match = await serve([prompt(), over()])
    ended = await asyncio.wait_for(match.play(Hangs(), in_thread=True), 30)
    assert ended.finished


async def test_a_late_bot_is_reported_and_asked_the_newest_decision(serve, caplog):
    may_answer = threading.Event()

    class Slow(Random):
        def choose(self, view, decision):
            if decision.decision_id == "d1":
                may_answer.wait()
            return super().choose(view, decision)

    class Releases(logging.Handler):
        def emit(self, record):
            may_answer.set()

    logger = logging.getLogger("taflhall.bot")
    handler = Releases()
    logger.addHandler(handler)
    try:
        scripted, match = await serve([prompt("d1"), prompt("d2"), ..., over()])
        await asyncio.wait_for(match.play(Slow(GAME), in_thread=True), 30)
    finally:
        logger.removeHandler(handler)
    assert [answer.decision_id for answer in answers(scripted)] == ["d2"]
    assert "answers too late: the decision of seat 0 (rule YG-3.2) is over" in caplog.text


async def test_a_bot_whose_time_is_up_is_reported_while_it_thinks(serve, caplog):
    timed = prompt()
    clock = timed.prompt.clocks.seats.add(seat=0)
    clock.deadline.GetCurrentTime()
    _, match = await serve([timed, 1.0, over()])
    await asyncio.wait_for(match.play(Hangs(), in_thread=True), 30)
    assert "is still thinking, but the time of seat 0 (rule YG-3.2) is up" in caplog.text


async def test_a_failure_keeps_traceback_view_and_options_of_its_decision(serve):
    _, match = await serve([prompt()])
    with pytest.raises(errors.BotFailed) as raised:
        await match.play(Crashes())
    failure = raised.value
    assert failure.decision is not None
    assert failure.view is not None
    text = failure_text(failure, GAME)
    assert "raise ZeroDivisionError" in text
    assert "decision d1: " in text
    assert repr(failure.view) in text
    for index, option in enumerate(failure.decision.options):
        assert f"{index:4}  {notation.write(option, GAME.labels)}" in text


# ---------------------------------------------------------------- a newer server


def with_unknown_option(at):
    """A prompt with an option that this client does not know, at index *at*."""
    asked = prompt()
    known = list(asked.prompt.decision.options)
    del asked.prompt.decision.options[:]
    asked.prompt.decision.options.extend([*known[:at], type(known[0])(), *known[at:]])
    return asked, len(known)


class Last(Random):
    def choose(self, view, decision):
        return decision.options[-1]


async def test_an_option_that_the_client_does_not_know_keeps_the_others_indexes(serve):
    asked, known = with_unknown_option(0)
    scripted, match = await serve([asked, ..., over()])
    await match.play(Last(GAME))
    assert answers(scripted)[0].answers[0].option == known


async def test_an_unknown_option_can_be_answered_by_its_index(serve):
    asked, _ = with_unknown_option(1)
    decision = asked.prompt.decision
    scripted, match = await serve(
        rpc.SubmitAnswersResponse(decision=decision), rpc.SubmitAnswersResponse()
    )
    pending = (await match.submit(0, "d0")).decision
    assert [unknown.index for unknown in pending.unknown_options] == [1]
    assert [pending.index(option) for option in pending.options][:2] == [0, 2]
    await match.submit(pending.unknown_options[0])
    assert scripted.heard[-1].answers[0].option == 1


async def test_where_all_options_are_unknown_a_bot_fails_or_takes_the_first(serve):
    asked = prompt()
    options = asked.prompt.decision.options
    for option in options:
        option.Clear()
    _, match = await serve([asked])
    with pytest.raises(errors.BotFailed, match="too old"):
        await match.play(Random(GAME))
    scripted, match = await serve([asked, ..., over()])
    await match.play(Random(GAME), on_failure="neutral")
    assert answers(scripted)[0].answers[0].option == 0


async def test_a_kind_of_decision_that_the_client_does_not_know_can_be_answered(serve):
    asked = prompt()
    asked.prompt.decision.ClearField("yggdrasil")
    scripted, match = await serve([asked, ..., over()])
    await match.play(Random(GAME))
    assert answers(scripted)[0].decision_id == "d1"
