"""Two bots against each other until one is better with a given confidence.

In a block both play one deal at every seat: in a competitive game the first takes each seat in turn
while the second takes all others. In a cooperative game, or a solo game, each plays at all seats.
The difference of their shares of the wins, between -1 and 1, goes into the sequential test of
:mod:`taflhall_client.rating.sequential`, in the order of the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from taflhall_client.rating.sequential import Comparison, Verdict
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.replays import Replays
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.run import Players
from taflhall_client.tournament.schedule import Pairing
from taflhall_client.tournament.workers import Workers

FIRST: Final = "first"
SECOND: Final = "second"
AT_ONCE: Final = 16
"""Blocks that players other than processes are given at once."""


@dataclass(frozen=True, slots=True)
class MatchUp:
    """How the two fared: all differences are those of the first bot's shares of the wins."""

    blocks: int
    matches: int
    difference: float
    low: float
    high: float
    verdict: Verdict
    faults: int


def match_up(
    tournament: Tournament,
    out: Path,
    players: AbstractContextManager[Players] | int,
    *,
    cooperative: bool,
    confidence: float = 0.95,
    least: int = 4,
    progress: Callable[[MatchUp], None] = lambda so_far: None,  # noqa: ARG005
) -> MatchUp:
    """Play blocks between the entrants ``first`` and ``second``; records go below *out*.

    *players* are a number of processes, or others who play matches into *out*. With *cooperative*
    each plays all seats. End when one is better with *confidence*, after *least* blocks at the
    earliest and ``tournament.rounds`` at the latest. Raise
    :exc:`~taflhall_client.tournament.replays.HostFailed` if a match was set aside too often.
    """
    comparison = Comparison(1 - confidence, min(200, tournament.rounds))
    matches = faults = 0
    so_far = MatchUp(0, 0, 0.0, -1.0, 1.0, Verdict.OPEN, 0)
    numbers = iter(range(tournament.rounds))
    size = 2 if cooperative else tournament.seats
    at_once = -(-2 * players // size) if isinstance(players, int) else AT_ONCE
    if isinstance(players, int):
        players = Workers(tournament, out, players)
    for folder in ("records", "evidence"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    with players as entered:
        while batch := list(islice(numbers, at_once)):
            pairings = [p for n in batch for p in block(n, tournament.seats, cooperative)]
            found = _played(entered, pairings)
            for number in batch:
                block_results = [found[f"{number}.{turn}"] for turn in range(size)]
                comparison.add(difference(block_results, cooperative))
                matches += size
                faults += sum(len(result.faults) for result in block_results)
                low, high = comparison.interval
                so_far = MatchUp(
                    number + 1, matches, comparison.mean, low, high, comparison.verdict, faults
                )
                progress(so_far)
                if so_far.verdict is not Verdict.OPEN and so_far.blocks >= least:
                    return so_far
    return so_far


def _played(players: Players, pairings: Sequence[Pairing]) -> dict[str, MatchResult]:
    """Return the results of *pairings* by the id of the match, all of which count."""
    found: dict[str, MatchResult] = {}
    replays, by_id = Replays(), {pairing.match_id: pairing for pairing in pairings}
    players.submit(pairings)
    while players.busy:
        judged = [replays.judge(r, by_id[r.match_id]) for r in players.collect()]
        players.submit(replays.again(judged, by_id))
        found.update({result.match_id: result for result in judged})
    return found


def block(number: int, seats: int, cooperative: bool) -> Iterator[Pairing]:
    """Yield the matches of one block."""
    if cooperative:
        for turn, name in enumerate((FIRST, SECOND)):
            yield Pairing(f"{number}.{turn}", number, (name,) * seats)
        return
    for turn in range(seats):
        names = tuple(FIRST if seat == turn else SECOND for seat in range(seats))
        yield Pairing(f"{number}.{turn}", number, names)


def difference(results: Sequence[MatchResult], cooperative: bool) -> float:
    """Return the first bot's share of the wins less the second's, seat for seat, in one block."""
    total = 0.0
    for result in results:
        if cooperative:
            won = all(result.won) and not result.faults
            total += won if result.entrants[0] == FIRST else -won
            continue
        tiers = result.outcome_by_seat()
        mine = result.entrants.index(FIRST)
        share = 1 / len(tiers[0]) if mine in tiers[0] else 0.0
        total += share - (1 - share) / (len(result.entrants) - 1)
    return total if cooperative else total / len(results)
