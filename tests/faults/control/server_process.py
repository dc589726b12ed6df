"""A server: one ``taflhall-server`` process on a fixed port."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from taflhall_client.ports import HOST, free_port
from tests.faults.control.children import Child, Children
from tests.faults.control.shims import preloading
from tests.faults.control.wall_clock import WallClock
from tests.stopwatch import Stopwatch

UP_SECONDS: Final = 120.0

CHANNEL: Final = [
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
]
"""A channel that finds a restarted server soon and repeats nothing by itself."""


class ServerProcess:
    """One server; *rig* says under which conditions or with which planted fault it runs."""

    def __init__(
        self,
        children: Children,
        name: str,
        store: str,
        folder: Path,
        rig: dict[str, Any],
        flags: dict[str, Any],
        clock: WallClock | None = None,
    ) -> None:
        self.name: Final = name
        self.port: Final = free_port()
        self.metrics: Final = free_port()
        self.log: Final = folder / f"{name}.log"
        self.store: Final = store
        self.rig = rig
        self.flags = flags
        self.clock: Final = clock
        self.child: Child | None = None
        self.kills = 0
        self._children = children

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def launch(self) -> None:
        """Start the process; it may take a moment to listen."""
        flags = {
            "listen": self.address,
            "store": self.store,
            "metrics": self.metrics,
            "heartbeat": 0.5,
            "log-level": "debug",
            **self.flags,
        }
        argv = [part for name, value in flags.items() for part in (f"--{name}", str(value))]
        env = {"TAFLHALL_RIG": json.dumps(self.rig)}
        if self.clock is None:
            self.child = self._children.run("tests.faults.server:main", argv, self.log, env)
        else:  # a library is preloaded only into a program that starts
            program = [sys.executable, "-m", "tests.faults.server", *argv]
            self.child = self._children.execute(program, self.log, env | preloading(self.clock))

    async def start(self) -> None:
        """Start the process and return when it serves."""
        self.launch()
        await self.serving()

    async def serving(self) -> None:
        """Return when health says ``ready``; raise ``RuntimeError`` if that does not come."""
        end = time.monotonic() + UP_SECONDS
        while time.monotonic() < end:
            if await self.health() == health_pb2.HealthCheckResponse.SERVING:
                return
            if self.child is None or await self.child.ended(0):
                break
            await asyncio.sleep(0.02)
        raise RuntimeError(f"the server {self.name} does not start: {self.tail()}")

    async def health(self, service: str = "ready") -> int | None:
        """Return what health says; ``None`` if nobody answers."""
        async with grpc.aio.insecure_channel(self.address, CHANNEL) as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            with suppress(grpc.aio.AioRpcError):
                request = health_pb2.HealthCheckRequest(service=service)
                return int((await stub.Check(request, timeout=2)).status)
        return None

    async def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        if self.child is not None:
            await self.child.kill()
            self.kills += 1

    async def drain(self, seconds: float) -> float | None:
        """Ask the process to go and return after how many seconds it was gone.

        Those in which the machine had no processor for it do not count. ``None`` if it was not
        gone within *seconds* that count.
        """
        assert self.child is not None
        watch = Stopwatch(self.child.pid)
        self.child.signal(signal.SIGTERM)
        while not await self.child.ended(0.05):
            if watch.seconds > seconds:
                return None
        return watch.seconds

    def tail(self) -> str:
        """Return the end of its log."""
        with suppress(OSError):
            return self.log.read_text("utf-8", "replace")[-1500:]
        return "no log"
