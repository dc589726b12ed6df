"""Many matches side by side are the same matches as one by one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from taflhall_client.adapters.encoding import Encoder
from taflhall_client.adapters.stepping import Stepping
from taflhall_client.adapters.vectorised import Ended, Vectorised
from taflhall_engine import registry

GAMES = list(registry.GAMES)
COUNT = 3
SEED = 40


def chosen(match: int, ply: int, options: int) -> int:
    """Return an option that depends on the match and on how far it is alone."""
    return random.Random(f"{match}/{ply}").randrange(options)


def alone(game: Any, setup: Any, match: int) -> Ended:
    state = Stepping.begin(game, setup, SEED + match)
    while state.seat >= 0:
        options = state.decision().options
        state.take(options[chosen(match, state.plies, len(options))])
    returns = state.returns()
    assert returns is not None
    return Ended(match, returns, state.plies)


@pytest.mark.parametrize("name", GAMES)
def test_matches_side_by_side_end_as_they_do_alone(name):
    game = registry.game(name)
    setup = game.setup_kind(seats=2)
    players = Vectorised(game, setup, COUNT, SEED)
    plies: dict[int, int] = {}
    ended: list[Ended] = []
    while len(ended) < COUNT + 1:
        batch = players.batch()
        actions = []
        for match, count in zip(batch.matches.tolist(), batch.counts.tolist(), strict=True):
            actions.append(chosen(match, plies.get(match, 0), count))
            plies[match] = plies.get(match, 0) + 1
        ended += players.step(batch, actions)
    assert {each.match for each in ended} >= {0, 1, 2}
    for each in ended:
        assert each == alone(game, setup, each.match)


def test_a_match_that_is_over_is_replaced_at_once():
    game = registry.game("yggdrasil")
    players = Vectorised(game, game.setup_kind(seats=2), COUNT, SEED)
    seen: set[int] = set()
    ended: set[int] = set()
    while len(ended) < 5:
        batch = players.batch()
        seen.update(batch.matches.tolist())
        assert len(batch.decisions) == COUNT
        assert not ended & set(batch.matches.tolist())
        ended.update(each.match for each in players.step(batch, np.zeros(COUNT, dtype=int)))
    assert seen == set(range(max(seen) + 1))


def test_the_views_of_a_batch_are_those_of_the_seats_that_decide():
    game = registry.game("champions")
    setup = game.setup_kind(seats=2)
    players, encoder = Vectorised(game, setup, COUNT, SEED), Encoder()
    batch = players.batch()
    found = players.views(encoder, batch)
    assert found.shape == (COUNT, encoder.view_size)
    for at, seat in enumerate(batch.seats.tolist()):
        one = Stepping.begin(game, setup, SEED + at)
        assert np.array_equal(found[at], encoder.view(one.view(seat)))
