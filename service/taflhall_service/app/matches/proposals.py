"""What the players of a match decide together: to take answers back, to give the match up.

One seat proposes, and the others agree: all who have not resigned, except those for whom the
house acts. Who holds several seats agrees for all of them, so a table of one person needs
nobody's consent. One refusal ends a proposal, and so does whatever is done to the match:
a proposal stands for one revision only.

What may be taken back is the business of :mod:`~taflhall_engine.kernel.mainline`. It has to be
found from the history, so the acts here get the line beforehand and are prepared anew when the
match has moved meanwhile.
"""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from msgspec.structs import replace

from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import ABANDON
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Caller, authorize, require_status
from taflhall_service.app.matches.history import line_of
from taflhall_service.app.matches.repository import MAX_ATTEMPTS, Done, Matches, Prepared
from taflhall_service.app.matches.seats import not_too_often
from taflhall_service.app.matches.table_update import TableUpdate
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model.clocks import ABSENT_AFTER, Moment
from taflhall_service.app.model.match import PLAYING, Match
from taflhall_service.app.model.records import Proposal


class Back(NamedTuple):
    """Answers are to be taken back."""

    to_revision: int | None = None
    """To what the table was then; ``None``: to before the seat's latest own answer."""


GIVE_UP: Final = None
"""The match is to be given up."""


class _Moved(Exception):
    """The match is not where its line was looked at."""


