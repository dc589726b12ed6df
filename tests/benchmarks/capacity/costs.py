"""The figures that plan and simulation start from, as ``costs.toml`` has them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("costs.toml")


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured; times in seconds of one core where nothing else is said."""

    command: float
    """A server's time for a command, its match's watchers left out."""
    before_commit: float
    """Share of it that is spent before the commit."""
    watcher: float
    """A server's time to send a change to one watcher."""
    idle_watch: float
    """A server's time for an open watch in which nothing happens, a second."""
    open_stream: float
    """A server's time to open a watch with a snapshot."""
    script: float
    """The store's time for the script of a commit."""
    sync: float
    """How long the disk takes to sync the append-only file."""
    network: float
    """One way between two machines."""
    variation: float
    """Coefficient of variation of a server's times."""
    server_bytes: int
    """Memory of a server without matches and watches."""
    watch_bytes: int
    """Memory of an open watch in a server."""
    cached_bytes: int
    """Memory of a match in a server's cache."""
    match_bytes: int
    """Memory of a match in the store while it is played, with its indexes."""
    command_bytes: int
    """Memory of a command in the store."""
    record_bytes: int
    """A finished match in the archive."""
    answer_bytes: int
    """What a server sends to the one who gave a command."""
    update_bytes: int
    """What a server sends to one watcher for a command."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What people do."""

    matches_per_person: float
    """Live matches for each person on line; most wait for somebody who is away."""
    seats: int
    """People in a match that is being played at the moment."""
    spectators: float
    """Others who watch such a match."""
    seconds_between_commands: float
    """In a match that is being played."""
    commands_per_match: int
    cached_share: float
    """Matches in the servers' caches for each match that is being played."""
    evening: float
    """Average load for 1 at the peak, which the plan is made for."""
    keep_finished_hours: float
    """``--keep-finished``: how long a finished match stays in the store."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How full anything may be in the plan."""

    server_cpu: float
    """Share of a server's core: room for a lost server, bursts, and garbage collection."""
    shard_cpu: float
    """Share of a shard's time, script and sync together."""
    shard_bytes: int
    """Memory of a primary's data; the machine needs more for copies while it saves."""


@dataclass(frozen=True, slots=True)
class Prices:
    """List prices in US dollars without discounts."""

    source: str
    server_hour: float
    """A machine of two cores, which runs two servers."""
    servers_per_machine: int
    store_hour: float
    """A machine for one primary or replica."""
    disk_month: float
    """The disk of such a machine."""
    balancer_month: float
    out_per_gb: tuple[tuple[float, float], ...]
    """Traffic to the internet: steps of (GB a month up to, price of a GB)."""
    archive_gb_month: float
    hours: float = 730.0

    def traffic(self, gigabytes: float) -> float:
        """Return the price of that much traffic in a month."""
        price, below = 0.0, 0.0
        for limit, each in self.out_per_gb:
            price += max(0.0, min(gigabytes, limit) - below) * each
            below = limit
        return price


@dataclass(frozen=True, slots=True)
class Figures:
    """All of it."""

    costs: Costs
    usage: Usage
    limits: Limits
    prices: Prices


def read(file: Path = FILE) -> Figures:
    """Return what *file* has; each of its tables says where the figures come from."""
    data: dict[str, dict[str, Any]] = tomllib.loads(file.read_text("utf-8"))
    steps = tuple((float(limit), float(each)) for limit, each in data["prices"].pop("out_per_gb"))
    return Figures(
        Costs(**data["costs"]),
        Usage(**data["usage"]),
        Limits(**data["limits"]),
        Prices(**data["prices"], out_per_gb=steps),
    )
