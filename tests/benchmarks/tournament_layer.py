"""The cost of the tournament layer over bare matches, and the gain of a second process.

Run ``python -m tests.benchmarks.tournament_layer [MATCHES]``: random bots play Ice Garden with four
seats, bare (:func:`taflhall_client.local.play`) and in a tournament with one process and with two.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from taflhall_client.bots import load
from taflhall_client.local import play
from taflhall_client.tournament.description import read
from taflhall_client.tournament.run import run
from taflhall_client.tournament.schedule import bot_seed, pending, secret
from taflhall_engine.kernel import setups

DESCRIPTION = """
game = "ice_garden"
format = "free_for_all"
seats = 4
rounds = {rounds}
[[entrants]]
name = "a"
bot = "random"
[[entrants]]
name = "b"
bot = "random"
[[entrants]]
name = "c"
bot = "random"
[[entrants]]
name = "d"
bot = "random"
"""


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cup.toml"
        file.write_text(DESCRIPTION.format(rounds=matches // 4), "utf-8")
        tournament = read(file)
        game = tournament.make_game()
        setup = setups.from_data(game, tournament.words())
        begin = time.perf_counter()
        for pairing in pending(tournament, {}):
            bots = [load("random", game, bot_seed(tournament, pairing, k)) for k in range(4)]
            play(game, bots, setup, secret=secret(tournament, pairing.block))
        bare = time.perf_counter() - begin
        print(f"bare           {matches / bare:8.1f} matches/s")
        taken = {}
        for jobs in (1, 2):
            begin = time.perf_counter()
            run(tournament, file, Path(folder) / str(jobs), jobs)
            taken[jobs] = time.perf_counter() - begin
            print(f"{jobs} process(es)  {matches / taken[jobs]:8.1f} matches/s")
        print(f"layer          {100 * (taken[1] / bare - 1):8.1f} % more time than bare")
        print(f"two processes  {taken[1] / taken[2]:8.2f} times as fast as one")


if __name__ == "__main__":
    main()
