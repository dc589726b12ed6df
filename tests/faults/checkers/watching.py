"""G6: the properties of a watch, one function each.

A *walk* is what one watcher received through all its streams. It stands at the revision of
the last message; a stream that was opened with a token begins where the token says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from taflhall.v1 import match_service_pb2 as pb
from tests.faults.history import History
from tests.faults.truth import Truth

REWOUND = pb.SNAPSHOT_CAUSE_HISTORY_REWOUND
COMPACTED = pb.SNAPSHOT_CAUSE_COMPACTED
FRESH = pb.SNAPSHOT_CAUSE_UNSPECIFIED


class Message(NamedTuple):
    """One message of a watch."""

    who: str
    stream: int
    first: bool
    """It is the first message of its stream."""
    start: int | None
    """The revision of the token with which the stream was opened; ``None`` without one."""
    before: int | None
    """The revision before it; ``None`` if there is none yet."""
    what: dict[str, Any]

    @property
    def revision(self) -> int:
        revision: int = self.what["revision"]
        return revision

    def __str__(self) -> str:
        what = self.what
        return f"{self.who} ({what['match']}, viewer {what['viewer']}), stream {self.stream}"


def ordered(history: History, truths: dict[str, Truth]) -> list[str]:
    """Revisions only grow, except by a snapshot that says why."""
    return [
        f"{message}: {message.revision} after {message.before}"
        for message in _messages(history)
        if message.before is not None
        and message.revision < message.before
        and message.what.get("cause") not in (REWOUND, COMPACTED)
    ]


def unique(history: History, truths: dict[str, Truth]) -> list[str]:
    """No change comes twice."""
    return [
        f"{message}: {message.revision} came again at {message.before}"
        for message in _messages(history)
        if message.what["update"] == "change"
        and message.before is not None
        and message.revision <= message.before
    ]


def reliable(history: History, truths: dict[str, Truth]) -> list[str]:
    """No change is left out, and in the end everybody knows the newest."""
    broken = [
        f"{message}: {message.revision} after {message.before}"
        for message in _messages(history)
        if message.what["update"] == "change"
        and message.before is not None
        and message.revision > message.before + 1
    ]
    for line in history.notes("behind"):
        what = line.what
        broken.append(
            f"{what['behind']}, viewer {what['viewer']}: at {what['at']}, newest {what['newest']}"
        )
    return broken


def atomic(history: History, truths: dict[str, Truth]) -> list[str]:
    """A command is never split: a change has all events that the viewer may know of it."""
    broken = []
    for message, expected in _changes(history, truths):
        if message.what["count"] != expected[1]:
            broken.append(
                f"{message}: {message.revision} has {message.what['count']} events of {expected[1]}"
            )
    return broken


def filtered(history: History, truths: dict[str, Truth]) -> list[str]:
    """A change is what the viewer may know of a command: nothing else, nothing less."""
    return [
        f"{message}: {message.revision} has other events than happened"
        for message, expected in _changes(history, truths)
        if message.what["count"] == expected[1] and message.what["events"] != expected[0]
    ]


def resumable(history: History, truths: dict[str, Truth]) -> list[str]:
    """A stream with a token continues right after it, or begins with a snapshot that says why.

    And it says COMPACTED or HISTORY_REWOUND only where that has happened.
    """
    allowed = {cause for line in history.notes("causes") for cause in line.what["causes"]}
    broken = []
    for message in _messages(history):
        if message.what["update"] != "snapshot":
            continue
        cause = message.what["cause"]
        if message.first and message.start is not None and cause == FRESH:
            broken.append(f"{message}: started over silently, though it had a token")
        if cause in (REWOUND, COMPACTED) and cause not in allowed:
            broken.append(f"{message}: cause {cause}, but nothing was lost")
    return broken


def bookmarkable(history: History, truths: dict[str, Truth]) -> list[str]:
    """A heartbeat names the newest revision that has been delivered."""
    return [
        f"{message}: a heartbeat at {message.revision}, delivered up to {message.before}"
        for message in _messages(history)
        if message.what["update"] == "heartbeat" and message.revision != message.before
    ]


def snapshot_consistent(history: History, truths: dict[str, Truth]) -> list[str]:
    """A view is that of its revision, in a snapshot as in a change."""
    broken = []
    for message in _messages(history):
        truth = truths.get(message.what["match"])
        if truth is None or "view" not in message.what:
            continue
        expected = truth.views.get((message.what["viewer"], message.revision))
        if expected != message.what["view"]:
            broken.append(f"{message}: the view of {message.revision} is not that of its commands")
    return broken


def _changes(
    history: History, truths: dict[str, Truth]
) -> Iterator[tuple[Message, tuple[str, int]]]:
    for message in _messages(history):
        truth = truths.get(message.what["match"])
        if message.what["update"] == "change" and truth is not None:
            yield (
                message,
                truth.events.get((message.what["viewer"], message.revision), ("nothing", 0)),
            )


def _messages(history: History) -> Iterator[Message]:
    start: dict[int, int | None] = {}
    position: dict[int, int | None] = {}
    heard: dict[int, int] = defaultdict(int)
    for line in history.lines:
        if line.kind == "invoke" and line.what["method"] == "WatchMatch":
            start[line.op] = position[line.op] = line.what["start"]
        elif line.kind == "message":
            stream = line.op
            yield Message(
                line.who, stream, heard[stream] == 0, start[stream], position[stream], line.what
            )
            heard[stream] += 1
            position[stream] = line.what["revision"]
