"""YG-8 Battles."""

import pytest

from taflhall_engine.kernel.agenda import apply, options, waiting
from taflhall_engine.yggdrasil.rules.battle import (
    BattleElves,
    CommitElves,
    SendVikings,
    enemy_strength,
)
from taflhall_engine.yggdrasil.rules.worlds import Asgard
from tests.engine.yggdrasil.position import asked, at, code, do, emitted, spaces


@pytest.mark.parametrize(("space", "strength"), list(enumerate([0, 5, 5, 6, 6, 7, 7, 8], 1)))
def test_8_1_the_strength_of_an_enemy_is_that_of_its_zone(space, strength):
    assert enemy_strength(at(enemies={"surt": space}), 5) == strength
    if space > 1:
        stronger = at(enemies={"surt": space}, giants_active=["fornjot"])
        assert enemy_strength(stronger, 5) == strength + 1


def test_8_2_vikings_are_spent_before_the_die_is_rolled():
    s = at(gods=["tyr"], enemies={"hel": 3}, hold={"tyr": {"vikings": 2}}, dice=["0", "3"])
    apply(s, 0, Asgard(1))
    apply(s, 0, SendVikings(2))
    assert asked(s) == "TyrChoice"
    assert s.vikings[0] == 0
    assert s.actions_used == 1


def test_8_3_everything_that_counts_counts():
    hold = {"thor": {"vikings": 1, "elves": 1, "weapons": {"hel": 2, "loki": 3}}}
    s = at(enemies={"hel": 7}, hold=hold, dice=["2"])
    do(s, "asgard", enemy="hel", vikings=1)
    top = waiting(s)
    assert isinstance(top, BattleElves)
    assert (top.total, top.strength) == (1 + 2 + 2 + 1, 7)
    do(s, "commit_elves", elves=1)
    assert spaces(s) == {"hel": 6}
    assert emitted(s, "BattleFought") == [(0, 1, 7, 7, True)]


@pytest.mark.parametrize(
    ("option", "powers", "won"),
    [("no", True, False), ("yes", True, True), ("yes", False, False)],
)
def test_8_5_thor_without_the_die(option, powers, won):
    giants = ["hrungnir"] if powers else ["hrungnir", "utgardaloki"]
    s = at(
        options={"thor_without_die": option},
        enemies={"hel": 2},
        giants_active=giants,
        hold={"thor": {"vikings": 4}},
    )
    do(s, "asgard", enemy="hel", vikings=4)
    assert (spaces(s) == {}) is won
    assert emitted(s, "DieRolled") == []


def test_8_5_tyr_has_nothing_to_choose_without_the_die():
    s = at(gods=["tyr"], enemies={"hel": 2}, giants_active=["hrungnir"])
    do(s, "asgard", enemy="hel")
    assert asked(s) == "ChooseAction"


def test_8_5_other_rolls_are_unaffected():
    s = at(fenrir_angry=True, enemies={"fenrir": 2}, giants_active=["hrungnir"], dice=["white"])
    do(s, "appease")
    assert s.fenrir_card == -1


def test_8_6_elves_are_asked_even_if_the_battle_is_decided():
    for vikings in (0, 5):
        hold = {"frey": {"vikings": vikings, "elves": 1}}
        s = at(gods=["frey"], enemies={"hel": 7}, hold=hold, dice=["0"])
        do(s, "asgard", enemy="hel", vikings=vikings)
        assert options(s, 0) == [CommitElves(0), CommitElves(1)]
        assert code(s, "commit_elves", elves=2) == "not_enough_elves"


def test_8_6_committed_elves_go_home_win_or_lose():
    for die, won in (("0", False), ("3", True)):
        hold = {"frey": {"vikings": 1, "elves": 2}}
        s = at(gods=["frey"], enemies={"hel": 2}, hold=hold, dice=[die])
        do(s, "asgard", enemy="hel", vikings=1)
        do(s, "commit_elves", elves=1)
        assert (spaces(s) == {}) is won
        assert (s.elves[0], s.alfheim) == (1, 1)


def test_8_8_a_beaten_enemy_moves_one_space_whatever_the_excess():
    hold = {"frey": {"vikings": 9, "weapons": {"hel": 3}}}
    s = at(gods=["frey"], enemies={"hel": 6}, hold=hold, bags={"black": [10, 3]}, dice=["3"])
    do(s, "asgard", enemy="hel", vikings=9)
    assert spaces(s) == {"hel": 5}


def test_8_8_a_retreat_activates_no_power():
    s = at(gods=["frey"], enemies={"loki": 3}, hold={"frey": {"vikings": 3}}, dice=["2"])
    do(s, "asgard", enemy="loki", vikings=3)
    assert s.giants_active == []


def test_8_1_a_giant_is_no_enemy_even_the_first_one():
    """The weapon of the next seat against Fenrir is next to Thor's last one."""
    hold = {"thor": {"vikings": 1}, "frey": {"weapons": {"fenrir": 3}}}
    s = at(hold=hold, giants_active=["bergelmir"], enemies={"fenrir": 3}, dice=["0"])
    do(s, "jotunheim", target="bergelmir", vikings=1)
    assert emitted(s, "BattleFought") == [(0, 6, 2, 3, False)]
    assert emitted(s, "ActionTaken") == [(0, 7)]
    assert s.used == 1 << 7
    assert spaces(s) == {"fenrir": 3}


def test_8_1_the_first_giant_that_is_beaten_is_defeated():
    s = at(giants_active=["bergelmir"], hold={"thor": {"vikings": 3}}, dice=["0"])
    do(s, "jotunheim", target="bergelmir", vikings=3)
    assert (s.giants_active, s.giants_defeated) == ([], [0])
    assert emitted(s, "EnemyMoved") == []
