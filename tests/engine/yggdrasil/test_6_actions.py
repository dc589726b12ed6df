"""YG-6 The action phase: the order of checks, and which worlds may be used."""

import pytest

from taflhall_engine.kernel.agenda import apply, options, refusal
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.rules.battle import CommitElves, SendVikings
from taflhall_engine.yggdrasil.rules.dice import ChooseDie
from taflhall_engine.yggdrasil.rules.exchange import Amount, Niflheim
from taflhall_engine.yggdrasil.rules.giants import ChooseMann, ChooseTiwaz, Distribute
from taflhall_engine.yggdrasil.rules.midgard import Midgard
from taflhall_engine.yggdrasil.rules.peek import PutNext
from taflhall_engine.yggdrasil.rules.powers import APPEASE, ChoosePulled
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, DrawCards
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VanirDiscardGiant,
    VanirMoveValkyries,
    VanirPushEnemy,
)
from taflhall_engine.yggdrasil.rules.worlds import (
    Asgard,
    Helheim,
    Jotunheim,
    Muspellheim,
    Nidavellir,
)
from tests.engine.yggdrasil.position import GAME, at, code, do

PARTS = [
    SendVikings(0),
    CommitElves(0),
    Amount(0),
    ChooseDie(0),
    ChooseCard(0),
    DrawCards(1),
    ChoosePulled(0),
    ChooseMann(0),
    ChooseTiwaz(0),
    Distribute(0),
    PutNext(0),
]
MALFORMED = [
    Asgard(-1),
    Nidavellir(-1),
    Helheim(-1),
    Muspellheim(-1),
    Jotunheim(-1),
    Niflheim(-1),
    Midgard(-2, True),
    VanirMoveValkyries(-1),
    VanirPushEnemy(-1),
    VanirDiscardGiant(-1),
    SendVikings(-1),
    CommitElves(-1),
    Amount(-1),
    ChooseDie(-1),
    ChooseCard(-1),
    DrawCards(-1),
    ChoosePulled(-1),
    ChooseMann(-1),
    ChooseTiwaz(-1),
    Distribute(-1),
    PutNext(-1),
]


def refused(s, command, seat=0):
    reason = refusal(s, seat, command)
    return None if reason is None else reason.code


@pytest.mark.parametrize("command", PARTS, ids=repr)
def test_6_8_a_command_for_another_decision_is_refused_as_such_even_while_fenrir_is_angry(command):
    assert refused(at(), command) == "wrong_decision"
    assert refused(at(fenrir_angry=True), command) == "wrong_decision"


@pytest.mark.parametrize("command", MALFORMED, ids=repr)
def test_6_8_a_malformed_command_is_refused_before_anything_but_the_wrong_seat(command):
    s = at(fenrir_angry=True)
    assert refused(s, command) == "bad_request"
    assert refused(s, command, seat=1) == "not_your_decision"
    lost = do(at(enemies={"hel": 8}), "end_turn")
    assert refused(lost, command) == "game_over"


def test_6_8_fenrir_comes_before_blocked_and_blocked_before_used():
    command = Muspellheim(2)
    blocked = {"giants_active": ["gjalp"], "worlds_used": ["muspellheim"]}
    assert refused(at(fenrir_angry=True, **blocked), command) == "must_appease_fenrir"
    assert refused(at(**blocked), command) == "world_blocked"
    assert refused(at(worlds_used=["muspellheim"]), command) == "world_used"
    assert refused(at(worlds_used=["muspellheim"]), Muspellheim(0)) == "world_used"
    assert refused(at(), Muspellheim(0)) == "invalid_target"


@pytest.mark.parametrize("number", [5, 6, 22, 99])
def test_6_8_numbers_that_name_nothing_are_no_target(number):
    s = at(vanir=5)
    assert refused(s, Asgard(number)) == "invalid_target"
    assert refused(s, Nidavellir(number)) == (None if number < 6 else "invalid_target")
    assert refused(s, Helheim(number)) == "invalid_target"
    assert refused(s, Muspellheim(number)) == "invalid_target"
    assert refused(s, Jotunheim(number)) == "invalid_target"
    assert refused(s, Niflheim(number)) == "invalid_partner"
    assert refused(s, Midgard(number, False)) == "invalid_target"
    assert refused(s, VanirMoveValkyries(number)) == "invalid_target"
    assert refused(s, VanirPushEnemy(number)) == "invalid_target"
    assert refused(s, VanirDiscardGiant(number)) == (None if number < 16 else "invalid_target")


