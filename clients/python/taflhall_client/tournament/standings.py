"""Standings of a tournament: points, faults, and strengths with intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taflhall_client.rating.outcome import Outcome
from taflhall_client.rating.strengths import Strengths, fit
from taflhall_client.rating.teams import Challenge, fit_teams
from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Schedule, order


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's line."""

    place: int
    name: str
    matches: int
    wins: float
    """Matches won, one shared by n as 1/n."""
    points: float
    """The shares of opponents beaten, added up; in a cooperative game the matches won.

    A bye in a Swiss tournament counts as its matches won.
    """
    faults: int
    strength: float | None = None
    """Elo-like points above the average of all entrants, with the 95 % interval."""
    low: float | None = None
    high: float | None = None


def counted(results: Iterable[MatchResult]) -> list[MatchResult]:
    """Return the results that count, each match once, in the order of the schedule."""
    found: dict[str, MatchResult] = {}
    for result in results:
        if not result.set_aside:
            found.setdefault(result.match_id, result)
    return sorted(found.values(), key=order)


def block_of(result: MatchResult) -> int:
    """Return the block of a match."""
    return int(result.match_id.partition(".")[0])


def outcomes(results: Iterable[MatchResult]) -> list[Outcome]:
    """Return the outcomes of *results*."""
    return [result.outcome(block_of(result)) for result in results]


def strengths(tournament: Tournament, results: Sequence[MatchResult]) -> Strengths | None:
    """Return the strengths of all entrants; ``None`` before anybody met anybody."""
    if tournament.format == "cooperative":
        challenges = [
            Challenge(r.entrants[0], r.scenario, all(r.won) and not r.faults, block_of(r))
            for r in results
        ]
        return fit_teams(challenges)[0] if challenges else None
    rated = [outcome for outcome in outcomes(results) if outcome.rated]
    return fit(rated) if rated else None


def standings(tournament: Tournament, results: Iterable[MatchResult]) -> list[Standing]:
    """Return the standings, best first.

    They are ordered by the round reached (knock-out), then by points (formats in which all play as
    many matches, byes included: round robin, Swiss, cooperative) or points a match, then by
    strength.
    """
    played = counted(results)
    cooperative = tournament.format == "cooperative"
    matches: Counter[str] = Counter()
    wins: defaultdict[str, float] = defaultdict(float)
    points: defaultdict[str, float] = defaultdict(float)
    faults: Counter[str] = Counter()
    for result in played:
        outcome = result.outcome()
        best = [name for name in outcome.players if outcome.place(name) == 1]
        for fault in result.faults:
            faults[fault.entrant] += 1
        for name in outcome.players:
            matches[name] += 1
            if cooperative:
                won = all(result.won) and not result.faults
                wins[name] += won
                points[name] += won
            else:
                wins[name] += (name in best) / len(best)
                points[name] += outcome.score(name)
    fitted = strengths(tournament, played)
    by_name = {e.player: e for e in fitted.estimates} if fitted is not None else {}

    settled = Schedule(tournament, {r.match_id: r for r in played})
    if tournament.format in ("knockout", "swiss"):
        settled.more()
    for name, byes in settled.byes.items():
        points[name] += byes * tournament.seats
    total = tournament.format in ("round_robin", "swiss", "cooperative")

    def key(name: str) -> tuple[float, float, float]:
        estimate = by_name.get(name)
        strength = estimate.points if estimate is not None else 0.0
        share = float(points[name]) if total else points[name] / max(1, matches[name])
        return -settled.reached.get(name, 0), -share, -strength

    names = sorted([entrant.name for entrant in tournament.entrants], key=lambda n: (*key(n), n))
    lines: list[Standing] = []
    for number, name in enumerate(names, 1):
        tied = lines and key(names[number - 2])[:2] == key(name)[:2]
        estimate = by_name.get(name)
        lines.append(
            Standing(
                lines[-1].place if tied else number,
                name,
                matches[name],
                wins[name],
                points[name],
                faults[name],
                estimate.points if estimate else None,
                estimate.low if estimate else None,
                estimate.high if estimate else None,
            )
        )
    return lines


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's line in a team event."""

    place: int
    name: str
    matches: int
    """Those of its entrants together."""
    points: float
    """Those of its entrants together."""


def team_standings(tournament: Tournament, lines: Sequence[Standing]) -> list[TeamStanding]:
    """Return the standings of the teams by points a match, best first; empty without teams."""
    by_name = {line.name: line for line in lines}
    teams: defaultdict[str, list[Standing]] = defaultdict(list)
    for entrant in tournament.entrants:
        if entrant.team:
            teams[entrant.team].append(by_name[entrant.name])
    found: list[tuple[float, str, int, float]] = []
    for name, members in teams.items():
        matches = sum(line.matches for line in members)
        points = sum(line.points for line in members)
        found.append((points / max(1, matches), name, matches, points))
    found.sort(key=lambda line: (-line[0], line[1]))
    return [
        TeamStanding(1 + sum(other[0] > share + 1e-9 for other in found), name, matches, points)
        for share, name, matches, points in found
    ]
