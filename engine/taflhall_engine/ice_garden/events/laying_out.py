"""IG-3 Events of the set-up."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event


@final
class TileLaid(Event):
    """A tile was put face down into a region."""

    def __init__(self, rule: str, faction: int, region: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region


@final
class ThornPlaced(Event):
    """The Thorn was put up."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class ReservesPlaced(Event):
    """The magical reserves were revealed; *reserves* lists their regions."""

    def __init__(self, rule: str, reserves: list[int]) -> None:
        self.rule: Final = rule
        self.reserves: Final = reserves


@final
class TilesRevealed(Event):
    """The tiles were turned face up: the tile number by region, 0 for none."""

    def __init__(self, rule: str, tiles: list[int]) -> None:
        self.rule: Final = rule
        self.tiles: Final = tiles


@final
class NeutralPlaced(Event):
    """A neutral marker was put into every region in play."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class VukoTilesLaid(Event):
    """The Vuko tiles of stages 1 to 4, by number, and the sides that are up."""

    def __init__(self, rule: str, tiles: list[int], sides: list[int]) -> None:
        self.rule: Final = rule
        self.tiles: Final = tiles
        self.sides: Final = sides
