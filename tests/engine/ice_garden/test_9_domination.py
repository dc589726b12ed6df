"""IG-9 Domination. IG-10 Goals and locking. IG-13 Scoring."""

from taflhall_engine.ice_garden.ids import CALLO, FIGURES, FREIHOFF, NONE, VAN_DYKEN
from taflhall_engine.ice_garden.influence import dominance_order
from tests.engine.ice_garden.position import asked, at, do, emitted, markers, may

NOTHING = {"population": 0, "gold": 0, "m_factor": 0, "vp": [3, 1]}


def dominated(*players, **given):
    return at("domination", *(players or ("callo", "freihoff")), **given)


def test_9_2_influence_equal_to_the_neutral_markers_is_not_enough():
    regions = {"r1": {"tile": 1, "neutral": 3, "influence": {"callo": 3, "freihoff": 4}}}
    s = at("planning", "callo", "freihoff", regions=regions)
    assert dominance_order(s, 0) == [FREIHOFF]


def test_9_3_a_tie_goes_to_the_neighbours_then_to_the_reputation():
    regions = {
        "r1": {"tile": 1, "influence": {"callo": 2, "freihoff": 2}},
        "r2": {"tile": 2, "influence": {"callo": 2, "freihoff": 1}},
        "r4": {"tile": 3, "influence": {"freihoff": 1}, "controlled": {"freihoff": 0}},
    }
    s = at("planning", "callo", "freihoff", regions=regions, reputation={"-1": ["callo"]})
    assert dominance_order(s, 0) == [FREIHOFF, CALLO]
    s.controlled[FREIHOFF * 8 + 3] = 1
    assert dominance_order(s, 0) == [CALLO, FREIHOFF]
    s.controlled[CALLO * 8 + 1] = 1
    assert dominance_order(s, 0) == [FREIHOFF, CALLO]


def test_9_3_a_locked_neighbour_does_not_help():
    regions = {
        "r1": {"tile": 1, "influence": {"callo": 2, "freihoff": 2}},
        "r2": {"tile": 2, "locked": True, "neutral": 0, "influence": {"callo": 2}},
    }
    s = at("planning", "callo", "freihoff", regions=regions, reputation={"-1": ["callo"]})
    assert dominance_order(s, 0) == [FREIHOFF, CALLO]


def test_9_4_the_thorn_absorbs_face_up_reserves_only():
    region = {"tile": 1, "thorn": True, "reserves_up": 2, "reserves_down": 1}
    regions = {"r1": {**region, "influence": {"van_dyken": 2}, "tile_values": NOTHING}}
    s = dominated("van_dyken", "callo", regions=regions)
    assert (s.absorbed, s.reserves_up[0] + s.reserves_down[0]) == (2, 1)


def test_9_11_a_second_token_laid_now_locks_the_region_at_once():
    units = ["nightmare-1", "faun-1"]
    region = {"tile": 1, "units": units, "nightmare_tokens": 1, "influence": {"callo": 3}}
    s = dominated(regions={"r1": region, "r2": {"tile": 2}, "r3": {"tile": 3}})
    assert asked(s) == ("callo", "lock_redistribute")
    do(s, region="r2")
    assert s.locked[0] == 1
    assert markers(s, "callo") == {"r1": 2, "r2": 1}  # half of three, rounded up, stay
    assert s.figure_at[FIGURES.index("nightmare-1")] == NONE
    assert s.figure_at[FIGURES.index("faun-1")] == 0
    assert (s.bank[4], s.bank[5]) == (4, 1)


def test_9_12_the_order_is_computed_again_after_the_abilities_but_kept_in_edition_1():
    region = {"tile": 4, "neutral": 0, "units": ["faun-1"], "influence": {"freihoff": 1}}
    for edition, claims in ((2, [CALLO]), (1, [CALLO, FREIHOFF])):
        s = dominated(regions={"r1": region}, options={"edition": edition})
        if edition == 1:
            do(s, ability="enchant", use=True)
        assert markers(s, "freihoff") == {}  # its only marker was replaced
        do(s, kind="gold")
        if edition == 1:
            do(s, kind="population")
        assert [event.faction for event in emitted(s, "Gained")][: len(claims)] == claims


def test_9_12_a_kind_that_is_claimed_is_not_offered_again():
    regions = {"r1": {"tile": 1, "influence": {"callo": 3, "freihoff": 2}}}
    s = dominated(regions=regions)
    do(s, kind="gold")
    assert [(e.faction, e.kind) for e in emitted(s, "Gained")] == [(CALLO, 1), (FREIHOFF, 0)]


