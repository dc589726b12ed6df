"""Halls over one store whose clock the test moves, and a match with clocks at their tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.ports.bots import Bots
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.hall import Hall, Table, bearer, open_hall
from tests.service.inline_bots import InlineBots

PLIES = 300
"""A stand-in is in a hurry here."""

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
    """Some halls over one store in memory, each with its timers; time passes when told to."""

    def __init__(self) -> None:
        self.ms = START
        self.memory = Memory(lambda: self.ms)
        self.halls: list[Hall] = []
        self.timers: list[Timers] = []
        self.ups: list[tuple[TimeoutPolicy, float]] = []

    def time_up(self, policy: TimeoutPolicy, late: float) -> None:
        self.ups.append((policy, late))

    async def passes(self, length: float, at_work: bool = True) -> None:
        """Let *length* seconds pass, in which the halls are alive; see to what is due then."""
        left = int(length * 1000)
        while left > 0:
            self.ms += min(left, 2000)
            left -= 2000
            for hall in self.halls:
                await hall.matches.store_clock.beat()
        if at_work:
            await self.work()

    async def away(self, length: float) -> None:
        """Let *length* seconds pass in which no hall gives a sign of life."""
        self.ms += int(length * 1000)

    async def work(self, rounds: int = 1) -> None:
        """Let all halls look for what is due at the same time, and deal with it."""
        for _ in range(rounds):
            for hall in self.halls:
                await hall.matches.store_clock.beat()
            await asyncio.gather(*[timers.look() for timers in self.timers])
            for hall in self.halls:
                await hall.matches.idle(10)

    async def table(
        self, policy: int = 0, people: int = 2, game: str = "yggdrasil", **times: float
    ) -> Table:
        """Create, join and start a match with clocks; every seat has its own person."""
        hall = self.halls[0]
        setup = table_pb2.Setup()
        getattr(setup, game).SetInParent()
        if game == "yggdrasil":
            setup.game, setup.seats = "yggdrasil", people
        clock = clock_settings(policy=policy, **times)
        created = await hall.match.CreateMatch(
            pb.CreateMatchRequest(setup=setup, time_control=clock)
        )
        match_id, secrets = created.match.id, []
        for person in range(len(created.match.seats)):
            join = pb.JoinMatchRequest(match_id=match_id, seats=[person], name=f"Ann {person}")
            secrets.append((await hall.match.JoinMatch(join)).seat_secret)
        start = pb.StartMatchRequest(match_id=match_id)
        await hall.match.StartMatch(start, metadata=bearer(created.creator_secret))
        return Table(hall, match_id, secrets, created.creator_secret)

    async def entries(self, table: Table) -> list[Any]:
        found: list[Any] = await self.halls[0].store.entries(table.id, 1, None)
        return found


@asynccontextmanager
async def clocked(
    halls: int = 1,
    stores: list[Any] | None = None,
    admin: bool = False,
    bots: Bots | None = None,
) -> AsyncIterator[Clocked]:
    """Open halls over one store; *stores* are made of the memory's doors for the first halls."""
    made = Clocked()
    async with AsyncExitStack() as stack:
        for number in range(halls):
            store: MatchStore = MemoryStore(made.memory)
            if stores is not None and number < len(stores):
                store = stores[number](store)
            hall = await stack.enter_async_context(open_hall(store, admin=admin))
            made.halls.append(hall)
            made.timers.append(Timers(hall.matches, bots or InlineBots(), made.time_up, PLIES))
            await hall.matches.store_clock.beat()
        yield made
