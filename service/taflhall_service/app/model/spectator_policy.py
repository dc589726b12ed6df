"""Who may look on at a match: everybody, everybody but late, or nobody."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import msgspec

LEAST_DELAY_MS: Final = 1000
MOST_DELAY_MS: Final = 3_600_000


class Policy(IntEnum):
    """Who may look on."""

    PUBLIC = 1
    """Everybody, at once."""
    DELAYED = 2
    """Everybody, but late."""
    NONE = 3
    """Nobody."""


class Audience(msgspec.Struct, frozen=True, array_like=True):
    """The spectators of a match."""

    policy: Policy = Policy.PUBLIC
    delay: int = 0
    """How late they see it, in milliseconds; 0 unless it is :attr:`Policy.DELAYED`."""


PUBLIC: Final = Audience()
