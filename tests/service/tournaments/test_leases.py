"""Which server plays a tournament, and what it looks at, over a store in memory."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from operator import contains
from typing import Any

import pytest
from msgspec.structs import replace

from taflhall_service.app.access.accounts import Role
from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.jobs.tournament_runner import BUSY_SECONDS, LEASE_MS, TournamentRunner
from taflhall_service.app.matches.transaction import act
from taflhall_service.app.ports.match_store import MatchSummary
from taflhall_service.app.tournaments.listing import list_tournament
from taflhall_service.app.tournaments.model import NAMESPACE, Tournament, pack
from taflhall_service.app.tournaments.schedule import Pairing
from taflhall_service.app.tournaments.seating import ResignEntrant, match_id
from tests.service.requests.matches import account
from tests.service.requests.process import Process
from tests.service.tournaments.values import HOST, Office, request
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import take, until


class Asked:
    """Notes which matches a store is asked about."""

    def __init__(self, office: Office) -> None:
        self._summaries = office.process.store.summaries
        self._found: list[str] = []
        office.process.store.summaries = self

    async def __call__(self, names: Sequence[str]) -> list[MatchSummary | None]:
        self._found += names
        summaries: list[MatchSummary | None] = await self._summaries(names)
        return summaries

    def take(self) -> list[str]:
        """Return the matches that the store was asked about since the last time."""
        found, self._found = self._found, []
        return found


def first_match(office: Office, cup: Tournament) -> str:
    return match_id(office.matches.server_key, cup, Pairing(0, 1, ()))


async def test_a_server_keeps_the_lease_while_it_looks_and_leaves_it_to_others_when_it_stops():
    office = Office()
    await office.started("ann", "bob")
    first, second = (
        TournamentRunner(matches) for matches in (office.matches, Process(office.process).matches)
    )
    for _ in range(3):
        assert await first.look()
        assert not await second.look()
        office.process.clock[0] += LEASE_MS - 1
        assert not await second.look()
    office.process.clock[0] += 1
    assert await second.look()
    assert not await first.look()


async def test_a_lease_that_is_not_renewed_ends_at_once():
    office = Office()
    await office.started("ann", "bob")
    assert await TournamentRunner(office.matches).look()
    other = TournamentRunner(Process(office.process).matches)
    office.process.clock[0] += LEASE_MS - 1
    assert not await other.look()
    office.process.clock[0] += 1
    assert await other.look()


async def test_after_a_gap_in_its_lease_a_server_looks_at_everything():
    office = Office()
    cup = await office.started("ann", "bob")
    asked, runner = Asked(office), TournamentRunner(office.matches, recheck_seconds=math.inf)
    await until(partial(quiet, runner, asked))
    office.process.clock[0] += LEASE_MS
    await runner.look()
    assert first_match(office, cup) in asked.take()


async def test_without_a_tournament_there_is_nothing_to_play():
    office = Office()
    runner = TournamentRunner(office.matches)
    assert not await runner.look()
    made = await office.cup("ann", "bob")
    assert not await runner.look()
    await office.tournaments.start(HOST, made.id)
    assert await runner.look()
    await office.tournaments.cancel(HOST, made.id)
    assert not await runner.look()


async def test_a_tournament_that_is_refused_leaves_the_others_alone():
    office = Office()
    cup = await office.started("ann", "bob")
    lost = replace(cup, id="lost", game="tafl", created_ms=cup.created_ms + 1)
    await office.accounts.compare_and_set(NAMESPACE, "lost", pack(lost), b"")
    await list_tournament(office.process.store, lost)
    assert await TournamentRunner(office.matches).look()
    assert first_match(office, cup) in office.process.memory.matches


async def test_a_store_that_does_not_answer_ends_the_look():
    office = Office()
    await office.started("ann", "bob")
    runner = TournamentRunner(office.matches)
    await runner.look()

    async def silent(_names: Sequence[str]) -> list[MatchSummary | None]:
        raise StoreUnavailable

    summaries, office.process.store.summaries = office.process.store.summaries, silent
    with pytest.raises(StoreUnavailable):
        await runner.look()
    office.process.store.summaries = summaries
    assert await runner.look()


async def quiet(runner: TournamentRunner, asked: Asked) -> bool:
    """Return whether no match is looked at when the server looks again."""
    asked.take()
    await runner.look()
    return not asked.take()


async def test_what_was_announced_is_looked_at_and_nothing_else():
    office = Office()
    cup = await office.started("ann", "bob")
    asked, runner = Asked(office), TournamentRunner(office.matches, recheck_seconds=math.inf)
    await until(partial(quiet, runner, asked))
    name, heard = first_match(office, cup), list[str]()
    await office.matches.announcements.listen(
        lambda news: heard.extend([each.index_key for each in news or ()])
    )
    await act(office.matches, name, ResignEntrant("bob"))
    await until(lambda: any(name in key for key in heard))
    await runner.look()
    assert asked.take() == [name]
    assert set((await office.tournaments.progress(cup.id)).results) == {0}


async def test_everything_is_looked_at_now_and_then_and_after_announcements_were_lost():
    for recheck, lost in ((0.0, False), (math.inf, True)):
        office = Office()
        cup = await office.started("ann", "bob")
        asked, runner = Asked(office), TournamentRunner(office.matches, recheck)
        for _ in range(3):
            await runner.look()
        asked.take()
        if lost:
            heard: list[object] = []
            await office.matches.announcements.listen(heard.append)
            for text in (b"lost", b"kept"):
                await office.process.store.announce(text)
            while len(office.process.memory.announced) > 1:
                office.process.memory.announced.popleft()
            office.matches.announcements.look()
            await until(partial(contains, heard, None))
        await runner.look()
        assert asked.take() == [first_match(office, cup)]


async def test_a_server_looks_again_and_again_until_it_stops():
    office = Office()
    runner = TournamentRunner(office.matches)
    task = asyncio.create_task(runner.run(0.001))
    for number in range(2):
        made = await office.tournaments.create(request(request_id=f"{number:016}"))
        for bot in ("ann", "bob"):
            await office.tournaments.enter(account(bot, Role.BOT), made.id, "")
        cup = await office.tournaments.start(HOST, made.id)
        name = first_match(office, cup)
        await until(partial(contains, office.process.memory.matches, name))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()


class Times:
    """Notes when something is asked of a store, in the milliseconds of the test."""

    def __init__(self, call: Callable[..., Awaitable[Any]]) -> None:
        self._call = call
        self.noted: list[int] = []

    async def __call__(self, *given: Any) -> Any:
        self.noted.append(now_ms())
        return await self._call(*given)


@pytest.mark.parametrize(("seconds", "apart"), [(1.0, int(BUSY_SECONDS * 1000)), (0.03, 30)])
@in_virtual_time
async def test_a_server_that_plays_a_tournament_looks_often(seconds: float, apart: int):
    office = Office()
    await office.started("ann", "bob")
    store = office.process.store
    store.claim = Times(store.claim)
    task = asyncio.create_task(TournamentRunner(office.matches).run(seconds))
    await take(3)
    task.cancel()
    first, *_ = looks = sorted(set(store.claim.noted))
    assert first <= seconds * 1000
    assert looks == [*range(first, 3000, apart)]


@pytest.mark.parametrize("stops", [False, True])
@in_virtual_time
async def test_a_server_without_a_tournament_reads_no_announcements(stops: bool):
    office = Office()
    cup = await office.started("ann", "bob")
    store = office.process.store
    store.announcements = Times(store.announcements)
    task = asyncio.create_task(TournamentRunner(office.matches).run())
    await take(60)
    assert store.announcements.noted
    if stops:
        task.cancel()
    else:
        await office.tournaments.cancel(HOST, cup.id)
    await take(5)
    store.announcements.noted.clear()
    await take(60)
    assert store.announcements.noted == []
    task.cancel()
