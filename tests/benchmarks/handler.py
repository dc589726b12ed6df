"""What our own code takes of a SubmitAnswers: its handler, called without gRPC and without Redis.

`python -m tests.benchmarks.handler [--commands N]`. Between two calls the caches of the processor
keep what the handler uses, or memory of a given size is read, as gRPC, the kernel and other
processes do between two calls of a real server.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import uvloop
from google.protobuf.message import Message

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine.kernel import COMPILED
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.server import Server
from taflhall_service.store.memory import MemoryStore
from tests.benchmarks.report import figure, table

MATCHES = 32
COMMANDS = 3000
READ = (0, 1 << 21, 1 << 23)
"""Bytes that are read between two calls."""

M = TypeVar("M", bound=Message)
Metadata = Sequence[tuple[str, str]]


class LocalCall:
    """The context of a call that comes from this process."""

    def __init__(self, request: bytes, metadata: Metadata) -> None:
        self._request = request
        self._metadata = metadata

    def invocation_metadata(self) -> Metadata:
        return self._metadata

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50000"

    async def read(self) -> bytes:
        return self._request


class Seat:
    """Both seats of a match, and the decision that is to be answered next."""

    def __init__(self, match_id: str, metadata: Metadata, decision: table_pb2.Decision) -> None:
        self.match_id = match_id
        self.metadata = metadata
        self.decision = decision


class Handlers:
    """The unary methods of a server, called directly."""

    def __init__(self, server: Server) -> None:
        self._handlers: dict[str, Callable[..., Any]] = {
            method.descriptor.name: method.handler.stream_unary
            for method in server.methods
            if method.handler.stream_unary is not None
        }

    async def call(self, request: Message, kind: type[M], metadata: Metadata = ()) -> M:
        """Call the method whose request this is."""
        name = type(request).__name__.removesuffix("Request")
        answer = await self._handlers[name](None, LocalCall(request.SerializeToString(), metadata))
        return kind.FromString(answer)

    async def open_match(self, game: str = "yggdrasil") -> Seat:
        """Return a new match whose two seats are both ours."""
        setup = table_pb2.Setup(game=game, seats=2)
        create = pb.CreateMatchRequest(setup=setup, start_when_full=True)
        match_id = (await self.call(create, pb.CreateMatchResponse)).match.id
        join = pb.JoinMatchRequest(match_id=match_id, seats=[0, 1], name="Ann")
        secret = (await self.call(join, pb.JoinMatchResponse)).seat_secret
        seat = Seat(match_id, [("authorization", f"Bearer {secret}")], table_pb2.Decision())
        await self.look(seat)
        return seat

    async def look(self, seat: Seat) -> None:
        """Find the decision that is pending."""
        get = pb.GetMatchRequest(match_id=seat.match_id, with_options=True)
        found = await self.call(get, pb.GetMatchResponse, seat.metadata)
        seat.decision = next(decision for decision in found.decisions if decision.options)

    async def timed_submit(self, request: bytes, metadata: Metadata) -> tuple[bytes, int]:
        """Return the answer to a SubmitAnswers, and the nanoseconds of CPU that it took."""
        call = LocalCall(request, metadata)
        started = time.thread_time_ns()
        answer = await self._handlers["SubmitAnswers"](None, call)
        return answer, time.thread_time_ns() - started


async def measure(commands: int, read: int) -> float:
    """Return the median of the microseconds for each command."""
    store = MemoryStore()
    matches = Matches(store, Hub(store), Limits(), await store.key(), tables=4096)
    server = Server(Spectators(matches), Limits(), Meter(), reflect=False, share_port=False)
    await matches.store_clock.send_heartbeat()
    handlers, rng = Handlers(server), random.Random(1)
    seats = [await handlers.open_match() for _ in range(MATCHES)]
    between, spent = bytes(read), []
    for number in range(commands):
        seat = seats[number % MATCHES]
        option = rng.randrange(len(seat.decision.options))
        request = pb.SubmitAnswersRequest(
            match_id=seat.match_id,
            decision_id=seat.decision.id,
            request_id=str(number),
            answers=[pb.DecisionAnswer(option=option)],
            with_options=True,
        ).SerializeToString()
        between.count(1)
        written, took = await handlers.timed_submit(request, seat.metadata)
        spent.append(took)
        answer = pb.SubmitAnswersResponse.FromString(written)
        seat.decision = answer.decision
        if answer.status == match_pb2.MATCH_STATUS_FINISHED:
            seats[number % MATCHES] = await handlers.open_match()
        elif not seat.decision.options:
            await handlers.look(seat)
    return statistics.median(spent[commands // 10 :]) / 1000  # the first warm up


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=COMMANDS)
    given = parser.parse_args()
    costs = {read: uvloop.run(measure(given.commands, read)) for read in READ}
    rows = [[f"{read >> 20}", figure(cost)] for read, cost in costs.items()]
    print("compiled engine" if COMPILED else "plain engine")
    print(table(["MB read between two calls", "CPU for each, µs"], rows))


if __name__ == "__main__":
    main()
