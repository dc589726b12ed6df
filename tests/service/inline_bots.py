"""Bots in the process of the test: the product's bots without their processes."""

from __future__ import annotations

from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.stand_in import choose_answer, random_answer


class InlineBots:
    """Answers at once."""

    async def choose(
        self, match_id: str, game: Game, table: Table, seat: int, seed: int, plies: int
    ) -> list[int]:
        if not plies:
            return random_answer(table, seat, FastChance(seed))
        return choose_answer(game, table, seat, FastChance(seed), plies)
