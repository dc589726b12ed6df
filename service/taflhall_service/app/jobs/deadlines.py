"""Timers: act for a seat whose time has run out, or that the server plays for.

Every server looks for matches that are due. Several may find the same one: the action is an
ordinary change with its own request id, so that one server commits it and the others' commits
are duplicates. The store's clock decides when it may be committed
(:attr:`Prepared.not_before`), and an answer that is committed first makes it void.

When a match is due stands in a queue. A deadline is put there before the commit that sets it, if it
is sooner than the one before; so no seat's time becomes unlimited if the server dies in between.
:meth:`Timers.scan` finds matches whose deadline the store has lost.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.meta_commands import neutral_answer
from taflhall_engine.kernel.stand_in import PLIES
from taflhall_service.app.errors import (
    CommitTooEarly,
    MatchFrozen,
    MatchNotFound,
    Refused,
    StoredDataDamaged,
)
from taflhall_service.app.matches.clock_updates import PauseClocks
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.table_update import Answer, CommandAnswer
from taflhall_service.app.matches.timeouts import ExpireSeat, PlayStandIn
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.model.clocks import TimeoutPolicy
from taflhall_service.app.model.match import PLAYING, Match, NextDeadline
from taflhall_service.app.model.server_bots import SERVER_BOTS
from taflhall_service.app.periodic import run_periodically
from taflhall_service.app.ports.bots import BotFailed, Bots, BotUnavailable
from taflhall_service.app.ports.match_store import ms_of

LOOK_SECONDS: Final = 0.2
"""Interval between two checks for due matches."""

SOON_MS: Final = 300
"""How far ahead a check looks; it waits until those matches are due."""

AT_ONCE: Final = 256
"""Matches that are dealt with at the same time."""

LATER_MS: Final = 5000
"""Time until the next attempt at a match that could not be dealt with."""

STUCK_MS: Final = 60_000
"""The same for a match that an operator has to repair."""

CHECK_SECONDS: Final = 60.0
"""From one look at whether a scan is due to the next."""

SCAN_SECONDS: Final = 3600.0
"""From one scan of all matches to the next."""

PAGE: Final = 200
"""Matches that a scan reads in one round trip."""

_log = structlog.get_logger("timers")

TimeUp = Callable[[TimeoutPolicy, float], object]
"""Called when a seat's time has run out, with the policy and the delay in seconds."""


