"""Bots, and how to find one by name.

* ``random``: any option, each equally likely;
* ``heuristic``: the game's own, ``taflhall_client.bots.<game>:Heuristic``;
* ``search``: information-set Monte-Carlo tree search, for every game;
* ``module:Class``: yours, also out of the working folder. It is made as ``Class(game, seed=0)``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, Final

from taflhall_client.bot import Bot
from taflhall_engine.kernel.game import Game

NAMES: Final = ("random", "heuristic", "search")


class UnknownBot(Exception):
    """The bot is unknown, or cannot be created."""


def load(name: str, game: Game, seed: int = 0, options: Mapping[str, Any] | None = None) -> Bot:
    """Return a new bot called *name* for *game*, or raise :exc:`UnknownBot`.

    *options* are further keyword arguments of its class.
    """
    make, place = find(name, game), _place_of(name, game)
    try:
        bot = make(game, seed=seed, **(options or {}))
    except TypeError as error:
        raise _not_made(place, error) from None
    if not callable(getattr(bot, "choose", None)):
        raise UnknownBot(f"{place} has no method choose(view, decision)")
    return bot  # type: ignore[no-any-return]


def look_up(name: str, game: Game, options: Mapping[str, Any]) -> None:
    """Raise :exc:`UnknownBot` if :func:`load` would for want of a class or of its *options*.

    The class is not called: nothing is known about what it does with its arguments.
    """
    make, place = find(name, game), _place_of(name, game)
    try:
        parameters = signature(make)
    except (TypeError, ValueError):  # written in C, for instance
        return
    try:
        parameters.bind(game, seed=0, **options)
    except TypeError as error:
        raise _not_made(place, error) from None


def find(name: str, game: Game) -> Callable[..., Any]:
    """Return the class of the bots called *name*, or raise :exc:`UnknownBot`."""
    place = _place_of(name, game)
    module, colon, kind = place.partition(":")
    if not colon:
        raise UnknownBot(f"a bot is {', '.join(NAMES)} or module:Class, not {name!r}")
    if place == name and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)  # last, so that nothing there shadows a library
    try:
        return getattr(import_module(module), kind)  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        if name == "heuristic" and error.name == module:
            raise UnknownBot(f"{game.title} has no heuristic bot") from None
        raise UnknownBot(f"{place}: {error}") from None
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownBot(f"{place}: {error}") from None


def _place_of(name: str, game: Game) -> str:
    """Return the ``module:Class`` of the bots called *name*."""
    return {
        "random": "taflhall_client.bots.random:Random",
        "heuristic": f"taflhall_client.bots.{game.id}:Heuristic",
        "search": "taflhall_client.bots.search:Search",
    }.get(name, name)


def _not_made(place: str, error: TypeError) -> UnknownBot:
    kind = place.partition(":")[2]
    return UnknownBot(f"{place} cannot be made as {kind}(game, seed=0): {error}")


def best_name(game: Game) -> str:
    """Return the name of the game's best bot: ``heuristic``, or ``random`` if it has none."""
    try:
        load("heuristic", game)
    except UnknownBot:
        return "random"
    return "heuristic"


def best(game: Game, seed: int = 0) -> Bot:
    """Return the game's heuristic bot, or a random one if it has none."""
    return load(best_name(game), game, seed)
