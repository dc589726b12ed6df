"""What a call costs the server before any code of ours runs: grpc.aio and the store's client.

The baseline that the benchmark of the service is compared with calls redis-py once per call. Here
the same server process also answers without the store, through our own batcher, and over streams,
in turns. The service could cost no less, even if its own code cost nothing.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from typing import Any

import uvloop

from tests.benchmarks import service
from tests.benchmarks.report import figure, table, write_section

PARALLEL = 64
FOLLOWERS = 200
REQUEST, REPLY, SNAPSHOT, ENTRY = 53, 292, 1500, 500
"""Bytes, as the benchmark of the service counts them."""
ROUNDS = 7
SECONDS = 1.0
UNARY = {
    "echo + script": "Echo",
    "unary call": "Bare",
    "unary call + script by our batcher": "Batched",
}
STREAMS = {
    "message of a stream": "BareStream",
    "message of a stream + script by our batcher": "BatchedStream",
}
FOLLOWER = "message to a follower"
BASELINE = "echo + script"


class Talker:
    """Sends one message after the other over a stream and waits for each answer."""

    def __init__(self, channel: Any, method: str) -> None:
        self._method = channel.stream_stream(f"/bench.Echo/{method}", None, None)
        self._request = f"{random.getrandbits(32):08x}".encode().ljust(REQUEST, b".")
        self._stream: Any = None

    async def ready(self) -> None:
        if self._stream is None:
            self._stream = self._method()

    async def call(self, load: service.Load) -> None:
        started = time.perf_counter()
        await self._stream.write(self._request)
        await self._stream.read()
        load.times.append(time.perf_counter() - started)


async def cost_of_calls(
    server: service.Server, clients: list[service.Client], seconds: float
) -> float:
    """Return the CPU seconds that the server takes for each call of *clients*."""
    before = server.cpu_seconds()
    load = await service.sample(seconds, clients)
    return (server.cpu_seconds() - before) / len(load.times)


async def cost_of_followers(server: service.Server, channel: Any, seconds: float) -> float:
    """Return the CPU seconds for each message to each of many followers."""
    follow = channel.unary_stream("/bench.Echo/Follow", None, None)
    wake = channel.unary_unary("/bench.Echo/Wake", None, None)
    streams = [follow(b"") for _ in range(FOLLOWERS)]
    await asyncio.gather(*[stream.read() for stream in streams])
    before, until, wakes = server.cpu_seconds(), time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        await wake(b"")
        await asyncio.gather(*[stream.read() for stream in streams])
        wakes += 1
    spent = server.cpu_seconds() - before
    for stream in streams:
        stream.cancel()
    return spent / (wakes * FOLLOWERS)


async def measure(rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, float]:
    """Return the CPU seconds of each kind of call, the median of samples that took turns."""
    with tempfile.TemporaryDirectory() as folder:
        server = service.echo(folder, REPLY, SNAPSHOT, ENTRY)
        channel = server.channel()
        clients: dict[str, list[service.Client]] = {
            name: [service.Caller(channel, REQUEST, method) for _ in range(PARALLEL)]
            for name, method in UNARY.items()
        }
        for name, method in STREAMS.items():
            clients[name] = [Talker(channel, method) for _ in range(PARALLEL)]
        found: dict[str, list[float]] = {name: [] for name in (*clients, FOLLOWER)}
        for number in range(rounds + 1):
            costs = {
                name: await cost_of_calls(server, callers, seconds)
                for name, callers in clients.items()
            }
            costs[FOLLOWER] = await cost_of_followers(server, channel, seconds)
            if number:  # the first turn warms up
                for name, cost in costs.items():
                    found[name].append(cost)
        await channel.close()
        server.stop()
    return {name: statistics.median(costs) for name, costs in found.items()}


TEXT = f"""\
A server that runs no code of ours but the batcher of the store: {PARALLEL} callers at a time,
requests of {REQUEST} and answers of {REPLY} bytes, one server process on the embedded store. A
follower is one of {FOLLOWERS} streams that all get a message when somebody calls. The CPU is that
of the server process, without the store's. Medians of {{rounds}} samples of {{seconds:g}} s that
took turns.

{{table}}"""


def main(rounds: int = ROUNDS, seconds: float = SECONDS) -> bool:
    """Measure, write the section and print it; there is no goal to reach."""
    cost = uvloop.run(measure(rounds, seconds))
    rows = [
        [name, figure(spent * 1e6), f"{cost[BASELINE] / spent:.2f}"] for name, spent in cost.items()
    ]
    head = ["", "CPU for each, µs", "to the baseline"]
    text = TEXT.format(table=table(head, rows), rounds=rounds, seconds=seconds)
    print(f"\n{text}\n", flush=True)
    command = "make bench ARGS='--only floor'"
    write_section("bench:floor", "Before any code of ours runs", command, text)
    return True


if __name__ == "__main__":
    sys.exit(not main())
