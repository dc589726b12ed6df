"""Random matches in bulk: do they all end, and how?

Run ``python -m tests.benchmarks.health GAME [--matches 20000] [--jobs 2] [--seed 0] [--every 1]``:
setups of all player counts and options by chance, uniformly random answers. Prints lengths,
ends, scores, wins by seat, the longest list of options, the longest chain of decisions in a turn,
exceptions and broken invariants (looked for at every ``--every``-th ply and at the end); the
exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Step, apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from tests.benchmarks.report import write_section
from tests.engine.every_game import setups

PLY_LIMIT = 100_000
SHOWN = 20
"""Greatest number of exceptions and broken invariants that are reported in words."""


@dataclass
class Health:
    """What was found in a number of matches."""

    matches: int = 0
    plies: list[int] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    played: Counter[int] = field(default_factory=Counter)
    """Matches by number of seats."""
    wins: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By number of seats and seat; a shared victory counts for each."""
    scores: dict[int, list[int]] = field(default_factory=dict)
    """By number of seats; empty in a game without points."""
    options: tuple[int, str] = (0, "")
    chain: tuple[int, str] = (0, "")
    wrong: list[str] = field(default_factory=list)
    wrong_count: int = 0

    def add(self, other: Health) -> None:
        self.matches += other.matches
        self.plies += other.plies
        self.ends += other.ends
        self.played += other.played
        self.wins += other.wins
        for seats, scores in other.scores.items():
            self.scores.setdefault(seats, []).extend(scores)
        self.options = max(self.options, other.options)
        self.chain = max(self.chain, other.chain)
        self.wrong = (self.wrong + other.wrong)[:SHOWN]
        self.wrong_count += other.wrong_count

    def broken(self, what: str) -> None:
        self.wrong_count += 1
        if len(self.wrong) < SHOWN:
            self.wrong.append(what)


def examine(name: str, first: int, last: int, every: int) -> Health:
    """Play the matches numbered *first* to *last* - 1."""
    health = Health()
    for number in range(first, last):
        setup: dict[str, Any] = {}
        try:
            rng = FastChance(number * 7919 + 17)
            setup = setups.trial(name).other(rng)
            match(health, name, number, setup, rng, every)
        except Exception:
            health.broken(f"match {number}, {setup}: {traceback.format_exc(limit=-3)}")
        health.matches += 1
    return health


def match(
    health: Health, name: str, number: int, setup: dict[str, Any], rng: FastChance, every: int
) -> None:
    """Play one match and add what it showed to *health*."""
    game = setups.game(name)
    s = game.new(game.setup_kind(**setup), FastChance(number))
    plies, before, chain = 0, (-1, 0), 0
    beneath: list[Step[Any]] = []
    while s.agenda:
        waiting = asked(s)
        seat = waiting[rng.below(len(waiting))] if len(waiting) > 1 else waiting[0]
        listed = options(s, seat)
        step = type(s.agenda[-1]).__name__
        turn = (seat, getattr(s, "turn", 0))
        if turn != before or s.agenda[: len(beneath)] != beneath:
            chain, beneath = 0, s.agenda[:-1]  # another turn, or another part of it
        chain += 1
        before = turn
        if len(listed) > health.options[0]:
            health.options = (len(listed), step)
        if chain > health.chain[0]:
            health.chain = (chain, step)
        if plies % every == 0:
            for fault in game.faults(s):
                health.broken(f"match {number}, {setup}, ply {plies}: {fault}")
        apply(s, seat, listed[rng.below(len(listed))])
        plies += 1
        if plies > PLY_LIMIT:
            health.broken(f"match {number}, {setup}: more than {PLY_LIMIT} plies")
            return
    for fault in game.faults(s):
        health.broken(f"match {number}, {setup}, at the end: {fault}")
    result = game.result(s)
    assert result is not None
    seats = game.seats(s)
    health.plies.append(plies)
    health.ends[" + ".join(result.reasons)] += 1
    health.played[seats] += 1
    if result.scores:
        health.scores.setdefault(seats, []).extend(result.scores)
    for seat in range(seats):
        if result.won[seat]:
            health.wins[seats, seat] += 1


def whole(name: str, matches: int, jobs: int, seed: int, every: int) -> Health:
    """Play *matches* in *jobs* processes."""
    portion = max(1, min(500, matches // (jobs * 4) or 1))
    starts = range(seed, seed + matches, portion)
    health = Health()
    if jobs == 1:
        for first in starts:
            health.add(examine(name, first, min(first + portion, seed + matches), every))
        return health
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = [
            pool.submit(examine, name, first, min(first + portion, seed + matches), every)
            for first in starts
        ]
        for future in running:
            health.add(future.result())
    return health


def spread(values: list[int]) -> str:
    """Return the least, the greatest and what 5, 25, 50, 75 and 95 % of *values* stay below."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return ", ".join(
        f"{name} {ordered[last * share // 100]}"
        for name, share in (
            ("least", 0),
            ("5 %", 5),
            ("25 %", 25),
            ("median", 50),
            ("75 %", 75),
            ("95 %", 95),
            ("most", 100),
        )
    )


def report(name: str, health: Health, seconds: float) -> list[str]:
    """Return the findings as lines."""
    lengths = sorted(health.plies) or [0]
    total = sum(lengths)
    lines = [
        (
            f"{name}: {health.matches} random matches, {total} plies, {seconds:.0f} s, "
            f"engine {'compiled' if COMPILED else 'plain'}"
        ),
        (
            f"lengths in plies: shortest {lengths[0]}, median {statistics.median(lengths):.0f}, "
            f"95 % below {lengths[len(lengths) * 95 // 100]}, longest {lengths[-1]}"
        ),
        f"longest list of options: {health.options[0]} ({health.options[1]})",
        f"longest chain of decisions within a turn: {health.chain[0]} ({health.chain[1]})",
    ]
    for end, count in health.ends.most_common():
        lines.append(f"end by {end}: {count} ({count / health.matches:.1%})")
    for seats, played in sorted(health.played.items()):
        wins = " ".join(f"{health.wins[seats, seat] / played:.1%}" for seat in range(seats))
        lines.append(f"{seats} seats, {played} matches: wins by seat {wins}")
    for seats, scores in sorted(health.scores.items()):
        lines.append(f"{seats} seats, scores: {spread(scores)}")
    lines.append(f"exceptions and broken invariants: {health.wrong_count}")
    return lines + health.wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.health", description=__doc__)
    parser.add_argument("game", choices=setups.NAMES)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first match")
    parser.add_argument("--every", type=int, default=1, help="plies between checks of invariants")
    parser.add_argument("--write", action="store_true", help="write docs/measurements.md too")
    given = parser.parse_args()
    began = time.perf_counter()
    health = whole(given.game, given.matches, given.jobs, given.seed, given.every)
    lines = report(given.game, health, time.perf_counter() - began)
    print("\n".join(lines))
    if given.write:
        title = f"Random matches of {setups.game(given.game).title}"
        command = f"python -m tests.benchmarks.health {given.game} --matches {given.matches}"
        text = "\n".join(f"- {line}" for line in lines)
        write_section(f"{given.game}-health", title, command, text)
    sys.exit(health.wrong_count > 0)


if __name__ == "__main__":
    main()
