"""CM-17.4 Why a placement is refused: space, cost and owner, in this order."""

from copy import copy
from itertools import product

import pytest

from taflhall_engine.champions.ids import (
    COINS,
    DRAUGR_RIGHT,
    FOOD,
    GIFTS,
    HUNTING_GROUNDS,
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
from taflhall_engine.champions.rules.market import VisitMarket
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.sage import (
    VisitSagesHut,
)
from taflhall_engine.champions.rules.ships import Sail, VisitShipwright
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
from taflhall_engine.kernel.agenda import apply, options
from tests.engine.champions.refusals import at, code, rule
from tests.engine.champions.tables import GAME

SWAP_TILE = GAME.components.tile_swaps.index(2)
OTHER_TILE = GAME.components.tile_swaps.index(0)


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


def test_5_12_the_swaps_offered_are_those_that_nothing_refuses():
    s = at(PlaceWorker(0))
    s.stalls = [OTHER_TILE, SWAP_TILE]
    s.clans[0].goods = [9, 9, 9]
    swaps = [SwapWarriors(STALL_1 + 1, *swap) for swap in swaps_up_to(2)]
    for counts in product((0, 1, 3), repeat=6):
        s.clans[0].warriors, s.supply = [*counts[:3]], [*counts[3:]]
        offered = [c for c in PlaceWorker(0).options(s, 0) if isinstance(c, SwapWarriors)]
        assert offered == [swap for swap in swaps if not code(s, swap)]


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
