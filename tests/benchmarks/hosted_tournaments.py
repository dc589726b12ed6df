"""Hosted tournaments against the service's own rate: commands per CPU-second of the server.

``python -m tests.benchmarks.hosted_tournaments``. One server on the embedded store at its default
durability. Its own rate is that of matches over one raw PlayAll stream; then random bots of the
Python SDK play as many matches of a tournament at once over their PlayAll streams.
"""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from typing import Any, Final

import uvloop

from taflhall.v1 import match_service_pb2_grpc
from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_client.clocks import TimeControl
from taflhall_client.results import MatchInfo
from taflhall_engine import registry
from tests.benchmarks import service
from tests.benchmarks.cpu import MATCHES, Juggler
from tests.benchmarks.report import figure, table, write_section

BOTS: Final = 8
GOAL: Final = 0.8
ROUNDS: Final = 4
SECONDS: Final = 5.0


class Counting(Random):
    """A random bot that counts its answers, with all others."""

    answered = 0

    def choose(self, view: Any, decision: Any) -> Any:
        Counting.answered += 1
        return super().choose(view, decision)


def key_of(store: str, name: str, role: str) -> str:
    """Open an account in the store, and return a key of it."""
    command = [sys.executable, "-m", "taflhall_service.main", "admin", "create-account", name]
    made = subprocess.run(
        [*command, "--role", role, "--store", store], capture_output=True, text=True, check=True
    )
    (key,) = re.findall(r"tfk_\S+", made.stdout)
    return str(key)


async def serve(client: Client) -> None:
    """Play at random whatever the client's account sits at."""

    def make(match: MatchInfo) -> Counting:
        return Counting(registry.game(match.game))

    async for _ in client.play_all(make, in_thread=False):
        pass


async def measure(rounds: int, seconds: float) -> dict[str, list[float]]:
    """Return commands, CPU seconds and seconds of each way to play."""
    found = {"own": [0.0, 0.0, 0.0], "tournament": [0.0, 0.0, 0.0]}
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        host_key = key_of(f"embedded:{store}", "Host", "host")
        keys = [key_of(f"embedded:{store}", f"Robo {n}", "bot") for n in range(BOTS)]
        server = service.measured_server(store)
        address = f"127.0.0.1:{server.port}"
        channel = server.channel()
        juggler = Juggler(match_service_pb2_grpc.MatchServiceStub(channel), random.Random(1))
        host = Client(address, key=host_key)
        bots = [Client(address, key=key) for key in keys]
        for _ in range(rounds):
            await juggler.run(1.0)
            before, cpu, began = juggler.answered, server.cpu_seconds(), time.perf_counter()
            await juggler.run(seconds)
            _add(found["own"], juggler.answered - before, server.cpu_seconds() - cpu, began)
            made = await host.tournaments.create(
                "yggdrasil",
                "Cup",
                {"seats": 2},
                time_control=TimeControl(600.0),
                rounds=100,
                matches_at_once=min(16, MATCHES // BOTS),
            )
            for bot in bots:
                await bot.tournaments.enter(made.id)
            playing = [asyncio.create_task(serve(bot)) for bot in bots]
            await host.tournaments.start(made.id)
            await asyncio.sleep(2.0)
            answered, cpu, began = Counting.answered, server.cpu_seconds(), time.perf_counter()
            await asyncio.sleep(seconds)
            commands = Counting.answered - answered
            _add(found["tournament"], commands, server.cpu_seconds() - cpu, began)
            await host.tournaments.cancel(made.id)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        for client in (host, *bots):
            await client.close()
        await channel.close()
        server.stop()
    return found


def _add(kind: list[float], commands: int, cpu: float, began: float) -> None:
    for at, value in enumerate((commands, cpu, time.perf_counter() - began)):
        kind[at] += value


def main(rounds: int = ROUNDS, seconds: float = SECONDS) -> bool:
    """Measure, write the section, print it; return whether the goal was reached."""
    found = uvloop.run(measure(rounds, seconds))
    names = {"own": "1 raw stream of PlayAll", "tournament": f"a tournament of {BOTS} SDK bots"}
    rows = [
        [names[kind], figure(commands / passed), figure(commands / cpu)]
        for kind, (commands, cpu, passed) in found.items()
    ]
    per_cpu = {kind: commands / cpu for kind, (commands, cpu, _) in found.items()}
    ratio = per_cpu["tournament"] / per_cpu["own"]
    head = ["", "commands per second", "commands per CPU-second of the server"]
    text = (
        f"{MATCHES} matches of Yggdrasil with two gods at once, random options, one server process "
        f"on the embedded store (fsync before each answer); clients and server share the cores.\n\n"
        f"{table(head, rows)}\n\nThe tournament, which the server opens, seats and counts, reaches "
        f"{ratio:.2f} of the service's own rate (goal {GOAL})."
    )
    print(f"\n{text}\n", flush=True)
    command = "make bench ARGS='--only hosted-tournaments'"
    write_section("bench:hosted-tournaments", "Hosted tournaments", command, text)
    return ratio >= GOAL


if __name__ == "__main__":
    sys.exit(not main())
