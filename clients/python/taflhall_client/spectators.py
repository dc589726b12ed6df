"""Spectator settings of a hosted match: live, delayed, or none.

As text it is ``public``, ``none`` or ``delayed:60s``; lengths are written as for clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from taflhall_client.clocks import TimeControl, parse_time_control


class SpectatorPolicy(Enum):
    """Who may watch the match without playing in it."""

    PUBLIC = 1
    """Everybody, at once."""
    DELAYED = 2
    """Everybody, with a delay: they see the match as it was then."""
    NONE = 3
    """No spectators; a player who knows its id may still join."""


@dataclass(frozen=True, slots=True)
class SpectatorSettings:
    """Who may watch a match, and with which delay."""

    policy: SpectatorPolicy = SpectatorPolicy.PUBLIC
    delay: float = 0.0
    """How many seconds late they see it, 1 to 3600; 0 unless they are delayed."""

    def __str__(self) -> str:
        name = self.policy.name.lower()
        if self.policy is SpectatorPolicy.DELAYED:
            return f"{name}:{TimeControl(self.delay)}"
        return name


PUBLIC = SpectatorSettings()
NONE = SpectatorSettings(SpectatorPolicy.NONE)


def delayed(seconds: float) -> SpectatorSettings:
    """Return the settings for a delay of that many seconds."""
    return SpectatorSettings(SpectatorPolicy.DELAYED, seconds)


def parse_spectators(text: str) -> SpectatorSettings:
    """Return the spectators that *text* says, or raise ``ValueError``."""
    name, colon, length = text.partition(":")
    if not colon and name in ("public", "none"):
        return PUBLIC if name == "public" else NONE
    try:
        found = parse_time_control(length) if name == "delayed" else None
    except ValueError:
        found = None
    if found is None or found != TimeControl(found.base):
        raise ValueError(f"{text!r} is not a spectator setting: write public, none or delayed:60s")
    return delayed(found.base)
