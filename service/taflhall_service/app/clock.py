"""Time in a match: what the store's clock says, and nothing else.

A server's own clock is never asked: servers may differ, and may be set. What a use case needs
of the time is passed in as a :class:`Moment`.
"""

from __future__ import annotations

from typing import NamedTuple


class Moment(NamedTuple):
    """A time by the store's clock."""

    ms: int
    """Milliseconds since 1970."""
