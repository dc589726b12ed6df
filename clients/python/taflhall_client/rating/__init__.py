"""Ratings and statistics of matches between bots.

Start with :mod:`~taflhall_client.rating.outcome` (what counts as the outcome of a match), then

* :mod:`~taflhall_client.rating.strengths`: one fit over all matches, with intervals;
* :mod:`~taflhall_client.rating.live`: ratings that change after each match;
* :mod:`~taflhall_client.rating.teams`: the scale of cooperative games, teams against scenarios;
* :mod:`~taflhall_client.rating.sequential`: whether one bot is better, with early stopping;
* :mod:`~taflhall_client.rating.tables`: cross tables and results by seat.

It needs the extra ``tournament`` (numpy and openskill).
"""

from taflhall_client.rating.live import LiveRatings
from taflhall_client.rating.outcome import Outcome
from taflhall_client.rating.sequential import Comparison, Verdict
from taflhall_client.rating.strengths import Estimate, NoMaximum, Strengths, bootstrap, fit
from taflhall_client.rating.tables import cross_table, seat_table
from taflhall_client.rating.teams import Challenge, fit_teams

__all__ = [
    "Outcome",
    "fit",
    "bootstrap",
    "Strengths",
    "Estimate",
    "NoMaximum",
    "LiveRatings",
    "Challenge",
    "fit_teams",
    "Comparison",
    "Verdict",
    "cross_table",
    "seat_table",
]
