"""A bot at a hosted table: the loop behind :meth:`taflhall_client.async_client.Match.play`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import grpc

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.bot import Bot, Decision
from taflhall_client.bot_calls import OnFailure, Proposals, ask, bot_name, log, neutral, report
from taflhall_client.channel import Transport
from taflhall_client.error_decoding import from_rejection
from taflhall_client.messages import MessageDecoder
from taflhall_client.results import MatchInfo
from taflhall_client.resuming import Patience
from taflhall_client.threads import in_daemon_thread
from taflhall_client.watch_loop import OVER
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import View

_SETTLED: Final = (errors.StaleDecision, errors.MatchOver, errors.RequestIdReused)
"""Refusals of an answer that came late: the decision was answered already."""

POLICIES: Final = {
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
    think_seconds: float | None = None
    """How long the bot may think about a decision before it has failed; ``None``: any time."""
    remake: Callable[[], Bot] | None = None
    """Makes a new bot after a failure, which is asked once more."""
    events: bool = False
    """Whether decisions come with what has happened since the one before."""


async def play(
    transport: Transport, decoder: MessageDecoder, seats: Seats, bot: Bot, how: Behaviour
) -> MatchInfo:
    """Answer every prompt with *bot* until the match is over; open lost streams again.

    The stream is read while the bot thinks: a bot that never answers ends with its match.
    """
    policy = POLICIES[how.proposals]
    enter = rpc.PlayEnter(
        match_id=seats.match_id, with_view=True, with_events=how.events, proposals=policy
    )
    player = Player(decoder, seats, bot, how)
    waiting = Patience(how.patience, transport)
    try:
        while True:
            call = transport.open(transport.match_stub.Play, secret=seats.secret)
            stream = _Stream(call, transport)
            enter.resume_token = player.handled
            try:
                end = await _converse(stream, enter, player, waiting)
            finally:
                await stream.leave()
            if isinstance(end, match_pb2.Match):
                return decoder.match(end)
            if isinstance(end, grpc.aio.AioRpcError):
                end = await transport.failure(end)
            else:
                end = await transport.explained(end)
            await waiting.wait(end)
    finally:
        player.stop()


async def _converse(
    stream: _Stream, enter: rpc.PlayEnter, player: Player, waiting: Patience
) -> match_pb2.Match | errors.TaflhallError | grpc.aio.AioRpcError:
    """Answer the prompts of one stream; return the finished match, or why the stream ended."""
    await stream.send(enter=enter)
    try:
        while True:
            message = await stream.receive(player.thinking)
            if message is None:
                await stream.send(answer=await player.answer())
                continue
            if message is grpc.aio.EOF:
                return errors.Unreachable("the stream ended")
            waiting.heard()
            if message.WhichOneof("response") == "end":
                if message.end.cause in OVER:
                    return message.end.match  # type: ignore[no-any-return]
                if message.end.cause == rpc.STREAM_END_CAUSE_REPLACED:
                    raise errors.Replaced("another caller plays this seat now")
                return errors.Draining("the server closed the stream")
            await stream.send(answer=await player.reply(message))
    except grpc.aio.AioRpcError as error:
        return error
    except TimeoutError:
        return errors.Unreachable("the stream fell silent")


class _Stream:
    """A play stream that is always being read, also while the bot thinks."""

    def __init__(self, call: Any, transport: Transport) -> None:
        self._call = call
        self._transport = transport
        self._next: asyncio.Task[Any] = asyncio.create_task(call.read())

    async def send(self, **request: Any) -> None:
        """Send a request unless it is ``None``; if the stream has ended, reading says why."""
        if None in request.values():
            return
        with contextlib.suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await self._call.write(rpc.PlayRequest(**request))

    async def receive(self, other: asyncio.Future[Any] | None) -> Any:
        """Return the next message, or ``None`` as soon as *other* is done.

        Raise ``TimeoutError`` if the stream fell silent.
        """
        either = {self._next} if other is None else {self._next, other}
        done, _ = await asyncio.wait(
            either, timeout=self._transport.silence, return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            raise TimeoutError
        if self._next not in done:
            return None
        message = self._next.result()
        if message is not grpc.aio.EOF:
            self._next = asyncio.create_task(self._call.read())
            await asyncio.sleep(0)  # it begins to read, even if the bot blocks
        return message

    async def leave(self) -> None:
        """Cancel the stream."""
        self._call.cancel()
        self._next.cancel()
        await asyncio.gather(self._next, return_exceptions=True)


class Player:
    """The bot of the seats: thinks about one decision at a time, the newest that was asked."""

    def __init__(self, decoder: MessageDecoder, seats: Seats, bot: Bot, how: Behaviour) -> None:
        self._decoder = decoder
        self._seats = seats
        self._bot = bot
        self._how = how
        self.handled = ""
        """The resume token of the last prompt that was answered; empty without events."""
        self._last: rpc.PlayAnswer | None = None
        self._token = ""
        """The resume token of the prompt that the bot is answering."""
        self._asked: Decision | None = None
        """The prompt that the bot is answering."""
        self._newer: rpc.PlayPrompt | None = None
        """The prompt that arrived while the bot was answering another."""
        self._alarm: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[rpc.PlayAnswer | None] | None = None
        """Done when the bot has answered; ``None`` while it is not asked."""

    async def reply(self, message: rpc.PlayResponse) -> rpc.PlayAnswer | None:
        """Begin to think about a prompt; return what to say at once to other messages."""
        kind = message.WhichOneof("response")
        if kind == "prompt":
            self._consider(message.prompt)
        elif kind == "rejection":
            return await self._again(message.rejection)
        return None

    async def answer(self) -> rpc.PlayAnswer | None:
        """Return the bot's answer; ``None`` if it resigned or was too late."""
        assert self.thinking is not None
        thinking, self.thinking = self.thinking, None
        newer, self._newer = self._newer, None
        self._silence_alarm()
        if newer is None:
            self._last = await thinking
            self.handled = self._token
            return self._last
        with contextlib.suppress(errors.BotFailed):
            await thinking
        self._consider(newer)
        return None

    def stop(self) -> None:
        """Stop waiting for the bot; its thread may run on for a while."""
        self._silence_alarm()
        if self.thinking is not None:
            self.thinking.cancel()

    def _consider(self, prompt: rpc.PlayPrompt) -> None:
        decision = self._decoder.prompt(prompt)
        if self.thinking is not None and self._asked is not None:
            if self._asked.decision_id != decision.decision_id:
                log.warning(
                    "%s answers too late: the decision of seat %s (rule %s) is over",
                    bot_name(self._bot),
                    self._asked.seat,
                    self._asked.rule,
                )
                self._newer = prompt
            return
        self._asked, self._token = decision, prompt.resume_token
        self._set_alarm(decision)
        self.thinking = asyncio.create_task(self._think(prompt, decision))

    def _set_alarm(self, decision: Decision) -> None:
        if decision.time_left is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(decision.time_left, self._late, decision)

    def _silence_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _late(self, decision: Decision) -> None:
        log.warning(
            "%s is still thinking, but the time of seat %s (rule %s) is up",
            bot_name(self._bot),
            decision.seat,
            decision.rule,
        )

    async def _think(self, prompt: rpc.PlayPrompt, decision: Decision) -> rpc.PlayAnswer | None:
        view = self._decoder.view(prompt)
        assert view is not None
        try:
            choice = await self._choose(view, decision)
            index = -1 if choice is None else decision.index(choice)
        except errors.BotFailed as failure:
            if self._how.on_failure == "raise":
                raise
            if self._how.on_failure == "resign":
                report(failure, f"seat {decision.seat} resigns")
                index = -1
            else:
                report(failure, f"seat {decision.seat} gets a neutral answer")
                index = neutral(self._decoder.game, view, decision)
        if index < 0:
            await self._seats.resign(decision.seat)
            return None
        option = rpc.DecisionAnswer(option=index)
        return rpc.PlayAnswer(decision_id=decision.decision_id, answers=[option])

    async def _choose(self, view: View, decision: Decision) -> Command[Any] | None:
        """Ask the bot, and a new one if it fails and may be replaced."""
        try:
            return await self._ask(view, decision)
        except errors.BotFailed as failure:
            if self._how.remake is None:
                raise
            report(failure, "a new one is asked")
            self._bot = self._how.remake()
            return await self._ask(view, decision)

    async def _ask(self, view: View, decision: Decision) -> Command[Any] | None:
        if not self._how.in_thread:
            return ask(self._bot, view, decision)
        try:
            async with asyncio.timeout(self._how.think_seconds):
                return await in_daemon_thread(ask, self._bot, view, decision)
        except TimeoutError:
            raise errors.BotFailed(
                f"{bot_name(self._bot)} thought for more than {self._how.think_seconds:g} s "
                f"(seat {decision.seat}, rule {decision.rule})",
                view=view,
                decision=decision,
            ) from None

    async def _again(self, refused: rpc.PlayRejection) -> rpc.PlayAnswer | None:
        failure = from_rejection(refused)
        last = self._last
        if last is None or last.decision_id != refused.decision_id:
            return None
        if isinstance(failure, errors.Uncertain):
            await asyncio.sleep(0.2)
            return last
        if isinstance(failure, _SETTLED):
            return None
        raise failure
