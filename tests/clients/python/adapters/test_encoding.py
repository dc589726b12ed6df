"""Views and options as numbers."""

import numpy as np
import pytest

from taflhall_client.adapters.encoding import LARGEST, Encoder, mask_of, returns_of
from taflhall_client.adapters.stepping import Stepping
from taflhall_engine import registry

GAMES = list(registry.GAMES)


def begun(name: str, seed: int = 1) -> Stepping:
    game = registry.game(name)
    return Stepping.begin(game, game.setup_kind(seats=2), seed)


@pytest.mark.parametrize("name", GAMES)
def test_equal_views_have_equal_vectors_and_others_have_not(name):
    encoder, match = Encoder(), begun(name)
    vector = encoder.view(match.view(0))
    assert vector.shape == (1024,)
    assert np.array_equal(vector, Encoder().view(begun(name).view(0)))
    assert not np.array_equal(vector, encoder.view(match.view(1)))
    assert np.abs(vector).max() <= LARGEST


@pytest.mark.parametrize("name", GAMES)
def test_different_options_have_different_rows(name):
    match = begun(name)
    for _ in range(40):
        decision = match.decision()
        rows = Encoder(option_size=512).options(decision)
        assert len(np.unique(rows, axis=0)) == len(decision.options)
        match.take(decision.options[0])


def test_a_mask_has_a_one_for_each_option():
    assert mask_of([1, 2, 3]).tolist()[:5] == [1, 1, 1, 0, 0]


def test_returns_are_the_share_of_opponents_behind():
    gained = returns_of([1, 2, 2, 4], [True, False, False, False], cooperative=False)
    assert gained == pytest.approx([1.0, 0.0, 0.0, -1.0])
    assert returns_of([1, 1], [True, True], cooperative=True) == [1.0, 1.0]
    assert returns_of([2, 2], [False, False], cooperative=True) == [-1.0, -1.0]
    assert returns_of([], [False, False], cooperative=False) == [0.0, 0.0]
