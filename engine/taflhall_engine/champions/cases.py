"""CM-20 Runs conformance cases."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.cases import CaseError
from taflhall_engine.kernel.game import Game


def run_case(game: Game, case: dict[str, Any]) -> list[str]:
    """Run one case; return what differs."""
    raise CaseError(f"{game.id}: the unit {case.get('unit')!r} cannot be run yet")
