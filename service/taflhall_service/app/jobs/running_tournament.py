"""A tournament that this server plays: what is due in it, and what is known of it meanwhile.

What to do follows from what is stored, and doing it twice changes nothing: any server may stop at
any point, and any other continues. While a server holds the lease of a tournament, other servers
rarely change its results, so it seldom reads them again; it looks at a match when a change of it
has been announced.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, Final, Self

import structlog

from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.match import ABANDONED, OPEN, PLAYING
from taflhall_service.app.ports.match_store import UNREADABLE_SUMMARY
from taflhall_service.app.tournaments import model
from taflhall_service.app.tournaments.model import MatchResult, Progress, Tournament
from taflhall_service.app.tournaments.schedule import Pairing, schedule
from taflhall_service.app.tournaments.seating import ResignEntrant, match_id, seat
from taflhall_service.app.tournaments.tournaments import Tournaments

MAX_UNDER_WAY: Final = 64
"""Matches of a tournament that are under way at once."""
WINDOW: Final = 4 * MAX_UNDER_WAY
"""Matches without a result, from the first one, that may be under way."""

_log = structlog.get_logger("tournaments")


class RunningTournament:
    """A tournament whose lease this server holds."""

    def __init__(self, matches: Matches, tournament: Tournament, progress: Progress) -> None:
        self._matches = matches
        self._tournaments = Tournaments(matches)
        self._tournament = tournament
        self._progress = progress
        self._left: list[Pairing] = []
        """The matches that are settled and have no result."""
        self._under_way: dict[str, Pairing] = {}
        """By their ids, the matches that may have been begun and have no result."""
        self._mark = b""
        self._outdated = False
        """Whether more is stored than this server has noted itself."""
        self._settle()

    @classmethod
    async def load(cls, matches: Matches, tournament: Tournament) -> Self:
        """Return a tournament as it is stored."""
        progress = await Tournaments(matches).progress(tournament.id)
        found = cls(matches, tournament, progress)
        for pairing in found._left[:WINDOW]:  # another server may have begun any of them
            found._under_way[found._id_of(pairing)] = pairing
        return found

    async def advance(self, tournament: Tournament, announced: Iterable[str] | None) -> None:
        """Do what is due, and what follows from it.

        *tournament* is as it is stored now; *announced* are the ids of matches that may have
        changed, ``None``: any may have.
        """
        self._tournament = tournament
        if announced is None:
            await self._reload()
        changed = self._under_way if announced is None else self._under_way.keys() & announced
        new = await self._look_at(sorted(changed, key=lambda m: self._under_way[m].index))
        if tournament.withdrawn:
            await self._resign()
        while True:
            if self._outdated:
                await self._reload()
            elif new:
                self._settle()
            if not self._left:
                await self._reload()  # it ends with what is stored
            if not self._left:
                await self._tournaments.finish(tournament.id, model.FINISHED)
                break
            new = await self._begin()
            if not new:
                break
        counts = len(self._progress.results), sum(self._progress.set_aside.values())
        mark = "/".join(map(str, (*counts, len(self._under_way)))).encode()
        if mark != self._mark:
            await self._tournaments.note_progress(tournament.id, mark)
            self._mark = mark

    async def _reload(self) -> None:
        self._progress = await self._tournaments.progress(self._tournament.id)
        self._outdated = False
        self._settle()

    def _settle(self) -> None:
        settled = schedule(self._tournament, self._progress).pairings
        self._left = [each for each in settled if each.index not in self._progress.results]

    async def _look_at(self, changed: Sequence[str]) -> bool:
        """Note the results of matches that are over, and set frozen ones aside.

        Return whether there is anything new.
        """
        store = self._matches.store
        summaries, frozen = await asyncio.gather(store.summaries(changed), store.frozen(changed))
        work: list[Coroutine[Any, Any, None]] = []
        for match, summary, why in zip(changed, summaries, frozen, strict=True):
            if why or summary is UNREADABLE_SUMMARY:
                work.append(self._set_aside(self._under_way.pop(match)))
            elif summary is None or summary.status == OPEN.encode():
                del self._under_way[match]  # it is begun when its entrants are free
            elif summary.status != PLAYING.encode():
                work.append(self._note(match))
        await _all(work)
        return bool(work)

    async def _note(self, match: str) -> None:
        """Note the result of a match if it is over."""
        found = self._matches.cached(match)
        if found is None or not found.over:
            found = await self._matches.current(match)
        if found.over:
            pairing, end = self._under_way.pop(match), found.result
            await self._record(
                pairing,
                MatchResult(match, (), (), ())
                if end is None or found.status == ABANDONED
                else MatchResult(match, tuple(end.places), tuple(end.won), tuple(end.scores)),
            )

    async def _set_aside(self, pairing: Pairing) -> None:
        """Let a match that is frozen be played again, or end it without a result."""
        _log.warning("match_set_aside", tournament=self._tournament.id, index=pairing.index)
        if pairing.tries + 1 >= model.MAX_TRIES:
            await self._record(pairing, MatchResult("", (), (), ()))
        else:
            await self._tournaments.set_aside(self._tournament.id, pairing.index, pairing.tries)
            self._outdated = True

    async def _record(self, pairing: Pairing, result: MatchResult) -> None:
        """Note a result; the first one that is noted stands."""
        if await self._tournaments.record(self._tournament.id, pairing.index, result):
            self._progress.results[pairing.index] = result
        else:
            self._outdated = True

    async def _resign(self) -> None:
        """Let entrants who have withdrawn resign the matches under way."""
        gone = self._tournament.withdrawn
        await _all(
            act(self._matches, match, ResignEntrant(account))
            for match, pairing in self._under_way.items()
            for account in gone & set(pairing.accounts)
        )

    async def _begin(self) -> bool:
        """Start the matches whose entrants are free, and decide those of which one has withdrawn.

        Return whether one is decided.
        """
        gone, decided = self._tournament.withdrawn, False
        playing = Counter(a for each in self._under_way.values() for a in set(each.accounts))
        begun = {pairing.index for pairing in self._under_way.values()}
        work: list[Coroutine[Any, Any, None]] = []
        for pairing in self._left[:WINDOW]:
            accounts = set(pairing.accounts)
            if pairing.index in begun:
                continue
            if gone & accounts:
                work.append(self._decide(pairing))
                decided = True
            elif len(self._under_way) < MAX_UNDER_WAY and all(
                playing[account] < self._tournament.at_once for account in accounts
            ):
                playing.update(accounts)
                self._under_way[self._id_of(pairing)] = pairing
                work.append(seat(self._matches, self._tournament, pairing))
        await _all(work)
        return decided

    async def _decide(self, pairing: Pairing) -> None:
        """Decide a match without playing it: entrants who have withdrawn have lost it."""
        gone = self._tournament.withdrawn
        there = [account not in gone for account in pairing.accounts]
        last = 1 + sum(there)
        places = tuple(1 if each else last for each in there)
        await self._record(pairing, MatchResult("", places, tuple(there), ()))

    def _id_of(self, pairing: Pairing) -> str:
        return match_id(self._matches.server_key, self._tournament, pairing)


async def _all(work: Iterable[Coroutine[Any, Any, object]]) -> None:
    """Do everything at the same time; raise the first failure once all is done."""
    for done in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(done, BaseException):
            raise done
