"""Lists read the tournaments that they show, and servers those that are being played."""

from __future__ import annotations

from taflhall_client.hosted_tournaments import Format
from taflhall_service.app.jobs.queue_repair import QueueRepair
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_service.app.tournaments.listing import index_key, index_of
from taflhall_service.app.tournaments.model import CANCELLED, FINISHED, OPEN, PLAYING
from taflhall_service.app.tournaments.tournaments import Tournaments
from tests.service.tournaments.test_tournaments import (
    CLOCK,
    SETUP,
    Venue,
    cup,
    finished,
    running,
    serving,
    some_over,
    venue,
)
from tests.waiting import until


async def listed(at: Venue, status: int) -> list[str]:
    return await at.server.matches.store.index_page("", 100, index_of(status))


async def test_a_tournament_is_in_the_index_of_its_status():
    async with venue(2) as at, running(at.server), serving(*at.bots):
        tournament = await cup(at)
        counts = [len(await listed(at, status)) for status in (0, OPEN, PLAYING)]
        assert counts == [1, 1, 0]
        await at.host.client.tournaments.start(tournament)
        counts = [len(await listed(at, status)) for status in (0, OPEN, PLAYING)]
        assert counts == [1, 0, 1]
        await until(lambda: finished(at.host.client, tournament))
        counts = [len(await listed(at, status)) for status in (0, PLAYING, FINISHED)]
        assert counts == [1, 0, 1]


async def test_pages_follow_each_other_newest_first():
    async with venue(0) as at:
        host = at.host.client.tournaments
        made = [
            (await host.create("champions", f"Cup {n}", SETUP, time_control=CLOCK)).id
            for n in range(7)
        ]
        for number in (1, 3):
            await host.cancel(made[number])
        tournaments = Tournaments(at.server.matches)
        for status, wanted in ((0, 7), (OPEN, 5), (CANCELLED, 2)):
            found, last = [], ""
            while page := await tournaments.page(status, last, 2):
                assert len(page) <= 2
                found += page
                last = index_key(page[-1])
            assert len({each.id for each in found}) == len(found) == wanted
            keys = [index_key(each) for each in found]
            assert keys == sorted(keys, reverse=True)


async def test_a_server_forgets_what_a_dead_one_left_in_the_index():
    async with venue(0) as at:
        host, store = at.host.client.tournaments, at.server.matches.store
        made = await host.create("champions", "Cup", SETUP, time_control=CLOCK)
        await host.cancel(made.id)
        (key,) = await listed(at, CANCELLED)
        await store.index_add(key, index_of(PLAYING))
        assert await Tournaments(at.server.matches).playing() == []
        assert await listed(at, PLAYING) == []


async def test_a_lost_index_is_repaired():
    async with venue(2) as at:
        tournament = await cup(at)
        await at.host.client.tournaments.start(tournament)
        store = at.server.matches.store
        for status in (0, PLAYING):
            for key in await listed(at, status):
                await store.index_remove(key, index_of(status))
        assert await Tournaments(at.server.matches).playing() == []
        assert await QueueRepair(store).repair_if_due()
        (found,) = await Tournaments(at.server.matches).playing()
        assert found.id == tournament


async def test_those_who_watch_look_again_only_when_matches_have_changed():
    async with venue(2) as at:
        tournament = await cup(at)
        await at.host.client.tournaments.start(tournament)
        tournaments, runner = Tournaments(at.server.matches), TournamentRunner(at.server.matches)
        marks = []
        for _ in range(4):
            await runner.look()
            marks.append((await tournaments.observe(tournament))[1])
        assert marks[1] == marks[2] == marks[3]
        async with serving(*at.bots), running(at.server):
            await until(lambda: some_over(at.host.client, tournament))

        async def noticed() -> bool:
            await runner.look()  # it does nothing while the other's lease holds
            return (await tournaments.observe(tournament))[1] != marks[-1]

        await until(noticed)


async def test_a_knockout_is_played_to_its_end():
    async with venue(4) as at, running(at.server), serving(*at.bots):
        tournament = await cup(at, format=Format.KNOCKOUT, rounds=2)
        await at.host.client.tournaments.start(tournament)
        await until(lambda: finished(at.host.client, tournament))
        matches = await at.host.client.tournaments.matches(tournament)
        assert {match.round for match in matches} == {1, 2}
        standings = await at.host.client.tournaments.standings(tournament)
        assert [line.place for line in standings].count(1) == 1
