"""IG-16 The solo game: what the NPC does."""

import pytest

from taflhall_engine.ice_garden.ids import CALLO, DEAD_SNOW, FIGURES, FREIHOFF, NONE
from tests.engine.ice_garden.position import asked, at, do, emitted, markers

SOLO = {"options": {"solo_level": "easy"}, "npc": "callo"}


def test_16_6_the_npc_places_two_markers_before_the_marker_is_resolved():
    regions = {"r1": {"tile": 3, "influence": {"freihoff": 1}}}
    s = at(
        "fields_1_5",
        "freihoff",
        **SOLO,
        fields={"move": ["freihoff"]},
        regions=regions,
        dice=[3],
        stocks={"freihoff": {"gold": 1}},
    )
    assert markers(s, "callo") == {"r1": 2}


def test_16_7_an_npc_without_markers_sends_its_lowest_figure_and_then_nothing():
    given = {
        **SOLO,
        "fields": {"influence": ["freihoff"]},
        "stocks": {"callo": {"influence_supply": 0}, "freihoff": {"population": 1}},
    }
    region = {"tile": 3, "influence": {"freihoff": 1}}
    s = at("fields_1_5", "freihoff", **given, regions={"r1": region}, dice=[3])
    assert s.figure_at[FIGURES.index("wild_child-1")] == 0
    units = ["wild_child-1", "wild_child-2", "wild_child-3"]
    s = at("fields_1_5", "freihoff", **given, regions={"r1": {**region, "units": units}})
    assert emitted(s, "DieRolled") == []


def test_16_13_behind_the_npc_only_single_goods_may_be_taken():
    region = {"tile": 2, "influence": {"freihoff": 2, "callo": 5}}
    s = at("domination", "freihoff", **SOLO, regions={"r1": region})
    [gained] = emitted(s, "Gained")
    assert (gained.kind, gained.count) == (1, 1)  # not the two population


def test_16_14_the_npc_pillages_what_the_die_says_from_the_highest_level():
    given = {"options": {"solo_level": "easy"}, "npc": "freihoff"}
    region = {"tile": 1, "units": ["enlightened_one-1", "wild_child-1"], "tower": True}
    s = at(
        "domination",
        "callo",
        **given,
        regions={"r1": {**region, "influence": {"freihoff": 2}}},
        stocks={"callo": {"m": [0, 0, 1, 0]}},
        dice=[1, 4, 6],
    )
    assert [event.result for event in emitted(s, "DieRolled")][:3] == [1, 4, 6]
    assert s.stock[CALLO * 6 + 2 : CALLO * 6 + 6] == [0, 0, 0, 0]


def test_16_17_units_stay_where_their_goal_is_served():
    given = {"options": {"solo_level": "easy"}, "npc": "van_dyken"}
    regions = {
        "r1": {"tile": 1, "thorn": True},
        "r2": {"tile": 2, "units": ["ratling_musician-1"], "reserves_down": 1},
        "r3": {"tile": 3, "units": ["ratling_musician-2"]},
    }
    s = at("catch_up", "callo", **given, regions=regions, dice=[2])
    assert s.figure_at[FIGURES.index("ratling_musician-1")] == 1
    assert s.figure_at[FIGURES.index("ratling_musician-2")] == 1


def test_16_18_a_faun_goes_where_two_nightmare_tokens_lie():
    regions = {
        "r1": {"tile": 5, "nightmare_tokens": 2},
        "r2": {"tile": 2, "nightmare_tokens": 2},
        "r3": {"tile": 3, "units": ["faun-1"]},
        "r4": {"tile": 4, "units": ["faun-2"]},
    }
    s = at("catch_up", "freihoff", **SOLO, regions=regions, dice=[5])
    assert s.figure_at[FIGURES.index("faun-1")] == 1
    assert s.figure_at[FIGURES.index("faun-2")] == 0


def test_16_19_the_npc_wins_when_the_snow_falls():
    s = at("fields_1_5", "freihoff", **SOLO, fields={"making": ["freihoff"]}, dead_snow=16)
    assert (s.reason, s.winners) == (DEAD_SNOW, [CALLO])
    assert s.vuko_tokens[FREIHOFF] == 0
    assert not s.agenda


def test_16_12_vuko_comes_in_round_1_only_if_a_unit_was_summoned():
    for summoned in ([], ["freihoff"]):
        s = at("vuko", "freihoff", **SOLO, round=1, summoned_this_round=summoned)
        assert s.vuko_tokens[FREIHOFF] == len(summoned)


def test_16_10_the_npc_takes_the_unit_of_the_highest_level_that_it_can_defeat():
    given = {"options": {"solo_level": "easy"}, "npc": "fjollsfinn"}
    units = ["tree_brothers-1", "wild_child-1", "faun-1", "nightmare-1"]
    s = at("activation", "callo", **given, regions={"r1": {"tile": 1, "units": units}})
    while asked(s)[1] == "attack_declare":
        do(s, op="pass")
    [defeated] = emitted(s, "UnitDefeated")
    assert defeated.figure == FIGURES.index("faun-1")


