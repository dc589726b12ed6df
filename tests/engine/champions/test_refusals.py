"""CM-17.4 Of several reasons to refuse an answer, the first of the list is given."""

from copy import copy

import pytest

from taflhall_engine.champions.ids import (
    COINS,
    DRAUGR_RIGHT,
    EFFECTS,
    FOOD,
    GIFTS,
    GLORY,
    HUNTING_GROUNDS,
    KNOWLEDGE,
    LEADERS,
    LONGHOUSE,
    RUNES,
    SAGES_HUT,
    SHIP_PRIVATE,
    SHIP_SMALL,
    STALL_1,
    SUCCESS,
    TROLL_SPACE,
    WEALTH,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import AssignWarriors, LoadFood, SendWarriors
from taflhall_engine.champions.rules.blame import Blame, TrollBlame
from taflhall_engine.champions.rules.casualties import Casualties, Lose, UseHealing
from taflhall_engine.champions.rules.combat import GloryRune, UseGloryRune
from taflhall_engine.champions.rules.market import ExchangeGoods, MarketExchange, VisitMarket
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rolling import PickDie, PickFurther, PostRoll, Reroll, UsePotential, UseReaction
from taflhall_engine.champions.rules.setup import ChooseLeader, TakeLeader
from taflhall_engine.champions.rules.runes import ActivateGifts, ActivateRune, ActivateSuccess
from taflhall_engine.champions.rules.sage import (
    KeepCard,
    KeepDestiny,
    TrueVision,
    UseTrueVision,
    VisitSagesHut,
)
from taflhall_engine.champions.rules.ships import Sail, VisitShipwright
from taflhall_engine.champions.rules.shores import (
    JourneyLoss,
    JourneyRune,
    LoseOnBoard,
    Starvation,
    Starve,
    UseJourneyRune,
)
from taflhall_engine.champions.rules.spaces import (
    Beg,
    ReserveFight,
    TakeStock,
    VisitHuntingGrounds,
    VisitLonghouse,
    VisitMerchantShip,
    VisitRunesmith,
    VisitStaveChurch,
    VisitWorkerHuts,
)
from taflhall_engine.champions.rules.stalls import SWAPS, SwapWarriors, VisitStall, swaps_up_to
from taflhall_engine.champions.rules.warriors import Keep, KeepWarriors
from taflhall_engine.kernel.agenda import apply, options, refusal
from tests.engine.champions.tables import GAME, new, started

SWAP_TILE = GAME.components.tile_swaps.index(2)
OTHER_TILE = GAME.components.tile_swaps.index(0)


def at(decision, seats=2):
    """A match of round 1 in which seat 0 has to answer *decision* and owns nothing."""
    s = started(seats=seats, start_seat=0)
    s.agenda = [decision]
    s.legal = None
    clan = s.clans[0]
    clan.goods, clan.favour, clan.warriors, clan.runes = [0, 0, 0], 0, [0, 0, 0], 0
    clan.destinies = []
    return s


def code(s, command):
    """Return the code that *command* of seat 0 is refused with; empty if it is legal.

    Whatever is refused must not be listed, and the other way round.
    """
    s.legal = None
    reason = refusal(s, 0, command)
    assert (command in options(s, 0)) == (reason is None)
    return "" if reason is None else reason.code


def rule(s, command):
    """Return the rule that forbids *command* to seat 0."""
    reason = refusal(s, 0, command)
    assert reason is not None
    return reason.rule


# ---------------------------------------------------------------- placement


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (TakeStock(LONGHOUSE), "space_not_in_play"),
        (TakeStock(-1), "space_not_in_play"),
        (ReserveFight(TROLL_SPACE - 1), "space_not_in_play"),
        (ReserveFight(DRAUGR_RIGHT + 1), "space_not_in_play"),
        (Sail(SHIP_SMALL - 1, 2), "space_not_in_play"),
        (Sail(SHIP_PRIVATE + 1, 2), "space_not_in_play"),
        (Sail(SHIP_PRIVATE, 2), "not_eligible"),
        (Sail(SHIP_SMALL, 0), "bad_argument"),
        (Sail(SHIP_SMALL, 5), "bad_argument"),
        (Sail(SHIP_SMALL, 4), "cannot_pay"),
        (VisitSagesHut(0), "bad_argument"),
        (VisitSagesHut(5), "bad_argument"),
        (VisitSagesHut(4), ""),
        (VisitRunesmith(-2), "bad_argument"),
        (VisitRunesmith(len(RUNES)), "bad_argument"),
        (VisitRunesmith(-1), "cannot_pay"),
        (VisitStaveChurch(2), "bad_argument"),
        (VisitStaveChurch(3), "cannot_pay"),
        (VisitMerchantShip(), "cannot_pay"),
        (VisitWorkerHuts(), "cannot_pay"),
        (VisitShipwright(3), "bad_argument"),
        (VisitStall(STALL_1 - 1), "space_not_in_play"),
        (VisitStall(STALL_1 + 2), "space_not_in_play"),
    ],
    ids=repr,
)
def test_17_4_who_owns_nothing_is_refused_for_the_place_before_the_price(command, expected):
    s = at(PlaceWorker(0))
    s.stalls = [OTHER_TILE, OTHER_TILE]
    s.ships = [0, 1]
    s.clans[0].leader = LEADERS.index("ullr")
    assert code(s, command) == expected


