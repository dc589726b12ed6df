"""YG-10 The gods' powers."""

import pytest

from taflhall_engine.yggdrasil.ids import GIANTS
from tests.engine.yggdrasil.position import asked, at, code, do, spaces

UTGARDALOKI_FIRST = sorted(GIANTS, key=lambda giant: giant != "utgardaloki")


def test_10_1_a_pick_stands_even_if_its_power_takes_the_powers():
    s = at(
        gods=["odin"],
        phase="turn_start",
        deck=["hel", "loki", "surt"],
        giants_deck=UTGARDALOKI_FIRST,
        giants_defeated=[],
    )
    do(s, "draw_cards", cards=2)
    do(s, "choose_card", index=1)
    assert s.hindrance == 1 << 16
    assert s.deck == [1, 5]


def test_10_2_thor_fights_giants_with_his_bonus():
    for god, won in (("thor", True), ("tyr", False), ("odin", False)):
        dice = ["2", "2"] if god == "tyr" else ["2"]
        s = at(gods=[god], giants_active=["gjalp"], dice=dice)
        do(s, "jotunheim", target="gjalp")
        assert (s.giants_active == []) is won


@pytest.mark.parametrize(("god", "tokens"), [("heimdall", 4), ("thor", 3)])
def test_16_34_heimdall_draws_four_tokens_without_being_asked(god, tokens):
    draws = [{"bag": "white", "vikings": 0, "fire_giants": tokens}]
    do(at(gods=[god], valkyries="white", draws=draws), "midgard", search=True)


def test_10_4_heimdall_draws_five_in_muspellheim():
    draws = [{"bag": "white", "vikings": 0, "fire_giants": 5}]
    do(at(gods=["heimdall"], draws=draws), "muspellheim", island="white")


@pytest.mark.parametrize("card", ["hel", "surt", "jormungand"])
def test_16_10_tyr_rolls_twice_for_enemies_in_his_own_turn(card):
    s = at(gods=["tyr"], phase="turn_start", deck=[card, "loki"], dice=["black", "white"])
    assert asked(s) == "TyrChoice"
    assert s.discard == []
    do(s, "choose_die", index=1)
    changed = {"hel": s.bag_vikings[1] == 5, "surt": s.bag_giants[1] == 13}
    assert changed.get(card, s.sunken == 1)
    assert len(s.discard) == 1


def test_10_5_tyr_rolls_once_in_the_turns_of_others():
    s = at(gods=["thor", "tyr"], phase="turn_start", deck=["hel", "surt"], dice=["white"])
    assert asked(s) == "ChooseAction"


def test_10_5_two_faces_of_one_value_need_no_choice_in_battle():
    s = at(gods=["tyr"], enemies={"hel": 2}, dice=["green", "1"])
    do(s, "asgard", enemy="hel")
    assert asked(s) == "ChooseAction"


def test_10_5_without_powers_tyr_rolls_once():
    s = at(gods=["tyr"], enemies={"hel": 2}, giants_active=["utgardaloki"], dice=["2"])
    do(s, "asgard", enemy="hel")
    assert asked(s) == "ChooseAction"


def test_10_8_powers_are_back_at_once():
    hold = {"thor": {"vikings": 1}}
    s = at(
        gods=["thor"],
        giants_active=["utgardaloki"],
        enemies={"hel": 2},
        hold=hold,
        bags={"black": [14, 3]},
        dice=["3", "3"],
    )
    do(s, "jotunheim", target="utgardaloki")
    do(s, "asgard", enemy="hel", vikings=1)
    assert spaces(s) == {}  # 1 + 3 + his bonus of 1


def test_10_7_when_loki_takes_the_powers_frey_has_three_actions_left():
    s = at(gods=["frey"], phase="turn_start", deck=["loki", "hel"], giants_deck=UTGARDALOKI_FIRST)
    for action in ({"do": "alfheim"}, {"do": "helheim", "island": "white"}):
        do(s, action.pop("do"), **action)
    assert s.active == 0
    assert s.turn == 1
    assert code(s, "vanaheim", mode="advance") is None
