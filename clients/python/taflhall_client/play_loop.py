"""A bot at a hosted table: the loop behind :meth:`taflhall_client.async_client.Match.play`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors, watch_loop
from taflhall_client.bot import Bot
from taflhall_client.bot_calls import OnFailure, Proposals, ask, neutral, report
from taflhall_client.channel import Transport
from taflhall_client.messages import MessageDecoder
from taflhall_client.results import MatchInfo
from taflhall_client.watch_loop import OVER, Patience

_SETTLED: Final = (errors.StaleDecision, errors.MatchOver, errors.RequestIdReused)
"""What is said to an answer that came late: the decision has been answered already."""

_POLICIES: Final = {
    "leave": rpc.PROPOSAL_POLICY_UNSPECIFIED,
    "agree": rpc.PROPOSAL_POLICY_AGREE,
    "refuse": rpc.PROPOSAL_POLICY_REFUSE,
}


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of a match that the bot plays."""

    match_id: str
    secret: str | None
    resign: Callable[[int], Awaitable[MatchInfo]]
    """Resign a seat."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a bot is run; see :meth:`taflhall_client.match.Match.play`."""

    on_failure: OnFailure
    in_thread: bool
    patience: float
    proposals: Proposals


async def play(
    transport: Transport, decoder: MessageDecoder, seats: Seats, bot: Bot, how: Behaviour
) -> MatchInfo:
    """Answer every prompt with *bot* until the match is over; open lost streams again."""
    policy = _POLICIES[how.proposals]
    enter = rpc.PlayEnter(match_id=seats.match_id, with_view=True, proposals=policy)
    player = _Player(decoder, seats, bot, how)
    waiting = Patience(how.patience)
    while True:
        failure: errors.TaflhallError = errors.Unreachable("the stream ended")
        call = transport.open(transport.match_stub.Play, secret=seats.secret)
        stream = _Stream(call)
        try:
            await stream.say(enter=enter)
            while True:
                message = await stream.hear()
                if message is grpc.aio.EOF:
                    break
                waiting.heard()
                if message.WhichOneof("response") == "end":
                    if message.end.cause in OVER:
                        return decoder.match(message.end.match)
                    if message.end.cause == rpc.STREAM_END_CAUSE_REPLACED:
                        raise errors.Replaced("somebody else plays this seat now")
                    failure = errors.Draining("the server closed the stream")
                    break
                reply = await player.reply(message)
                if reply is not None:
                    await stream.say(answer=reply)
        except grpc.aio.AioRpcError as error:
            failure = await transport.failure(error)
        except TimeoutError:
            failure = errors.Unreachable("the stream fell silent")
        finally:
            call.cancel()
            await stream.leave()
        await waiting.wait(failure)


class _Stream:
    """A stream that is read one message ahead.

    What the server says last, such as that another plays the seat now, is lost to whoever reads
    only after the stream has ended; and it may end while the bot thinks.
    """

    def __init__(self, call: Any) -> None:
        self._call = call
        self._next: asyncio.Task[Any] = asyncio.create_task(call.read())

    async def say(self, **what: Any) -> None:
        """Send a request; if the stream has ended, what comes next says why."""
        with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await self._call.write(rpc.PlayRequest(**what))

    async def hear(self) -> Any:
        """Return the next message; raise ``TimeoutError`` if the stream fell silent."""
        async with asyncio.timeout(watch_loop.SILENCE):
            message = await self._next
        if message is not grpc.aio.EOF:
            self._next = asyncio.create_task(self._call.read())
            await asyncio.sleep(0)  # so that it begins, though the bot may block
        return message

    async def leave(self) -> None:
        self._next.cancel()
        await asyncio.gather(self._next, return_exceptions=True)


class _Player:
    def __init__(self, decoder: MessageDecoder, seats: Seats, bot: Bot, how: Behaviour) -> None:
        self._decoder = decoder
        self._seats = seats
        self._bot = bot
        self._how = how
        self._last: rpc.PlayAnswer | None = None

    async def reply(self, message: rpc.PlayResponse) -> rpc.PlayAnswer | None:
        """Return what to say to *message*; ``None`` if there is nothing to say."""
        kind = message.WhichOneof("response")
        if kind == "prompt":
            self._last = await self._answer(message.prompt)
            return self._last
        if kind == "rejection":
            return await self._again(message.rejection)
        return None

    async def _answer(self, prompt: rpc.PlayPrompt) -> rpc.PlayAnswer | None:
        decision = self._decoder.prompt(prompt)
        view = self._decoder.view(prompt)
        assert view is not None
        try:
            if self._how.in_thread:
                choice = await asyncio.to_thread(ask, self._bot, view, decision)
            else:
                choice = ask(self._bot, view, decision)
        except errors.BotFailed as failure:
            if self._how.on_failure == "raise":
                raise
            if self._how.on_failure == "resign":
                report(failure, f"seat {decision.seat} resigns")
                choice = None
            else:
                report(failure, f"seat {decision.seat} gets a neutral answer")
                choice = neutral(self._decoder.game, view, decision)
        if choice is None:
            await self._seats.resign(decision.seat)
            return None
        option = rpc.DecisionAnswer(option=decision.options.index(choice))
        return rpc.PlayAnswer(decision_id=decision.decision_id, answers=[option])

    async def _again(self, refused: rpc.PlayRejection) -> rpc.PlayAnswer | None:
        failure = errors.from_rejection(refused)
        last = self._last
        if last is None or last.decision_id != refused.decision_id:
            return None
        if isinstance(failure, errors.Uncertain):
            await asyncio.sleep(0.2)
            return last
        if isinstance(failure, _SETTLED):
            return None
        raise failure