def test_10_11_others_move_their_markers_in_turn_order_and_control_ends():
    region = {
        "tile": 1,
        "units": ["faun-1"],
        "nightmare_tokens": 2,
        "influence": {"callo": 4, "freihoff": 3},
        "controlled": {"freihoff": 1},
        "vuko": True,
    }
    s = dominated(regions={"r1": region, "r2": {"tile": 2}, "r3": {"tile": 3}})
    do(s, player="freihoff", state="free")  # the Faun enchants before the region is locked
    do(s, region="r2")
    do(s, region="r2")
    assert asked(s) == ("freihoff", "lock_redistribute")
    do(s, region="r2")
    do(s, region="r3")
    assert markers(s, "callo") == {"r1": 3, "r2": 2}
    assert markers(s, "freihoff") == {"r2": 1, "r3": 1}
    assert sum(s.controlled) == 0


def test_10_15_a_displaced_reserve_finds_the_next_fit_region():
    def lock(**others):
        region = {"tile": 1, "units": ["faun-1"], "nightmare_tokens": 2, "reserves_down": 1}
        s = dominated(regions={"r1": {**region, "influence": {"callo": 1}}, **others})
        return {name: s.reserves_up[int(name[1]) - 1] for name in others}

    taken, free = {"tile": 3, "reserves_up": 1}, {"tile": 2}
    assert lock(r2={"tile": 4}, r3=taken, r8=free) == {"r2": 1, "r3": 1, "r8": 0}  # next to it
    assert lock(r3=taken, r8=free) == {"r3": 1, "r8": 1}  # anywhere without a reserve
    assert lock(r3=taken) == {"r3": 2}  # anywhere


def test_10_21_a_third_region_is_not_locked():
    regions = {
        "r1": {"tile": 1, "locked": True, "neutral": 0},
        "r2": {"tile": 2, "locked": True, "neutral": 0},
        "r5": {
            "tile": 3,
            "units": ["faun-1"],
            "nightmare_tokens": 2,
            "influence": {"callo": 1},
            "tile_values": NOTHING,
        },
        "r6": {"tile": 4},
    }
    assert dominated(regions=regions).locked[4] == 0


def test_13_2_places_that_are_not_eligible_are_not_counted():
    region = {"tile": 1, "neutral": 2, "tile_values": NOTHING}
    influence = {"callo": 3, "freihoff": 2, "van_dyken": 4}
    s = dominated(
        "callo",
        "freihoff",
        "van_dyken",
        regions={"r1": {**region, "influence": influence}},
        scoring_factor=2,
    )
    assert [s.vp[f] for f in (VAN_DYKEN, CALLO, FREIHOFF)] == [6, 2, 0]


def test_13_5_callo_scores_the_first_number_of_each_locked_region():
    region = {"tile": 1, "locked": True, "neutral": 0, "influence": {"callo": 2}}
    s = dominated(regions={"r1": {**region, "tile_values": NOTHING}}, scoring_factor=2)
    assert s.vp[CALLO] == 6


def test_9_6_recruitment_takes_a_marker_free_or_controlled_to_the_ice_garden():
    region = {
        "tile": 1,
        "units": ["ice_drakkar-1"],
        "influence": {"callo": 2},
        "controlled": {"callo": 1},
    }
    s = dominated("fjollsfinn", "callo", regions={"r1": {**region, "tile_values": NOTHING}})
    assert may(s, player="callo", state="free")
    do(s, player="callo", state="controlled")
    assert (s.ice_garden[CALLO], s.influence[CALLO * 8], s.controlled[CALLO * 8]) == (1, 1, 0)


def test_10_6_five_towers_do_not_fulfil_the_goal_and_six_do():
    region = {"tile": 1, "units": ["enlightened_one-1"], "tile_values": NOTHING}
    for towers, goal in ((4, False), (5, True)):
        s = dominated(
            "freihoff", "callo", regions={"r1": region}, stocks={"freihoff": {"towers": towers}}
        )
        assert s.towers == towers + 1
        assert (s.goals >> FREIHOFF & 1 == 1) == goal


def test_9_1_each_region_in_play_is_ranked_and_then_finished():
    regions = {
        "r2": {"tile": 2, "influence": {"callo": 2}, "tile_values": NOTHING},
        "r3": {"tile": 1},
    }
    s = dominated(regions=regions)
    ranked = [(event.rule, event.region) for event in emitted(s, "RegionRanked")]
    assert ranked == [("IG-9.3", 2), ("IG-9.3", 1), ("IG-9.12", 1)]
    assert (s.resolving, s.ranking, s.claimed) == (NONE, [], 0)


def test_9_4_and_9_15_without_reserves_nothing_is_absorbed_or_revealed():
    region = {"tile": 1, "thorn": True, "influence": {"van_dyken": 2}, "tile_values": NOTHING}
    s = dominated("van_dyken", "callo", regions={"r1": region})
    assert emitted(s, "ReservesAbsorbed") == emitted(s, "ReservesRevealed") == []


