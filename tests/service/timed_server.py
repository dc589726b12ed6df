"""A match whose spectators see it late, over a store whose clock the test moves."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import grpc

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import START, seconds
from tests.service.local_server import LocalServer, Table, bearer, open_server
from tests.waiting import LIMIT_SECONDS

PUBLIC = match_pb2.SPECTATOR_POLICY_PUBLIC
DELAYED = match_pb2.SPECTATOR_POLICY_DELAYED
NONE = match_pb2.SPECTATOR_POLICY_NONE

REVISIONS = (0, 1, 2, 5, 9, 14, 30, 1000, -1)
"""Revisions whose views are requested."""


class TimedServer:
    """A server, and the time by the clock of its store."""

    def __init__(self, memory: Memory, server: LocalServer) -> None:
        self.memory = memory
        self.server = server

    def passes(self, length: float, *others: LocalServer) -> None:
        """Let *length* seconds pass, with a server alive; wake those who wait."""
        now = self.memory.clock() + int(length * 1000)
        self.memory.clock = lambda: now
        self.memory.sign = now
        for server in (self.server, *others):
            for channel in server.matches.hub.channels:
                channel.wake()

    async def create(self, policy: int = DELAYED, delay: float = 60, **fields: Any) -> Table:
        """Open a match for two; nobody sits down yet."""
        request = pb.CreateMatchRequest(**fields)
        request.setup.game, request.setup.seats = "yggdrasil", 2
        request.spectators.policy = policy  # type: ignore[assignment]
        if policy == DELAYED:
            request.spectators.delay.CopyFrom(seconds(delay))
        created = await self.server.match.CreateMatch(request)
        return Table(self.server, created.match.id, [], created.creator_secret)

    async def table(self, policy: int = DELAYED, delay: float = 60) -> Table:
        """Open a match, and let two sit down and begin."""
        table = await self.create(policy, delay)
        await sit_down(table)
        return table


async def join(table: Table, person: int) -> None:
    request = pb.JoinMatchRequest(match_id=table.id, seats=[person], name=f"Ann {person}")
    table.secrets.append((await table.server.match.JoinMatch(request)).seat_secret)


async def start(table: Table) -> None:
    request = pb.StartMatchRequest(match_id=table.id)
    await table.server.match.StartMatch(request, metadata=bearer(table.creator))


async def sit_down(table: Table) -> None:
    await join(table, 0)
    await join(table, 1)
    await start(table)


async def step(table: Table, option: int = 0) -> pb.SubmitAnswersResponse:
    """Answer the pending decision of the seat that has to decide, by *option* or the last one."""
    for person in range(len(table.secrets)):
        for decision in (await table.get(person)).decisions:
            if decision.options:
                answers = await table.whole(min(option, len(decision.options) - 1))
                return await table.submit(decision.id, person=person, answers=answers)
    raise AssertionError("nothing is pending")


async def resign(table: Table, person: int = 0) -> None:
    request = pb.ResignSeatRequest(match_id=table.id, request_id="over")
    await table.server.match.ResignSeat(request, metadata=bearer(table.secrets[person]))


def memory_at(ms: int = START) -> Memory:
    return Memory(lambda: ms)


def twin(memory: Memory) -> Memory:
    """Return a copy in which everything has happened in the same way until now."""
    other = memory_at(memory.clock())
    for name in ("matches", "entries", "records", "indexes", "queues"):
        setattr(other, name, copy.deepcopy(getattr(memory, name)))
    other.key = memory.key
    return other


@asynccontextmanager
async def open_timed_server(
    memory: Memory | None = None, **fields: Any
) -> AsyncIterator[TimedServer]:
    memory = memory or memory_at()
    async with open_server(MemoryStore(memory), **fields) as server:
        yield TimedServer(memory, server)


async def response(call: Any) -> bytes:
    """Return all that a call answers, or is refused with, but for its resume token.

    The code to join with is shown to those alone who may have it.
    What is left on the clocks is shown up to the moment, and asked here at another moment.
    """
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        trailing = dict(error.trailing_metadata() or ())
        return repr((error.code(), error.details(), sorted(trailing.items()))).encode()
    if isinstance(answer, pb.GetMatchResponse | pb.WatchMatchResponse):
        answer.resume_token = ""
    if isinstance(answer, pb.GetMatchResponse):
        answer.join_code = ""
    for clocks in clocks_in(answer):
        clocks.ClearField("read_time")
        for clock in clocks.seats:
            clock.ClearField("remaining")
    data: bytes = answer.SerializeToString(deterministic=True)
    return data


def clocks_in(message: Any) -> Iterator[match_pb2.MatchClocks]:
    """Iterate over all clocks in a message."""
    if isinstance(message, match_pb2.MatchClocks):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in value if field.is_repeated else [value]:
                yield from clocks_in(inner)


async def first_of(stream: Any) -> bytes:
    """Return the first message of a stream."""
    async with asyncio.timeout(LIMIT_SECONDS):
        data = await response(stream.read())
    stream.cancel()
    return data


async def everything(table: Table, secret: str = "") -> dict[str, bytes]:
    """Return the answers to everything that can be asked about a match without a seat."""
    match, proof, match_id = table.server.match, bearer(secret), table.id
    found: dict[str, bytes] = {}

    async def ask(name: str, call: Any) -> None:
        found[name] = await response(call)

    await ask("get", match.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=proof))
    request = pb.GetMatchRequest(match_id=match_id, with_view=True, with_options=True)
    await ask("get all", match.GetMatch(request, metadata=proof))
    for revision in REVISIONS:
        past = pb.GetMatchViewRequest(match_id=match_id, revision=revision)
        await ask(f"view {revision}", match.GetMatchView(past, metadata=proof))
    history = pb.ListMatchEventsRequest(match_id=match_id)
    await ask("history", match.ListMatchEvents(history, metadata=proof))
    record = pb.GetMatchRecordRequest(match_id=match_id)
    await ask("record", match.GetMatchRecord(record, metadata=proof))
    for status in match_pb2.MatchStatus.values():
        listing = pb.ListMatchesRequest(status=match_pb2.MatchStatus.ValueType(status))
        await ask(f"list {status}", match.ListMatches(listing, metadata=proof))
    paged = pb.ListMatchesRequest(page_size=1, status=match_pb2.MATCH_STATUS_PLAYING)
    await ask("page", match.ListMatches(paged, metadata=proof))
    watching = pb.WatchMatchRequest(match_id=match_id, with_view=True, with_options=True)
    found["watch"] = await first_of(match.WatchMatch(watching, metadata=proof))
    return found
