"""A bot that takes any option."""

from __future__ import annotations

from typing import Any

from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View


class Random:
    """Takes any option, each equally likely; the same seed takes the same ones."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._rng = FastChance(seed)

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return any option."""
        return decision.options[self._rng.below(len(decision.options))]
