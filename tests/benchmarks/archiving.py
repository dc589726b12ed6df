"""What a match costs a server to archive, as a part of what it cost to play.

A server process on the embedded store plays matches of Yggdrasil, by calls and by streams in turns.
It is started again with an archive, and archives those that are over. The CPU is that of the server
process, without the store's.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from taflhall.v1 import match_service_pb2_grpc
from taflhall_client.ports import free_port
from tests.benchmarks.report import figure, table, write_section
from tests.benchmarks.service import Client, Player, Server, Submitter, sample

PARALLEL: Final = 64
TURNS: Final = 3
SECONDS: Final = 3.0
IDLE_SECONDS: Final = 10.0
"""The archiver begins later than that after the start."""

SILENCE_SECONDS: Final = 8.0
"""If nothing comes for so long, everything is in the archive."""

GOAL: Final = 1 / 3


def started(folder: str, *flags: str) -> Server:
    """Start a server on the store in *folder*."""
    command = [sys.executable, "-m", "taflhall_service.main", "--listen", "127.0.0.1:0"]
    command += ["--store", f"embedded:{folder}/store", "--log-level=error", "--no-self-check"]
    return Server([*command, *flags])


def commands_at(port: int) -> float:
    """Return how many commands a server has applied, by its metrics."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as page:
        families = text_string_to_metric_families(page.read().decode())
    return sum(s.value for f in families for s in f.samples if s.name == "taflhall_commands_total")


async def played(folder: str) -> dict[str, float]:
    """Play matches; return by kind of player the seconds of CPU that a command took."""
    rng, port = random.Random(1), free_port()
    server = started(folder, "--metrics", str(port))
    async with server.channel() as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        kinds: dict[str, list[Client]] = {
            "calls": [Submitter(stub, rng) for _ in range(PARALLEL)],
            "Play": [Player(stub, rng) for _ in range(PARALLEL)],
        }
        found: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(TURNS):
            for kind, clients in kinds.items():
                cpu, commands = server.cpu_seconds(), commands_at(port)
                await sample(SECONDS, clients)
                spent = server.cpu_seconds() - cpu
                found[kind].append(spent / (commands_at(port) - commands))
    server.stop()
    return {kind: median(costs) for kind, costs in found.items()}


def archived(folder: str) -> tuple[int, float]:
    """Archive what is over; return the number of its commands, and the CPU seconds for each."""
    archive = Path(folder, "archive")
    server = started(folder, "--archive", str(archive))
    began = server.cpu_seconds()
    time.sleep(IDLE_SECONDS)
    idle = (server.cpu_seconds() - began) / IDLE_SECONDS
    begins = server.cpu_seconds()
    number, silent, seconds, spent = 0, 0.0, 0.0, 0.0
    while not number or silent < SILENCE_SECONDS:
        time.sleep(0.5)
        seconds, silent = seconds + 0.5, silent + 0.5
        if (files := len(list(archive.rglob("*.json")))) > number:
            number, silent = files, 0.0
            spent = server.cpu_seconds() - begins - idle * seconds
    server.stop()
    records = [json.loads(file.read_text("utf-8")) for file in archive.rglob("*.json")]
    commands = sum(len(record["commands"]) for record in records)
    return commands, spent / commands


def main() -> bool:
    """Measure, print and write down; return whether to archive costs less than a third."""
    with tempfile.TemporaryDirectory() as folder:
        costs = asyncio.run(played(folder))
        commands, each = archived(folder)
    rows = [[f"archived ({commands:,} commands)", figure(each * 1e6), ""]]
    for kind, cost in costs.items():
        rows.append([f"played by {kind}", figure(cost * 1e6), figure(each / cost)])
    text = table(["Yggdrasil, two gods, engine as plain Python", "CPU a command, µs", "part"], rows)
    text += "\n\nGoal: the part that the archive takes is less than a third. The load average was\n"
    text += f"{os.getloadavg()[0]:.1f} at the end; under load all three cost more.\n"
    print(text)
    command = "python -m tests.benchmarks --only archive"
    write_section("archive", "To archive and to play", command, text)
    return all(each < GOAL * cost for cost in costs.values())
