"""How often the heuristic bot of Champions of Midgard beats three random bots.

Run ``python -m tests.benchmarks.champions_bot [MATCHES] [SEATS]``: the bot's seat goes round,
the other seats answer at random. Prints wins, margins and how long a decision takes.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from hashlib import sha256
from typing import Any

from taflhall_client.bot import Bot
from taflhall_client.bots.champions import Heuristic
from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.kernel import COMPILED


def measure(matches: int, seats: int) -> dict[str, Any]:
    """Play *matches* with the bot at one seat, in turn, and random bots at the others."""
    game = registry.game("champions")
    places: Counter[int] = Counter()
    margins, scores, others, won = [], [], [], 0
    began = time.perf_counter()
    for number in range(matches):
        seat = number % seats
        bots: list[Bot] = [Random(game, seed=1000 * number + k) for k in range(seats)]
        bots[seat] = Heuristic(game, seed=number)
        secret = sha256(f"champions bot {number}".encode()).digest()
        result = play(game, bots, game.setup_kind(seats=seats), secret=secret).result
        rest = [score for k, score in enumerate(result.scores) if k != seat]
        places[result.places[seat]] += 1
        won += result.won[seat]
        scores.append(result.scores[seat])
        others += rest
        margins.append(result.scores[seat] - max(rest))
    return {
        "matches": matches,
        "seats": seats,
        "won": won,
        "places": dict(sorted(places.items())),
        "score": statistics.fmean(scores),
        "random score": statistics.fmean(others),
        "least margin": min(margins),
        "mean margin": statistics.fmean(margins),
        "seconds a match": (time.perf_counter() - began) / matches,
        "compiled": COMPILED,
    }


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seats = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    for name, value in measure(matches, seats).items():
        shown = f"{value:.2f}" if isinstance(value, float) else value
        print(f"{name:16} {shown}")


if __name__ == "__main__":
    main()
