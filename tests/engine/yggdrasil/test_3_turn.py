"""YG-3, YG-4, YG-11 The turn: draw, card, actions, end."""

import pytest

from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.yggdrasil.ids import ENEMIES
from taflhall_engine.yggdrasil.rules.turn import CHOOSE_CARD, DRAW_CARDS
from tests.engine.yggdrasil.position import GAME, asked, at, code, do, emitted, rng, spaces


def test_3_1_gods_take_turns_in_seat_order_cyclically():
    s = at(gods=["thor", "frey", "tyr"], daeg_turns=3)
    seen = []
    for _ in range(4):
        seen.append(s.active)
        do(s, "end_turn")
        if len(seen) == 3:
            break
    assert seen == [0, 1, 2]
    assert s.active == 0


def test_3_3_daeg_spares_odin_his_draw_too():
    s = at(gods=["odin"], phase="turn_start", daeg_turns=2)
    assert asked(s) == "ChooseAction"
    assert s.daeg == 1
    assert emitted(s, "DrawSkipped") == [(0, 1)]
    assert emitted(s, "CardDrawn") == []


def test_3_4_the_turn_ends_by_itself_after_three_actions():
    s = at(daeg_turns=1)
    for action in ({"do": "alfheim"}, {"do": "helheim", "island": "white"}):
        do(s, action.pop("do"), **action)
    assert s.active == 0
    do(s, "vanaheim", mode="advance")
    assert s.active == 1
    assert emitted(s, "TurnEnded") == [(0,)]


def test_3_5_an_action_is_asked_even_if_only_one_command_is_legal():
    s = at(fenrir_angry=True)
    assert asked(s) == "ChooseAction"
    assert len(options(s, 0)) == 1


@pytest.mark.parametrize(
    ("deck", "known", "pending"),
    [
        (["hel", "hel"], 0b11, "ChooseAction"),
        (["hel", "hel", "hel"], 0b111, "ChooseAction"),
        (["hel", "hel", "hel"], 0b110, "OdinDraw"),
        (["hel", "hel"], 0b00, "OdinDraw"),
        (["hel", "hel", "surt"], 0b111, "OdinDraw"),
        (["surt", "hel", "hel"], 0b111, "OdinDraw"),
    ],
)
def test_3_5_odin_is_not_asked_if_all_cards_are_known_and_equal(deck, known, pending):
    s = at(gods=["thor", "odin"], deck=deck)
    s.known = known
    rng(s).numbers.append(0)
    do(s, "end_turn")
    assert asked(s) == pending


def test_3_6_actions_and_worlds_are_reset_each_turn():
    s = at(daeg_turns=1)
    do(s, "alfheim")
    do(s, "end_turn")
    assert (s.actions_used, s.used, s.used_twice) == (0, 0, 0)


@pytest.mark.parametrize("enemy", ["hel", "surt", "jormungand", "loki", "nidhogg", "fenrir"])
def test_16_6_no_power_and_no_anger_in_the_residence(enemy):
    s = at(phase="turn_start", deck=[enemy, "hel"], enemies={"hel": 7, enemy: 7})
    assert s.enemies[ENEMIES.index(enemy)] == 8
    assert emitted(s, "DieRolled") == emitted(s, "GiantRevealed") == []
    assert s.fenrir_card == -1
    assert len(s.discard) == 1
    assert asked(s) == "ChooseAction"


@pytest.mark.parametrize(("start", "end"), [(1, 3), (5, 7), (6, 8), (7, 8)])
def test_4_4_a_furious_enemy_moves_two_spaces_but_stops_in_the_residence(start, end):
    dice = ["white"] if end < 8 else []
    s = at(phase="turn_start", deck=["surt!", "hel"], enemies={"surt": start}, dice=dice)
    assert spaces(s)["surt"] == end


def test_4_5_a_ragnarok_card_stops_enemies_at_the_residence_and_angers_nobody():
    s = at(phase="turn_start", deck=["ragnarok_1", "hel"], enemies={"fenrir": 7, "hel": 8})
    assert spaces(s) == {"fenrir": 8, "hel": 8, "jormungand": 2}
    assert s.fenrir_card == -1


def test_4_8_the_discard_pile_is_kept():
    s = at(gods=["thor"], phase="turn_start", deck=["loki", "loki!", "loki"])
    do(s, "end_turn")
    assert s.discard == [3, 9]


def test_10_1_odin_is_not_asked_with_a_single_card():
    s = at(gods=["odin"], phase="turn_start", deck=["loki"])
    assert asked(s) == "ChooseAction"


def test_10_1_odin_may_draw_two_furious_and_ragnarok_cards_alike():
    s = at(gods=["odin"], phase="turn_start", deck=["ragnarok_2", "loki!", "hel"])
    assert options(s, 0) == DRAW_CARDS
    apply(s, 0, DRAW_CARDS[1])
    assert options(s, 0) == CHOOSE_CARD
    assert asked(s) == "OdinChoice"
    assert len(s.deck) == 3
    apply(s, 0, CHOOSE_CARD[1])
    assert spaces(s) == {"loki": 3}
    assert emitted(s, "CardPutUnder") == [(13,)]
    assert s.deck[0] == 13


def test_11_2_reasons_are_listed_in_their_order():
    s = at(enemies={"hel": 6, "loki": 6, "surt": 8, "fenrir": 4, "nidhogg": 4})
    do(s, "end_turn")
    assert s.outcome == 1
    assert s.reasons == [0, 1, 2]
    assert emitted(s, "MatchEnded") == [(1, [0, 1, 2])]


@pytest.mark.parametrize(
    ("enemies", "lost"),
    [
        ({"hel": 4, "loki": 4, "surt": 4, "fenrir": 4, "nidhogg": 3}, False),
        ({"hel": 4, "loki": 4, "surt": 4, "fenrir": 4, "nidhogg": 4}, True),
        ({"hel": 6, "loki": 6, "surt": 5}, False),
        ({"hel": 6, "loki": 7, "surt": 6}, True),
        ({"hel": 7}, False),
        ({"hel": 8}, True),
    ],
)
def test_11_2_the_limits_of_wall_gate_and_residence(enemies, lost):
    s = at(enemies=enemies, daeg_turns=1)
    do(s, "end_turn")
    assert (s.outcome == 1) is lost


def test_11_1_nothing_is_checked_before_the_turn_ends():
    bags = {"black": [12, 3]}
    hold = {"thor": {"vikings": 8}}
    s = at(enemies={"hel": 8}, bags=bags, hold=hold, dice=["0"], daeg_turns=1)
    assert s.outcome == 0
    do(s, "asgard", enemy="hel", vikings=8)
    do(s, "end_turn")
    assert s.outcome == 0


def test_11_4_an_angry_fenrir_does_not_matter_for_victory():
    s = at(deck=[], fenrir_angry=True, actions_used=2, dice=["black"], enemies={"fenrir": 2})
    do(s, "appease")
    assert (s.outcome, s.reasons) == (2, [])
    assert asked(s) == ""
    assert code(s, "end_turn") == "game_over"
    assert options(s, 0) == []


def test_11_6_there_is_no_score():
    s = at(deck=[], actions_used=2)
    assert GAME.result(s) is None
    do(s, "alfheim")
    result = GAME.result(s)
    assert result is not None
    assert (result.won, result.places, result.scores) == ([True, True], [1, 1], [])
