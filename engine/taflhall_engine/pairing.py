"""Which groups of entrants meet: the formats of tournaments, for the service and for the client.

A block is a group of entrants that fills the seats of a match; how many matches they play is up to
the caller. A format is a generator of blocks in the order of play. Where it has to know how earlier
blocks ended, and one of them has not, it yields ``None``, and looks again when it is asked for
more. So a caller who has all results so far takes what comes before the first ``None``, and one who
collects results asks the same generator again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import Final

MAX_STEPS: Final = 20_000
"""How many groups are tried for one round of a Swiss tournament."""


@dataclass(frozen=True, slots=True)
class Block:
    """A group that meets."""

    number: int
    """Distinguishes the blocks of a tournament; a knock-out leaves some numbers out."""
    round: int
    """From 1."""
    group: tuple[str, ...]


Blocks = Iterator[Block | None]

Scores = Callable[[Block], Mapping[str, float] | None]
"""Returns the points of each of the group of a block: from 0 to 1, for whoever won everything;
``None`` while a match of the block is missing."""


@dataclass(frozen=True, slots=True)
class Field:
    """Who takes part, and how much they play."""

    names: Sequence[str]
    """The entrants, the strongest first as far as the format cares."""
    size: int
    """How many of them meet in a block."""
    rounds: int
    seed: str
    """Decides what is drawn by lot."""
    teams: Mapping[str, str] = field(default_factory=dict)
    """The teams of those entrants that have one: members of a team never meet."""

    def lot(self, *words: object) -> bytes:
        """Return what orders things by lot, the same everywhere."""
        return sha256("/".join([self.seed, *map(str, words)]).encode()).digest()

    def meet(self, group: Sequence[str]) -> bool:
        """Return whether the members of *group* belong to different teams."""
        teams = [self.teams[name] for name in group if name in self.teams]
        return len(set(teams)) == len(teams)


# ---------------------------------------------------------------- formats


def round_robin(entered: Field) -> Blocks:
    """In every round each group of entrants meets once."""
    return _rounds(entered, combinations(entered.names, entered.size))


def gauntlet(entered: Field) -> Blocks:
    """In every round the first entrant meets each group of others once."""
    first, *others = entered.names
    return _rounds(entered, ((first, *rest) for rest in combinations(others, entered.size - 1)))


def free_for_all(entered: Field) -> Blocks:
    """In every round each entrant plays, in groups drawn by lot.

    Entrants with the fewest blocks come first, and fill up the last group of a round.
    """
    played: Counter[str] = Counter()
    number = 0
    for turn in range(1, entered.rounds + 1):
        waiting = list(entered.names)
        while waiting:
            group = _drawn(entered, waiting, played, number)
            waiting = [name for name in waiting if name not in group]
            played.update(group)
            yield Block(number, turn, group)
            number += 1


def _drawn(
    entered: Field, waiting: Sequence[str], played: Mapping[str, int], number: int
) -> tuple[str, ...]:
    """Return a group of those *waiting*, filled up with others, by lot among equals."""
    lots = {
        name: (played[name], entered.lot("free for all", number, name)) for name in entered.names
    }
    first = sorted(waiting, key=lots.__getitem__)
    group: list[str] = []
    for name in [*first, *sorted(set(entered.names) - set(first), key=lots.__getitem__)]:
        if len(group) < entered.size and entered.meet([*group, name]):
            group.append(name)
    return tuple(group)


def swiss(entered: Field, scores: Scores, byes: Counter[str]) -> Blocks:
    """In every round entrants with about the same points meet.

    No two meet twice while that can be avoided. An entrant that is left over has a bye, noted in
    *byes*, which counts as a block won; nobody has two before everybody has one.
    """
    points = dict.fromkeys(entered.names, 0.0)
    met: Counter[frozenset[str]] = Counter()
    number = 0
    for turn in range(1, entered.rounds + 1):
        left = sorted(points, key=lambda name: (-points[name], entered.lot("swiss", name)))
        for _ in range(len(left) % entered.size):
            resting = min(reversed(left), key=lambda name: byes[name])
            byes[resting] += 1
            points[resting] += 1.0
            left.remove(resting)
        blocks = []
        for group in groups_of(left, entered.size, met):
            met.update(frozenset(pair) for pair in combinations(group, 2))
            blocks.append(Block(number, turn, tuple(group)))
            number += 1
        yield from blocks
        for block in blocks:
            while (found := scores(block)) is None:
                yield None
            for name, score in found.items():
                points[name] += score


@dataclass(slots=True)
class _Tie:
    """A group of a knock-out that goes on until one of them leads."""

    block: Block
    points: dict[str, float]
    left: int
    """How many further blocks may decide a tie."""

    def leaders(self) -> list[str]:
        """Return who leads, in the order of the entrants."""
        best = max(self.points.values())
        return [name for name, points in self.points.items() if points > best - 1e-9]


def knockout(entered: Field, scores: Scores, reached: dict[str, int]) -> Blocks:
    """The winner of each group advances, until one is left.

    *reached* notes the last round from which an entrant advanced. Entrants that fill no group
    advance without a match, the first of the list before others. If fewer than fill a group are
    left, the best losers of the last round join them. A tie is decided by further blocks, after
    *rounds* of them by the order of the list.
    """
    alive = list(entered.names)
    order = {name: at for at, name in enumerate(alive)}
    losers: list[str] = []
    number = turn = 0
    while len(alive) > 1:
        turn += 1
        alive += losers[: max(0, entered.size - len(alive))]
        alive.sort(key=lambda name: order[name])
        tables = len(alive) // entered.size
        byes = len(alive) - tables * entered.size
        ties = []
        for k in range(tables):
            block = Block(number, turn, tuple(alive[byes + k :: tables]))
            ties.append(_Tie(block, dict.fromkeys(block.group, 0.0), entered.rounds - 1))
            number += entered.rounds
            yield block
        yield from _decide(ties, scores)
        winners = [tie.leaders()[0] for tie in ties]
        points = {name: score for tie in ties for name, score in tie.points.items()}
        losers = sorted(set(points) - set(winners), key=lambda name: (-points[name], order[name]))
        alive = alive[:byes] + winners
        reached.update(dict.fromkeys(alive, turn))


def _decide(ties: Sequence[_Tie], scores: Scores) -> Blocks:
    """Yield the blocks that *ties* need beyond their first ones, until all are decided."""
    undecided = list(ties)
    while undecided:
        found = [(tie, scores(tie.block)) for tie in undecided]
        if all(block_scores is None for _, block_scores in found):
            yield None
        for tie, block_scores in found:
            if block_scores is None:
                continue
            for name, score in block_scores.items():
                tie.points[name] += score
            if tie.left == 0 or len(tie.leaders()) == 1:
                undecided.remove(tie)
                continue
            tie.left -= 1
            tie.block = Block(tie.block.number + 1, tie.block.round, tie.block.group)
            yield tie.block


def most_blocks(format: str, entrants: int, size: int, rounds: int) -> int:
    """Return how many blocks a tournament has at most; *format* is the name of its function."""
    if format == "round_robin":
        return rounds * comb(entrants, size)
    if format == "gauntlet":
        return rounds * comb(entrants - 1, size - 1)
    if format == "knockout":  # a group loses all but one; the last may be filled up
        return rounds * -(-(entrants - 1) // max(1, size - 1))
    if format == "swiss":
        return rounds * (entrants // size)
    return rounds * -(-entrants // size)


def _rounds(entered: Field, groups: Iterator[tuple[str, ...]]) -> Blocks:
    kept = [group for group in groups if entered.meet(group)]
    for at in range(entered.rounds * len(kept)):
        yield Block(at, at // len(kept) + 1, kept[at % len(kept)])


# ---------------------------------------------------------------- groups of a Swiss round


def groups_of(left: Sequence[str], size: int, met: Mapping[frozenset[str], int]) -> list[list[str]]:
    """Return groups of *size* with as few meetings as possible of those who have *met*.

    Whoever is first in *left* meets those next to them where that is possible. If the search takes
    more than :data:`MAX_STEPS`, each takes the nearest whom they have met least.
    """
    search = _Grouping(size, met)
    repeats = 0
    while search.steps < MAX_STEPS:
        found = search.find(left, repeats)
        if found is not None:
            return found
        repeats += 1
    groups = []
    waiting = list(left)
    while waiting:
        group = [waiting.pop(0)]
        while len(group) < size:
            meetings = [search.meetings([*group, name]) for name in waiting]
            group.append(waiting.pop(meetings.index(min(meetings))))
        groups.append(group)
    return groups


class _Grouping:
    """A search for groups with a limit of steps."""

    def __init__(self, size: int, met: Mapping[frozenset[str], int]) -> None:
        self._size: Final = size
        self._met: Final = met
        self.steps = 0

    def meetings(self, group: Sequence[str]) -> int:
        """Return how often members of *group* have met."""
        return sum(self._met.get(frozenset(pair), 0) for pair in combinations(group, 2))

    def find(self, left: Sequence[str], repeats: int) -> list[list[str]] | None:
        """Return groups with at most *repeats* repeated meetings, ``None`` if none are found."""
        if not left:
            return []
        first, *others = left
        for rest in combinations(others, self._size - 1):
            self.steps += 1
            if self.steps > MAX_STEPS:
                return None
            group = [first, *rest]
            further = repeats - self.meetings(group)
            if further >= 0:
                found = self.find([name for name in others if name not in rest], further)
                if found is not None:
                    return [group, *found]
        return None
