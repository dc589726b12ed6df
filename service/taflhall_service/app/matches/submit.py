"""Use cases of a seat: answer decisions, resign, explain why a command is illegal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from taflhall_engine.kernel import agenda
from taflhall_engine.kernel.agenda import Command, Refusal, Table
from taflhall_engine.kernel.drafts import Draft
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
    Malformed,
    MatchTooLong,
    NotYourSeat,
    Refused,
    SeatDelegated,
    StaleDecision,
    StoredDataDamaged,
)
from taflhall_service.app.matches.past import match_after
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
from taflhall_service.app.model.tokens import draft_id, split_draft
from taflhall_service.app.ports.match_store import Durability


class AnswersOutcome(msgspec.Struct, frozen=True, array_like=True):
    """Outcome of a list of answers, as stored for its request id."""

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
    applied: int
    """How many of the given answers were applied, each step of one counted."""
    taken: tuple[int, ...] = ()
    """The options that the steps of a last, half-given answer took."""


class SubmittedAnswers(NamedTuple):
    """Outcome of a list of answers, now or when it was first submitted."""

    match: Match
    """The match after the last answer that was applied."""
    entries: Sequence[Entry]
    seat: int
    seats: tuple[int, ...]
    refusal: Refusal | None
    applied: int
    draft: HalfGiven | None
    replayed: bool
    durability: Durability


class HalfGiven(NamedTuple):
    """An answer of several steps that lacks its last ones; it belongs to its seat alone.

    It is not stored: the id of its next decision encodes the options taken.
    """

    seat: int
    decision_id: str
    """The id under which the next step is given."""
    table: Table
    """The table as the seat sees it."""
    options: Sequence[Command[Any]]
    """The legal next steps."""


class Played(msgspec.Struct, frozen=True):
    """Answers that were carried out on a copy of the match."""

    seat: int
    update: TableUpdate
    applied: int
    refusal: Refusal | None


class SubmitAnswers(msgspec.Struct, frozen=True):
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
        return caller.key(self.request_id)

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        played = self.play(match, caller, now)
        if played.update.entries or match.seats[played.seat].stand_in:
            change = played.update.to_change()
        else:
            change = Change(match, {})  # the answers only begin, or continue, an answer
        outcome = self._outcome(match, caller, played, change.match.version.change_id)
        return change.remembering(codec.encode(outcome))

    def play(self, match: Match, caller: Caller, now: Moment) -> Played:
        """Carry the answers out on a copy, or raise why the first of them is refused."""
        decision, taken = split_draft(self.decision_id)
        seat = acting_seat(match, caller, decision)
        for answer in self.answers:
            if isinstance(answer, CommandAnswer):
                checked(match, answer)
        update = TableUpdate(match, now)
        if match.seats[seat].stand_in:
            update.dismiss_stand_in(seat)
        for option in taken:
            if update.answer(seat, update.command(seat, option, 0)):
                raise Malformed(field="decision_id", expected="the id of a decision")
        applied, refusal = 0, None
        for answer in self.answers:
            try:
                if update.revision >= self.max_commands:
                    raise MatchTooLong(limit=self.max_commands)
                update.answer(seat, update.command(seat, answer, applied))
            except IllegalCommand as refused:
                if not applied:
                    raise
                refusal = refused.refusal
                break
            except Refused:
                if not applied:
                    raise
                refusal = agenda.NOT_OFFERED
                break
            applied += 1
        return Played(seat, update, applied, refusal)

    def _outcome(
        self, match: Match, caller: Caller, played: Played, change_id: int
    ) -> AnswersOutcome:
        seat, refusal = played.seat, played.refusal
        return AnswersOutcome(
            match.revision + 1,
            played.update.revision,
            change_id,
            seat,
            (seat, *[other for other in caller.acting if other != seat]),
            None if refusal is None else (refusal.rule, refusal.code),
            played.applied,
            tuple(played.update.taken),
        )


def acting_seat(match: Match, caller: Caller, decision: str) -> int:
    """Return the seat whose decision *caller* answers, or raise why it may not be answered."""
    require_status(Action.SUBMIT_ANSWERS, match)
    for seat, pending in match.pending.items():
        if pending == decision:
            if seat not in caller.seats:
                raise NotYourSeat(seat=seat)
            if seat not in caller.acting:
                raise SeatDelegated(seat=seat)
            return seat
    own = [match.pending[seat] for seat in caller.acting if seat in match.pending]
    raise StaleDecision(decision_id=own[0] if own else "", revision=match.revision)


async def submit(matches: Matches, match_id: str, request: SubmitAnswers) -> SubmittedAnswers:
    """Answer decisions; a repeated request returns the first outcome."""
    done = await act(matches, match_id, request)
    outcome = decode_outcome(done.outcome)
    match, entries = done.match, done.entries
    if match is None:
        current = await matches.current(match_id)
        version = outcome.first, outcome.last, outcome.change_id
        match, entries = await match_after(matches.store, current, *version)
    return SubmittedAnswers(
        match,
        entries,
        outcome.seat,
        outcome.seats,
        refusal_in(outcome),
        outcome.applied,
        half_given(match, outcome.seat, outcome.taken) if outcome.taken else None,
        done.replayed,
        done.durability,
    )


def draft_of(match: Match, caller: Caller, decision_id: str) -> HalfGiven:
    """Return the half-given answer of *caller* that an id names, or raise why it is invalid."""
    decision, taken = split_draft(decision_id)
    seat = acting_seat(match, caller, decision)
    return half_given(match, seat, taken)


def half_given(match: Match, seat: int, taken: Sequence[int]) -> HalfGiven:
    """Return the answer of *seat* whose steps so far took the options *taken*.

    Raise ``Malformed`` if the steps are invalid.
    """
    assert match.table is not None
    draft = Draft(match.table, seat)
    for option in taken:
        legal = agenda.options(draft.table, seat)
        if option >= len(legal) or draft.give(legal[option]):
            raise Malformed(field="decision_id", expected="the id of a decision")
    decision = draft_id(match.pending[seat], taken)
    return HalfGiven(seat, decision, draft.table, agenda.options(draft.table, seat))


def decode_outcome(data: bytes) -> AnswersOutcome:
    """Return the outcome of a list of answers, or raise ``StoredDataDamaged``."""
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
        return caller.key(self.request_id)

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
    matches: Matches,
    match_id: str,
    identity: Identity,
    seat: int | None,
    given: CommandAnswer,
    decision_id: str = "",
) -> ExplainedCommand:
    """Say whether a seat may answer its pending decision with a command; nothing changes.

    With *decision_id* it is that decision, which may be a later step of an answer.
    """
    match = await matches.current(match_id)
    caller = authorize(Action.EXPLAIN_COMMAND, identity, match)
    seat = caller.require_visible(match, seat)
    require_status(Action.EXPLAIN_COMMAND, match)
    command = checked(match, given)
    if match.table is None or not match.pending:
        return ExplainedCommand(match, "", agenda.GAME_OVER)
    if seat not in match.pending:
        return ExplainedCommand(match, "", agenda.NOT_YOUR_DECISION)
    if decision_id:
        draft = draft_of(match, caller, decision_id)
        legal = command in draft.options
        refusal = None if legal else refusal_of(draft.table, draft.seat, command)
        return ExplainedCommand(match, draft.decision_id, refusal)
    legal = command in match.options(seat)
    refusal = None if legal else refusal_of(match.table, seat, command)
    return ExplainedCommand(match, match.pending[seat], refusal)


_outcome = msgspec.msgpack.Decoder(AnswersOutcome).decode
