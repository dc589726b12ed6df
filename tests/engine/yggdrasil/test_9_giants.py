"""YG-9 Giants and runes."""

import itertools

import pytest

from taflhall_engine.kernel.agenda import apply, options, waiting
from taflhall_engine.yggdrasil.ids import ENEMIES, GIANTS, WORLDS
from taflhall_engine.yggdrasil.rules.base import powers_active
from taflhall_engine.yggdrasil.rules.giants import ChooseTiwaz, Distribute
from taflhall_engine.yggdrasil.rules.midgard import Midgard
from taflhall_engine.yggdrasil.rules.use import actions_left
from taflhall_engine.yggdrasil.rules.vanaheim import VanirMoveValkyries
from tests.engine.yggdrasil.position import asked, at, code, do, emitted, listed, rng, spaces

SIGEL = {"giants_active": ["bergelmir"], "giants_defeated": ["greip", "hrym", "thrym"]}
TIWAZ = {"giants_active": ["geirrod"], "giants_defeated": ["skrymir", "baugi", "thjazi"]}
MANN = {"giants_active": ["suttung"], "giants_defeated": ["hrungnir", "angrboda", "vafthrudnir"]}
DAEG = {"giants_active": ["gjalp"], "giants_defeated": ["utgardaloki", "hymir", "fornjot"]}


def fight(**given):
    s = at(**{"dice": ["3"], **given})
    return do(s, "jotunheim", target=given["giants_active"][0])


def test_9_2_effects_end_when_the_giant_is_defeated():
    s = at(giants_active=["gjalp", "thjazi"], dice=["3"])
    assert s.hindrance == 1 << 6 | 1 << 15
    do(s, "jotunheim", target="gjalp")
    assert s.hindrance == 1 << 15


def test_9_4_only_the_fourth_giant_of_a_rune_counts():
    s = fight(giants_active=["gjalp"], giants_defeated=["hymir", "fornjot", "greip"])
    assert emitted(s, "RuneCompleted") == []
    assert emitted(fight(**DAEG), "RuneCompleted") == [(1,)]


def test_9_5_sigel_asks_god_by_god_and_hands_out_at_the_end():
    s = fight(gods=["thor", "frey", "tyr"], **SIGEL)
    assert asked(s) == "SigelDistribute"
    assert options(s, 0) == [Distribute(n) for n in range(6)]
    apply(s, 0, Distribute(2))
    assert s.vikings == [0, 0, 0]
    assert options(s, 0) == [Distribute(n) for n in range(4)]
    apply(s, 0, Distribute(0))
    apply(s, 0, Distribute(3))
    assert s.vikings == [2, 0, 3]
    assert s.helheim == 0


def test_9_5_sigel_gives_fifteen_vikings_at_most():
    bags = {"black": [0, 3], "green": [2, 6]}
    s = fight(gods=["thor"], bags=bags, **SIGEL)
    assert s.helheim == 30
    assert len(options(s, 0)) == 16
    assert code(s, "distribute", allocation={"thor": 16}) == "invalid_allocation"
    do(s, "distribute", allocation={"thor": 15})
    assert (s.vikings[0], s.helheim) == (15, 15)


def test_9_5_the_vikings_just_spent_can_be_given():
    s = at(bags={"white": [9, 12]}, hold={"thor": {"vikings": 2}}, **SIGEL, dice=["0"])
    assert s.helheim == 0
    do(s, "jotunheim", target="bergelmir", vikings=2)
    assert asked(s) == "SigelDistribute"
    assert code(s, "distribute", allocation={"thor": 2}) is None
    assert code(s, "distribute", allocation={"thor": 3}) == "invalid_allocation"


def test_9_5_with_an_empty_helheim_nothing_is_asked():
    s = fight(bags={"white": [11, 12]}, **SIGEL)
    assert asked(s) == "ChooseAction"


def test_9_5_every_distribution_can_be_reached_once():
    s = fight(bags={"white": [8, 12]}, **SIGEL)
    shares = [(a, b) for a, b in itertools.product(range(4), repeat=2) if a + b <= 3]
    for a, b in shares:
        assert do(s.copy(), "distribute", allocation={"thor": a, "frey": b}).vikings == [a, b]


