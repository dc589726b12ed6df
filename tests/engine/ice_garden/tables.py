"""Tables of The Lord of the Ice Garden to try things on."""

from typing import Any

from taflhall_engine.ice_garden.game import IceGarden
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel.agenda import apply, options
from taflhall_engine.kernel.chance import FastChance

GAME: Any = IceGarden()


def setup_of(rng):
    """Return any valid setup."""
    seats = 1 + rng.below(4)
    edition = 1 + rng.below(2)
    if seats == 1:
        level = 1 + rng.below(4)
        tiles = -1 if level == 1 or rng.below(2) else 2
        return Setup(seats=1, edition=edition, solo_level=level, vuko_tiles=tiles)
    tokens = rng.below(2) == 1
    return Setup(
        seats=seats, edition=edition, advanced_order_tokens=tokens, vuko_tiles=rng.below(3)
    )


def matches(count, seed=0):
    """Play random matches; yield the table at every decision, with its seat and options."""
    for number in range(count):
        rng = FastChance(seed + number * 31)
        s = GAME.new(setup_of(rng), FastChance(number + 1))
        while s.agenda:
            seat = s.agenda[-1].seats(s)[0]
            legal = options(s, seat)
            yield s, seat, legal
            apply(s, seat, legal[rng.below(len(legal))])
        yield s, -1, []
