"""The pool of bot processes: a bounded share of CPU, fair between matches, lost without harm.

Each process answers one decision at a time. After each it rests for as long as its share demands.
The waiting match that has used the least CPU time is next (start-time fair queueing), so a match
with many or long decisions delays only itself. A process that dies or hangs is replaced; its
decision fails with :exc:`BotUnavailable`, and its caller tries again later.
"""

from __future__ import annotations

import asyncio
import math
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog

from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_service.app.ports.bots import BotFailed, BotUnavailable
from taflhall_service.bots.frames import (
    LENGTH_BYTES,
    Answer,
    Task,
    decode_answer,
    frame,
)

SHARE: Final = 0.25
"""Share of one core that the bots of a serving process use together."""

LIMIT_SECONDS: Final = 60.0
"""A process that takes longer for one decision is killed."""

_log = structlog.get_logger("bots")


class _Job:
    def __init__(self, match_id: str, task: Task, asked_at: float) -> None:
        self.match_id: Final = match_id
        self.task: Final = task
        self.asked_at: Final = asked_at
        """The virtual time when it came."""
        self.answer: Final[asyncio.Future[Answer]] = asyncio.get_running_loop().create_future()


class BotPool:
    """Answers decisions in processes that start when they are first needed.

    *share* is the share of one core that all of them use together, more than 1 for several cores;
    *data* is the server's folder with component data.
    """

    def __init__(
        self, share: float = SHARE, data: Path | None = None, limit: float = LIMIT_SECONDS
    ) -> None:
        self._count = max(1, math.ceil(share))
        self._share = share / self._count
        self._data = data
        self._limit = limit
        self._jobs: list[_Job] = []
        self._finish: dict[str, float] = {}
        """For each match: the virtual time up to which it has had its share."""
        self._now = 0.0
        """Virtual time: the CPU seconds that a match which always waits has had."""
        self._wanted = asyncio.Condition()
        self._workers: list[asyncio.Task[None]] = []
        self._processes: dict[int, asyncio.subprocess.Process] = {}
        """The process of each worker that has one, by the worker's number."""
        self.cpu_seconds = 0.0
        self.deaths = 0

    @property
    def waiting(self) -> int:
        """How many decisions wait for a process."""
        return len(self._jobs)

    @property
    def processes(self) -> list[int]:
        """The ids of the processes that run."""
        return [process.pid for process in self._processes.values()]

    async def choose(
        self, match_id: str, game: Game, table: Table, seat: int, seed: int, plies: int
    ) -> list[int]:
        """Return the options that the server chooses for *seat*, one per step of its answer.

        Raise :exc:`BotFailed` or :exc:`BotUnavailable`.
        """
        if not self._workers:
            self._workers = [asyncio.create_task(self._work(n)) for n in range(self._count)]
        task = Task(game.id, dump_table(game, table), seat, seed, plies)
        async with self._wanted:
            job = _Job(match_id, task, self._now)
            self._jobs.append(job)
            self._wanted.notify()
        try:
            answer = await job.answer
        except asyncio.CancelledError:
            if job in self._jobs:
                self._jobs.remove(job)
            raise
        if answer.error:
            raise BotFailed(answer.error)
        return answer.options

    async def close(self) -> None:
        """End the processes; decisions that wait fail with :exc:`BotUnavailable`."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for job in self._jobs:
            if not job.answer.done():
                job.answer.set_exception(BotUnavailable())
        self._jobs.clear()

    async def _work(self, number: int) -> None:
        """Serve jobs with one process after another, each until it dies."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                job = await self._next()
                began = loop.time()
                try:
                    async with asyncio.timeout(self._limit):
                        answer = await self._ask(number, job.task)
                except (OSError, EOFError, TimeoutError, RuntimeError) as error:
                    self.deaths += 1
                    _log.warning("bot_process_died", match=job.match_id, kind=type(error).__name__)
                    _settle(job, BotUnavailable())
                    await self._end(number)
                    continue
                except asyncio.CancelledError:
                    _settle(job, BotUnavailable())
                    raise
                self.cpu_seconds += answer.cpu_seconds
                self._charge(job, answer.cpu_seconds)
                _settle(job, answer)
                rest = answer.cpu_seconds / self._share - (loop.time() - began)
                if rest > 0:
                    await asyncio.sleep(rest)
        finally:
            await self._end(number)

    async def _next(self) -> _Job:
        async with self._wanted:
            await self._wanted.wait_for(lambda: bool(self._jobs))
            job = min(self._jobs, key=self._start_of)
            self._jobs.remove(job)
            self._now = self._start_of(job)
            return job

    def _start_of(self, job: _Job) -> float:
        return max(job.asked_at, self._finish.get(job.match_id, 0.0))

    def _charge(self, job: _Job, cpu_seconds: float) -> None:
        self._finish[job.match_id] = self._start_of(job) + cpu_seconds
        for match_id in [m for m, end in self._finish.items() if end < self._now]:
            del self._finish[match_id]

    async def _ask(self, number: int, task: Task) -> Answer:
        if number not in self._processes:
            self._processes[number] = await self._start()
        process = self._processes[number]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame(task))  # uvloop raises RuntimeError if the process has ended
        await process.stdin.drain()
        head = await process.stdout.readexactly(LENGTH_BYTES)
        return decode_answer(await process.stdout.readexactly(int.from_bytes(head)))

    async def _start(self) -> asyncio.subprocess.Process:
        folder = [] if self._data is None else [str(self._data)]
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "taflhall_service.bots.worker",
            *folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )

    async def _end(self, number: int) -> None:
        process = self._processes.pop(number, None)
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _settle(job: _Job, outcome: Any) -> None:
    if job.answer.done():
        return
    if isinstance(outcome, Exception):
        job.answer.set_exception(outcome)
    else:
        job.answer.set_result(outcome)
