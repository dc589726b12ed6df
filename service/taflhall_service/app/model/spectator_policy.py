"""Spectator policies of a match: live, delayed, or none."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import msgspec

MIN_DELAY_MS: Final = 1000
MAX_DELAY_MS: Final = 3_600_000


class SpectatorPolicy(IntEnum):
    """Who may watch without a seat."""

    PUBLIC = 1
    """Everybody, at once."""
    DELAYED = 2
    """Everybody, but late."""
    NONE = 3
    """No spectators."""


class SpectatorSettings(msgspec.Struct, frozen=True, array_like=True):
    """Who may watch a match without a seat, and how late."""

    policy: SpectatorPolicy = SpectatorPolicy.PUBLIC
    delay_ms: int = 0
    """How late they see it, in milliseconds; 0 unless it is :attr:`SpectatorPolicy.DELAYED`."""


PUBLIC_SPECTATORS: Final = SpectatorSettings()
