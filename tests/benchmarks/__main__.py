"""The benchmarks: `python -m tests.benchmarks [--only PART ...] [--game NAME ...]`.

They print ratios to baselines measured in the same run, and write docs/measurements.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys

from taflhall_engine import registry
from tests.benchmarks import (
    archiving,
    cpu,
    crowd,
    deserted,
    engine,
    floor,
    growth,
    history,
    hosted_tournaments,
    sdks,
    sequential,
    starvation,
    stored,
    timing,
    tournaments,
    web,
)

ENGINE = "engine"


def service() -> bool:
    """Run the benchmarks of the service, which live in a module of their own."""
    if importlib.util.find_spec("tests.benchmarks.service") is None:
        print("there are no benchmarks of the service")
        return True
    module = importlib.import_module("tests.benchmarks.service")
    return module.main() in (None, True, 0)


PARTS = {
    "service": service,
    "cpu": cpu.main,
    "floor": floor.main,
    "sdks": sdks.main,
    "web": web.main,
    "rates": starvation.main,
    "stand-ins": deserted.main,
    "history": history.main,
    "archive": archiving.main,
    "growth": growth.main,
    "crowd": crowd.main,
    "stored": stored.main,
    "timing": timing.main,
    "tournaments": tournaments.main,
    "hosted-tournaments": hosted_tournaments.main,
    "sequential": sequential.main,
}
"""What measures each part but the engine; it returns whether every goal was reached."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--only", choices=(ENGINE, *PARTS), action="append", help="run only this part"
    )
    parser.add_argument(
        "--game", choices=list(registry.GAMES), action="append", help="measure only this game"
    )
    parser.add_argument("--rounds", type=int, default=5, help="samples of each kind")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a sample")
    given = parser.parse_args()
    wanted = given.only or (ENGINE, *PARTS)
    reached = True
    if ENGINE in wanted:
        reached &= engine.main(given.game or list(registry.GAMES), given.rounds, given.seconds)
    for name, measure in PARTS.items():
        if name in wanted:
            reached &= measure()
    sys.exit(not reached)


if __name__ == "__main__":
    main()
