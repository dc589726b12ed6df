"""One deed after another: what a seat's answers, or what it does instead, make of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Event, Refusal, Table, Together, Undone, Waiting
from taflhall_engine.kernel.meta_commands import (
    TIMEOUT,
    MetaCommand,
    Withdrawals,
    answer,
    apply_move,
    pending,
    result,
    undo,
)
from taflhall_service.app.errors import (
    IllegalCommand,
    NoSuchOption,
    WrongGame,
)
from taflhall_service.app.matches.repository import Prepared
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import ABANDONED, FINISHED, PLAYING, Match
from taflhall_service.app.model.records import Entry, Origin, StoredTable
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import StoredEntry, Version


class Given(NamedTuple):
    """A command in full, as it came in."""

    game: str
    command: Command[Any]


Answer = int | Given
"""An option's index, or a command in full."""


class TableUpdate:
    """A copy of a match's table that goes on, command by command."""

    def __init__(self, match: Match, now: Moment) -> None:
        assert match.table is not None
        self._now: Final = now
        self._seats = match.seats
        self._clocks = match.clocks
        self._before: Final = match
        self._table: Table = match.table.copy()
        self._withdrawn = match.withdrawn
        self._pending = match.pending
        self._head = match.version.head
        self._status = PLAYING
        self.revision = match.revision
        self.entries: list[Entry] = []
        self.packed: list[StoredEntry] = []

    def command(self, seat: int, answer: Answer, index: int) -> Command[Any]:
        """Return the command that *answer* means, or raise why it is none."""
        if seat not in self._pending:
            over = agenda.GAME_OVER if not self._pending else agenda.NOT_YOUR_DECISION
            raise IllegalCommand(self._before.game, over, index)
        first = not self.entries
        legal = self._before.options(seat) if first else agenda.options(self._table, seat)
        if isinstance(answer, int):
            if not 0 <= answer < len(legal):
                raise NoSuchOption(option=answer, options=len(legal))
            return legal[answer]
        command = checked(self._before, answer)
        if command not in legal:
            why = refusal_of(self._table, seat, command)
            raise IllegalCommand(self._before.game, why, index)
        return command

    def answer(self, seat: int, command: Command[Any]) -> None:
        """Carry out a legal command."""
        game, table = self._before.game, self._table
        top = table.agenda[-1]
        table.journal = []
        answer(game, table, seat, command, self._withdrawn)
        self._told(seat, command, top)

    def do(self, seat: int, deed: MetaCommand) -> None:
        """Let *seat* do something other than to answer, or to take back."""
        game, table = self._before.game, self._table
        top = table.agenda[-1]
        table.journal = []
        self._withdrawn = apply_move(game, table, seat, deed, self._withdrawn)
        self._told(seat, deed, top)

    def undo(self, seat: int, back: int, table: Table, withdrawn: Withdrawals) -> None:
        """Go back to how it stood *back* answers ago: *table* (which is ours now) and *gone*."""
        self._table, self._withdrawn = table, withdrawn
        table.journal = [Undone("", seat, back)]
        self._told(seat, undo(back), None)

    def _told(self, seat: int, command: Command[Any] | MetaCommand, top: Any) -> None:
        game, table, origin = self._before.game, self._table, self._before.origin
        events: list[Event] = table.journal or []
        table.journal = None
        self.revision += 1
        deed = stored.encode_move(seat, command)
        self._head = chain.next_head(origin.chain, self._head, self.revision, deed)
        asked = pending(game, table, self._withdrawn)
        before = self._pending
        self._pending = pending_ids(
            origin, self._head, self.revision, table, asked, top, seat, self._pending
        )
        if not asked:
            self._status = ABANDONED if self._withdrawn.abandoned else FINISHED
        step: Waiting[Any] | None = agenda.waiting(table) if asked else None
        used = 0 if self._clocks is None else self._charge(seat, command, before)
        entry = Entry(
            self.revision,
            self._head,
            seat,
            command,
            events,
            step,
            self._pending,
            self._status,
            self._now.ms,
            self._clocks,
            used,
        )
        self.entries.append(entry)
        self.packed.append(stored.encode_entry(origin, entry, deed))

    def take_back(self, seat: int) -> None:
        """Send away the program that has played for *seat*, whose holder is back."""
        seats = list(self._seats)
        seats[seat] = msgspec.structs.replace(seats[seat], stand_in=False)
        self._seats = tuple(seats)

    def _charge(self, seat: int, deed: Command[Any] | MetaCommand, before: dict[int, str]) -> int:
        """Let the clocks go on; return how long *seat* took."""
        terms, clocks = self._before.origin.clock, self._clocks
        assert terms is not None
        assert clocks is not None
        stand_ins = [number for number, place in enumerate(self._seats) if place.stand_in]
        answered = isinstance(deed, Command) and seat not in stand_ins
        missed = deed == TIMEOUT
        self._clocks, used = clock.after_move(
            terms, clocks, seat, answered, missed, before, self._pending, stand_ins, self._now
        )
        if missed and clock.deserted(self._clocks, self._withdrawn.seats):
            self._clocks = clock.frozen(self._clocks, self._now)
        return used

    def match(self) -> Match:
        """Return the match as it is now."""
        before = self._before
        at = before.version if self._seats is before.seats else before.version.changed()
        over = self._status != PLAYING
        end = result(before.game, self._table, self._withdrawn) if over else None
        return Match(
            before.game,
            before.origin,
            before.setup,
            self._seats,
            Version(self.revision, self._head, at.change_id),
            self._status,
            self._table,
            self._withdrawn,
            self._pending,
            end,
            self._clocks,
        )

    def prepared(self, not_before: int = 0) -> Prepared:
        """Return what has come of it as a change, with no answer to remember."""
        after = self.match()
        return Prepared(after, self.fields(after), self.entries, self.packed, b"", not_before)

    def fields(self, after: Match) -> dict[str, bytes]:
        """Return what of the match has to be stored."""
        fields = table_fields(after)
        if self._seats is not self._before.seats:
            fields["seats"] = stored.pack(self._seats)
        return fields if after.clocks is None else fields | clock_fields(after, self._now)


