"""A child process of a Dask worker, which plays the matches that the worker is given.

``python -m taflhall_client.tournament.cluster_child`` reads a tournament and then one pairing after
the other from standard input, and writes results with the files of the matches; all are pickled.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing
from taflhall_client.tournament.workers import Workers

FOLDERS: Final = ("records", "evidence")
"""Where a match writes."""

Played = tuple[MatchResult, dict[str, bytes]]
"""A result, and the files of its match by their names."""

_of_thread: Final = threading.local()


class ChildEnded(Exception):
    """The child process has ended, which is no fault of a bot."""


class _Child:
    """A child process for the matches of one tournament."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament: Final = tournament
        self._process: Final = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._send(tournament)

    def play(self, pairing: Pairing) -> Played:
        """Return how the match of *pairing* ended, or raise :exc:`ChildEnded`."""
        assert self._process.stdout is not None
        try:
            self._send(pairing)
            played: Played = pickle.load(self._process.stdout)  # noqa: S301  # our own child
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self.end()
            raise ChildEnded(str(error)) from error
        return played

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None
        pickle.dump(value, self._process.stdin)
        self._process.stdin.flush()


def play(tournament: Tournament, pairing: Pairing) -> Played:
    """Play *pairing* in the child process of this thread; start one if there is none."""
    child: _Child | None = getattr(_of_thread, "child", None)
    if child is None or child.tournament != tournament:
        if child is not None:
            child.end()
        child = _of_thread.child = _Child(tournament)
    try:
        return child.play(pairing)
    except ChildEnded:
        _of_thread.child = None
        raise


def main() -> None:
    """Play what standard input says, until it ends."""
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # bots may print
    tournament: Tournament = pickle.load(source)  # noqa: S301  # written by our parent
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for name in FOLDERS:
            (out / name).mkdir()
        with Workers(tournament, out, 1) as workers:
            while True:
                try:
                    pairing: Pairing = pickle.load(source)  # noqa: S301
                except EOFError:
                    return
                ((result,),) = workers.play([pairing])
                files = [file for part in FOLDERS for file in (out / part).iterdir()]
                found = {str(file.relative_to(out)): file.read_bytes() for file in files}
                for file in files:
                    file.unlink()
                pickle.dump((result, found), answers)
                answers.flush()


if __name__ == "__main__":
    main()
