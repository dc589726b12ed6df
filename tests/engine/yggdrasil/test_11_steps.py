"""YG-3 to YG-11 What single steps do, with amounts and of seats that cases do not have."""

import pytest

from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.events import DieChosen, EnemyMoved, MatchEnded, TurnStarted
from taflhall_engine.yggdrasil.ids import (
    DEFEAT,
    ENEMY_COUNT,
    NO_POWERS,
    PLUS_SHIFT,
    VALUE,
    VICTORY,
    WORLDS,
)
from taflhall_engine.yggdrasil.rules.battle import (
    BattleElves,
    CommitElves,
    Fight,
    enemy_strength,
)
from taflhall_engine.yggdrasil.rules.dice import CHOOSE_DIE, TyrChoice
from taflhall_engine.yggdrasil.rules.exchange import Amount, GiveVikings
from taflhall_engine.yggdrasil.rules.powers import NidhoggPower, NidhoggPull
from taflhall_engine.yggdrasil.rules.turn import EndOfTurn, Turn, resolve_card
from taflhall_engine.yggdrasil.rules.use import actions_left
from taflhall_engine.yggdrasil.rules.vanaheim import VANIR_ADVANCE
from taflhall_engine.yggdrasil.rules.worlds import (
    ALFHEIM_ACTION,
    Helheim,
    Muspellheim,
    Nidavellir,
)
from tests.engine.yggdrasil.position import at


@pytest.mark.parametrize("seat", [0, 1])
def test_8_3_a_god_fights_with_the_weapon_of_its_own(seat):
    s = at(gods=["frey", "tyr"])
    s.weapons = [0] * (2 * ENEMY_COUNT)
    s.weapons[seat * ENEMY_COUNT + 2] = 3
    s.weapons[(1 - seat) * ENEMY_COUNT + 2] = 1
    s.die, s.enemies = 0, [1] * ENEMY_COUNT
    Fight(seat, 2, 4).run(s)
    top = s.agenda[-1]
    assert isinstance(top, BattleElves)
    assert top.total == 4 + s.components.face_value[0] + 3


def test_8_1_an_enemy_at_its_start_cannot_be_attacked_however_strong_giants_make_it():
    s = at()
    s.hindrance = 1 << PLUS_SHIFT
    s.enemies[0] = 1
    assert enemy_strength(s, 0) == 0
    s.enemies[0] = 2
    stronger = enemy_strength(s, 0)
    s.hindrance = 0
    assert stronger == enemy_strength(s, 0) + 1 > 1


def test_8_6_any_number_of_own_elves_may_be_committed():
    s = at()
    s.elves[0] = 20
    offered = BattleElves(0, 2, 1, 9).offers(s, 0)
    assert offered == [CommitElves(elves) for elves in range(21)]


def test_7_5_any_number_of_own_vikings_may_be_given():
    s = at()
    s.vikings[0], s.vikings[1] = 70, 1
    assert GiveVikings(0, 1).offers(s, 0) == [Amount(count) for count in range(71)]


@pytest.mark.parametrize("index", [0, 1])
def test_10_5_an_event_says_which_die_tyr_has_chosen(index):
    s = at(gods=["tyr", "frey"])
    s.journal = []
    TyrChoice(0, VALUE, 2, 4).resolve(s, 0, CHOOSE_DIE[index])
    assert s.die == (2, 4)[index]
    assert s.journal == [DieChosen("YG-10.5", 0, VALUE, s.die)]
    s.journal = None
    TyrChoice(0, VALUE, 2, 4).resolve(s, 0, CHOOSE_DIE[index])


def test_5_5_nobody_is_pulled_when_all_have_arrived():
    s = at()
    s.agenda, residence = [], s.components.residence
    s.enemies = [residence] * ENEMY_COUNT
    NidhoggPower(0).run(s)
    assert s.agenda == []
    s.enemies[3] = residence - 1
    NidhoggPower(0).run(s)
    assert s.agenda == [NidhoggPull(0)]


def test_3_5_a_turn_begins_with_all_actions_and_worlds():
    s = at()
    s.actions_used, s.used, s.used_twice, s.turn, s.journal = 3, 0b11, 0b1, 4, []
    Turn(1).run(s)
    assert (s.turn, s.active, s.actions_used, s.used, s.used_twice) == (5, 1, 0, 0, 0)
    assert s.journal == [TurnStarted("YG-3.5", 1, 5)]


@pytest.mark.parametrize(
    ("lost", "rule", "outcome"), [(True, "YG-11.3", DEFEAT), (False, "YG-11.4", VICTORY)]
)
def test_11_3_and_11_4_an_event_says_how_the_match_has_ended(lost, rule, outcome):
    s = at()
    s.agenda, s.journal, s.deck = [], [], []
    s.enemies = [s.components.residence if lost else 1] * ENEMY_COUNT
    EndOfTurn(0).run(s)
    assert s.agenda == []
    assert (s.outcome, bool(s.reasons)) == (outcome, lost)
    assert s.journal[-1] == MatchEnded(rule, outcome, s.reasons)


def test_6_1_no_god_has_less_than_no_action_left():
    s = at(gods=["frey", "tyr"])
    s.hindrance = NO_POWERS
    left = []
    for used in range(5):
        s.actions_used = used
        left.append(actions_left(s))
    assert left == [3, 2, 1, 0, 0]
    s.hindrance, s.actions_used = 0, 3
    assert actions_left(s) == 1


@pytest.mark.parametrize(
    ("action", "world"),
    [
        (ALFHEIM_ACTION, "alfheim"),
        (Helheim(1), "helheim"),
        (Muspellheim(1), "muspellheim"),
        (Nidavellir(0), "nidavellir"),
        (VANIR_ADVANCE, "vanaheim"),
    ],
    ids=repr,
)
def test_6_2_an_action_uses_its_own_world(action, world):
    s = at()
    s.bag_giants, s.chance = [0, 2, 0, 0, 0], FastChance(1)
    assert action.refuse(s, 0) is None
    action.perform(s, 0)
    assert s.used == 1 << WORLDS.index(world)
    assert s.actions_used == 1


@pytest.mark.parametrize("card", range(16))
def test_4_3_to_4_5_a_card_moves_its_enemies_by_its_own_rule(card):
    s = at()
    s.enemies, s.journal, s.chance = [2] * ENEMY_COUNT, [], FastChance(1)
    resolve_card(s, 0, card)
    [first, *_] = [event for event in s.journal if isinstance(event, EnemyMoved)]
    assert first.rule == ("YG-4.3" if card < 6 else "YG-4.4" if card < 12 else "YG-4.5")
