"""A program that reads and writes lines of JSON, contained and with a time limit for each line."""

from __future__ import annotations

import contextlib
import json
import os
import resource
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

MAX_LINE: Final = 65536
"""Bytes of the longest line that a program may write."""
TAIL: Final = 4096
"""Bytes of standard error that are kept as evidence."""
_to_json: Final = json.JSONEncoder(separators=(",", ":")).encode
SHOWN: Final = 200
"""The most characters of a line of standard error that a report shows."""
GRACE: Final = 0.5
"""Seconds that a program gets to exit after the end."""


class ProtocolError(Exception):
    """The program wrote something that the protocol does not allow here."""


class BotSilent(Exception):
    """The program did not answer in time."""


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
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        assert self._process.stdout is not None
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

    def send(self, message: dict[str, Any]) -> None:
        """Write a message, or raise :exc:`BotEnded`."""
        self.send_line(_to_json(message))

    def send_line(self, line: str) -> None:
        """Write any line, or raise :exc:`BotEnded`."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._lines.append(f"> {line[:2000]}")
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

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
        except ValueError:
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
