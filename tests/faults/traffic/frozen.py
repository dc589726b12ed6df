"""A client that opens watches, is frozen (SIGSTOP), and never reads or says goodbye."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

import grpc

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.match_service_pb2_grpc import MatchServiceStub
from tests.faults.control.children import Child
from tests.faults.control.server_process import ServerProcess

SECONDS = 120.0


async def frozen_client(run: Any, server: ServerProcess, match_id: str, streams: int) -> Child:
    """Start such a client, and freeze it when each of its streams has had one message."""
    log = run.rig.folder / "frozen.log"
    place = f"{hang.__module__}:{hang.__name__}"
    argv = [server.address, match_id, str(streams)]
    client: Child = run.rig.children.run(place, argv, log, {})
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if log.exists() and f'"streams": {streams}' in log.read_text("utf-8"):
            client.freeze()
            return client
        await asyncio.sleep(0.02)
    raise TimeoutError("the client that is to be frozen does not get its streams")


def hang() -> None:
    """Open some watches and keep them; the rig freezes this process."""
    asyncio.run(_hang(sys.argv[1], sys.argv[2], int(sys.argv[3])))


async def _hang(address: str, match_id: str, streams: int) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        stub: Any = MatchServiceStub(channel)
        calls = [
            stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id, with_view=True))
            for _ in range(streams)
        ]
        for call in calls:
            await call.read()
        os.write(1, json.dumps({"streams": len(calls)}).encode() + b"\n")
        await asyncio.sleep(600)
