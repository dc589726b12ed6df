"""Random matches in process, in one process or several, with one digest over their ends."""

from __future__ import annotations

import hashlib
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import digest

LIMIT: Final = 1_000_000
"""Plies after which a match counts as endless."""


@dataclass(slots=True)
class Playouts:
    """Results of random matches."""

    matches: int = 0
    plies: int = 0
    seconds: float = 0.0
    """How long the playing took, as time passed on a process, laying out included."""
    jobs: int = 1
    outcomes: Counter[str] = field(default_factory=Counter)
    ends: list[bytes] = field(default_factory=list)
    """The digest of each final table, in the order of the matches."""

    @property
    def plies_per_second(self) -> float:
        """How many plies were played a second by all processes together."""
        return self.plies * self.jobs / max(self.seconds, 1e-9)

    @property
    def digest(self) -> str:
        """SHA-256 over the digests of all final tables in order, in hex."""
        return hashlib.sha256(b"".join(self.ends)).hexdigest()

    def add(self, other: Playouts) -> None:
        """Take in the matches that follow on ours."""
        self.matches += other.matches
        self.plies += other.plies
        self.seconds += other.seconds
        self.outcomes += other.outcomes
        self.ends += other.ends


def play_many(
    name: str,
    data: Path | None,
    setup: dict[str, Any],
    matches: int,
    seed: int,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda done: None,  # noqa: ARG005
) -> Playouts:
    """Play *matches* random matches of the game *name*; *setup* is in words.

    Match *i* depends on *seed* and *i* only, so the same matches are played with any number
    of *jobs* (processes). *advance* is called with how many more have been played.
    """
    total = Playouts(jobs=jobs)
    size = max(1, min(matches // (jobs * 8), 200))
    starts = range(0, matches, size)
    chunks = [(name, data, setup, seed, i, min(size, matches - i)) for i in starts]
    if jobs == 1:
        for chunk in chunks:
            total.add(_play_chunk(chunk))
            advance(chunk[-1])
        return total
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=context) as pool:
        for part in pool.map(_play_chunk, chunks):
            total.add(part)
            advance(part.matches)
    return total


def _play_chunk(chunk: tuple[str, Path | None, dict[str, Any], int, int, int]) -> Playouts:
    name, data, words, seed, first, count = chunk
    game = registry.game(name, data)
    setup = setups.from_data(game, words)
    part = Playouts()
    for index in range(first, first + count):
        rules, choices = _rngs(seed, index)
        begin = time.perf_counter()
        s = game.new(setup, rules)
        part.plies += rollout(s, choices, LIMIT)
        part.seconds += time.perf_counter() - begin
        part.matches += 1
        part.outcomes[_outcome(game, game.result(s))] += 1
        part.ends.append(bytes.fromhex(digest(game, s)))
    return part


def _rngs(seed: int, index: int) -> tuple[FastChance, FastChance]:
    """Return the random numbers for the rules and for the choices in match *index*."""
    word = hashlib.blake2b(f"{seed}/{index}".encode("ascii"), digest_size=32).digest()
    parts = [int.from_bytes(word[i : i + 7], "big") for i in (0, 8, 16, 24)]
    return FastChance(parts[0], parts[1]), FastChance(parts[2], parts[3])


def _outcome(game: Game, result: Result | None) -> str:
    if result is None:
        return "endless"
    reasons = "+".join(sorted(result.reasons)) or "-"
    if game.cooperative:
        return f"{'won' if all(result.won) else 'lost'} {reasons}"
    winners = ",".join(str(seat) for seat, won in enumerate(result.won) if won)
    return f"seat {winners} wins {reasons}" if winners else f"nobody wins {reasons}"
