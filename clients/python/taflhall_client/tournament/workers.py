"""Processes that play the matches of a tournament, and are watched while they do.

Each worker plays one match after the other (:func:`referee.play`) and notes in shared memory which
seat decides until when. A bot that hangs where Python cannot interrupt it, or that ends the
process, costs its own seat: the match is forfeited by it and the worker is replaced. Where the host
may have ended the worker, the match is set aside; if a seat decided at that time, its bot is a
suspect (:mod:`.replays`).
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import c_double
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Final, Self

from taflhall_client.exec_with_parent import end_with_parent
from taflhall_client.tournament import results
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.out_of_memory import killed_for_memory
from taflhall_client.tournament.referee import CLOSED, NOBODY, Tick, forfeited, play, set_aside
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing

LOOK_SECONDS: Final = 0.25
"""Time between two looks at the bots that decide."""
KILLED: Final = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, 255)
"""Exit codes of a worker that may have been killed from outside.

The last one is also that of a worker that ended with the process of which it is a copy.
"""
END_SECONDS: Final = 5.0
"""Time for a worker to end whose connection is closed."""
AHEAD: Final = 2
"""Matches that a worker has at least while there are many, so that it never waits for us."""
MOST_AHEAD: Final = 16
"""Matches that it has at most; the texts of as many fit into a pipe that nobody reads."""
TINY: Final = 1e-6
"""Seconds that all matches together take at least."""
GATHER_SECONDS: Final = 0.5
"""Time in which results are gathered while the workers have matches for twice as long."""


@dataclass(slots=True)
class Pace:
    """How long matches take, and so how many a worker is given ahead."""

    played: int = 0
    seconds: float = 0.0
    """What they took together, without the time in which a worker waited for the next one."""

    def add(self, seconds: float) -> None:
        """Count a match that took *seconds*."""
        self.played += 1
        self.seconds += seconds

    @property
    def ahead(self) -> int:
        """How many matches a worker may have, the one that it plays among them."""
        enough = math.ceil(2 * GATHER_SECONDS * self.played / max(self.seconds, TINY))
        return max(AHEAD, min(MOST_AHEAD, enough))

    @property
    def gather_seconds(self) -> float:
        """For how long results may be gathered: half the time that the matches ahead take."""
        if not self.played:
            return 0.0
        return min(GATHER_SECONDS, self.ahead * self.seconds / self.played / 2)


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    tick: Tick
    killed_before: int
    """How many processes the machine had killed for want of memory when this one started."""
    given: deque[Pairing] = field(default_factory=deque)
    """The matches that it has been given: the first is being played."""
    blamed: int = -1
    """The seat for which we killed the process."""


class Workers:
    """*jobs* processes that play matches of *tournament*; its files go below *out*.

    One that has closed its connection gets *end_seconds* to end.
    """

    def __init__(
        self, tournament: Tournament, out: Path, jobs: int, *, end_seconds: float = END_SECONDS
    ) -> None:
        self._tournament: Final = tournament
        self._out: Final = out.absolute()  # a bot may change the working folder
        self._jobs: Final = jobs
        self._end_seconds: Final = end_seconds
        self._waiting: Final[deque[Pairing]] = deque()
        self._workers: list[_Worker] = []
        self._pace: Final = Pace()
        if sys.platform == "win32":
            self._context: Any = multiprocessing.get_context("spawn")
        else:  # one process imports everything, and the workers are copies of it
            self._context = multiprocessing.get_context("forkserver")
            self._context.set_forkserver_preload([__name__])

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

    @property
    def busy(self) -> bool:
        """Whether a match that was submitted has no result yet."""
        return bool(self._waiting) or any(worker.given for worker in self._workers)

    def submit(self, pairings: Iterable[Pairing]) -> None:
        """Let *pairings* be played after those before."""
        self._waiting.extend(pairings)
        self._hand_out()

    def collect(self) -> list[MatchResult]:
        """Return the results that have come, after a short time at the latest.

        While the workers have matches left, results are gathered: to take, write and sync several
        together costs less.
        """
        gathered = time.monotonic() + self._pace.gather_seconds
        wait([worker.connection for worker in self._workers if worker.given], LOOK_SECONDS)
        if self._waiting:
            time.sleep(max(0.0, gathered - time.monotonic()))
        found: list[MatchResult] = []
        for worker in list(self._workers):
            while worker.given and ((ready := worker.connection.poll()) or _has_ended(worker)):
                found.append(self._receive(worker, ready))
        for worker in self._workers:
            self._look_at(worker)
        self._hand_out()
        return found

    def play(self, pairings: Iterable[Pairing]) -> Iterator[list[MatchResult]]:
        """Play all *pairings*; yield results as they come, several at once where they do."""
        self.submit(pairings)
        while self.busy:
            found = self.collect()
            if found:
                yield found

    def _hand_out(self) -> None:
        for ahead in range(1, self._pace.ahead + 1):
            for worker in self._workers:
                many = ahead == 1 or len(self._waiting) > ahead * self._jobs
                if self._waiting and many and len(worker.given) < ahead:
                    pairing = self._waiting.popleft()
                    worker.given.append(pairing)
                    try:
                        worker.connection.send(pairing)
                    except OSError:  # it has ended: the next look finds out
                        continue

    def _start(self) -> _Worker:
        tick = self._context.RawArray(c_double, [NOBODY, 0.0])
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_work, args=(theirs, tick, self._tournament, self._out), daemon=False
        )
        with _without_main():
            process.start()
        theirs.close()
        return _Worker(process, ours, tick, killed_for_memory())

    def _receive(self, worker: _Worker, ready: bool) -> MatchResult:
        """Return the next result of *worker*, which is *ready*, or has ended and is replaced."""
        try:
            if not ready and not worker.connection.poll():  # a copy of it has not ended
                raise EOFError
            result: MatchResult
            result, seconds = worker.connection.recv()
        except (EOFError, OSError):
            result = self._verdict(worker, worker.given.popleft())
            self._waiting.extendleft(reversed(worker.given))
            worker.given.clear()
            worker.connection.close()
            self._workers[self._workers.index(worker)] = self._start()
        else:
            worker.given.popleft()
            self._pace.add(seconds)
        return result

    def _look_at(self, worker: _Worker) -> None:
        """Kill *worker* if its bot is far over its time."""
        seat, until = int(worker.tick[0]), worker.tick[1]
        if seat >= 0 and time.monotonic() > until + self._tournament.limits.grace_seconds:
            worker.blamed = seat
            worker.process.kill()

    def _verdict(self, worker: _Worker, pairing: Pairing) -> MatchResult:
        worker.process.join(self._end_seconds)
        closed = worker.process.exitcode is None
        if closed:  # a bot has closed its connection, and its process still runs
            worker.process.kill()
            worker.process.join()
        code = worker.process.exitcode
        if worker.blamed >= 0:
            text = f"no answer, and could not be interrupted; its process was killed ({code})"
            return forfeited(pairing, worker.blamed, results.SILENT, text)
        seat = int(worker.tick[0])
        why = f"the worker has ended (exit code {code})"
        if seat < 0:
            return set_aside(pairing, why)
        if closed or code == CLOSED:
            text = "the bot closed the connection of its process"
            return forfeited(pairing, seat, results.CRASH, text)
        if code == -signal.SIGKILL and killed_for_memory() > worker.killed_before:
            return set_aside(pairing, "the machine had no memory left")
        if code in KILLED:
            return set_aside(pairing, why, seat)
        text = f"the bot ended its process (exit code {code})"
        return forfeited(pairing, seat, results.CRASH, text)


def _has_ended(worker: _Worker) -> bool:
    return worker.process.exitcode is not None


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program's main module from processes that start in the ``with`` block.

    They would import it. Our workers need nothing of it; the command line takes as long to import
    as all that they need, and a script would have to guard its call of a tournament.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _work(connection: Connection, tick: Tick, tournament: Tournament, out: Path) -> None:
    """Play the matches that come over *connection* until it closes."""
    end_with_parent(os.getppid(), signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game = tournament.make_game()
    gc.freeze()  # what is there now stays
    watched = connection.fileno()

    while True:
        try:
            pairing = connection.recv()
        except (EOFError, OSError):
            return
        began = time.monotonic()
        try:
            result = play(tournament, game, pairing, out, tick, watched)
        except Exception as error:  # not a bot's: those are faults of the match
            result = set_aside(pairing, f"{type(error).__name__}: {error}")
        try:
            connection.send((result, time.monotonic() - began))
        except OSError:
            return