def test_9_1_with_four_players_the_first_shore_is_out_of_play():
    four, three = at(PlaceWorker(0), seats=4), at(PlaceWorker(0), seats=3)
    for s in (four, three):
        s.clans[0].goods[COINS] = 1
    for command in (VisitSagesHut(1), Sail(SHIP_SMALL, 1)):
        assert code(four, command) == "bad_argument"
        assert rule(four, command) == "CM-9.1"
        assert code(three, command) == ""


def test_17_4_a_shore_that_does_not_exist_is_worse_than_an_occupied_space():
    s = at(PlaceWorker(0))
    s.workers[SAGES_HUT] = s.workers[SHIP_SMALL] = 1
    for shore in (0, 5):
        assert code(s, VisitSagesHut(shore)) == code(s, Sail(SHIP_SMALL, shore)) == "bad_argument"
    assert code(s, VisitSagesHut(2)) == code(s, Sail(SHIP_SMALL, 2)) == "space_occupied"


@pytest.mark.parametrize("shore", [1, 2, 3, 4])
def test_5_3_the_own_longship_sails_once_and_those_of_others_do_not_matter(shore):
    s = at(PlaceWorker(0))
    s.clans[0].ship = 0
    s.post_ship[2 + shore], s.post_seat[2 + shore] = SHIP_PRIVATE, 1
    other = Sail(SHIP_PRIVATE, 1 + shore % 4)
    assert code(s, other) == ""
    assert code(s, Sail(SHIP_PRIVATE, shore)) == "no_harbour"
    s.post_seat[2 + shore] = 0
    assert code(s, other) == "space_occupied"
    s.post_ship[2 + shore] = SHIP_SMALL
    assert code(s, other) == ""


@pytest.mark.parametrize("good", [FOOD, WOOD, COINS])
def test_5_8_the_market_needs_one_good_of_any_kind(good):
    s = at(PlaceWorker(0))
    assert code(s, VisitMarket()) == "cannot_pay"
    s.clans[0].goods[good] = 1
    assert code(s, VisitMarket()) == ""


