"""YG-14.4 Every refusal names its rule and has its code: one row for each."""

import pytest

from taflhall_engine.kernel.agenda import GAME_OVER, NOT_YOUR_DECISION, apply, refusal
from taflhall_engine.yggdrasil.ids import ENEMIES, GIANTS
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.rules.battle import CommitElves, SendVikings
from taflhall_engine.yggdrasil.rules.dice import ChooseDie
from taflhall_engine.yggdrasil.rules.exchange import Amount, Niflheim
from taflhall_engine.yggdrasil.rules.giants import ChooseMann, ChooseTiwaz, Distribute
from taflhall_engine.yggdrasil.rules.midgard import Midgard
from taflhall_engine.yggdrasil.rules.peek import VANIR_PEEK, PutNext
from taflhall_engine.yggdrasil.rules.powers import APPEASE, ChoosePulled
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, DrawCards
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VANIR_ADVANCE,
    VANIR_VIKINGS,
    VanirDiscardGiant,
    VanirMoveValkyries,
    VanirPushEnemy,
)
from taflhall_engine.yggdrasil.rules.worlds import (
    ALFHEIM_ACTION,
    JOTUNHEIM_HIDDEN,
    Asgard,
    Helheim,
    Jotunheim,
    Muspellheim,
    Nidavellir,
)
from tests.engine.yggdrasil.position import at

EVERY_GIANT = list(GIANTS)
SIGEL = GIANTS[:4]
MANN = [g for g in GIANTS if g in ("hrungnir", "angrboda", "suttung", "vafthrudnir")]
RICH = {"thor": {"vikings": 2, "elves": 1}, "frey": {"vikings": 1, "elves": 2}}
POOR = {"white": [11, 12]}
"""Bags that leave no Viking for Helheim."""


def beaten(giants):
    """Return what makes the last of *giants* the one that completes their rune."""
    return {"vanir": 5, "giants_defeated": giants[:3]}, VanirDiscardGiant(GIANTS.index(giants[3]))


TO_FREY = [Niflheim(1)]
WHIRLPOOL = {"giants_active": ["thjazi"], "sunken": "white"}
ARMED = {"frey": {"weapons": {"hel": 1}}}
SIGEL_GIVEN, SIGEL_DONE = beaten(SIGEL)
ROWS = [
    # rule, code, command, the commands before it, the position
    ("YG-6.8", "bad_request", Asgard(-1), [], {}),
    ("YG-6.8", "wrong_decision", CommitElves(0), [], {}),
    ("YG-6.5", "must_appease_fenrir", END_TURN, [], {"fenrir_angry": True}),
    ("YG-6.5", "must_appease_fenrir", ALFHEIM_ACTION, [], {"fenrir_angry": True}),
    ("YG-6.5", "no_effect", APPEASE, [], {}),
    ("YG-6.4", "world_blocked", VANIR_ADVANCE, [], {"giants_active": ["suttung"]}),
    ("YG-6.2", "world_used", ALFHEIM_ACTION, [], {"worlds_used": ["alfheim"]}),
    ("YG-7.1", "invalid_target", Asgard(1), [], {}),
    ("YG-7.1", "invalid_target", Asgard(6), [], {}),
    (
        "YG-8.2",
        "not_enough_vikings",
        SendVikings(3),
        [Asgard(1)],
        {"enemies": {"hel": 2}, "hold": RICH},
    ),
    ("YG-7.2", "no_effect", Midgard(-1, False), [], {}),
    ("YG-7.2a", "invalid_target", Midgard(5, False), [], {}),
    ("YG-7.2a", "island_not_adjacent", Midgard(2, False), [], {}),
    ("YG-7.2b", "search_forbidden", Midgard(-1, True), [], {}),
    ("YG-7.2b", "bag_empty", Midgard(1, True), [], {"bags": {"white": [0, 0]}}),
    (
        "YG-9.3",
        "whirlpool",
        Midgard(1, False),
        [],
        {"giants_active": ["thjazi"], "sunken": "white"},
    ),
    ("YG-7.3", "invalid_target", Nidavellir(6), [], {}),
    ("YG-7.3", "weapon_at_maximum", Nidavellir(1), [], {"hold": {"thor": {"weapons": {"hel": 3}}}}),
    (
        "YG-7.3",
        "weapon_unavailable",
        Nidavellir(1),
        [],
        {"hold": {"frey": {"weapons": {"hel": 1}}}},
    ),
    ("YG-7.4", "no_elf_available", ALFHEIM_ACTION, [], {"hold": {"thor": {"elves": 3}}}),
    ("YG-7.5", "invalid_partner", Niflheim(0), [], {}),
    ("YG-7.5", "invalid_partner", Niflheim(2), [], {}),
    ("YG-7.5", "no_effect", Niflheim(1), [], {}),
    ("YG-7.5", "not_enough_vikings", Amount(3), [Niflheim(1)], {"hold": RICH}),
    ("YG-7.5", "not_enough_vikings", Amount(2), [Niflheim(1), Amount(0)], {"hold": RICH}),
    ("YG-7.5", "not_enough_elves", Amount(2), [*TO_FREY, Amount(0), Amount(0)], {"hold": RICH}),
    ("YG-7.5", "not_enough_elves", Amount(3), [*TO_FREY, *[Amount(0)] * 3], {"hold": RICH}),
    ("YG-7.5", "no_effect", Amount(0), [*TO_FREY, *[Amount(0)] * 3], {"hold": RICH}),
    ("YG-7.6", "invalid_target", Helheim(0), [], {}),
    ("YG-7.6", "no_effect", Helheim(1), [], {"bags": POOR}),
    ("YG-7.7", "invalid_target", Muspellheim(0), [], {}),
    ("YG-7.7", "bag_empty", Muspellheim(1), [], {"bags": {"white": [0, 0]}}),
    ("YG-7.8", "invalid_target", Jotunheim(0), [], {}),
    ("YG-7.8", "invalid_target", JOTUNHEIM_HIDDEN, [], {"giants_defeated": EVERY_GIANT}),
    ("YG-7.9a", "vanir_at_end", VANIR_ADVANCE, [], {"vanir": 5}),
    ("YG-7.9b", "effect_not_reached", VANIR_VIKINGS, [], {}),
    ("YG-7.9b", "effect_not_reached", VANIR_PEEK, [], {"vanir": 2}),
    ("YG-7.2a", "island_not_adjacent", VanirMoveValkyries(4), [], {}),
    ("YG-7.9d", "no_effect", VANIR_VIKINGS, [], {"vanir": 2, "bags": POOR}),
    ("YG-7.9e", "no_effect", VANIR_PEEK, [], {"vanir": 3, "deck": []}),
    ("YG-7.9e", "invalid_order", PutNext(3), [VANIR_PEEK], {"vanir": 3, "deck": ["hel", "surt"]}),
    ("YG-7.9f", "invalid_target", VanirPushEnemy(1), [], {"vanir": 4}),
    ("YG-7.9f", "invalid_target", VanirPushEnemy(6), [], {"vanir": 4}),
    ("YG-7.9g", "invalid_target", VanirDiscardGiant(16), [], {"vanir": 5}),
    ("YG-9.5", "invalid_allocation", Distribute(6), [SIGEL_DONE], SIGEL_GIVEN),
    ("YG-9.5", "invalid_allocation", Distribute(5), [SIGEL_DONE, Distribute(1)], SIGEL_GIVEN),
]


