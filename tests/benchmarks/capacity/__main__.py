"""Write the tables and plots of docs/scale.md: ``make capacity``.

With ``--people N`` print the plan for N people instead, and write nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.benchmarks.capacity import plan, scenarios
from tests.benchmarks.capacity.costs import FILE, read
from tests.benchmarks.capacity.plots import draw

DOCS: Final = Path(__file__).parents[3] / "docs"
PAGE: Final = DOCS / "scale.md"

SIMULATED: Final = 20_000
"""People on line in the simulation."""


def replaced(text: str, section: str, table: str) -> str:
    """Return the page *text* with *table* between the marks of *section*."""
    begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
    head, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{PAGE}: no section {section!r}")
    return head + begin + table + "\n" + end + rest.partition(end)[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compute the plan, run the scenarios, and write both to the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.capacity")
    parser.add_argument("--costs", type=Path, default=FILE, help="another costs.toml")
    parser.add_argument(
        "--people", type=int, nargs="+", help="print the plan for so many people, and write nothing"
    )
    parser.add_argument("--runs", type=int, default=10, help="runs of each scenario")
    parser.add_argument("--plan-only", action="store_true", help="without the simulation")
    args = parser.parse_args(arguments)
    figures = read(args.costs)
    if args.people:
        sys.stdout.write(f"{plan.table(figures, args.people)}\n")
        return 0
    text = replaced(PAGE.read_text("utf-8"), "plan", plan.table(figures))
    sys.stdout.write(f"{plan.table(figures)}\n\n")
    if not args.plan_only:
        outcomes = [
            scenarios.simulate(figures, SIMULATED, name, args.runs) for name in scenarios.SCENARIOS
        ]
        sys.stdout.write(f"{scenarios.table(outcomes)}\n")
        text = replaced(text, "simulation", scenarios.table(outcomes))
        folder = DOCS / "scale"
        folder.mkdir(exist_ok=True)
        for outcome in outcomes:
            draw(outcome, folder)
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
