"""The port to the server's own bots."""

from __future__ import annotations

from typing import Protocol

from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.game import Game


class BotUnavailable(Exception):
    """No bot can answer now; try again later."""


class BotFailed(Exception):
    """The bot raised an exception; asking again would end the same way."""


class Bots(Protocol):
    """Answers decisions for the seats that the server plays for, without delaying other calls."""

    async def choose(
        self, match_id: str, game: Game, table: Table, seat: int, seed: int, plies: int
    ) -> list[int]:
        """Return the options that the server chooses for *seat*, one per step of its answer.

        It tries out at most *plies* commands (0: it chooses at random), and draws its random
        numbers from *seed*. Raise
        :exc:`BotFailed` or :exc:`BotUnavailable`.
        """
        ...
