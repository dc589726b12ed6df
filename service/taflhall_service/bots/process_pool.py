"""A pool of worker processes: a bounded share of CPU, fair between its users.

Each process does one job at a time. After each it rests for as long as its share demands. The
waiting user that has used the least CPU time is next (start-time fair queueing), so one with many
or long jobs delays only itself. A process that dies or hangs is replaced; its job fails with
:exc:`WorkerLost`.
"""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import structlog

from taflhall_service.bots.frames import LENGTH_BYTES, frame

LIMIT_SECONDS: Final = 60.0
"""A process that takes longer for one job is killed."""

_log = structlog.get_logger("bots")


class WorkerLost(Exception):
    """The process that did the job has died or was killed, or the pool has been closed."""


class Reply(Protocol):
    """What a process answers."""

    @property
    def cpu_seconds(self) -> float:
        """The CPU seconds that the job took."""
        ...


R = TypeVar("R", bound=Reply)


class _Job(Generic[R]):
    def __init__(self, user: str, body: bytes, asked_at: float) -> None:
        loop = asyncio.get_running_loop()
        self.user: Final = user
        self.body: Final = body
        self.asked_at: Final = asked_at
        """The virtual time when it came."""
        self.came_at: Final = loop.time()
        self.reply: Final[asyncio.Future[R]] = loop.create_future()


class _Process:
    """A process and its pipes.

    The subprocess module starts it. uvloop would run Python between fork and exec, and beside the
    threads of gRPC that child often crashes.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._child: Final = subprocess.Popen(
            [sys.executable, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.pid: Final = self._child.pid
        self._reader: Final = asyncio.StreamReader()
        self._pipes: list[asyncio.BaseTransport] = []
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, body: bytes) -> bytes:
        """Write a frame and return the one that is written in reply."""
        if self._writer is None:
            self._writer = await self._connect()
        self._writer.write(frame(body))  # uvloop raises RuntimeError if the process has ended
        await self._writer.drain()
        head = await self._reader.readexactly(LENGTH_BYTES)
        return await self._reader.readexactly(int.from_bytes(head))

    async def _connect(self) -> asyncio.StreamWriter:
        loop = asyncio.get_running_loop()
        reading = asyncio.StreamReaderProtocol(self._reader)
        self._pipes.append((await loop.connect_read_pipe(lambda: reading, self._child.stdout))[0])
        writing = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        pipe, _ = await loop.connect_write_pipe(lambda: writing, self._child.stdin)
        self._pipes.append(pipe)
        return asyncio.StreamWriter(pipe, writing, None, loop)

    async def end(self) -> int:
        """Kill the process, if it runs, and return its exit status."""
        self._child.kill()
        for pipe in self._pipes:
            pipe.close()
        return await asyncio.to_thread(self._child.wait)


class ProcessPool(Generic[R]):
    """Does jobs in processes that start when they are first needed.

    *name* is the pool's in logs and metrics. *command* is what Python runs in the processes: they
    read frames and write a frame for each, which *decode* reads. *share* is the share of one core
    that all of them use together, more than 1 for several cores.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        decode: Callable[[bytes], R],
        share: float,
        limit: float = LIMIT_SECONDS,
    ) -> None:
        self.name: Final = name
        self._command: Final = tuple(command)
        self._decode: Final = decode
        self._count = max(1, math.ceil(share))
        self._share = share / self._count
        self._limit = limit
        self._jobs: list[_Job[R]] = []
        self._finish: dict[str, float] = {}
        """For each user: the virtual time up to which it has had its share."""
        self._now = 0.0
        """Virtual time: the CPU seconds that a user who always waits has had."""
        self._wanted = asyncio.Condition()
        self._closed = False
        self._workers: list[asyncio.Task[None]] = []
        self._processes: dict[int, _Process] = {}
        """The process of each worker that has one, by the worker's number."""
        self.running = 0
        """How many jobs a process works on."""
        self.cpu_seconds = 0.0
        self.deaths = 0
        self.on_reply: Callable[[float], None] = _ignore
        """Called with the seconds that a job took that was done, its wait included."""

    @property
    def waiting(self) -> int:
        """How many jobs wait for a process."""
        return len(self._jobs)

    @property
    def processes(self) -> list[int]:
        """The ids of the processes that run."""
        return [process.pid for process in self._processes.values()]

    async def run(self, user: str, body: bytes) -> R:
        """Return the reply to *body*, or raise :exc:`WorkerLost`."""
        if self._closed:
            raise WorkerLost
        if not self._workers:
            self._workers = [asyncio.create_task(self._work(n)) for n in range(self._count)]
        async with self._wanted:
            job = _Job[R](user, body, self._now)
            self._jobs.append(job)
            self._wanted.notify()
        try:
            return await job.reply
        except asyncio.CancelledError:
            if job in self._jobs:
                self._jobs.remove(job)
            raise

    async def close(self) -> None:
        """End the processes; jobs that wait, or come later, fail with :exc:`WorkerLost`."""
        self._closed = True
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for job in self._jobs:
            if not job.reply.done():
                job.reply.set_exception(WorkerLost())
        self._jobs.clear()

    async def _work(self, number: int) -> None:
        """Serve jobs with one process after another, each until it dies."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                job = await self._next()
                began = loop.time()
                self.running += 1
                try:
                    async with asyncio.timeout(self._limit):
                        reply = await self._ask(number, job.body)
                except (OSError, EOFError, TimeoutError, RuntimeError) as error:
                    self.deaths += 1
                    _settle(job, WorkerLost())
                    kind, status = type(error).__name__, await self._end(number)
                    _log.warning("process_died", pool=self.name, kind=kind, status=status)
                    continue
                except asyncio.CancelledError:
                    _settle(job, WorkerLost())
                    raise
                finally:
                    self.running -= 1
                self.on_reply(loop.time() - job.came_at)
                self.cpu_seconds += reply.cpu_seconds
                self._charge(job, reply.cpu_seconds)
                _settle(job, reply)
                rest = reply.cpu_seconds / self._share - (loop.time() - began)
                if rest > 0:
                    await asyncio.sleep(rest)
        finally:
            await self._end(number)

    async def _next(self) -> _Job[R]:
        async with self._wanted:
            await self._wanted.wait_for(lambda: bool(self._jobs))
            job = min(self._jobs, key=self._start_of)
            self._jobs.remove(job)
            self._now = self._start_of(job)
            return job

    def _start_of(self, job: _Job[R]) -> float:
        return max(job.asked_at, self._finish.get(job.user, 0.0))

    def _charge(self, job: _Job[R], cpu_seconds: float) -> None:
        self._finish[job.user] = self._start_of(job) + cpu_seconds
        for user in [user for user, end in self._finish.items() if end < self._now]:
            del self._finish[user]

    async def _ask(self, number: int, body: bytes) -> R:
        if number not in self._processes:
            self._processes[number] = _Process(self._command)
        return self._decode(await self._processes[number].ask(body))

    async def _end(self, number: int) -> int | None:
        """Kill the process of a worker; return its exit status, ``None`` if it has no process."""
        process = self._processes.pop(number, None)
        return None if process is None else await process.end()


def _ignore(seconds: float) -> None:
    """Drop the duration of a job."""


def _settle(job: _Job[R], outcome: R | WorkerLost) -> None:
    if job.reply.done():
        return
    if isinstance(outcome, WorkerLost):
        job.reply.set_exception(outcome)
    else:
        job.reply.set_result(outcome)