def npc_attack(units, tile=1, **given):
    """Return which of Callo's figures an NPC Fjollsfinn in the region defeats."""
    s = at(
        "activation",
        "callo",
        options={"solo_level": "easy"},
        npc="fjollsfinn",
        regions={"r1": {"tile": tile, "neutral": 0, "units": units}},
        dice=[tile] * 30,
        **given,
    )
    return [FIGURES[event.figure] for event in emitted(s, "UnitDefeated")]


@pytest.mark.parametrize("tile", [1, 6])
def test_16_10_the_npc_attacks_in_every_region(tile):
    assert npc_attack(["volcano_people-1", "wild_child-1"], tile) == ["wild_child-1"]


def test_16_10_of_one_level_the_unit_that_needs_fewest_points_falls_first():
    units = ["tree_brothers-1", "faun-1", "faun-2"]
    assert npc_attack(units, damage={"faun-2": 1}) == ["faun-2"]
    assert npc_attack(units, damage={"faun-1": 1}) == ["faun-1"]
    assert npc_attack(units) == ["faun-1"]


def test_16_10_an_npc_harrasim_attacks_and_is_shielded_without_markers_of_the_supply():
    s = at(
        "activation",
        "callo",
        options={"solo_level": "easy"},
        npc="freihoff",
        regions={"r1": {"tile": 1, "neutral": 0, "units": ["harrasim-1", "wild_child-1"]}},
        dice=[1] * 30,
    )
    assert [event.figure for event in emitted(s, "UnitDefeated")] == [FIGURES.index("wild_child-1")]
    assert s.upgrade_bank == [5, 5, 5, 5]


def test_16_10_after_the_units_the_markers_of_the_human_fall_then_neutral_ones():
    region = {"tile": 1, "neutral": 2, "units": ["tree_brothers-1"], "influence": {"callo": 1}}
    s = at(
        "activation",
        "callo",
        options={"solo_level": "easy"},
        npc="fjollsfinn",
        regions={"r1": region},
        dice=[1] * 30,
    )
    assert [event.faction for event in emitted(s, "InfluenceReturned")] == [CALLO]
    assert [event.count for event in emitted(s, "NeutralLeft")] == [1]
    assert s.vp[3] == 2


def test_16_11_the_npc_crosses_with_all_markers_and_units_but_the_ice_drakkars():
    regions = {
        "r1": {
            "tile": 1,
            "units": ["ice_drakkar-1", "volcano_people-1", "tree_brothers-1"],
            "influence": {"fjollsfinn": 2},
        },
        "r6": {"tile": 2, "units": ["ice_drakkar-2"], "neutral": 9, "influence": {"callo": 1}},
    }
    s = at(
        "activation",
        "callo",
        options={"solo_level": "easy"},
        npc="fjollsfinn",
        regions=regions,
        dice=[1] * 60,
    )
    crossed = [e.figure for e in emitted(s, "UnitMoved") if e.rule == "IG-16.11"]
    assert crossed == [FIGURES.index("volcano_people-1"), FIGURES.index("tree_brothers-1")]
    assert len([e for e in emitted(s, "InfluenceMoved") if e.rule == "IG-16.11"]) == 2


def test_16_19_the_bonus_needs_a_marker_on_viper_gorge():
    for viper, points in ((0, 60), (1, 65)):
        stocks = {"freihoff": {"vp": 60, "viper": viper}}
        assert at("round_end", "freihoff", **SOLO, stocks=stocks).vp[FREIHOFF] == points


def relocated(npc, regions, dice, human="freihoff"):
    """Return where the dice send the NPC's units at the start of a round."""
    options = {"solo_level": "easy"}
    s = at("catch_up", human, options=options, npc=npc, regions=regions, dice=dice)
    assert s.chance.left() == 0
    return {FIGURES[n]: region for n, region in enumerate(s.figure_at) if region != NONE}


def test_16_16_units_of_the_highest_level_are_relocated_first():
    regions = {
        "r1": {"tile": 1, "units": ["volcano_people-1", "tree_brothers-1", "volcano_people-2"]},
        "r2": {"tile": 2},
        "r3": {"tile": 6},
    }
    found = relocated("fjollsfinn", regions, [2, 6, 1])
    assert found == {"tree_brothers-1": 1, "volcano_people-1": 2, "volcano_people-2": 0}


def test_16_16_the_last_region_of_the_die_may_be_the_only_one():
    assert relocated("fjollsfinn", {"r1": {"tile": 6, "units": ["volcano_people-1"]}}, [3, 6]) == {
        "volcano_people-1": 0
    }


