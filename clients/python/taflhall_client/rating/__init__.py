"""Ratings and statistics of matches between bots.

Start with :mod:`~taflhall_client.rating.outcome` (what counts as the outcome of a match), then

* :mod:`~taflhall_client.rating.strengths`: one fit over all matches, with intervals;
* :mod:`~taflhall_client.rating.live`: ratings that change after each match;
* :mod:`~taflhall_client.rating.teams`: the scale of cooperative games, teams against scenarios;
* :mod:`~taflhall_client.rating.sequential`: whether one bot is better, with early stopping;
* :mod:`~taflhall_client.rating.tables`: cross tables and results by seat.

It needs the extra ``tournament`` (numpy and openskill). Nothing is imported here, so that processes
which only play matches, and need the outcomes alone, load neither of the two.
"""
