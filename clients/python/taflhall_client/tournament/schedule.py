"""Which matches a tournament asks for: a function of its description and the results so far.

A block is one deal (the same secret, so the same cards and dice as long as play is the same) played
once for each rotation of its entrants round the seats. Formats:

* ``round_robin``: every group of entrants that fills the seats, *rounds* blocks each;
* ``free_for_all``: *rounds* times, all entrants in random groups, those with fewest matches first;
* ``gauntlet``: the first entrant against every group of others, *rounds* blocks each;
* ``swiss``: *rounds* rounds, groups of entrants with about the same points, no pair twice while
  that can be avoided; an entrant left over has a bye, no one twice before everybody once;
* ``knockout``: the winner of each block advances, the first entrants meet last; a tie is decided by
  further blocks, after *rounds* of them by the order of the entrants;
* ``ladder``: *rounds* blocks one after the other, the entrant with fewest matches against those
  nearest to it in rating;
* ``cooperative``: every entrant, as a team at all seats, against every scenario, *rounds* deals.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played. The same tournament always gives the same one the same id."""

    match_id: str
    """Block and rotation, as ``12.0``."""
    block: int
    entrants: tuple[str, ...]
    """By seat."""
    scenario: str = ""


Results = Mapping[str, MatchResult]
"""The results so far, by the id of the match; a match that was set aside has none."""


def pending(tournament: Tournament, results: Results) -> list[Pairing]:
    """Return the matches that can be played now, in order; empty when the tournament is over."""
    return [p for p in known(tournament, results) if p.match_id not in results]


def known(tournament: Tournament, results: Results) -> list[Pairing]:
    """Return all matches that are settled by now, played or not, in order."""
    return list(FORMATS[tournament.format](tournament, results))


def secret(tournament: Tournament, block: int) -> bytes:
    """Return the secret of the random numbers of every match of *block*."""
    return hashlib.sha256(f"{tournament.seed}/{tournament.name}/{block}".encode()).digest()


def bot_seed(tournament: Tournament, pairing: Pairing, seat: int) -> int:
    """Return the seed of the bot at *seat*."""
    text = f"{tournament.seed}/{tournament.name}/{pairing.match_id}/{seat}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "big")


MAX_STEPS: Final = 20_000
"""How many groups are tried for one round of a Swiss tournament."""

# ---------------------------------------------------------------- formats

Groups = Iterator[tuple[str, ...]]


def _block(number: int, group: Sequence[str]) -> Iterator[Pairing]:
    for turn in range(len(group)):
        yield Pairing(f"{number}.{turn}", number, (*group[turn:], *group[:turn]))


def _names(tournament: Tournament) -> list[str]:
    return [entrant.name for entrant in tournament.entrants]


def _repeated(tournament: Tournament, groups: Sequence[tuple[str, ...]]) -> Iterator[Pairing]:
    number = 0
    for _ in range(tournament.rounds):
        for group in groups:
            yield from _block(number, group)
            number += 1


def _round_robin(tournament: Tournament, _: Results) -> Iterator[Pairing]:
    return _repeated(tournament, list(combinations(_names(tournament), tournament.seats)))


def _gauntlet(tournament: Tournament, _: Results) -> Iterator[Pairing]:
    first, *others = _names(tournament)
    groups = [(first, *rest) for rest in combinations(others, tournament.seats - 1)]
    return _repeated(tournament, groups)


def _free_for_all(tournament: Tournament, _: Results) -> Iterator[Pairing]:
    rng = random.Random(f"{tournament.seed}/free for all")
    played: Counter[str] = Counter()
    number = 0
    for _round in range(tournament.rounds):
        waiting = _names(tournament)
        while waiting:
            waiting.sort(key=lambda name: (played[name], rng.random()))
            group = waiting[: tournament.seats]
            del waiting[: tournament.seats]
            others = [name for name in _names(tournament) if name not in group]
            others.sort(key=lambda name: (played[name], rng.random()))
            group += others[: tournament.seats - len(group)]
            played.update(group)
            yield from _block(number, group)
            number += 1


def _swiss(tournament: Tournament, results: Results) -> Iterator[Pairing]:
    names = _names(tournament)
    rng = random.Random(f"{tournament.seed}/swiss")
    order = {name: rng.random() for name in names}
    points: dict[str, float] = defaultdict(float)
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    number = 0
    for _ in range(tournament.rounds):
        left = sorted(names, key=lambda name: (-points[name], order[name]))
        for _bye in range(len(left) % tournament.seats):
            resting = min(reversed(left), key=lambda name: byes[name])
            byes[resting] += 1
            points[resting] += 1.0
            left.remove(resting)
        played: list[Pairing] = []
        for group in _Grouping(tournament.seats, met).groups(left):
            met.update(frozenset(pair) for pair in combinations(group, 2))
            played += _block(number, group)
            number += 1
        yield from played
        if any(pairing.match_id not in results for pairing in played):
            return
        for pairing in played:
            outcome = results[pairing.match_id].outcome(pairing.block)
            for name in pairing.entrants:
                points[name] += outcome.score(name) / tournament.seats


