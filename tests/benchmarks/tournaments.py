"""Tournaments: the cost of the layer, the gain of a second core, contained programs.

``python -m tests.benchmarks --only tournaments``. Random bots play Ice Garden with four
seats: bare (:func:`taflhall_client.local.play`), in a tournament with one process, and with two.
Then two contained programs play Champions of Midgard over standard input and output.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from taflhall_client.bots import load
from taflhall_client.local import LocalMatch, play
from taflhall_client.tournament.contained import containment
from taflhall_client.tournament.description import Limits, read
from taflhall_client.tournament.journal import read_results
from taflhall_client.tournament.line_protocol import LineBot
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.run import run
from taflhall_client.tournament.schedule import bot_seed, pending, secret
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from tests.benchmarks.report import figure, table, write_section
from tests.benchmarks.service import cpu_seconds

T = TypeVar("T")

MATCHES: Final = 1000
SAMPLES: Final = 2
"""How often each way to play takes its turn."""
SPEEDUP: Final = 1.8
LAYER: Final = 0.10
ANSWERS: Final = 2000
SECONDS: Final = 10.0

PROGRAM: Final = """
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type": "ready", "view": VIEW}', flush=True)
    elif message["type"] == "decide":
        option = message["id"] * 7 % len(message["options"])
        sys.stdout.write('{"id": %d, "option": %d}\\n' % (message["id"], option))
        sys.stdout.flush()
"""


def described(folder: Path, game: str, seats: int, rounds: int, *players: str) -> Path:
    """Write the description of a tournament and return its file."""
    lines = [
        f'game = "{game}"',
        'format = "free_for_all"',
        f"seats = {seats}",
        f"rounds = {rounds}",
    ]
    for number, player in enumerate(players):
        key = "command" if " " in player else "bot"
        lines += ["[[entrants]]", f'name = "{number}"', f'{key} = "{player}"']
    file = folder / f"{game}.toml"
    file.write_text("\n".join(lines), "utf-8")
    return file


@dataclass(frozen=True)
class Cost:
    """The seconds that matches took, by the clock and of a processor."""

    clock: float
    cpu: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.clock + other.clock, self.cpu + other.cpu)


def timed_run(file: Path, out: Path, jobs: int) -> tuple[Cost, list[MatchResult]]:
    """Play a tournament; return what it took, and its results.

    The processor time is that of this process and of all that it starts, from their start on.
    """
    started = 0.0

    def progress(played: int, known: int) -> None:
        nonlocal started
        if played == known:  # the last result, when those that play are still there
            started = started_cpu_seconds(os.getpid())

    began, own = time.perf_counter(), time.process_time()
    run(read(file), file, out, jobs, progress)
    cost = Cost(time.perf_counter() - began, time.process_time() - own + started)
    return cost, read_results(out)


def started_cpu_seconds(pid: int) -> float:
    """Return the processor time so far of the processes that a process started, and they did."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return sum(cpu_seconds(child) + started_cpu_seconds(child) for child in map(int, children))


def bare(file: Path) -> Cost:
    """Play the matches of a tournament without one; return what they took."""
    began, own = time.perf_counter(), time.process_time()
    tournament = read(file)
    game = tournament.make_game()
    setup = setups.from_data(game, tournament.words())
    for pairing in pending(tournament, {}):
        seats = range(tournament.seats)
        bots = [load("random", game, bot_seed(tournament, pairing, seat)) for seat in seats]
        play(game, bots, setup, secret=secret(tournament, pairing.block))
    return Cost(time.perf_counter() - began, time.process_time() - own)


