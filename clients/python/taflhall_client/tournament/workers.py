"""Processes that play the matches of a tournament, and are watched while they do.

Each worker plays one match at a time (:func:`referee.play`) and notes in shared memory which seat
decides since when. A bot that hangs where Python cannot interrupt it, or that ends the process,
costs its own seat: the match is forfeited by it and the worker is replaced. A worker that somebody
else killed is a fault of the host: the match is set aside.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator
from ctypes import c_double
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from taflhall_client.tournament import results
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.referee import forfeited, play, set_aside
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing

LOOK_SECONDS: Final = 0.25
"""Time between two looks at the bots that decide."""
GRACE_SECONDS: Final = 3.0
"""How long a bot may be over its time before its process is killed."""
KILLED: Final = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP)
"""Exit codes of a worker that was killed from outside."""

Tick = Any
"""Shared memory: the seat that decides (-1: none), and since when by the monotonic clock."""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    connection: Connection
    tick: Tick
    pairing: Pairing | None = None
    blamed: int = -1
    """The seat for which we killed the process."""


class Workers:
    """*jobs* processes that play matches of *tournament*; its files go below *out*."""

    def __init__(self, tournament: Tournament, out: Path, jobs: int) -> None:
        self._tournament: Final = tournament
        self._out: Final = out
        self._jobs: Final = jobs
        self._context: Final = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        self._workers = [self._start() for _ in range(self._jobs)]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.connection.close()

    def play(self, pairings: Iterable[Pairing]) -> Iterator[list[MatchResult]]:
        """Play all *pairings*; yield results as they come, several at once where they do."""
        todo = deque(pairings)
        while todo or any(worker.pairing for worker in self._workers):
            for worker in self._workers:
                if worker.pairing is None and todo:
                    worker.pairing = todo.popleft()
                    worker.connection.send(worker.pairing)
            found = self._collect()
            if found:
                yield found

    def _start(self) -> _Worker:
        tick = self._context.RawArray(c_double, [-1.0, 0.0])
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(theirs, tick, self._tournament, self._out), daemon=False
        )
        process.start()
        theirs.close()
        return _Worker(process, ours, tick)

    def _collect(self) -> list[MatchResult]:
        """Return the results that have come within :data:`LOOK_SECONDS`; replace dead workers."""
        busy = [worker for worker in self._workers if worker.pairing is not None]
        ready = wait([worker.connection for worker in busy], LOOK_SECONDS)
        found: list[MatchResult] = []
        for worker in busy:
            pairing = worker.pairing
            assert pairing is not None
            if worker.connection in ready:
                try:
                    found.append(worker.connection.recv())
                    worker.pairing = None
                except (EOFError, OSError):
                    found.append(self._verdict(worker, pairing))
                    self._replace(worker)
            else:
                self._look_at(worker)
        return found

    def _look_at(self, worker: _Worker) -> None:
        """Kill *worker* if its bot is far over its time."""
        seat, since = int(worker.tick[0]), worker.tick[1]
        limits = self._tournament.limits
        most = max(limits.decision_seconds, limits.start_seconds) + GRACE_SECONDS
        if seat >= 0 and time.monotonic() - since > most:
            worker.blamed = seat
            worker.process.kill()

    def _verdict(self, worker: _Worker, pairing: Pairing) -> MatchResult:
        worker.process.join()
        code = worker.process.exitcode
        if worker.blamed >= 0:
            text = f"no answer, and could not be interrupted; its process was killed ({code})"
            return forfeited(pairing, worker.blamed, results.SILENT, text)
        seat = int(worker.tick[0])
        if seat >= 0 and code not in KILLED:
            text = f"the bot ended its process (exit code {code})"
            return forfeited(pairing, seat, results.CRASH, text)
        return set_aside(pairing, f"the worker has ended (exit code {code})")

    def _replace(self, worker: _Worker) -> None:
        worker.connection.close()
        self._workers[self._workers.index(worker)] = self._start()


def _work(connection: Connection, tick: Tick, tournament: Tournament, out: Path) -> None:
    """Play the matches that come over *connection* until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game = tournament.make_game()

    def deciding(seat: int, since: float) -> None:
        if seat >= 0:  # the time comes before the seat that it is about, and stays after it
            tick[1] = since
        tick[0] = seat

    while True:
        try:
            pairing = connection.recv()
        except (EOFError, OSError):
            return
        try:
            result = play(tournament, game, pairing, out, deciding)
        except Exception as error:  # not a bot's: those are faults of the match
            result = set_aside(pairing, f"{type(error).__name__}: {error}")
        try:
            connection.send(result)
        except OSError:
            return