def test_5_3_an_occupied_space_is_refused_to_the_richest_seat():
    s = at(PlaceWorker(0))
    s.clans[0].goods, s.stock, s.rune_row = [20, 20, 20], [1, 1, 1, 1], [GIFTS]
    s.stalls, s.ships = [OTHER_TILE, OTHER_TILE], [0]
    spaces = [
        *[TakeStock(location) for location in range(4)],
        VisitLonghouse(),
        VisitMarket(),
        VisitMerchantShip(),
        VisitRunesmith(GIFTS),
        VisitSagesHut(2),
        VisitShipwright(0),
        VisitStaveChurch(1),
        VisitWorkerHuts(),
        *[ReserveFight(TROLL_SPACE + i) for i in range(3)],
        Sail(SHIP_SMALL, 2),
        Sail(SHIP_SMALL + 1, 2),
        VisitStall(STALL_1),
        VisitStall(STALL_1 + 1),
    ]
    assert {code(s, command) for command in spaces} == {""}
    s.workers = [1] * len(s.workers)
    assert {code(s, command) for command in spaces} == {"space_occupied"}
    assert code(s, VisitHuntingGrounds()) == code(s, Beg()) == ""


def test_5_9_only_a_rune_of_the_row_may_be_named_and_the_deck_only_while_it_has_one():
    s = at(PlaceWorker(0))
    s.clans[0].goods[WOOD] = 1
    s.rune_row = [GIFTS, WEALTH]
    assert code(s, VisitRunesmith(GIFTS)) == ""
    assert code(s, VisitRunesmith(SUCCESS)) == "bad_argument"
    assert rule(s, VisitRunesmith(SUCCESS)) == "CM-5.9"
    assert rule(s, VisitRunesmith(len(RUNES))) == "CM-17.4"
    s.rune_deck = []
    assert code(s, VisitRunesmith(-1)) == "stock_empty"


def test_5_15_a_payment_that_is_no_tier_is_refused_by_its_rule():
    s = at(PlaceWorker(0))
    s.clans[0].goods[COINS] = 10
    assert [n for n in range(61) if code(s, VisitStaveChurch(n)) == ""] == [1, 3, 6, 10]
    assert rule(s, VisitStaveChurch(5)) == "CM-5.15"


def test_5_16_the_price_falls_from_buyer_to_buyer_and_stays_at_the_last():
    for sold, price in enumerate([5, 4, 3, 2]):
        s = at(PlaceWorker(0))
        s.huts_sold = sold
        s.clans[0].goods[COINS] = price - 1
        assert code(s, VisitWorkerHuts()) == "cannot_pay"
        s.clans[0].goods[COINS] = price
        assert code(s, VisitWorkerHuts()) == ""
        s.clans[0].hut = True
        assert code(s, VisitWorkerHuts()) == "not_eligible"


def test_5_17_a_second_own_hunter_needs_the_option():
    s = at(PlaceWorker(0))
    s.clans[0].hunters = 1
    assert code(s, VisitHuntingGrounds()) == ""
    s.hunting_workers = 1
    assert code(s, VisitHuntingGrounds()) == "not_eligible"
    assert s.workers[HUNTING_GROUNDS] == -1


@pytest.mark.parametrize(
    ("swap", "expected"),
    [
        ((1, -1, 0), ""),
        ((-1, -1, 2), ""),
        ((-2, 1, 1), ""),
        ((0, 0, 0), "bad_argument"),
        ((1, 0, 0), "bad_argument"),
        ((3, -3, 0), "bad_argument"),
        ((2, -1, 0), "bad_argument"),
        ((-3, 1, 2), "bad_argument"),
        ((2, -2, 0), "not_owned"),
        ((2, 0, -2), "not_owned"),
        ((-2, 2, 0), "stock_empty"),
        ((0, 2, -2), "stock_empty"),
    ],
)
def test_5_12_a_swap_needs_equal_totals_of_one_or_two_and_dice_on_both_sides(swap, expected):
    s = at(PlaceWorker(0))
    s.stalls = [SWAP_TILE, OTHER_TILE]
    s.clans[0].goods = [9, 9, 9]
    s.clans[0].warriors = [2, 1, 1]
    s.supply = [2, 1, 2]
    assert code(s, SwapWarriors(STALL_1, *swap)) == expected


