"""How often the heuristic bot of The Lord of the Ice Garden beats three random bots, and how.

Run ``python -m tests.benchmarks.ice_garden_bot [MATCHES] [--all] [--write]``: four seats; the seat
of the bot and the factions go round, the other seats answer at random. With ``--all`` four
heuristic bots play each other. Prints wins by faction and end, goals reached, and the time a
match takes.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from hashlib import sha256

from taflhall_client.bot import Bot
from taflhall_client.bots.ice_garden import Heuristic
from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.ice_garden.ids import FACTIONS
from taflhall_engine.ice_garden.setup import Setup
from taflhall_engine.kernel import COMPILED
from tests.benchmarks.report import write_section

SEATS = 4


def measure(matches: int, among_themselves: bool) -> list[str]:
    """Play *matches*; return what was found as lines."""
    game = registry.game("ice_garden")
    won: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    own_ends: Counter[str] = Counter()
    margins = []
    began = time.perf_counter()
    for number in range(matches):
        own = number % SEATS
        factions = [(seat + number // SEATS) % SEATS for seat in range(SEATS)]
        bots: list[Bot] = [Random(game, seed=1000 * number + seat) for seat in range(SEATS)]
        for seat in range(SEATS):
            if among_themselves or seat == own:
                bots[seat] = Heuristic(game, seed=number)
        secret = sha256(f"ice garden bot {number}".encode()).digest()
        result = play(game, bots, Setup(factions=factions), secret=secret).result
        end = " + ".join(result.reasons)
        ends[end] += 1
        for seat in range(SEATS):
            if result.won[seat] and (among_themselves or seat == own):
                won[FACTIONS[factions[seat]]] += 1
                own_ends[end] += 1
        margins.append(result.scores[own] - max(s for k, s in enumerate(result.scores) if k != own))
    seconds = (time.perf_counter() - began) / matches
    against = "itself" if among_themselves else "three random bots"
    return [
        f"{matches} matches of the bot against {against}: {sum(won.values())} victories",
        f"by faction: {', '.join(f'{name} {won[name]}' for name in FACTIONS)}",
        f"ends of all matches: {dict(ends.most_common())}",
        f"ends of the victories: {dict(own_ends.most_common())}",
        f"victories by the individual goal: {own_ends['goal']}",
        f"points ahead of the best other: {sum(margins) / matches:.1f} on average",
        f"{seconds:.2f} s a match, engine {'compiled' if COMPILED else 'plain'}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.ice_garden_bot", description=__doc__
    )
    parser.add_argument("matches", type=int, nargs="?", default=100)
    parser.add_argument("--all", action="store_true", help="four heuristic bots")
    parser.add_argument("--write", action="store_true", help="write docs/measurements.md too")
    given = parser.parse_args()
    lines = measure(given.matches, given.all)
    print("\n".join(lines))
    if given.write:
        name = "ice-garden-bots" if given.all else "ice-garden-bot"
        title = "The bot of The Lord of the Ice Garden"
        title += " against itself" if given.all else " against random bots"
        command = f"python -m tests.benchmarks.ice_garden_bot {given.matches}"
        command += " --all" if given.all else ""
        write_section(name, title, command, "\n".join(f"- {line}" for line in lines))


if __name__ == "__main__":
    main()
