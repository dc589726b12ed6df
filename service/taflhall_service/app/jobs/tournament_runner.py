"""Plays tournaments: starts the matches that are due, and notes the results of those over.

One server at a time holds the lease of a tournament, so that the others need not do the same work.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from typing import Final

import structlog

from taflhall_service.app import errors
from taflhall_service.app.jobs.running_tournament import RunningTournament
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.tournaments.model import Tournament
from taflhall_service.app.tournaments.tournaments import Tournaments
from taflhall_service.app.watching.announcements import Announcement

LOOK_SECONDS: Final = 1.0
"""From one look at the tournaments to the next."""
BUSY_SECONDS: Final = 0.1
"""The same while this server plays a tournament, since its entrants wait for the next match."""
RECHECK_SECONDS: Final = 5.0
"""How often all matches under way are looked at, should an announcement be lost."""
LEASE_MS: Final = 3_000
"""How long the lease of a server that has died keeps the others from a tournament."""

_log = structlog.get_logger("tournaments")


class TournamentRunner:
    """Plays the tournaments of a store, as one of its servers."""

    def __init__(self, matches: Matches, recheck_seconds: float = RECHECK_SECONDS) -> None:
        self._matches = matches
        self._recheck_seconds = recheck_seconds
        self._tournaments = Tournaments(matches)
        self._name = secrets.token_bytes(8)
        """The value of this server's leases."""
        self._running: dict[str, RunningTournament] = {}
        """By their ids, the tournaments whose leases we have."""
        self._listens = False
        self._announced: set[str] | None = None
        """The matches that have been announced since the last look; ``None``: any may have been."""
        self._recheck_at = 0.0

    async def run(self, seconds: float = LOOK_SECONDS) -> None:
        """Look again and again until cancelled."""

        async def look_on() -> None:
            busy = True
            while busy:
                busy = await self.look()
                await asyncio.sleep(min(seconds, BUSY_SECONDS))

        try:
            await run_periodically(look_on, seconds, _log)
        finally:
            self._matches.announcements.ignore(self._hear)

    async def look(self) -> bool:
        """Continue each tournament whose lease we have or get; return whether there is one."""
        leased = [each for each in await self._tournaments.playing() if await self._leased(each)]
        self._running = {
            each.id: self._running[each.id] for each in leased if each.id in self._running
        }
        await self._listen(bool(leased))
        announced = self._take_announced()
        for tournament in leased:
            running = self._running.pop(tournament.id, None)  # what fails is loaded again
            try:
                if running is None:
                    running = await RunningTournament.load(self._matches, tournament)
                    await running.advance(tournament, None)
                else:
                    await running.advance(tournament, announced)
            except errors.StoreUnavailable:
                raise
            except errors.Refused as refused:
                why = type(refused).__name__
                _log.warning("tournament_waits", tournament=tournament.id, why=why)
            else:
                self._running[tournament.id] = running
        return bool(leased)

    async def _listen(self, wanted: bool) -> None:
        """Listen to announcements while this server plays a tournament."""
        if wanted == self._listens:
            return
        if wanted:
            await self._matches.announcements.listen(self._hear)
        else:
            self._matches.announcements.ignore(self._hear)
        self._listens, self._announced = wanted, None

    def _hear(self, news: Sequence[Announcement] | None) -> None:
        if news is None:
            self._announced = None
        elif self._announced is not None:
            self._announced.update(match_of(each.index_key) for each in news)

    def _take_announced(self) -> set[str] | None:
        """Return the matches that may have changed since the last look; ``None``: any."""
        now = asyncio.get_running_loop().time()
        announced, self._announced = self._announced, set()
        if now >= self._recheck_at:
            self._recheck_at = now + self._recheck_seconds
            return None
        return announced

    async def _leased(self, tournament: Tournament) -> bool:
        name, store = f"tournament-{tournament.id}", self._matches.store
        if await store.claim(name, self._name, self._name, LEASE_MS) == self._name:
            return True
        self._running.pop(tournament.id, None)  # another server may have played it meanwhile
        return await store.claim(name, self._name, b"", LEASE_MS) == self._name
