"""IG-8 Vuko Drakkainen. IG-11 The reputation track. IG-15 Vuko tiles."""

import pytest

from taflhall_engine.ice_garden.effects import lose_reputation, raise_reputation
from taflhall_engine.ice_garden.ids import CALLO, FREIHOFF, NONE
from tests.engine.ice_garden.position import asked, at, do, emitted, may

LOW = {"-2": ["callo"]}


def visit(**given):
    """Return a table after Vuko's visit to Callo, who has the lowest reputation."""
    players = given.pop("players", ("callo", "freihoff"))
    return at("vuko", *players, **{"reputation": LOW, "round": 3, **given})


def test_8_3_of_two_in_a_stack_the_upper_one_is_the_culprit():
    regions = {"r1": {"tile": 1, "influence": {"callo": 1, "freihoff": 1}}}
    s = visit(regions=regions, reputation={"-1": ["freihoff", "callo"]})
    assert (s.vuko_tokens[CALLO], s.vuko_tokens[FREIHOFF]) == (0, 1)


def test_8_4_of_two_equal_regions_vuko_takes_the_lower_tile_number():
    regions = {
        "r1": {"tile": 5, "influence": {"callo": 2}},
        "r2": {"tile": 3, "influence": {"callo": 2}},
    }
    assert visit(regions=regions).vuko == 1


def test_8_4_vuko_leaves_for_the_second_best_region():
    regions = {
        "r1": {"tile": 1, "vuko": True, "influence": {"callo": 5}},
        "r2": {"tile": 2, "influence": {"callo": 3}},
    }
    assert visit(regions=regions).vuko == 1


def test_8_5_vuko_stays_if_the_culprit_is_nowhere_else():
    regions = {"r1": {"tile": 1, "vuko": True, "influence": {"callo": 5}}, "r2": {"tile": 2}}
    s = visit(regions=regions)
    assert s.vuko == 0
    assert emitted(s, "VukoMoved") == []
    assert s.controlled[CALLO * 8] == 1


def test_8_7_a_culprit_without_influence_takes_a_token_all_the_same():
    s = visit(regions={"r1": {"tile": 1}})
    assert (s.vuko, s.vuko_tokens[CALLO]) == (NONE, 1)


def test_8_9_everybody_with_tokens_loses_control_of_as_many_markers():
    regions = {"r1": {"tile": 1, "influence": {"callo": 1, "freihoff": 3}}}
    s = visit(regions=regions, stocks={"callo": {"vuko_tokens": 2}, "freihoff": {"vuko_tokens": 2}})
    assert (s.controlled[CALLO * 8], s.controlled[FREIHOFF * 8]) == (1, 2)


def test_8_11_vuko_in_a_locked_region_does_nothing_there_and_leaves_next():
    regions = {
        "r1": {"tile": 1, "locked": True, "vuko": True, "neutral": 0, "influence": {"callo": 3}},
        "r2": {"tile": 2, "influence": {"callo": 1}},
    }
    assert visit(regions=regions).vuko == 1
    del regions["r2"]["influence"]
    s = visit(regions=regions, stocks={"callo": {"vuko_tokens": 2}})
    assert (s.vuko, s.controlled[CALLO * 8], s.vuko_tokens[CALLO]) == (0, 0, 3)


def test_11_3_a_marker_that_sinks_lies_on_top_and_the_first_step_leads_to_0():
    s = at("planning", "callo", "freihoff", "van_dyken", reputation={"-3": ["freihoff"]})
    lose_reputation(s, "IG-6.18", CALLO, 4)
    assert s.reputation[CALLO] == s.reputation[FREIHOFF] == 4
    assert s.standing.index(CALLO) < s.standing.index(FREIHOFF)


def test_11_4_a_marker_that_rises_lies_at_the_bottom_and_stops_at_0():
    s = at("planning", "callo", "freihoff", reputation={"-1": ["callo"], "0": ["freihoff"]})
    raise_reputation(s, "IG-11.4", CALLO, 2)
    assert s.reputation[CALLO] == s.reputation[FREIHOFF] == 1
    assert s.standing.index(CALLO) > s.standing.index(FREIHOFF)


def test_11_6_at_the_floor_a_loss_puts_the_marker_on_top():
    s = at("planning", "callo", "freihoff", reputation={"-9": ["freihoff", "callo"]})
    lose_reputation(s, "IG-6.18", CALLO, 3)
    assert s.reputation[CALLO] == 10
    assert s.standing == [CALLO, FREIHOFF]


def tiles(*numbers):
    return {
        "options": {"vuko_tiles": "all8"},
        "tile_layout": [{"number": n, "side": "arrow"} for n in numbers],
        "active_tiles": [{"number": numbers[0], "side": "arrow"}],
    }


def test_15_5_the_fire_people_follow_vuko_from_region_to_region():
    there = {"r2": {"tile": 2, "influence": {"callo": 1}}}
    for vuko, neutral in ((True, [0, 4]), (False, [3, 1])):
        regions = {"r1": {"tile": 1, "vuko": vuko, "neutral": 3}, **there}
        assert visit(regions=regions, **tiles(1, 2, 3, 4)).neutral[:2] == neutral


