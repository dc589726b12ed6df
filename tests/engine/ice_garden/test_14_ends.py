"""IG-12 Dead Snow. IG-13.7 the bonus. IG-14 The end of the game. IG-16 The solo game."""

from taflhall_engine.ice_garden.ids import (
    CALLO,
    DEAD_SNOW,
    FIGURES,
    FREIHOFF,
    GOAL,
    NONE,
    POINTS,
)
from taflhall_engine.ice_garden.rules.ending import fall_snow
from tests.engine.ice_garden.position import asked, at, do, markers, told


def snowed(trigger, edition=2, **given):
    """Return a table of Callo, Freihoff and Van Dyken on which the Dead Snow has fallen."""
    s = at("planning", "callo", "freihoff", "van_dyken", options={"edition": edition}, **given)
    fall_snow(s, "IG-6.18", 24, trigger)
    assert s.reason == DEAD_SNOW
    return s


def test_12_3_whoever_triggers_the_end_takes_a_token_even_from_an_empty_supply():
    reputation = {"0": ["freihoff"], "-1": ["callo", "van_dyken"]}
    s = snowed(FREIHOFF, reputation=reputation)
    assert s.vuko_tokens[FREIHOFF] == 1
    assert s.final_reputation[FREIHOFF] == -2
    s = snowed(FREIHOFF, reputation=reputation, supply={"vuko_tokens": 0})
    assert s.vuko_tokens[FREIHOFF] == 0
    assert s.final_reputation[FREIHOFF] == -2


def test_12_5_a_tie_goes_to_the_better_reputation_before_the_deduction():
    s = snowed(
        NONE,
        reputation={"0": ["callo"], "-2": ["freihoff"], "-9": ["van_dyken"]},
        stocks={"callo": {"vuko_tokens": 1}},
    )
    assert s.final_reputation[CALLO] == s.final_reputation[FREIHOFF] == -2
    assert s.winners == [CALLO]


def test_12_6_in_edition_1_the_markers_move_and_the_lower_one_wins():
    s = snowed(
        NONE,
        edition=1,
        reputation={"0": ["callo"], "-2": ["freihoff"], "-9": ["van_dyken"]},
        stocks={"callo": {"vuko_tokens": 1}},
    )
    assert s.final_reputation[CALLO] == s.final_reputation[FREIHOFF] == -2
    assert s.winners == [FREIHOFF]  # Callo's marker lands on top of the stack


def test_12_4_the_safe_area_is_one_field_above_0():
    assert snowed(NONE).final_reputation[CALLO] == 1


def test_14_2_a_goal_comes_before_the_points():
    s = at(
        "round_end", "callo", "freihoff", goal_fulfilled=["freihoff"], stocks={"callo": {"vp": 60}}
    )
    assert (s.reason, s.winners) == (GOAL, [FREIHOFF])


def test_14_4_of_several_goals_the_points_decide_after_the_bonus():
    s = at(
        "round_end",
        "callo",
        "freihoff",
        goal_fulfilled=["callo", "freihoff"],
        stocks={"callo": {"vp": 20}, "freihoff": {"vp": 16, "viper": 1}},
    )
    assert s.winners == [FREIHOFF]
    assert s.vp[FREIHOFF] == 21


def test_14_5_equal_points_share_the_victory():
    s = at("round_end", "callo", "freihoff", stocks={"callo": {"vp": 50}, "freihoff": {"vp": 50}})
    assert (s.reason, sorted(s.winners)) == (POINTS, [FREIHOFF, CALLO])


def test_14_3_49_points_are_not_enough_but_the_last_helm_is():
    vp = {"callo": {"vp": 49}, "freihoff": {"vp": 9}}
    s = at("round_end", "callo", "freihoff", stocks=vp)
    assert s.reason == 0
    s = at("round_end", "callo", "freihoff", stocks=vp, helms={"10": ["freihoff"]}, ships_reached=4)
    assert (s.reason, s.winners) == (POINTS, [CALLO])


def test_13_7_a_tie_on_viper_gorge_goes_to_the_better_reputation():
    stocks = {name: {"vp": 50, "viper": 2} for name in ("callo", "freihoff")}
    s = at(
        "round_end", "callo", "freihoff", stocks=stocks, reputation={"-1": ["callo", "freihoff"]}
    )
    assert s.winners == [FREIHOFF]  # the lower one of the stack


def test_13_7_the_bonus_cannot_cause_the_end():
    s = at("round_end", "callo", "freihoff", stocks={"callo": {"vp": 46, "viper": 3}})
    assert (s.reason, s.vp[CALLO]) == (0, 46)


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
    assert told(s, "DieRolled") == []


def test_16_13_behind_the_npc_only_single_goods_may_be_taken():
    region = {"tile": 2, "influence": {"freihoff": 2, "callo": 5}}
    s = at("domination", "freihoff", **SOLO, regions={"r1": region})
    [gained] = told(s, "Gained")
    assert (gained.kind, gained.count) == (1, 1)  # not the two population


def test_16_14_the_npc_pillages_what_the_die_says_from_the_highest_level():
    given = {"options": {"solo_level": "easy"}, "npc": "freihoff"}
    region = {"tile": 1, "units": ["enlightened_one-1", "wild_child-1"], "tower": True}
    s = at(
        "domination",
        "callo",
        **given,
        regions={"r1": {**region, "influence": {"freihoff": 2}}},
        stocks={"callo": {"m": [1, 0, 1, 0]}},
        dice=[1, 4, 6],
    )
    assert [event.result for event in told(s, "DieRolled")][:3] == [1, 4, 6]
    assert s.stock[CALLO * 6 + 2 : CALLO * 6 + 6] == [1, 0, 0, 0]


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
    [defeated] = told(s, "UnitDefeated")
    assert defeated.figure == FIGURES.index("faun-1")
