"""Play on a copy of a match's table: answers, meta-commands, undo; one entry for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Event, Refusal, Table, Together, Undone, Waiting
from taflhall_engine.kernel.drafts import Answer as WholeAnswer
from taflhall_engine.kernel.drafts import unfinished, whole
from taflhall_engine.kernel.mainline import draws_of, reveals_hidden
from taflhall_engine.kernel.meta_commands import (
    TIMEOUT,
    Action,
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
from taflhall_service.app.matches.transaction import Change
from taflhall_service.app.model import clocks as clock
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.history_chain import next_head
from taflhall_service.app.model.match import ABANDONED, FINISHED, PLAYING, Match
from taflhall_service.app.model.records import KEYFRAME_INTERVAL, Entry, Origin, StoredTable
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import StoredEntry, Version


class CommandAnswer(NamedTuple):
    """A command in full, as it came in."""

    game: str
    command: Command[Any]


Answer = int | CommandAnswer
"""An option's index, or a command in full."""


class TableUpdate:
    """A copy of a match's table that is played on, answer by answer.

    An answer may have several steps (:mod:`taflhall_engine.kernel.drafts`). Its steps are carried
    out on a copy, and become one entry with the last of them.
    """

    def __init__(self, match: Match, now: Moment) -> None:
        assert match.table is not None
        self._now: Final = now
        self._seats = match.seats
        self._clocks = match.clocks
        self._before: Final = match
        self._table: Table = match.table
        self._draft: Table | None = None
        """The table after the steps of an answer that is not complete."""
        self._steps: list[Command[Any]] = []
        self.taken: list[int] = []
        """The options that these steps took."""
        self._withdrawn = match.withdrawn
        self._pending = match.pending
        self._end = match.end
        self._head = match.version.head
        self._status = PLAYING
        self.revision = match.revision
        self.entries: list[Entry] = []
        self._stored: list[StoredEntry] = []

    def command(self, seat: int, answer: Answer, index: int) -> Command[Any]:
        """Return the command that *answer* means, or raise why that at *index* is refused."""
        game, table = self._before.game, self._draft or self._table
        if seat not in self._pending:
            over = agenda.GAME_OVER if not self._pending else agenda.NOT_YOUR_DECISION
            raise IllegalCommand(game, over, index)
        first = table is self._before.table
        legal = self._before.options(seat) if first else agenda.options(table, seat)
        if isinstance(answer, int):
            if not 0 <= answer < len(legal):
                raise NoSuchOption(option=answer, options=len(legal))
            return legal[answer]
        command = checked(self._before, answer)
        if command not in legal:
            raise IllegalCommand(game, refusal_of(table, seat, command), index)
        return command

    def answer(self, seat: int, command: Command[Any]) -> bool:
        """Carry out a legal command; return whether it completes an answer."""
        before = self._draft or self._table
        draft = self._copy() if self._draft is None else self._draft.copy()
        if self._draft is None:
            self._answer(draft, seat, command)
        else:
            agenda.apply(draft, seat, command)
        self._steps.append(command)
        if unfinished(draft):
            self.taken.append(agenda.options(before, seat).index(command))
            self._draft = draft
            return False
        given = whole(self._steps)
        if self._draft is not None:
            draft = self._copy()
            self._answer(draft, seat, given)
        self._draft, self._steps, self.taken = None, [], []
        self._move(seat, given, draft)
        return True

    def do(self, seat: int, command: MetaCommand) -> None:
        """Carry out what *seat* does instead of an answer, other than to undo."""
        table = self._copy()
        self._withdrawn = apply_move(self._before.game, table, seat, command, self._withdrawn)
        self._move(seat, command, table)

    def _move(self, seat: int, action: Action, table: Table) -> None:
        """Replace the table by *table*, which *action* has led to."""
        before, self._table = self._table, table
        events = table.journal or []
        revealed = draws_of(before) != draws_of(table) or reveals_hidden(self._before.game, events)
        self._end = self._end.pushed(self.revision + 1, seat, action, revealed)
        self._record(seat, action, before.agenda[-1])

    def _copy(self) -> Table:
        """Return a copy of the table that notes its events."""
        table = self._table.copy()
        table.journal = []
        return table

    def _answer(self, table: Table, seat: int, given: Command[Any] | WholeAnswer) -> None:
        answer(self._before.game, table, seat, given, self._withdrawn)

    def undo(self, seat: int, back: int, table: Table, withdrawn: Withdrawals) -> None:
        """Go back by *back* answers, to *table* (which is ours now) and *withdrawn*."""
        self._table, self._withdrawn = table, withdrawn
        table.journal = [Undone("", seat, back)]
        self._end = self._end.undone(back)
        self._record(seat, undo(back), None, restores=self._end.last)

    def dismiss_stand_in(self, seat: int) -> None:
        """End the stand-in that has played for *seat*, whose holder is back."""
        seats = list(self._seats)
        seats[seat] = msgspec.structs.replace(seats[seat], stand_in=False)
        self._seats = tuple(seats)

    def match(self) -> Match:
        """Return the match as it is now."""
        before = self._before
        at = before.version if self._seats is before.seats else before.version.changed()
        over = self._status != PLAYING
        return before.replaced(
            seats=self._seats,
            version=Version(self.revision, self._head, at.change_id),
            status=self._status,
            table=self._table,
            withdrawn=self._withdrawn,
            pending=self._pending,
            end=self._end,
            result=result(before.game, self._table, self._withdrawn) if over else None,
            clocks=self._clocks,
            proposed=None,
        )

    def to_change(self, not_before: int = 0, outcome: bytes = b"") -> Change:
        """Return the change that this makes."""
        after = self.match()
        fields = table_fields(after) | clock_fields(after, self._now)
        if self._seats is not self._before.seats:
            fields["seats"] = stored.encode(self._seats)
        return Change(after, fields, self.entries, self._stored, outcome, not_before)

    def _record(self, seat: int, command: Action, top: Any, *, restores: int | None = None) -> None:
        game, table, origin = self._before.game, self._table, self._before.origin
        events: list[Event] = table.journal or []
        table.journal = None
        self.revision += 1
        move = stored.encode_move(seat, command)
        self._head = next_head(origin.chain, self._head, self.revision, move)
        asked = pending(game, table, self._withdrawn)
        before = self._pending
        self._pending = pending_ids(
            origin, self._head, self.revision, table, asked, top, seat, before
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
            restores,
            self._keyframe() if restores is None else b"",
        )
        self.entries.append(entry)
        self._stored.append(stored.encode_entry(origin, entry, move))

    def _keyframe(self) -> bytes:
        """Return the table as it is stored, if the move before was that of a keyframe."""
        if self._end.length % KEYFRAME_INTERVAL:
            return b""
        before = self._before
        kept = StoredTable(self._table, self._withdrawn, self._pending, self._end)
        return stored.encode_table(before.game, before.origin, self.revision, kept)

    def _charge(self, seat: int, command: Action, before: Mapping[int, str]) -> int:
        """Charge the clocks for a move; return how long *seat* took, in milliseconds."""
        times, clocks = self._before.origin.clock, self._clocks
        assert times is not None
        assert clocks is not None
        stand_ins = [number for number, each in enumerate(self._seats) if each.automatic]
        answered = not isinstance(command, MetaCommand) and seat not in stand_ins
        self._clocks, used = clock.after_move(
            times,
            clocks,
            seat,
            answered,
            command == TIMEOUT,
            before,
            self._pending,
            stand_ins,
            self._now,
        )
        if command == TIMEOUT and clock.deserted(self._clocks, self._withdrawn.seats):
            self._clocks = clock.frozen(self._clocks, self._now)
        return used


