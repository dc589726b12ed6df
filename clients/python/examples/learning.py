"""Trains a bot that plays better than chance, with numpy alone, and measures it.

``python learning.py champions --matches 3000`` plays Champions of Midgard against random
bots, 64 matches side by side, and learns by policy gradient (REINFORCE, Williams 1992) a
weight for each feature of an option; the chance of an option grows with the sum of its weights.
Then it meets the random and the heuristic bot at every seat of common deals.

The bot is ``learning:Learned`` wherever taflhall asks for one, with the option ``weights``.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taflhall_client.adapters.encoding import Encoder
from taflhall_client.adapters.vectorised import Vectorised
from taflhall_client.bot import Decision
from taflhall_client.tournament.description import Entrant, Tournament
from taflhall_client.tournament.match_up import FIRST, SECOND, MatchUp, match_up
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.game import Game, View

SIZE = 2048
SIDE_BY_SIDE = 64
RATE = 0.1

Floats = NDArray[np.float64]


class Learned:
    """Takes the option with the greatest sum of weights."""

    def __init__(self, game: Game, seed: int = 0, weights: str = "learned.npy") -> None:
        self._weights = np.load(weights)
        self._encoder = Encoder(option_size=len(self._weights))

    def choose(self, view: View, decision: Decision) -> Any:
        """Return the best option."""
        return decision.options[int(np.argmax(self._encoder.options(decision) @ self._weights))]


def train(game: Game, setup: Any, matches: int, seed: int = 0) -> Floats:
    """Return the weights after *matches* matches."""
    rng = np.random.default_rng(seed)
    encoder = Encoder(option_size=SIZE)
    weights, squares = np.zeros(SIZE), np.full(SIZE, 1e-8)
    players = Vectorised(game, setup, min(SIDE_BY_SIDE, matches), seed)
    traces: dict[int, Floats] = {}
    seats = players.seats
    over, gained = 0, 0.0
    while over < matches:
        batch = players.batch()
        actions = rng.integers(batch.counts)
        for at, decision in enumerate(batch.decisions):
            match = int(batch.matches[at])
            if decision.seat != match % seats or len(decision.options) == 1:
                continue
            features = encoder.options(decision)
            scores = features @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            actions[at] = rng.choice(len(chances), p=chances)
            trace = traces.setdefault(match, np.zeros(SIZE))
            trace += features[actions[at]] - chances @ features
        for ended in players.step(batch, actions):
            found = ended.returns[ended.match % seats]
            gradient = found * traces.pop(ended.match, np.zeros(SIZE))
            squares += gradient**2
            weights += RATE * gradient / np.sqrt(squares)
            over, gained = over + 1, gained + found
            if over % 250 == 0:
                print(f"{over} matches, mean return of the last 250: {gained / 250:+.3f}")
                gained = 0.0
    return weights


def measure(game: Game, words: dict[str, Any], weights: Path, other: str, blocks: int) -> MatchUp:
    """Let the trained bot meet *other* at every seat of *blocks* deals at most."""
    seats = Vectorised(game, setups.from_data(game, words), 1).seats
    learned = Entrant(FIRST, "learning:Learned", options=(("weights", str(weights)),))
    entrants = (learned, Entrant(SECOND, other))
    tournament = Tournament("measure", game.id, "match_up", seats, blocks, 7, entrants, words)
    with tempfile.TemporaryDirectory() as out:
        return match_up(tournament, Path(out), os.cpu_count() or 1, cooperative=game.cooperative)


def main() -> None:
    """Train, save and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(registry.GAMES))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--blocks", type=int, default=60, help="deals to measure at most")
    parser.add_argument("--weights", type=Path, default=Path("learned.npy"))
    given = parser.parse_args()
    game = registry.game(given.game)
    words = {"seats": given.seats}
    weights = train(game, setups.from_data(game, words), given.matches)
    with given.weights.open("wb") as file:  # under this very name, whatever its suffix
        np.save(file, weights)
    for other in ("random", "heuristic"):
        found = measure(game, words, given.weights.resolve(), other, given.blocks)
        print(
            f"against {other}: {found.difference:+.3f} of the wins "
            f"({found.low:+.3f} to {found.high:+.3f}) in {found.matches} matches"
        )


if __name__ == "__main__":
    main()
