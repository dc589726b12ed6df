"""CM-17.4 Why a step of a longer answer is refused."""

import pytest

from taflhall_engine.champions.ids import (
    FOOD,
    RUNES,
    SHIP_SMALL,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import AssignWarriors, LoadFood, SendWarriors
from taflhall_engine.champions.rules.market import ExchangeGoods, MarketExchange
from taflhall_engine.champions.rules.rolling import (
    PickDie,
    PickFurther,
    PostRoll,
    Reroll,
    UsePotential,
    UseReaction,
)
from taflhall_engine.kernel.agenda import options
from tests.engine.champions.refusals import at, code, rule


def rolled(favour=1):
    """Two blank and one hitting swordsmen and one spearman's shield have been rolled."""
    s = at(PostRoll(0))
    s.roll = [2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    s.clans[0].favour = favour
    return s


@pytest.mark.parametrize("die", [(-1, 0), (3, 0), (0, -1), (0, 4), (0, 2), (2, 0), (-1, 4)])
def test_8_3_a_die_that_does_not_lie_there_is_a_bad_argument_even_without_favour(die):
    for favour in (0, 1):
        s = rolled(favour)
        assert code(s, PickDie(*die)) == "bad_argument"
        if die not in [(0, 2), (2, 0)]:
            s.roll = [1] * 12
            assert code(s, PickDie(*die)) == "bad_argument"


def test_8_3_a_reroll_costs_a_favour_and_needs_a_die():
    s = rolled(favour=0)
    assert code(s, PickDie(0, 0)) == "cannot_pay"
    assert code(s, Reroll()) == "bad_argument"
    s = rolled()
    assert code(s, PickDie(0, 0)) == code(s, PickDie(1, 3)) == ""
    assert code(s, Reroll()) == "bad_argument"
    assert rule(s, Reroll()) == "CM-8.3"
    s.agenda, s.draft = [PickFurther(0)], [0, 1]
    assert code(s, PickDie(0, 0)) == code(s, PickDie(0, 1)) == "bad_argument"
    assert code(s, PickDie(1, 3)) == code(s, Reroll()) == ""
    s.draft = [0]
    assert code(s, PickDie(0, 0)) == ""
    s.draft = [0, 0]
    assert code(s, PickDie(0, 0)) == "bad_argument"
    s.clans[0].favour, s.draft = 0, [0, 1]
    assert code(s, PickDie(0, 0)) == "bad_argument"
    assert code(s, Reroll()) == "cannot_pay"


def test_8_3_potential_needs_a_blank_and_reaction_a_shield():
    s = rolled()
    assert code(s, UsePotential()) == code(s, UseReaction()) == "rune_unavailable"
    s.clans[0].runes = 1 << RUNES.index("potential") | 1 << RUNES.index("reaction")
    assert code(s, UsePotential()) == code(s, UseReaction()) == ""
    s.roll = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
    assert code(s, UsePotential()) == code(s, UseReaction()) == "wrong_window"
    for blank in (0, 4, 8):
        s.roll = [0] * 12
        s.roll[blank] = 1
        assert (code(s, UsePotential()), code(s, UseReaction())) == ("", "wrong_window")
        s.roll = [0] * 12
        s.roll[blank + 3] = 1
        assert (code(s, UsePotential()), code(s, UseReaction())) == ("wrong_window", "")


def test_5_8_an_exchange_gives_what_is_owned_and_takes_as_much():
    s = at(MarketExchange(0))
    s.clans[0].goods = [1, 2, 3]
    assert code(s, ExchangeGoods(WOOD, 1)) == "bad_argument"
    assert code(s, ExchangeGoods(FOOD, -2)) == "cannot_pay"
    assert code(s, ExchangeGoods(FOOD, 6)) == "cannot_pay"
    assert code(s, ExchangeGoods(FOOD, -1)) == code(s, ExchangeGoods(FOOD, 5)) == ""
    s.draft = [2]
    assert code(s, ExchangeGoods(FOOD, 1)) == "bad_argument"
    assert code(s, ExchangeGoods(WOOD, -3)) == "cannot_pay"
    assert code(s, ExchangeGoods(WOOD, 2)) == "cannot_pay"
    assert code(s, ExchangeGoods(WOOD, 1)) == code(s, ExchangeGoods(WOOD, 0)) == ""
    s.draft = [0]
    assert code(s, ExchangeGoods(WOOD, 0)) == "bad_argument"
    assert rule(s, ExchangeGoods(WOOD, 0)) == "CM-5.8"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (SendWarriors(-1, 0, 1), "bad_argument"),
        (SendWarriors(7, 0, 1), "bad_argument"),
        (SendWarriors(0, -1, 1), "bad_argument"),
        (SendWarriors(0, 4, 1), "bad_argument"),
        (SendWarriors(0, 0, -1), "bad_argument"),
        (SendWarriors(6, 0, -1), "bad_argument"),
        (LoadFood(0, 1), "bad_argument"),
        (LoadFood(2, 1), "bad_argument"),
        (SendWarriors(1, 0, 9), "not_eligible"),
        (SendWarriors(6, 0, 1), "not_eligible"),
        (SendWarriors(0, 0, 4), "not_owned"),
        (SendWarriors(0, 1, 1), "banned_weapon"),
        (SendWarriors(0, 2, 1), "bad_argument"),
        (LoadFood(3, 9), "not_owned"),
        (LoadFood(3, 1), "bad_argument"),
        (SendWarriors(0, 0, 3), ""),
        (SendWarriors(0, 0, 0), ""),
    ],
    ids=repr,
)
def test_6_3_a_step_of_an_assignment_is_refused_in_the_order_of_the_codes(command, expected):
    s = at(AssignWarriors(0))
    s.troll = next(e for e in range(16) if s.components.bans[e] == 0b010)
    s.post_seat[0] = s.post_seat[3] = 0
    s.post_ship[3] = SHIP_SMALL
    s.clans[0].warriors, s.clans[0].goods = [3, 2, 1], [4, 0, 0]
    assert code(s, command) == expected


def test_6_3_warriors_and_food_of_a_ship_are_limited_together():
    s = at(AssignWarriors(0))
    s.post_seat[3], s.post_ship[3] = 0, SHIP_SMALL
    s.clans[0].warriors, s.clans[0].goods = [8, 0, 0], [6, 0, 0]
    assert code(s, SendWarriors(3, 0, 5)) == ""
    assert code(s, SendWarriors(3, 0, 6)) == "over_capacity"
    s.draft = [2, 0, 0]
    assert code(s, LoadFood(3, 3)) == ""
    assert code(s, LoadFood(3, 4)) == "over_capacity"
    s.clans[0].goods, s.draft = [1, 0, 0], [5, 0, 0]
    assert options(s, 0) == []


@pytest.mark.parametrize("post", [1, 2])
def test_6_3_a_draugr_admits_no_warrior_of_a_banned_type(post):
    s = at(AssignWarriors(0))
    bans = s.components.bans
    s.draugr[post - 1] = next(e for e in range(16, 37) if bans[e] == 0b001)
    s.post_seat[post] = 0
    s.clans[0].warriors = [1, 1, 1]
    assert code(s, SendWarriors(post, 0, 1)) == "banned_weapon"
    assert code(s, SendWarriors(post, 1, 1)) == ""
    assert rule(s, SendWarriors(post, 2, 1)) == "CM-17.6"
