"""Servers over one store whose clock the test moves, and a match with clocks on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.matches.past import entries_between
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.records import Entry
from taflhall_service.app.ports.bots import Bots
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.inline_bots import InlineBots
from tests.service.local_server import LocalServer, Table, bearer, open_server

PLIES = 300
"""Few, so that stand-ins are quick."""

START = 1_800_000_000_000


def seconds(number: float) -> Duration:
    length = Duration()
    length.FromMilliseconds(int(number * 1000))
    return length


def clock_settings(
    base: float = 60, increment: float = 0, free: float = 0, policy: int = 0
) -> match_pb2.TimeControl:
    return match_pb2.TimeControl(
        base=seconds(base),
        increment=seconds(increment),
        per_decision=seconds(free),
        on_timeout=match_pb2.TimeoutPolicy.ValueType(policy),
    )


class Clocked:
    """Some servers over one store in memory, each with its timers, and a clock that tests move."""

    def __init__(self) -> None:
        self.ms = START
        self.memory = Memory(lambda: self.ms)
        self.servers: list[LocalServer] = []
        self.timers: list[Timers] = []
        self.ups: list[tuple[TimeoutPolicy, float]] = []

    def time_up(self, policy: TimeoutPolicy, late: float) -> None:
        self.ups.append((policy, late))

    async def passes(self, length: float, at_work: bool = True) -> None:
        """Let *length* seconds pass, in which the servers are alive; see to what is due then."""
        left = int(length * 1000)
        while left > 0:
            self.ms += min(left, 2000)
            left -= 2000
            for server in self.servers:
                await server.matches.store_clock.send_heartbeat()
        if at_work:
            await self.work()

    async def away(self, length: float) -> None:
        """Let *length* seconds pass in which no server sends a heartbeat."""
        self.ms += int(length * 1000)

    async def work(self, rounds: int = 1) -> None:
        """Let all servers look for what is due at the same time, and deal with it."""
        for _ in range(rounds):
            for server in self.servers:
                await server.matches.store_clock.send_heartbeat()
            await asyncio.gather(*[timers.look() for timers in self.timers])
            for server in self.servers:
                await server.matches.idle(10)

    async def table(
        self, policy: int = 0, people: int = 2, game: str = "yggdrasil", **times: float
    ) -> Table:
        """Create, join and start a match with clocks; every seat has its own person."""
        server = self.servers[0]
        setup = table_pb2.Setup()
        getattr(setup, game).SetInParent()
        if game == "yggdrasil":
            setup.game, setup.seats = "yggdrasil", people
        clock = clock_settings(policy=policy, **times)
        created = await server.match.CreateMatch(
            pb.CreateMatchRequest(setup=setup, time_control=clock)
        )
        match_id, secrets = created.match.id, []
        for person in range(len(created.match.seats)):
            join = pb.JoinMatchRequest(match_id=match_id, seats=[person], name=f"Ann {person}")
            secrets.append((await server.match.JoinMatch(join)).seat_secret)
        start = pb.StartMatchRequest(match_id=match_id)
        await server.match.StartMatch(start, metadata=bearer(created.creator_secret))
        return Table(server, match_id, secrets, created.creator_secret)

    async def entries(self, table: Table) -> list[Any]:
        found: list[Any] = await self.servers[0].store.entries(table.id, 1, None)
        return found


async def actions_of(made: Clocked, table: Table) -> list[Entry]:
    """Return the stored entries of a match."""
    matches = made.servers[0].matches
    match = await matches.current(table.id)
    return await entries_between(matches.store, match, 1, match.revision)


@asynccontextmanager
async def clocked(
    servers: int = 1,
    stores: list[Any] | None = None,
    admin: bool = False,
    bots: Bots | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[Clocked]:
    """Open servers over one store; *stores* wrap it for the first of them."""
    made = Clocked()
    async with AsyncExitStack() as stack:
        for number in range(servers):
            store: MatchStore = MemoryStore(made.memory)
            if stores is not None and number < len(stores):
                store = stores[number](store)
            server = await stack.enter_async_context(open_server(store, limits, admin=admin))
            made.servers.append(server)
            made.timers.append(Timers(server.matches, bots or InlineBots(), made.time_up, PLIES))
            await server.matches.store_clock.send_heartbeat()
        yield made
