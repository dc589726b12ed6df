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
    """There is no game of that name here."""


@lru_cache(maxsize=16)
def game(name: str, data: Path | None = None) -> Game:
    """Return the game called *name*, with its own data or that of the folder *data*.

    Raise :exc:`UnknownGame`, or :exc:`InvalidData` if the data makes no game.
    """
    place = GAMES.get(name)
    if place is None:
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(GAMES)}")
    module, _, kind = place.partition(":")
    made = getattr(import_module(module), kind)(data)
    assert isinstance(made, Game)
    return made
