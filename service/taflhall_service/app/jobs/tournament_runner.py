"""Plays tournaments: starts the matches that are due, and notes the results of those over.

What to do follows from what is stored, and doing it twice changes nothing: any server may stop at
any point, and any other goes on. One server at a time holds the lease of a tournament, so that the
others need not do the same work.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Final

import structlog

from taflhall_service.app import errors
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import ABANDONED, OPEN, PLAYING
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.match_store import UNREADABLE_SUMMARY, MatchSummary
from taflhall_service.app.tournaments import model
from taflhall_service.app.tournaments.model import MatchResult, Tournament
from taflhall_service.app.tournaments.schedule import Pairing, schedule
from taflhall_service.app.tournaments.seating import ResignEntrant, match_id, seat
from taflhall_service.app.tournaments.tournaments import Tournaments

LOOK_SECONDS: Final = 1.0
"""From one look at the tournaments to the next."""
BUSY_SECONDS: Final = 0.2
"""The same while this server plays a tournament, since its entrants wait for the next match."""
LEASE_MS: Final = 3_000
"""How long a server that has died keeps the others from a tournament."""
MAX_UNDER_WAY: Final = 64
"""Matches of a tournament that are under way at once."""

_log = structlog.get_logger("tournaments")


class TournamentRunner:
    """Plays the tournaments of a store, as one of its servers."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._tournaments = Tournaments(matches)
        self._name = secrets.token_bytes(8)
        """What this server's leases say."""

    async def run(self, seconds: float = LOOK_SECONDS) -> None:
        """Look again and again until cancelled."""

        async def look_on() -> None:
            busy = True
            while busy:
                busy = await self.look()
                await asyncio.sleep(min(seconds, BUSY_SECONDS))

        await run_periodically(look_on, seconds, _log)

    async def look(self) -> bool:
        """Go on with each tournament whose lease we have or get; return whether there is one."""
        busy = False
        for tournament in await self._tournaments.playing():
            if await self._leased(tournament):
                busy = True
                try:
                    await self.go_on(tournament)
                except errors.StoreUnavailable:
                    raise
                except errors.Refused as refused:
                    why = type(refused).__name__
                    _log.warning("tournament_waits", tournament=tournament.id, why=why)
        return busy

    async def go_on(self, tournament: Tournament) -> None:
        """Do what is due in a tournament, and what follows from the results that are found."""
        while await self._step(tournament):
            pass

    async def _step(self, tournament: Tournament) -> bool:
        """Do what is due; return whether there is a new result."""
        progress = await self._tournaments.progress(tournament.id)
        settled = schedule(tournament, progress).pairings
        left = [pairing for pairing in settled if pairing.index not in progress.results]
        if not left:
            await self._tournaments.finish(tournament.id, model.FINISHED)
            return False
        new = False
        under_way: Counter[str] = Counter()
        begun = 0
        for pairing, summary, frozen in await self._next(tournament, left):
            begun += summary is not None
            if frozen or summary is UNREADABLE_SUMMARY:
                await self._set_aside(tournament, pairing)
                new = True
            elif summary is None or summary.status == OPEN.encode():
                new |= await self._begin(tournament, pairing, under_way)
            elif summary.status == PLAYING.encode():
                under_way.update(set(pairing.accounts))
                await self._resign(tournament, pairing)
            else:
                new |= await self._note(tournament, pairing)
        if not new:  # otherwise there is another step, which sees more
            counts = len(progress.results), sum(progress.set_aside.values()), begun
            mark = "/".join(map(str, counts)).encode()
            await self._tournaments.note_progress(tournament.id, mark)
        return new

    async def _next(
        self, tournament: Tournament, left: Sequence[Pairing]
    ) -> list[tuple[Pairing, MatchSummary | None, bytes]]:
        """Return the matches to look at, those under way first.

        Each comes with what the store has of it, and why it is frozen.
        """
        window = left[: 4 * MAX_UNDER_WAY]
        key, store = self._matches.server_key, self._matches.store
        ids = [match_id(key, tournament, pairing) for pairing in window]
        summaries, frozen = await asyncio.gather(store.summaries(ids), store.frozen(ids))
        found = list(zip(window, summaries, frozen, strict=True))
        return sorted(found, key=lambda each: each[1] is None)

    async def _set_aside(self, tournament: Tournament, pairing: Pairing) -> None:
        """Let a match that is frozen be played again, or end it without a result."""
        _log.warning("match_set_aside", tournament=tournament.id, index=pairing.index)
        if pairing.tries + 1 < model.MAX_TRIES:
            await self._tournaments.set_aside(tournament.id, pairing.index, pairing.tries)
        else:
            nothing = MatchResult("", (), (), ())
            await self._tournaments.record(tournament.id, pairing.index, nothing)

    async def _leased(self, tournament: Tournament) -> bool:
        name, store = f"tournament-{tournament.id}", self._matches.store
        held = await store.claim(name, self._name, self._name, LEASE_MS)
        if not held:
            held = await store.claim(name, self._name, b"", LEASE_MS)
        return held == self._name

    async def _begin(
        self, tournament: Tournament, pairing: Pairing, under_way: Counter[str]
    ) -> bool:
        """Start a match if its entrants are free; decide it if one of them has withdrawn.

        Return whether it is decided.
        """
        gone = tournament.withdrawn
        if gone & set(pairing.accounts):
            places = [1 + (account in gone) for account in pairing.accounts]
            last = 1 + places.count(1)
            result = MatchResult(
                "",
                tuple(last if place == 2 else 1 for place in places),
                tuple(place == 1 for place in places),
                (),
            )
            await self._tournaments.record(tournament.id, pairing.index, result)
            return True
        accounts = set(pairing.accounts)
        busy = any(under_way[account] >= tournament.at_once for account in accounts)
        if not busy and under_way.total() < MAX_UNDER_WAY * len(accounts):
            under_way.update(accounts)
            await seat(self._matches, tournament, pairing)
        return False

    async def _resign(self, tournament: Tournament, pairing: Pairing) -> None:
        """Let entrants who have withdrawn resign a match."""
        match = match_id(self._matches.server_key, tournament, pairing)
        for account in tournament.withdrawn & set(pairing.accounts):
            await act(self._matches, match, ResignEntrant(account))

    async def _note(self, tournament: Tournament, pairing: Pairing) -> bool:
        """Note the result of a match; return whether it is over."""
        match = await self._matches.current(match_id(self._matches.server_key, tournament, pairing))
        if not match.over:
            return False
        end = match.result
        result = (
            MatchResult(match.id, (), (), ())
            if end is None or match.status == ABANDONED
            else MatchResult(match.id, tuple(end.places), tuple(end.won), tuple(end.scores))
        )
        await self._tournaments.record(tournament.id, pairing.index, result)
        return True
