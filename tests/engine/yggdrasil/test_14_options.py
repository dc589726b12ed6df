"""YG-14.2 The list of actions, world by world, is what nothing refuses: also where play is rare."""

from random import Random

import pytest

from taflhall_engine.kernel.agenda import options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.ids import GOD_COUNT, WHIRLPOOL
from taflhall_engine.yggdrasil.rules.actions import ChooseAction
from tests.engine.yggdrasil.position import GAME


def strewn(rng):
    """Return a table with everything that an action asks about drawn at random."""
    seats = rng.randint(2, GOD_COUNT)
    s = GAME.new(GAME.setup_kind(seats=seats), FastChance(rng.randrange(99)))
    few = [0, 0, 1, 2]
    s.active = rng.randrange(seats)
    s.gods = rng.sample(range(GOD_COUNT), seats)
    s.valkyries = rng.randrange(5)
    s.sunken = rng.choice([-1, -1, 1, 2, 3, 4])
    s.hindrance = rng.choice([0, 0, WHIRLPOOL, 1 << rng.randrange(18), rng.getrandbits(18)])
    s.used = rng.choice([0, 0, 1 << rng.randrange(9), rng.getrandbits(9)])
    s.used_twice = rng.choice([0, s.used & -s.used])
    s.bag_vikings = [0] + [rng.choice(few) for _ in range(4)]
    s.bag_giants = [0] + [rng.choice(few) for _ in range(4)]
    s.helheim, s.alfheim = rng.choice(few), rng.choice(few)
    s.vikings = [rng.choice(few) for _ in range(seats)]
    s.elves = [rng.choice(few) for _ in range(seats)]
    s.weapons = [rng.choice([0, 0, 0, 1, 2, 3]) for _ in range(6 * seats)]
    s.forge = rng.getrandbits(18)
    s.vanir = rng.randint(0, s.components.vanir_spaces)
    s.enemies = [rng.choice([1, 1, 2, 5]) for _ in s.enemies]
    giants = rng.sample(range(16), 16)
    s.giants_active = giants[: rng.randrange(4)]
    s.giant_deck = rng.choice([[], giants[8:12]])
    s.deck = rng.choice([[], s.deck])
    s.fenrir_card = rng.choice([-1] * 9 + [3])
    s.agenda = [ChooseAction(s.active)]
    s.legal = None
    return s


@pytest.mark.parametrize("seed", range(5))
def test_14_2_an_action_is_listed_exactly_if_nothing_refuses_it(seed):
    rng = Random(seed)
    for _ in range(120):
        s = strewn(rng)
        top = s.agenda[-1]
        wanted = [c for c in top.offers(s, s.active) if c.refuse(s, s.active) is None]
        assert options(s, s.active) == wanted
        assert [c for c in wanted if top.refusal(s, s.active, c) is not None] == []
