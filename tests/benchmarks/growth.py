"""What a command costs late in a long match, and among many open matches.

Two server processes, each on an embedded store of its own: one with a few matches, of which one is
long, and one with many that wait for players. An answer is given and taken back again and again, in
turns in each of the matches. The CPU is that of the server process for such a pair of commands.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final
from uuid import uuid4

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc, table_pb2
from tests.benchmarks.report import figure, table, write_section

Metadata = tuple[tuple[str, str], ...]

LONG: Final = 4_000
MANY: Final = 20_000
SAMPLE: Final = 200
"""Answers of one sample."""

TURNS: Final = 5

GOAL: Final = 1.15

SWEEP_SECONDS: Final = 65.0
"""In that time every background job has run at least once, but for those of an hour."""


class Server:
    """A server process."""

    def __init__(self, folder: str) -> None:
        command = [sys.executable, "-m", "taflhall_service.main", "--listen", "127.0.0.1:0"]
        command += ["--store", f"embedded:{folder}", "--log-level", "error"]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.child.stdout is not None
        self.port = int(self.child.stdout.readline().rpartition(":")[2])

    def cpu(self) -> float:
        """Return the seconds of CPU that the process has taken."""
        fields = Path(f"/proc/{self.child.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def begun(stub: Any, game: str, seats: int) -> tuple[str, Metadata]:
    """Begin a match whose seats one person has; return its id and what proves that person."""
    setup = table_pb2.Setup(game=game, seats=seats)
    made = await stub.CreateMatch(pb.CreateMatchRequest(setup=setup, start_when_full=True))
    join = pb.JoinMatchRequest(match_id=made.match.id, seats=range(seats), name="Ann")
    secret = (await stub.JoinMatch(join)).seat_secret
    return made.match.id, (("authorization", f"Bearer {secret}"),)


async def answered(stub: Any, match_id: str, proof: Metadata) -> int:
    """Give the first option at each step of a decision; return the revision then."""
    got = await stub.GetMatch(pb.GetMatchRequest(match_id=match_id), metadata=proof)
    revision, decision = got.match.revision, got.decisions[0]
    while revision == got.match.revision:
        submit = pb.SubmitAnswersRequest(
            match_id=match_id, decision_id=decision.id, request_id=uuid4().hex
        )
        submit.answers.add(option=0)
        reply = await stub.SubmitAnswers(submit, metadata=proof)
        revision, decision = reply.revision, reply.decision
    return int(revision)


class LongMatch:
    """A match of one person, who gives an answer and takes it back."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub
        self.revision = 0
        self._id = ""
        self._proof: Metadata = ()

    async def begin(self) -> None:
        """Play until there is an answer that can be taken back."""
        self._id, self._proof = await begun(self._stub, "ice_garden", 4)
        while not await self.answer_and_undo():
            pass

    async def answer_and_undo(self) -> bool:
        """Give an answer and take it back; return whether that is possible."""
        revision = await answered(self._stub, self._id, self._proof)
        undo = pb.ProposeToPlayersRequest(match_id=self._id, request_id=uuid4().hex)
        undo.undo.SetInParent()
        try:
            await self._stub.ProposeToPlayers(undo, metadata=self._proof)
        except grpc.aio.AioRpcError:
            return False
        self.revision = revision + 1
        return True


async def sample(server: Server, match: LongMatch) -> tuple[float, float]:
    """Return the CPU and the median latency of an answer that is taken back, in milliseconds."""
    before, took = server.cpu(), []
    for _ in range(SAMPLE):
        began = time.perf_counter()
        assert await match.answer_and_undo()
        took.append(time.perf_counter() - began)
    cpu = (server.cpu() - before) / SAMPLE * 1000
    return cpu, sorted(took)[SAMPLE // 2] * 1000


async def open_matches(stub: Any, number: int) -> None:
    """Open matches that wait for players."""
    setup = table_pb2.Setup(game="yggdrasil", seats=2)
    left = iter(range(number))

    async def some() -> None:
        for _ in left:
            await stub.CreateMatch(pb.CreateMatchRequest(setup=setup))

    await asyncio.gather(*[some() for _ in range(32)])


async def idle(server: Server) -> float:
    """Return how much of a core the server takes while nobody calls, in per cent."""
    before = server.cpu()
    await asyncio.sleep(SWEEP_SECONDS)
    return (server.cpu() - before) / SWEEP_SECONDS * 100


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[Server, Any]]:
    """Start a server; give it and a stub of it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
                yield server, match_service_pb2_grpc.MatchServiceStub(channel)
        finally:
            server.child.terminate()
            server.child.wait()


async def measure() -> list[tuple[str, float, float]]:
    """Return rows: what was measured, with a short match among few and with the other one."""
    async with serving() as (few, stub), serving() as (many, other):
        short, long, among = LongMatch(stub), LongMatch(stub), LongMatch(other)
        for match in (short, long, among):
            await match.begin()
        while long.revision < LONG:
            await long.answer_and_undo()
        await open_matches(other, MANY)
        shares = await asyncio.gather(idle(few), idle(many))
        places = {"short": (few, short), "long": (few, long), "among": (many, among)}
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in places}
        for _ in range(TURNS):
            for name, place in places.items():
                found[name].append(await sample(*place))
    cpu = {name: median(cpu for cpu, _ in each) for name, each in found.items()}
    took = {name: median(ms for _, ms in each) for name, each in found.items()}
    late, crowd = f"after {LONG:,} commands", f"among {MANY:,} open matches"
    return [
        (f"{late}: CPU (ms)", cpu["short"], cpu["long"]),
        (f"{late}: median latency (ms)", took["short"], took["long"]),
        (f"{crowd}: CPU (ms)", cpu["short"], cpu["among"]),
        (f"{crowd}: median latency (ms)", took["short"], took["among"]),
        (f"{crowd}, nobody calls: share of a core (%)", *shares),
    ]


def main() -> bool:
    """Measure, print and write down; return whether commands cost the same everywhere."""
    found = asyncio.run(measure())
    rows = [
        [what, figure(first), figure(second), figure(second / first)]
        for what, first, second in found
    ]
    head = ["an answer that is taken back", "in a short match among few", "here", "ratio"]
    text = table(head, rows)
    print(text)
    write_section("growth", "Growth", "python -m tests.benchmarks --only growth", text)
    return all(second <= GOAL * first for _, first, second in found[:4])
