"""IG-1.5, IG-1.14 Options that fit together, and every fault of those that do not."""

import itertools

import pytest

from taflhall_engine.ice_garden.ids import ALL8, BASE4, OFF
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import InvalidSetup
from tests.engine.ice_garden.tables import GAME


def faults(**fields):
    with pytest.raises(InvalidSetup) as error:
        GAME.new(Setup(**fields), FastChance(1))
    for fault in error.value.faults:
        assert f"{fault.field}: {fault.code}, found {fault.found}" in str(error.value)
    return [f"{fault.field} {fault.code}" for fault in error.value.faults]


def new(**fields):
    return GAME.new(Setup(**fields), FastChance(1))


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"seats": 5}, "seats out_of_range"),
        ({"seats": -1}, "seats out_of_range"),
        ({"edition": 3}, "edition unknown"),
        ({"vuko_tiles": 3}, "vuko_tiles unknown"),
        ({"solo_level": 5}, "solo_level unknown"),
        ({"seats": 3, "solo_level": 1}, "solo_level solo_game_only"),
        ({"seats": 2, "npc": 1}, "npc solo_game_only"),
        ({"seats": 1}, "solo_level missing"),
        (
            {"seats": 1, "solo_level": 2, "advanced_order_tokens": True},
            "advanced_order_tokens not_in_the_solo_game",
        ),
        ({"seats": 1, "solo_level": 1, "vuko_tiles": BASE4}, "vuko_tiles contradicts_the_level"),
        ({"seats": 1, "solo_level": 2, "vuko_tiles": OFF}, "vuko_tiles contradicts_the_level"),
        ({"seats": 1, "solo_level": 2, "factions": [2], "npc": 2}, "npc faction_of_the_player"),
        ({"seats": 1, "solo_level": 2, "npc": 7}, "npc unknown"),
        ({"seats": 2, "factions": [0, 0]}, "factions repeated"),
        ({"seats": 2, "factions": [0, 4]}, "factions unknown"),
        ({"seats": 3, "factions": [0, 1]}, "factions wrong_count"),
        ({"seats": 3, "start_order": [0, 1]}, "start_order not_every_seat_once"),
        ({"seats": 2, "start_order": [1, 1]}, "start_order not_every_seat_once"),
        ({"vuko_tiles": BASE4, "vuko_layout": [1, 2, 3, 5]}, "vuko_layout not_in_the_set"),
        ({"vuko_tiles": ALL8, "vuko_layout": [1, 2, 3, 3]}, "vuko_layout repeated"),
        ({"vuko_tiles": ALL8, "vuko_layout": [1, 2, 3]}, "vuko_layout wrong_count"),
        ({"vuko_layout": [1, 2, 3, 4]}, "vuko_layout not_in_the_set"),
        ({"vuko_sides": [0, 1, 0, 1]}, "vuko_sides no_tiles"),
        ({"vuko_tiles": BASE4, "vuko_sides": [0, 1, 0, 2]}, "vuko_sides unknown"),
        ({"vuko_tiles": BASE4, "vuko_sides": [0]}, "vuko_sides wrong_count"),
    ],
)
def test_ig_1_14_what_does_not_fit_is_refused(fields, wrong):
    assert faults(**fields) == [wrong]


def test_ig_1_14_a_fault_says_what_was_found_in_words():
    with pytest.raises(InvalidSetup) as error:
        new(seats=1, solo_level=2, factions=[2], npc=2, vuko_sides=[0, 7, 1, -1], vuko_tiles=BASE4)
    found = {fault.field: fault.found for fault in error.value.faults}
    assert found == {"npc": "callo", "vuko_sides": "arrow,7,stage,-"}


def test_ig_1_14_all_faults_are_named_at_once():
    assert faults(
        seats=1,
        edition=0,
        advanced_order_tokens=True,
        vuko_tiles=BASE4,
        vuko_layout=[1, 2, 3, 9],
        vuko_sides=[5],
        start_order=[1],
        factions=[2],
        solo_level=1,
        npc=2,
    ) == [
        "edition unknown",
        "advanced_order_tokens not_in_the_solo_game",
        "npc faction_of_the_player",
        "vuko_tiles contradicts_the_level",
        "start_order not_every_seat_once",
        "vuko_layout not_in_the_set",
        "vuko_sides unknown",
    ]


