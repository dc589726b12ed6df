"""The games. To add one, add its line here (``docs/adding-a-game.md``)."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Final

from taflhall_engine.kernel.game import Game

GAMES: Final = {
    "champions": "taflhall_engine.champions.game:Champions",
    "ice_garden": "taflhall_engine.ice_garden.game:IceGarden",
    "yggdrasil": "taflhall_engine.yggdrasil.game:Yggdrasil",
}


class UnknownGame(Exception):
    """Unknown game."""


_data: Path | None = None


def use_data(folder: Path | None) -> None:
    """Let :func:`game` use the component data of *folder* where no other folder is named.

    Call it once, before the process makes a game. Raise :exc:`InvalidData` if the data of any game
    is invalid.
    """
    global _data  # noqa: PLW0603
    for place in GAMES.values():
        _made(place, folder)
    _data = folder


def game(name: str, data: Path | None = None) -> Game:
    """Return the game called *name*, with the component data of the folder *data*.

    Without a folder it is that of :func:`use_data`, else the data are those that are shipped. Raise
    :exc:`UnknownGame`, or :exc:`InvalidData` if the data are invalid.
    """
    place = GAMES.get(name)
    if place is None:
        raise UnknownGame(f"unknown game {name!r}; known are {', '.join(GAMES)}")
    return _made(place, data or _data)


@lru_cache(maxsize=16)
def _made(place: str, data: Path | None) -> Game:
    module, _, kind = place.partition(":")
    made = getattr(import_module(module), kind)(data)
    assert isinstance(made, Game)
    return made
