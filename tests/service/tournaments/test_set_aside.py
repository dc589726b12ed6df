"""Matches of a tournament that are frozen are set aside and played again."""

from __future__ import annotations

from taflhall_client.hosted_tournaments import TournamentStatus
from taflhall_client.results import Status
from taflhall_service.app.jobs.tournament_runner import TournamentRunner
from taflhall_service.app.tournaments.model import MAX_TRIES
from tests.service.tournaments.test_tournaments import (
    Venue,
    cup,
    finished,
    running,
    serving,
    venue,
)
from tests.waiting import until


async def under_way(at: Venue, tournament: str) -> str:
    """Return the id of the first match, which is under way."""
    first, _ = await at.host.client.tournaments.matches(tournament)
    assert first.status is Status.PLAYING
    return first.match_id


async def test_a_frozen_match_does_not_hold_the_tournament_up():
    async with venue(2) as at:
        tournament = await cup(at)
        await at.host.client.tournaments.start(tournament)
        await TournamentRunner(at.server.matches).look()
        frozen = await under_way(at, tournament)
        await at.server.matches.store.freeze_damaged(frozen, b"a test")
        async with running(at.server), serving(*at.bots):
            await until(lambda: finished(at.host.client, tournament))
        matches = await at.host.client.tournaments.matches(tournament)
        assert [match.status for match in matches] == [Status.FINISHED] * 2
        assert frozen not in {match.match_id for match in matches}
        standings = await at.host.client.tournaments.standings(tournament)
        assert {line.matches for line in standings} == {2}


async def test_a_match_that_is_frozen_again_and_again_counts_for_nobody():
    async with venue(2) as at:
        tournament = await cup(at, matches_at_once=2)
        await at.host.client.tournaments.start(tournament)
        runner = TournamentRunner(at.server.matches, recheck_seconds=0)
        frozen = set()
        for _ in range(MAX_TRIES):
            await runner.look()
            match = await under_way(at, tournament)
            frozen.add(match)
            await at.server.matches.store.freeze_damaged(match, b"a test")
        assert len(frozen) == MAX_TRIES
        async with running(at.server), serving(*at.bots):
            await until(lambda: finished(at.host.client, tournament))
        first, second = await at.host.client.tournaments.matches(tournament)
        assert (first.status, second.status) == (Status.ABANDONED, Status.FINISHED)
        found = await at.host.client.tournaments.get(tournament)
        assert found.status is TournamentStatus.FINISHED
        standings = await at.host.client.tournaments.standings(tournament)
        assert {line.matches for line in standings} == {1}
