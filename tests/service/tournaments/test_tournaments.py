"""Tournaments on a real server: enter, start, play by PlayAll, withdraw, resume, look on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from taflhall_client import errors
from taflhall_client.async_client import Client
from taflhall_client.bots import load
from taflhall_client.clocks import TimeControl, TimeoutPolicy
from taflhall_client.hosted_tournaments import Format, TournamentStatus
from taflhall_client.results import MatchInfo, Status
from taflhall_engine import registry
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_service.store.memory import Memory, MemoryStore
from taflhall_testing.server import RunningServer, running_server
from tests.waiting import LIMIT_SECONDS, until

CLOCK = TimeControl(600.0, on_timeout=TimeoutPolicy.FORFEIT)
SETUP = {"seats": 2}
LOOK = 0.02


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    client: Client


@dataclass(frozen=True, slots=True)
class Venue:
    """A server, the account that hosts, and bots."""

    server: RunningServer
    host: Account
    bots: list[Account]


async def account(server: RunningServer, role: Role, name: str) -> Account:
    made = await server.accounts.create(name, role)
    _, key = await server.accounts.create_key(made.id)
    return Account(made.id, Client(server.address, key=key))


@asynccontextmanager
async def venue(bots: int = 2, memory: Memory | None = None) -> AsyncIterator[Venue]:
    async with running_server(MemoryStore(memory or Memory())) as server:
        host = await account(server, Role.HOST, "Host")
        robots = [await account(server, Role.BOT, f"Robo {n}") for n in range(bots)]
        try:
            yield Venue(server, host, robots)
        finally:
            for each in (host, *robots):
                await each.client.close()


@asynccontextmanager
async def running(server: RunningServer) -> AsyncIterator[None]:
    """Let the server go on with its tournaments."""
    task = asyncio.create_task(TournamentRunner(server.matches).run(LOOK))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def serving(*bots: Account) -> AsyncIterator[None]:
    """Let bots play at random whatever their accounts sit at."""

    def make(match: MatchInfo) -> Any:
        return load("random", registry.game(match.game))

    async def serve(bot: Account) -> None:
        async for _ in bot.client.play_all(make, in_thread=False):
            pass

    tasks = [asyncio.create_task(serve(bot)) for bot in bots]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def cup(at: Venue, game: str = "champions", **fields: Any) -> str:
    """Announce a tournament that all bots enter."""
    given = {"time_control": CLOCK, **fields}
    made = await at.host.client.tournaments.create(game, "Cup", SETUP, **given)
    for bot in at.bots:
        await bot.client.tournaments.enter(made.id)
    return made.id


async def finished(client: Client, tournament_id: str) -> bool:
    found = await client.tournaments.get(tournament_id)
    return found.status is TournamentStatus.FINISHED


async def some_over(client: Client, tournament_id: str) -> bool:
    matches = await client.tournaments.matches(tournament_id)
    return any(match.status is Status.FINISHED for match in matches)


async def test_bots_that_serve_play_a_tournament_to_its_end():
    async with venue(3) as at, running(at.server), serving(*at.bots):
        tournament = await cup(at, matches_at_once=2)
        watched = []
        await at.host.client.tournaments.start(tournament)
        async with asyncio.timeout(LIMIT_SECONDS):
            async for update in at.host.client.tournaments.watch(tournament):
                watched.append(update)
        assert watched[-1].tournament is not None
        assert watched[-1].tournament.status is TournamentStatus.FINISHED
        matches = await at.host.client.tournaments.matches(tournament)
        assert [match.status for match in matches] == [Status.FINISHED] * 6
        last = {match.index: match for update in watched for match in update.matches}
        assert list(last.values()) == matches
        standings = await at.host.client.tournaments.standings(tournament)
        assert sum(line.points for line in standings) == pytest.approx(6.0)
        assert {line.matches for line in standings} == {4}
        for match in matches:
            info = (await at.host.client.match(match.match_id).get()).match
            assert [seat.account for seat in info.seats] == [s.account for s in match.seats]
            assert info.labels == {"tournament": tournament}
            assert info.result is not None
            assert list(info.result.places) == [seat.place for seat in match.seats]


async def test_a_cooperative_tournament_is_played_alone_at_all_seats():
    async with venue(2) as at, running(at.server), serving(*at.bots):
        tournament = await cup(at, "yggdrasil", rounds=2)
        await at.host.client.tournaments.start(tournament)
        await until(lambda: finished(at.host.client, tournament))
        matches = await at.host.client.tournaments.matches(tournament)
        assert [{seat.account for seat in match.seats} for match in matches] == [
            {bot.id} for bot in at.bots
        ] * 2


async def test_another_server_continues_where_one_was_killed_and_plays_no_match_twice():
    memory = Memory()
    async with venue(2, memory) as at:
        tournament = await cup(at, rounds=2)
        await at.host.client.tournaments.start(tournament)
        async with running(at.server), serving(*at.bots):
            await until(lambda: some_over(at.host.client, tournament))
        async with serving(*at.bots), running_server(MemoryStore(memory)) as other, running(other):
            await until(lambda: finished(at.host.client, tournament))
        matches = await at.host.client.tournaments.matches(tournament)
        assert len({match.match_id for match in matches}) == len(matches) == 4
        listed = await at.host.client.matches(labels={"tournament": tournament})
        assert sorted(info.match_id for info in listed) == sorted(m.match_id for m in matches)


async def test_an_entrant_that_withdraws_resigns_and_loses_the_rest():
    async with venue(3) as at, running(at.server):
        tournament = await cup(at)
        await at.host.client.tournaments.start(tournament)

        async def begun() -> bool:
            matches = await at.host.client.tournaments.matches(tournament)
            return any(
                at.bots[0].id in {seat.account for seat in match.seats}
                for match in matches
                if match.status is Status.PLAYING
            )

        await until(begun)
        await at.bots[0].client.tournaments.withdraw(tournament)
        await at.host.client.tournaments.withdraw(tournament, at.bots[1].id)
        await until(lambda: finished(at.host.client, tournament))
        standings = await at.host.client.tournaments.standings(tournament)
        assert standings[0].account == at.bots[2].id
        assert standings[0].points == 4.0
        entrants = (await at.host.client.tournaments.get(tournament)).entrants
        assert [entrant.withdrawn for entrant in entrants] == [True, True, False]


async def test_the_matches_have_the_clock_of_the_tournament():
    async with venue(2) as at:
        tournament = await cup(at)
        await at.host.client.tournaments.start(tournament)
        await TournamentRunner(at.server.matches).look()
        (match,) = [m for m in await at.host.client.tournaments.matches(tournament) if m.match_id]
        info = (await at.host.client.match(match.match_id).get()).match
        assert info.time_control == CLOCK
        assert info.status is Status.PLAYING


async def test_entering_ends_with_the_start_and_with_the_last_place():
    async with venue(3) as at:
        host = at.host.client.tournaments
        made = await host.create("champions", "Cup", SETUP, time_control=CLOCK, max_entrants=2)
        with pytest.raises(errors.TooFewEntrants):
            await host.start(made.id)
        first, second, third = (bot.client.tournaments for bot in at.bots)
        await first.enter(made.id, "One")
        assert len((await first.enter(made.id)).entrants) == 1
        with pytest.raises(errors.NameTaken):
            await second.enter(made.id, "one")
        await second.enter(made.id)
        with pytest.raises(errors.TournamentFull):
            await third.enter(made.id)
        await second.withdraw(made.id)
        await third.enter(made.id)
        await host.start(made.id)
        with pytest.raises(errors.TournamentStarted):
            await second.enter(made.id)
        with pytest.raises(errors.NotEntered):
            await second.withdraw(made.id)


async def test_only_the_creator_starts_cancels_and_withdraws_others():
    async with venue(2) as at:
        tournament = await cup(at)
        other = await account(at.server, Role.HOST, "Other")
        strangers = other.client.tournaments
        for call in (
            strangers.start(tournament),
            strangers.cancel(tournament),
            strangers.withdraw(tournament, at.bots[0].id),
            at.bots[0].client.tournaments.create("champions", "C", SETUP, time_control=CLOCK),
        ):
            with pytest.raises(errors.Forbidden):
                await call
        await other.client.close()
        host = at.host.client.tournaments
        assert (await host.cancel(tournament)).status is TournamentStatus.CANCELLED
        assert (await host.cancel(tournament)).status is TournamentStatus.CANCELLED
        with pytest.raises(errors.TournamentOver):
            await host.start(tournament)
        with pytest.raises(errors.TournamentNotFound):
            await host.get("nowhere")


async def test_tournaments_are_listed_newest_first_and_by_status():
    async with venue(0) as at:
        host = at.host.client.tournaments
        made = [
            (await host.create("champions", f"Cup {n}", SETUP, time_control=CLOCK)).id
            for n in range(3)
        ]
        await host.cancel(made[1])
        assert {each.id for each in await host.all()} == set(made)
        assert [each.id for each in await host.all(TournamentStatus.CANCELLED)] == [made[1]]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"rounds": 101}, errors.Malformed),
        ({"game": "yggdrasil", "format": Format.KNOCKOUT}, errors.Malformed),
        ({"max_entrants": 65}, errors.Malformed),
        ({"matches_at_once": 17}, errors.Malformed),
        ({"time_control": TimeControl(-1.0)}, errors.InvalidTimeControl),
    ],
)
async def test_a_tournament_out_of_range_is_refused(fields, error):
    async with venue(0) as at:
        with pytest.raises(error):
            await cup(at, **fields)


async def test_a_tournament_of_more_matches_than_allowed_does_not_start():
    async with venue(0) as at:
        at.bots.extend([await account(at.server, Role.BOT, f"Robo {n}") for n in range(12)])
        tournament = await cup(at, rounds=100)
        with pytest.raises(errors.Malformed):
            await at.host.client.tournaments.start(tournament)
        for bot in at.bots:
            await bot.client.close()


async def test_swiss_rounds_follow_each_other():
    async with venue(4) as at, running(at.server), serving(*at.bots):
        tournament = await cup(at, format=Format.SWISS, rounds=2)
        await at.host.client.tournaments.start(tournament)
        await until(lambda: finished(at.host.client, tournament))
        matches = await at.host.client.tournaments.matches(tournament)
        assert [match.round for match in matches] == [1] * 4 + [2] * 4
