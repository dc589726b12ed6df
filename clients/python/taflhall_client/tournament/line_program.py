"""A program that reads and writes lines of JSON, contained and with a time limit for each line."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any, Final, Self

from taflhall_client.tournament.description import Limits
from taflhall_client.tournament.results import SHOWN, shortened

MAX_LINE: Final = 65536
"""Bytes of the longest line that a program may write."""
TAIL: Final = 4096
"""Bytes of standard error that are kept as evidence."""
_to_json: Final = json.JSONEncoder(separators=(",", ":")).encode
GRACE: Final = 0.5
"""Seconds that a program gets to exit after the end."""


class ProtocolError(Exception):
    """The program wrote something that the protocol does not allow here."""

    def __init__(self, text: str) -> None:
        super().__init__(shortened(text))


class BotSilent(Exception):
    """The program did not answer in time, or did not read what it was sent."""


class BotEnded(Exception):
    """The program has ended, or closed its input or output."""

    def __init__(self, text: str, last_line: str = "") -> None:
        super().__init__(text)
        self.last_line: Final = last_line
        """The last line that it wrote to standard error, cut to :data:`SHOWN` characters."""


class LineProgram:
    """A contained program. Enter it as a context to start the program and to end it."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._command: Final = list(command)
        self._limits: Final = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._buffer = b""
        self._lines: deque[str] = deque(maxlen=6)
        self.cpu_seconds = 0.0
        """The processor time of the program and its processes, known once it has ended."""

    def __enter__(self) -> Self:
        limits = self._limits
        self._errors = tempfile.TemporaryFile()
        contained = [
            sys.executable,
            "-m",
            "taflhall_client.tournament.contained",
            str(os.getpid()),
            str(limits.memory_mib),
            str(limits.cpu_seconds),
            str(limits.processes),
            *self._command,
        ]
        self._process = subprocess.Popen(
            contained,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._selector.register(self._process.stdout, selectors.EVENT_READ)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        process = self._process
        if process is not None:
            self.exit_status(GRACE)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            self._wait(None)
            if process.stdout is not None:
                process.stdout.close()
        self._selector.close()

    @property
    def killed(self) -> bool:
        """Whether SIGKILL has ended the program."""
        return self._process is not None and self._process.returncode == -signal.SIGKILL

    @property
    def transcript(self) -> str:
        """The last lines sent and received."""
        return "\n".join(self._lines)

    @property
    def unread(self) -> bytes:
        """What the program wrote and did not end with a newline, or nobody has read."""
        return self._buffer[:TAIL]

    @property
    def stderr_tail(self) -> str:
        """The end of what the program wrote to standard error."""
        if self._errors is None:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - TAIL))
        return self._errors.read().decode(errors="replace")

    def exit_status(self, seconds: float) -> int | None:
        """Close the program's input; return how it ends, ``None`` if it does not in *seconds*.

        A negative number is the signal that ended it.
        """
        process = self._process
        assert process is not None
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        try:
            return self._wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def send(self, message: dict[str, Any], seconds: float = GRACE) -> None:
        """Write a message.

        Raise :exc:`BotEnded`, or :exc:`BotSilent` if it is not read in *seconds*.
        """
        self.send_line(_to_json(message), seconds)

    def send_line(self, line: str, seconds: float = GRACE) -> None:
        """Write any line; the same as :meth:`send`."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._lines.append(f"> {line[:2000]}")
        pipe = self._process.stdin.fileno()
        left = line.encode() + b"\n"
        try:
            left = left[_written(pipe, left) :]
            if left:  # the pipe is full
                self._write_rest(pipe, left, seconds)
        except OSError:
            raise self._ended() from None

    def _write_rest(self, pipe: int, content: bytes, seconds: float) -> None:
        poll, end = select.poll(), time.monotonic() + seconds
        poll.register(pipe, select.POLLOUT)
        while content:
            left = end - time.monotonic()
            if left <= 0 or not poll.poll(1000 * left):
                raise BotSilent(f"it has not read within {seconds:g} s what it was sent")
            content = content[_written(pipe, content) :]

    def receive(self, seconds: float) -> dict[str, Any]:
        """Return the next message.

        Raise :exc:`ProtocolError`, :exc:`BotSilent` after *seconds*, or :exc:`BotEnded`.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_LINE:
                raise ProtocolError(f"a line has more than {MAX_LINE} bytes")
            left = end - time.monotonic()
            if left <= 0 or not self._selector.select(left):
                raise BotSilent(f"no answer within {seconds:g} s")
            got = os.read(self._process.stdout.fileno(), 65536)
            if not got:
                raise self._ended()
            self._buffer += got
        raw, _, self._buffer = self._buffer.partition(b"\n")
        self._lines.append(f"< {raw[:2000].decode(errors='replace')}")
        try:
            answer = json.loads(raw)
        except (ValueError, RecursionError):
            raise ProtocolError(f"not a line of JSON: {raw[:200]!r}") from None
        if not isinstance(answer, dict):
            raise ProtocolError(f"a line is one JSON object, not {raw[:200]!r}")
        return answer

    def _ended(self) -> BotEnded:
        try:
            status = self._wait(GRACE)
        except subprocess.TimeoutExpired:
            text = "the program has closed its output"
        else:
            ended = f"by signal {-status}" if status < 0 else f"with status {status}"
            text = f"the program has ended {ended}"
        return BotEnded(text, self.stderr_tail.rstrip().rpartition("\n")[2][:SHOWN])

    def _wait(self, seconds: float | None) -> int:
        """Wait for the program to end, and add its processor time."""
        assert self._process is not None
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            return self._process.wait(seconds)
        finally:
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.cpu_seconds += after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _written(pipe: int, content: bytes) -> int:
    """Return how much of *content* went into a *pipe* that does not block."""
    try:
        return os.write(pipe, content)
    except BlockingIOError:
        return 0
