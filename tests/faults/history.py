"""What every client sent and received, line by line: all that the checkers read.

A line of the file is one JSON list ``[at, op, kind, who, what]``: nanoseconds since the
beginning, the number of the operation, and then

* ``invoke``: a call is sent; it ends with exactly one of
* ``ok``: answered, ``fail``: definitely refused, nothing has changed, ``unknown``: nobody knows,
  ``step``: answered, but it only began an answer of several steps, and nothing has changed;
* ``message``: one message of a stream that an ``invoke`` opened;
* ``note``: what the rig did (kills, rewinds) or saw.

A call that was still open when the run ended counts as unknown.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from google.protobuf.message import Message


class Line(NamedTuple):
    """One line of a history."""

    at: int
    op: int
    kind: str
    who: str
    what: dict[str, Any]


class Call(NamedTuple):
    """A unary call from its sending to its answer."""

    who: str
    sent: int
    ended: int
    """When the answer came; for an unknown outcome the end of time."""
    kind: str
    """``ok``, ``fail`` or ``unknown``."""
    asked: dict[str, Any]
    response: dict[str, Any]


NEVER: Final = 1 << 62


class History:
    """The lines of one run, in order, in memory and in *path* if there is one."""

    def __init__(self, path: Path | None = None) -> None:
        self.lines: list[Line] = []
        self._file = path.open("w", encoding="utf-8") if path is not None else None
        self._began = time.monotonic_ns()
        self._ops = 0

    def invoke(self, who: str, **what: Any) -> int:
        """Note that *who* sends a call; return the number of the operation."""
        self._ops += 1
        self._add(self._ops, "invoke", who, what)
        return self._ops

    def end(self, op: int, kind: str, who: str, **what: Any) -> None:
        """Note how an operation ended: ``ok``, ``fail`` or ``unknown``."""
        self._add(op, kind, who, what)

    def message(self, op: int, who: str, **what: Any) -> None:
        """Note one message of the stream *op*."""
        self._add(op, "message", who, what)

    def note(self, **what: Any) -> None:
        """Note what the rig did or saw."""
        self._add(0, "note", "rig", what)

    def close(self) -> None:
        """Write out what is not written yet."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def calls(self, *methods: str) -> Iterator[Call]:
        """Yield the unary calls of these methods (none: of all), in the order of their ends."""
        open_calls: dict[int, Line] = {}
        for line in self.lines:
            if line.kind == "invoke" and (not methods or line.what["method"] in methods):
                open_calls[line.op] = line
            elif line.kind in ("ok", "fail", "unknown") and line.op in open_calls:
                sent = open_calls.pop(line.op)
                ended = NEVER if line.kind == "unknown" else line.at
                yield Call(line.who, sent.at, ended, line.kind, sent.what, line.what)
            elif line.kind == "step":
                open_calls.pop(line.op, None)
        for sent in open_calls.values():
            yield Call(sent.who, sent.at, NEVER, "unknown", sent.what, {})

    def notes(self, name: str) -> list[Line]:
        """Return the notes that have *name*."""
        return [line for line in self.lines if line.kind == "note" and name in line.what]

    def _add(self, op: int, kind: str, who: str, what: dict[str, Any]) -> None:
        line = Line(time.monotonic_ns() - self._began, op, kind, who, what)
        self.lines.append(line)
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")


def read_history(path: Path) -> History:
    """Return the history that was written to *path*, to check it again."""
    history = History()
    with path.open(encoding="utf-8") as file:
        history.lines = [Line(*json.loads(text)) for text in file]
    return history


def digest(message: Message | bytes | str) -> str:
    """Return a digest that identifies a content in a history without showing it."""
    if isinstance(message, Message):
        message = message.SerializeToString(deterministic=True)
    if isinstance(message, str):
        message = message.encode()
    return blake2b(message, digest_size=8).hexdigest()
