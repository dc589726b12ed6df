"""How a table looks in a terminal, and what happens there.

Texts come from :mod:`taflhall_wire.texts`. What a game may add is a drawing of its table, a
module ``taflhall_client.terminal.<game>`` with ``draw(texts, view)``, ``summary(texts, view)`` and
``QUIET``; a game without one is shown field by field.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from taflhall_client.terminal.words import words
from taflhall_engine.kernel.agenda import Answered, Event
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_wire.texts import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType


class Drawing(Protocol):
    """The interface of a game's terminal module."""

    QUIET: frozenset[str]
    """Classes of events and answers that are not worth a line of their own."""

    def draw(self, texts: Texts, view: View) -> RenderableType:
        """Return the table as *view* shows it."""
        ...

    def summary(self, texts: Texts, view: View) -> RenderableType:
        """Return in a few lines of 76 characters what has to be seen to choose."""
        ...


def drawing(game: Game) -> Drawing:
    """Return the drawing of *game*, or the plain one if it has none."""
    name = f"taflhall_client.terminal.{game.id}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        module = import_module("taflhall_client.terminal.plain")
    return cast("Drawing", module)


def draw(game: Game, view: View, names: Sequence[str], language: str) -> RenderableType:
    """Return the table as *view* shows it."""
    return drawing(game).draw(texts_of(game, names, language), view)


def event_text(game: Game, event: Event, names: Sequence[str], language: str) -> str | None:
    """Return an event as a line with its rule number; ``None`` if it is not worth one."""
    line = event_line(texts_of(game, names, language), event)
    if line is None:
        return None
    text, rule = line
    return f"{text}  ({rule})" if rule else text


def event_line(texts: Texts, event: Event) -> tuple[str, str] | None:
    """Return the text of an event and its rule number; ``None`` if it is not worth a line."""
    quiet = drawing(texts.game).QUIET
    if isinstance(event, Answered):
        if event.forced or type(event.command).__name__ in quiet:
            return None
    elif type(event).__name__ in quiet:
        return None
    return texts.event(event), str(getattr(event, "rule", ""))


def result_lines(game: Game, names: Sequence[str], result: Result, language: str) -> list[str]:
    """Return how a match ended, one line for each seat, the best first, then the reasons."""
    return texts_of(game, names, language).result_lines(result)


def texts_of(game: Game, names: Sequence[str], language: str) -> Texts:
    """Return the texts of a match, with the names of those who sit at the table."""
    return _texts(game, tuple(names), language)


@lru_cache(64)
def _texts(game: Game, names: tuple[str, ...], language: str) -> Texts:
    return Texts(game, language, names)


def seat_name(names: Sequence[str], seat: int, language: str = "en") -> str:
    """Return the player's name at *seat*, without a game."""
    if 0 <= seat < len(names) and names[seat]:
        return names[seat]
    return words("seat", language, seat=seat)
