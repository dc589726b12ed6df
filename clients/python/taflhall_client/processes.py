"""Processes of our own that do not outlive us."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from types import FrameType, TracebackType
from typing import IO, Any, Final, Self

GRACE: Final = 10.0
"""Seconds that all processes together get to end by themselves."""

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Children:
    """Starts processes and ends them all when the ``with`` block is left, however it is.

    SIGINT and SIGTERM leave the block, but never between the birth of a process and its
    entry here, nor while the others are being ended. Each child leads a process group of its
    own, so that its children end with it; on Linux it ends even if this process is killed.
    """

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []
        self._before: dict[signal.Signals, Any] = {}
        self._busy = False
        self._late: int | None = None
        """A signal that came while we were busy."""

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._heard) for number in SIGNALS}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._busy = True
        running = [child for child in reversed(self._running) if child.poll() is None]
        for child in running:
            child.terminate()
        for child in running:
            try:
                child.wait(GRACE / len(running))
            except subprocess.TimeoutExpired:
                _kill(child)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def start(self, *args: str, log: IO[bytes] | int) -> subprocess.Popen[bytes]:
        """Start ``python -m ARGS``; its output goes to *log*."""
        self._busy = True
        try:
            child = subprocess.Popen(
                [sys.executable, "-m", "taflhall_client.exec_with_parent", str(os.getpid()), *args],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self._running.append(child)
        finally:
            self._busy = False
            late, self._late = self._late, None
        if late is not None:
            self._heard(late, None)
        return child

    def _heard(self, number: int, _: FrameType | None) -> None:
        if self._busy:
            self._late = number
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            raise SystemExit(128 + number)


def _kill(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
