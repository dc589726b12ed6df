"""CM-17.4 Of several reasons to refuse an answer, the first of the list is given."""

import pytest

from taflhall_engine.champions.ids import (
    EFFECTS,
    GIFTS,
    GLORY,
    KNOWLEDGE,
    LEADERS,
    RUNES,
    SUCCESS,
    WEALTH,
)
from taflhall_engine.champions.rules.blame import Blame, TrollBlame
from taflhall_engine.champions.rules.casualties import Casualties, Lose, UseHealing
from taflhall_engine.champions.rules.combat import GloryRune, UseGloryRune
from taflhall_engine.champions.rules.market import MarketExchange
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.runes import ActivateGifts, ActivateRune, ActivateSuccess
from taflhall_engine.champions.rules.sage import (
    KeepCard,
    KeepDestiny,
    TrueVision,
    UseTrueVision,
)
from taflhall_engine.champions.rules.setup import ChooseLeader, TakeLeader
from taflhall_engine.champions.rules.shores import (
    JourneyLoss,
    JourneyRune,
    LoseOnBoard,
    Starvation,
    Starve,
    UseJourneyRune,
)
from taflhall_engine.champions.rules.warriors import Keep, KeepWarriors
from taflhall_engine.kernel.agenda import options
from tests.engine.champions.refusals import at, code, rule
from tests.engine.champions.tables import new


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (ActivateRune(-1), "bad_argument"),
        (ActivateRune(len(RUNES)), "bad_argument"),
        (ActivateRune(GIFTS), "bad_argument"),
        (ActivateRune(SUCCESS), "bad_argument"),
        (ActivateRune(GLORY), "rune_unavailable"),
        (ActivateRune(KNOWLEDGE), "rune_unavailable"),
        (ActivateRune(WEALTH), "rune_unavailable"),
        (ActivateGifts(-1, 5, 0), "bad_argument"),
        (ActivateGifts(5, -1, 0), "bad_argument"),
        (ActivateGifts(5, 0, -1), "bad_argument"),
        (ActivateGifts(1, 1, 1), "bad_argument"),
        (ActivateGifts(5, 0, 0), "bad_argument"),
        (ActivateGifts(0, 4, 0), "rune_unavailable"),
        (ActivateGifts(4, 0, 0), "rune_unavailable"),
        (ActivateGifts(0, 0, 4), "rune_unavailable"),
        (ActivateSuccess(-1), "bad_argument"),
        (ActivateSuccess(12), "bad_argument"),
        (ActivateSuccess(0), "not_owned"),
        (ActivateSuccess(11), "not_owned"),
        (ActivateSuccess(3), "rune_unavailable"),
    ],
    ids=repr,
)
def test_14_2_a_free_rune_is_refused_for_its_argument_before_the_rune(command, expected):
    s = at(PlaceWorker(0))
    s.clans[0].destinies = [3]
    assert code(s, command) == expected


def test_14_2_a_bound_rune_is_not_used_as_a_free_one():
    s = at(PlaceWorker(0))
    s.clans[0].runes = 1 << GLORY | 1 << WEALTH | 1 << GIFTS | 1 << SUCCESS
    s.clans[0].destinies = [0, 11]
    assert code(s, ActivateRune(GLORY)) == "wrong_window"
    assert code(s, ActivateRune(GIFTS)) == "bad_argument"
    assert code(s, ActivateRune(WEALTH)) == ""
    assert code(s, ActivateSuccess(0)) == code(s, ActivateSuccess(11)) == ""
    assert rule(s, ActivateGifts(1, 1, 1)) == "CM-17.2"
    assert [c for c in options(s, 0) if isinstance(c, ActivateGifts)] == [
        ActivateGifts(food, wood, 4 - food - wood) for food in range(5) for wood in range(5 - food)
    ]


def test_14_1_without_a_free_rune_none_is_offered():
    s = at(PlaceWorker(0))
    s.clans[0].runes = 1 << GLORY
    s.clans[0].destinies = [0]
    kinds = {type(c).__name__ for c in options(s, 0)}
    assert not kinds & {"ActivateRune", "ActivateGifts", "ActivateSuccess"}


