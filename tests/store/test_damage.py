"""Corrupt data of one match in the store damages that match and no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from structlog.testing import capture_logs

from taflhall.admin.v1 import admin_service_pb2 as admin
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.jobs.deadlines import Timers
from taflhall_service.app.jobs.idle_matches import IdleMatchCloser
from taflhall_service.app.jobs.self_check import SelfCheck
from taflhall_service.app.ports.match_store import Durability, StoredMatch, Version
from taflhall_service.operate.verify import verify
from taflhall_service.store.address import open_store
from taflhall_service.store.archive.folder import FolderArchive
from tests.operate.matches import give_up
from tests.service.inline_bots import InlineBots
from tests.service.local_server import (
    LocalServer,
    Refusal,
    Table,
    bearer,
    open_server,
    to_the_end,
)
from tests.store.servers import SAFE, Valkey
from tests.waiting import LIMIT_SECONDS

FIELDS = (*Version._fields, *StoredMatch._fields[1:])
VALUES = (None, b"", b"x", b"-1", b"007", b"9" * 30, b"\xff\xfe", bytes(40), b"\x93\x01\xc0\xa1x")
"""``None``: the field is removed."""
FINE = {"OK", "NOT_FINISHED", "STORED_DATA_DAMAGED", "RULES_TOO_NEW"}


class Spoilt(NamedTuple):
    """A match to corrupt, a healthy one, and the means to do so."""

    server: LocalServer
    client: Any
    match: Table
    healthy: Table
    archive: FolderArchive

    def key(self, part: str) -> str:
        return f"taflhall:{{{self.match.id}}}:{part}"


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """Return a server that no other tests use."""
    valkey = Valkey(tmp_path_factory.mktemp("spoilt"), *SAFE)
    yield valkey
    valkey.stop()


@pytest.fixture
async def spoilt(valkey: Valkey, tmp_path: Path) -> AsyncIterator[Spoilt]:
    store = await open_store(valkey.address, Durability.DISK)
    client = valkey.client()
    async with open_server(store, admin=True) as server:
        match, healthy = await server.table(), await server.table()
        for table in (match, healthy):
            await table.step()
            await table.step()
        yield Spoilt(server, client, match, healthy, FolderArchive(tmp_path))
    client.flushall()
    client.close()


async def outcome(call: Any) -> str:
    """Return the reason with which a call is refused, or OK."""
    try:
        async with asyncio.timeout(LIMIT_SECONDS):
            await call
    except grpc.aio.AioRpcError as error:
        return Refusal(error).reason
    return "OK"


async def watched(server: LocalServer, match_id: str) -> None:
    watch = server.match.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
    try:
        await watch.read()
    finally:
        watch.cancel()


async def act_on(match: Table) -> None:
    with suppress(IndexError):  # nothing seems to be pending
        await match.step()


async def see_that_it_stays_put(there: Spoilt, what: str) -> set[str]:
    """Ask for everything, run every job; return how the spoilt match was answered."""
    server, match_id, store = there.server, there.match.id, there.server.store
    server.matches.forget(match_id)
    asked = [
        there.match.get(),
        server.match.GetMatchRecord(pb.GetMatchRecordRequest(match_id=match_id)),
        server.match.GetMatchView(pb.GetMatchViewRequest(match_id=match_id)),
        watched(server, match_id),
        act_on(there.match),
    ]
    found = set()
    for call in asked:
        found.add(await outcome(call))
        server.matches.forget(match_id)
    await server.match.ListMatches(pb.ListMatchesRequest())
    await store.versions([match_id, there.healthy.id])
    await store.summaries([match_id, there.healthy.id])
    await store.frozen([match_id, there.healthy.id])
    timers = Timers(server.matches, InlineBots(), lambda *_: None)
    await timers.scan()
    await timers.look()
    await IdleMatchCloser(server.matches, 1.0).scan()
    await Archiver(store, there.archive, 3600.0, lambda _: None).scan()
    with suppress(StoredDataDamaged):
        await SelfCheck(server.matches, lambda _: None).check(match_id)
    checked = await verify(store)
    assert all(line.startswith(match_id) for line in checked.faults), (what, checked.faults)
    assert (await there.healthy.step()).revision, what
    return found


@pytest.mark.parametrize("field", FIELDS)
async def test_a_spoilt_field_damages_its_match_only(field, spoilt):
    before = spoilt.client.hgetall(spoilt.key("m"))
    entries = spoilt.client.dump(spoilt.key("e"))
    for value in VALUES:
        if value is None:
            spoilt.client.hdel(spoilt.key("m"), field)
        else:
            spoilt.client.hset(spoilt.key("m"), field, value)
        found = await see_that_it_stays_put(spoilt, f"{field}={value!r}")
        assert found <= FINE, f"{field}={value!r}: {found}"
        spoilt.client.delete(spoilt.key("m"), spoilt.key("i"))
        spoilt.client.hset(spoilt.key("m"), mapping=before)
        spoilt.client.restore(spoilt.key("e"), 0, entries, replace=True)


@pytest.mark.parametrize("part", ["m", "e", "i"])
async def test_a_key_of_another_kind_damages_its_match_only(part, spoilt):
    spoilt.client.delete(spoilt.key(part))
    spoilt.client.set(spoilt.key(part), "a string")
    found = await see_that_it_stays_put(spoilt, part)
    assert "STORED_DATA_DAMAGED" in found
    assert found <= FINE


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("2-0", {"head": b"x"}),
        ("2-0", {"body": b"x"}),
        ("2-0", {"head": b"x", "body": b"x"}),
        ("2-0", {"head": b"x", "body": b"x", "more": b"x"}),
        ("2-1", {"head": b"x", "body": b"x"}),
        ("3-0", {"head": b"x", "body": b"x"}),
    ],
)
async def test_a_foreign_entry_damages_its_match_only(place, fields, spoilt):
    if place == "2-0":
        ((first, before),) = spoilt.client.xrange(spoilt.key("e"), count=1)
        spoilt.client.delete(spoilt.key("e"))
        spoilt.client.xadd(spoilt.key("e"), before, id=first)
    spoilt.client.xadd(spoilt.key("e"), fields, id=place)
    assert await see_that_it_stays_put(spoilt, place) <= FINE


async def test_an_entry_above_the_revision_is_dropped_by_the_next_commit(spoilt):
    """Part of a script that was never acknowledged: what a power cut may leave behind."""
    for revision in ("3-0", "4-0"):
        spoilt.client.xadd(spoilt.key("e"), {"head": b"x", "body": b"x"}, id=revision)
    with capture_logs() as logs:
        assert (await spoilt.match.step()).revision == 3
    (dropped,) = [line for line in logs if line["event"] == "foreign_entries_dropped"]
    assert (dropped["match"], dropped["entries"]) == (spoilt.match.id, 2)
    assert (await spoilt.match.step()).revision == 4
    assert (await verify(spoilt.server.store)).sound


async def test_a_damaged_watched_match_ends_its_watchers_and_no_others(spoilt):
    watch = spoilt.server.match.WatchMatch(pb.WatchMatchRequest(match_id=spoilt.match.id))
    other = spoilt.server.match.WatchMatch(pb.WatchMatchRequest(match_id=spoilt.healthy.id))
    await watch.read()
    await other.read()
    spoilt.client.hset(spoilt.key("m"), "revision", "none")
    assert await outcome(to_the_end(watch)) == "STORED_DATA_DAMAGED"
    done = await spoilt.healthy.step()
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await other.read()).revision < done.revision:
            pass
    other.cancel()


async def test_foreign_names_in_the_index_and_the_deadlines_are_passed_over(spoilt):
    spoilt.client.zadd("taflhall:matches", {b"\xff" * 20: 0, b"zz": 0, b"": 0})
    for shard in range(4):
        spoilt.client.zadd(f"taflhall:timers:{shard}", {b"\xff\xfe": 1, b"": 2, b"nowhere": 3})
    assert await see_that_it_stays_put(spoilt, "names") == {"OK", "NOT_FINISHED"}


async def test_a_finished_damaged_match_does_not_stop_the_archiver(spoilt):
    await give_up(spoilt.match)
    await give_up(spoilt.healthy)
    spoilt.client.hset(spoilt.key("m"), "revision", "none")
    results: list[str] = []
    await Archiver(
        spoilt.server.store, spoilt.archive, 3600.0, lambda result: results.append(result.name)
    ).scan()
    summary = (await spoilt.server.store.summaries([spoilt.healthy.id]))[0]
    assert summary.archived


async def damaged(there: Spoilt) -> dict[str, str]:
    """Return the damaged matches as administrators see them."""
    _, key = await there.server.key(Role.ADMIN)
    request = admin.ListDamagedMatchesRequest()
    answer = await there.server.admin.ListDamagedMatches(request, metadata=bearer(key))
    return {match.match_id: match.damage for match in answer.matches}


@pytest.mark.parametrize(
    ("field", "damage"),
    [
        ("revision", "its fields cannot be read"),
        ("schema", "its fields cannot be read"),
        ("origin", "its origin is damaged"),
        ("status", "its status is damaged"),
        ("snapshot", "its snapshot is damaged"),
    ],
)
async def test_a_damaged_match_is_frozen_until_it_is_repaired_and_checked(field, damage, spoilt):
    before = spoilt.client.hget(spoilt.key("m"), field)
    spoilt.client.hset(spoilt.key("m"), field, b"\xc1")
    spoilt.server.matches.forget(spoilt.match.id)
    assert await outcome(spoilt.match.get()) == "STORED_DATA_DAMAGED"
    assert await damaged(spoilt) == {spoilt.match.id: damage}
    spoilt.client.hset(spoilt.key("m"), field, before)
    async with open_server(spoilt.server.store) as other:  # the mark outlives the server
        get = pb.GetMatchRequest(match_id=spoilt.match.id)
        assert await outcome(other.match.GetMatch(get)) == "STORED_DATA_DAMAGED"
    assert await outcome(spoilt.match.step()) == "STORED_DATA_DAMAGED"
    assert (await verify(spoilt.server.store, unfreeze=True)).unfrozen == 1
    assert await damaged(spoilt) == {}
    assert (await spoilt.match.step()).revision == 3


async def test_an_unreadable_match_is_reported_as_damaged(spoilt):
    spoilt.client.delete(spoilt.key("m"))
    spoilt.client.set(spoilt.key("m"), "a string")
    spoilt.server.matches.forget(spoilt.match.id)
    for _ in range(2):
        assert await outcome(spoilt.match.get()) == "STORED_DATA_DAMAGED"
    assert await damaged(spoilt) == {spoilt.match.id: "its fields cannot be read"}
