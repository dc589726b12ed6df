"""Servers and shards for a number of people, their price, and the resource that is full first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tests.benchmarks.capacity.costs import Figures

ORDERS: Final = (200, 2_000, 20_000, 200_000)
"""People on line at the peak; five times as many matches are live."""

_GB: Final = 1e9
_SECONDS_A_MONTH: Final = 730 * 3600
_REPLICAS: Final = 1


@dataclass(frozen=True, slots=True)
class Load:
    """What some number of people put on a deployment at the peak."""

    people: int
    live_matches: int
    commands: float
    """A second."""
    server_cores: float
    server_bytes: float
    """Memory of the watches and of the cached matches of all servers."""
    live_bytes: float
    """Memory of the live matches in the store."""
    finished_bytes: float
    """Memory of the finished matches that the store keeps."""
    out_bytes: float
    """To people, a second."""
    finished: float
    """Matches a second."""

    @property
    def store_bytes(self) -> float:
        return self.live_bytes + self.finished_bytes


@dataclass(frozen=True, slots=True)
class Size:
    """A deployment: processes of one core, and primaries with a replica each."""

    servers: int
    shards: int


@dataclass(frozen=True, slots=True)
class Bill:
    """US dollars a month."""

    servers: float
    stores: float
    traffic: float
    archive: float

    @property
    def total(self) -> float:
        return self.servers + self.stores + self.traffic + self.archive


def load_of(figures: Figures, people: int) -> Load:
    """Return what *people* on line cause."""
    costs, usage = figures.costs, figures.usage
    playing = people / usage.seats
    commands = playing / usage.seconds_between_commands
    watchers = usage.seats + usage.spectators
    live = round(people * usage.matches_per_person)
    finished = commands / usage.commands_per_match
    kept = finished * usage.evening * usage.keep_finished_hours * 3600
    # a live match is half played on average, a finished one whole
    half = costs.match_bytes + costs.command_bytes * usage.commands_per_match / 2
    whole = costs.match_bytes + costs.command_bytes * usage.commands_per_match
    return Load(
        people,
        live,
        commands,
        commands * (costs.command + watchers * costs.watcher)
        + playing * watchers * costs.idle_watch,
        playing * (watchers * costs.watch_bytes + usage.cached_share * costs.cached_bytes),
        live * half,
        kept * whole,
        commands * (costs.answer_bytes + watchers * costs.update_bytes),
        finished,
    )


def size_for(figures: Figures, load: Load) -> Size:
    """Return the smallest deployment that carries *load*: at least two servers and one shard.

    Commits that wait for the disk together are synced together, so that a shard's time is counted
    as scripts alone, with one sync for as many commits as arrive during it.
    """
    limits, costs = figures.limits, figures.costs
    servers = math.ceil(load.server_cores / limits.server_cpu) + 1
    by_bytes = math.ceil(load.store_bytes / limits.shard_bytes)
    by_time = math.ceil(load.commands * costs.script / limits.shard_cpu)
    return Size(max(2, servers), max(1, by_bytes, by_time))


def bill_of(figures: Figures, load: Load, size: Size) -> Bill:
    """Return what the deployment costs."""
    prices, usage = figures.prices, figures.usage
    machines = math.ceil(size.servers / prices.servers_per_machine)
    stores = size.shards * (1 + _REPLICAS)
    month = _SECONDS_A_MONTH * usage.evening
    new_records = load.finished * month * figures.costs.record_bytes / _GB
    return Bill(
        machines * prices.server_hour * prices.hours + prices.balancer_month,
        stores * (prices.store_hour * prices.hours + prices.disk_month),
        prices.traffic(load.out_bytes * month / _GB),
        12 * new_records * prices.archive_gb_month,
    )


def fullness(figures: Figures, load: Load, size: Size) -> dict[str, float]:
    """Return by resource how much of it *load* uses; above 1 it is not enough."""
    limits, costs = figures.limits, figures.costs
    return {
        "CPU of the servers": load.server_cores / ((size.servers - 1) * limits.server_cpu),
        "CPU of the store": load.commands * costs.script / (size.shards * limits.shard_cpu),
        "memory of the store": load.store_bytes / (size.shards * limits.shard_bytes),
    }


def first_limit(figures: Figures, people: int) -> tuple[str, int]:
    """Return which resource of the deployment for *people* is full first as more come, and when."""
    size = size_for(figures, load_of(figures, people))
    used = fullness(figures, load_of(figures, people), size)
    name = max(used, key=lambda resource: used[resource])
    return name, int(people / used[name])


def table(figures: Figures, orders: Sequence[int] = ORDERS) -> str:
    """Return the plan for each of *orders* people on line as a table in Markdown."""
    loads = [load_of(figures, people) for people in orders]
    sizes = [size_for(figures, load) for load in loads]
    bills = [bill_of(figures, load, size) for load, size in zip(loads, sizes, strict=True)]
    limits = [first_limit(figures, people) for people in orders]
    rows: list[tuple[str, list[str]]] = [
        ("live matches", [f"{load.live_matches:,}" for load in loads]),
        ("commands a second at the peak", [f"{load.commands:,.0f}" for load in loads]),
        ("cores that the servers use", [f"{load.server_cores:,.1f}" for load in loads]),
        ("**servers** (processes of one core)", [f"**{size.servers:,}**" for size in sizes]),
        (
            "memory of a server, MB",
            [
                f"{(figures.costs.server_bytes + load.server_bytes / size.servers) / 1e6:,.0f}"
                for load, size in zip(loads, sizes, strict=True)
            ],
        ),
        ("live matches in the store, GB", [f"{load.live_bytes / _GB:,.1f}" for load in loads]),
        (
            f"finished ones, kept {figures.usage.keep_finished_hours:g} h, GB",
            [f"{load.finished_bytes / _GB:,.1f}" for load in loads],
        ),
        ("**shards** (primary and replica)", [f"**{size.shards:,}**" for size in sizes]),
        ("traffic to people, Mbit/s", [f"{load.out_bytes * 8 / 1e6:,.1f}" for load in loads]),
        ("servers and balancer, $ a month", [f"{bill.servers:,.0f}" for bill in bills]),
        ("stores, $", [f"{bill.stores:,.0f}" for bill in bills]),
        ("traffic, $", [f"{bill.traffic:,.0f}" for bill in bills]),
        ("archive after a year, $", [f"{bill.archive:,.0f}" for bill in bills]),
        ("**together, $ a month**", [f"**{bill.total:,.0f}**" for bill in bills]),
        ("full first", [name for name, _ in limits]),
        ("full with people on line", [f"{people:,}" for _, people in limits]),
    ]
    lines = [
        "| people on line | " + " | ".join(f"{people:,}" for people in orders) + " |",
        "|---|" + "---:|" * len(loads),
        *(f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows),
    ]
    return "\n".join(lines)
