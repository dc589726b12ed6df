"""IG-6 Action fields 0 to 5."""

from taflhall_engine.ice_garden.ids import CALLO, DEAD_SNOW, FIELD_0, FIGURES, VAN_DYKEN
from tests.engine.ice_garden.position import asked, at, do, emitted, markers, may, refused

HERE = {"r1": {"tile": 1, "influence": {"callo": 3}}, "r2": {"tile": 2}}
FAUN_HERE = {"r1": {"tile": 1, "influence": {"callo": 3}, "units": ["faun-1"]}, "r2": {"tile": 2}}


def resolving(field, *players, **given):
    """Return a table at the resolution of the first player's marker on *field*."""
    players = players or ("callo", "freihoff")
    return at("fields_1_5", *players, fields={field: [players[0]]}, **given)


def test_6_2_the_marker_on_the_highest_slot_is_resolved_first():
    fields = {"making": ["callo", "freihoff", "callo"]}
    stocks = {name: {"m": [1, 0, 0, 0]} for name in ("callo", "freihoff")}
    s = at("fields_1_5", "callo", "freihoff", fields=fields, stocks=stocks)
    found = []
    while asked(s)[1] == "making_menu":
        found.append(asked(s)[0])
        do(s, op="done")
    assert found == ["callo", "freihoff", "callo"]


def test_6_3_viper_gorge_goes_around_in_turn_order_one_marker_each():
    fields = {"viper_gorge": ["freihoff", *["callo"] * 3, "van_dyken", "van_dyken"]}
    s = at("field_0", "callo", "freihoff", "van_dyken", fields=fields)
    found = []
    while s.state == FIELD_0:
        found.append(asked(s)[0])
        do(s, op="done")
    assert found == ["callo", "freihoff", "van_dyken", "callo", "van_dyken", "callo"]
    assert [event.field for event in emitted(s, "MarkerResolved")] == [0] * 6


def test_6_4_one_resource_is_taken_at_most_once_and_trades_are_not_limited():
    stocks = {"callo": {"population": 3, "gold": 1}}
    s = at("field_0", "callo", "freihoff", fields={"viper_gorge": ["callo"]}, stocks=stocks)
    do(s, op="trade", give=["population", "gold"], get="m_factor")
    do(s, op="take", kind="gold")
    assert not may(s, op="take", kind="gold")
    assert not may(s, op="trade", give=["population", "gold"], get="gold")
    do(s, op="trade", give=["population", "gold"], get="m_factor")
    assert s.stock[CALLO * 6 : CALLO * 6 + 3] == [1, 0, 2]
    assert asked(s) == ("callo", "viper_gorge")
    assert not may(s, op="take", kind="gold")


def test_6_7_influence_is_placed_where_the_player_is_present_twice_at_most():
    s = resolving("influence", regions=HERE, stocks={"callo": {"population": 3}})
    assert not may(s, region="r2")
    do(s, region="r1")
    do(s, region="r1")
    assert markers(s, "callo") == {"r1": 5}
    assert asked(s) != ("callo", "influence_place")


def test_6_8_the_same_piece_may_make_both_steps():
    regions = {"r1": {"tile": 1, "units": ["faun-1"]}, "r2": {"tile": 2}, "r5": {"tile": 3}}
    s = resolving("move", regions=regions, stocks={"callo": {"gold": 4}})
    do(s, piece="faun-1", from_="r1", to="r2")
    do(s, piece="faun-1", from_="r2", to="r5")
    assert s.figure_at[FIGURES.index("faun-1")] == 4
    assert s.stock[CALLO * 6 + 1] == 2
    assert asked(s) != ("callo", "move_step")  # two steps at most


def test_6_12_the_mountain_takes_at_least_one_piece_and_asks_for_three_population_with_tile_2():
    tiles = [{"number": n, "side": "arrow"} for n in (2, 1, 3, 4)]
    given = {"regions": FAUN_HERE, "tile_layout": tiles, "active_tiles": tiles[:1]}
    options = {"vuko_tiles": "base4"}
    s = resolving("mountain", **given, options=options, stocks={"callo": {"population": 3}})
    do(s, from_="r1", to="r2")
    assert s.stock[CALLO * 6] == 0
    assert not may(s, op="done")
    do(s, piece="influence")
    do(s, op="done")
    assert markers(s, "callo") == {"r1": 2, "r2": 1}


def test_6_15_reputation_is_raised_from_minus_1_or_lower_only():
    for field, legal in (("safe", False), ("0", False), ("-1", True), ("-9", True)):
        s = resolving(
            "raven_shadow",
            reputation={field: ["callo"]},
            stocks={"callo": {"vuko_tokens": 1, "m": [1, 0, 0, 0]}},
        )
        assert may(s, op="reputation") == legal, field


def test_6_18_the_cost_is_paid_but_the_benefit_lost_when_the_snow_falls():
    s = resolving("making", regions=HERE, dead_snow=17, stocks={"callo": {"m": [2, 0, 0, 0]}})
    do(s, op="move_m")
    assert s.reason == DEAD_SNOW
    assert s.reputation[CALLO] == 1
    assert s.stock[CALLO * 6 + 2] == 2
    assert s.vuko_tokens[CALLO] == 1


