"""The service's speed compared with a bare echo that runs the commit script, in one run.

One server process on the embedded store at its default durability; the load comes from this
process. Samples of the baseline, of unary calls and of play take turns.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import grpc
import uvloop

from taflhall.v1 import match_pb2, match_service_pb2_grpc, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.benchmarks.report import figure, table, write_section

PARALLEL = 64
WATCHERS = 200
IDLE = 1000
TURNS = 5
GOALS = {"submit": 0.5, "play": 1.5, "watcher_us": 40.0, "idle_kb": 60.0}

Rate = dict[str, float]
_OPTIONS = (("grpc.max_receive_message_length", -1),)


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process so far."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Server:
    """A child process that serves, and a channel to it."""

    def __init__(self, command: list[str]) -> None:
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._child.stdout is not None
        line = self._child.stdout.readline().decode()
        self.port = int(line.rpartition(":")[2])
        self.pid = self._child.pid

    def channel(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(f"127.0.0.1:{self.port}", options=_OPTIONS)

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.pid)

    def memory_kb(self) -> float:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    def stop(self) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.terminate()
        self._child.wait(20)


def measured_server(folder: str, *settings: str) -> Server:
    arguments = ["--store", f"embedded:{folder}", "--listen", "127.0.0.1:0", "--log-level=error"]
    return Server([sys.executable, "-m", "taflhall_service.main", *arguments, *settings])


def echo(folder: str, reply: int, snapshot: int, entry: int) -> Server:
    sizes = map(str, (reply, snapshot, entry))
    return Server([sys.executable, "-m", "tests.benchmarks.echo", folder, *sizes])


# ---------------------------------------------------------------- clients


class Seat:
    """A match and the secret of the one person who plays all of its gods."""

    def __init__(self, match_id: str, secret: str) -> None:
        self.id = match_id
        self.metadata = (("authorization", f"Bearer {secret}"),)
        self.decision = table_pb2.Decision()
        """The pending decision, if it has been read."""


async def open_match(stub: Any) -> Seat:
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    created = await stub.CreateMatch(pb.CreateMatchRequest(setup=setup, start_when_full=True))
    match_id = created.match.id
    request = pb.JoinMatchRequest(match_id=match_id, seats=[0, 1], name="Ann")
    return Seat(match_id, (await stub.JoinMatch(request)).seat_secret)


async def look(stub: Any, seat: Seat) -> None:
    """Read the decision that is pending."""
    get = pb.GetMatchRequest(match_id=seat.id, with_options=True)
    pending = (await stub.GetMatch(get, metadata=seat.metadata)).decisions
    seat.decision = next(d for d in pending if d.options)


class Seats:
    """Seats at new matches, some of them opened before they are needed."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub
        self._spare: list[Seat] = []

    async def open(self, spare: int) -> None:
        """Open matches until there are *spare* of them."""
        while len(self._spare) < spare:
            seat = await open_match(self._stub)
            await look(self._stub, seat)
            self._spare.append(seat)

    async def take(self) -> Seat:
        """Return a seat at a match that nobody has played at."""
        return self._spare.pop() if self._spare else await open_match(self._stub)


class Load:
    """Counts calls and times them until the sample is over."""

    def __init__(self, seconds: float) -> None:
        self.until = time.perf_counter() + seconds
        self.seconds = seconds
        self.cpu = 0.0
        self.times: list[float] = []
        self.bytes_in: list[int] = []
        self.bytes_out: list[int] = []

    @property
    def running(self) -> bool:
        return time.perf_counter() < self.until


class Client(Protocol):
    """Somebody who calls a server without a pause, sample after sample."""

    async def ready(self) -> None:
        """Open a match if none is under way."""

    async def call(self, load: Load) -> None:
        """Give one command and await what follows."""


class Submitter:
    """Plays matches by unary calls."""

    def __init__(self, stub: Any, rng: random.Random, seats: Seats | None = None) -> None:
        self._stub = stub
        self._rng = rng
        self._seats = seats or Seats(stub)
        self._names = count()
        self._seat: Seat | None = None

    async def ready(self) -> None:
        if self._seat is None:
            self._seat = await self._seats.take()
            if not self._seat.decision.options:
                await look(self._stub, self._seat)

    async def call(self, load: Load) -> None:
        seat = self._seat
        assert seat is not None
        decision = seat.decision
        request = pb.SubmitAnswersRequest(
            match_id=seat.id,
            decision_id=decision.id,
            request_id=f"{next(self._names)}",
            answers=[pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))],
            with_options=True,
        )
        started = time.perf_counter()
        answer = await self._stub.SubmitAnswers(request, metadata=seat.metadata)
        load.times.append(time.perf_counter() - started)
        if len(load.bytes_in) < 500:
            load.bytes_in.append(request.ByteSize())
            load.bytes_out.append(answer.ByteSize())
        seat.decision = answer.decision
        if answer.status == match_pb2.MATCH_STATUS_FINISHED:
            self._seat = None
        elif not answer.decision.options:  # another god of hers decides
            await look(self._stub, seat)


