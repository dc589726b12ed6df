"""The toy game Quay, on which the kernel and the suites for every game are tried out first.

`make compiled` compiles it along with the engine, since interpreted classes cannot inherit from
compiled ones; with the plain engine it is plain as well.
"""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "kernel" / "toy"
if str(FOLDER) not in sys.path:
    sys.path.append(str(FOLDER))  # behind site-packages, where the compiled one would be

from quay import effects, rules, table, view  # noqa: E402
from quay.game import QuayGame, Setup  # noqa: E402
from taflhall_engine.conformance import RUNNERS  # noqa: E402

QUAY = QuayGame()
RUNNERS[QUAY.id] = "quay.cases"

__all__ = ["FOLDER", "QUAY", "QuayGame", "Setup", "effects", "rules", "table", "view"]
