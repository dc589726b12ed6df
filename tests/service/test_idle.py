"""Which matches the server abandons because nothing happens in them."""

from __future__ import annotations

import pytest

from taflhall_service.app.jobs.idle_matches import PATIENCE_MS, IdleMatchCloser
from taflhall_service.app.model.match import ABANDONED, PLAYING
from taflhall_service.app.ports.match_store import NONCE_BITS, Version, change_id_of, ms_of
from tests.service.clocked import START, Clocked, clocked

HOUR = 3_600_000


async def abandoned_by(made: Clocked, at: int, hours: float = 2) -> int:
    """Return how many matches a scan at that time has abandoned."""
    made.ms = at
    matches = made.servers[0].matches
    await matches.store_clock.send_heartbeat()
    return await IdleMatchCloser(matches, hours).scan()


async def test_a_match_is_abandoned_when_it_has_not_changed_for_that_long():
    async with clocked() as made:
        table = await made.servers[0].table()
        assert await abandoned_by(made, START + 2 * HOUR - 1) == 0
        made.ms = START + 2 * HOUR - 1
        await table.step()
        changed = made.ms
        assert await abandoned_by(made, START + 3 * HOUR) == 0
        assert await abandoned_by(made, changed + 2 * HOUR - 1) == 0
        assert await abandoned_by(made, changed + 2 * HOUR) == 1
        assert (await made.servers[0].matches.current(table.id)).status == ABANDONED
        assert await abandoned_by(made, changed + 9 * HOUR) == 0


async def test_a_match_that_nobody_has_joined_is_abandoned_too():
    async with clocked() as made:
        server = made.servers[0]
        await server.table()
        assert await abandoned_by(made, START + 5 * HOUR) == 1


@pytest.mark.parametrize(("late", "closed"), [(-1, 0), (0, 1)])
async def test_a_clock_that_runs_has_an_hour_more_for_the_timers(late, closed):
    async with clocked() as made:
        table = await made.table(base=3 * 3600)
        due = START + 3 * HOUR
        matches = made.servers[0].matches
        while made.ms < due + PATIENCE_MS + late - 2000:  # a server is alive all the time
            made.ms += 2000
            await matches.store_clock.send_heartbeat()
        assert await abandoned_by(made, due + PATIENCE_MS + late) == closed
        status = (await matches.current(table.id)).status
        assert status == (ABANDONED if closed else PLAYING)


def test_a_version_counts_changes_and_cannot_be_confused_with_another():
    start = Version(5, b"head", 0)
    assert (start.change_count, start.nonce) == (0, 0)
    one, other = start.changed(), start.changed()
    assert one.change_count == other.change_count == 1
    assert one.change_id != other.change_id
    assert one[:2] == start[:2]
    assert change_id_of(3, 7) == (3 << NONCE_BITS) + 7
    found = Version(5, b"head", change_id_of(3, 7))
    assert (found.change_count, found.nonce) == (3, 7)
    assert found.changed().change_count == 4


@pytest.mark.parametrize(
    ("revision", "change", "behind"),
    [(5, 7, False), (4, 7, True), (5, 6, True), (4, 8, True), (6, 6, True), (6, 7, False)],
)
def test_a_version_is_behind_another_that_is_later_in_some_respect(revision, change, behind):
    assert Version(revision, b"", change).behind(Version(5, b"", 7)) == behind


@pytest.mark.parametrize(
    ("text", "ms"),
    [(b"", 0), (b"0", 0), (b"12", 12), (b"1" * 14, 11111111111111), (b"1" * 15, 0), (b"-1", 0)],
)
def test_a_stored_time_is_a_number_of_at_most_14_digits(text, ms):
    assert ms_of(text) == ms
