"""What the rig has done in one run of the tests, in one line at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

NAME: Final = "faults"
"""The property of a test's report that holds its figures."""


def line(reports: Iterable[Any]) -> str:
    """Return the sums over the reports of all tests; empty if the rig did nothing."""
    f: Counter[str] = Counter()
    for report in reports:
        if getattr(report, "when", "") == "call":
            for name, figures in report.user_properties:
                if name == NAME:
                    f.update(figures)
    if not f:
        return ""
    kills = {name: count for name, count in f.items() if name.startswith("kills of ")}
    worlds = {name.removeprefix("world pairs of "): count for name, count in f.items()}
    per_game = ", ".join(
        f"{count:,} of {name}" for name, count in sorted(worlds.items()) if name not in f
    )
    return (
        f"under faults: {sum(kills.values()):,} kills ({_list(kills)}), "
        f"{f['commands']:,} commands, {f['fuzzed messages']:,} fuzzed messages, "
        f"{f['world pairs']:,} world pairs ({per_game}); "
        f"{f['violations']:,} violations"
    )


def _list(kills: dict[str, int]) -> str:
    return ", ".join(
        f"{count:,} {name.removeprefix('kills ')}" for name, count in sorted(kills.items())
    )
