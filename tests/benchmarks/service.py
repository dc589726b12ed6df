"""The service's speed beside a bare echo that runs the commit script, in one run.

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
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import uvloop

from taflhall.v1 import match_pb2, match_service_pb2_grpc, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.benchmarks.report import figure, table, write_section

PARALLEL = 64
WATCHERS = 200
IDLE = 1000
GOALS = {"submit": 0.5, "play": 1.5, "idle_kb": 60.0}

Rate = dict[str, float]
_OPTIONS = (("grpc.max_receive_message_length", -1),)


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
        user, system = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def memory_kb(self) -> float:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    def stop(self) -> None:
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.terminate()
        self._child.wait(20)


def hall(folder: str) -> Server:
    arguments = ["--store", f"embedded:{folder}", "--listen", "127.0.0.1:0", "--log-level=error"]
    return Server([sys.executable, "-m", "taflhall_service.main", *arguments])


def echo(folder: str, reply: int, snapshot: int, entry: int) -> Server:
    sizes = map(str, (reply, snapshot, entry))
    return Server([sys.executable, "-m", "tests.benchmarks.echo", folder, *sizes])


# ---------------------------------------------------------------- clients


class Seat:
    """A match and the secret of the one person who plays all of its gods."""

    def __init__(self, match_id: str, secret: str) -> None:
        self.id = match_id
        self.metadata = (("authorization", f"Bearer {secret}"),)


async def open_match(stub: Any) -> Seat:
    setup = table_pb2.Setup()
    setup.yggdrasil.seats = 2
    created = await stub.Create(pb.CreateRequest(setup=setup, start_when_full=True))
    match_id = created.match.match_id
    request = pb.JoinRequest(match_id=match_id, seats=[0, 1], name="Ann")
    return Seat(match_id, (await stub.Join(request)).seat_secret)


class Load:
    """Counts calls and times them until the sample is over."""

    def __init__(self, seconds: float) -> None:
        self.until = time.perf_counter() + seconds
        self.times: list[float] = []
        self.bytes_in: list[int] = []
        self.bytes_out: list[int] = []

    @property
    def running(self) -> bool:
        return time.perf_counter() < self.until


async def submit(stub: Any, load: Load, luck: random.Random) -> None:
    """Play matches by unary calls."""
    names = count()
    while load.running:
        seat = await open_match(stub)
        get = pb.GetRequest(match_id=seat.id, with_options=True)
        decision = (await stub.Get(get, metadata=seat.metadata)).decisions[0]
        while load.running:
            request = pb.SubmitRequest(
                match_id=seat.id,
                decision_id=decision.decision_id,
                request_id=f"{next(names)}",
                answers=[pb.Answer(option=luck.randrange(len(decision.options)))],
                with_options=True,
            )
            started = time.perf_counter()
            answer = await stub.Submit(request, metadata=seat.metadata)
            load.times.append(time.perf_counter() - started)
            if len(load.bytes_in) < 500:
                load.bytes_in.append(request.ByteSize())
                load.bytes_out.append(answer.ByteSize())
            if answer.status == match_pb2.MATCH_STATUS_FINISHED:
                break
            decision = answer.decision
            if not decision.options:
                get = pb.GetRequest(match_id=seat.id, with_options=True)
                pending = (await stub.Get(get, metadata=seat.metadata)).decisions
                decision = next(d for d in pending if d.options)


async def play(stub: Any, load: Load, luck: random.Random) -> None:
    """Play matches by streams."""
    while load.running:
        seat = await open_match(stub)
        stream = stub.Play(metadata=seat.metadata)
        await stream.write(pb.PlayRequest(enter=pb.Enter(match_id=seat.id)))
        said = await stream.read()
        while load.running and said.HasField("prompt"):
            decision = said.prompt.decision
            answer = pb.Answer(option=luck.randrange(len(decision.options)))
            request = pb.PlayAnswer(decision_id=decision.decision_id, answers=[answer])
            started = time.perf_counter()
            await stream.write(pb.PlayRequest(answer=request))
            said = await stream.read()
            load.times.append(time.perf_counter() - started)
        stream.cancel()


async def call_echo(channel: grpc.aio.Channel, load: Load, size: int) -> None:
    """Call the baseline."""
    method: Any = channel.unary_unary("/bench.Echo/Echo", None, None)
    request = f"{random.getrandbits(32):08x}".encode().ljust(size, b".")
    metadata = (("authorization", f"Bearer {'x' * 43}"),)
    while load.running:
        started = time.perf_counter()
        await method(request, metadata=metadata)
        load.times.append(time.perf_counter() - started)


async def sample(seconds: float, parallel: int, client: Callable[[Load], Awaitable[None]]) -> Load:
    load = Load(seconds)
    started = time.perf_counter()
    await asyncio.gather(*[client(load) for _ in range(parallel)])
    load.until = time.perf_counter() - started
    return load


def rate(load: Load) -> Rate:
    """Return the calls per second and the latencies in ms of a finished sample."""
    times = sorted(load.times)
    return {
        "per_second": len(times) / load.until,
        "p50": times[len(times) // 2] * 1e3,
        "p99": times[len(times) * 99 // 100] * 1e3,
    }


# ---------------------------------------------------------------- measurements


async def rates(rounds: int, seconds: float) -> dict[str, Any]:
    """Return calls per second and latencies of baseline, unary calls and play."""
    luck = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = hall(f"{folder}/hall")
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        warm = await sample(seconds / 2, PARALLEL, lambda load: submit(stub, load, luck))
        size, reply = (int(statistics.mean(x)) for x in (warm.bytes_in, warm.bytes_out))
        base = echo(f"{folder}/echo", reply, 1500, 500)
        plain = base.channel()
        found: dict[str, list[Rate]] = {}
        kinds: dict[str, Callable[[Load], Awaitable[None]]] = {
            "echo + script": lambda load: call_echo(plain, load, size),
            "Submit": lambda load: submit(stub, load, luck),
            "Play": lambda load: play(stub, load, luck),
        }
        for _ in range(rounds):
            for parallel in (PARALLEL, 1):
                for name, client in kinds.items():
                    load = await sample(seconds if parallel > 1 else 1.0, parallel, client)
                    found.setdefault(f"{name}, {parallel}", []).append(rate(load))
        await plain.close()
        await channel.close()
        base.stop()
        server.stop()
    medians = {
        name: {key: statistics.median(r[key] for r in found_rates) for key in found_rates[0]}
        for name, found_rates in found.items()
    }
    shares = [
        (a["per_second"] / e["per_second"], p["per_second"] / a["per_second"])
        for e, a, p in zip(*[found[f"{name}, {PARALLEL}"] for name in kinds], strict=True)
    ]
    return {
        "rates": medians,
        "request_bytes": size,
        "reply_bytes": reply,
        "submit": statistics.median(share for share, _ in shares),
        "play": statistics.median(share for _, share in shares),
    }


async def watchers() -> dict[str, float]:
    """Return the server's CPU per command with and without watchers, and memory per watcher."""
    luck = random.Random(2)
    with tempfile.TemporaryDirectory() as folder:
        server = hall(f"{folder}/hall")
        channel = server.channel()
        stub: Any = match_service_pb2_grpc.MatchServiceStub(channel)
        await sample(1.0, 4, lambda load: submit(stub, load, luck))
        bare, _ = await _command_cost(server, stub, 0, luck)
        watched, lag = await _command_cost(server, stub, WATCHERS, luck)
        before = server.memory_kb()
        seats = [await open_match(stub) for _ in range(100)]
        open_now = [stub.Watch(pb.WatchRequest(match_id=seats[i % 100].id)) for i in range(IDLE)]
        await asyncio.gather(*[stream.read() for stream in open_now])
        await asyncio.sleep(0.5)
        after = server.memory_kb()
        for stream in open_now:
            stream.cancel()
        await channel.close()
        server.stop()
    return {
        "command_us": bare * 1e6,
        "watcher_us": (watched - bare) / WATCHERS * 1e6,
        "delivery_ms": lag * 1e3,
        "idle_kb": (after - before) / IDLE,
    }


