"""A table in plain notation, for games without a drawing of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Answered, Command, Event
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import Value, field_names

if TYPE_CHECKING:
    from rich.console import RenderableType


def draw(game: Game, view: View, language: str) -> RenderableType:
    """Return every field of the view, by name."""
    from rich.table import Table

    table = Table(title=game.title_de if language == "de" else game.title, show_header=False)
    for part in (view.public, view.private):
        for name in field_names(type(part)):
            table.add_row(name, _text(game, name, getattr(part, name)))
    return table


def option_text(game: Game, view: View, command: Command[Any], language: str) -> str:
    """Return the command in notation."""
    return notation.write(command, game.labels)


def event_text(game: Game, event: Event, language: str) -> str | None:
    """Return the event in notation."""
    if isinstance(event, Answered):
        return None if event.command is None else notation.write(event.command, game.labels)
    name, *parts = notation.write(event, game.labels).split()
    return " ".join([name, *(p for p in parts if not p.startswith("rule="))])


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
