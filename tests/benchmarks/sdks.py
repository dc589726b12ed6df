"""Random bots of every SDK against one server, by calls and over Play, in turns."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
from contextlib import AsyncExitStack
from typing import NamedTuple

from taflhall_testing.clients.driver import Driver
from tests.benchmarks.report import figure, table, write_section
from tests.benchmarks.service import cpu_seconds, measured_server
from tests.clients.sdks import SDKS, run

PARALLEL = 64
GOALS = {"calls": 1.0, "play": 2.0}
"""In answers of the Python SDK's bot over calls."""

TEXT = """\
Answers a second of random bots, {parallel} matches of Yggdrasil with two gods at once: medians of
{rounds} samples of {seconds:g} s in turns, against one server process on the embedded store, with
which the bots share the cores. The ratio is to the Python SDK over calls, the median of those of
the rounds. The goal of the others is {calls:g} over calls; that of Go and Rust is {play:g} over
Play. CPU is for each answer, that of the bots' process and that of the server's.

{table}"""


class Sample(NamedTuple):
    """How fast the bots of an SDK were, and what they took."""

    rate: float
    """Answers a second."""
    cpu_us: float
    """Processor time of an answer in the bots' process, in microseconds."""
    server_us: float
    """The same in the server's."""


async def measure(rounds: int, seconds: float) -> dict[tuple[str, str], list[Sample]]:
    """Return a sample of each SDK and mode, round by round."""
    found: dict[tuple[str, str], list[Sample]] = {}
    async with AsyncExitStack() as stack:
        server = measured_server(f"{stack.enter_context(tempfile.TemporaryDirectory())}/store")
        stack.callback(server.stop)
        drivers = {}
        for name, sdk in SDKS.items():
            build, command = sdk.optimized or (sdk.build, sdk.driver)
            if sdk.missing or run(sdk, build):
                print(f"{name} is not measured: it cannot be built here")
                continue
            driver = await stack.enter_async_context(Driver(command))
            if "bench" in driver.operations:
                drivers[name] = driver
                address = {"client": "bench", "address": f"127.0.0.1:{server.port}"}
                await driver.carry_out("connect", address)
        for number in range(rounds + 1):
            for name, driver in drivers.items():
                for mode in ("calls", "play"):
                    how = {"mode": mode, "parallel": PARALLEL, "seconds": seconds}
                    before = cpu_seconds(driver.pid), server.cpu_seconds()
                    done = await driver.carry_out("bench", {"client": "bench", **how})
                    after = cpu_seconds(driver.pid), server.cpu_seconds()
                    if done.error is not None:
                        raise RuntimeError(f"{name}: {done.error}")
                    if number:  # the first round warms up
                        answers = done.result["answers"]
                        spent = [
                            (b - a) / answers * 1e6 for a, b in zip(before, after, strict=True)
                        ]
                        sample = Sample(answers / done.result["seconds"], *spent)
                        found.setdefault((name, mode), []).append(sample)
    return found


def main(rounds: int = 5, seconds: float = 3.0) -> bool:
    """Measure, write the section, print it; return whether every goal was reached."""
    found = asyncio.run(measure(rounds, seconds))
    base = found["python", "calls"]
    rows, reached = [], True
    for (name, mode), samples in found.items():
        ratio = statistics.median(a.rate / b.rate for a, b in zip(samples, base, strict=True))
        middle = [statistics.median(values) for values in zip(*samples, strict=True)]
        rows.append([f"{name}, {mode}", figure(middle[0]), figure(ratio), *map(figure, middle[1:])])
        if mode == "calls" or name in ("go", "rust"):
            reached &= name == "python" or ratio >= GOALS[mode]
    shown = table(["SDK, mode", "answers a second", "ratio", "CPU, µs", "server's CPU, µs"], rows)
    text = TEXT.format(table=shown, parallel=PARALLEL, rounds=rounds, seconds=seconds, **GOALS)
    print(f"\n{text}\n", flush=True)
    write_section("bench:sdks", "SDKs", "python -m tests.benchmarks --only sdks", text)
    return reached
