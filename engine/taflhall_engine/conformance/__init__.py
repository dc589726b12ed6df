"""Conformance cases run against the engine: the required behaviour of the rules, as data.

:mod:`~taflhall_engine.conformance.cases` reads case files; each game has a folder with its own
runner, which turns a case into a table, gives its answers and compares the outcome.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from taflhall_engine.kernel.game import Game

RUNNERS: Final = {
    "champions": "taflhall_engine.conformance.champions.runner",
    "ice_garden": "taflhall_engine.conformance.ice_garden.runner",
    "yggdrasil": "taflhall_engine.conformance.yggdrasil.runner",
}
"""By game: the module whose ``run_case(game, case)`` runs its cases."""


def run_case(game: Game, case: dict[str, Any]) -> list[str]:
    """Run *case* of *game*; return what differs, in words (expected and found)."""
    found: list[str] = import_module(RUNNERS[game.id]).run_case(game, case)
    return found