def test_15_7_the_nightwalker_takes_markers_and_tokens_in_pairs():
    regions = {"r2": {"tile": 1, "influence": {"callo": 3, "freihoff": 1}}}
    s = visit(regions=regions, stocks={"callo": {"vuko_tokens": 1}}, **tiles(3, 1, 2, 4))
    place = CALLO * 8 + 1
    assert (s.influence[place], s.controlled[place], s.vuko_tokens[CALLO]) == (1, 0, 0)
    assert [(e.faction, e.count) for e in emitted(s, "VukoTokensReturned")] == [(CALLO, 2)]


def test_15_10_in_the_snake_fight_everybody_flees_in_turn_order():
    regions = {
        "r1": {"tile": 1, "units": ["faun-1", "enlightened_one-1"], "influence": {"callo": 1}},
        "r2": {"tile": 2},
        "r3": {"tile": 3},
    }
    s = visit(regions=regions, **tiles(6, 1, 2, 4), players=("freihoff", "callo"))
    assert asked(s) == ("freihoff", "snake_fight_move")  # the Faun was killed by Vuko
    do(s, unit="enlightened_one-1", to="r3")
    assert not any(where == 0 for where in s.figure_at)


@pytest.mark.parametrize(("stage", "active"), [(1, True), (2, False)])
def test_15_4_a_tile_with_the_side_of_the_stage_ends_with_it(stage, active):
    layout = [{"number": n, "side": "stage"} for n in (2, 1, 3, 4)]
    helm = {1: "1", 2: "3"}[stage]
    s = at(
        "initiative",
        "callo",
        "van_dyken",
        helms={helm: ["callo"]},
        options={"vuko_tiles": "base4"},
        tile_layout=layout,
        active_tiles=layout[:1],
    )
    do(s, steps=1)
    do(s, steps=1)
    assert (s.active >> 2 & 1 == 1) == active
    assert len(emitted(s, "TilesEnded")) == len(emitted(s, "TileActivated")) == stage - 1


def test_15_11_the_fools_spear_takes_vuko_off_the_map_and_frees_all_markers():
    layout = [{"number": n, "side": "arrow"} for n in (1, 8, 3, 4)]
    s = at(
        "initiative",
        "callo",
        "freihoff",
        helms={"3": ["callo"]},
        options={"vuko_tiles": "all8"},
        tile_layout=layout,
        regions={
            "r1": {"tile": 1, "vuko": True, "influence": {"callo": 2}, "controlled": {"callo": 2}}
        },
    )
    do(s, steps=1)
    do(s, steps=1)
    assert (s.vuko, s.controlled[CALLO * 8]) == (NONE, 0)


def test_8_4_of_two_equal_regions_the_higher_tile_number_comes_second():
    regions = {
        "r1": {"tile": 3, "influence": {"callo": 2}},
        "r2": {"tile": 5, "influence": {"callo": 2}},
    }
    assert visit(regions=regions).vuko == 0


def test_8_12_vuko_off_the_map_kills_nobody():
    s = visit(regions={"r8": {"tile": 1}})
    assert s.vuko == NONE
    assert asked(s)[1] != "vuko_kill"


def test_15_5_the_fire_people_do_not_follow_vuko_onto_the_map():
    regions = {"r8": {"tile": 1, "neutral": 3}, "r2": {"tile": 2, "influence": {"callo": 1}}}
    assert visit(regions=regions, **tiles(1, 2, 3, 4)).neutral == [0, 1, 0, 0, 0, 0, 0, 3]


@pytest.mark.parametrize(
    ("numbers", "keeps"), [((5, 2, 3, 4), True), ((2, 5, 3, 4), False), ((5, 8, 3, 4), False)]
)
def test_15_9_and_15_13_an_active_cyphral_keeps_the_m_factor_unless_vuko_is_away(numbers, keeps):
    region = {"tile": 1, "vuko": True, "reserves_up": 1, "influence": {"callo": 3}}
    values = {"population": 1, "gold": 1, "m_factor": 1}
    given = tiles(*numbers)
    if 8 in numbers:
        given["active_tiles"] = given["tile_layout"][:2]
    s = at(
        "domination",
        "callo",
        "freihoff",
        regions={"r1": {**region, "tile_values": values}},
        **given,
    )
    assert may(s, kind="m_factor") != keeps


def test_15_4_a_tile_with_an_arrow_does_not_end():
    layout = [{"number": n, "side": "arrow"} for n in (2, 1, 3, 4)]
    s = at(
        "initiative",
        "callo",
        "van_dyken",
        helms={"3": ["callo"]},
        options={"vuko_tiles": "base4"},
        tile_layout=layout,
        active_tiles=layout[:1],
    )
    do(s, steps=1)
    do(s, steps=1)
    assert s.stage == 2
    assert emitted(s, "TilesEnded") == []