def test_9_6_daeg_does_not_touch_the_current_turn():
    s = fight(**DAEG)
    assert (s.daeg, s.active) == (3, 0)
    do(s, "end_turn")
    assert (s.daeg, s.active) == (2, 1)


def test_9_7_mann_with_one_movable_enemy_asks_nothing():
    s = fight(**MANN, enemies={"hel": 6})
    assert asked(s) == "ChooseAction"
    assert spaces(s) == {"hel": 3}
    assert fight(**MANN).enemies == [1] * 6


def test_9_7_mann_picks_among_the_movable():
    s = fight(**MANN, enemies={"hel": 3, "loki": 8})
    assert listed(s, "enemy") == [1, 3]
    do(s, "choose_enemy", enemy="hel")
    assert spaces(s) == {"loki": 8}


def test_9_8_tiwaz_with_three_movable_enemies_asks_nothing():
    s = fight(**TIWAZ, enemies={"hel": 3, "loki": 4, "surt": 2})
    assert asked(s) == "ChooseAction"
    assert not any(isinstance(answer[1], ChooseTiwaz) for answer in emitted(s, "Answered"))
    assert spaces(s) == {"hel": 2, "loki": 3}


def test_9_8_each_set_of_three_is_reached_exactly_once():
    s = fight(**TIWAZ, enemies={"fenrir": 2, "hel": 3, "loki": 4, "nidhogg": 5, "surt": 2})

    def reached(table):
        if asked(table) not in ("TiwazTargets", "TiwazFurther"):
            return [tuple(table.enemies)]
        found = []
        assert len(options(table, 0)) >= 2
        for option in options(table, 0):
            twin = table.copy()
            apply(twin, 0, option)
            found += reached(twin)
        return found

    outcomes = reached(s)
    assert len(outcomes) == len(set(outcomes)) == 10
    movable = ["fenrir", "hel", "loki", "nidhogg", "surt"]
    for three in itertools.combinations(movable, 3):
        twin = do(s.copy(), "choose_enemies", enemies=list(reversed(three)))
        back = [ENEMIES[e] for e in range(6) if twin.enemies[e] < s.enemies[e]]
        assert back == list(three)
    assert code(s, "choose_enemies", enemies=["hel", "loki", "jormungand"]) == "invalid_target"


def test_9_9_runes_activate_no_powers():
    s = fight(**MANN, enemies={"loki": 8, "surt": 7})
    do(s, "choose_enemy", enemy="loki")
    assert s.giants_active == []
    assert emitted(s, "DieRolled") == [(0, 0, [5])]


@pytest.mark.parametrize("giant", GIANTS)
def test_9_3_each_giant_does_what_it_says_and_nothing_else(giant):
    given = {"giants_active": [giant], "valkyries": "blue", "sunken": "green", "vanir": 5}
    s = at(gods=["frey", "thor"], enemies={"hel": 2}, **given)
    powers, whirlpool, die = giant != "utgardaloki", giant == "thjazi", giant != "hrungnir"
    found = options(s, 0)
    top = waiting(s)
    assert top is not None
    assert found == [o for o in top.offers(s, 0) if top.refusal(s, 0, o) is None]
    if "midgard" not in blocked(s):
        assert (code(s, "midgard", move_to="green") == "whirlpool") is whirlpool
        assert (Midgard(3, False) in found) is not whirlpool
    if "vanaheim" not in blocked(s):
        assert (VanirMoveValkyries(3) in found) is not whirlpool
    assert powers_active(s) is powers
    assert actions_left(s) == (4 if powers else 3)
    if "jotunheim" not in blocked(s):
        rng(s).numbers.extend([5] if die else [])
        do(s, "jotunheim", target=giant)
        assert emitted(s, "BattleFought") == [(0, 6 + GIANTS.index(giant), 3 * die, 3, die)]
        assert bool(emitted(s, "DieRolled")) is die


def blocked(s):
    """Return the world that the active giant blocks, if it blocks one."""
    [giant] = s.giants_active
    return [world for n, world in enumerate(WORLDS) if s.components.giant_bits[giant] >> n & 1]