def table_fields(match: Match) -> dict[str, bytes]:
    """Return the stored form of everything that a command changes."""
    assert match.table is not None
    stored_table = StoredTable(match.table, match.withdrawn, match.pending, match.end)
    fields = {
        "snapshot": stored.encode_table(match.game, match.origin, match.revision, stored_table),
        "status": match.status.encode(),
    }
    if match.result is not None:
        fields["result"] = stored.encode_result(match.result)
    return fields


def clock_fields(match: Match, now: Moment) -> dict[str, bytes]:
    """Return the stored form of a match's clocks, and when the server has to act next.

    Nothing if it never has to.
    """
    if not match.is_timed:
        return {}
    due = match.next_deadline(now.outages)
    fields = {"deadline": b"" if due is None else str(due.ms).encode()}
    if match.clocks is not None:
        fields["clocks"] = stored.encode_clocks(match.origin, match.clocks)
    return fields


def pending_ids(
    origin: Origin,
    head: bytes,
    revision: int,
    table: Table,
    asked: Sequence[int],
    top: Any,
    answered: int,
    before: Mapping[int, str],
) -> dict[int, str]:
    """Return the id of each pending decision.

    Where several seats decide at the same time, those still to answer keep their id when
    another has answered. Every other decision gets a new one.
    """
    kept: Mapping[int, str] = {}
    now = agenda.waiting(table)
    if isinstance(now, Together) and _continues(top, now, answered):
        kept = before
    return {
        seat: kept.get(seat) or decision_id(origin.chain, head, revision, seat) for seat in asked
    }


def _continues(before: Any, now: Together[Any], answered: int) -> bool:
    """Return whether *now* is the same decision with one seat less to wait for."""
    return (
        type(before) is type(now)
        and isinstance(before, Together)
        and now.waiting == before.waiting & ~(1 << answered)
        and before.remaining(now.waiting) == now
    )


def checked(match: Match, given: CommandAnswer) -> Command[Any]:
    """Return a command that came in, if it is one of the match's game."""
    if given.game != match.game.id:
        raise WrongGame(game=match.game.id, found=given.game)
    return given.command


def refusal_of(table: Table, seat: int, command: Command[Any]) -> Refusal:
    """Return why a command that is not among the options is refused."""
    try:
        return agenda.refusal(table, seat, command) or agenda.NOT_OFFERED
    except Exception:  # the numbers come from outside and may be anything
        return agenda.NOT_OFFERED