def test_3_8_a_leader_must_exist_and_be_free():
    s = new(seats=2, start_seat=0)
    s.agenda = [ChooseLeader(0)]
    s.clans[1].leader = 2
    assert code(s, TakeLeader(2)) == "not_eligible"
    assert code(s, TakeLeader(-1)) == code(s, TakeLeader(len(LEADERS))) == "bad_argument"
    assert code(s, TakeLeader(0)) == code(s, TakeLeader(4)) == ""


@pytest.mark.parametrize(
    ("keep", "expected", "cited"),
    [
        ((2, 0, 1), "", ""),
        ((1, 1, 1), "", ""),
        ((-1, 1, 3), "bad_argument", "CM-17.4"),
        ((3, -1, 1), "bad_argument", "CM-17.4"),
        ((3, 1, -1), "bad_argument", "CM-17.4"),
        ((3, 0, 0), "bad_argument", "CM-5.20"),
        ((1, 2, 0), "bad_argument", "CM-5.20"),
        ((0, 0, 3), "bad_argument", "CM-5.20"),
        ((1, 1, 0), "bad_argument", "CM-17.2"),
        ((2, 1, 1), "bad_argument", "CM-17.2"),
    ],
)
def test_5_20_exactly_as_many_of_the_offered_warriors_as_fit_are_kept(keep, expected, cited):
    s = at(KeepWarriors(0))
    s.offer, s.clans[0].warriors = [2, 1, 2], [5, 0, 0]
    assert code(s, Keep(*keep)) == expected
    assert not expected or rule(s, Keep(*keep)) == cited


def test_10_2_blame_goes_to_another_seat_or_to_nobody():
    s = at(TrollBlame(0), seats=3)
    assert [c for c in options(s, 0) if isinstance(c, Blame)] == [
        Blame(False, -1),
        Blame(False, 1),
        Blame(False, 2),
    ]
    assert code(s, Blame(True, -1)) == "not_owned"
    assert code(s, Blame(True, 3)) == code(s, Blame(True, -2)) == "bad_argument"
    assert code(s, Blame(True, 0)) == "bad_argument"
    assert rule(s, Blame(False, 0)) == "CM-10.2"
    s.clans[0].blame = 1
    assert code(s, Blame(True, -1)) == code(s, Blame(True, 2)) == ""


LOSSES = [
    ((1, 1, 0), ""),
    ((0, 1, 1), ""),
    ((-1, 1, 2), "bad_argument"),
    ((3, -1, 0), "bad_argument"),
    ((3, 0, -1), "bad_argument"),
    ((3, 0, 0), "bad_argument"),
    ((1, 0, 0), "bad_argument"),
    ((2, 0, 0), "not_owned"),
    ((0, 2, 0), "not_owned"),
    ((0, 0, 2), "not_owned"),
]


@pytest.mark.parametrize(("lost", "expected"), LOSSES)
def test_8_7_and_9_5_the_owner_loses_exactly_as_many_of_those_who_are_there(lost, expected):
    for decision, command in [(Casualties(0, 2), Lose(*lost)), (Starvation(0, 2), Starve(*lost))]:
        s = at(decision)
        s.post, s.post_seat[4] = 4, 0
        s.crew[12:15] = [1, 1, 1]
        s.clans[0].warriors = [4, 4, 4]
        assert code(s, command) == expected
        if expected == "bad_argument":
            assert rule(s, command) == ("CM-17.4" if min(lost) < 0 else "CM-17.2")