def test_6_21_an_upgrade_replaces_another_only_on_a_full_type():
    stocks = {"callo": {"m": [3, 0, 0, 0], "gold": 5, "population": 5}}
    s = resolving("making", regions=HERE, stocks=stocks)
    do(s, op="upgrade")
    assert may(s, unit="faun", ability="attack")
    assert not may(s, unit="faun", ability="attack", replace="shield")
    slots = s.components.free_slots[7]
    full = ["dominance", "shield"][:slots]
    stocks["callo"]["upgrades"] = {"faun": full}
    s = resolving("making", regions=HERE, stocks=stocks)
    do(s, op="upgrade")
    assert not may(s, unit="faun", ability="attack")
    assert may(s, unit="faun", ability="attack", replace=full[0])


def test_6_22_crabs_may_carry_the_same_symbol_twice_but_not_in_edition_1():
    stocks = {
        "van_dyken": {"m": [3, 0, 0, 0], "gold": 5, "population": 5, "upgrades": {"crab": []}}
    }
    for edition, legal in ((2, True), (1, False)):
        s = resolving(
            "making",
            "van_dyken",
            "callo",
            regions={"r1": {"tile": 1}},
            stocks=stocks,
            options={"edition": edition},
        )
        printed = next(a for a in range(4) if s.components.printed[3 * 4 + a])
        do(s, op="upgrade")
        assert may(s, unit="crab", ability=["attack", "shield", "dominance", "speed"][printed]) == (
            legal
        )


def test_6_23_crabs_cost_two_reputation_more_once_and_the_lowest_figures_come():
    regions = {"r1": {"tile": 1, "influence": {"van_dyken": 1}, "units": ["crab-2"]}}
    stocks = {"van_dyken": {"m": [0, 2, 0, 0]}}
    s = resolving("making", "van_dyken", "callo", regions=regions, stocks=stocks)
    do(s, op="summon")
    do(s, unit="crab", n=2)
    assert [event.figure for event in emitted(s, "UnitPlaced")] == [6, 8]
    assert s.reputation[VAN_DYKEN] == 4  # field -3: the first step out of the safe area leads to 0
    assert s.snow == 1


def test_6_24_a_unit_alone_makes_a_region_fit_for_summoning():
    regions = {"r1": {"tile": 1, "units": ["faun-1"]}, "r2": {"tile": 2}}
    s = resolving("making", regions=regions, stocks={"callo": {"m": [0, 1, 0, 0]}})
    do(s, op="summon")  # the type and the region are the only ones
    assert [event.figure for event in emitted(s, "UnitPlaced")] == [FIGURES.index("wild_child-1")]


def test_6_28_leaving_the_making_at_once_costs_nothing():
    s = resolving("making", regions=HERE, stocks={"callo": {"m": [2, 0, 0, 0]}})
    do(s, op="done")
    assert (s.snow, s.reputation[CALLO]) == (0, 0)


def test_6_23_a_type_without_a_figure_off_the_map_cannot_be_summoned():
    units = ["wild_child-1", "wild_child-2", "wild_child-3"]
    stocks = {"callo": {"m": [1, 1, 0, 0]}}
    s = resolving("making", regions={"r1": {"tile": 1, "units": units}}, stocks=stocks)
    assert may(s, op="move_m")
    assert not may(s, op="summon")
    s = resolving("making", regions={"r1": {"tile": 1, "units": units[:2]}}, stocks=stocks)
    assert may(s, op="summon")


def test_6_24_without_a_region_nothing_can_be_summoned():
    stocks = {"callo": {"m": [1, 1, 0, 0]}}
    s = resolving("making", regions={"r1": {"tile": 1}}, stocks=stocks)
    assert may(s, op="move_m")
    assert not may(s, op="summon")


def test_6_6_and_6_8_whoever_stops_after_one_step_is_not_asked_again():
    s = resolving("influence", regions=HERE, stocks={"callo": {"population": 3}})
    do(s, op="done")
    assert asked(s) != ("callo", "influence_place")
    s = resolving("move", regions=FAUN_HERE, stocks={"callo": {"gold": 3}})
    do(s, op="done")
    assert asked(s) != ("callo", "move_step")


def test_6_9_only_callos_own_faun_leaves_a_locked_region():
    locked = {"tile": 1, "locked": True, "neutral": 0, "units": ["faun-1"]}
    regions = {"r1": locked, "r2": {"tile": 2, "units": ["harrasim-1"]}, "r3": {"tile": 3}}
    stocks = {"callo": {"gold": 2}, "freihoff": {"gold": 2}}
    for player, leaves in (("callo", True), ("freihoff", False)):
        other = {"callo": "freihoff", "freihoff": "callo"}[player]
        s = resolving("move", player, other, regions=regions, stocks=stocks)
        assert asked(s) == (player, "move_step")
        assert may(s, piece="faun-1", from_="r1", to="r2") == leaves


def test_6_12_the_mountain_knows_no_region_that_is_not_in_play():
    s = resolving("mountain", regions=HERE, stocks={"callo": {"population": 5}})
    for way in ({"from_": "r1", "to": "r5"}, {"from_": "r5", "to": "r1"}):
        assert refused(s, **way) == "not_offered"
