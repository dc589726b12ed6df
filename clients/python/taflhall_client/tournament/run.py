"""Runs a tournament to its end; may be killed at any time and started again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.journal import Journal
from taflhall_client.tournament.replays import Replays
from taflhall_client.tournament.results import MatchResult
from taflhall_client.tournament.schedule import Pairing, Schedule
from taflhall_client.tournament.workers import Workers

Progress = Callable[[int, int], None]
"""Is called with how many matches have been played, and how many are known."""


class Players(Protocol):
    """Whoever plays matches: processes here, or a cluster."""

    @property
    def busy(self) -> bool:
        """Whether a match that was submitted has no result yet."""
        ...

    def submit(self, pairings: Iterable[Pairing]) -> None:
        """Let *pairings* be played after those before."""
        ...

    def collect(self) -> list[MatchResult]:
        """Return the results that have come, after a short time at the latest."""
        ...


def run(
    tournament: Tournament,
    source: Path,
    out: Path,
    players: AbstractContextManager[Players] | int,
    progress: Progress = lambda played, all_: None,  # noqa: ARG005
) -> Journal:
    """Play what is left of *tournament*, described by *source*, into *out*; return its journal.

    *players* are a number of processes, or others who play matches into *out*. Raise
    :exc:`~taflhall_client.tournament.journal.JournalError` if the folder cannot be used, and
    :exc:`~taflhall_client.tournament.replays.HostFailed` if a match was set aside too often.
    """
    if isinstance(players, int):
        players = Workers(tournament, out, players)
    with Journal(out, tournament, source) as journal:
        schedule = Schedule(tournament, journal.results)
        left = {p.match_id: p for p in _fresh(schedule, journal)}
        if left:  # no processes are started for nothing
            with players as entered:
                _play(schedule, journal, left, entered, progress)
        return journal


def _play(
    schedule: Schedule,
    journal: Journal,
    left: dict[str, Pairing],
    players: Players,
    progress: Progress,
) -> None:
    """Let *players* play what is *left*, and what follows from the results."""
    replays = Replays()
    players.submit(left.values())
    while left:
        found = [replays.judge(r, left[r.match_id]) for r in players.collect()]
        if not found:
            continue
        journal.add(found)
        players.submit(replays.again(found, left))
        for result in found:
            if not result.set_aside:
                del left[result.match_id]
        fresh = _fresh(schedule, journal)
        left |= {p.match_id: p for p in fresh}
        players.submit(fresh)
        progress(len(journal.results), len(journal.results) + len(left))


def _fresh(schedule: Schedule, journal: Journal) -> list[Pairing]:
    """Return the matches that are settled by now, were not before, and have no result."""
    while True:
        settled = schedule.more()
        fresh = [p for p in settled if p.match_id not in journal.results]
        if fresh or not settled:
            return fresh
