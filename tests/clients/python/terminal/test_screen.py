"""What the screen shows of a match."""

from dataclasses import replace

import pytest

from taflhall_client.results import Proposal, Reaction, SeatPresence, SeatReaction
from taflhall_client.terminal.play.screen import Screen
from taflhall_client.terminal.play.session import Report, TableInfo
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Resigned
from tests.clients.python.terminal.fakes import NAMES, first_decision


@pytest.fixture
def screen():
    return Screen(registry.game("yggdrasil"), "en", (0, 1))


def later(report, decision_id, revision):
    [decision] = report.decisions
    return replace(
        report, revision=revision, decisions=[replace(decision, decision_id=decision_id)]
    )


def test_our_decision_is_offered_by_numbers_with_headings(screen):
    screen.apply(first_decision())
    assert [offer.number for offer in screen.offers] == [*range(1, len(screen.offers) + 1)]
    offer = screen.offers[0]
    assert offer.text == f"{offer.heading}: {offer.short}" if offer.heading else offer.short
    assert screen.status.startswith("Ann decides, rule YG-") or screen.status.startswith("Bob")


def test_what_is_impossible_now_is_listed_last_with_its_reason():
    screen = Screen(registry.game("champions"), "en", (0, 1))
    screen.apply(first_decision("champions"))
    refused = [offer for offer in screen.offers if offer.refusal is not None]
    assert refused == screen.offers[len(screen.offers) - len(refused) :]
    for offer in refused:
        assert offer.refusal is not None
        assert screen.texts.rule(offer.refusal.rule)
        screen.select(offer.number)
        assert screen.detail is not None
        assert screen.detail.paragraphs[0].startswith(f"not allowed, rule {offer.refusal.rule}")


def test_a_decision_of_another_is_waited_for():
    screen = Screen(registry.game("yggdrasil"), "en")
    screen.apply(first_decision())
    assert screen.decision is None
    assert screen.status.startswith("Waiting for ")


def test_a_decision_that_ends_without_our_answer_is_noticed(screen):
    screen.apply(first_decision())
    screen.apply(later(first_decision(), "2", 1))
    assert "decided in the meantime" in screen.notice
    assert screen.decision.decision_id == "2"


def test_our_own_answer_is_no_surprise(screen):
    screen.apply(first_decision())
    screen.answering = "1"
    screen.apply(later(first_decision(), "2", 1))
    assert screen.notice == ""


def test_in_the_middle_of_an_answer_the_first_step_is_not_asked_again(screen):
    screen.apply(first_decision())
    screen.answering = "1"
    screen.steps.append("the first step")
    screen.apply(later(first_decision(), "1.0", 0))
    assert screen.steps == ["the first step"]
    screen.apply(first_decision())
    assert screen.decision.decision_id == "1.0"
    screen.apply(replace(first_decision(), rewound=True))
    assert screen.decision.decision_id == "1"
    assert screen.steps == []


def test_reports_that_came_late_change_nothing(screen):
    screen.apply(later(first_decision(), "5", 5))
    screen.apply(later(first_decision(), "4", 4))
    assert (screen.revision, screen.decision.decision_id) == (5, "5")


def test_what_happens_is_logged_with_its_rule_and_lost_history_is_removed(screen):
    screen.apply(replace(first_decision(), revision=3, events=[Resigned("", 1)]))
    assert screen.log[-1].revision == 3
    assert "Bob" in screen.log[-1].text
    screen.apply(replace(first_decision(), revision=2, rewound=True))
    assert screen.log == []


def test_presence_and_reactions_are_told(screen):
    screen = Screen(registry.game("yggdrasil"), "de", (0,))
    screen.apply(first_decision())
    screen.apply(Report(0, presence=[SeatPresence(1, False, None)]))
    screen.apply(Report(0, presence=[SeatPresence(1, True, None)]))
    screen.apply(Report(0, reaction=SeatReaction(1, Reaction.HELLO)))
    assert [line.text for line in screen.log] == ["Bob ist da", "Bob: Hallo!"]


def test_a_proposal_that_needs_our_consent_is_a_question(screen):
    asked = Proposal("p", 1, None, [1], [0])
    screen.apply(Report(0, info=TableInfo(NAMES, proposal=asked)))
    assert "Bob proposes to abandon" in screen.question
    assert "do you agree?" in screen.question
    assert screen.proposal is asked


def test_a_shared_screen_is_covered_when_the_seat_changes():
    screen = Screen(registry.game("champions"), "en", (0, 1), shared=True)
    screen.apply(first_decision("champions"))
    assert screen.covered


def test_moving_the_selection_stays_within_the_offers(screen):
    screen.apply(first_decision())
    screen.move_selection(-1)
    assert screen.selected == len(screen.offers)
    screen.move_selection(1)
    assert screen.selected == len(screen.offers)
    for _ in screen.offers:
        screen.move_selection(-1)
    assert screen.selected == 1