def test_5_12_a_swap_is_refused_in_the_order_of_the_codes():
    s = at(PlaceWorker(0))
    s.stalls = [SWAP_TILE, OTHER_TILE]
    swap = SwapWarriors(STALL_1, 1, -1, 0)
    s.clans[0].goods = [9, 9, 9]
    s.supply = [0, 0, 0]
    assert code(s, SwapWarriors(STALL_1 - 1, 1, -1, 0)) == "space_not_in_play"
    assert code(s, SwapWarriors(STALL_1 + 2, 1, -1, 0)) == "space_not_in_play"
    assert rule(s, SwapWarriors(STALL_1 + 2, 1, -1, 0)) == "CM-3.3"
    assert code(s, SwapWarriors(STALL_1 + 1, 1, -1, 0)) == "bad_argument"
    assert code(s, VisitStall(STALL_1)) == "bad_argument"
    assert rule(s, SwapWarriors(STALL_1, 2, -1, 0)) == "CM-5.8"
    assert code(s, swap) == "stock_empty"
    s.workers[STALL_1] = 1
    assert code(s, swap) == "space_occupied"
    assert code(s, SwapWarriors(STALL_1, 3, -3, 0)) == "bad_argument"
    s.workers[STALL_1] = -1
    s.supply = [1, 0, 0]
    assert code(s, swap) == "not_owned"
    s.clans[0].warriors = [0, 1, 0]
    assert code(s, swap) == ""
    s.workers[STALL_1] = 1
    assert code(s, SwapWarriors(STALL_1, 0, 0, 0)) == "bad_argument"
    assert rule(s, SwapWarriors(STALL_1, 0, 0, 0)) == "CM-5.8"
    assert code(s, SwapWarriors(STALL_1 + 2, 0, 0, 0)) == "bad_argument"


def test_5_12_the_stall_for_swaps_may_have_a_price():
    s = at(PlaceWorker(0))
    s.components = copy(s.components)
    s.components.tile_cost = [[0, 1, 2] for _ in s.components.tile_cost]
    s.stalls, s.supply = [SWAP_TILE, OTHER_TILE], [1, 1, 1]
    s.clans[0].goods, s.clans[0].warriors = [0, 1, 1], [0, 1, 0]
    swap = SwapWarriors(STALL_1, 1, -1, 0)
    assert code(s, swap) == "cannot_pay"
    s.clans[0].goods[COINS] = 3
    assert code(s, swap) == ""
    apply(s, 0, swap)
    assert s.clans[0].goods == [0, 0, 1]
    assert s.clans[0].warriors == [1, 0, 0]
    assert s.supply == [0, 2, 1]


def test_5_12_every_swap_of_one_or_two_is_offered_once_at_each_space():
    SWAPS.clear()
    s = at(PlaceWorker(0), seats=4)
    s.stalls = [OTHER_TILE, OTHER_TILE, OTHER_TILE, SWAP_TILE]
    s.clans[0].goods = [9, 9, 9]
    s.clans[0].warriors = s.supply = [2, 2, 2]
    offered = [c for c in options(s, 0) if isinstance(c, SwapWarriors)]
    numbers = range(-2, 3)
    wanted = [(a, b, -a - b) for a in numbers for b in numbers if a or b]
    few = [swap for swap in wanted if sum(n for n in swap if n > 0) <= 2]
    assert [(c.swordsmen, c.spearmen, c.axemen) for c in offered] == few
    assert {c.location for c in offered} == {STALL_1 + 3}
    assert swaps_up_to(1) == [swap for swap in few if max(swap) == 1 and min(swap) == -1]


# ---------------------------------------------------------------- free runes


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


# ---------------------------------------------------------------- the other decisions


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


# ---------------------------------------------------------------- answers given in steps


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


def test_17_1_a_command_of_another_decision_is_not_pending():
    for decision in (PlaceWorker(0), KeepWarriors(0), MarketExchange(0)):
        s = at(decision)
        s.offer = [9, 9, 9]
        assert code(s, TakeLeader(0)) == "not_pending"
