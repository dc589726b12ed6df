"""A table field by field, for games without a drawing of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import Value, field_names
from taflhall_wire.texts import Texts

if TYPE_CHECKING:
    from rich.console import RenderableType

QUIET: Final[frozenset[str]] = frozenset()


def draw(texts: Texts, view: View) -> RenderableType:
    """Return every field of the view, by name."""
    from rich.table import Table

    game = texts.game
    table = Table(title=texts.title(), show_header=False)
    for part in (view.public, view.private):
        for name in field_names(type(part)):
            table.add_row(name, _text(game, name, getattr(part, name)))
    return table


def summary(texts: Texts, view: View) -> RenderableType:
    """Return the name of the game."""
    return texts.title()


def _text(game: Game, name: str, value: Any) -> str:
    if isinstance(value, list) and any(isinstance(v, Value) for v in value):
        return "\n".join(_text(game, name, v) for v in value)
    if isinstance(value, Value):
        try:
            return notation.write(value, game.labels)
        except (IndexError, TypeError):
            return repr(value)
    names = game.labels.get(name)
    if names and isinstance(value, int) and 0 <= value < len(names):
        return names[value]
    return str(value)
