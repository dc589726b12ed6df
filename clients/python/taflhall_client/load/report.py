"""What ``taflhall load`` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from taflhall_client.load.measures import (
    BOT_COMMAND,
    COMMAND,
    RESUMED,
    UNANSWERED,
    WATCH_LAG,
    Figures,
)
from taflhall_client.load.plan import Plan
from taflhall_client.load.server_costs import Costs

PERCENTILES: Final = (50.0, 90.0, 99.0, 99.9, 100.0)
_FIRST: Final = (COMMAND, BOT_COMMAND, WATCH_LAG, RESUMED)
_MB: Final = 1e6
_KB: Final = 1e3


def commands(figures: Figures) -> int:
    """Return how many commands were answered."""
    due = figures.number(COMMAND) + figures.number(BOT_COMMAND)
    return due - figures.counts[UNANSWERED]


def interval_line(figures: Figures, costs: Costs) -> str:
    """Return a line about an interval."""
    parts = [
        f"{commands(figures) / figures.seconds:.1f} commands/s",
        f"p50 {figures.milliseconds(COMMAND, 50):.1f} ms",
        f"p99 {figures.milliseconds(COMMAND, 99):.1f} ms",
        f"lag p99 {figures.milliseconds(WATCH_LAG, 99):.1f} ms",
        f"{sum(figures.failures.values())} failures",
    ]
    if costs.memory_bytes:
        parts.append(f"{costs.memory_bytes / _MB:.0f} MB, {costs.descriptors:.0f} descriptors")
    if costs.unread:
        parts.append(f"{costs.unread} not read")
    if costs.store_bytes:
        parts.append(f"store {costs.store_bytes / _MB:.1f} MB")
    return ", ".join(parts)


def latency_rows(figures: Figures) -> Iterator[tuple[str, int, list[float]]]:
    """Yield name, number and :data:`PERCENTILES` in ms of all that was timed."""
    others = sorted(name for name in figures.times if name not in _FIRST)
    for name in (*_FIRST, *others):
        if figures.number(name):
            times = [figures.milliseconds(name, percentile) for percentile in PERCENTILES]
            yield name, figures.number(name), times


def cost_lines(
    plan: Plan, figures: Figures, idle: Costs, before: Costs, after: Costs
) -> Iterator[str]:
    """Yield what the load cost the servers and the store, as far as they were asked.

    Their CPU is that since the warm-up (*before*), their memory is what they have more than
    when nothing had begun (*idle*).
    """
    number, grown = commands(figures), after.minus(idle)
    matches = max(1, plan.matches + plan.bot_matches)
    watches = max(1, plan.matches * plan.seats + plan.watchers + plan.lobby_watchers)
    if after.cpu_seconds:
        spent = after.minus(before).cpu_seconds
        each_second = spent / figures.seconds * 1e6
        yield (
            f"servers' CPU: {spent / figures.seconds:.2f} cores; "
            + (f"{spent / number * 1e6:.0f} us a command; " if number else "")
            + f"in a second {each_second / matches:.0f} us a match, "
            f"{each_second / watches:.0f} us a watch"
        )
        yield (
            f"servers' memory: {after.memory_bytes / _MB:.0f} MB, "
            f"{grown.memory_bytes / _MB:.1f} MB more than before: "
            f"{grown.memory_bytes / matches / _KB:.0f} KB a match, "
            f"{grown.memory_bytes / watches / _KB:.0f} KB a watch"
        )
    if after.store_bytes:
        added = after.minus(before).store_bytes
        yield (
            f"store's memory: {after.store_bytes / _MB:.1f} MB, "
            f"{grown.store_bytes / _MB:.1f} MB more than before: "
            f"{grown.store_bytes / matches / _KB:.0f} KB a match"
            + (f"; since the warm-up {added / number:.0f} bytes a command" if number else "")
        )


def as_data(
    plan: Plan, figures: Figures, idle: Costs, before: Costs, after: Costs
) -> dict[str, Any]:
    """Return all figures for a JSON file; times in milliseconds."""
    number = commands(figures)
    return {
        "seconds": figures.seconds,
        "due_per_second": plan.commands_per_second,
        "commands": number,
        "commands_per_second": number / figures.seconds if figures.seconds else 0.0,
        "milliseconds": {
            name: {"number": count} | dict(zip(map(str, PERCENTILES), times, strict=True))
            for name, count, times in latency_rows(figures)
        },
        "counts": dict(figures.counts),
        "failures": dict(figures.failures),
        "server_cpu_seconds": after.minus(before).cpu_seconds,
        "server_memory_bytes": after.memory_bytes,
        "server_memory_bytes_idle": idle.memory_bytes,
        "server_descriptors": after.descriptors,
        "store_bytes": after.store_bytes,
        "store_bytes_idle": idle.store_bytes,
        "store_bytes_before": before.store_bytes,
    }
