"""The weights with which the search plays Yggdrasil, in situations and in whole matches."""

from __future__ import annotations

from typing import Any

from taflhall_client.bot import Decision
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.bots.yggdrasil_evaluation import Scale, Sense
from taflhall_client.bots.yggdrasil_knowledge import Knowledge
from taflhall_client.bots.yggdrasil_plan import Plan
from taflhall_client.bots.yggdrasil_weights import TUNED, WEIGHTS
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import apply, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.ids import FENRIR, FREY, ODIN, SURT, THOR, VICTORY
from taflhall_engine.yggdrasil.rules.worlds import Alfheim, Nidavellir
from taflhall_engine.yggdrasil.setup import Setup
from taflhall_engine.yggdrasil.table import YggdrasilTable
from taflhall_engine.yggdrasil.view import PublicView

GAME = registry.game("yggdrasil")
assert isinstance(GAME, Yggdrasil)


def laid_out(seed: int, **setup: Any) -> YggdrasilTable:
    assert isinstance(GAME, Yggdrasil)
    return GAME.new(Setup(**setup), FastChance(seed))


def plan(s: YggdrasilTable, weights: dict[str, float]) -> Plan:
    assert isinstance(GAME, Yggdrasil)
    public = GAME.public(s)
    assert isinstance(public, PublicView)
    return Plan(Sense(Scale(GAME.components, weights), public, s.active))


def wins(weights: dict[str, float], deals: int, **setup: Any) -> int:
    """Play *deals* matches; return how many are won."""
    bot = Heuristic(GAME, weights=weights)
    won = 0
    for deal in range(deals):
        s = laid_out(deal, **setup)
        while s.agenda:
            decision = Decision.of(s.active, s.agenda[-1], options(s, s.active))  # type: ignore[arg-type]
            apply(s, s.active, bot.choose(GAME.view(s, s.active), decision))
        won += s.outcome == VICTORY
    return won


def test_both_sets_of_weights_have_the_same_names():
    assert TUNED.keys() == WEIGHTS.keys()


def test_the_tuned_weights_win_more_often_than_those_of_the_heuristic_bot():
    """On the same deals, of a setting in which the heuristic bot wins less than half."""
    assert wins(TUNED, 12, seats=6) > wins(WEIGHTS, 12, seats=6)


def test_gods_arm_themselves_against_different_enemies():
    s = laid_out(1, gods=[ODIN, FREY])
    s.weapons[6 + FENRIR] = 2
    tuned = plan(s, TUNED)
    assert tuned.nidavellir(Nidavellir(FENRIR)) < tuned.nidavellir(Nidavellir(SURT)) / 2


def test_a_second_elf_is_worth_less_than_the_first():
    s = laid_out(1, gods=[THOR])
    first = plan(s, TUNED).alfheim(Alfheim())
    s.elves[0], s.alfheim = 1, s.alfheim - 1
    assert plan(s, TUNED).alfheim(Alfheim()) < 0.7 * first


def test_the_knowledge_of_the_search_plays_with_the_tuned_weights():
    knowledge, bot = Knowledge(GAME), Heuristic(GAME, weights=TUNED)
    s = laid_out(5, seats=3, furious=3)
    while s.agenda:
        step, legal = waiting(s), options(s, s.active)
        assert step is not None
        decision = Decision.of(s.active, step, legal)
        answer = bot.choose(GAME.view(s, s.active), decision)
        assert knowledge.play(s, s.active, legal, FastChance(1)) == answer
        apply(s, s.active, answer)


def test_a_rollout_goes_to_the_end_of_a_match_when_few_turns_follow():
    knowledge = Knowledge(GAME)
    s = laid_out(5, seats=1)
    step = waiting(s)
    assert step is not None
    while type(waiting(s)).__name__ != "ChooseAction":
        apply(s, s.active, options(s, s.active)[0])
    assert knowledge.rests(s, step, 5)
    del s.deck[4:]
    assert not knowledge.rests(s, step, 5)
