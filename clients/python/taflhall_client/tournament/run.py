"""Runs a tournament to its end; may be killed at any time and started again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

from taflhall_client.tournament.description import Tournament
from taflhall_client.tournament.journal import Journal
from taflhall_client.tournament.schedule import known, pending
from taflhall_client.tournament.workers import Workers

TRIES: Final = 3
"""How often a match may be set aside before the tournament stops."""

Progress = Callable[[int, int], None]
"""Is called with how many matches have been played, and how many are known."""


class HostFailed(Exception):
    """The same match had to be set aside again and again."""


def run(
    tournament: Tournament,
    source: Path,
    out: Path,
    jobs: int,
    progress: Progress = lambda played, all_: None,  # noqa: ARG005
) -> Journal:
    """Play what is left of *tournament*, described by *source*, into *out*; return its journal.

    Raise :exc:`~taflhall_client.tournament.journal.JournalError` if the folder cannot be used, and
    :exc:`HostFailed` if a match was set aside :data:`TRIES` times.
    """
    aside: Counter[str] = Counter()
    with Journal(out, tournament, source) as journal:
        if not pending(tournament, journal.results):
            return journal  # without starting processes
        with Workers(tournament, out, jobs) as workers:
            settled = known(tournament, journal.results)
            while todo := [p for p in settled if p.match_id not in journal.results]:
                for found in workers.play(todo):
                    journal.add(found)
                    progress(len(journal.results), len(settled))
                    aside.update(result.match_id for result in found if result.set_aside)
                    for result in found:
                        if aside[result.match_id] >= TRIES:
                            raise HostFailed(
                                f"match {result.match_id} was set aside {TRIES} times, "
                                f"at last because: {result.set_aside}"
                            )
                settled = known(tournament, journal.results)
        return journal