class _Grouping:
    """Groups with as few meetings as possible of those who have *met*.

    Whoever is first meets those next to them where that is possible. If the search takes more than
    :data:`MAX_STEPS`, each takes the nearest whom they have met least.
    """

    def __init__(self, size: int, met: Counter[frozenset[str]]) -> None:
        self._size: Final = size
        self._met: Final = met
        self._steps = 0

    def groups(self, left: Sequence[str]) -> list[list[str]]:
        """Return groups of all in *left*."""
        repeats = 0
        while self._steps < MAX_STEPS:
            found = self._search(left, repeats)
            if found is not None:
                return found
            repeats += 1
        waiting, nearest = list(left), []
        while waiting:
            group = [waiting.pop(0)]
            while len(group) < self._size:
                meetings = [self._meetings([*group, name]) for name in waiting]
                group.append(waiting.pop(meetings.index(min(meetings))))
            nearest.append(group)
        return nearest

    def _search(self, left: Sequence[str], repeats: int) -> list[list[str]] | None:
        """Return groups with at most *repeats* repeated meetings, ``None`` if none are found."""
        if not left:
            return []
        first, *others = left
        for rest in combinations(others, self._size - 1):
            self._steps += 1
            if self._steps > MAX_STEPS:
                return None
            group = [first, *rest]
            further = repeats - self._meetings(group)
            if further >= 0:
                found = self._search([name for name in others if name not in rest], further)
                if found is not None:
                    return [group, *found]
        return None

    def _meetings(self, group: Sequence[str]) -> int:
        return sum(self._met[frozenset(pair)] for pair in combinations(group, 2))


@dataclass(slots=True)
class Bracket:
    """A knock-out as far as it is settled."""

    pairings: list[Pairing]
    survived: Counter[str]
    """By entrant, the groups that it has won."""


def _knockout(tournament: Tournament, results: Results) -> Iterator[Pairing]:
    return iter(bracket(tournament, results).pairings)


def bracket(tournament: Tournament, results: Results) -> Bracket:
    """Return the matches of a knock-out that are settled by now, and who came how far.

    A group that is too small to fill the seats advances without a match.
    """
    found = Bracket([], Counter())
    alive = _names(tournament)
    size = tournament.seats
    number = 0
    while len(alive) >= size > 1:
        tables = -(-len(alive) // size)
        through: list[str] = []
        complete = True
        for group in [alive[k::tables] for k in range(tables)]:
            if len(group) < size:
                through += group
                continue
            winner = _winner(tournament, results, number, group, found.pairings)
            number += tournament.rounds
            if winner is None:
                complete = False
            else:
                found.survived[winner] += 1
                through.append(winner)
        if not complete or len(through) >= len(alive):
            break
        alive = sorted(through, key=alive.index)
    return found


def _winner(
    tournament: Tournament, results: Results, number: int, group: list[str], played: list[Pairing]
) -> str | None:
    """Return the winner of *group*, ``None`` while matches are missing; note its matches."""
    scores: dict[str, float] = dict.fromkeys(group, 0.0)
    leaders = group
    for again in range(tournament.rounds):
        block = list(_block(number + again, group))
        played += block
        for pairing in block:
            result = results.get(pairing.match_id)
            if result is None:
                return None
            for name in group:
                scores[name] += result.outcome().score(name)
        best = max(scores.values())
        leaders = [name for name in group if scores[name] > best - 1e-9]
        if len(leaders) == 1:
            break
    return leaders[0]


def _ladder(tournament: Tournament, results: Results) -> Iterator[Pairing]:
    from taflhall_client.rating.live import LiveRatings

    names = _names(tournament)
    ratings = LiveRatings()
    played: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for number in range(tournament.rounds):
        first = min(names, key=lambda name: (played[name], names.index(name)))
        own = ratings.rating(first).mu

        def distance(name: str, first: str = first, own: float = own) -> tuple[float, int]:
            away = abs(ratings.rating(name).mu - own) + 2.0 * met[frozenset((first, name))]
            return away, played[name]

        others = sorted((name for name in names if name != first), key=distance)
        group = [first, *others[: tournament.seats - 1]]
        played.update(group)
        met.update(frozenset((first, other)) for other in group[1:])
        block = list(_block(number, group))
        yield from block
        if any(pairing.match_id not in results for pairing in block):
            return
        for pairing in block:
            ratings.add(results[pairing.match_id].outcome(number))


def _cooperative(tournament: Tournament, _: Results) -> Iterator[Pairing]:
    number = 0
    for _round in range(tournament.rounds):
        for scenario in tournament.scenarios:
            for turn, name in enumerate(_names(tournament)):
                team = (name,) * tournament.seats
                yield Pairing(f"{number}.{turn}", number, team, scenario.name)
            number += 1


FORMATS: Final[dict[str, Callable[[Tournament, Results], Iterator[Pairing]]]] = {
    "round_robin": _round_robin,
    "free_for_all": _free_for_all,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knockout": _knockout,
    "ladder": _ladder,
    "cooperative": _cooperative,
}
