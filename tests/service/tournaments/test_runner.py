"""What a server that plays a tournament reads: what was announced, and all of it after a change."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from taflhall_client.hosted_tournaments import TournamentMatch
from taflhall_client.results import Status
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_service.app.ports.match_store import MatchSummary
from taflhall_service.app.tournaments.tournaments import Tournaments
from taflhall_service.store.memory import Memory, MemoryStore
from taflhall_testing.server import running_server
from tests.service.tournaments.test_tournaments import Venue, account, cup
from tests.waiting import until


class Watched(MemoryStore):
    """A store that remembers which matches it was asked about; no lease runs out by itself."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.asked: list[str] = []

    async def claimed(self, name: str) -> bytes:
        return self.memory.claims.get(name, (b"", 0))[0]

    async def summaries(self, match_ids: Sequence[str]) -> list[MatchSummary | None]:
        self.asked += match_ids
        return await super().summaries(match_ids)


@dataclass(frozen=True, slots=True)
class Playing:
    """A tournament that has started, on a store that is watched."""

    at: Venue
    store: Watched
    tournament: str

    async def asked(self, runner: TournamentRunner) -> set[str]:
        """Return the matches that the next look asks about."""
        self.store.asked.clear()
        await runner.look()
        return set(self.store.asked)

    async def quiet(self, runner: TournamentRunner) -> bool:
        return not await self.asked(runner)

    async def under_way(self) -> list[str]:
        matches = await self.at.host.client.tournaments.matches(self.tournament)
        return [match.match_id for match in matches if match.status is Status.PLAYING]


@asynccontextmanager
async def playing(bots: int = 3) -> AsyncIterator[Playing]:
    memory = Memory()
    store = Watched(memory)
    async with running_server(store) as server:
        host = await account(server, Role.HOST, "Host")
        robots = [await account(server, Role.BOT, f"Robo {n}") for n in range(bots)]
        at = Venue(server, host, robots)
        tournament = await cup(at, matches_at_once=4)
        await host.client.tournaments.start(tournament)
        try:
            yield Playing(at, store, tournament)
        finally:
            for each in (host, *robots):
                await each.client.close()


async def test_a_server_looks_at_the_matches_that_are_announced():
    async with playing() as p:
        runner = TournamentRunner(p.at.server.matches, recheck_seconds=math.inf)
        assert await runner.look()
        first, *others = await p.under_way()
        assert others
        await until(lambda: p.quiet(runner))
        players = (await p.at.host.client.match(first).get()).match.seats
        (bot,) = [bot for bot in p.at.bots if bot.id == players[0].account]
        await bot.client.match(first).resign()

        async def noted() -> bool:
            await runner.look()
            progress = await Tournaments(p.at.server.matches).progress(p.tournament)
            return [result.match_id for result in progress.results.values()] == [first]

        await until(noted)


async def test_a_match_is_shown_as_over_together_with_its_result():
    async with playing() as p:
        runner = TournamentRunner(p.at.server.matches, recheck_seconds=0)
        await runner.look()

        async def first() -> TournamentMatch:
            return (await p.at.host.client.tournaments.matches(p.tournament))[0]

        begun = await first()
        (bot,) = [bot for bot in p.at.bots if bot.id == begun.seats[0].account]
        await bot.client.match(begun.match_id).resign()
        assert await first() == begun

        async def over() -> bool:
            await runner.look()
            return (await first()).status is Status.FINISHED

        await until(over)
        assert [seat.place for seat in (await first()).seats] == [2, 1]


async def test_a_match_whose_result_never_follows_is_shown_as_it_is():
    async with playing() as p:
        await TournamentRunner(p.at.server.matches).look()
        begun = (await p.at.host.client.tournaments.matches(p.tournament))[0]
        (bot,) = [bot for bot in p.at.bots if bot.id == begun.seats[0].account]
        await bot.client.match(begun.match_id).resign()
        await p.at.host.client.tournaments.cancel(p.tournament)
        shown = (await p.at.host.client.tournaments.matches(p.tournament))[0]
        assert shown.status is Status.FINISHED


async def test_all_matches_are_looked_at_now_and_then():
    async with playing() as p:
        runner = TournamentRunner(p.at.server.matches, recheck_seconds=0)
        await runner.look()
        assert set(await p.under_way()) <= await p.asked(runner)


async def test_a_server_that_has_lost_the_lease_reads_everything_again():
    async with playing() as p:
        first, second = (
            TournamentRunner(p.at.server.matches, recheck_seconds=math.inf) for _ in range(2)
        )
        assert await first.look()
        assert not await second.look()
        await until(lambda: p.quiet(first))
        p.store.memory.claims.clear()  # the lease runs out
        assert await second.look()
        assert not await first.look()
        p.store.memory.claims.clear()
        assert set(await p.under_way()) <= await p.asked(first)
