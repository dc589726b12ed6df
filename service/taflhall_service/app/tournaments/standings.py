"""The standings of a tournament."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from taflhall_service.app.tournaments.model import Tournament
from taflhall_service.app.tournaments.schedule import Results, schedule, shares


@dataclass(frozen=True, slots=True)
class Standing:
    """The line of an entrant."""

    place: int
    account: str
    name: str
    points: float
    matches: int
    wins: int


def standings(tournament: Tournament, results: Results) -> list[Standing]:
    """Return the standings, best first; equal points share a place, in the order of entry."""
    settled = schedule(tournament, results)
    group = tournament.group
    points = {entrant.account: 0.0 for entrant in tournament.entrants}
    for account, byes in settled.byes.items():
        points[account] += byes * group
    matches: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for pairing in settled.pairings:
        result = results.get(pairing.index)
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
    ordered = sorted(tournament.entrants, key=lambda entrant: -points[entrant.account])
    lines: list[Standing] = []
    for number, entrant in enumerate(ordered, 1):
        own = points[entrant.account]
        tied = lines and abs(lines[-1].points - own) < 1e-9
        place = lines[-1].place if tied else number
        account = entrant.account
        lines.append(Standing(place, account, entrant.name, own, matches[account], wins[account]))
    return lines