def table_fields(match: Match) -> dict[str, bytes]:
    """Return the stored form of everything that a command changes."""
    assert match.table is not None
    stored_table = StoredTable(match.table, match.withdrawn, match.pending)
    fields = {
        "snapshot": stored.encode_table(match.game, match.origin, match.revision, stored_table),
        "status": match.status.encode(),
    }
    if match.result is not None:
        fields["result"] = stored.encode_result(match.result)
    return fields


def clock_fields(match: Match, now: Moment) -> dict[str, bytes]:
    """Return the stored form of a match's clocks; nothing if it has none."""
    if match.clocks is None:
        return {}
    due = match.next_deadline(now.outages)
    return {
        "clocks": stored.encode_clocks(match.origin, match.clocks),
        "deadline": b"" if due is None else str(due.ms).encode(),
    }


def pending_ids(
    origin: Origin,
    head: bytes,
    revision: int,
    table: Table,
    asked: Sequence[int],
    top: Any,
    answered: int,
    before: dict[int, str],
) -> dict[int, str]:
    """Return the id of each pending decision.

    Where several seats decide at the same time, those who still have to keep their id when
    another has answered. Every other decision gets a new one.
    """
    kept: dict[int, str] = {}
    now = agenda.waiting(table)
    if isinstance(now, Together) and _goes_on(top, now, answered):
        kept = before
    return {
        seat: kept.get(seat) or decision_id(origin.chain, head, revision, seat) for seat in asked
    }


def _goes_on(before: Any, now: Together[Any], answered: int) -> bool:
    """Return whether *now* is the same decision with one seat less to wait for."""
    return (
        type(before) is type(now)
        and isinstance(before, Together)
        and now.waiting == before.waiting & ~(1 << answered)
        and before.remaining(now.waiting) == now
    )


def checked(match: Match, given: Given) -> Command[Any]:
    """Return a command that came in, if it is one of the match's game."""
    if given.game != match.game.id:
        raise WrongGame(game=match.game.id, found=given.game)
    return given.command


def refusal_of(table: Table, seat: int, command: Command[Any]) -> Refusal:
    """Return why a command that is no option is refused."""
    try:
        return agenda.refusal(table, seat, command) or agenda.NOT_OFFERED
    except Exception:  # the numbers come from outside and may be anything
        return agenda.NOT_OFFERED
