"""Starts the generator processes and adds up what they measured."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Barrier, BrokenBarrierError
from typing import Final

from taflhall_client.load.measures import Figures
from taflhall_client.load.plan import Plan
from taflhall_client.load.worker import generate

_START_SECONDS: Final = 120.0
"""How long a process waits until all are up; storms and intervals are at the same time in all."""


class GeneratorFailed(RuntimeError):
    """A generator process ended before the load was over."""


def generate_all(plan: Plan, processes: int) -> Iterator[Figures]:
    """Make the load of *plan* with that many *processes*.

    Yield the figures of the warm-up, which are failures alone, then those of each interval. Raise
    :exc:`GeneratorFailed` if one of them fails; the others are stopped then.
    """
    context = multiprocessing.get_context("spawn")
    all_up = context.Barrier(processes)
    started = []
    for share in plan.shares(processes):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=generate_when_all_are_up, args=(share, theirs, all_up))
        process.start()
        theirs.close()
        started.append((process, ours))
    try:
        while parts := [part for _, pipe in started if (part := _next(pipe)) is not None]:
            total = Figures()
            for part in parts:
                total.add(part)
            yield total
        for process, _ in started:
            process.join()
    finally:
        for process, pipe in started:
            process.terminate()
            process.join()
            pipe.close()


def _next(pipe: Connection) -> Figures | None:
    """Return the next figures of a process; ``None`` if it has ended as it should."""
    try:
        received = pipe.recv()
    except EOFError:
        raise GeneratorFailed("a generator process has died") from None
    if isinstance(received, str):
        raise GeneratorFailed(received)
    return None if received is None else Figures.decoded(*received)


def generate_when_all_are_up(plan: Plan, pipe: Connection, all_up: Barrier) -> None:
    """Make a load in this process when all are up; the last word is nothing, or what went wrong."""
    with suppress(KeyboardInterrupt, BrokenPipeError):
        try:
            all_up.wait(_START_SECONDS)
            asyncio.run(generate(plan, lambda figures: pipe.send(figures.encoded())))
            pipe.send(None)
        except BrokenBarrierError:
            pipe.send("the generator processes do not start")
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")
