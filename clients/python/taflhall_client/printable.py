"""Other people's text, made printable: names, titles and messages come from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taflhall_client.results import MatchInfo


def names_of(info: MatchInfo) -> list[str]:
    """Return the printable name of each seat's player; empty for a free seat."""
    return [literal(seat.name) for seat in info.seats]


def literal(text: str) -> str:
    r"""Return *text* with its control characters made visible, as in ``\x1b``."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)