class _Act:
    """A proposal, or an answer to one."""

    def __init__(
        self,
        matches: Matches,
        method: str,
        identity: Identity,
        seat: int | None,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        self.fingerprint = fingerprint
        self.method: Final = method
        self.identity: Final = identity
        self._most: Final = matches.limits.match_commands
        self._wanted = seat
        self._request_id = matches.limits.name("request_id", request_id)
        self._caller = Caller((), False)
        self.line: Mainline | None = None
        self.head = b""

    def key(self, match: Match) -> str:
        self._caller = authorize(self.method, self.identity, match)
        return f"{self._caller.scope}:{self._request_id}"

    def wants_line(self, match: Match) -> bool:
        """Return whether answers may be taken back."""
        raise NotImplementedError

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        """Return the change, as every act does."""
        raise NotImplementedError

    def _line_at(self, match: Match) -> Mainline:
        if self.line is None or self.head != match.version.head:
            raise _Moved
        return self.line

    def _own(self, match: Match) -> tuple[int, ...]:
        """Return the seats that the caller decides about, or raise if none plays."""
        seats = tuple(seat for seat in self._caller.owned if seat not in match.withdrawn.seats)
        if not seats:
            raise errors.Forbidden(method=self.method)
        return seats

    def _decided(self, match: Match, proposal: Proposal, now: Moment) -> Prepared:
        """Return what is done, or what is still to be agreed to."""
        if wanted(match, proposal.agreed):
            not_too_often(match, self._most)
            after = match.proposing(proposal)
            reply = proposal.id.encode()
            return Prepared(after, {"proposal": stored.pack(proposal)}, [], [], reply)
        if not proposal.back:
            return abandonment(match, proposal.seat, now)
        if match.revision >= self._most:
            raise errors.MatchTooLong(limit=self._most)
        progress = TableUpdate(match, now)
        progress.undo(
            proposal.seat, proposal.back, *self._line_at(match).state_before(proposal.back)
        )
        return progress.prepared()


class Propose(_Act):
    """A seat proposes something."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seat: int | None,
        what: Back | None,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        super().__init__(
            matches, "MatchService.ProposeToPlayers", identity, seat, request_id, fingerprint
        )
        self._what = what

    def wants_line(self, match: Match) -> bool:
        return self._what is not None

    def prepare(self, match: Match, now: Moment) -> Prepared:
        seat = self._caller.require_owned(match, self._wanted)
        require_status(self.method, match)
        own = self._own(match)
        if seat not in own:
            raise errors.Forbidden(method=self.method)
        if match.proposal is not None:
            raise errors.ProposalPending(proposal_id=match.proposal.id)
        back, to = (0, 0) if self._what is None else self._back(match, seat, self._what)
        number = secrets.token_urlsafe(9)
        return self._decided(match, Proposal(number, seat, back, to, own, match.revision), now)

    def _back(self, match: Match, seat: int, what: Back) -> tuple[int, int]:
        """Return how many answers have to be taken back, and to which revision that leads."""
        if what.to_revision is not None and not 0 <= what.to_revision <= match.revision:
            raise errors.UnknownRevision(revision=match.revision)
        line = self._line_at(match)
        for back in range(1, line.undoable + 1):
            to = line.revision_before(back)
            if what.to_revision == to or (what.to_revision is None and line.seat(back) == seat):
                return back, to
        earliest = line.revision_before(line.undoable) if line.undoable else match.revision
        raise errors.CannotUndo(earliest=earliest)


class Consent(_Act):
    """A holder agrees to what is proposed, or refuses it."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seat: int | None,
        proposal_id: str,
        agree: bool,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        super().__init__(
            matches, "MatchService.RespondToProposal", identity, seat, request_id, fingerprint
        )
        self._proposal_id = proposal_id
        self._agree = agree

    def wants_line(self, match: Match) -> bool:
        return self._agree and match.proposal is not None and match.proposal.back > 0

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        self._caller.require_owned(match, self._wanted)
        require_status(self.method, match)
        own, proposal = self._own(match), match.proposal
        if proposal is None or proposal.id != self._proposal_id:
            raise errors.NoSuchProposal(proposal_id=self._proposal_id[:64])
        if not self._agree:
            return Prepared(match.proposing(None), {"proposal": b""}, [], [], b"")
        agreed = tuple(sorted({*proposal.agreed, *own}))
        if agreed == proposal.agreed and wanted(match, agreed):
            return None
        return self._decided(match, replace(proposal, agreed=agreed), now)


class AbandonMatch:
    """Somebody gives a match up who needs nobody's consent to it."""

    def __init__(
        self, matches: Matches, identity: Identity, request_id: str, fingerprint: bytes
    ) -> None:
        self.fingerprint = fingerprint
        self._identity = identity
        self._request_id = matches.limits.name("request_id", request_id)
        self._caller = Caller((), False)

    def key(self, match: Match) -> str:
        self._caller = authorize("MatchService.AbandonMatch", self._identity, match)
        return f"{self._caller.scope}:{self._request_id}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        caller = self._caller
        require_status("MatchService.AbandonMatch", match)
        if match.status == PLAYING:
            own = [seat for seat in caller.owned if seat not in match.withdrawn.seats]
            if not own or wanted(match, caller.owned):
                raise errors.ConsentRequired(match_id=match.id)
            return abandonment(match, own[0], now)
        if not caller.creator:
            raise errors.Forbidden(method="MatchService.AbandonMatch")
        return abandonment(match, -1, now)


class AbandonIdle:
    """The house gives a match up, if it still is as the house has seen it."""

    fingerprint: bytes = bytes(16)

    def __init__(self, seen: Match) -> None:
        self._seen = seen.version

    def key(self, match: Match) -> str:
        return f"close:{self._seen.revision}:{self._seen.change_id}"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        if match.over or match.version != self._seen:
            return None
        return abandonment(match, -1, now)


async def propose(matches: Matches, match_id: str, proposing: Propose) -> tuple[Match | None, str]:
    """Propose something, or do it if nobody else has to agree; return the proposal's id too."""
    done = await _carry_out(matches, match_id, proposing)
    match = done.match or await matches.spectators.visible_or_none_by_id(
        match_id, proposing.identity
    )
    return match, done.reply.decode()


async def consent(matches: Matches, match_id: str, consenting: Consent) -> Match | None:
    """Agree to what is proposed, or refuse it."""
    done = await _carry_out(matches, match_id, consenting)
    return done.match or await matches.spectators.visible_or_none_by_id(
        match_id, consenting.identity
    )


async def abandon(matches: Matches, match_id: str, abandoning: AbandonMatch | AbandonIdle) -> Match:
    """Give a match up; one that had not begun is listed no more, and forgotten after a while."""
    done = await matches.act(match_id, abandoning)
    match = done.match or await matches.current(match_id)
    if match.over and match.table is None:
        await matches.expire_unstarted(match)
    return match


def wanted(match: Match, agreed: tuple[int, ...]) -> list[int]:
    """Return the seats that have to agree too: those that play, not the house for them."""
    missed = [False] * len(match.seats)
    if match.clocks is not None:
        missed = [clock.missed >= ABSENT_AFTER for clock in match.clocks.seats]
    return [
        seat
        for seat, place in enumerate(match.seats)
        if not (seat in agreed or seat in match.withdrawn.seats or place.stand_in or missed[seat])
    ]


def asked(match: Match, proposal: Proposal, own: tuple[int, ...]) -> bool:
    """Return whether any of the seats *own* still has to agree to *proposal*."""
    return any(seat in own for seat in wanted(match, proposal.agreed))


def abandonment(match: Match, seat: int, now: Moment) -> Prepared:
    """Return the end of a match that is given up; *seat* has proposed it, -1: the house."""
    if match.status == PLAYING:
        progress = TableUpdate(match, now)
        progress.do(seat, ABANDON)
        return progress.prepared()
    after = match.unbegun()
    return Prepared(after, {"status": after.status.encode()}, [], [], b"")


async def _carry_out(matches: Matches, match_id: str, act: _Act) -> Done:
    for _ in range(MAX_ATTEMPTS):
        match = await matches.current(match_id)
        if act.wants_line(match) and match.table is not None and _may(act, match):
            act.line, act.head = await line_of(matches, match), match.version.head
        try:
            return await matches.act(match_id, act)
        except _Moved:
            continue
    raise errors.Busy


def _may(act: _Act, match: Match) -> bool:
    """Return whether the caller may ask for this at all: nobody else is worth the work."""
    try:
        authorize(act.method, act.identity, match)
        require_status(act.method, match)
    except errors.Refused:
        return False
    return True
