"""What is typed, chosen and asked for is carried out once, and explained."""

import pytest

from taflhall_client import errors
from taflhall_client.results import Proposal
from taflhall_client.terminal.play.controller import Controller
from taflhall_client.terminal.play.screen import Screen
from taflhall_client.terminal.play.session import Impossible, Report, TableInfo
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.setups import from_text
from tests.clients.python.terminal.fakes import (
    NAMES,
    FakeSession,
    decision_of,
    first_decision,
)


class Play:
    """A screen with its controller before a session without a match."""

    def __init__(self, name="yggdrasil", language="en"):
        game = registry.game(name)
        self.session = FakeSession(game)
        self.screen = Screen(game, language, (0, 1))
        self.controller = Controller(self.session, self.screen, again_seconds=0.0)
        report = first_decision(name)
        self.screen.apply(report)
        self.session.view = report.view

    @property
    def answers(self):
        return [wish for wish in self.session.asked if wish[0] == "answer"]


@pytest.fixture
def play():
    return Play()


async def test_a_number_answers(play):
    await play.controller.enter("1")
    [(_, decision, choice, _)] = play.answers
    assert (decision, choice) == ("1", play.screen.decision.options[0])


async def test_an_answer_is_not_given_twice(play):
    await play.controller.enter("1")
    await play.controller.enter("1")
    await play.controller.choose(2)
    assert len(play.answers) == 1


async def test_an_answer_with_an_unknown_outcome_is_sent_again_with_the_same_request_id(play):
    play.session.failures = [errors.Unreachable("cut"), errors.TimedOut("late")]
    await play.controller.enter("1")
    assert len(play.answers) == 3
    assert len(set(play.answers)) == 1


async def test_after_a_refusal_another_answer_may_be_given(play):
    play.session.failures = [Impossible("no")]
    await play.controller.enter("1")
    assert play.screen.notice == "no"
    assert play.screen.steps == []
    await play.controller.enter("1")
    assert len(play.answers) == 2


async def test_enter_alone_answers_only_what_is_looked_at(play):
    await play.controller.enter("")
    assert play.answers == []
    play.screen.move_selection(1)
    await play.controller.enter("")
    assert len(play.answers) == 1


async def test_a_command_in_notation_answers_and_a_refused_one_is_explained():
    play = Play("champions")
    refused = next((o for o in play.screen.offers if o.refusal is not None), None)
    await play.controller.enter("beg")
    assert play.answers == []
    assert play.screen.notice.startswith("not allowed, rule ")
    assert refused is None or play.screen.offers


async def test_why_explains_by_number(play):
    await play.controller.enter("why 1")
    assert play.screen.notice == "that is allowed"
    assert play.screen.detail.title == play.screen.offers[0].text
    await play.controller.enter("why 999")
    assert play.screen.notice == "there is no option 999"


async def test_rules_are_found_by_any_spelling_and_by_words(play):
    await play.controller.enter("rule yg 7.2")
    assert play.screen.detail.title == "YG-7.2"
    await play.controller.enter("rules Valkyries")
    assert any("Valkyries" in line for line in play.screen.detail.paragraphs)
    await play.controller.enter("rule 99.9")
    assert play.screen.notice == "there is no rule 99.9"


async def test_a_card_shows_what_is_printed_and_its_rules(play):
    await play.controller.enter("card thor")
    [card] = play.screen.detail.cards
    assert (card.name, card.rules[0][0]) == ("Thor", "YG-10.2")


async def test_resigning_asks_first(play):
    await play.controller.enter("resign")
    assert "really" in play.screen.question
    assert play.session.asked == []
    await play.controller.enter("no")
    assert play.session.asked == []
    await play.controller.enter("resign")
    await play.controller.enter("yes")
    assert play.session.asked == [("resign", play.screen.decision.seat)]


async def test_a_yes_that_nobody_asked_for_does_nothing(play):
    await play.controller.enter("yes")
    assert play.session.asked == []
    assert play.screen.notice == "nobody has asked you anything"


async def test_a_proposal_is_answered(play):
    asked = Proposal("p", 1, None, [1], [0])
    play.screen.apply(Report(0, info=TableInfo(NAMES, proposal=asked)))
    await play.controller.enter("y")
    assert play.session.asked == [("respond", True, asked)]


async def test_earlier_tables_are_asked_for_once(play):
    play.screen.revision = 3
    await play.controller.step(-1)
    assert play.screen.past.revision == 2
    assert "revision 2 of 3" in play.screen.status
    await play.controller.step(1)
    assert play.screen.past is None
    await play.controller.step(-1)
    assert play.session.asked == [("past", 2)]


async def test_the_help_has_the_notation_of_what_is_offered(play):
    await play.controller.enter("help")
    assert "Notation of what is offered now: " in play.screen.detail.paragraphs[-1]
    assert any(line.startswith("undo") for line in play.screen.detail.paragraphs)


async def test_undo_save_and_reactions_reach_the_session(play):
    for line in ("undo", "save file.json", "say well played"):
        await play.controller.enter(line)
    assert [wish[0] for wish in play.session.asked] == ["undo", "save", "react"]
    await play.controller.enter("say boo")
    assert "well_played" in play.screen.notice


async def test_q_leaves(play):
    await play.controller.enter("q")
    assert play.controller.wants_to_leave


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("champions", ["Ann: 4", "  destinies: 2 (CM-12.2)"]),
        ("ice_garden", ["Ann: 0"]),
        ("yggdrasil", ["YG-11.2: "]),
    ],
)
async def test_the_score_if_the_match_ended_now_is_shown_by_line_with_rules(name, shown):
    play = Play(name)
    table = play.session.game.new(from_text(play.session.game, ["seats=2"]), FastChance(1))
    for _ in range(2):  # in Champions of Midgard the leaders are chosen
        [seat] = asked(table)
        apply(table, seat, options(table, seat)[0])
    play.screen.apply(decision_of(play.session.game, table))
    await play.controller.enter("score")
    assert play.screen.detail is not None
    paragraphs = play.screen.detail.paragraphs
    for wanted in shown:
        assert any(line.startswith(wanted) for line in paragraphs), paragraphs
