"""A bot that tries to win Champions of Midgard.

Start with :meth:`Heuristic.choose`: each kind of decision has a method. What fights promise
is computed by :mod:`champions_odds`, the best crews by :mod:`champions_plan`, and the value of
each worker space by :mod:`champions_evaluation`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.champions_evaluation import Places
from taflhall_client.bots.champions_fights import Fights
from taflhall_client.bots.champions_odds import FightOdds
from taflhall_client.bots.champions_position import Position
from taflhall_engine.champions.ids import KNOWLEDGE, LEADERS, ROUNDS
from taflhall_engine.champions.rules.assignment import LoadFood, SendWarriors
from taflhall_engine.champions.rules.runes import (
    ActivateGifts,
    ActivateRune,
    ActivateSuccess,
)
from taflhall_engine.champions.view import PublicView
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, View

LIKED: Final = ["svanhildr", "ullr", "gylfir", "asmundr", "dagrun"]
"""The leaders in the order in which they are liked."""
ENOUGH_COINS: Final = 5
"""Wealth gives no more than this."""

Answer = Callable[[Position, list[Any]], Any]


class Heuristic:
    """Weighs the options; the same view always gives the same answer."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._components: Final = game.components  # type: ignore[attr-defined]
        self._odds: Final[dict[int, FightOdds]] = {}

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the option that seems best."""
        options = decision.options
        if len(options) == 1:
            return options[0]
        position = self._position(view, decision)
        kind = type(decision.step).__name__
        rune = free_rune(position, options, kind == "FinalRunes")
        if rune is not None:
            return rune
        chosen: Command[Any] = ANSWERS[kind](position, options)
        return chosen

    def _position(self, view: View, decision: Decision) -> Position:
        public = view.public
        assert isinstance(public, PublicView)
        leader = public.seats[decision.seat].leader
        odds = self._odds.get(leader)
        if odds is None:
            odds = self._odds[leader] = FightOdds(self._components, leader)
        return Position(self._components, view, decision.seat, decision.step, odds)


# ---------------------------------------------------------------- free runes


def free_rune(position: Position, options: list[Any], last: bool) -> Command[Any] | None:
    """Return a free rune worth using now: early what gives goods, at the end what scores."""
    late = last or position.p.round == ROUNDS
    for option in options:
        if isinstance(option, ActivateRune) and option.rune != KNOWLEDGE:
            if position.own.coins >= (1 if late else ENOUGH_COINS):
                return option
        elif isinstance(option, ActivateGifts):
            wanted = gifts(position, late)
            if (option.food, option.wood, option.coins) == wanted:
                return option
        elif isinstance(option, ActivateSuccess) and last:
            places = Places(position)
            scored = [o for o in options if isinstance(o, ActivateSuccess)]
            return max(scored, key=lambda o: places.destiny_worth(o.destiny))
    return None


def gifts(position: Position, late: bool) -> tuple[int, int, int]:
    """Return the food, wood and coins to take with Gifts."""
    if late:
        return (0, 0, 4)
    food = max(0, 2 - position.own.food)
    wood = 1 if position.own.wood == 0 else 0
    return (food, wood, 4 - food - wood)


# ---------------------------------------------------------------- decisions


def leader(_: Position, options: list[Any]) -> Any:
    return min(options, key=lambda o: LIKED.index(LEADERS[o.leader]))


def assign(position: Position, options: list[Any]) -> Any:
    """Send whom the plan sends; it is the same at each step of the answer."""
    targets = position.planner.own_targets()
    plan = position.planner.best(targets)
    sample = options[0]
    wanted = 0
    for target, crew, food in zip(targets, plan.crews, plan.food, strict=True):
        if target.post == sample.post:
            wanted = crew[sample.warrior] if isinstance(sample, SendWarriors) else food
    counts = [o for o in options if isinstance(o, SendWarriors | LoadFood)]
    return min(counts, key=lambda o: abs(o.count - wanted))


ANSWERS: Final[dict[str, Answer]] = {
    "ChooseLeader": leader,
    "PlaceWorker": lambda position, options: Places(position).place(options),
    "KeepWarriors": lambda position, options: Places(position).keep_warriors(options),
    "TrueVision": lambda _, options: options[1],
    "KeepDestiny": lambda position, options: Places(position).keep_destiny(options),
    "MarketExchange": lambda _, options: min(options, key=lambda o: abs(o.amount)),
    "AssignWarriors": assign,
    "AssignFurther": assign,
    "PostRoll": lambda position, options: Fights(position).post_roll(options),
    "PickFurther": lambda position, options: Fights(position).post_roll(options),
    "Casualties": lambda position, options: Fights(position).casualties(options),
    "GloryRune": lambda position, options: Fights(position).glory_rune(options),
    "TrollBlame": lambda position, options: Fights(position).blame(options),
    "JourneyRune": lambda position, options: Fights(position).journey_rune(options),
    "JourneyLoss": lambda position, options: Fights(position).journey_loss(options),
    "Starvation": lambda position, options: Fights(position).starvation(options),
    "FinalRunes": lambda _, options: options[0],
}
