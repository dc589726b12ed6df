"""CM-1.6, CM-2 and CM-3: options, components, setup."""

from collections import Counter

import pytest

from taflhall_engine.champions.ids import LEADERS, NONE
from taflhall_engine.champions.rules.setup import ChooseLeader, TakeLeader
from taflhall_engine.champions.setup import journey_cards
from taflhall_engine.champions.table import in_play, near
from taflhall_engine.kernel.agenda import asked, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import InvalidSetup
from tests.engine.champions.tables import GAME, do, legal, new, started


def test_1_6_the_german_text_is_the_default():
    s = started()
    assert [s.near_shores, s.leftmost_shore, s.hunting_workers, s.destiny_ties] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("setup", "fields"),
    [
        ({"seats": 1}, ["seats"]),
        ({"seats": 5}, ["seats"]),
        ({"seats": 2, "start_seat": 2}, ["start_seat"]),
        ({"near_shores": -1, "leftmost_shore": -1}, ["near_shores", "leftmost_shore"]),
        (
            {"seats": 9, "start_seat": -1, "hunting_workers": 7, "destiny_ties": 2},
            ["seats", "start_seat", "hunting_workers", "destiny_ties"],
        ),
    ],
)
def test_3_1_a_wrong_setup_is_refused_with_all_its_faults(setup, fields):
    codes = {"seats": "out_of_range", "start_seat": "not_at_the_table"}
    with pytest.raises(InvalidSetup) as error:
        new(**setup)
    assert [fault.field for fault in error.value.faults] == fields
    for fault in error.value.faults:
        assert fault.code == codes.get(fault.field, "unknown")
        none = "-" if fault.code == "unknown" else "-1"
        assert fault.found == str(setup[fault.field]).replace("-1", none)
        assert f"{fault.field}: {fault.code}, found {fault.found}" in str(error.value)


def test_2_1_the_box_holds_the_printed_counts():
    components = GAME.components
    assert components.dice == [12, 12, 10]
    assert len(journey_cards(components)) == 18
    assert [len(components.merchant_gain), len(components.rune_points), len(components.metric)] == [
        8,
        10,
        12,
    ]
    assert Counter(components.kind) == {0: 16, 1: 21, 2: 36, 3: 1}


def test_2_6_other_values_are_those_of_the_data_file():
    values = {c.kind: c for c in GAME.catalog if c.number == 0}
    assert values["market_stall"].properties["gain"] == "swordsman=2"
    assert values["private_longship"].properties["capacity"] == str(
        GAME.components.ship_capacity[0]
    )
    assert values["troll"].properties["defence"] == str(GAME.components.defence[0])


def test_2_3_the_faces_of_the_dice():
    assert [[sides.count(face) for face in range(4)] for sides in GAME.components.sides] == [
        [3, 1, 1, 1],
        [2, 1, 1, 2],
        [2, 2, 2, 0],
    ]


def test_2_4_seven_draugr_and_twelve_monsters_of_each_colour():
    colors = Counter(zip(GAME.components.kind, GAME.components.color, strict=True))
    assert [colors[1, color] for color in range(3)] == [7, 7, 7]
    assert [colors[2, color] for color in range(3)] == [12, 12, 12]
    assert colors[0, 3] == 16


def test_2_5_the_journey_deck():
    assert Counter(journey_cards(GAME.components)) == {0: 8, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}


@pytest.mark.parametrize(("seats", "military", "economy"), [(2, 1, 1), (3, 1, 2), (4, 2, 2)])
def test_3_3_stall_tiles_by_number_of_players(seats, military, economy):
    drawn = set()
    for seed in range(40):
        s = new(seed, seats=seats)
        kinds = [s.components.tile_kinds[tile] for tile in s.stalls]
        assert kinds == [0] * military + [1] * economy
        drawn.update(s.stalls)
    assert drawn == set(range(8))


@pytest.mark.parametrize(("seats", "ships"), [(2, 2), (3, 3), (4, 4)])
def test_3_4_private_longships_by_number_of_players(seats, ships):
    assert len(new(seats=seats).ships) == ships


def test_3_5_decks_are_shuffled_and_two_runes_lie_face_up():
    """CM-18 A-04 Two, and the deck of eight lasts for a blind draw in every round."""
    s = new()
    assert len(s.rune_row) == 2
    assert len(s.rune_deck) == 8
    orders = {tuple(new(seed).monster_deck) for seed in range(20)}
    assert len(orders) == 20


def test_3_7_the_start_player_is_drawn_unless_named():
    """CM-18 A-03 The thematic criterion cannot be computed."""
    assert {new(seed, seats=3).marker for seed in range(40)} == {0, 1, 2}
    assert {new(seed, seats=3, start_seat=1).marker for seed in range(10)} == {1}


def test_3_8_leaders_counter_clockwise_the_start_player_last():
    s = new(seats=4, start_seat=2)
    order = []
    for leader in (4, 0, 3, 1):
        assert isinstance(waiting(s), ChooseLeader)
        order += asked(s)
        assert TakeLeader(leader) in legal(s)
        do(s, TakeLeader(leader))
    assert order == [1, 0, 3, 2]
    assert [clan.leader for clan in s.clans] == [0, 4, 1, 3]


def test_4_3_the_last_leader_is_asked_although_two_are_left():
    s = new(seats=4, start_seat=0)
    do(s, TakeLeader(0), TakeLeader(1), TakeLeader(2))
    assert asked(s) == [0]
    assert legal(s) == [TakeLeader(3), TakeLeader(4)]
    assert len(LEADERS) == 5


def test_3_11_a_destiny_each_in_turn_order():
    s = new(5, seats=4, start_seat=3)
    top = s.destiny_deck[:4]
    do(s, TakeLeader(0), TakeLeader(1), TakeLeader(2), TakeLeader(3))
    assert [s.clans[seat].destinies for seat in (3, 0, 1, 2)] == [[card] for card in top]
    assert len(s.destiny_deck) == 8


def test_3_12_round_1_begins_with_the_preparation():
    s = started(seats=3, start_seat=1)
    assert s.round == 1
    assert s.troll != NONE
    assert NONE not in s.draugr + s.monsters + s.journeys
    assert s.stock == [1, 1, 1, 1]
    assert s.supply == [12 - 3 - 1, 11, 9]
    assert asked(s) == [1]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("leftmost", [0, 1])
def test_9_1_which_shores_are_in_play(seats, leftmost):
    s = started(seats=seats, leftmost_shore=leftmost)
    closed = (seats == 4) == (leftmost == 0)
    assert [in_play(s, shore) for shore in (1, 2, 3, 4)] == [not closed, True, True, True]
    assert (s.monsters[0] == NONE) == closed
    assert (s.journeys[0] == NONE) == closed


def test_9_1_which_shores_are_near():
    assert [near(started(), shore) for shore in (1, 2, 3, 4)] == [False, False, True, True]
    left = started(near_shores=1)
    assert [near(left, shore) for shore in (1, 2, 3, 4)] == [True, True, False, False]


def test_16_4_the_same_luck_gives_the_same_match():
    assert GAME.public(started(3)) == GAME.public(started(3))
    assert isinstance(started(3).chance, FastChance)
