"""A match played back: how it was at a time, as its commands and visible states determine it.

Nothing here waits or reads a store: :func:`play_back` takes what is known of the history, and
:func:`match_at` returns the match at the :class:`Playhead` to which that has led.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from taflhall_engine.kernel.meta_commands import pending, result
from taflhall_service.app.matches.past import PastTable
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry, Seat
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.model.visible_states import VisibleState
from taflhall_service.app.ports.match_store import Version


@dataclass(frozen=True, slots=True)
class Playhead:
    """How far a match is played back."""

    version: Version
    at_ms: int
    """The time of the last change that was passed."""
    state: VisibleState | None = None
    """The last visible state that was passed."""
    entry: Entry | None = None
    """The last entry that was passed."""

    @property
    def laid_out(self) -> bool:
        """Whether there is a table."""
        return self.entry is not None or (self.state is not None and self.state.laid_out)

    def next_state(self, states: Sequence[VisibleState]) -> VisibleState | None:
        """Return which of *states* comes before the next command, if one does."""
        for state in states:
            if state.change_id > self.version.change_id:
                return state if state.revision <= self.version.revision else None
        return None

    def next_time(self, states: Sequence[VisibleState], entries: Sequence[Entry]) -> int | None:
        """Return when the next change happened, if it is known; times never go back."""
        following = self.next_state(states) or (entries[0] if entries else None)
        return None if following is None else max(following.at_ms, self.at_ms)

    def is_on(self, states: Sequence[VisibleState]) -> bool:
        """Return whether its state is one of *states*, or older than all of them.

        If not, the store has lost acknowledged writes.
        """
        at = self.version.change_id
        if not at or (states and at < states[0].change_id):
            return True
        return any(state.change_id == at for state in states)


def play_back(
    head: Playhead, states: Sequence[VisibleState], entries: deque[Entry], time_ms: int
) -> tuple[Playhead, list[Entry]]:
    """Return *head* after everything until *time_ms*, and the entries that it has passed.

    They are taken from *entries*, the known ones that follow *head*.
    """
    head, passed = replace(head, at_ms=time_ms), []
    while True:
        state = head.next_state(states)
        if state is not None and state.at_ms <= time_ms:
            version = head.version._replace(change_id=state.change_id)
            head = replace(head, version=version, state=state)
        elif state is None and entries and entries[0].at_ms <= time_ms:
            entry = entries.popleft()
            version = head.version._replace(revision=entry.revision, head=entry.head)
            head = replace(head, version=version, entry=entry)
            passed.append(entry)
        else:
            return head, passed


def match_at(head: Playhead, created: Match, past: PastTable | None) -> Match:
    """Return a match as it was at *head*.

    *created* is the match as it was created, *past* its table after the last entry; ``None``
    without a table.
    """
    state, entry = head.state, head.entry
    match = created.replaced(version=head.version, as_of=head.at_ms, updated_ms=head.at_ms)
    if state is not None:
        match = match.replaced(
            status=state.status,
            seats=state.seats,
            clocks=state.clocks,
            proposed=state.proposed,
        )
    if entry is not None and (state is None or entry.revision > state.revision):
        match = match.replaced(status=entry.status, clocks=entry.clocks)
    if match.over:
        match = match.replaced(ended_ms=head.at_ms)
    if past is None:
        return match
    table, withdrawn = past.table.copy(), past.withdrawn
    if entry is not None:
        ids = entry.pending
    else:
        seats = pending(match.game, table, withdrawn)
        ids = {s: decision_id(created.origin.chain, head.version.head, 0, s) for s in seats}
    ended = result(match.game, table, withdrawn) if match.over else None
    return match.replaced(table=table, withdrawn=withdrawn, pending=ids, result=ended)


def as_created(match: Match) -> Match:
    """Return *match* as it was when it was created."""
    version = Version(0, chain.first_head(match.origin.chain, match.id), 0)
    free = (Seat(),) * len(match.seats)
    return Match(
        match.game, match.origin, match.setup, free, version, as_of=match.origin.created_ms
    )
