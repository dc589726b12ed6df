"""The bot of Champions of Midgard: it beats random bots, and knows every decision."""

from itertools import product
from typing import Any

import pytest

from taflhall_client.bots.champions import Heuristic
from taflhall_client.bots.champions_odds import FightOdds, casualties
from taflhall_client.bots.champions_plan import FOOD, Planner
from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.champions.ids import LEADERS
from taflhall_engine.kernel.agenda import apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.meta_commands import MetaCommand

GAME: Any = registry.game("champions")
SVANHILDR = LEADERS.index("svanhildr")
ULLR = LEADERS.index("ullr")


@pytest.mark.parametrize("seat", range(4))
def test_it_beats_three_random_bots_from_every_seat(seat):
    bots: list[Any] = [Random(GAME, 10 * seat + k) for k in range(4)]
    bots[seat] = Heuristic(GAME)
    result = play(GAME, bots, GAME.setup_kind(), secret=bytes([seat]) * 32).result
    assert result.won[seat]
    assert result.scores[seat] > 25


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_answers_every_decision_of_a_match_against_its_own_kind(seats):
    bots = [Heuristic(GAME) for _ in range(seats)]
    played = play(GAME, bots, GAME.setup_kind(seats=seats), secret=bytes(32))
    assert not played.failures
    assert max(played.result.scores) > 30
    kinds: set[str] = set()
    for _, action in played.moves:
        if not isinstance(action, MetaCommand):
            kinds |= {type(step).__name__ for step in steps_of(action)}
    assert {"SendWarriors", "Sail", "ReserveFight", "Blame"} <= kinds


def test_its_odds_are_those_of_the_dice():
    odds = FightOdds(GAME.components, ULLR)
    assert odds.roll((1, 0, 0)) == pytest.approx(
        {(0, 0): 3 / 6, (1, 0): 1 / 6, (2, 0): 1 / 6, (0, 1): 1 / 6}
    )
    assert odds.fight((0, 0, 1), 9, 2).win == pytest.approx(2 / 6)
    assert odds.fight((0, 0, 1), 0, 1).win == pytest.approx(1)
    assert odds.fight((0, 0, 0), 1, 1).win == 0
    better = FightOdds(GAME.components, SVANHILDR)
    assert better.fight((3, 0, 0), 2, 4).win > odds.fight((3, 0, 0), 2, 4).win


def test_its_odds_agree_with_dice_that_are_rolled():
    odds = FightOdds(GAME.components, ULLR)
    rng = FastChance(11)
    won, trials = 0, 3000
    for _ in range(trials):
        crew: Any = (2, 1, 2)
        need = 6
        while need > 0 and sum(crew):
            hits = shields = 0
            for warrior in range(3):
                for _ in range(crew[warrior]):
                    face = GAME.components.sides[warrior][rng.below(6)]
                    hits += (0, 1, 2, 0)[face]
                    shields += face == 3
            dead = casualties(crew, 2 - shields)
            crew = tuple(crew[k] - dead[k] for k in range(3))
            need -= hits
        won += need <= 0
    assert odds.fight((2, 1, 2), 2, 6).win == pytest.approx(won / trials, abs=0.03)


def fight_plan(seed: int) -> tuple[Any, Any, Any]:
    """Return a clan, its planner, and a troll, a near and a far shore as targets."""
    s = GAME.new(GAME.setup_kind(seats=2), FastChance(seed))
    while type(waiting(s)).__name__ == "ChooseLeader":
        apply(s, asked(s)[0], options(s, asked(s)[0])[0])
    clan = s.clans[0]
    clan.warriors, clan.goods = [3, 2, 2], [seed + 2, 0, 9]
    planner = Planner(GAME.components, GAME.public(s), 0, FightOdds(GAME.components, ULLR))
    return clan, planner, [planner.target(0, 0), planner.target(4, 5), planner.target(6, 10)]


@pytest.mark.parametrize("seed", range(8))
def test_a_plan_sends_no_more_than_there_is_room_and_food_for(seed):
    clan, planner, targets = fight_plan(seed)
    plan = planner.best(targets)
    assert plan.worth >= 0
    assert [sum(crew[k] for crew in plan.crews) <= clan.warriors[k] for k in range(3)] == [True] * 3
    assert sum(plan.food) <= clan.goods[0]
    for target, crew, food in zip(targets, plan.crews, plan.food, strict=True):
        if target.capacity:
            assert sum(crew) + food <= target.capacity
            assert sum(crew) <= food * target.fed


@pytest.mark.parametrize("seed", range(3))
def test_no_plan_is_better_than_the_best(seed):
    clan, planner, targets = fight_plan(seed)
    crews = list(product(*[range(count + 1) for count in clan.warriors]))
    best = 0.0
    for one, other in product(crews, crews):
        if any(one[k] + other[k] > clan.warriors[k] for k in range(3)):
            continue
        worth, food = 0.0, 0
        for target, crew in zip(targets[1:], (one, other), strict=True):
            eaten = -(-sum(crew) // target.fed)
            fits = sum(crew) + eaten <= target.capacity
            worth += planner.worth(target, crew) - FOOD * eaten if fits else -1e9
            food += eaten
        if food <= clan.goods[0]:
            best = max(best, worth)
    assert planner.best(targets[1:]).worth == pytest.approx(best)
