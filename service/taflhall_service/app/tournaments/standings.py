"""The standings of a tournament."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from taflhall_service.app.tournaments.model import Progress, Tournament
from taflhall_service.app.tournaments.schedule import schedule, shares


@dataclass(frozen=True, slots=True)
class Standing:
    """The line of an entrant."""

    place: int
    account: str
    name: str
    points: float
    matches: int
    wins: int


def standings(tournament: Tournament, progress: Progress) -> list[Standing]:
    """Return the standings, best first; equal points share a place, in the order of entry.

    In a knock-out whoever came further is before those with more points.
    """
    settled = schedule(tournament, progress)
    group = tournament.group
    points = {entrant.account: 0.0 for entrant in tournament.entrants}
    for account, byes in settled.byes.items():
        points[account] += byes * group
    matches: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for pairing in settled.pairings:
        result = progress.results.get(pairing.index)
        if result is None or not result.places:
            continue
        accounts = pairing.accounts
        matches.update(set(accounts))
        if len(set(accounts)) == 1:
            points[accounts[0]] += any(result.won)
            wins[accounts[0]] += any(result.won)
            continue
        for account, share, won in zip(accounts, shares(result.places), result.won, strict=True):
            points[account] += share
            wins[account] += won

    def rank(account: str) -> tuple[int, float]:
        return settled.reached.get(account, 0), round(points[account], 9)

    ordered = sorted(tournament.entrants, key=lambda entrant: rank(entrant.account), reverse=True)
    lines: list[Standing] = []
    for number, entrant in enumerate(ordered, 1):
        account = entrant.account
        tied = lines and rank(lines[-1].account) == rank(account)
        place = lines[-1].place if tied else number
        own = points[account]
        lines.append(Standing(place, account, entrant.name, own, matches[account], wins[account]))
    return lines
