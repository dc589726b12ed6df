"""One match that thousands watch, with view, on several servers over one store.

Each server reads a change from the store once, whatever the number of its watchers: the store's own
statistics say how often the match's log was read.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, Final

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc
from tests.benchmarks.growth import answered, begun
from tests.benchmarks.report import figure, table, write_section
from tests.benchmarks.service import cpu_seconds
from tests.service.processes import Process
from tests.store.servers import SAFE, Valkey

REPLICAS: Final = 4
WATCHERS: Final = 5_000
COMMANDS: Final = 40
STREAMS_OF_A_CHANNEL: Final = 100


class Crowd:
    """Watchers of a match, and when the last of them has had each revision."""

    def __init__(self, match_id: str, servers: list[Process]) -> None:
        self._request = pb.WatchMatchRequest(match_id=match_id, with_view=True)
        self._servers = servers
        self._channels: list[grpc.aio.Channel] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._behind: dict[int, int] = {}
        """How many watchers have yet to get a revision."""
        self._had = asyncio.Condition()

    async def come(self, number: int) -> None:
        """Let *number* watchers open their streams, spread over the servers."""
        share = number // len(self._servers)
        for server in self._servers:
            for first in range(0, share, STREAMS_OF_A_CHANNEL):
                channel = server.channel()
                self._channels.append(channel)
                method = match_service_pb2_grpc.MatchServiceStub(channel).WatchMatch
                for _ in range(min(STREAMS_OF_A_CHANNEL, share - first)):
                    stream = method(self._request)
                    await stream.read()
                    self._tasks.append(asyncio.create_task(self._watch(stream)))

    async def _watch(self, stream: Any) -> None:
        while (message := await stream.read()) is not grpc.aio.EOF:
            if message.HasField("change"):
                await self._note(message.revision)

    async def _note(self, revision: int) -> None:
        async with self._had:
            self._behind[revision] = self._behind.get(revision, len(self._tasks)) - 1
            if not self._behind[revision]:
                self._had.notify_all()

    async def has(self, revision: int) -> None:
        """Wait until everybody has *revision*."""
        async with self._had:
            await self._had.wait_for(lambda: self._behind.get(revision) == 0)

    async def leave(self) -> None:
        """Close all streams."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*[channel.close() for channel in self._channels])


async def measure(store: Valkey, servers: list[Process]) -> list[list[str]]:
    """Return rows: what was measured, and how much."""

    def reads() -> int:
        """Return how often a part of a log was read; scripts read none."""
        found: dict[str, Any] = store.client().info("commandstats").get("cmdstat_xrange", {})
        return int(found.get("calls", 0))

    async with servers[0].channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        match_id, proof = await begun(stub, "yggdrasil", 2)
        crowd = Crowd(match_id, servers)
        await crowd.come(WATCHERS)
        before, took = reads(), []
        spent = [cpu_seconds(server.child.pid) for server in servers]
        for _ in range(COMMANDS):
            began = time.perf_counter()
            await crowd.has(await answered(stub, match_id, proof))
            took.append(time.perf_counter() - began)
        cpu = sum(cpu_seconds(server.child.pid) for server in servers) - sum(spent)
        read = reads() - before
        await crowd.leave()
    return [
        ["commands", f"{COMMANDS}"],
        ["reads of the match's log, all servers", f"{read:,}"],
        ["reads a command, of each server that did not commit it", figure(read / COMMANDS / 3)],
        ["the last watcher has a command after (median, ms)", figure(median(took) * 1000)],
        ["servers' CPU for each watcher and command (µs)", figure(cpu / COMMANDS / WATCHERS * 1e6)],
    ]


def main() -> bool:
    """Measure, print and write down; return whether no server read a command twice."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        store = Valkey(Path(folder), *SAFE)
        stack.callback(store.kill)
        servers = []
        for _ in range(REPLICAS):
            servers.append(Process("--store", store.address, "--no-self-check"))
            stack.callback(servers[-1].end)
        rows = asyncio.run(measure(store, servers))
    text = table([f"{WATCHERS:,} watchers with view on {REPLICAS} servers", ""], rows)
    print(text)
    write_section("crowd", "A crowd", "python -m tests.benchmarks --only crowd", text)
    return int(rows[1][1].replace(",", "")) <= COMMANDS * (REPLICAS - 1)
