"""This checkout's service against another one's, in turns: the server's CPU for each command.

`python -m tests.benchmarks.against CHECKOUT [--compiled] [--rounds N] [--seconds S]`. Each side
runs in its own environment and is driven by its own benchmark of the service, so the contracts
may differ. CHECKOUT needs `make venv`, and `make compiled` with ``--compiled``.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PARALLEL = 32
GOAL = 0.97
KINDS = {"SubmitAnswers": "Submitter", "Play": "Player"}
"""The client in the benchmark of the service for each way to give commands."""


class Side:
    """A checkout whose service is measured, in a process of its own."""

    def __init__(self, checkout: Path, environment: str) -> None:
        python = checkout / environment / "bin" / "python"
        self._child = subprocess.Popen(
            [str(python), str(Path(__file__).resolve()), "--measured", str(checkout)],
            cwd=checkout,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def cost(self, kind: str, seconds: float) -> float:
        """Return the microseconds of server CPU for each command of a sample."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(f"{kind} {seconds}\n")
        self._child.stdin.flush()
        return float(self._child.stdout.readline())

    def stop(self) -> None:
        """End the process."""
        self._child.communicate()


async def serve_samples(checkout: str) -> None:
    """Take the samples that standard input asks for of the service in *checkout*."""
    sys.path.insert(0, checkout)
    service: Any = importlib.import_module("tests.benchmarks.service")
    contract: Any = importlib.import_module("taflhall.v1.match_service_pb2_grpc")
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        start = getattr(service, "measured_server", None) or service.hall  # its name in 0.1.0
        server = start(f"{folder}/store")
        channel = server.channel()
        stub = contract.MatchServiceStub(channel)
        clients = {
            kind: [getattr(service, name)(stub, rng) for _ in range(PARALLEL)]
            for kind, name in KINDS.items()
        }
        while line := await asyncio.to_thread(sys.stdin.readline):
            kind, seconds = line.split()
            await asyncio.gather(*[client.ready() for client in clients[kind]])
            before = server.cpu_seconds()
            load = await service.sample(float(seconds), clients[kind])
            print((server.cpu_seconds() - before) / len(load.times) * 1e6, flush=True)
        await channel.close()
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--compiled", action="store_true", help="the compiled engine of each")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--measured", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measured:
        uvloop: Any = importlib.import_module("uvloop")
        uvloop.run(serve_samples(str(given.checkout)))
        return
    environment = ".venv-compiled" if given.compiled else ".venv"
    sides = [Side(given.checkout.resolve(), environment), Side(ROOT, environment)]
    costs: dict[str, tuple[list[float], ...]] = {kind: ([], []) for kind in KINDS}
    for number in range(given.rounds + 1):
        for kind, found in costs.items():
            for side, of_side in zip(sides, found, strict=True):
                cost = side.cost(kind, given.seconds)
                if number:  # the first turn warms up
                    of_side.append(cost)
    for side in sides:
        side.stop()
    reached = True
    for kind, (theirs, ours) in costs.items():
        ratio = statistics.median(theirs) / statistics.median(ours)
        reached &= ratio >= GOAL
        print(
            f"{kind}: {statistics.median(theirs):.0f} µs of server CPU there, "
            f"{statistics.median(ours):.0f} µs here: {ratio:.2f} (goal {GOAL})"
        )
    sys.exit(not reached)


if __name__ == "__main__":
    main()
