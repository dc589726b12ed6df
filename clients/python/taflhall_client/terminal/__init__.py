"""How a table looks in a terminal.

Each game has a module of its own, ``taflhall_client.terminal.<game>``, with three functions:
``draw(game, view, language)``, ``option_text(game, view, command, language)`` and
``event_text(game, event, language)``; a game without one is shown in notation.
:func:`drawing` finds them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from taflhall_engine.kernel.agenda import (
    Abandoned,
    Answered,
    Command,
    Event,
    Resigned,
    TimedOut,
    Undone,
)
from taflhall_engine.kernel.game import Game, Result, View

if TYPE_CHECKING:
    from rich.console import RenderableType


class Drawing(Protocol):
    """What a game's terminal module offers; languages are ``en`` and ``de``."""

    def draw(self, game: Game, view: View, language: str) -> RenderableType:
        """Return the table as *view* shows it."""
        ...

    def option_text(self, game: Game, view: View, command: Command[Any], language: str) -> str:
        """Return an option in words."""
        ...

    def event_text(self, game: Game, event: Event, language: str) -> str | None:
        """Return what happened in words; ``None`` if it is not worth a line."""
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


def event_text(game: Game, event: Event, names: list[str], language: str) -> str | None:
    """Return an event as a line with its rule number; ``None`` if it is not worth one."""
    german = language == "de"
    if isinstance(event, Resigned):
        return f"{seat_name(names, event.seat)} {'gibt auf' if german else 'resigns'}"
    if isinstance(event, TimedOut):
        who = seat_name(names, event.seat)
        return f"Die Zeit von {who} ist um" if german else f"{who} is out of time"
    if isinstance(event, Undone):
        return _undone(seat_name(names, event.seat), event.back, german)
    if isinstance(event, Abandoned):
        return "Die Partie wird abgebrochen" if german else "The match is abandoned"
    if isinstance(event, Answered) and event.command is None:
        verb = "hat sich entschieden" if german else "has decided"
        return f"{seat_name(names, event.seat)} {verb}"
    text = drawing(game).event_text(game, event, language)
    if text is None:
        return None
    rule = str(getattr(event, "rule", ""))
    if isinstance(event, Answered):
        text = f"{seat_name(names, event.seat)}: {text}"
    return f"{text}  ({rule})" if rule else text


def _undone(who: str, back: int, german: bool) -> str:
    if german:
        what = "eine Antwort" if back == 1 else f"{back} Antworten"
        return f"{what} zurückgenommen, wie {who} es wollte"
    return f"{back} answer{'' if back == 1 else 's'} taken back, as {who} asked"


def seat_name(names: list[str], seat: int) -> str:
    """Return who sits at *seat*."""
    return names[seat] if 0 <= seat < len(names) and names[seat] else f"seat {seat}"


def result_lines(names: list[str], result: Result, language: str) -> list[str]:
    """Return how a match ended, one line for each seat, the best first.

    One that was given up has no places: only the reason is told.
    """
    german = language == "de"
    lines = []
    for seat in sorted(range(len(result.places)), key=lambda seat: result.places[seat]):
        word = ("gewinnt" if german else "wins") if result.won[seat] else ""
        word = word or ("verliert" if german else "loses")
        points = ""
        if seat < len(result.scores):
            points = f", {result.scores[seat]} {'Punkte' if german else 'points'}"
        place = f"{'Platz' if german else 'place'} {result.places[seat]}"
        lines.append(f"{seat_name(names, seat)} {word} ({place}{points})")
    if result.npc is not None:
        won = "gewinnt" if german else "wins"
        word = won if result.npc.won else "verliert" if german else "loses"
        points = "Punkte" if german else "points"
        lines.append(f"NPC ({result.npc.name}) {word} ({result.npc.score} {points})")
    if result.reasons:
        lines.append(f"{'Grund' if german else 'reason'}: {', '.join(result.reasons)}")
    return lines
