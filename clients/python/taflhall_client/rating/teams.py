"""The scale of cooperative games: teams against scenarios.

Places say nothing where a team wins or loses together. Here a scenario (a game with its
difficulty) is an opponent: the team wins, or the scenario does. One Bradley-Terry fit gives both on
one scale, so that teams can be compared which met different scenarios. It is kept apart from the
ratings of competitive games.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from taflhall_client.rating.outcome import Outcome
from taflhall_client.rating.strengths import PRIOR, Strengths, fit


@dataclass(frozen=True, slots=True)
class Challenge:
    """One cooperative match: a team, the scenario, and whether the team won."""

    team: str
    scenario: str
    won: bool
    block: int = 0


def fit_teams(
    challenges: Iterable[Challenge], prior: float = PRIOR, level: float = 0.95
) -> tuple[Strengths, Strengths]:
    """Return the strengths of the teams and the difficulties of the scenarios, on one scale."""
    outcomes = []
    for challenge in challenges:
        team, scenario = f"team {challenge.team}", f"scenario {challenge.scenario}"
        order = (team, scenario) if challenge.won else (scenario, team)
        outcomes.append(Outcome(tuple((player,) for player in order), challenge.block))
    fitted = fit(outcomes, prior, level)
    return _only(fitted, "team "), _only(fitted, "scenario ")


def _only(fitted: Strengths, prefix: str) -> Strengths:
    kept = [
        type(e)(e.player.removeprefix(prefix), e.points, e.low, e.high, e.matches)
        for e in fitted.estimates
        if e.player.startswith(prefix)
    ]
    return Strengths(tuple(kept), fitted.log_likelihood)
