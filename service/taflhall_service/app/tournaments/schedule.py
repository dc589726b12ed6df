"""Which matches a tournament asks for: a function of its description and of how far it is.

The same tournament with the same results always has the same matches in the same order, so any
server may continue it at any time. Which entrants meet is in :mod:`taflhall_engine.pairing`; a
group that meets plays as many matches as there are seats, so that everybody has every seat once.
A match with an entrant who has withdrawn is decided without being played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from taflhall_engine import pairing
from taflhall_engine.pairing import Block, Blocks, Field
from taflhall_service.app.tournaments.model import (
    FORMATS,
    FREE_FOR_ALL,
    GAUNTLET,
    KNOCKOUT,
    SWISS,
    MatchResult,
    Progress,
    Tournament,
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match of a tournament."""

    index: int
    """Its place in the schedule, from 0; a knock-out leaves some places out."""
    round: int
    """From 1."""
    accounts: tuple[str, ...]
    """By seat."""
    tries: int = 0
    """How often it was set aside before."""


Results = Mapping[int, MatchResult]
"""The results so far, by the index of the match."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The matches of a tournament as far as they are settled."""

    pairings: list[Pairing]
    """Played or not, in order."""
    byes: Mapping[str, int]
    """By account, the byes that it has had in a Swiss tournament."""
    reached: Mapping[str, int]
    """By account, the last round of a knock-out from which it advanced."""


def schedule(tournament: Tournament, progress: Progress) -> Schedule:
    """Return what is settled by now."""
    byes: Counter[str] = Counter()
    reached: dict[str, int] = {}
    found = []
    for block in _blocks(tournament, progress.results, byes, reached):
        if block is None:
            break
        for index, accounts in _matches(tournament, block):
            tries = progress.set_aside.get(index, 0)
            found.append(Pairing(index, block.round, accounts, tries))
    found.sort(key=lambda each: each.index)
    return Schedule(found, byes, reached)


def match_count(tournament: Tournament) -> int:
    """Return how many matches the tournament has at most."""
    entrants, group = len(tournament.entrants), tournament.group
    name = FORMATS[tournament.format]
    return pairing.most_blocks(name, entrants, group, tournament.rounds) * group


def shares(places: Sequence[int]) -> list[float]:
    """Return the points of each seat: the share of opponents that came behind, ties as a half."""
    opponents = len(places) - 1
    return [
        sum((place < other) + 0.5 * (place == other) for k, other in enumerate(places) if k != seat)
        / opponents
        for seat, place in enumerate(places)
    ]


def _blocks(
    tournament: Tournament, results: Results, byes: Counter[str], reached: dict[str, int]
) -> Blocks:
    accounts = [entrant.account for entrant in tournament.entrants]
    entered = Field(accounts, tournament.group, tournament.rounds, tournament.id)
    scores = partial(_scores, tournament, results)
    if tournament.format == SWISS:
        return pairing.swiss(entered, scores, byes)
    if tournament.format == KNOCKOUT:
        return pairing.knockout(entered, scores, reached)
    if tournament.format == GAUNTLET:
        return pairing.gauntlet(entered)
    if tournament.format == FREE_FOR_ALL:
        return pairing.free_for_all(entered)
    return pairing.round_robin(entered)


def _matches(tournament: Tournament, block: Block) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the matches of a block: one with each of its members first, all at their indexes."""
    first, group = block.number * tournament.group, block.group
    if len(group) == 1:
        yield first, (group[0],) * tournament.seats
        return
    for turn in range(len(group)):
        yield first + turn, (*group[turn:], *group[:turn])


def _scores(tournament: Tournament, results: Results, block: Block) -> dict[str, float] | None:
    """Return the points of each account in a block, ``None`` while a match is missing."""
    scores: dict[str, float] = dict.fromkeys(block.group, 0.0)
    size = len(block.group)
    for index, accounts in _matches(tournament, block):
        result = results.get(index)
        if result is None:
            return None
        if size == 1:
            scores[accounts[0]] += any(result.won)
        elif result.places:
            for account, share in zip(accounts, shares(result.places), strict=True):
                scores[account] += share / size
    return scores
