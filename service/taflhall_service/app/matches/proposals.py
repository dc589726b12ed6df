"""Joint decisions of a match's players: to undo answers, to abandon the match.

One seat proposes, and the others agree: all that have not withdrawn, except those for which the
server acts. The holder of several seats agrees for all of them, so a sole player needs no
consent. One refusal ends a proposal, and so does every command: a proposal is for one revision
only.

:mod:`~taflhall_engine.kernel.mainline` decides what may be undone. The table that an undo restores
has to be read from the history, so a request here is given it before it is prepared, and is given
another one when the match has changed meanwhile.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from msgspec.structs import replace as with_fields

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, Caller, authorize, require_status
from taflhall_service.app.matches.abandon import abandonment
from taflhall_service.app.matches.consent import deciding_seats, missing_consents
from taflhall_service.app.matches.past import PastTable, table_at
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import require_changes_left
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.matches.transaction import (
    MAX_ATTEMPTS,
    Change,
    Completion,
    act,
)
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Proposal


class Undo(NamedTuple):
    """A proposal to undo answers."""

    to_revision: int | None = None
    """To the table at that revision; ``None``: to before the seat's latest own answer."""


class EarlierTable(NamedTuple):
    """The table that an undo restores, read for one version of the match."""

    revision: int
    head: bytes
    """The head of the match's history."""
    past: PastTable

    def restored_in(self, match: Match, revision: int) -> PastTable:
        """Return a copy of the table at *revision*, or raise :exc:`MatchMoved`."""
        if (self.revision, self.head) != (revision, match.version.head):
            raise MatchMoved
        return self.past._replace(table=self.past.table.copy())


class MatchMoved(Exception):
    """The match has changed since the table to restore was read."""


@dataclass(frozen=True, slots=True)
class ProposeToPlayers:
    """A seat proposes something."""

    identity: Identity
    seat: int | None
    what: Undo | None
    """``None``: to abandon the match."""
    request_id: str
    fingerprint: bytes
    limits: Limits
    earlier: EarlierTable | None = None

    action: ClassVar[Action] = Action.PROPOSE_TO_PLAYERS

    def restores(self, match: Match) -> int | None:
        """Return the revision whose table is needed, or raise why the request is refused."""
        caller = self.authorize(match)
        seat = caller.require_owned(match, self.seat)
        require_status(self.action, match)
        return None if self.what is None else self._back(match, seat, self.what)[1]

    def authorize(self, match: Match) -> Caller:
        return authorize(self.action, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        seat = caller.require_owned(match, self.seat)
        require_status(self.action, match)
        own = deciding_seats(match, caller)
        if seat not in own:
            raise errors.Forbidden
        if match.proposal is not None:
            raise errors.ProposalPending(proposal_id=match.proposal.id)
        back, to = (0, 0) if self.what is None else self._back(match, seat, self.what)
        number = secrets.token_urlsafe(9)
        proposal = Proposal(number, seat, back, to, own, match.revision)
        return _decided(match, proposal, now, self.earlier, self.limits)

    def _back(self, match: Match, seat: int, what: Undo) -> tuple[int, int]:
        """Return how many answers have to be undone, and to which revision that leads."""
        if what.to_revision is not None and not 0 <= what.to_revision <= match.revision:
            raise errors.UnknownRevision(revision=match.revision)
        end, latest_own = match.end, what.to_revision is None
        for back, (before, answered) in enumerate(reversed(end.undoable), 1):
            if what.to_revision == before or (latest_own and answered == seat):
                return back, before
        none = not end.has_answered(seat) if latest_own else what.to_revision == end.last
        if none or what.to_revision == match.revision:
            raise errors.NothingToUndo(match_id=match.id)
        earliest = end.undoable[0].before if end.undoable else match.revision
        raise errors.CannotUndo(earliest=earliest)


@dataclass(frozen=True, slots=True)
class RespondToProposal:
    """A seat's holder agrees to a proposal or refuses it."""

    identity: Identity
    seat: int | None
    proposal_id: str
    agree: bool
    request_id: str
    fingerprint: bytes
    limits: Limits
    earlier: EarlierTable | None = None

    action: ClassVar[Action] = Action.RESPOND_TO_PROPOSAL

    def restores(self, match: Match) -> int | None:
        """Return the revision whose table is needed, or raise why the request is refused."""
        self.authorize(match)
        require_status(self.action, match)
        proposal = match.proposal
        undo = self.agree and proposal is not None and proposal.back
        return proposal.to_revision if undo and proposal is not None else None

    def authorize(self, match: Match) -> Caller:
        return authorize(self.action, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        caller.require_owned(match, self.seat)
        require_status(self.action, match)
        own, proposal = deciding_seats(match, caller), match.proposal
        if proposal is None or proposal.id != self.proposal_id:
            raise errors.NoSuchProposal(proposal_id=self.proposal_id[:64])
        if not self.agree:
            return Change(match.changed(proposed=None), {"proposal": b""})
        agreed = tuple(sorted({*proposal.agreed, *own}))
        if agreed == proposal.agreed and missing_consents(match, agreed):
            return None
        proposal = with_fields(proposal, agreed=agreed)
        return _decided(match, proposal, now, self.earlier, self.limits)


async def propose(
    matches: Matches, match_id: str, request: ProposeToPlayers
) -> tuple[Match | None, str]:
    """Propose something, or do it if no other consent is needed.

    Return the match afterwards (``None`` for the repeated first answer), and the proposal's id,
    empty if no other consent was needed.
    """
    done = await _carry_out(matches, match_id, request)
    return done.match, done.outcome.decode()


async def respond(matches: Matches, match_id: str, request: RespondToProposal) -> Completion:
    """Agree to the proposal or refuse it."""
    return await _carry_out(matches, match_id, request)


async def _carry_out(
    matches: Matches, match_id: str, request: ProposeToPlayers | RespondToProposal
) -> Completion:
    for _ in range(MAX_ATTEMPTS):
        match = await matches.current(match_id)
        with suppress(errors.Refused):  # it is refused again, unless it has been answered before
            revision = request.restores(match)
            if revision is not None:
                past = await table_at(matches.store, match, revision)
                earlier = EarlierTable(revision, match.version.head, past)
                request = replace(request, earlier=earlier)
        try:
            return await act(matches, match_id, request)
        except MatchMoved:
            continue
    raise errors.Busy


def _decided(
    match: Match, proposal: Proposal, now: Moment, earlier: EarlierTable | None, limits: Limits
) -> Change:
    """Return the change, or the proposal that still needs consent."""
    if missing_consents(match, proposal.agreed):
        require_changes_left(match, limits.match_changes)
        after = match.changed(proposed=proposal)
        fields = {"proposal": codec.encode(proposal)}
        return Change(after, fields, outcome=proposal.id.encode())
    if not proposal.back:
        return abandonment(match, proposal.seat, now)
    if match.revision >= limits.match_commands:
        raise errors.MatchTooLong(limit=limits.match_commands)
    if earlier is None:
        raise MatchMoved
    past = earlier.restored_in(match, proposal.to_revision)
    update = TableUpdate(match, now)
    update.undo(proposal.seat, proposal.back, *past)
    return update.to_change()
