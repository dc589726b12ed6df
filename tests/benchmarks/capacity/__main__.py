"""Write the tables and plots of docs/scale.md: ``make capacity``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from tests.benchmarks.capacity import plan, scenarios
from tests.benchmarks.capacity.costs import FILE, read
from tests.benchmarks.capacity.plots import draw

DOCS: Final = Path(__file__).parents[3] / "docs"
PAGE: Final = DOCS / "scale.md"


def replaced(text: str, section: str, table: str) -> str:
    """Return the page *text* with *table* between the marks of *section*."""
    begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
    head, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{PAGE}: no section {section!r}")
    return head + begin + table + "\n" + end + rest.partition(end)[2]


def main() -> int:
    """Compute the plan, run the scenarios, and write both to the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.capacity")
    parser.add_argument("--costs", type=Path, default=FILE, help="another costs.toml")
    parser.add_argument("--people", type=int, default=20_000, help="people in the simulation")
    parser.add_argument("--runs", type=int, default=10, help="runs of each scenario")
    parser.add_argument("--plan-only", action="store_true", help="without the simulation")
    args = parser.parse_args()
    figures = read(args.costs)
    text = replaced(PAGE.read_text("utf-8"), "plan", plan.table(figures))
    sys.stdout.write(f"{plan.table(figures)}\n\n")
    if not args.plan_only:
        outcomes = [
            scenarios.simulate(figures, args.people, name, args.runs)
            for name in scenarios.SCENARIOS
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
