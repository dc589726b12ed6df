"""How clocks look in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from taflhall_client.clocks import SeatClock, TimeControl
from taflhall_client.terminal import seat_name
from taflhall_client.terminal.words import words


def time_control_text(time_control: TimeControl, language: str) -> str:
    """Return how much time there is, and what happens when it is over."""
    policy = time_control.on_timeout.name.lower()
    return words(f"time_control.{policy}", language, time=time_control)


def clocks_text(
    clocks: Sequence[SeatClock],
    names: list[str],
    language: str,
    now: float | None = None,
) -> str:
    """Return how much time each seat has left, ``*`` where the clock runs; empty without clocks."""
    parts = []
    for clock in clocks:
        left = time_text(clock.left(now))
        if clock.stand_in:
            left = words("stand_in_plays", language)
        running = "*" if clock.deadline is not None else ""
        parts.append(f"{seat_name(names, clock.seat, language)} {left}{running}")
    if any(clock.paused for clock in clocks):
        parts.append(words("clocks_paused", language))
    return " | ".join(parts)


def time_text(seconds: float) -> str:
    """Return a length of time as a clock shows it: ``1:05:09``, ``9:58``, ``0:03.4``."""
    if seconds < 10:
        tenths = int(seconds * 10)
        return f"0:0{tenths // 10}.{tenths % 10}"
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    if hours:
        return f"{hours}:{minutes:02}:{whole % 60:02}"
    return f"{minutes}:{whole % 60:02}"
