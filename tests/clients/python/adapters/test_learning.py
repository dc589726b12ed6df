"""The example that learns: it trains, and its bot plays."""

from pathlib import Path

import numpy as np

from taflhall_client.bots import load
from taflhall_client.local import play
from taflhall_engine import registry

EXAMPLES = Path(__file__).parents[4] / "clients/python/examples"


def test_the_example_learns_weights_with_which_a_bot_plays(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(EXAMPLES)
    from learning import train  # type: ignore[import-not-found]

    game = registry.game("champions")
    setup = game.setup_kind(seats=2)
    weights = train(game, setup, 4)
    assert np.isfinite(weights).all()
    assert np.abs(weights).max() > 0
    assert np.array_equal(weights, train(game, setup, 4))
    np.save(tmp_path / "w.npy", weights)
    learned = load("learning:Learned", game, 1, {"weights": str(tmp_path / "w.npy")})
    assert play(game, [learned, load("random", game)], setup).result.places
