"""The bots of the server that may take seats.

They are the engine's: they play every game, from the view of their seat alone, and keep nothing
from one decision to the next. So any server can answer for a bot, whoever has added it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from taflhall_engine.kernel.stand_in import PLIES


class ServerBot(NamedTuple):
    """A bot of the server."""

    id: str
    plies: int
    """How many commands it tries out for a decision; 0: it chooses at random."""


SERVER_BOTS: Final[Mapping[str, ServerBot]] = MappingProxyType(
    {bot.id: bot for bot in (ServerBot("random", 0), ServerBot("monte-carlo", PLIES))}
)
"""All bots by id; ``Limits.bots`` says which of them a server offers."""
