"""Bots that are programs of any language: JSON lines over standard input and output.

Version 1. Every line is one JSON object; the program answers each ``decide`` with one line and may
write anything to standard error. To the program::

    {"taflhall": 1, "type": "start", "game": "champions", "seat": 0, "setup": {...},
     "seconds": 10.0, "version": "..."}
    {"type": "decide", "id": 7, "seat": 0, "rule": "CM-5.1", "decision": "place_worker",
     "view": {...}, "options": [{"command": "sail shore=2 ...", "rule": "CM-5.4"}, ...]}
    {"type": "end", "places": [1, 2], "won": [true, false], "scores": [61, 48]}

From the program::

    {"type": "ready"}                      after start; "view": false spares the views
    {"id": 7, "option": 3}                 or {"id": 7, "command": "sail shore=2 ..."}
    {"id": 7, "resign": true}

``view`` holds the fields of the game's ``PublicView`` and ``PrivateView`` as ``public`` and
``private``; commands are in the notation of records. Unknown fields are to be ignored. A program
that closes its output, writes something else, or is silent beyond its time has failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, Any, Final, Self

from taflhall_client.bot import Decision, Resign
from taflhall_client.tournament.description import Limits
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names

VERSION: Final = 1
MAX_LINE: Final = 65536
"""Bytes of the longest line that a program may write."""
TAIL: Final = 4096
"""Bytes of standard error that are kept as evidence."""
GRACE: Final = 0.5
"""Seconds that a program gets to exit after the end."""


class ProtocolError(Exception):
    """The program wrote something that the protocol does not allow here."""


class BotSilent(Exception):
    """The program did not answer in time."""


class BotEnded(Exception):
    """The program has ended, or closed its input or output."""


class LineBot:
    """A program as a bot. Enter it as a context to start the program and to end it."""

    def __init__(
        self,
        command: Sequence[str],
        game: Game,
        seat: int,
        setup: Mapping[str, Any],
        limits: Limits,
    ) -> None:
        self._command: Final = list(command)
        self._game: Final = game
        self._seat: Final = seat
        self._setup: Final = dict(setup)
        self._limits: Final = limits
        self._views = True
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._buffer = b""
        self._lines: deque[str] = deque(maxlen=6)

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
            *self._command,
        ]
        self._process = subprocess.Popen(
            contained,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        try:
            assert self._process.stdout is not None
            self._selector.register(self._process.stdout, selectors.EVENT_READ)
            self._send(
                {
                    "taflhall": VERSION,
                    "type": "start",
                    "game": self._game.id,
                    "version": self._game.version,
                    "seat": self._seat,
                    "setup": self._setup,
                    "seconds": limits.decision_seconds,
                }
            )
            ready = self._receive(limits.start_seconds)
            if ready.get("type") != "ready":
                raise ProtocolError(f'after start comes {{"type": "ready"}}, not {ready}')
            self._views = ready.get("view", True) is not False
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        process = self._process
        if process is not None:
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            _kill(process)
            if process.stdout is not None:
                process.stdout.close()
        self._selector.close()

    @property
    def transcript(self) -> str:
        """The last lines sent and received."""
        return "\n".join(self._lines)

    @property
    def stderr_tail(self) -> str:
        """The end of what the program wrote to standard error."""
        if self._errors is None:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - TAIL))
        return self._errors.read().decode(errors="replace")

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the program's answer.

        Raise :exc:`ProtocolError`, :exc:`BotSilent`, :exc:`BotEnded`, or :exc:`Resign`.
        """
        self._number += 1
        game = self._game
        message: dict[str, Any] = {
            "type": "decide",
            "id": self._number,
            "seat": decision.seat,
            "rule": decision.rule,
            "decision": snake(type(decision.step).__name__),
        }
        if self._views:
            message["view"] = {"public": plain(view.public), "private": plain(view.private)}
        message["options"] = [
            {"command": notation.write(option, game.labels), "rule": option.RULE}
            for option in decision.options
        ]
        self._send(message)
        answer = self._receive(self._limits.decision_seconds)
        if answer.get("id") != self._number:
            raise ProtocolError(f"an answer has id {self._number}, not {answer.get('id')!r}")
        if answer.get("resign") is True:
            raise Resign
        return self._chosen(answer, message["options"], decision)

    def end(self, result: Result) -> None:
        """Send how the match ended; ignore a program that has ended."""
        message = {
            "type": "end",
            "places": result.places,
            "won": result.won,
            "scores": result.scores,
        }
        with contextlib.suppress(BotEnded):
            self._send(message)

    def _chosen(
        self, answer: dict[str, Any], offered: list[dict[str, str]], decision: Decision
    ) -> Command[Any]:
        index = answer.get("option")
        if isinstance(index, int) and not isinstance(index, bool):
            if 0 <= index < len(decision.options):
                return decision.options[index]
            raise ProtocolError(f"option is from 0 to {len(decision.options) - 1}, not {index}")
        words = answer.get("command")
        for option, written in zip(decision.options, offered, strict=True):
            if written["command"] == words:
                return option
        raise ProtocolError(f"neither an option nor a command that is offered: {answer}")

    # ---------------------------------------------------------------- lines

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        line = json.dumps(message, separators=(",", ":"))
        self._lines.append(f"> {line[:2000]}")
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise BotEnded(self._ended()) from None

    def _receive(self, seconds: float) -> dict[str, Any]:
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
                raise BotEnded(self._ended())
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

    def _ended(self) -> str:
        assert self._process is not None
        try:
            status = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "the program has closed its output"
        ended = f"by signal {-status}" if status < 0 else f"with status {status}"
        return f"the program has ended {ended}"


def plain(value: Any) -> Any:
    """Return *value* as JSON data: the fields of a value by name."""
    if isinstance(value, Value):
        return {name: plain(getattr(value, name)) for name in field_names(type(value))}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
