"""Which matches a tournament asks for: a function of its description and the results so far.

The same tournament with the same results always has the same matches in the same order, so any
server may go on with it at any time.

* Round robin: in every round each group of entrants that fills the seats plays as many matches as
  there are seats, so that everybody has every seat once.
* Swiss: in every round entrants with about the same points meet, no two twice while that can be
  avoided, in as many matches as there are seats. An entrant that is left over has a bye, which
  counts as if it had won all these matches, and nobody has two before everybody has one.

A match with an entrant who has withdrawn is decided without being played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import comb
from typing import Final

from taflhall_service.app.tournaments.model import SWISS, MatchResult, Tournament

MAX_REPEATS: Final = 100
"""Repeated meetings in one round, beyond which they are not counted."""
MAX_STEPS: Final = 20_000
"""How many groups are tried for one round."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of a tournament."""

    index: int
    """Its place in the schedule, from 0."""
    round: int
    """From 1."""
    accounts: tuple[str, ...]
    """By seat."""


Results = Mapping[int, MatchResult]
"""The results so far, by the index of the match."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The matches of a tournament as far as they are settled."""

    pairings: list[Pairing]
    """Played or not, in order."""
    byes: Mapping[str, int]
    """By account, the byes that it has had."""


def schedule(tournament: Tournament, results: Results) -> Schedule:
    """Return what is settled by now."""
    byes: Counter[str] = Counter()
    if tournament.format == SWISS:
        matches = _swiss(tournament, results, byes)
    else:
        matches = _round_robin(tournament)
    pairings = [Pairing(index, *match) for index, match in enumerate(matches)]
    return Schedule(pairings, byes)


def match_count(tournament: Tournament) -> int:
    """Return how many matches the tournament has at most."""
    entrants, group = len(tournament.entrants), tournament.group
    groups = entrants // group if tournament.format == SWISS else comb(entrants, group)
    return groups * group * tournament.rounds


def shares(places: Sequence[int]) -> list[float]:
    """Return the points of each seat: the share of opponents that came behind, ties as a half."""
    opponents = len(places) - 1
    return [
        sum((place < other) + 0.5 * (place == other) for k, other in enumerate(places) if k != seat)
        / opponents
        for seat, place in enumerate(places)
    ]


_Matches = Iterator[tuple[int, tuple[str, ...]]]


def _turns(tournament: Tournament, number: int, group: Sequence[str]) -> _Matches:
    """Yield the matches of a group in a round: one with each of its members first."""
    if len(group) == 1:
        yield number, (group[0],) * tournament.seats
        return
    for turn in range(len(group)):
        yield number, (*group[turn:], *group[:turn])


def _round_robin(tournament: Tournament) -> _Matches:
    accounts = [entrant.account for entrant in tournament.entrants]
    for number in range(1, tournament.rounds + 1):
        for group in combinations(accounts, tournament.group):
            yield from _turns(tournament, number, group)


@dataclass(slots=True)
class _Field:
    """The entrants of a Swiss tournament as they stand after some rounds."""

    order: dict[str, bytes]
    """What orders those with equal points."""
    points: dict[str, float]
    met: Counter[frozenset[str]]
    byes: Counter[str]


def _swiss(tournament: Tournament, results: Results, byes: Counter[str]) -> _Matches:
    accounts = [entrant.account for entrant in tournament.entrants]
    order = {account: _lot(tournament.id, account) for account in accounts}
    field = _Field(order, dict.fromkeys(accounts, 0.0), Counter(), byes)
    first = 0
    for number in range(1, tournament.rounds + 1):
        played: list[tuple[str, ...]] = []
        for group in _groups(tournament.group, field):
            field.met.update(frozenset(pair) for pair in combinations(group, 2))
            played += [seats for _, seats in _turns(tournament, number, group)]
        for seats in played:
            yield number, seats
        for index, seats in enumerate(played, first):
            result = results.get(index)
            if result is None:
                return
            _count(field, seats, result)
        first += len(played)


def _groups(size: int, field: _Field) -> Iterator[list[str]]:
    """Yield who meets in the next round; note the byes."""
    left = sorted(field.order, key=lambda account: (-field.points[account], field.order[account]))
    for _ in range(len(left) % size):
        resting = min(reversed(left), key=lambda account: field.byes[account])
        field.byes[resting] += 1
        field.points[resting] += size
        left.remove(resting)
    yield from grouped(left, size, field.met)


def grouped(left: list[str], size: int, met: Mapping[frozenset[str], int]) -> list[list[str]]:
    """Return groups of *size* with as few meetings as possible of those who have *met*.

    Whoever is first in *left* meets those next to them where that is possible. If the search takes
    too long, each takes the nearest whom they have met least.
    """
    search = _Grouping(size, met)
    for repeats in range(MAX_REPEATS):
        groups = search.find(left, repeats)
        if groups is not None:
            return groups
        if search.steps > MAX_STEPS:
            break
    groups = []
    waiting = list(left)
    while waiting:
        group = [waiting.pop(0)]
        while len(group) < size:
            meetings = [sum(met[frozenset((one, other))] for other in group) for one in waiting]
            group.append(waiting.pop(meetings.index(min(meetings))))
        groups.append(group)
    return groups


class _Grouping:
    """A search for groups with a limit of steps."""

    def __init__(self, size: int, met: Mapping[frozenset[str], int]) -> None:
        self._size = size
        self._met = met
        self.steps = 0

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
            cost = sum(self._met[frozenset(pair)] for pair in combinations(group, 2))
            if cost <= repeats:
                further = [one for one in others if one not in rest]
                found = self.find(further, repeats - cost)
                if found is not None:
                    return [group, *found]
        return None


def _count(field: _Field, seats: Sequence[str], result: MatchResult) -> None:
    """Add the points of a match."""
    if not result.places:
        return
    if len(set(seats)) == 1:
        field.points[seats[0]] += any(result.won)
        return
    for account, share in zip(seats, shares(result.places), strict=True):
        field.points[account] += share


def _lot(tournament_id: str, account: str) -> bytes:
    """Return what orders entrants with equal points, the same on every server."""
    return sha256(f"{tournament_id}/{account}".encode()).digest()
