"""IG-7 Activation: spy, ice crossing, speed, attack."""

from taflhall_engine.ice_garden.ids import CALLO, FIGURES, FJOLLSFINN, NONE, VAN_DYKEN
from tests.engine.ice_garden.position import asked, at, do, emitted, markers, may

DRAKKARS = {
    "r1": {
        "tile": 1,
        "units": ["ice_drakkar-1", "volcano_people-1"],
        "influence": {"fjollsfinn": 2},
    },
    "r6": {"tile": 2, "units": ["ice_drakkar-2"], "influence": {"fjollsfinn": 1}},
}


def test_7_3_the_first_assignment_takes_two_symbols_and_the_next_returns_them():
    regions = {"r1": {"tile": 1, "units": ["harrasim-1"]}}
    s = at("activation", "freihoff", "callo", regions=regions)
    do(s, abilities=["speed", "attack"])
    assert s.upgrade_bank == [4, 5, 5, 4]
    s = at(
        "activation",
        "freihoff",
        "callo",
        regions=regions,
        stocks={"freihoff": {"spy": ["attack", "speed"]}},
        supply={"upgrade_attack": 0, "upgrade_shield": 0},
    )
    assert not may(s, abilities=["attack", "speed"])
    assert may(s, abilities=["attack", "dominance"])
    assert not may(s, abilities=["attack", "shield"])
    s = at(
        "activation",
        "freihoff",
        "callo",
        regions=regions,
        stocks={"freihoff": {"spy": ["attack", "speed"]}},
        supply={"upgrade_attack": 1},
    )
    assert may(s, abilities=["attack", "dominance"])


def test_7_7_each_piece_crosses_once_in_either_direction():
    s = at("activation", "fjollsfinn", "callo", regions=DRAKKARS)
    do(s, piece="volcano_people-1", from_="r1")
    assert not may(s, piece="volcano_people-1", from_="r6")
    do(s, piece="influence", from_="r1")
    do(s, piece="influence", from_="r6")
    assert not may(s, piece="influence", from_="r6")
    do(s, piece="influence", from_="r1")
    assert markers(s, "fjollsfinn") == {"r1": 1, "r6": 2}
    assert s.figure_at[FIGURES.index("volcano_people-1")] == 5
    assert asked(s) != ("fjollsfinn", "ice_crossing")


def test_7_7_the_ice_drakkars_themselves_stay():
    s = at("activation", "fjollsfinn", "callo", regions=DRAKKARS)
    assert not may(s, piece="ice_drakkar-1", from_="r1")


def test_7_9_steps_of_several_units_may_be_interleaved():
    regions = {
        "r1": {"tile": 1, "units": ["wyvern-1", "crab-1"]},
        "r2": {"tile": 2},
        "r3": {"tile": 3},
    }
    upgrades = {"wyvern": ["speed", "speed"], "crab": ["speed"]}
    s = at(
        "activation",
        "callo",
        "van_dyken",
        regions=regions,
        stocks={"van_dyken": {"upgrades": upgrades}},
    )
    do(s, unit="wyvern-1", to="r2")
    do(s, unit="crab-1", to="r3")
    do(s, unit="wyvern-1", to="r3")
    do(s, op="done")
    assert sum(s.steps) == 0
    assert s.figure_at[FIGURES.index("wyvern-1")] == s.figure_at[FIGURES.index("crab-1")] == 2


def fight(*players, units, gold=2, **more):
    """Return a table at the attack in r1, where all *units* stand."""
    stocks = {name: {"gold": gold, **more.pop(name, {})} for name in players}
    regions = {"r1": {"tile": 1, "neutral": 0, "units": units, **more.pop("r1", {})}}
    return at("activation", *players, regions=regions, stocks=stocks, **more)


def test_7_14_a_unit_falls_by_its_level_and_its_shields():
    shield = {"upgrades": {"faun": ["shield"]}}
    s = fight("fjollsfinn", "callo", units=["tree_brothers-1", "faun-1"], callo=shield)
    do(s, op="attack")
    do(s, region="r1", target="faun-1")
    do(s, region="r1", target="faun-1")
    assert emitted(s, "UnitDefeated") == []
    s = fight("fjollsfinn", "callo", units=["tree_brothers-1", "faun-1"])
    do(s, op="attack")
    do(s, region="r1", target="faun-1")
    do(s, region="r1", target="faun-1")
    assert s.vp[FJOLLSFINN] == 2


def test_7_15_damage_adds_up_and_whoever_deals_the_last_point_scores():
    s = fight(
        "van_dyken",
        "fjollsfinn",
        "callo",
        units=["faun-1", "crab-1", "volcano_people-1"],
    )
    do(s, op="attack")
    do(s, region="r1", target="faun-1")
    assert s.damage[FIGURES.index("faun-1")] == 1
    do(s, op="attack")
    do(s, region="r1", target="faun-1")
    assert [s.vp[VAN_DYKEN], s.vp[FJOLLSFINN]] == [0, 2]


