"""IG-12 Dead Snow. IG-13.7 the bonus. IG-14 The end of the game."""

from taflhall_engine.ice_garden.ids import (
    CALLO,
    DEAD_SNOW,
    FJOLLSFINN,
    FREIHOFF,
    GOAL,
    NONE,
    POINTS,
)
from taflhall_engine.ice_garden.rules.ending import fall_snow, gorge_winner
from tests.engine.ice_garden.position import at
from tests.engine.ice_garden.tables import GAME


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


def test_12_6_the_trigger_of_edition_1_lands_on_top_of_the_stack_it_reaches():
    reputation = {"-2": ["freihoff"], "0": ["callo"], "-9": ["van_dyken"]}
    assert snowed(CALLO, edition=1, reputation=reputation).winners == [FREIHOFF]


def test_12_4_who_takes_no_part_has_no_final_reputation():
    for edition in (1, 2):
        final = snowed(NONE, edition).final_reputation
        assert (len(final), final[FJOLLSFINN]) == (4, 0)


def test_14_5_the_fourth_red_ship_ends_the_match():
    for ships, reason in ((3, 0), (4, POINTS)):
        s = at("round_end", "callo", "freihoff", helms={"9": ["callo"]}, ships_reached=ships)
        assert s.reason == reason


def test_13_7_who_has_resigned_does_not_win_viper_gorge():
    stocks = {"callo": {"viper": 3}, "freihoff": {"viper": 2}, "van_dyken": {"viper": 1}}
    s = at("planning", "callo", "freihoff", "van_dyken", stocks=stocks)
    assert gorge_winner(s) == CALLO
    GAME.withdraw(s, s.options.seat_of[CALLO])
    assert gorge_winner(s) == FREIHOFF