@pytest.mark.parametrize(("level", "tiles"), [(1, OFF), (2, BASE4), (3, BASE4), (4, BASE4)])
def test_ig_1_14_the_solo_level_says_which_tiles_are_usual(level, tiles):
    assert new(seats=1, solo_level=level).options.vuko_tiles == tiles


def test_ig_1_5_the_advanced_options_are_independent():
    """IG-15.2 Order tokens go with or without Vuko tiles; IG-1.1 edition 2 is the usual one."""
    assert new(seats=2).options.edition == 2
    for edition, tokens, tiles in itertools.product((1, 2), (False, True), (OFF, BASE4, ALL8)):
        s = new(seats=2, edition=edition, advanced_order_tokens=tokens, vuko_tiles=tiles)
        assert (s.options.edition, s.options.order_tokens, s.options.vuko_tiles) == (
            edition,
            tokens,
            tiles,
        )


def test_ig_3_1_factions_are_given_or_drawn_all_different():
    assert new(factions=[3, 0, 1]).options.factions == [3, 0, 1]
    drawn = set()
    for seed in range(30):
        s = GAME.new(Setup(seats=3), FastChance(seed))
        assert len(set(s.options.factions)) == 3
        drawn.add(tuple(s.options.factions))
    assert len(drawn) > 5


def test_ig_3_3_the_start_order_is_given_or_drawn_and_the_same_on_both_tracks():
    s = new(factions=[3, 0, 1], start_order=[2, 0, 1])
    assert s.agenda[-1].seats(s) == [2]
    assert s.order == s.initiative == s.standing == [1, 3, 0]
    orders = {tuple(GAME.new(Setup(factions=[0, 1, 2]), FastChance(n)).order) for n in range(60)}
    assert len(orders) == 6


def test_ig_15_1_the_layout_is_given_or_drawn_from_the_set():
    played: dict[int, set[int]] = {}
    sides: set[int] = set()
    for seed in range(20):
        for tiles in (BASE4, ALL8):
            s = GAME.new(Setup(seats=2, vuko_tiles=tiles), FastChance(seed))
            while not s.layout:
                step(s)
            assert len(set(s.layout)) == len(s.sides) == 4
            sides |= set(s.sides)
            played.setdefault(tiles, set()).update(s.layout)
    assert sides == {0, 1}
    assert played == {BASE4: {1, 2, 3, 4}, ALL8: set(range(1, 9))}
    s = new(seats=2, vuko_tiles=ALL8, vuko_layout=[8, 1, 6, 7], vuko_sides=[1, 0, 0, 1])
    while not s.layout:
        step(s)
    assert s.layout == [8, 1, 6, 7]
    assert s.sides == [1, 0, 0, 1]


def step(s):
    from taflhall_engine.kernel.agenda import apply, asked, options

    seat = asked(s)[0]
    apply(s, seat, options(s, seat)[0])


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_ig_3_2_every_player_starts_with_the_same_goods(seats):
    s = new(seats=seats, solo_level=1 if seats == 1 else 0)
    for faction in s.options.factions:
        assert s.stock[faction * 6 : faction * 6 + 6] == [4, 2, 1, 0, 0, 0]
        assert s.supply[faction] == 20
        assert s.vp[faction] == s.vuko_tokens[faction] == 0
    if seats == 1:  # IG-16.1 the NPC gets nothing
        npc = s.options.npc
        assert s.stock[npc * 6 : npc * 6 + 6] == [0] * 6
        assert (s.supply[npc], s.helm[npc]) == (20, 0)


def test_ig_3_9_and_ig_3_12_every_region_gets_its_marker_and_round_1_begins():
    for seats in (1, 2, 3, 4):
        s = new(seats=seats, solo_level=1 if seats == 1 else 0)
        while s.state < 7:
            step(s)
        assert s.neutral == [1 if tile else 0 for tile in s.tile]
        assert s.round == 1
        assert [s.markers[faction] for faction in s.order] == [3] * seats
