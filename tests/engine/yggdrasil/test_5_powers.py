"""YG-5 Powers of the enemies."""

import pytest

from taflhall_engine.kernel.agenda import options
from taflhall_engine.yggdrasil.ids import COLOUR, ENEMIES, ISLANDS, NONE
from taflhall_engine.yggdrasil.rules.dice import read_face
from tests.engine.yggdrasil.position import asked, at, do, emitted, listed, spaces


def drawn(card, **given):
    return at(phase="turn_start", deck=[card, "hel", "surt"], **given)


@pytest.mark.parametrize(("start", "level"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_5_1_hel_takes_vikings_up_to_her_level(start, level):
    s = drawn("hel", enemies={"hel": start}, dice=["black"])
    assert s.bag_vikings[4] == 15 - level
    assert s.helheim == 5 + level
    assert s.bag_giants[4] == 3
    assert emitted(s, "VikingsLost") == [(4, level)]


@pytest.mark.parametrize(("start", "level"), [(1, 1), (3, 2), (6, 3)])
def test_5_2_surt_sends_fire_giants_up_to_his_level(start, level):
    s = drawn("surt", enemies={"surt": start}, dice=["green"])
    assert s.bag_giants[3] == 6 + level
    assert s.muspellheim == 12 - level


def test_16_19_the_valkyries_go_to_rainbow_even_if_the_tile_stays():
    s = drawn("jormungand", valkyries="green", sunken="white", dice=["white"])
    assert (s.sunken, s.valkyries) == (1, 0)


def test_5_4_loki_reveals_what_is_left_of_the_giants():
    defeated = ["bergelmir", "greip", "hrym", "gjalp", "utgardaloki", "hymir", "hrungnir"]
    defeated += ["angrboda", "suttung", "skrymir", "baugi", "thjazi", "thrym", "vafthrudnir"]
    s = drawn("loki", enemies={"loki": 6}, giants_defeated=defeated)
    assert len(s.giants_active) == 2
    assert s.giant_deck == []


def test_5_5_nidhogg_himself_may_be_the_leftmost():
    s = drawn("nidhogg", enemies={enemy: 5 for enemy in ENEMIES if enemy != "nidhogg"})
    assert spaces(s)["nidhogg"] == 3


def test_5_5_the_pull_activates_no_power():
    s = drawn("nidhogg", enemies=dict.fromkeys(ENEMIES, 3) | {"fenrir": 1, "nidhogg": 2})
    assert spaces(s)["fenrir"] == 2
    assert s.fenrir_card == -1


def test_5_5_nothing_is_pulled_from_the_residence():
    s = drawn("nidhogg", enemies=dict.fromkeys(ENEMIES, 8) | {"nidhogg": 6})
    assert spaces(s)["nidhogg"] == 8
    assert asked(s) == "ChooseAction"


def test_5_5_the_active_god_picks_among_the_leftmost():
    s = drawn("nidhogg", enemies={"hel": 2, "loki": 2, "surt": 2})
    assert asked(s) == "NidhoggPull"
    assert listed(s, "enemy") == [0, 2]
    assert s.discard == []
    do(s, "choose_enemy", enemy="fenrir")
    assert s.discard == [4]


@pytest.mark.parametrize(
    ("space", "calming"),
    [
        (2, ["green", "blue", "white"]),
        (4, ["blue", "white"]),
        (7, ["white"]),
        (8, ["white"]),
    ],
)
def test_5_7_the_colours_that_calm_fenrir_depend_on_his_level(space, calming):
    for colour in ("black", "green", "blue", "white"):
        s = at(fenrir_angry=True, enemies={"fenrir": space}, dice=[colour])
        do(s, "appease")
        assert (s.fenrir_card == -1) is (colour in calming)
        assert s.actions_used == 1
        assert s.used == 0


def test_5_8_anger_lasts_over_turns_and_the_next_god_draws_first():
    s = at(fenrir_angry=True, enemies={"fenrir": 2}, deck=["loki", "hel"], dice=["black"] * 3)
    for _ in range(3):
        do(s, "appease")
    assert s.active == 1
    assert spaces(s)["loki"] == 2
    assert [type(option).__name__ for option in options(s, 1)] == ["Appease"]


@pytest.mark.parametrize(("card", "space"), [("fenrir", 3), ("fenrir!", 4)])
def test_16_24_a_fenrir_card_while_he_is_angry_moves_him_and_is_discarded(card, space):
    s = drawn(card, fenrir_angry=True, enemies={"fenrir": 2})
    assert spaces(s)["fenrir"] == space
    assert len(s.discard) == 1
    assert s.fenrir_card == 0


def test_5_10_a_ragnarok_card_leaves_anger_as_it_is():
    s = drawn("ragnarok_1", fenrir_angry=True, enemies={"fenrir": 3})
    assert spaces(s)["fenrir"] == 4
    assert s.fenrir_card == 0


def test_5_6_a_furious_fenrir_card_stays_face_up_too():
    s = drawn("fenrir!", enemies={"fenrir": 1})
    assert s.fenrir_card == 6
    assert s.discard == []
    assert emitted(s, "FenrirAngered") == [(6,)]


@pytest.mark.parametrize("enemy", ["hel", "surt", "jormungand"])
def test_4_9_the_die_of_a_power_is_read_for_its_colour(enemy):
    s = at(phase="turn_start", deck=[enemy, "loki"], dice=["green"])
    assert emitted(s, "DieRolled") == [(0, COLOUR, [1])]
    assert read_face(s.components, s.die, COLOUR) == ISLANDS.index("green")


def test_5_7_the_die_of_an_appeasement_is_read_for_its_colour():
    s = at(fenrir_angry=True, enemies={"fenrir": 2}, dice=["green"])
    do(s, "appease")
    assert emitted(s, "DieRolled") == [(0, COLOUR, [1])]
    assert emitted(s, "ActionTaken") == [(0, NONE)]
