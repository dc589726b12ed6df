"""The benchmarks: `python -m tests.benchmarks [--only PART ...] [--game NAME ...]`.

They print ratios to baselines measured in the same run, and write docs/measurements.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys

from taflhall_engine import registry
from tests.benchmarks import (
    cpu,
    deserted,
    engine,
    growth,
    history,
    hosted_tournaments,
    sdks,
    sequential,
    starvation,
    timing,
    tournaments,
    web,
)

PARTS = (
    "engine",
    "service",
    "cpu",
    "sdks",
    "web",
    "rates",
    "stand-ins",
    "history",
    "growth",
    "timing",
    "tournaments",
    "hosted-tournaments",
    "sequential",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", choices=PARTS, action="append", help="run only this part")
    parser.add_argument(
        "--game", choices=list(registry.GAMES), action="append", help="measure only this game"
    )
    parser.add_argument("--rounds", type=int, default=5, help="samples of each kind")
    parser.add_argument("--seconds", type=float, default=2.0, help="length of a sample")
    given = parser.parse_args()
    wanted = given.only or PARTS
    reached = True
    if "engine" in wanted:
        reached &= engine.main(given.game or list(registry.GAMES), given.rounds, given.seconds)
    if "service" in wanted:
        reached &= service()
    if "cpu" in wanted:
        reached &= cpu.main()
    if "sdks" in wanted:
        reached &= sdks.main()
    if "web" in wanted:
        reached &= web.main()
    if "rates" in wanted:
        reached &= starvation.main()
    if "stand-ins" in wanted:
        reached &= deserted.main()
    if "history" in wanted:
        reached &= history.main()
    if "growth" in wanted:
        reached &= growth.main()
    if "timing" in wanted:
        reached &= timing.main()
    if "tournaments" in wanted:
        reached &= tournaments.main()
    if "hosted-tournaments" in wanted:
        reached &= hosted_tournaments.main()
    if "sequential" in wanted:
        reached &= sequential.main()
    sys.exit(not reached)


def service() -> bool:
    """Run the benchmarks of the service, which live in a module of their own."""
    if importlib.util.find_spec("tests.benchmarks.service") is None:
        print("there are no benchmarks of the service")
        return True
    module = importlib.import_module("tests.benchmarks.service")
    return module.main() in (None, True, 0)


if __name__ == "__main__":
    main()
