"""Watchers that do not read (G10): a server's memory stays bounded, and others wait for nobody.

A queue for each watcher would grow with every command. Here a frozen client holds many watches
of one match while it is played to its end; the server may grow by what the transport buffers.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from tests.faults.control.rig import Rig
from tests.faults.scenarios.storm import Storm
from tests.faults.scenarios.verdict import Verdict
from tests.faults.traffic.calls import Caller
from tests.faults.traffic.frozen import frozen_client
from tests.faults.traffic.watchers import SPECTATOR, Watcher

PER_WATCHER = 64 * 1024
BASE = 20 * 1024 * 1024
SECONDS = 10.0


async def slow(streams: int = 300, *, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Play a match with *streams* frozen watches and a healthy one."""
    verdict = Verdict()
    async with Rig(1, rig=rig, flags={"heartbeat": 15}) as on:
        run = Storm(on, seed, watchers=0, longest=1)
        (player,) = await run.crowd._open(1, 1)
        server, seat = on.servers[0], player.seat
        caller = Caller(run.history, run.stubs, "healthy")
        healthy = Watcher(caller, seat.match_id, SPECTATOR, "", True)
        healthy.stays = True
        watching = asyncio.create_task(healthy.watch())
        await frozen_client(run, server, seat.match_id, streams)
        assert server.child is not None
        before = memory_of(server.child.pid)
        await player.play(asyncio.Event())
        ended = time.monotonic()
        try:
            async with asyncio.timeout(SECONDS):
                await watching
        except TimeoutError:
            verdict.blame("G10 nobody waits for the slow", f"a reader is at {healthy.revision}")
        late = time.monotonic() - ended
        grown = memory_of(server.child.pid) - before
        await run.stubs.close()
    verdict.figures["watches of frozen clients"] = streams
    verdict.figures["commands past frozen clients"] = healthy.revision
    verdict.figures["KB grown for each frozen watch"] = max(0, grown) // 1024 // streams
    verdict.figures["ms a reader was late next to frozen ones"] = int(late * 1000)
    if grown > PER_WATCHER * streams + BASE:
        verdict.blame("G10 bounded memory", f"{streams} frozen watches cost {grown >> 20} MB")
    return verdict


def memory_of(pid: int) -> int:
    """Return the bytes that a process keeps in memory."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0
