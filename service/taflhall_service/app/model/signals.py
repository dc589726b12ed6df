"""Signals about a match that are no part of it: a reaction of a seat, a change of presence.

A signal travels between servers and is kept nowhere.
"""

from __future__ import annotations

from typing import Final, NamedTuple

PRESENCE: Final = b"presence"
"""The signal that the presence of some seat may have changed."""

_REACTION: Final = b"reaction"


class SeatReaction(NamedTuple):
    """A reaction of a seat."""

    seat: int
    reaction: int
    """Its number in the contract."""


def reaction_signal(reaction: SeatReaction) -> bytes:
    """Return the signal that shows a reaction."""
    return b"%s %d %d" % (_REACTION, reaction.seat, reaction.reaction)


def read_reaction(signal: bytes) -> SeatReaction | None:
    """Return the reaction that a signal shows; ``None`` if it shows none."""
    word, *numbers = signal.split()
    if word != _REACTION or len(numbers) != 2:
        return None
    return SeatReaction(int(numbers[0]), int(numbers[1]))
