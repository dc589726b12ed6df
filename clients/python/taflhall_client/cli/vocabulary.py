"""``taflhall vocabulary``: a game's views, decisions, commands and events with their fields."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated

import typer

from taflhall_client.cli.common import GameName, UsageError, make_game
from taflhall_client.cli.output import say

if TYPE_CHECKING:
    from taflhall_engine.kernel.game import Game


def vocabulary(
    game: GameName,
    name: Annotated[str | None, typer.Argument(help="One class, such as PublicView.")] = None,
) -> None:
    """List the values of a game that a bot sees: each class with its fields, types and rule."""
    from taflhall_engine.kernel.agenda import Command, Event, Waiting

    known = make_game(game)
    if name is not None:
        if name not in known.types:
            raise UsageError(f"{known.title} has no class {name}")
        _describe(known, known.types[name])
        return
    kinds = list(known.types.values())
    values = [kind for kind in kinds if kind.__module__.endswith(".view")]
    for title, found in (
        ("Setup", [known.setup_kind]),
        ("Views", values),
        ("Decisions", [kind for kind in kinds if issubclass(kind, Waiting)]),
        ("Commands", [kind for kind in kinds if issubclass(kind, Command)]),
        ("Events", [kind for kind in kinds if issubclass(kind, Event)]),
    ):
        say(f"{title}\n")
        for kind in found:
            _describe(known, kind)


def _describe(game: Game, kind: type) -> None:
    rule = getattr(kind, "RULE", "")
    say(f"  {kind.__name__}{f'  ({rule})' if rule else ''}")
    for line in inspect.cleandoc(kind.__doc__ or game.rulebook.text(rule)).splitlines():
        say(f"    {line}".rstrip())
    for field in _parameters(kind):
        say(f"      {field}")
    say("")


def _parameters(kind: type) -> list[str]:
    """Return the fields of a class: the parameters of its constructor, with types and defaults."""
    from taflhall_engine.kernel.value import field_names

    if not field_names(kind):
        return []
    found = []
    for name, parameter in inspect.signature(kind).parameters.items():
        if parameter.annotation is inspect.Parameter.empty:
            found.append(name)
            continue
        text = str(parameter).replace("'", "")
        found.append(text)
    return found
