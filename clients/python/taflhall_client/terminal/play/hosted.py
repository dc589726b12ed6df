"""A hosted match on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Final

from taflhall_client import bots, errors
from taflhall_client.bot import Decision
from taflhall_client.match import Match
from taflhall_client.printable import literal, names_of
from taflhall_client.results import (
    MatchInfo,
    PastView,
    Proposal,
    Reaction,
    Restart,
    SeatKind,
    Update,
)
from taflhall_client.terminal.play.pace import Pace
from taflhall_client.terminal.play.session import Choice, Impossible, Report, TableInfo
from taflhall_engine.kernel import record
from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.kernel.game import Game, View


class HostedSession:
    """The seats of *match*, or a spectator's place if there are none."""

    def __init__(
        self,
        match: Match,
        game: Game,
        seats: Sequence[int],
        language: str,
        *,
        shared: bool = False,
        pace: Pace | None = None,
    ) -> None:
        self.game: Final = game
        self.seats: Final = seats
        self.shared: Final = shared
        own = {"undo", "abandon", "resign", "bot", "say"} if seats else set()
        self.wishes: Final = frozenset(own | {"save"})
        self._match: Final = match
        self._pace: Final = pace
        self._language: Final = language
        self._reports: Final[asyncio.Queue[Report | Exception | None]] = asyncio.Queue()
        self._deputies: Final[dict[int, asyncio.Task[Any]]] = {}

    def reports(self) -> AsyncIterator[Report]:
        """Yield what happens until the match is over; lost connections are opened again."""
        reports = self._as_they_come()
        return reports if self._pace is None else self._pace.slowed(reports)

    async def _as_they_come(self) -> AsyncIterator[Report]:
        following = asyncio.create_task(self._follow())
        try:
            while True:
                report = await self._reports.get()
                if report is None:
                    return
                if isinstance(report, Exception):
                    raise report
                yield report
        finally:
            following.cancel()
            self.leave()

    async def _follow(self) -> None:
        try:
            updates = self._match.watch(view=True, options=True, presence=True, reactions=True)
            async for update in updates:
                await self._reports.put(await self._report(update))
            await self._reports.put(None)
        except errors.TaflhallError as error:
            await self._reports.put(error)

    async def _report(self, update: Update) -> Report:
        if update.presence or update.reaction is not None:
            return Report(update.revision, presence=update.presence, reaction=update.reaction)
        decisions, view = update.decisions, update.view
        own = next((d for d in decisions if d.options or d.unknown_options), None)
        if own is not None and (view is None or view.seat != own.seat):
            state = await self._match.get(view=True, options=True, seat=own.seat)
            if own.decision_id in [d.decision_id for d in state.decisions]:
                view = state.view
        return Report(
            update.revision,
            update.events,
            decisions,
            view,
            None if update.match is None else _info(update.match),
            update.clocks,
            rewound=update.restart is Restart.HISTORY_REWOUND,
        )

    async def answer(self, decision: Decision, choice: Choice, request_id: str) -> None:
        """Answer *decision*; report the next step of an answer that is given in several."""
        submitted = await self._match.submit(choice, decision, request_id=request_id)
        if submitted.refusal is not None:
            raise Impossible(submitted.refusal.code)
        following = submitted.decision
        if following is not None and following.decision_id.startswith(f"{_first(decision)}."):
            await self._reports.put(await self._pending(decision.seat, following.decision_id))

    async def _pending(self, seat: int, decision_id: str, *, again: bool = False) -> Report:
        state = await self._match.get(view=True, options=True, seat=seat, decision_id=decision_id)
        return Report(
            state.match.revision, decisions=state.decisions, view=state.view, rewound=again
        )

    async def again(self, decision: Decision) -> None:
        """Begin the answer again."""
        report = await self._wish(self._pending(decision.seat, "", again=True))
        await self._reports.put(report)

    async def explain(
        self, view: View, decision: Decision, command: Command[Any]
    ) -> Refusal | None:
        """Ask the server."""
        try:
            return (await self._match.explain(command, decision.seat)).refusal
        except errors.TaflhallError as error:
            raise self._impossible(error) from None

    async def past(self, revision: int) -> PastView:
        """Ask the server for an earlier view."""
        seat = self.seats[0] if self.seats else None
        past: PastView = await self._wish(self._match.view_at(revision, seat))
        return past

    async def resign(self, seat: int) -> None:
        """Resign *seat*."""
        await self._wish(self._match.resign(seat))

    async def undo(self, seat: int) -> bool:
        """Propose to take back the latest answer of *seat*."""
        info: MatchInfo = await self._wish(self._match.undo(seat))
        return info.proposal is not None

    async def abandon(self, seat: int) -> bool:
        """Propose to end the match."""
        info: MatchInfo = await self._wish(self._match.abandon(seat))
        return info.proposal is not None

    async def respond(self, agree: bool, proposal: Proposal) -> None:
        """Agree to *proposal* or refuse it."""
        await self._wish(self._match.respond(agree, proposal))

    async def react(self, reaction: Reaction) -> None:
        """Show a reaction to the others."""
        await self._wish(self._match.react(reaction))

    async def let_bot_play(self, seat: int, name: str) -> None:
        """Let a bot in this process act for *seat*."""
        try:
            bot = bots.load(name, self.game) if name else bots.best(self.game)
        except bots.UnknownBot as error:
            raise Impossible(str(error)) from None
        deputy = await self._wish(self._match.delegate("bot", seat, SeatKind.BOT))
        self._deputies[seat] = asyncio.create_task(_play(deputy, bot))

    async def take_back(self) -> None:
        """Take our seats back."""
        for seat in list(self._deputies) or self.seats:
            await self._wish(self._match.reclaim(seat))
        self.leave()

    async def save(self, name: str) -> Path:
        """Write the record of the match that is over."""
        data = await self._wish(self._match.record())
        return write(name or f"{self._match.match_id}.json", record.text(data))

    def leave(self) -> None:
        """Stop our bots; the match waits for us."""
        for deputy in self._deputies.values():
            deputy.cancel()
        self._deputies.clear()

    async def _wish(self, call: Any) -> Any:
        try:
            return await call
        except errors.TaflhallError as error:
            raise self._impossible(error) from None

    def _impossible(self, error: errors.TaflhallError) -> Impossible:
        return Impossible(error.text(self._language))


async def _play(deputy: Match, bot: Any) -> None:
    try:
        await deputy.play(bot, in_thread=True)
    except (errors.Replaced, errors.SecretInvalid):
        return  # the seat was taken back


def _first(decision: Decision) -> str:
    """Return the id of the first step of the answer that *decision* is a step of."""
    return decision.decision_id.partition(".")[0]


def _info(match: MatchInfo) -> TableInfo:
    return TableInfo(
        names_of(match), match.result, match.finished, match.proposal, match.secret_digest
    )


def write(name: str, text: str) -> Path:
    """Write *text* to the file *name*, or raise :exc:`Impossible`."""
    file = Path(name)
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise Impossible(literal(f"{file}: {error.strerror}")) from None
    return file
