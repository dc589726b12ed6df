"""A bot that plays each option on three times on imagined tables.

Seat it at a match: taflhall bot HOST:PORT MATCH --join Hugin --bot hugin:Hugin
"""

from typing import Any

from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import Command, apply
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.rollout import rollout


class Hugin:
    """Takes the option after which random play goes best."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.rng = game, FastChance(seed)

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return one of the decision's options."""
        return max(decision.options, key=lambda option: self.value(option, view, decision.seat))

    def value(self, option: Command[Any], view: View, seat: int) -> int:
        """Return how many plies three imagined matches last after *option*, or a lot if won."""
        total = 0
        for _ in range(3):
            table = self.game.imagine(view, self.rng)
            apply(table, seat, option)
            total += rollout(table, self.rng, 500)
            result = self.game.result(table)
            total += 1000 if result is not None and result.won[seat] else 0
        return total