def test_7_17_a_defeated_unit_still_attacks_and_is_no_longer_a_target():
    s = fight("van_dyken", "callo", units=["crab-1", "wild_child-1"], r1={"neutral": 1})
    do(s, op="attack")
    do(s, region="r1", target="wild_child-1")
    assert s.defeated == 1 << FIGURES.index("wild_child-1")
    do(s, op="attack")
    do(s, region="r1", target="crab-1")
    assert s.vp[VAN_DYKEN] == s.vp[CALLO] == 1
    assert [event.figure for event in emitted(s, "UnitReturned")] == [
        FIGURES.index("crab-1"),
        FIGURES.index("wild_child-1"),
    ]


def test_7_17_a_controlled_marker_falls_first_and_returns_at_once():
    regions = {"influence": {"callo": 2}, "controlled": {"callo": 1}}
    s = fight("van_dyken", "callo", units=["crab-1", "crab-2"], r1=regions)
    do(s, op="attack")
    do(s, region="r1", target={"influence": "callo"})
    assert (s.influence[CALLO * 8], s.controlled[CALLO * 8], s.supply[CALLO]) == (1, 0, 19)


def test_7_18_defeated_figures_go_home_and_all_damage_ends():
    regions = {"r1": {"tile": 1, "units": ["faun-1", "faun-2"]}}
    s = at(
        "activation",
        "callo",
        "freihoff",
        regions=regions,
        damage={"faun-1": 1},
        defeated=["faun-2"],
    )
    assert s.figure_at[FIGURES.index("faun-2")] == NONE
    assert sum(s.damage) == 0


def test_7_14_points_that_are_left_over_are_lost():
    regions = {
        "r1": {"tile": 1, "neutral": 0, "units": ["tree_brothers-1", "wild_child-1"]},
        "r2": {"tile": 2},
    }
    s = at("activation", "fjollsfinn", "callo", regions=regions, stocks={"fjollsfinn": {"gold": 2}})
    do(s, op="attack")
    assert s.attack == [2, 0, 0, 0, 0, 0, 0, 0]
    do(s, op="done")
    assert sum(s.attack) == 0


def test_7_6_the_ice_drakkars_must_stand_in_two_open_regions():
    there = {"tile": 2, "units": ["ice_drakkar-2"], "influence": {"fjollsfinn": 1}}
    here = {"tile": 1, "units": ["ice_drakkar-1", "volcano_people-1"]}
    s = at("activation", "fjollsfinn", "callo", regions={"r6": here, "r1": there})
    assert asked(s) == ("fjollsfinn", "ice_crossing")
    for locked in (here, there):
        shut = {"locked": True, "neutral": 0}
        regions = {"r6": here | (shut if locked is here else {}), "r1": there}
        regions["r1"] = there | (shut if locked is there else {})
        s = at("activation", "fjollsfinn", "callo", regions=regions)
        assert asked(s) != ("fjollsfinn", "ice_crossing")
    s = at("activation", "fjollsfinn", "callo", regions={"r6": here, "r1": {"tile": 2}})
    assert asked(s) != ("fjollsfinn", "ice_crossing")


def test_7_11_in_a_locked_region_there_is_nothing_to_attack():
    for locked, asks in ((False, True), (True, False)):
        s = fight("van_dyken", "callo", units=["crab-1", "wild_child-1"], r1={"locked": locked})
        assert (asked(s) == ("van_dyken", "attack_declare")) == asks


def test_7_6_an_ice_drakkar_off_the_map_is_in_no_region():
    here = {"tile": 1, "units": ["ice_drakkar-1", "volcano_people-1"]}
    s = at("activation", "fjollsfinn", "callo", regions={"r6": here, "r8": {"tile": 2}})
    assert asked(s) != ("fjollsfinn", "ice_crossing")


def test_7_9_a_unit_off_the_map_makes_no_steps():
    stocks = {"callo": {"upgrades": {"faun": ["speed"]}}}
    regions = {"r8": {"tile": 1}, "r2": {"tile": 2}}
    s = at("activation", "callo", "van_dyken", regions=regions, stocks=stocks)
    assert asked(s) != ("callo", "speed_move")


def test_7_4_without_an_assignment_nothing_returns_to_the_supply():
    regions = {"r1": {"tile": 1, "units": ["harrasim-1"]}}
    supply = {"upgrade_dominance": 0}
    s = at("activation", "freihoff", "callo", regions=regions, supply=supply)
    assert may(s, abilities=["attack", "speed"])
    assert not may(s, abilities=["dominance", "speed"])
