"""What the holder of a seat does with a match: answer decisions, resign, ask why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import (
    Action,
    CachedCaller,
    Caller,
    authorize,
    require_status,
)
from taflhall_service.app.errors import (
    IllegalCommand,
    MatchTooLong,
    NotYourSeat,
    Refused,
    SeatDelegated,
    StaleDecision,
    StoredDataDamaged,
)
from taflhall_service.app.matches.history import match_after
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import (
    Answer,
    CommandAnswer,
    TableUpdate,
    checked,
    refusal_of,
)
from taflhall_service.app.matches.transaction import Change, act
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.match_store import Durability


class AnswersOutcome(msgspec.Struct, frozen=True, array_like=True):
    """What a list of answers came to, as it is remembered for its request id."""

    first: int
    """The revision of the first answer that was applied."""
    last: int
    """The revision of the last one."""
    change_id: int
    """That of the match's version afterwards."""
    seat: int
    seats: tuple[int, ...]
    """The seats that the caller answers for, the one that has done so first."""
    refusal: tuple[str, str] | None
    """Rule and code of why the answer after the last one was not applied."""


class SubmittedAnswers(NamedTuple):
    """What a list of answers came to, now or when it was first submitted."""

    match: Match
    """The match after the last answer that was applied."""
    entries: Sequence[Entry]
    seat: int
    seats: tuple[int, ...]
    refusal: Refusal | None
    replayed: bool
    durability: Durability


@dataclass(frozen=True, slots=True)
class SubmitAnswers:
    """Answers to decisions of one seat."""

    claim: CachedCaller
    decision_id: str
    request_id: str
    answers: Sequence[Answer]
    fingerprint: bytes
    max_commands: int

    def authorize(self, match: Match) -> Caller:
        return self.claim.admit(match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"{caller.scope}:{self.request_id}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        seat = self._seat(match, caller)
        for answer in self.answers:
            if isinstance(answer, CommandAnswer):
                checked(match, answer)
        update = TableUpdate(match, now)
        if match.seats[seat].stand_in:
            update.dismiss_stand_in(seat)
        refusal = None
        for index, answer in enumerate(self.answers):
            try:
                if update.revision >= self.max_commands:
                    raise MatchTooLong(limit=self.max_commands)
                update.answer(seat, update.command(seat, answer, index))
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
        return self._change(match, caller, seat, update, refusal)

    def _change(
        self,
        match: Match,
        caller: Caller,
        seat: int,
        update: TableUpdate,
        refusal: Refusal | None,
    ) -> Change:
        change = update.to_change()
        outcome = AnswersOutcome(
            match.revision + 1,
            update.revision,
            change.match.version.change_id,
            seat,
            (seat, *[other for other in caller.acting if other != seat]),
            None if refusal is None else (refusal.rule, refusal.code),
        )
        return change.remembering(codec.encode(outcome))

    def _seat(self, match: Match, caller: Caller) -> int:
        """Return the seat whose decision is answered, or raise why it may not be."""
        require_status(Action.SUBMIT_ANSWERS, match)
        for seat, pending in match.pending.items():
            if pending == self.decision_id:
                if seat not in caller.seats:
                    raise NotYourSeat(seat=seat)
                if seat not in caller.acting:
                    raise SeatDelegated(seat=seat)
                return seat
        own = [match.pending[seat] for seat in caller.acting if seat in match.pending]
        raise StaleDecision(decision_id=own[0] if own else "", revision=match.revision)


async def submit(matches: Matches, match_id: str, request: SubmitAnswers) -> SubmittedAnswers:
    """Answer decisions; a repeated request gives what it first came to."""
    done = await act(matches, match_id, request)
    outcome = decode_outcome(done.outcome)
    match, entries = done.match, done.entries
    if match is None:
        current = await matches.current(match_id)
        version = outcome.first, outcome.last, outcome.change_id
        match, entries = await match_after(matches, current, *version)
    return SubmittedAnswers(
        match,
        entries,
        outcome.seat,
        outcome.seats,
        refusal_in(outcome),
        done.replayed,
        done.durability,
    )


def decode_outcome(data: bytes) -> AnswersOutcome:
    """Return what a list of answers came to, or raise ``StoredDataDamaged``."""
    try:
        return _outcome(data)
    except codec.DECODE_ERRORS:
        raise StoredDataDamaged from None


def refusal_in(outcome: AnswersOutcome) -> Refusal | None:
    """Return why the answer after the last applied one was not applied."""
    return None if outcome.refusal is None else Refusal(*outcome.refusal)


@dataclass(frozen=True, slots=True)
class ResignSeat:
    """A seat resigns; to do so again changes nothing."""

    identity: Identity
    seat: int | None
    request_id: str
    fingerprint: bytes

    def authorize(self, match: Match) -> Caller:
        return authorize(Action.RESIGN_SEAT, self.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"{caller.scope}:{self.request_id}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change | None:
        seat = caller.require_owned(match, self.seat)
        require_status(Action.RESIGN_SEAT, match)
        if seat in match.withdrawn.seats:
            return None
        update = TableUpdate(match, now)
        update.do(seat, RESIGN)
        return update.to_change()


class ExplainedCommand(NamedTuple):
    """Whether a command is legal now, and why not."""

    match: Match
    decision_id: str
    refusal: Refusal | None


async def explain(
    matches: Matches, match_id: str, identity: Identity, seat: int | None, given: CommandAnswer
) -> ExplainedCommand:
    """Say whether a seat may answer its pending decision with a command; nothing changes."""
    match = await matches.current(match_id)
    caller = authorize(Action.EXPLAIN_COMMAND, identity, match)
    seat = caller.require_visible(match, seat)
    require_status(Action.EXPLAIN_COMMAND, match)
    command = checked(match, given)
    if match.table is None or not match.pending:
        return ExplainedCommand(match, "", agenda.GAME_OVER)
    if seat not in match.pending:
        return ExplainedCommand(match, "", agenda.NOT_YOUR_DECISION)
    legal = command in match.options(seat)
    refusal = None if legal else refusal_of(match.table, seat, command)
    return ExplainedCommand(match, match.pending[seat], refusal)


_outcome = msgspec.msgpack.Decoder(AnswersOutcome).decode