def test_16_17_an_ice_drakkar_stays_only_where_it_can_recruit():
    there = {"tile": 2, "units": ["ice_drakkar-1"]}
    for more, dice in (
        ({"influence": {"freihoff": 1}}, []),
        ({}, [1]),
        ({"neutral": 9, "influence": {"freihoff": 1}}, [1]),
        ({"influence": {"freihoff": 5}}, [1]),
    ):
        regions = {"r1": {"tile": 1}, "r2": {**there, **more}}
        assert relocated("fjollsfinn", regions, dice) == {"ice_drakkar-1": 0 if dice else 1}


def test_16_18_a_faun_off_the_map_is_not_sent():
    regions = {
        "r2": {"tile": 2, "nightmare_tokens": 2},
        "r1": {"tile": 1, "units": ["faun-2"]},
    }
    assert relocated("callo", regions, []) == {"faun-2": 1}


def test_16_14_an_empty_supply_leaves_nothing_to_pillage_from_the_npc():
    regions = {"r1": {"tile": 1, "units": ["enlightened_one-1", "wild_child-1"], "tower": True}}
    empty = {"population": 0, "gold": 0, "m_factor": 0}
    for supply, asks in ((empty, False), ({**empty, "gold": 1, "population": 1}, True)):
        s = at("domination", "freihoff", **SOLO, regions=regions, supply=supply, dice=[1] * 20)
        assert (asked(s)[1] == "pillage_choice") == asks
        first = {**SOLO, "options": {"solo_level": "easy", "edition": 1}}
        s = at("domination", "freihoff", **first, regions=regions, supply=supply, dice=[1] * 20)
        assert (asked(s)[1] == "use_ability") == asks


def test_16_10_the_npc_takes_the_markers_of_whoever_plays():
    region = {"tile": 1, "neutral": 0, "units": ["tree_brothers-1"], "influence": {"van_dyken": 2}}
    options = {"solo_level": "easy"}
    s = at(
        "activation",
        "van_dyken",
        options=options,
        npc="fjollsfinn",
        regions={"r1": region},
        dice=[1] * 30,
    )
    assert [event.faction for event in emitted(s, "InfluenceReturned")] == [1, 1]


def test_16_16_if_every_region_is_excluded_the_unit_stays():
    regions = {
        "r1": {"tile": 1, "tower": True},
        "r2": {"tile": 2, "tower": True, "units": ["volcano_people-1"]},
    }
    assert relocated("fjollsfinn", regions, []) == {"volcano_people-1": 1}


def test_16_10_in_a_locked_region_the_npc_does_not_attack():
    region = {"tile": 1, "neutral": 0, "units": ["tree_brothers-1", "wild_child-1"]}
    for locked, defeated in ((False, 1), (True, 0)):
        s = at(
            "activation",
            "callo",
            options={"solo_level": "easy"},
            npc="fjollsfinn",
            regions={"r1": {**region, "locked": locked}},
            dice=[1] * 30,
        )
        assert len(emitted(s, "UnitDefeated")) == defeated


def test_16_10_the_npc_attacks_once_in_each_region():
    region = {"tile": 1, "neutral": 0, "units": ["volcano_people-1", "wild_child-1"]}
    s = at(
        "activation",
        "callo",
        options={"solo_level": "easy"},
        npc="fjollsfinn",
        regions={"r8": {**region, "influence": {"callo": 3}}},
        dice=[1] * 30,
    )
    assert [FIGURES[event.figure] for event in emitted(s, "UnitDefeated")] == ["wild_child-1"]
    assert emitted(s, "InfluenceReturned") == []


def test_16_3_the_npc_gets_no_upgrade_that_the_supply_lacks():
    for left in (0, 2):
        s = at(
            "setup_influence",
            "freihoff",
            options={"solo_level": "true_scientist"},
            npc="callo",
            npc_state="setup_npc",
            regions={"r1": {"tile": 1}, "r2": {"tile": 2}},
            supply={"upgrade_attack": left},
            dice=[1] * 30,
        )
        assert s.upgrade_bank[0] == 0
        assert sum(s.upgrades[0::4]) == left


def test_16_18_of_two_regions_the_faun_goes_to_the_lower_tile_number():
    regions = {
        "r1": {"tile": 2, "nightmare_tokens": 2},
        "r2": {"tile": 5, "nightmare_tokens": 2},
        "r3": {"tile": 3, "units": ["faun-1"]},
    }
    assert relocated("callo", regions, []) == {"faun-1": 0}


def test_16_18_the_faun_goes_into_no_locked_region_and_leaves_none():
    regions = {
        "r1": {"tile": 1, "nightmare_tokens": 2, "locked": True},
        "r2": {"tile": 2, "nightmare_tokens": 2},
        "r3": {"tile": 3, "units": ["faun-1"], "locked": True},
        "r4": {"tile": 4, "units": ["faun-2"]},
    }
    assert relocated("callo", regions, []) == {"faun-1": 2, "faun-2": 1}
