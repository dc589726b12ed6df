"""Answers of several steps: what the first steps change, and what their ids say."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from taflhall_engine.kernel.agenda import NOT_OFFERED, options
from taflhall_engine.kernel.drafts import Draft
from taflhall_service.app.access.permissions import Action, CachedCaller
from taflhall_service.app.errors import Malformed, NoSuchOption, StoredDataDamaged
from taflhall_service.app.matches.submit import (
    SubmitAnswers,
    SubmittedAnswers,
    decode_outcome,
    explain,
    half_given,
    submit,
)
from taflhall_service.app.matches.table_update import CommandAnswer
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.tokens import draft_id
from tests.service.requests.matches import FINGERPRINT, GAME, caller, playing, prepared, seat
from tests.service.requests.process import Process


class Splits(NamedTuple):
    """A match in which an answer has several steps."""

    process: Process
    match: Match
    seat: int
    steps: tuple[int, ...]
    """The options of its steps."""

    @property
    def decision(self) -> str:
        return self.match.pending[self.seat]

    def request(self, *answers: int, decision: str = "", request_id: str = "id") -> SubmitAnswers:
        claim = CachedCaller(Action.SUBMIT_ANSWERS, caller("ann"))
        return SubmitAnswers(
            claim, decision or self.decision, request_id, answers, FINGERPRINT, 9999
        )

    async def submit(self, *answers: int, decision: str = "") -> SubmittedAnswers:
        return await submit(
            self.process.matches, "match", self.request(*answers, decision=decision)
        )


@pytest.fixture
async def splits() -> Splits:
    """Both seats are ann's; a bot has answered until an answer had several steps."""
    process = Process()
    await process.hold(playing(seat("ann", bot="random"), seat("ann", bot="random")))
    for _ in range(100):
        match = await process.matches.current("match")
        number = min(match.pending)
        for first in range(len(match.options(number))):
            assert match.table is not None
            draft, steps = Draft(match.table, number), [first]
            while not draft.give(options(draft.table, number)[steps[-1]]):
                steps.append(0)
            if len(steps) > 1:
                process.store.commits.clear()
                return Splits(process, match, number, tuple(steps))
        await process.play_on(1)
    raise AssertionError("every answer had one step")


async def test_the_first_steps_of_an_answer_change_nothing(splits: Splits):
    taken = splits.steps[:-1]
    found = await splits.submit(*taken)
    assert (found.match, list(found.entries), found.applied) == (splits.match, [], len(taken))
    assert splits.process.store.commits == []
    assert found.draft is not None
    assert (found.draft.seat, found.draft.decision_id) == (
        splits.seat,
        draft_id(splits.decision, taken),
    )
    assert found.draft.options == options(found.draft.table, splits.seat)
    last = await splits.submit(splits.steps[-1], decision=found.draft.decision_id)
    assert (last.draft, last.match.revision) == (None, splits.match.revision + 1)


async def test_steps_and_a_list_make_the_same_answer(splits: Splits):
    whole = prepared(splits.request(*splits.steps), splits.match)
    rest = splits.request(splits.steps[-1], decision=draft_id(splits.decision, splits.steps[:-1]))
    by_steps = prepared(rest, splits.match)
    assert by_steps.match.version == whole.match.version
    assert by_steps.fields == whole.fields
    outcomes = [decode_outcome(change.outcome) for change in (whole, by_steps)]
    assert [outcome.applied for outcome in outcomes] == [len(splits.steps), 1]
    assert [outcome.taken for outcome in outcomes] == [(), ()]
    begun = prepared(splits.request(*splits.steps[:-1]), splits.match)
    assert decode_outcome(begun.outcome).taken == splits.steps[:-1]


async def test_the_first_steps_end_a_stand_in(splits: Splits):
    seats = tuple(
        seat("ann", stand_in=number == splits.seat) for number in range(len(splits.match.seats))
    )
    match = splits.match.replaced(seats=seats)
    change = prepared(splits.request(*splits.steps[:-1]), match)
    assert not change.entries
    assert not any(each.stand_in for each in change.match.seats)
    assert change.match.revision == match.revision


async def test_an_id_names_the_first_steps_of_an_answer(splits: Splits):
    whole = draft_id(splits.decision, splits.steps)
    with pytest.raises(Malformed) as malformed:
        await splits.submit(0, decision=whole)
    assert malformed.value.metadata["field"] == "decision_id"
    many = len(splits.match.options(splits.seat))
    with pytest.raises(NoSuchOption):
        await splits.submit(0, decision=draft_id(splits.decision, [many]))
    for taken in (splits.steps, [many]):
        with pytest.raises(Malformed) as malformed:
            half_given(splits.match, splits.seat, taken)
        assert malformed.value.metadata["field"] == "decision_id"
    assert half_given(splits.match, splits.seat, ()).decision_id == splits.decision


async def test_a_list_ends_at_the_first_option_that_there_is_not(splits: Splits):
    change = prepared(splits.request(splits.steps[0], 9999, *splits.steps[1:]), splits.match)
    outcome = decode_outcome(change.outcome)
    assert (outcome.applied, outcome.taken) == (1, splits.steps[:1])
    assert outcome.refusal == ("", NOT_OFFERED.code)


async def test_the_next_step_is_explained(splits: Splits):
    taken = splits.steps[:-1]
    draft = half_given(splits.match, splits.seat, taken)
    given = CommandAnswer(GAME.id, draft.options[splits.steps[-1]])
    found = await explain(
        splits.process.matches, "match", caller("ann"), splits.seat, given, draft.decision_id
    )
    assert (found.decision_id, found.refusal) == (draft.decision_id, None)
    found = await explain(splits.process.matches, "match", caller("ann"), splits.seat, given)
    assert found.decision_id == splits.decision
    assert found.refusal is not None


def test_an_outcome_that_cannot_be_read_is_damaged():
    with pytest.raises(StoredDataDamaged):
        decode_outcome(b"\xc1")
