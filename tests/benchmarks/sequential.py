"""Error rates and power of the sequential test: ``python -m tests.benchmarks.sequential``.

By simulation: each run compares two bots whose true difference is known, and stops as soon as one
is called better.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

import numpy as np

from tests.benchmarks.report import table, write_section
from tests.clients.python.rating.simulation import (
    ALPHA,
    BLOCKS,
    RUNS,
    coins,
    pairs,
    simulate,
)

COINS: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
PAIRS: Final = (0.0, 0.03, 0.06, 0.12, 0.2)


def main(runs: int = RUNS) -> bool:
    """Simulate, write the section, print it; return whether the errors are bounded."""
    rows, bounded = [], True
    kinds = (("one bot wins both", coins, COINS), ("mostly one win each", pairs, PAIRS))
    for name, draw, means in kinds:
        for mean in means:
            found = simulate(draw, mean, runs)
            wrong = found.worse + (found.better if mean == 0 else 0.0)
            bounded &= wrong <= ALPHA
            decided = found.blocks[found.blocks < BLOCKS]
            half = f"{np.median(decided):.0f}" if decided.size else ""
            right = "" if mean == 0 else f"{100 * found.better:.1f} %"
            rows.append([name, f"{mean:+.2f}", f"{100 * wrong:.2f} %", right, half])
    head = [
        "two matches of a deal",
        "true difference",
        "wrong verdicts",
        "right verdicts",
        "median of blocks to a verdict",
    ]
    text = (
        f"{runs:,} runs in each line, every one looked at after each block and stopped at the "
        f"first verdict, after {BLOCKS} blocks at most; {100 * ALPHA:.0f} % wrong verdicts are "
        f"allowed.\n\n{table(head, rows)}"
    )
    print(f"\n{text}\n", flush=True)
    command = "make bench ARGS='--only sequential'"
    write_section("bench:sequential", "Sequential test of two bots", command, text)
    return bounded


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    sys.exit(not main(parser.parse_args().runs))
