"""Clocks of a hosted match: how much time there is, and how much is left.

Settings have a short text: ``10m+5s`` is ten minutes and five seconds more for each answer,
``10m+5s/30s`` adds thirty free seconds for each decision before the bank is charged. Units are
``s``, ``m``, ``h`` and ``d``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from time import monotonic
from typing import Final


class TimeoutPolicy(Enum):
    """What the server does for a seat whose time has run out."""

    NEUTRAL = 1
    """The rules' neutral answer is given for it."""
    STAND_IN = 2
    """A server-side stand-in plays for it until it is back."""
    FORFEIT = 3
    """It has lost."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time the seats of a match have, in seconds.

    The server refuses lengths out of range with :exc:`~taflhall_client.errors.InvalidTimeControl`.
    """

    base: float
    """The bank of each seat at the start."""
    increment: float = 0.0
    """Added to the bank for each answer."""
    per_decision: float = 0.0
    """How long each decision may take before anything is charged."""
    on_timeout: TimeoutPolicy = TimeoutPolicy.NEUTRAL

    def __str__(self) -> str:
        text = _length(self.base)
        if self.increment:
            text += f"+{_length(self.increment)}"
        return f"{text}/{_length(self.per_decision)}" if self.per_decision else text


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of one seat, as it was when it was received."""

    seat: int
    bank: float
    """Seconds in the bank when it was last charged."""
    deadline: datetime | None
    """When its time runs out unless it answers, by the server; ``None`` while it does not run."""
    paused: bool
    """All clocks are paused, because a server shuts down."""
    stand_in: bool
    """A server-side stand-in plays for the seat."""
    remaining: float = field(compare=False)
    """Seconds that were left when it was received."""
    received: float = field(default_factory=monotonic, compare=False, repr=False)
    """When it was received, by this process's monotonic clock."""

    def left(self, now: float | None = None) -> float:
        """Return how many seconds the seat has left; *now* is by default the monotonic clock's."""
        if self.deadline is None:
            return self.remaining
        return max(0.0, self.remaining - ((monotonic() if now is None else now) - self.received))


MAX_SECONDS: Final = 10_000 * 365 * 86400.0
"""The longest time that a time control can say."""

_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LENGTH: Final = r"((?:\d+(?:\.\d+)?[smhd])+)"
_CLOCK: Final = re.compile(f"{_LENGTH}(?:\\+{_LENGTH})?(?:/{_LENGTH})?", re.ASCII)


def parse_time_control(text: str, on_timeout: TimeoutPolicy = TimeoutPolicy.NEUTRAL) -> TimeControl:
    """Return the settings that *text* says, or raise ``ValueError``."""
    found = _CLOCK.fullmatch(text.replace(" ", ""))
    if found is None:
        raise ValueError(f"{text!r} is not a time control: write 10m, 10m+5s or 10m+5s/30s")
    base, increment, free = (_seconds(part or "") for part in found.groups())
    if max(base, increment, free) > MAX_SECONDS:
        raise ValueError(f"{text!r} is more than {_length(MAX_SECONDS)}")
    return TimeControl(base, increment, free, on_timeout)


def _seconds(text: str) -> float:
    parts = re.findall(r"([\d.]+)([smhd])", text)
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def _length(seconds: float) -> str:
    text, left = "", seconds
    for unit in ("d", "h", "m"):
        number, left = divmod(left, _SECONDS[unit])
        if number:
            text += f"{number:.0f}{unit}"
    return f"{text}{left:g}s" if left or not text else text