async def _command_cost(
    server: Server, stub: Any, number: int, luck: random.Random
) -> tuple[float, float]:
    """Return CPU seconds per command of one match with *number* watchers, and the delivery time."""
    seat = await open_match(stub)
    request = pb.WatchRequest(match_id=seat.id, with_view=True)
    streams = [stub.Watch(request) for _ in range(number)]
    await asyncio.gather(*[stream.read() for stream in streams])
    get = pb.GetRequest(match_id=seat.id, with_options=True)
    decision = (await stub.Get(get, metadata=seat.metadata)).decisions[0]
    commands, started, lags = 0, server.cpu_seconds(), []
    while commands < 60 and decision.options:
        answer = pb.Answer(option=luck.randrange(len(decision.options)))
        sent = time.perf_counter()
        done = await stub.Submit(
            pb.SubmitRequest(
                match_id=seat.id,
                decision_id=decision.decision_id,
                request_id=str(commands),
                answers=[answer],
                with_options=True,
            ),
            metadata=seat.metadata,
        )
        await asyncio.gather(*[stream.read() for stream in streams])
        lags.append(time.perf_counter() - sent)
        commands += 1
        decision = done.decision
        if done.status == match_pb2.MATCH_STATUS_PLAYING and not decision.options:
            decision = (await stub.Get(get, metadata=seat.metadata)).decisions[0]
    spent = server.cpu_seconds() - started
    for stream in streams:
        stream.cancel()
    return spent / commands, statistics.median(lags)


TEXT = f"""\
Yggdrasil with two gods, random options, requests of {{request_bytes}} and answers of
{{reply_bytes}} bytes, one server process on the embedded store (fsync before each answer);
client and servers share the cores. The baseline is a bare grpc.aio echo of the same sizes that
runs the commit script once per call.

{{table}}

Submit reaches {{submit:.2f}} of the baseline (goal {GOALS["submit"]}), Play {{play:.2f}} of Submit
(goal {GOALS["play"]}).

A command of a match that nobody watches costs the server {{command_us:.0f}} µs of CPU, each of
{WATCHERS} watchers with a view {{watcher_us:.0f}} µs more; the last of them has it
{{delivery_ms:.0f}} ms after it was sent. An idle watcher takes {{idle_kb:.1f}} KB (goal: at most
{GOALS["idle_kb"]:.0f})."""


def main(rounds: int = 5, seconds: float = 3.0) -> bool:
    """Measure, write the section, print it; return whether every goal was reached."""
    found = uvloop.run(rates(rounds, seconds))
    looking = uvloop.run(watchers())
    rows = [
        [name, figure(r["per_second"]), figure(r["p50"]), figure(r["p99"])]
        for name, r in found["rates"].items()
    ]
    head = ["calls, matches in parallel", "per second", "p50, ms", "p99, ms"]
    text = TEXT.format(table=table(head, rows), **found, **looking)
    print(f"\n{text}\n", flush=True)
    write_section("bench:service", "Service", "make bench", text)
    return (
        found["submit"] >= GOALS["submit"]
        and found["play"] >= GOALS["play"]
        and looking["idle_kb"] <= GOALS["idle_kb"]
    )


if __name__ == "__main__":
    sys.exit(not main())