def fresh(measure: Callable[..., T], *arguments: object) -> T:
    """Return what *measure* returns in a process of its own, which has nothing in memory yet."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measure, *arguments).result()


def layer(folder: Path, matches: int) -> tuple[str, bool]:
    """Return what the layer costs and a second process gains, and whether the goals are reached."""
    ways = ("bare, one process", "one process", "two processes")
    taken = dict.fromkeys(ways, Cost(0.0, 0.0))
    rounds = max(1, matches // 4)
    file = described(folder, "ice_garden", 4, rounds, *["random"] * 4)
    for sample in range(SAMPLES):
        taken["bare, one process"] += fresh(bare, file)
        taken["one process"] += fresh(timed_run, file, folder / f"one-{sample}", 1)[0]
        taken["two processes"] += fresh(timed_run, file, folder / f"two-{sample}", 2)[0]
    played = SAMPLES * rounds * 4
    alone, one, two = taken.values()
    cost, gain = one.cpu / alone.cpu - 1, one.clock / two.clock
    rows = [
        [name, figure(played / whole.clock), figure(1000 * whole.cpu / played)]
        for name, whole in taken.items()
    ]
    head = ["", "matches per second", "processor time of a match (ms)"]
    text = (
        f"{4 * rounds:,} matches of four random bots in Ice Garden, in {SAMPLES} turns each way, "
        f"each in a fresh process; all that the tournament starts is counted from its start on."
        f"\n\n"
        f"{table(head, rows)}\n\n"
        f"The tournament takes {100 * cost:.1f} % more processor time than bare matches, its "
        f"results written and synced (goal at most {100 * LAYER:.0f} %); two processes are "
        f"{gain:.2f} times as fast as one (goal {SPEEDUP})."
    )
    return text, cost <= LAYER and gain >= SPEEDUP


def answered(view: str, bot: Path, seconds: float) -> tuple[int, float]:
    """Let two contained programs play for some seconds; return their answers and the time."""
    game = registry.game("champions")
    words = {"seats": 2}
    setup, limits = setups.from_data(game, words), Limits()
    command = [sys.executable, "-S", str(bot)]
    answers, number = 0, 0
    with (
        LineBot(command, game, 0, words, limits) as one,
        LineBot(command, game, 1, words, limits) as other,
    ):
        began = time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            number += 1
            secret_of_match = hashlib.sha256(f"{view}/{number}".encode()).digest()
            answers += len(LocalMatch(game, setup, secret_of_match).play([one, other]).moves)
    return answers, passed


def programs(folder: Path, matches: int, seconds: float) -> tuple[str, bool]:
    """Return how fast contained programs answer, and whether the goal is reached."""
    rows, rates = [], []
    jobs = os.cpu_count() or 1
    spawn = multiprocessing.get_context("spawn")
    for view, words in (("true", "with views"), ("false", "without views")):
        bot = folder / f"bot-{view}.py"
        bot.write_text(PROGRAM.replace("VIEW", view), "utf-8")
        with ProcessPoolExecutor(jobs, mp_context=spawn) as pool:
            found = [pool.submit(answered, view, bot, seconds) for _ in range(jobs)]
            rate = sum(answers / passed for answers, passed in (f.result() for f in found))
        rates.append(rate)
        command = f"{sys.executable} -S {bot}"
        file = described(folder, "champions", 2, max(1, matches // 2), command, command)
        taken, results = fresh(timed_run, file, folder / f"view-{view}", jobs)
        assert not any(result.faults for result in results)
        whole = sum(result.commands for result in results) / taken.clock
        rows.append([words, figure(rate), figure(whole)])
    head = ["programs", "answers per second", "in a tournament, with the start of each program"]
    text = (
        f"Two Python programs that speak JSON lines play Champions of Midgard on each of {jobs} "
        f"cores; contained: {', '.join(containment()) or 'limits only'}.\n\n{table(head, rows)}\n\n"
        f"The goal is {ANSWERS:,} answers a second."
    )
    return text, min(rates) >= ANSWERS


def main(matches: int = MATCHES) -> bool:
    """Measure, write the section, print it; return whether the goals were reached."""
    with tempfile.TemporaryDirectory() as folder:
        first, one = layer(Path(folder), matches)
        second, other = programs(Path(folder), max(2, matches // 10), SECONDS)
    text = f"{first}\n\n{second}"
    print(f"\n{text}\n", flush=True)
    write_section("bench:tournaments", "Tournaments", "make bench ARGS='--only tournaments'", text)
    return one and other


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    sys.exit(not main(parser.parse_args().matches))
