"""Commands that nobody offered, for the games of this suite by their names."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.agenda import Command
from taflhall_testing import strange
from taflhall_testing.strange import mutated, other, strange_commands
from tests.engine.every_game import setups

__all__ = ["met", "mutated", "other", "strange_commands"]


def met(name: str) -> list[Command[Any]]:
    """Return one of each few commands met in some random matches, and one of every class."""
    return strange.met(setups.trial(name))
