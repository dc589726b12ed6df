"""How clocks look in a terminal, in English and German."""

from __future__ import annotations

from collections.abc import Sequence

from taflhall_client.clocks import SeatClock, TimeControl, TimeoutPolicy
from taflhall_client.terminal import seat_name

_ON_TIMEOUT = {
    TimeoutPolicy.NEUTRAL: ("then: the neutral answer", "danach: die neutrale Antwort"),
    TimeoutPolicy.STAND_IN: ("then: a program plays on", "danach: ein Programm spielt weiter"),
    TimeoutPolicy.FORFEIT: ("then: the match is lost", "danach: die Partie ist verloren"),
}


def time_control_text(time_control: TimeControl, language: str) -> str:
    """Return how much time there is, and what happens when it is over."""
    german = language == "de"
    then = _ON_TIMEOUT[time_control.on_timeout][german]
    return f"{'Bedenkzeit' if german else 'time'} {time_control}, {then}"


def clocks_text(
    clocks: Sequence[SeatClock],
    names: list[str],
    language: str,
    now: float | None = None,
) -> str:
    """Return how much time each seat has left, ``*`` where the clock runs; empty without clocks."""
    german = language == "de"
    parts = []
    for clock in clocks:
        left = time_text(clock.left(now))
        if clock.stand_in:
            left = "ein Programm spielt" if german else "a program plays"
        running = "*" if clock.deadline is not None else ""
        parts.append(f"{seat_name(names, clock.seat, language)} {left}{running}")
    if any(clock.paused for clock in clocks):
        parts.append("die Uhren stehen" if german else "the clocks are paused")
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