class Player:
    """Plays matches by streams."""

    def __init__(self, stub: Any, rng: random.Random, seats: Seats | None = None) -> None:
        self._stub = stub
        self._rng = rng
        self._seats = seats or Seats(stub)
        self._stream: Any = None
        self._said = pb.PlayResponse()

    async def ready(self) -> None:
        if self._said.HasField("prompt"):
            return
        if self._stream is not None:
            self._stream.cancel()
        seat = await self._seats.take()
        self._stream = self._stub.Play(metadata=seat.metadata)
        await self._stream.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=seat.id)))
        self._said = await self._stream.read()

    async def call(self, load: Load) -> None:
        decision = self._said.prompt.decision
        answer = pb.DecisionAnswer(option=self._rng.randrange(len(decision.options)))
        request = pb.PlayAnswer(decision_id=decision.id, answers=[answer])
        started = time.perf_counter()
        await self._stream.write(pb.PlayRequest(answer=request))
        self._said = await self._stream.read()
        while self._said.HasField("heartbeat"):
            self._said = await self._stream.read()
        load.times.append(time.perf_counter() - started)


class Caller:
    """Calls the baseline."""

    def __init__(self, channel: grpc.aio.Channel, size: int, method: str = "Echo") -> None:
        self._method: Any = channel.unary_unary(f"/bench.Echo/{method}", None, None)
        self._request = f"{random.getrandbits(32):08x}".encode().ljust(size, b".")
        self._metadata = (("authorization", f"Bearer {'x' * 43}"),)

    async def ready(self) -> None:
        return

    async def call(self, load: Load) -> None:
        started = time.perf_counter()
        await self._method(self._request, metadata=self._metadata)
        load.times.append(time.perf_counter() - started)


async def sample(seconds: float, clients: Sequence[Client]) -> Load:
    """Let *clients* call for some seconds; matches are opened beforehand."""
    await asyncio.gather(*[client.ready() for client in clients])
    load = Load(seconds)

    async def run(client: Client) -> None:
        while load.running:
            await client.call(load)
            await client.ready()

    started = time.perf_counter()
    await asyncio.gather(*[run(client) for client in clients])
    load.seconds = time.perf_counter() - started
    return load