@pytest.mark.parametrize(
    ("effect", "lost", "expected"),
    [
        ("lose_2_items", (2, 0, 0, 0), ""),
        ("lose_2_items", (1, 0, 0, 1), ""),
        ("lose_2_items", (-1, 3, 0, 0), "bad_argument"),
        ("lose_2_items", (3, -1, 0, 0), "bad_argument"),
        ("lose_2_items", (3, 0, -1, 0), "bad_argument"),
        ("lose_2_items", (3, 0, 0, -1), "bad_argument"),
        ("lose_2_items", (1, 0, 0, 0), "bad_argument"),
        ("lose_2_items", (0, 2, 0, 0), "not_owned"),
        ("lose_1_food", (1, 0, 0, 0), ""),
        ("lose_1_food", (0, 1, 0, 0), "bad_argument"),
        ("lose_1_food", (1, 1, 0, 0), "bad_argument"),
        ("lose_1_warrior", (1, 0, 0, 0), "bad_argument"),
        ("lose_1_warrior", (0, 0, 1, 0), ""),
        ("lose_1_food_or_1_warrior", (1, 0, 0, 0), ""),
        ("lose_1_food_or_1_warrior", (0, 0, 0, 1), ""),
        ("lose_1_food_or_1_warrior", (1, 0, 0, 1), "bad_argument"),
    ],
)
def test_9_4_the_journey_takes_exactly_its_number_of_the_kinds_it_names(effect, lost, expected):
    s = at(JourneyLoss(0, EFFECTS.index(effect)))
    s.post, s.post_seat[4], s.rations[4] = 4, 0, 2
    s.crew[12:15] = [1, 1, 1]
    assert code(s, LoseOnBoard(*lost)) == expected


def test_9_4_a_kind_that_the_journey_does_not_take_is_refused_by_9_3():
    s = at(JourneyLoss(0, EFFECTS.index("lose_1_food")))
    s.post, s.post_seat[4], s.rations[4] = 4, 0, 2
    s.crew[12:15] = [1, 1, 1]
    assert rule(s, LoseOnBoard(0, 1, 0, 0)) == "CM-9.3"
    assert rule(s, LoseOnBoard(1, 1, 0, 0)) == "CM-9.3"
    assert rule(s, LoseOnBoard(2, 0, 0, 0)) == "CM-17.2"
    assert rule(s, LoseOnBoard(-1, 0, 0, 0)) == "CM-17.4"
    s.agenda = [JourneyLoss(0, EFFECTS.index("lose_1_warrior"))]
    assert rule(s, LoseOnBoard(1, 0, 0, 0)) == "CM-9.3"


@pytest.mark.parametrize(
    ("decision", "command"),
    [
        (TrueVision(0), UseTrueVision(True)),
        (GloryRune(0), UseGloryRune(True)),
        (JourneyRune(0), UseJourneyRune(True)),
    ],
    ids=repr,
)
def test_14_1_a_window_without_the_rune_admits_only_no(decision, command):
    s = at(decision)
    s.clans[0].runes_used = (1 << len(RUNES)) - 1
    assert code(s, command) == "rune_unavailable"
    assert code(s, type(command)(False)) == ""


def test_14_5_healing_needs_the_rune():
    s = at(Casualties(0, 1))
    s.post, s.post_seat[0] = 0, 0
    s.crew[0:3] = [1, 1, 0]
    s.clans[0].warriors = [1, 1, 0]
    assert code(s, UseHealing()) == "rune_unavailable"


def test_5_10_only_a_drawn_destiny_is_kept():
    s = at(KeepDestiny(0))
    s.drawn = [0, 11]
    assert code(s, KeepCard(0)) == code(s, KeepCard(11)) == ""
    assert code(s, KeepCard(-1)) == code(s, KeepCard(12)) == code(s, KeepCard(5)) == "bad_argument"
    assert rule(s, KeepCard(5)) == "CM-5.10"
    assert rule(s, KeepCard(-1)) == rule(s, KeepCard(12)) == "CM-17.4"


def test_17_1_a_command_of_another_decision_is_not_pending():
    for decision in (PlaceWorker(0), KeepWarriors(0), MarketExchange(0)):
        s = at(decision)
        s.offer = [9, 9, 9]
        assert code(s, TakeLeader(0)) == "not_pending"
