"""Processes of our own that do not outlive us."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from types import FrameType, TracebackType
from typing import IO, Final, Self

GRACE: Final = 5.0
"""Seconds that a process gets to end by itself."""


class Children:
    """Starts processes and ends them all when the ``with`` block is left, however it is.

    A SIGTERM to this process leaves the block too. Each child leads a process group of its
    own, so that its children end with it.
    """

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []
        self._before: object = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGTERM, _leave)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for child in reversed(self._running):
            if child.poll() is None:
                child.terminate()
        for child in reversed(self._running):
            try:
                child.wait(GRACE)
            except subprocess.TimeoutExpired:
                self._kill(child)
        signal.signal(signal.SIGTERM, self._before)  # type: ignore[arg-type]

    def start(self, *args: str, log: IO[bytes] | int) -> subprocess.Popen[bytes]:
        """Start ``python -m ARGS``; what it prints goes to *log*."""
        child = subprocess.Popen(
            [sys.executable, "-m", *args],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self._running.append(child)
        return child

    def _kill(self, child: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.wait()


def _leave(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)


def free_port() -> int:
    """Return a port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
