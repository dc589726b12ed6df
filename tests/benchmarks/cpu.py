"""What a command costs the server, by each way to give it, beside a bare echo, in one run.

One server process on the embedded store at its default durability. Samples of the echo, of unary
calls, of 64 Play streams and of one PlayAll stream take turns.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import uvloop

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1 import match_service_pb2_grpc
from taflhall_engine.kernel import COMPILED
from tests.benchmarks import service
from tests.benchmarks.report import figure, table, write_section

MATCHES = 64
SPARE = 256
"""Matches that are opened before a sample, for those that end in it."""
ECHO = "echo + script"
UNGROUPED = "SubmitAnswers, --group-delay 0"
GOALS = {"SubmitAnswers": 0.75, "Play": 2.2, "PlayAll": 2.8}
"""Commands per CPU-second, to those of the echo."""
PLAY_ALL_TO_PLAY = 1.3
ROUNDS = 7
SECONDS = 2.0


class Sample(NamedTuple):
    """Commands, and the seconds of a processor and of the clock that they took."""

    commands: int
    cpu: float
    seconds: float
    median: float | None
    """The median latency, in seconds, of what is called one by one."""


Commands = tuple[int, float | None]
"""How many commands a sample was, and the median of their latencies."""


class Juggler:
    """Plays many matches over one stream; a match that ends is replaced by another."""

    def __init__(self, stub: Any, rng: random.Random, seats: service.Seats) -> None:
        self._stub = stub
        self._rng = rng
        self._seats = seats
        self._stream: Any = None
        self._opening: set[asyncio.Task[service.Seat]] = set()
        self.answered = 0

    async def run(self, seconds: float) -> None:
        """Answer every prompt for some seconds."""
        if self._stream is None:
            self._stream = self._stub.PlayAll()
            opened = [await self._seats.take() for _ in range(MATCHES)]
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
                    self._opening.add(asyncio.create_task(self._seats.take()))
            opened_now = {task for task in self._opening if task.done()}
            self._opening -= opened_now
            request.seats.extend(_seat(task.result()) for task in opened_now)
            if request.answers or request.seats:
                self.answered += len(request.answers)
                await self._stream.write(request)


def _seat(seat: service.Seat) -> pb.SeatCredential:
    secret = seat.metadata[0][1].removeprefix("Bearer ")
    return pb.SeatCredential(match_id=seat.id, seat_secret=secret)


async def measure(rounds: int, seconds: float) -> dict[str, list[Sample]]:
    """Return the samples of each way to give commands, which take turns."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        server = service.measured_server(f"{folder}/store")
        channel = server.channel()
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        seats = service.Seats(stub)
        ungrouped = service.measured_server(f"{folder}/ungrouped", "--group-delay", "0")
        other_channel = ungrouped.channel()
        other = match_service_pb2_grpc.MatchServiceStub(other_channel)
        other_seats = service.Seats(other)
        submitters = [service.Submitter(stub, rng, seats) for _ in range(MATCHES)]
        others = [service.Submitter(other, rng, other_seats) for _ in range(MATCHES)]
        players = [service.Player(stub, rng, seats) for _ in range(MATCHES)]
        juggler = Juggler(stub, rng, seats)
        warm = await service.sample(1.0, submitters)
        await service.sample(1.0, others)
        await service.sample(1.0, players)
        await juggler.run(1.0)
        size, reply = (int(statistics.mean(x)) for x in (warm.bytes_in, warm.bytes_out))
        base = service.echo(f"{folder}/echo", reply, 1500, 500)
        plain = base.channel()
        callers = [service.Caller(plain, size) for _ in range(MATCHES)]

        async def by_calls(clients: Sequence[service.Client]) -> Commands:
            times = (await service.sample(seconds, clients)).times
            return len(times), statistics.median(times)

        async def by_juggler() -> Commands:
            before = juggler.answered
            await juggler.run(seconds)
            return juggler.answered - before, None

        kinds: dict[str, tuple[service.Server, Callable[[], Awaitable[Commands]]]] = {
            ECHO: (base, lambda: by_calls(callers)),
            UNGROUPED: (ungrouped, lambda: by_calls(others)),
            "SubmitAnswers": (server, lambda: by_calls(submitters)),
            "Play": (server, lambda: by_calls(players)),
            "PlayAll": (server, by_juggler),
        }
        found: dict[str, list[Sample]] = {name: [] for name in kinds}
        for _ in range(rounds):
            for name, (process, run) in kinds.items():
                await (other_seats if process is ungrouped else seats).open(SPARE)
                before, started = process.cpu_seconds(), time.perf_counter()
                commands, median = await run()
                cpu = process.cpu_seconds() - before
                found[name].append(Sample(commands, cpu, time.perf_counter() - started, median))
        for opened in (plain, channel, other_channel):
            await opened.close()
        for process in (base, server, ungrouped):
            process.stop()
    return found


TEXT = f"""\
{MATCHES} matches of Yggdrasil with two gods at a time, random options, {{engine}} engine, one
server process on the embedded store (fsync before each answer); client and servers share the
cores. The baseline is a bare grpc.aio echo of the same sizes that runs the commit script once per
call. The CPU is that of the server process (the baseline's, or ours), without the store's. The
matches are opened between the samples. Medians of {{rounds}} samples of {{seconds:g}} s that took
turns. A server of its own, whose commands by calls are not carried out in groups, takes the turns
of its row.

{{table}}

PlayAll does {{ratio:.2f}} times the commands of Play per CPU-second of the server (goal
{PLAY_ALL_TO_PLAY})."""


def main(rounds: int = ROUNDS, seconds: float = SECONDS) -> bool:
    """Measure, write the section, print it; return whether every goal was reached."""
    found = uvloop.run(measure(rounds, seconds))
    cost = {
        name: statistics.median(s.cpu / s.commands for s in kind) for name, kind in found.items()
    }
    rate = {
        name: statistics.median(s.commands / s.seconds for s in kind)
        for name, kind in found.items()
    }
    latency = {
        name: statistics.median(times)
        for name, kind in found.items()
        if (times := [s.median for s in kind if s.median is not None])
    }
    reached = {name: cost[ECHO] / cost[name] for name in cost}
    rows = [
        [
            name,
            figure(rate[name]),
            figure(cost[name] * 1e6),
            figure(1 / cost[name]),
            f"{latency[name] * 1000:.3g}" if name in latency else "",
            f"{reached[name]:.2f}",
            f"{GOALS.get(name, '')}",
        ]
        for name in found
    ]
    head = ["", "per second", "CPU for each, µs", "per CPU-second", "median, ms"]
    head += ["to the baseline", "goal"]
    ratio = cost["Play"] / cost["PlayAll"]
    engine = "compiled" if COMPILED else "plain"
    text = TEXT.format(
        table=table(head, rows), ratio=ratio, rounds=rounds, seconds=seconds, engine=engine
    )
    print(f"\n{text}\n", flush=True)
    title = "Commands per CPU-second of the server"
    if COMPILED:
        command = ".venv-compiled/bin/python -m tests.benchmarks --only cpu"
        write_section("bench:cpu-compiled", f"{title}, engine compiled", command, text)
    else:
        write_section("bench:cpu", title, "make bench ARGS='--only cpu'", text)
    return ratio >= PLAY_ALL_TO_PLAY and all(reached[name] >= goal for name, goal in GOALS.items())


if __name__ == "__main__":
    sys.exit(not main())
