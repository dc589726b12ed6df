"""PlayAll compared with Play: the server's commands per CPU-second with 64 matches, in one run.

One server process on the embedded store at its default durability. The matches are played over
64 Play streams, then over one PlayAll stream, in turns.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from typing import Any

import uvloop

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc
from tests.benchmarks import service
from tests.benchmarks.report import figure, table, write_section

MATCHES = 64
GOAL = 1.3
ROUNDS = 6
SECONDS = 3.0


class Juggler:
    """Plays many matches over one stream; a match that ends is replaced by another."""

    def __init__(self, stub: Any, rng: random.Random) -> None:
        self._stub = stub
        self._rng = rng
        self._stream: Any = None
        self._opening: set[asyncio.Task[service.Seat]] = set()
        self.answered = 0

    async def run(self, seconds: float) -> None:
        """Answer every prompt for some seconds."""
        if self._stream is None:
            self._stream = self._stub.PlayAll()
            opened = [await service.open_match(self._stub) for _ in range(MATCHES)]
            await self._stream.write(
                pb.PlayAllRequest(enter=pb.PlayAllEnter(), seats=[_seat(seat) for seat in opened])
            )
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            heard = await self._stream.read()
            request = pb.PlayAllRequest()
            for update in heard.updates:
                if update.play.HasField("prompt"):
                    decision = update.play.prompt.decision
                    option = self._rng.randrange(len(decision.options))
                    answer = pb.PlayAnswer(decision_id=decision.id)
                    answer.answers.add(option=option)
                    request.answers.add(match_id=update.match_id, answer=answer)
                elif update.play.HasField("end"):
                    self._opening.add(asyncio.create_task(service.open_match(self._stub)))
            opened_now = {task for task in self._opening if task.done()}
            self._opening -= opened_now
            request.seats.extend(_seat(task.result()) for task in opened_now)
            if request.answers or request.seats:
                self.answered += len(request.answers)
                await self._stream.write(request)


def _seat(seat: service.Seat) -> pb.SeatCredential:
    secret = seat.metadata[0][1].removeprefix("Bearer ")
    return pb.SeatCredential(match_id=seat.id, seat_secret=secret)


async def measure(rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Return commands, CPU seconds and seconds of each way to play."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = service.measured_server(f"{folder}/store")
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        players = [service.Player(stub, rng) for _ in range(MATCHES)]
        juggler = Juggler(stub, rng)
        found = {
            name: {"commands": 0.0, "cpu": 0.0, "seconds": 0.0} for name in ("Play", "PlayAll")
        }
        await service.sample(1.0, players)
        await juggler.run(1.0)
        for _ in range(rounds):
            before, started = server.cpu_seconds(), time.perf_counter()
            load = await service.sample(seconds, players)
            _add(found["Play"], len(load.times), server.cpu_seconds() - before, started)
            before, started, answered = server.cpu_seconds(), time.perf_counter(), juggler.answered
            await juggler.run(seconds)
            commands = juggler.answered - answered
            _add(found["PlayAll"], commands, server.cpu_seconds() - before, started)
        await channel.close()
        server.stop()
    return found


def _add(kind: dict[str, float], commands: int, cpu: float, started: float) -> None:
    kind["commands"] += commands
    kind["cpu"] += cpu
    kind["seconds"] += time.perf_counter() - started


TEXT = f"""\
{MATCHES} matches of Yggdrasil with two gods, random options, one server process on the embedded
store (fsync before each answer); client and server share the cores. The CPU is that of the server
process, without the store's.

{{table}}

PlayAll does {{ratio:.2f}} times the commands per CPU-second of the server (goal {GOAL})."""


def main(rounds: int = ROUNDS, seconds: float = SECONDS) -> bool:
    """Measure, write the section, print it; return whether the goal was reached."""
    found = uvloop.run(measure(rounds, seconds))
    per_cpu = {name: kind["commands"] / kind["cpu"] for name, kind in found.items()}
    ratio = per_cpu["PlayAll"] / per_cpu["Play"]
    rows = [
        [
            f"{MATCHES} streams of Play" if name == "Play" else "1 stream of PlayAll",
            figure(kind["commands"] / kind["seconds"]),
            figure(kind["cpu"] / kind["commands"] * 1e6),
            figure(per_cpu[name]),
        ]
        for name, kind in found.items()
    ]
    head = ["", "commands per second", "CPU for each, µs", "commands per CPU-second"]
    text = TEXT.format(table=table(head, rows), ratio=ratio)
    print(f"\n{text}\n", flush=True)
    write_section("bench:play-all", "PlayAll", "make bench ARGS='--only play-all'", text)
    return ratio >= GOAL


if __name__ == "__main__":
    sys.exit(not main())
