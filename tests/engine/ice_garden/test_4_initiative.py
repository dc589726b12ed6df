"""IG-4 The round: catch-up, initiative, turn order. IG-5 Order tokens and planning."""

from taflhall_engine.ice_garden.ids import CALLO, FREIHOFF, VAN_DYKEN
from tests.engine.ice_garden.position import asked, at, do, emitted, markers


def test_4_2_units_do_not_save_from_catching_up():
    regions = {"r1": {"tile": 1, "units": ["faun-1"], "influence": {"callo": 1}}}
    s = at("catch_up", "callo", "freihoff", regions=regions)
    assert asked(s) == ("callo", "catch_up_place")
    do(s, region="r1")
    assert markers(s, "callo") == {"r1": 2}
    assert asked(s) == ("freihoff", "catch_up_place")


def test_4_2_population_is_given_before_the_markers_and_cut_by_the_supply():
    regions = {"r1": {"tile": 1}, "r2": {"tile": 2}}
    s = at("catch_up", "callo", "freihoff", regions=regions, supply={"population": 3})
    assert [s.stock[f * 6] for f in (CALLO, FREIHOFF)] == [2, 0]
    do(s, op="done")
    assert [s.stock[f * 6] for f in (CALLO, FREIHOFF)] == [2, 1]


def test_4_2_edition_1_counts_units_and_controlled_markers():
    regions = {
        "r1": {"tile": 1, "units": ["faun-1"]},
        "r2": {"tile": 2, "influence": {"freihoff": 1}, "controlled": {"freihoff": 1}},
    }
    s = at("catch_up", "callo", "freihoff", regions=regions, options={"edition": 1})
    assert asked(s) == ("freihoff", "catch_up_place")
    do(s, region="r1")
    assert asked(s) == ("callo", "initiative_move")


def test_4_4_a_double_move_is_booked_on_the_stage_it_starts_in():
    s = at("initiative", "callo", "freihoff", helms={"3": ["callo"], "1": ["freihoff"]})
    do(s, steps=2)
    assert s.doubles[CALLO] == 1 << 1
    assert s.helm[CALLO] == 5


def test_4_4_a_spent_double_move_leaves_one_step_without_asking():
    helms = {"2": ["callo"], "1": ["freihoff"]}
    s = at("initiative", "callo", "freihoff", helms=helms, double_moves_used={"callo": [1]})
    assert s.helm[CALLO] == 3
    assert asked(s) == ("freihoff", "initiative_move")
    do(s, steps=1)
    assert s.doubles[FREIHOFF] == 0


def test_4_6_ships_first_then_the_helm_further_right_then_the_upper_marker():
    helms = {"7": ["callo", "freihoff"], "6": ["fjollsfinn", "van_dyken"]}
    order = ["callo", "freihoff", "fjollsfinn", "van_dyken"]
    s = at("initiative", *order, helms=helms)
    for steps in (1, 2, 1, 2):
        do(s, steps=steps)
    assert s.order == [FREIHOFF, 3, VAN_DYKEN, CALLO]


def test_4_8_a_ship_that_is_jumped_over_is_reached():
    s = at("initiative", "callo", "freihoff", helms={"8": ["callo", "freihoff"]}, ships_reached=2)
    do(s, steps=2)
    do(s, steps=1)
    assert (s.factor, s.ships) == (2, 4)


def test_5_2_the_fifth_order_token_is_laid_without_asking():
    options = {"advanced_order_tokens": True}
    s = at("order_tokens", "callo", "freihoff", "fjollsfinn", options=options)
    fields = ["making", "raven_shadow", "mountain", "move"]
    for token, field in enumerate(fields, 1):
        do(s, token=token, field=field)
    assert s.tokens == [5, 4, 3, 2, 1]
    assert len(emitted(s, "TokenLaid")) == 5
    assert asked(s) == ("callo", "plan_marker")


def test_5_2_in_round_1_the_tokens_stay_where_they_lie():
    options = {"advanced_order_tokens": True}
    s = at("order_tokens", "callo", "freihoff", options=options, round=1)
    assert asked(s) == ("callo", "plan_marker")


def test_5_3_players_without_markers_are_skipped():
    s = at("planning", "callo", "freihoff", action_markers={"callo": 2, "freihoff": 0})
    do(s, field="move")
    assert asked(s) == ("callo", "plan_marker")


def test_5_5_viper_gorge_takes_an_influence_marker_for_good():
    s = at("planning", "callo", "freihoff", action_markers={"callo": 2, "freihoff": 1})
    do(s, field="viper_gorge")
    assert (s.viper[CALLO], s.supply[CALLO]) == (1, 19)


def test_5_7_markers_without_a_field_are_forfeited():
    three = ["callo"] * 3
    fields = dict.fromkeys(["move", "mountain", "raven_shadow", "making"], three)
    s = at(
        "planning",
        "callo",
        "freihoff",
        fields={"influence": three * 2, **fields},
        action_markers={"callo": 1, "freihoff": 2},
        stocks={"freihoff": {"influence_supply": 0}},
    )
    assert s.viper[CALLO] == 1
    [forfeited] = emitted(s, "MarkersForfeited")
    assert (forfeited.faction, forfeited.count) == (FREIHOFF, 2)


def test_5_3_planning_goes_around_in_turn_order():
    markers = {"callo": 1, "freihoff": 2, "van_dyken": 2}
    s = at("planning", "callo", "freihoff", "van_dyken", action_markers=markers)
    found = []
    while asked(s)[1] == "plan_marker":
        found.append(asked(s)[0])
        do(s, field="raven_shadow" if len(found) < 4 else "making")
    assert found == ["callo", "freihoff", "van_dyken", "freihoff", "van_dyken"]


def test_3_8_a_player_without_markers_is_passed_over_in_the_set_up():
    regions = {"r1": {"tile": 1}, "r2": {"tile": 2}}
    stocks = {"callo": {"influence_supply": 0}}
    s = at("setup_influence", "callo", "freihoff", regions=regions, stocks=stocks)
    assert asked(s) == ("freihoff", "setup_influence")
    do(s, region="r1")
    assert s.round == 1  # the second marker finds one region only, and round 1 begins
    assert [event.round for event in emitted(s, "RoundBegan")] == [1]
    assert s.neutral[:3] == [1, 1, 0]


def test_3_11_without_vuko_tiles_none_are_laid_out():
    for tiles, count in (("off", 0), ("base4", 1)):
        regions = {"r1": {"tile": 1}, "r2": {"tile": 2}}
        s = at(
            "setup_influence",
            "callo",
            "freihoff",
            regions=regions,
            stocks={"callo": {"influence_supply": 0}},
            options={"vuko_tiles": tiles},
        )
        do(s, region="r1")
        assert len(emitted(s, "VukoTilesLaid")) == count
        assert len(s.layout) == 4 * count
