"""IG-19.2 Imagined worlds are as likely as the true ones, given what is seen.

Only the faces of tiles are hidden, and only until IG-3.7. Each case is played once for every order
of the tiles; everything else is given, or drawn alike in all of them.
"""

from typing import Any

import pytest

from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine import brute_force
from tests.engine.ice_garden.tables import GAME

CALLO_FREIHOFF = Setup(factions=[2, 0], start_order=[0, 1])
WITH_THORN = Setup(factions=[1, 3], start_order=[1, 0], edition=1)
THREE = Setup(factions=[0, 1, 2], start_order=[2, 0, 1], vuko_tiles=1)
SOLO = Setup(factions=[3], npc=0, solo_level=3)
SOLO_THORN = Setup(factions=[1], npc=2, solo_level=1)

CASES = {
    "no tile laid": (CALLO_FREIHOFF, 0),
    "one tile laid": (CALLO_FREIHOFF, 1),
    "three tiles laid": (CALLO_FREIHOFF, 3),
    "one tile left": (CALLO_FREIHOFF, 5),
    "edition 1, two tiles laid": (WITH_THORN, 2),
    "the Thorn is chosen": (WITH_THORN, 6),
    "three players, no tile laid": (THREE, 0),
    "three players, four tiles laid": (THREE, 4),
    "three players, the Thorn is chosen": (THREE, 7),
    "solo, no tile laid": (SOLO, 0),
    "solo, the NPC has laid one": (SOLO, 1),
    "solo, two tiles left": (SOLO, 2),
    "solo, the Thorn is chosen": (SOLO_THORN, 3),
}
"""The setup, and how many answers are given before the view."""


class TileOrder(Chance):
    """Luck that shuffles the tiles as *tiles* says, and everything else the same way each time."""

    def __init__(self, tiles: Chance) -> None:
        self._tiles: Chance | None = tiles
        self._others = FastChance(5)

    def below(self, n: int) -> int:
        return self._others.below(n)

    def shuffle(self, items: list[int]) -> None:
        if self._tiles is None:
            self._others.shuffle(items)
        else:
            self._tiles.shuffle(items)
            self._tiles = None

    def copy(self) -> "TileOrder":
        raise AssertionError("a branch is played once")


def reach(setup, answers, rng) -> Any:
    """Return the table after that many answers, always the second option where there is one."""
    s = GAME.new(setup, TileOrder(rng))
    for _ in range(answers):
        seat = asked(s)[0]
        legal = options(s, seat)
        apply(s, seat, legal[1 % len(legal)])
    return s


def hidden(s):
    """Return which tile lies where, and those to come; the first three of more than six."""
    tiles = [tile for tile in s.tile if tile] + s.tile_stack[::-1]
    return tuple(tiles if len(tiles) < 7 else tiles[:3])


@brute_force.needs_plain
@pytest.mark.parametrize("name", CASES)
def test_ig_19_2_face_down_tiles_are_imagined_as_often_as_they_are_true(name):
    setup, answers = CASES[name]

    def play(rng):
        s = reach(setup, answers, rng)
        return repr(GAME.view(s, 0)), hidden(s)

    found = brute_force.worlds(play)
    assert len(found) == 1, "IG-19.2 nobody sees a face"
    view = GAME.view(reach(setup, answers, FastChance(1)), 0)
    [worlds] = found.values()
    chance = FastChance(3)
    brute_force.hold(worlds, lambda: hidden(GAME.imagine(view, chance)))


@brute_force.needs_plain
def test_ig_19_3_nothing_is_imagined_once_the_tiles_are_revealed():
    for setup in (CALLO_FREIHOFF, THREE, SOLO):
        s = reach(setup, 9, FastChance(4))
        assert s.revealed
        assert dump_table(GAME, GAME.imagine(GAME.view(s, -1), FastChance(2))) == dump_table(
            GAME, s
        )
