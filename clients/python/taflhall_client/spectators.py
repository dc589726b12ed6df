"""Who may look on at a hosted match: everybody, everybody but late, or nobody.

As text it is ``public``, ``none`` or ``delayed:60s``; lengths are written as for clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import match_pb2
from taflhall_client.clocks import Clock, clock_of


class Audience(Enum):
    """Who may look on without having a part in the match."""

    PUBLIC = 1
    """Everybody, at once."""
    DELAYED = 2
    """Everybody, but late: all that is told of the match is as it was then."""
    NONE = 3
    """Nobody; whoever knows its id may still join."""


@dataclass(frozen=True, slots=True)
class Spectators:
    """Who may look on at a match, and how late."""

    audience: Audience = Audience.PUBLIC
    delay: float = 0.0
    """How many seconds late they see it, 1 to 3600; 0 unless they are delayed."""

    def __str__(self) -> str:
        name = self.audience.name.lower()
        return f"{name}:{Clock(self.delay)}" if self.audience is Audience.DELAYED else name


PUBLIC = Spectators()
NONE = Spectators(Audience.NONE)


def delayed(seconds: float) -> Spectators:
    """Return spectators who see a match so many seconds late."""
    return Spectators(Audience.DELAYED, seconds)


def spectators_of(text: str) -> Spectators:
    """Return the spectators that *text* says, or raise ``ValueError``."""
    name, colon, length = text.partition(":")
    if not colon and name in ("public", "none"):
        return PUBLIC if name == "public" else NONE
    try:
        found = clock_of(length) if name == "delayed" else None
    except ValueError:
        found = None
    if found is None or found != Clock(found.base):
        raise ValueError(f"{text!r} are no spectators: say public, none or delayed:60s")
    return delayed(found.base)


def spectators_to(spectators: Spectators) -> match_pb2.SpectatorSettings:
    """Return spectators as a message."""
    delay = Duration()
    delay.FromMilliseconds(round(spectators.delay * 1000))
    return match_pb2.SpectatorSettings(
        policy=match_pb2.SpectatorPolicy.ValueType(spectators.audience.value),
        delay=delay if spectators.audience is Audience.DELAYED else None,
    )


def spectators_from(message: match_pb2.SpectatorSettings) -> Spectators:
    """Return the spectators that a message says; a policy of a newer server counts as none."""
    known = {audience.value: audience for audience in Audience} | {0: Audience.PUBLIC}
    delay = message.delay.ToMilliseconds() / 1000
    return Spectators(known.get(message.policy, Audience.NONE), delay)