def test_6_5_appeasing_a_calm_fenrir_has_no_effect():
    assert refused(at(), APPEASE) == "no_effect"
    assert code(at(), "appease") == "no_effect"


def test_6_5_an_angry_fenrir_leaves_only_appeasing():
    s = at(fenrir_angry=True, hold={"thor": {"vikings": 3}}, enemies={"hel": 3}, vanir=5)
    assert options(s, 0) == [APPEASE]
    assert refused(s, END_TURN) == "must_appease_fenrir"


def test_6_4_a_world_with_two_blockers_stays_blocked_until_both_are_gone():
    hold = {"thor": {"vikings": 5}}
    s = at(giants_active=["skrymir", "baugi"], hold=hold, bags={"white": [2, 12]}, dice=["2"])
    assert code(s, "niflheim", partner="frey", give_vikings=1) == "world_blocked"
    do(s, "jotunheim", target="skrymir")
    assert code(s, "niflheim", partner="frey", give_vikings=1) == "world_blocked"
    s = at(giants_active=["skrymir"], giants_defeated=["baugi"], hold=hold, dice=["2"])
    do(s, "jotunheim", target="skrymir")
    assert code(s, "niflheim", partner="frey", give_vikings=1) is None


def test_6_4_blocking_a_world_does_not_stop_what_else_touches_its_stock():
    s = at(giants_active=["bergelmir", "gjalp"], vanir=2, phase="actions")
    assert code(s, "helheim", island="white") == "world_blocked"
    do(s, "vanaheim", mode="use", space=2)
    assert s.vikings[0] == 2
    s = at(giants_active=["gjalp"], phase="turn_start", deck=["surt"], dice=["white"])
    assert s.muspellheim == 11


def test_6_7_an_action_counts_even_if_it_fails():
    s = at(enemies={"hel": 7}, dice=["0"])
    do(s, "asgard", enemy="hel")
    assert s.actions_used == 1
    assert code(s, "asgard", enemy="hel") == "world_used"


def test_6_1_without_powers_frey_has_three_actions():
    given = {"gods": ["frey", "thor"], "actions_used": 3, "daeg_turns": 1}
    assert at(**given).active == 0
    assert at(**given, giants_active=["utgardaloki"]).active == 1


def test_10_6_freyja_repeats_one_world_and_only_with_powers():
    used = {"gods": ["freyja"], "worlds_used": ["midgard"], "actions_used": 1}
    assert code(at(**used), "midgard", move_to="white") is None
    assert code(at(**used, giants_active=["utgardaloki"]), "midgard", move_to="white") == (
        "world_used"
    )
    twice = {"gods": ["freyja"], "worlds_used": ["alfheim", "alfheim"], "actions_used": 2}
    assert code(at(**twice), "alfheim") == "world_used"
    s = at(**used | {"worlds_used": ["midgard", "helheim"]})
    do(s, "helheim", island="white")
    assert s.used_twice == 1 << 5


def test_14_8_the_neutral_answers_are_legal_everywhere():
    assert GAME.neutral(at(), 0) == END_TURN
    assert GAME.neutral(at(fenrir_angry=True), 0) == APPEASE
    s = at(enemies={"hel": 3}, hold={"thor": {"vikings": 2, "elves": 1}}, dice=["0"])
    apply(s, 0, Asgard(1))
    assert GAME.neutral(s, 0) == SendVikings(0)
    apply(s, 0, SendVikings(0))
    assert GAME.neutral(s, 0) == CommitElves(0)
    odin = at(gods=["odin"], phase="turn_start")
    assert GAME.neutral(odin, 0) == DrawCards(1)
