"""Hosted tournaments against the service's own rate: commands per CPU-second of the server.

``python -m tests.benchmarks.hosted_tournaments``. One server on the embedded store at its default
durability. Its own rate is that of PlayAll streams with matches that their players open; then as
many streams play as many matches of a tournament.
"""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any, Final

import uvloop

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc, table_pb2
from taflhall_client.async_client import Client
from taflhall_client.clocks import TimeControl
from taflhall_client.setting_messages import time_control_to
from tests.benchmarks import service
from tests.benchmarks.report import figure, table, write_section

BOTS: Final = 8
AT_ONCE: Final = 8
"""Matches of each bot."""
CLOCK: Final = TimeControl(600.0)
GOAL: Final = 0.8
ROUNDS: Final = 4
SECONDS: Final = 5.0


class Stream:
    """Answers every prompt of one PlayAll stream at random, without views."""

    def __init__(self, stub: Any, rng: random.Random, key: str = "") -> None:
        self._stub = stub
        self._rng = rng
        self._metadata = (("authorization", f"Bearer {key}"),) if key else ()
        self._opening: set[asyncio.Task[service.Seat]] = set()
        self.answered = 0

    async def play(self, matches: int = 0) -> None:
        """Play *matches* of its own, each replaced at its end, or else those of its account."""
        stream = self._stub.PlayAll(metadata=self._metadata)
        opened = [await open_match(self._stub) for _ in range(matches)]
        seats = [seat_credential(seat) for seat in opened]
        await stream.write(pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=seats))
        while True:
            request = pb.PlayAllRequest()
            for update in (await stream.read()).updates:
                if update.play.HasField("prompt"):
                    decision = update.play.prompt.decision
                    answer = pb.PlayAnswer(decision_id=decision.id)
                    answer.answers.add(option=self._rng.randrange(len(decision.options)))
                    request.answers.add(match_id=update.match_id, answer=answer)
                elif update.play.HasField("end") and matches:
                    self._opening.add(asyncio.create_task(open_match(self._stub)))
            opened_now = {task for task in self._opening if task.done()}
            self._opening -= opened_now
            request.seats.extend(seat_credential(task.result()) for task in opened_now)
            if request.answers or request.seats:
                self.answered += len(request.answers)
                await stream.write(request)


async def open_match(stub: Any) -> service.Seat:
    """Open a match as those of the tournament are, and take all its seats."""
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    times = time_control_to(CLOCK)
    request = pb.CreateMatchRequest(setup=setup, start_when_full=True, time_control=times)
    match_id = (await stub.CreateMatch(request)).match.id
    joined = await stub.JoinMatch(pb.JoinMatchRequest(match_id=match_id, seats=[0, 1], name="Ann"))
    return service.Seat(match_id, joined.seat_secret)


def key_of(store: str, name: str, role: str) -> str:
    """Open an account in the store, and return a key of it."""
    command = [sys.executable, "-m", "taflhall_service.main", "admin", "create-account", name]
    made = subprocess.run(
        [*command, "--role", role, "--store", store], capture_output=True, text=True, check=True
    )
    (key,) = re.findall(r"tfk_\S+", made.stdout)
    return str(key)


async def sampled(
    server: service.Server, streams: Sequence[Stream], seconds: float, matches: int = 0
) -> tuple[int, float, float]:
    """Return the commands of *streams*, and the seconds of the server's processor and in all."""
    playing = [asyncio.create_task(stream.play(matches)) for stream in streams]
    await asyncio.sleep(2.0)
    answered = sum(stream.answered for stream in streams)
    cpu, began = server.cpu_seconds(), time.perf_counter()
    await asyncio.sleep(seconds)
    commands = sum(stream.answered for stream in streams) - answered
    found = commands, server.cpu_seconds() - cpu, time.perf_counter() - began
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return found


async def announced(host: Client, bots: Sequence[Client]) -> str:
    """Start a tournament of *bots*; return its id."""
    made = await host.tournaments.create(
        "yggdrasil",
        "Cup",
        {"seats": 2},
        time_control=CLOCK,
        rounds=100,
        matches_at_once=AT_ONCE,
    )
    for bot in bots:
        await bot.tournaments.enter(made.id)
    await host.tournaments.start(made.id)
    return made.id


async def measure(rounds: int, seconds: float) -> dict[str, list[tuple[int, float, float]]]:
    """Return the samples of each way to play, which take turns."""
    own, tournament = list[tuple[int, float, float]](), list[tuple[int, float, float]]()
    with tempfile.TemporaryDirectory() as folder:
        store = f"embedded:{folder}/store"
        host_key = key_of(store, "Host", "host")
        keys = [key_of(store, f"Robo {number}", "bot") for number in range(BOTS)]
        server = service.measured_server(f"{folder}/store")
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        rng = random.Random(1)
        host = Client(f"127.0.0.1:{server.port}", key=host_key)
        bots = [Client(f"127.0.0.1:{server.port}", key=key) for key in keys]
        for _ in range(rounds):
            streams = [Stream(stub, rng) for _ in range(BOTS)]
            own.append(await sampled(server, streams, seconds, AT_ONCE))
            cup = await announced(host, bots)
            streams = [Stream(stub, rng, key) for key in keys]
            tournament.append(await sampled(server, streams, seconds))
            await host.tournaments.cancel(cup)
        for client in (host, *bots):
            await client.close()
        await channel.close()
        server.stop()
    return {"own": own, "tournament": tournament}


def seat_credential(seat: service.Seat) -> pb.SeatCredential:
    """Return what opens a seat."""
    secret = seat.metadata[0][1].removeprefix("Bearer ")
    return pb.SeatCredential(match_id=seat.id, seat_secret=secret)


def main(rounds: int = ROUNDS, seconds: float = SECONDS) -> bool:
    """Measure, write the section, print it; return whether the goal was reached."""
    found = uvloop.run(measure(rounds, seconds))
    names = {"own": "matches of their own", "tournament": "matches of a tournament"}
    totals = {
        kind: [sum(part) for part in zip(*parts, strict=True)] for kind, parts in found.items()
    }
    rows = [
        [names[kind], figure(commands / passed), figure(commands / cpu)]
        for kind, (commands, cpu, passed) in totals.items()
    ]
    per_cpu = {kind: commands / cpu for kind, (commands, cpu, _) in totals.items()}
    ratio = per_cpu["tournament"] / per_cpu["own"]
    head = [f"{BOTS} PlayAll streams play", "commands per second", "commands per CPU-second"]
    text = (
        f"{BOTS * AT_ONCE} matches of Yggdrasil with two gods with clocks at once, random options "
        f"without views, one server process on the embedded store (fsync before each answer); "
        f"clients and server share the cores. The CPU is that of the server process.\n\n"
        f"{table(head, rows)}\n\nIn the tournament, whose matches the server opens, seats and "
        f"counts, it reaches {ratio:.2f} of its own rate (goal {GOAL})."
    )
    print(f"\n{text}\n", flush=True)
    command = "make bench ARGS='--only hosted-tournaments'"
    write_section("bench:hosted-tournaments", "Hosted tournaments", command, text)
    return bool(ratio >= GOAL)


if __name__ == "__main__":
    sys.exit(not main())
