"""Do the dice of Champions of Midgard fall as their faces say? A chi-square test.

Run ``python -m tests.benchmarks.champions_dice [--matches N] [--write]``: every die that is rolled
or rerolled in random matches is counted. The probability is that of a deviation at least as
great with true dice; below one in a thousand something is wrong, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from taflhall_engine import registry
from taflhall_engine.champions.events import Rolled
from taflhall_engine.champions.ids import FACES, WARRIORS
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import Chance, FastChance, KeyedChance
from tests.benchmarks.report import table, write_section

LEAST: Final = 0.001


def thrown(matches: int, keyed: bool) -> list[Counter[int]]:
    """Return how often each face fell, by type of warrior."""
    game: Any = registry.game("champions")
    counts: list[Counter[int]] = [Counter() for _ in WARRIORS]
    for number in range(matches):
        chance: Chance = FastChance(number)
        if keyed:
            chance = KeyedChance(number.to_bytes(32, "big"))
        s = game.new(game.setup_kind(seats=2 + number % 3), chance)
        rng = FastChance(number + 10**6)
        s.journal = []
        while s.agenda:
            [seat] = asked(s)
            listed = options(s, seat)
            apply(s, seat, listed[rng.below(len(listed))])
        for event in s.journal:
            if isinstance(event, Rolled):
                for warrior, face in zip(event.warriors, event.faces, strict=True):
                    counts[warrior][face] += 1
    return counts


def chi_square(found: Sequence[int], expected: Sequence[float]) -> float:
    return sum((f - e) ** 2 / e for f, e in zip(found, expected, strict=True))


def tail(x: float, freedom: int) -> float:
    """Return the probability that a chi-square with that many degrees of freedom exceeds *x*."""
    odd = freedom % 2
    probability = math.erfc(math.sqrt(x / 2)) if odd else math.exp(-x / 2)
    term = math.sqrt(2 * x / math.pi) * math.exp(-x / 2) if odd else probability * x / 2
    for k in range(3 if odd else 4, freedom + 1, 2):
        probability += term
        term *= x / k
    return probability


def rows(counts: list[Counter[int]]) -> tuple[list[list[str]], float]:
    """Return the table's rows and the least probability."""
    game: Any = registry.game("champions")
    found, least = [], 1.0
    for warrior, name in enumerate(WARRIORS):
        sides = game.components.sides[warrior]
        faces = sorted(set(sides))
        total = sum(counts[warrior].values())
        assert set(counts[warrior]) <= set(faces)
        expected = [total * sides.count(face) / len(sides) for face in faces]
        seen = [counts[warrior][face] for face in faces]
        x = chi_square(seen, expected)
        probability = tail(x, len(faces) - 1)
        least = min(least, probability)
        shares = ", ".join(
            f"{FACES[face]} {count} ({wanted:.0f})"
            for face, count, wanted in zip(faces, seen, expected, strict=True)
        )
        found.append([name, str(total), shares, f"{x:.2f}", f"{probability:.3f}"])
    return found, least


def main() -> bool:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.champions_dice", description=__doc__
    )
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help="write docs/measurements.md")
    given = parser.parse_args()
    parts, fine = [], True
    for keyed in (False, True):
        listed, least = rows(thrown(given.matches, keyed))
        fine = fine and least >= LEAST
        kind = "keyed chance (hosted matches)" if keyed else "fast chance"
        head = [f"dice, {kind}", "thrown", "faces (expected)", "chi-square", "probability"]
        parts.append(table(head, listed))
    text = "\n\n".join(parts)
    print(text)
    if given.write:
        command = f"python -m tests.benchmarks.champions_dice --matches {given.matches}"
        write_section("dice:champions", "Dice of Champions of Midgard", command, text)
    return fine


if __name__ == "__main__":
    sys.exit(not main())