def test_9_6_recruitment_looks_at_the_markers_of_its_own_region():
    region = {"tile": 1, "units": ["ice_drakkar-1"], "tile_values": NOTHING}
    influence = {"fjollsfinn": 3, "callo": 1, "van_dyken": 1}
    there = {**region, "influence": influence, "controlled": {"callo": 1}}
    s = dominated("fjollsfinn", "callo", "van_dyken", regions={"r2": there})
    assert may(s, player="callo", state="controlled")
    assert not may(s, player="callo", state="free")
    do(s, player="van_dyken", state="free")
    assert s.ice_garden[VAN_DYKEN] == 1


def test_9_11_only_van_dyken_moves_the_reserves_where_a_musician_stands():
    there = {"tile": 1, "units": ["ratling_musician-1"], "reserves_up": 1, "reserves_down": 1}
    for influence, left in (({"callo": 5}, 2), ({"van_dyken": 1}, 0)):
        region = {**there, "influence": influence, "tile_values": NOTHING}
        regions = {"r1": region, "r2": {"tile": 2, "thorn": True}}
        s = dominated("van_dyken", "callo", regions=regions)
        assert s.reserves_up[0] + s.reserves_down[0] == left


def test_9_7_and_9_9_the_last_of_the_supply_is_taken():
    nightmare = {"tile": 1, "units": ["nightmare-1"], "tile_values": NOTHING}
    s = dominated(regions={"r1": nightmare}, supply={"nightmare_tokens": 1})
    assert (s.nightmares[0], s.bank[4]) == (1, 0)
    musician = {"tile": 1, "units": ["ratling_musician-1"], "tile_values": NOTHING}
    s = dominated("van_dyken", "callo", regions={"r1": musician}, supply={"population": 1})
    assert [event.rule for event in emitted(s, "Gained")][:1] == ["IG-9.7"]


def test_e_05_in_edition_1_a_marker_in_the_very_region_makes_a_victim():
    there = {"tile": 1, "units": ["enlightened_one-1"], "influence": {"freihoff": 3, "callo": 1}}
    for edition, offered in ((1, True), (2, False)):
        s = dominated(
            "freihoff",
            "callo",
            regions={"r2": there},
            options={"edition": edition},
            stocks={"callo": {"gold": 1}},
        )
        assert (edition == 1 and may(s, ability="pillage", use=True)) == offered


def test_10_15_a_face_up_and_a_face_down_reserve_are_two():
    region = {"tile": 1, "units": ["faun-1"], "nightmare_tokens": 2, "reserves_up": 1}
    others = {"r2": {"tile": 2, "reserves_up": 1, "reserves_down": 1}, "r3": {"tile": 3}}
    s = dominated(regions={"r1": {**region, "influence": {"callo": 1}}, **others})
    assert s.reserves_up[1:3] == [2, 1]  # revealed at the end


def test_9_10_and_9_11_the_last_marker_enchants_and_a_single_reserve_moves():
    faun = {"tile": 1, "units": ["faun-1"], "influence": {"freihoff": 1}, "tile_values": NOTHING}
    s = dominated(regions={"r1": faun}, stocks={"callo": {"influence_supply": 1}})
    assert (markers(s, "callo"), markers(s, "freihoff")) == ({"r1": 1}, {})
    musician = {"tile": 1, "units": ["ratling_musician-1"], "reserves_up": 1}
    regions = {"r1": {**musician, "tile_values": NOTHING}, "r2": {"tile": 2, "thorn": True}}
    s = dominated("van_dyken", "callo", regions=regions)
    assert s.reserves_up[:2] == [0, 1]


def test_10_15_the_first_region_is_a_refuge_like_any_other():
    region = {"tile": 2, "units": ["faun-1"], "nightmare_tokens": 2, "reserves_up": 1}
    s = dominated(regions={"r2": {**region, "influence": {"callo": 1}}, "r1": {"tile": 1}})
    assert s.reserves_up[:2] == [1, 0]


def test_9_11_without_a_musician_the_reserves_stay():
    region = {"tile": 1, "influence": {"van_dyken": 3}, "reserves_up": 1}
    regions = {"r1": {**region, "tile_values": NOTHING}, "r2": {"tile": 2, "thorn": True}}
    assert dominated("van_dyken", "callo", regions=regions).reserves_up[:2] == [1, 0]


def test_9_11_only_a_dominating_callo_locks_a_region():
    region = {"tile": 1, "units": ["faun-1"], "nightmare_tokens": 2, "tile_values": NOTHING}
    for influence, locked in (({"callo": 5}, 1), ({"freihoff": 5}, 0)):
        s = dominated(regions={"r1": {**region, "influence": influence}, "r2": {"tile": 2}})
        assert s.locked[0] == locked


def test_9_13_a_region_that_was_locked_just_now_gives_nothing_for_its_reserves():
    region = {"tile": 1, "units": ["faun-1"], "nightmare_tokens": 2, "reserves_up": 1}
    s = dominated(regions={"r1": {**region, "influence": {"callo": 1}}})
    assert (s.locked[0], s.reserves_up[0]) == (1, 1)  # no other region takes the reserve
    assert [event for event in emitted(s, "Gained") if event.rule == "IG-9.13"] == []
