"""What the holder of a seat does with a match: answer decisions, resign, ask why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import CachedCaller, Caller, authorize, require_status
from taflhall_service.app.errors import (
    IllegalCommand,
    MatchTooLong,
    NotYourSeat,
    Refused,
    SeatDelegated,
    StaleDecision,
)
from taflhall_service.app.matches import table_update as turn
from taflhall_service.app.matches.repository import Done, Matches, Prepared
from taflhall_service.app.matches.table_update import Answer, Given, TableUpdate, checked
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry


class Step(NamedTuple):
    """What a list of answers has come to."""

    match: Match
    entries: list[Entry]
    seat: int
    seats: tuple[int, ...]
    """The seats that the caller answers for, the one that has done so first."""
    refusal: Refusal | None
    """Why the answer after the last entry was not applied."""


Encode = Callable[[Step], bytes]
"""Makes the answer that is remembered for the request id."""


class SubmitAnswers:
    """Answers to decisions of one seat."""

    def __init__(
        self,
        limits: Limits,
        claim: CachedCaller,
        decision_id: str,
        request_id: str,
        answers: Sequence[Answer],
        fingerprint: bytes,
        encode: Encode,
    ) -> None:
        self.fingerprint = fingerprint
        self._limits = limits
        self._claim = claim
        self._decision_id = decision_id
        self._request_id = request_id
        self._answers = answers
        self._encode = encode
        self._caller = Caller((), False)

    def key(self, match: Match) -> str:
        self._caller = self._claim.admit(match)
        return f"{self._caller.scope}:{self._request_id}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        seat = self._seat(match)
        for answer in self._answers:
            if isinstance(answer, Given):
                checked(match, answer)
        progress = TableUpdate(match, now)
        if match.seats[seat].stand_in:
            progress.take_back(seat)
        refusal = None
        for index, answer in enumerate(self._answers):
            try:
                if progress.revision >= self._limits.match_commands:
                    raise MatchTooLong(limit=self._limits.match_commands)
                progress.answer(seat, progress.command(seat, answer, index))
            except IllegalCommand as refused:
                if not index:
                    raise
                refusal = refused.refusal
                break
            except Refused:
                if not index:
                    raise
                refusal = agenda.NOT_OFFERED
                break
        after = progress.match()
        seats = (seat, *[other for other in self._caller.acting if other != seat])
        reply = self._encode(Step(after, progress.entries, seat, seats, refusal))
        return Prepared(after, progress.fields(after), progress.entries, progress.packed, reply)

    def _seat(self, match: Match) -> int:
        """Return the seat whose decision is answered, or raise why it may not be."""
        require_status("MatchService.SubmitAnswers", match)
        for seat, pending in match.pending.items():
            if pending == self._decision_id:
                if seat not in self._caller.seats:
                    raise NotYourSeat(seat=seat)
                if seat not in self._caller.acting:
                    raise SeatDelegated(seat=seat)
                return seat
        own = [match.pending[seat] for seat in self._caller.acting if seat in match.pending]
        raise StaleDecision(decision_id=own[0] if own else "", revision=match.revision)


class Resign:
    """A seat gives the match up."""

    def __init__(
        self, identity: Identity, seat: int | None, request_id: str, fingerprint: bytes
    ) -> None:
        self.fingerprint = fingerprint
        self.identity = identity
        self._wanted = seat
        self._request_id = request_id
        self._caller = Caller((), False)

    def key(self, match: Match) -> str:
        self._caller = authorize("MatchService.ResignSeat", self.identity, match)
        return f"{self._caller.scope}:{self._request_id}"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        seat = self._caller.require_owned(match, self._wanted)
        require_status("MatchService.ResignSeat", match)
        if seat in match.withdrawn.seats:
            return None
        progress = TableUpdate(match, now)
        progress.do(seat, RESIGN)
        return progress.prepared()


class Explained(NamedTuple):
    """Whether a command is legal now, and why not."""

    match: Match
    decision_id: str
    refusal: Refusal | None


async def submit(matches: Matches, match_id: str, submission: SubmitAnswers) -> Done:
    """Answer decisions."""
    return await matches.act(match_id, submission)


async def resign(matches: Matches, match_id: str, resignation: Resign) -> Match | None:
    """Give the match up for a seat; doing so again changes nothing."""
    done = await matches.act(match_id, resignation)
    return done.match or await matches.spectators.visible_or_none_by_id(
        match_id, resignation.identity
    )


async def explain(
    matches: Matches, match_id: str, identity: Identity, seat: int | None, given: Given
) -> Explained:
    """Say whether a seat may answer its pending decision with a command; nothing changes."""
    match = await matches.current(match_id)
    seat = authorize("MatchService.ExplainCommand", identity, match).require_visible(match, seat)
    require_status("MatchService.ExplainCommand", match)
    command = checked(match, given)
    if match.table is None or not match.pending:
        return Explained(match, "", agenda.GAME_OVER)
    if seat not in match.pending:
        return Explained(match, "", agenda.NOT_YOUR_DECISION)
    refusal = (
        None if command in match.options(seat) else turn.refusal_of(match.table, seat, command)
    )
    return Explained(match, match.pending[seat], refusal)
