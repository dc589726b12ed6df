"""Imagined worlds against the true ones: small cases played with every random outcome.

:func:`worlds` plays a case once for each random outcome and returns, for each thing that can
be seen, how likely every hidden world is then. :func:`difference` compares these with worlds
drawn by ``imagine`` (Pearson's chi-square).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.chance import Chance

needs_plain = pytest.mark.skipif(COMPILED, reason="compiled rules take no chance of a test's own")

Worlds = dict[Hashable, float]
"""The hidden worlds that agree with what was seen, and how likely each is."""


class EveryOutcome(Chance):
    """The random outcomes of one branch: *path* names each outcome; after it come first ones.

    Shuffles and draws branch, with one branch for each distinct order or handful.
    A list of the first numbers in their order (a deck of different cards before its first
    shuffle) stays as it is, and so does each die: what does not matter is not played through.
    """

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.choices: list[int] = []
        """How many outcomes each question had that was asked so far."""
        self.likely = 1.0

    def below(self, n: int) -> int:
        return 0

    def among(self, counts: list[int]) -> int:
        """Return the kind of a token drawn from *counts*."""
        kinds = [kind for kind, count in enumerate(counts) if count]
        if len(kinds) == 1:
            return kinds[0]
        asked = len(self.choices)
        if asked == len(self.path):
            self.path.append(0)
        self.choices.append(len(kinds))
        kind = kinds[self.path[asked]]
        self.likely *= counts[kind] / sum(counts)
        return kind

    def shuffle(self, items: list[int]) -> None:
        if items == list(range(len(items))):
            return
        counts = Counter(items)
        kinds = sorted(counts)
        left = [counts[kind] for kind in kinds]
        for place in range(len(items)):
            kind = self.among(left)
            left[kind] -= 1
            items[place] = kinds[kind]

    def draw(self, counts: list[int], m: int) -> list[int]:
        left = counts[:]
        for _ in range(m):
            left[self.among(left)] -= 1
        return [before - after for before, after in zip(counts, left, strict=True)]

    def copy(self) -> EveryOutcome:
        return self  # copies only check whether a command is legal, which draws nothing

    def following(self) -> list[int] | None:
        """Return the path of the next branch, ``None`` after the last one."""
        path = self.path[:]
        while path:
            if path[-1] + 1 < self.choices[len(path) - 1]:
                path[-1] += 1
                return path
            path.pop()
        return None


def worlds(play: Callable[[Chance], tuple[Hashable, Hashable]]) -> dict[Hashable, Worlds]:
    """Return the worlds by what is seen. *play* returns what is seen and what is hidden."""
    found: dict[Hashable, Worlds] = defaultdict(lambda: defaultdict(float))
    path: list[int] | None = []
    while path is not None:
        rng = EveryOutcome(path)
        seen, hidden = play(rng)
        found[seen][hidden] += rng.likely
        path = rng.following()
    return {seen: normal(likely) for seen, likely in found.items()}


def normal(likely: Worlds) -> Worlds:
    total = sum(likely.values())
    return {world: share / total for world, share in likely.items()}


def difference(true: Worlds, drawn: Iterable[Hashable]) -> list[str]:
    """Return what is wrong with worlds *drawn* as often as *true* says, in words."""
    counts = Counter(drawn)
    impossible = [world for world in counts if world not in true]
    if impossible:
        return [f"{world} cannot be" for world in impossible[:3]]
    draws = counts.total()
    assert min(true.values()) * draws >= 5, f"{len(true)} worlds are too many for {draws} draws"
    square = sum((counts[w] - share * draws) ** 2 / (share * draws) for w, share in true.items())
    limit = chi_square_limit(len(true) - 1)
    return [f"chi-square {square:.1f} over {limit:.1f}"] if square > limit else []


def chi_square_limit(freedom: int) -> float:
    """Return the chi-square that chance exceeds once in 10,000 (Wilson and Hilferty, 1931)."""
    if freedom == 0:
        return 1e-9
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 3.719 * spread**0.5) ** 3)


def hold(true: Worlds, imagine: Callable[[], Any], draws: int = 20_000) -> None:
    """Assert that *imagine* draws the worlds as often as *true* says."""
    assert difference(true, (imagine() for _ in range(draws))) == []
