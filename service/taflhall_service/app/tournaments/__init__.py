"""Tournaments that the server runs.

Start with :mod:`.model` (what is stored), then :mod:`.schedule` (which matches a tournament asks
for, given the results so far), :mod:`.tournaments` (what callers do) and
:mod:`~taflhall_service.app.jobs.tournament_runner` (what the server does).
"""
