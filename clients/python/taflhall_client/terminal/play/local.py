"""A match in process on the screen: the engine and the bots run in a thread of their own."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from taflhall_client import bots
from taflhall_client.bot import Abandon, Bot, Decision, Resign, TakeBack, UnknownOption
from taflhall_client.local import FinishedMatch, LocalMatch
from taflhall_client.results import PastView, Proposal, Reaction
from taflhall_client.terminal.play.hosted import write
from taflhall_client.terminal.play.session import Choice, Impossible, Report, TableInfo
from taflhall_client.terminal.words import words
from taflhall_client.threads import in_daemon_thread
from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import SPECTATOR, Command, Event, Refusal, refusal
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View


class _Left(BaseException):
    """The player has left: the thread of the match ends."""


class LocalSession:
    """A match in process: the *seats* are played from the screen, the others by *bots*."""

    def __init__(
        self,
        match: LocalMatch,
        names: Sequence[str],
        seats: Sequence[int],
        bots: Sequence[Bot | None],
        language: str,
    ) -> None:
        self.game: Final[Game] = match.game
        self.seats: Final = seats
        self.shared: Final = len(seats) > 1 and not match.game.cooperative
        self.wishes: Final = frozenset({"undo", "abandon", "resign", "bot", "save"})
        self.finished: FinishedMatch | None = None
        self._match: Final = match
        self._names: Final = list(names)
        self._language: Final = language
        self._bots: Final = bots
        self._viewer: Final = seats[0] if len(seats) == 1 else SPECTATOR
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reports: Final[asyncio.Queue[Report | None]] = asyncio.Queue()
        self._answers: Final[queue.Queue[Choice | BaseException]] = queue.Queue()
        self._asked: Decision | None = None
        self._given = ""
        """The request id of the latest answer."""
        self._answers_begun = 0
        self._steps = 0
        """How many decisions have been asked."""
        self._decision_id = ""
        self._deputy: Bot | None = None
        self._undone: asyncio.Future[bool] | None = None
        self._left = False

    async def reports(self) -> AsyncIterator[Report]:
        """Yield what happens until the match is over."""
        self._loop = asyncio.get_running_loop()
        info = TableInfo(self._names)
        yield Report(len(self._match.moves), view=self._match.view(self._viewer), info=info)
        playing = asyncio.create_task(in_daemon_thread(self._play))
        playing.add_done_callback(lambda _: self._reports.put_nowait(None))
        try:
            while (report := await self._reports.get()) is not None:
                yield report
            self.finished = finished = playing.result()
            if finished is None:
                return
            over = TableInfo(self._names, finished.result, over=True)
            view = self._match.view(self._viewer)
            yield Report(len(self._match.moves), decisions=[], view=view, info=over)
        finally:
            self.leave()

    # ---------------------------------------------------------------- in the match's thread

    def _play(self) -> FinishedMatch | None:
        """Play to the end; return ``None`` if the player leaves before."""
        chairs = [_Chair(self._ask, bot) for bot in self._bots]
        try:
            return self._match.play(chairs, listen=self._listen)
        except _Left:
            return None

    def _listen(self, events: list[Event]) -> None:
        self._settle_undo(True)
        seen = [event.seen_by(self._viewer) for event in events]
        known = [event for event in seen if event is not None]
        self._send(Report(len(self._match.moves), known, [], self._match.view(self._viewer)))

    def _ask(self, view: View, decision: Decision, bot: Bot | None) -> Command[Any]:
        """Let the bot, or the player on the screen, answer a decision."""
        if self._left:
            raise _Left
        self._settle_undo(True)
        bot = bot or self._deputy
        revision = len(self._match.moves)
        if bot is not None:
            hidden: Decision = Decision(decision.seat, decision.step, [], decision.rule)
            self._send(Report(revision, decisions=[hidden]))
            return bot.choose(view, decision)
        self._steps += 1
        asked = replace(decision, decision_id=self._id(decision))
        self._asked = asked
        self._send(Report(revision, decisions=[asked], view=view))
        answer = self._answers.get()
        self._asked = None
        if isinstance(answer, _Deputy):
            self._deputy = answer.bot
            return answer.bot.choose(view, decision)
        if isinstance(answer, BaseException):
            raise answer
        assert not isinstance(answer, UnknownOption)
        return answer

    def _id(self, decision: Decision) -> str:
        """Return an id; those of the further steps of an answer begin with that of the first."""
        if decision.step is None or not decision.step.continues_answer:
            self._answers_begun += 1
            self._decision_id = str(self._answers_begun)
            return self._decision_id
        return f"{self._decision_id}.{self._steps}"

    def _settle_undo(self, done: bool) -> None:
        """Give :meth:`undo` the outcome, if it waits for it."""
        undone, self._undone = self._undone, None
        if undone is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(undone.set_result, done)

    def _send(self, report: Report) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._reports.put_nowait, report)

    # ---------------------------------------------------------------- in the event loop

    async def answer(self, decision: Decision, choice: Choice, request_id: str) -> None:
        """Hand the answer to the match's thread."""
        if request_id == self._given:
            return
        if self._asked is None or self._asked.decision_id != decision.decision_id:
            raise Impossible(words("stale", self._language))
        self._given = request_id
        self._answers.put(choice)

    async def explain(
        self, view: View, decision: Decision, command: Command[Any]
    ) -> Refusal | None:
        """Judge *command* on an imagined table that agrees with *view*."""
        return refusal(self.game.imagine(view, FastChance(0)), decision.seat, command)

    async def past(self, revision: int) -> PastView:
        """Replay the match up to *revision*."""
        seat = self.seats[0] if self.seats else SPECTATOR
        return await asyncio.to_thread(self._match.past, revision, seat)

    async def resign(self, seat: int) -> None:
        """Resign the seat that is asked."""
        self._instead(Resign())

    async def undo(self, seat: int) -> bool:
        """Take back the latest answer of *seat*, if nothing has come to light since."""
        loop = asyncio.get_running_loop()
        self._undone = undone = loop.create_future()
        self._instead(TakeBack(lambda: self._settle_undo(False)))
        if not await undone:
            raise Impossible(words("nothing_to_undo", self._language))
        return False

    async def again(self, decision: Decision) -> None:
        """Drop the steps that were given: to take back within an answer does just that."""
        self._instead(TakeBack(lambda: None))

    async def abandon(self, seat: int) -> bool:
        """End the match without a winner."""
        self._instead(Abandon())
        return False

    async def respond(self, agree: bool, proposal: Proposal) -> None:
        """Nothing is ever proposed here."""

    async def react(self, reaction: Reaction) -> None:
        """Nobody else looks."""

    async def let_bot_play(self, seat: int, name: str) -> None:
        """Let a bot answer for the screen's seats until :meth:`take_back`."""
        try:
            bot = bots.load(name, self.game) if name else bots.best(self.game)
        except bots.UnknownBot as error:
            raise Impossible(str(error)) from None
        self._instead(_Deputy(bot))

    async def take_back(self) -> None:
        """Answer ourselves again from the next decision on."""
        self._deputy = None

    async def save(self, name: str) -> Path:
        """Write the match, or its record once it is over."""
        if self.finished is not None:
            data = self.finished.record(self._names)
        else:
            data = self._match.save(self._names)
        return write(name or f"{self.game.id}.json", record.text(data))

    def leave(self) -> None:
        """End the match's thread at its next decision."""
        self._left = True
        self._answers.put(_Left())

    def _instead(self, wish: BaseException) -> None:
        """Give *wish* in place of an answer; it is possible while we are asked."""
        if self._asked is None:
            raise Impossible(words("not_asked", self._language))
        self._answers.put(wish)


class _Deputy(BaseException):
    def __init__(self, bot: Bot) -> None:
        super().__init__()
        self.bot: Final = bot


class _Chair:
    """A seat of a match in process, of a bot or of the screen."""

    def __init__(
        self, ask: Callable[[View, Decision, Bot | None], Command[Any]], bot: Bot | None
    ) -> None:
        self._ask = ask
        self._bot = bot

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the answer of the bot, or of the player on the screen."""
        return self._ask(view, decision, self._bot)
