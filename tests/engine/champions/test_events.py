"""CM-16.3 The events of a match, folded, give what everybody sees of seats and board."""

import pytest

from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from tests.engine.champions.folding import FOLLOWED, Folding, plain
from tests.engine.champions.tables import GAME
from tests.engine.every_game import setups


@pytest.mark.parametrize("viewer", [-1, 0])
@pytest.mark.parametrize("setup", setups.trial("champions").usual, ids=str)
def test_16_3_the_events_folded_give_the_view_at_every_decision(setup, viewer):
    for seed in range(3):
        s = GAME.new(GAME.setup_kind(**setup), FastChance(seed))
        folding, rng = Folding(GAME.components, GAME.public(s)), FastChance(seed)
        while s.agenda:
            [seat] = asked(s)
            listed = options(s, seat)
            s.journal = []
            apply(s, seat, listed[rng.below(len(listed))])
            for event in s.journal:
                seen = event.seen_by(viewer)
                if seen is not None:
                    folding.follow(seen)
            view = GAME.public(s)
            for name in FOLLOWED:
                assert folding.view[name] == plain(getattr(view, name)), (name, s.journal)