class Timers:
    """Acts for seats whose deadline has passed.

    A stand-in's decision costs at most *plies*.
    """

    def __init__(self, matches: Matches, bots: Bots, time_up: TimeUp, plies: int = PLIES) -> None:
        self._plies = plies
        self._matches = matches
        self._bots = bots
        self._time_up = time_up
        self._busy: set[str] = set()
        self._failovers = 0
        self._next_scan = 0.0

    async def run(self) -> None:
        """Run regularly until cancelled."""
        await run_periodically(self._wait_and_look, 0, _log)

    async def _wait_and_look(self) -> None:
        deadline_now = self._matches.deadline_now
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS * random.uniform(0.8, 1.2)):
                await deadline_now.wait()
        deadline_now.clear()
        await self.look()

    async def look(self) -> None:
        """Act for the matches that are due, or will be soon."""
        matches = self._matches
        now = await matches.now()
        if now.ms > matches.store_clock.trusted_until:
            return  # there may have been an outage that this server has not heard of
        at_once = matches.due_now - self._busy
        matches.due_now.difference_update(at_once)
        found = await matches.store.due(now.ms + SOON_MS, AT_ONCE)
        random.shuffle(found)  # several servers then seldom begin with the same one
        for match_id in (*at_once, *found):
            if match_id not in self._busy:
                self._busy.add(match_id)
                matches.track(asyncio.create_task(self._deal(match_id)))

    async def _deal(self, match_id: str) -> None:
        try:
            await self.deal(match_id)
        except CommitTooEarly:
            pass  # our clock was ahead; it has been set right
        except Refused as refused:
            _log.info("deadline_failed", match=match_id, why=type(refused).__name__)
            stuck = isinstance(refused, MatchFrozen | StoredDataDamaged)
            await self._later(match_id, STUCK_MS if stuck else LATER_MS)
        except Exception as error:
            _log.error("timer_failed", match=match_id, kind=type(error).__name__)
            await self._later(match_id, LATER_MS)
        finally:
            self._busy.discard(match_id)
            if match_id in self._matches.due_now:
                self._matches.deadline_now.set()

    async def _later(self, match_id: str, ms: int) -> None:
        """Put a match off for a while, since it may never be possible to deal with it."""
        with suppress(Refused):
            now = await self._matches.now()
            await self._matches.store.schedule(match_id, now.ms + ms)

    async def deal(self, match_id: str) -> None:
        """Take the action that is due for a match, or note when it will be."""
        matches = self._matches
        try:
            match = await matches.current(match_id)
        except MatchNotFound:
            await matches.store.schedule(match_id, None)
            return
        now = await matches.now()
        due = match.next_deadline(now.outages)
        if due is not None and 0 < due.ms - now.ms <= SOON_MS:
            await asyncio.sleep((due.ms - now.ms) / 1000)
            now = await matches.now()
        if match.revision >= matches.limits.match_commands:
            await matches.store.schedule(match_id, None)
        elif due is None or due.ms > now.ms:
            matches.schedule(match)
        elif due.seat < 0:
            await act(matches, match_id, PauseClocks(False))
        elif match.seats[due.seat].automatic:
            await self._play(match, due.seat)
        else:
            await self._expire(match, due)

    async def _expire(self, match: Match, due: NextDeadline) -> None:
        times = match.origin.clock
        assert times is not None
        done = await act(self._matches, match.id, ExpireSeat(due.seat))
        if done.match is None or done.match.version == match.version:
            return
        _log.info(
            "seat_timed_out", match=match.id, revision=match.revision, policy=times.policy.name
        )
        self._time_up(times.policy, max(0, done.at_ms - due.ms) / 1000)

    async def _play(self, match: Match, seat: int) -> None:
        table, seed = match.table, secrets.randbits(60)
        assert table is not None
        bot = SERVER_BOTS.get(match.seats[seat].bot)
        plies = self._plies if bot is None else bot.plies
        answers: list[Answer]
        try:
            answers = [*await self._bots.choose(match.id, match.game, table, seat, seed, plies)]
        except BotUnavailable:
            await self._later(match.id, LATER_MS)
            return
        except BotFailed as error:
            _log.error("stand_in_failed", match=match.id, kind=str(error))
            steps = steps_of(neutral_answer(match.game, table, seat))
            answers = [CommandAnswer(match.game.id, step) for step in steps]
        await act(self._matches, match.id, PlayStandIn(match.revision, seat, tuple(answers)))

    async def scan_always(self) -> None:
        """Scan again and again until cancelled."""
        await run_periodically(self.scan_if_due, CHECK_SECONDS, _log)

    async def scan_if_due(self) -> None:
        """Scan at first, after each failover of the store, and once an hour."""
        failovers, time = self._matches.store.failovers, asyncio.get_running_loop().time()
        if failovers != self._failovers or time >= self._next_scan:
            await self.scan()
            self._failovers, self._next_scan = failovers, time + SCAN_SECONDS

    async def scan(self) -> None:
        """Go through all matches and note when they are due."""
        page: list[str] = []
        async for match_id in self._matches.store.scan_ids():
            page.append(match_id)
            if len(page) == PAGE:
                await self._note(page)
                page = []
        await self._note(page)

    async def _note(self, ids: list[str]) -> None:
        store = self._matches.store
        summaries = await store.summaries(ids)
        for match_id, summary in zip(ids, summaries, strict=True):
            if summary is not None and summary.deadline and summary.status == PLAYING.encode():
                await store.schedule(match_id, ms_of(summary.deadline))
