"""Cross tables: who scored how much against whom, and at which seat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from taflhall_client.rating.outcome import Outcome


@dataclass(slots=True)
class Cell:
    """Comparisons of one player with another: wins, ties and losses."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def score(self) -> float:
        """The share of points, a tie as half; 0 without games."""
        return (self.wins + self.ties / 2) / self.games if self.games else 0.0


@dataclass(slots=True)
class SeatCell:
    """Matches of a player at one seat: how many, how many won, and the sum of scores."""

    matches: int = 0
    wins: int = 0
    score: float = 0.0


def cross_table(outcomes: Iterable[Outcome]) -> dict[tuple[str, str], Cell]:
    """Return for each ordered pair of players that met how the first fared against the second."""
    table: dict[tuple[str, str], Cell] = defaultdict(Cell)
    for outcome in outcomes:
        for one, other in combinations(outcome.players, 2):
            tied = outcome.place(one) == outcome.place(other)
            table[one, other].ties += tied
            table[other, one].ties += tied
            table[one, other].wins += not tied  # players come best first
            table[other, one].losses += not tied
    return dict(table)


def seat_table(outcomes: Iterable[Outcome]) -> dict[tuple[str, int], SeatCell]:
    """Return for each player and seat (from 0) how the player fared there."""
    table: dict[tuple[str, int], SeatCell] = defaultdict(SeatCell)
    for outcome in outcomes:
        for seat, player in enumerate(outcome.seats):
            cell = table[player, seat]
            cell.matches += 1
            cell.wins += outcome.place(player) == 1
            cell.score += outcome.score(player)
    return dict(table)