@pytest.mark.parametrize(("rule", "code", "command", "before", "given"), ROWS)
def test_14_4_a_refusal_names_its_rule(rule, code, command, before, given):
    s = at(**given)
    for step in before:
        apply(s, 0, step)
    reason = refusal(s, 0, command)
    assert reason is not None
    assert (reason.rule, reason.code) == (rule, code)


ODIN = {"gods": ["odin"], "phase": "turn_start"}
CHOICES = [
    (DrawCards(3), ODIN, []),
    (DrawCards(0), ODIN, []),
    (
        ChooseCard(2),
        {"gods": ["odin"], "phase": "turn_start", "deck": ["hel", "surt"]},
        [DrawCards(2)],
    ),
    (ChooseDie(2), {"gods": ["tyr"], "fenrir_angry": True, "dice": ["black", "white"]}, [APPEASE]),
    (ChoosePulled(4), {"phase": "turn_start", "deck": ["nidhogg"], "dice": []}, []),
    (
        ChooseMann(2),
        {"enemies": {"hel": 2, "loki": 2}, **beaten(MANN)[0]},
        [beaten(MANN)[1]],
    ),
    (
        ChooseTiwaz(2),
        {"enemies": dict.fromkeys(["hel", "loki", "surt", "fenrir"], 2), **beaten(GIANTS[12:])[0]},
        [beaten(GIANTS[12:])[1]],
    ),
]


@pytest.mark.parametrize(("command", "given", "before"), CHOICES, ids=repr)
def test_14_1_what_is_not_on_offer_is_an_invalid_target(command, given, before):
    s = at(**given)
    for step in before:
        apply(s, s.active, step)
    reason = refusal(s, s.active, command)
    assert reason is not None
    assert (reason.rule, reason.code) == ("YG-14.1", "invalid_target")


def test_8_6_nobody_commits_more_elves_than_the_god_holds():
    s = at(enemies={"hel": 2}, hold={"thor": {"elves": 1}}, dice=["0"])
    apply(s, 0, Asgard(ENEMIES.index("hel")))
    reason = refusal(s, 0, CommitElves(2))
    assert reason is not None
    assert (reason.rule, reason.code) == ("YG-8.6", "not_enough_elves")


def test_6_8_whose_turn_it_is_comes_before_all_else():
    s = at()
    assert refusal(s, 1, Asgard(-1)) is NOT_YOUR_DECISION
    s.agenda.clear()
    assert refusal(s, 0, Asgard(-1)) is GAME_OVER
