"""The map of The Lord of the Ice Garden as characters: regions where the data puts them."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from taflhall_engine.ice_garden import ids
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.view import PublicView
from taflhall_engine.kernel.game import Game

WIDTH: Final = 44
HEIGHT: Final = 17
ROAD: Final = "·"
LABEL: Final = 4


def map_text(game: Game, v: PublicView) -> Text:
    """Return the regions in play with their tile numbers, and roads between neighbours.

    Behind a region's name: its tile, ``V`` for Vuko, ``T`` for the Thorn, ``x`` if it is locked.
    """
    components: Components = game.components  # type: ignore[attr-defined]
    places = _places(game)
    canvas = [[" "] * (WIDTH + 8) for _ in range(HEIGHT)]
    in_play = [region for region in range(ids.REGION_COUNT) if v.regions[region].tile]
    for region in in_play:
        for other in components.adjacent[region]:
            if region < other and other in in_play:
                _road(canvas, places[region], places[other])
    for region in in_play:
        x, y = places[region]
        for index, letter in enumerate(_label(v, region)):
            canvas[y][x + index] = letter
    return Text("\n".join("".join(line).rstrip() for line in canvas), no_wrap=True)


def _label(v: PublicView, region: int) -> str:
    seen = v.regions[region]
    tile = "?" if seen.tile < 0 else str(seen.tile)
    marks = "V" if region == v.vuko_region else ""
    marks += "T" if region == v.thorn_region else ""
    marks += "x" if seen.locked else ""
    return f"{ids.REGIONS[region]}:{tile}{marks}"


def _places(game: Game) -> list[tuple[int, int]]:
    """Return the column and line of each region, from its x and y in the data."""
    found = []
    for component in game.catalog:
        if component.kind == "region":
            x, y = float(component.properties["x"]), float(component.properties["y"])
            found.append((x, y))
    right = max(x for x, _ in found) or 1.0
    low = max(y for _, y in found) or 1.0
    return [(round(x / right * WIDTH), round(y / low * (HEIGHT - 1))) for x, y in found]


def _road(canvas: list[list[str]], one: tuple[int, int], other: tuple[int, int]) -> None:
    x, y = one[0] + LABEL // 2, one[1]
    to_x, to_y = other[0] + LABEL // 2, other[1]
    steps = max(abs(to_x - x) // 2, abs(to_y - y), 1)
    for step in range(steps + 1):
        column = round(x + (to_x - x) * step / steps)
        line = round(y + (to_y - y) * step / steps)
        canvas[line][column] = ROAD