def rate(loads: Sequence[Load]) -> Rate:
    """Return the calls per second and the latencies in ms of finished samples."""
    times = sorted(t for load in loads for t in load.times)
    return {
        "per_second": len(times) / sum(load.seconds for load in loads),
        "p50": times[len(times) // 2] * 1e3,
        "p99": times[len(times) * 99 // 100] * 1e3,
    }


# ---------------------------------------------------------------- measurements


async def rates(rounds: int, seconds: float) -> dict[str, Any]:
    """Return calls per second and latencies of baseline, unary calls and play, in turns."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = measured_server(f"{folder}/store")
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        submitters = [Submitter(stub, rng) for _ in range(PARALLEL)]
        warm = await sample(1.0, submitters)
        size, reply = (int(statistics.mean(x)) for x in (warm.bytes_in, warm.bytes_out))
        base = echo(f"{folder}/echo", reply, 1500, 500)
        plain = base.channel()
        kinds: dict[str, tuple[Server, Sequence[Client]]] = {
            "echo + script": (base, [Caller(plain, size) for _ in range(PARALLEL)]),
            "SubmitAnswers": (server, submitters),
            "Play": (server, [Player(stub, rng) for _ in range(PARALLEL)]),
        }
        loads: dict[tuple[str, int], list[Load]] = {}
        for _ in range(rounds):
            for parallel in (PARALLEL, 1):
                for name, (process, clients) in kinds.items():
                    before = process.cpu_seconds()
                    load = await sample(seconds, clients[:parallel])
                    load.cpu = process.cpu_seconds() - before
                    loads.setdefault((name, parallel), []).append(load)
        await plain.close()
        await channel.close()
        base.stop()
        server.stop()
    found = {f"{name}, {n}": rate(taken) for (name, n), taken in loads.items()}
    for (name, n), taken in loads.items():
        calls = sum(len(load.times) for load in taken)
        found[f"{name}, {n}"]["cpu_us"] = sum(load.cpu for load in taken) / calls * 1e6
    best = {name: found[f"{name}, {PARALLEL}"]["per_second"] for name in kinds}
    return {
        "rates": found,
        "request_bytes": size,
        "reply_bytes": reply,
        "submit": best["SubmitAnswers"] / best["echo + script"],
        "play": best["Play"] / best["SubmitAnswers"],
    }


async def watchers() -> dict[str, float]:
    """Return the server's CPU per command with and without watchers, and memory per watcher."""
    rng = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        server = measured_server(f"{folder}/store")
        channel = server.channel()
        stub: Any = match_service_pb2_grpc.MatchServiceStub(channel)
        await sample(1.0, [Submitter(stub, rng) for _ in range(4)])
        costs: dict[int, list[float]] = {0: [], 1: [], WATCHERS: []}
        lags: list[float] = []
        for _ in range(TURNS):
            for number, of_number in costs.items():
                cost, lag = await _command_cost(server, stub, number, rng)
                of_number.append(cost)
                if number == WATCHERS:
                    lags.append(lag)
        bare, one, watched = (statistics.median(of_number) for of_number in costs.values())
        before = server.memory_kb()
        seats = [await open_match(stub) for _ in range(100)]
        open_now = [
            stub.WatchMatch(pb.WatchMatchRequest(match_id=seats[i % 100].id)) for i in range(IDLE)
        ]
        await asyncio.gather(*[stream.read() for stream in open_now])
        await asyncio.sleep(0.5)
        after = server.memory_kb()
        for stream in open_now:
            stream.cancel()
        await channel.close()
        server.stop()
    return {
        "command_us": bare * 1e6,
        "first_us": (one - bare) * 1e6,
        "watcher_us": (watched - one) / (WATCHERS - 1) * 1e6,
        "delivery_ms": statistics.median(lags) * 1e3,
        "idle_kb": (after - before) / IDLE,
    }


async def _command_cost(
    server: Server, stub: Any, number: int, rng: random.Random
) -> tuple[float, float]:
    """Return CPU seconds per command of one match with *number* watchers, and the delivery time."""
    seat = await open_match(stub)
    request = pb.WatchMatchRequest(match_id=seat.id, with_view=True)
    streams = [stub.WatchMatch(request) for _ in range(number)]
    await asyncio.gather(*[stream.read() for stream in streams])
    get = pb.GetMatchRequest(match_id=seat.id, with_options=True)
    decision = (await stub.GetMatch(get, metadata=seat.metadata)).decisions[0]
    commands, revision, started, lags = 0, 0, server.cpu_seconds(), []
    while commands < 60 and decision.options:
        answer = pb.DecisionAnswer(option=rng.randrange(len(decision.options)))
        sent = time.perf_counter()
        done = await stub.SubmitAnswers(
            pb.SubmitAnswersRequest(
                match_id=seat.id,
                decision_id=decision.id,
                request_id=str(commands),
                answers=[answer],
                with_options=True,
            ),
            metadata=seat.metadata,
        )
        if done.revision > revision:  # a step of an answer is sent to nobody else
            await asyncio.gather(*[stream.read() for stream in streams])
            lags.append(time.perf_counter() - sent)
        revision = done.revision
        commands += 1
        decision = done.decision
        if done.status == match_pb2.MATCH_STATUS_PLAYING and not decision.options:
            decision = (await stub.GetMatch(get, metadata=seat.metadata)).decisions[0]
    spent = server.cpu_seconds() - started
    for stream in streams:
        stream.cancel()
    return spent / commands, statistics.median(lags)


TEXT = f"""\
Yggdrasil with two gods, random options, requests of {{request_bytes}} and answers of
{{reply_bytes}} bytes, one server process on the embedded store (fsync before each answer);
client and servers share the cores. The baseline is a bare grpc.aio echo of the same sizes that
runs the commit script once per call. CPU is that of the server process (the baseline's, or ours)
for each call, without the store's.

{{table}}

Submit reaches {{submit:.2f}} of the baseline (goal {GOALS["submit"]}), Play {{play:.2f}} of Submit
(goal {GOALS["play"]}).

A command of a match that nobody watches costs the server {{command_us:.0f}} µs of CPU, the first
watcher with a view {{first_us:.0f}} µs more, each of {WATCHERS - 1} others {{watcher_us:.0f}} µs
(goal: at most {GOALS["watcher_us"]:.0f}); the last of them has it {{delivery_ms:.0f}} ms after it
was sent. An idle watcher takes {{idle_kb:.1f}} KB (goal: at most {GOALS["idle_kb"]:.0f})."""


def main(rounds: int = 12, seconds: float = 1.0) -> bool:
    """Measure, write the section, print it; return whether every goal was reached."""
    found = uvloop.run(rates(rounds, seconds))
    looking = uvloop.run(watchers())
    rows = [
        [name, *(figure(r[key]) for key in ("per_second", "p50", "p99", "cpu_us"))]
        for name, r in found["rates"].items()
    ]
    head = ["calls, matches in parallel", "per second", "p50, ms", "p99, ms", "CPU, µs"]
    text = TEXT.format(table=table(head, rows), **found, **looking)
    print(f"\n{text}\n", flush=True)
    write_section("bench:service", "Service", "make bench", text)
    return (
        found["submit"] >= GOALS["submit"]
        and found["play"] >= GOALS["play"]
        and looking["watcher_us"] <= GOALS["watcher_us"]
        and looking["idle_kb"] <= GOALS["idle_kb"]
    )


if __name__ == "__main__":
    sys.exit(not main())
