"""Answers as values: which seat gives them, how far a list goes, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel import agenda
from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.access.permissions import Action, CachedCaller
from taflhall_service.app.errors import NotStarted, Refused
from taflhall_service.app.matches.submit import (
    SubmitAnswers,
    acting_seat,
    decode_outcome,
    explain,
    submit,
)
from taflhall_service.app.matches.table_update import Answer, CommandAnswer, TableUpdate
from taflhall_service.app.model.clocks import Clocks, SeatClock, TimeControl
from taflhall_service.app.model.match import FINISHED, Match
from taflhall_service.app.model.tokens import split_draft
from taflhall_service.app.ports.match_store import Version
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    GAME,
    NOW,
    bot,
    caller,
    deputy,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)
from tests.service.requests.process import Process, whole


def decider(match: Match) -> int:
    [number] = match.pending
    return number


def holder(match: Match) -> str:
    """Return the secret of the seat that has to decide."""
    return match.seats[decider(match)].name.lower()


def submitting(
    match: Match,
    *answers: Answer,
    who: str = "",
    decision: str = "",
    most: int = 20,
) -> SubmitAnswers:
    return SubmitAnswers(
        CachedCaller(Action.SUBMIT_ANSWERS, caller(who or holder(match))),
        decision or match.pending[decider(match)],
        "id",
        answers,
        FINGERPRINT,
        most,
    )


TWO = (seat("ann"), seat("bob"))


def at_revision(match: Match, revision: int) -> Match:
    version = match.version
    return match.replaced(version=Version(revision, version.head, version.change_id))


# ---------------------------------------------------------------- who answers


def test_the_seat_of_the_decision_answers():
    match = playing(*TWO)
    number, decision = decider(match), match.pending[decider(match)]
    request = submitting(match, 0)
    assert acting_seat(match, request.authorize(match), decision) == number
    other = "bob" if holder(match) == "ann" else "ann"
    assert refusal(submitting(match, 0, who=other), match) == ("NotYourSeat", {"seat": str(number)})
    assert refusal(submitting(match, 0, who=CREATOR), match)[0] == "SecretInvalid"


def test_a_holder_whose_deputy_acts_does_not_answer():
    match = playing(seat("ann", deputy=deputy("cy")), seat("bob", deputy=deputy("dee")))
    number = decider(match)
    assert refusal(submitting(match, 0), match) == ("SeatDelegated", {"seat": str(number)})
    prepared(submitting(match, *whole(match, number), who="cy" if number == 0 else "dee"), match)


def test_an_answer_to_another_decision_is_stale():
    match = playing(*TWO)
    stale = submitting(match, 0, decision="0-other")
    expected = {"decision_id": match.pending[decider(match)], "revision": "0"}
    assert refusal(stale, match) == ("StaleDecision", expected)
    other = "bob" if holder(match) == "ann" else "ann"
    stale = submitting(match, 0, who=other, decision="0-other")
    assert refusal(stale, match) == ("StaleDecision", {"decision_id": "", "revision": "0"})
    both = match.replaced(seats=(seat("ann"), seat("ann")), pending={1: "1-one", 0: "1-nought"})
    stale = submitting(match, 0, who="ann", decision="0-other")
    assert refusal(stale, both) == ("StaleDecision", {"decision_id": "1-nought", "revision": "0"})
    over = match.replaced(status=FINISHED)
    assert refusal(submitting(match, 0), over)[0] == "MatchOver"
    assert refusal(submitting(match, 0), open_match(*TWO).replaced(seats=match.seats)) == (
        "NotStarted",
        {"match_id": "match"},
    )


# ---------------------------------------------------------------- options


def test_an_option_is_one_of_those_that_the_decision_has():
    match = playing(*TWO)
    count = len(match.options(decider(match)))
    update = TableUpdate(match, NOW)
    legal = match.options(decider(match))
    assert update.command(decider(match), 0, 0) is legal[0]
    assert update.command(decider(match), count - 1, 0) is legal[-1]
    for option in (-1, count):
        refused = refusal(submitting(match, option), match)
        assert refused == ("NoSuchOption", {"option": str(option), "options": str(count)})


def test_a_seat_that_is_not_asked_commands_nothing():
    match = playing(*TWO)
    for pending, expected in ((match.pending, agenda.NOT_YOUR_DECISION), ({}, agenda.GAME_OVER)):
        update = TableUpdate(match.replaced(pending=pending), NOW)
        with pytest.raises(Refused) as refused:
            update.command(1 - decider(match), 0, 3)
        assert refused.value.metadata["refusal"] == expected.code
        assert refused.value.metadata["index"] == "3"


def test_a_command_in_full_is_one_of_the_options_or_refused():
    match = playing(*TWO)
    legal = match.options(decider(match))
    update = TableUpdate(match, NOW)
    given = CommandAnswer(GAME.id, legal[0])
    assert update.command(decider(match), given, 0) == legal[0]
    wrong = CommandAnswer(GAME.id, agenda.Command())
    assert refusal(submitting(match, wrong), match)[0] == "IllegalCommand"


def test_every_command_of_a_list_is_of_the_game_or_none_is_given():
    match = playing(*TWO)
    foreign = CommandAnswer("yggdrasil", match.options(decider(match))[0])
    refused = refusal(submitting(match, *whole(match, decider(match)), foreign), match)
    assert refused == ("WrongGame", {"game": "champions", "found": "yggdrasil"})


# ---------------------------------------------------------------- lists


def test_a_list_ends_where_another_seat_decides():
    match = playing(*TWO)
    answers = whole(match, decider(match))
    change = prepared(submitting(match, *answers, 9999), match)
    outcome = decode_outcome(change.outcome)
    assert (outcome.first, outcome.last, outcome.applied) == (1, 1, len(answers))
    assert outcome.refusal == (agenda.NOT_YOUR_DECISION.rule, agenda.NOT_YOUR_DECISION.code)
    assert len(change.entries) == 1
    assert refusal(submitting(match, 9999, *answers), match)[0] == "NoSuchOption"


def test_a_match_has_as_many_commands_as_it_may():
    match = playing(*TWO)
    answers = whole(match, decider(match))
    for revision, left in ((19, True), (20, False), (21, False)):
        old = at_revision(match, revision)
        if left:
            assert prepared(submitting(match, *answers), old).match.revision == 20
        else:
            refused = refusal(submitting(match, *answers), old)
            assert refused == ("MatchTooLong", {"limit": "20"})
    change = prepared(submitting(match, *answers, 0), at_revision(match, 19))
    assert decode_outcome(change.outcome).refusal is not None


def test_an_outcome_says_where_the_answers_are_and_who_gave_them():
    match = playing(seat("ann"), seat("ann"))
    number = decider(match)
    change = prepared(submitting(match, *whole(match, number)), match)
    outcome = decode_outcome(change.outcome)
    assert outcome.change_id == match.version.change_id
    assert (outcome.seat, outcome.seats) == (number, (number, 1 - number))
    assert (outcome.refusal, outcome.taken) == (None, ())


def test_answers_end_the_stand_in_of_their_seat():
    terms = TimeControl(60_000)
    match = playing(seat("ann"), seat("bob"), clock=terms)
    number = decider(match)
    seats = tuple(seat(name, stand_in=number == n) for n, name in enumerate(("ann", "bob")))
    clocks = Clocks(tuple(SeatClock(60_000, stand_in=number == n) for n in range(2)))
    match = match.replaced(seats=seats, clocks=clocks)
    change = prepared(submitting(match, *whole(match, number)), match)
    assert not any(each.stand_in for each in change.match.seats)
    assert {"seats", "clocks", "deadline"} <= change.fields.keys()
    assert change.match.version.change_count == match.version.change_count + 1
    assert decode_outcome(change.outcome).change_id == change.match.version.change_id


# ---------------------------------------------------------------- explain


async def explained(match: Match, who: str, given: Any, **more: Any) -> Any:
    process = Process()
    await process.hold(match)
    return await explain(
        process.matches, "match", caller(who), more.pop("seat", None), given, **more
    )


async def test_why_a_command_is_illegal_is_explained():
    match = playing(*TWO)
    number, legal = decider(match), match.options(decider(match))
    given = CommandAnswer(GAME.id, legal[0])
    found = await explained(match, holder(match), given)
    assert (found.decision_id, found.refusal) == (match.pending[number], None)
    wrong = CommandAnswer(GAME.id, agenda.Command())
    assert (await explained(match, holder(match), wrong)).refusal.code == "not_pending"
    other = "bob" if holder(match) == "ann" else "ann"
    found = await explained(match, other, given)
    assert (found.decision_id, found.refusal) == ("", agenda.NOT_YOUR_DECISION)
    over = match.replaced(pending={}, status=FINISHED)
    found = await explained(over, holder(match), given)
    assert (found.decision_id, found.refusal) == ("", agenda.GAME_OVER)
    decision = match.pending[number]
    found = await explained(match, holder(match), given, decision_id=decision)
    assert (split_draft(found.decision_id)[0], found.refusal) == (decision, None)
    found = await explained(match, holder(match), wrong, decision_id=decision)
    assert found.refusal.code == "not_pending"


@pytest.mark.parametrize(
    ("who", "number", "error"),
    [("ann", 1, "NotYourSeat"), ("ann", 2, "UnknownSeat"), ("eve", None, "SecretInvalid")],
)
async def test_only_a_player_of_the_seat_has_a_command_explained(who, number, error):
    match = playing(*TWO)
    given = CommandAnswer(GAME.id, match.options(decider(match))[0])
    with pytest.raises(Refused) as refused:
        await explained(match, who, given, seat=number)
    assert type(refused.value).__name__ == error
    process = Process()
    await process.hold(match)
    with pytest.raises(Refused) as refused:
        await explain(process.matches, "match", ANONYMOUS, None, given)
    assert type(refused.value).__name__ == "SecretMissing"


async def test_nothing_is_explained_before_the_start():
    process = Process()
    await process.hold(open_match(*TWO))
    given = CommandAnswer(GAME.id, agenda.Command())
    with pytest.raises(NotStarted):
        await explain(process.matches, "match", caller("ann"), None, given)


async def test_answers_are_submitted_once():
    process = Process()
    match = await process.hold(playing(*TWO))
    request = submitting(match, *whole(match, decider(match)))
    first = await submit(process.matches, "match", request)
    assert (first.replayed, first.refusal, first.draft) == (False, None, None)
    assert first.match is process.matches.cached("match")
    assert [entry.revision for entry in first.entries] == [1]
    again = await submit(process.matches, "match", request)
    assert (again.replayed, again.match.version) == (True, first.match.version)
    assert [entry.revision for entry in again.entries] == [1]
    assert (again.seat, again.seats, again.applied) == (first.seat, first.seats, first.applied)


async def test_the_refusal_of_an_answer_is_remembered():
    process = Process()
    match = await process.hold(playing(*TWO))
    request = submitting(match, *whole(match, decider(match)), 9999)
    found = [(await submit(process.matches, "match", request)).refusal for _ in range(2)]
    assert found == [agenda.NOT_YOUR_DECISION] * 2


async def test_the_bots_of_a_match_give_whole_answers():
    process = Process()
    await process.hold(playing(bot("A"), bot("B")))
    assert (await process.play_on(3)).revision == 3
