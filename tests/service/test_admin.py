"""AdminService: accounts and keys, matches that are frozen or looked into, and the trace of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from taflhall.admin.v1 import admin_service_pb2 as pb
from taflhall.v1 import match_pb2, match_service_pb2
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.ports.match_store import DueQueue
from tests.service.clocked import clocked
from tests.service.local_server import LocalServer, bearer, open_server, refused


class Office:
    """An administrator at the administrators' port."""

    def __init__(self, server: LocalServer, account: str, key: str) -> None:
        self.server = server
        self.account = account
        self.metadata = bearer(key)

    async def call(self, method: str, **fields: Any) -> Any:
        request = getattr(pb, f"{method}Request")(**fields)
        return await getattr(self.server.admin, method)(request, metadata=self.metadata)

    async def trace(self) -> list[tuple[str, str, str]]:
        """Return what was done, newest first, but the asking for it."""
        entries = (await self.call("ListAuditEntries", page_size=1000)).entries
        assert all(entry.time.seconds for entry in entries)
        return [(entry.action, entry.target, entry.justification) for entry in entries[1:]]


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    async with open_server(admin=True) as server:
        yield Office(server, *await server.key(Role.ADMIN, "Root"))


async def test_an_account_gets_keys_and_loses_them(office: Office):
    made = (await office.call("CreateAccount", name="Ann", role=2, justification="asked")).account
    assert (made.name, made.role, made.disabled) == ("Ann", pb.ACCOUNT_ROLE_BOT, False)
    first = await office.call("CreateApiKey", account_id=made.id)
    second = await office.call("CreateApiKey", account_id=made.id)
    listing = match_service_pb2.ListMatchesRequest()
    await office.server.match.ListMatches(listing, metadata=bearer(first.text))
    revoked = (await office.call("RevokeApiKey", key_id=first.key.id, justification="leaked")).key
    assert revoked.HasField("revoke_time")
    keys = (await office.call("ListApiKeys", account_id=made.id)).keys
    assert {key.id: key.HasField("revoke_time") for key in keys} == {
        first.key.id: True,
        second.key.id: False,
    }
    trace = await office.trace()
    assert trace[-1] == ("CreateAccount", "Ann", "asked")
    assert ("RevokeApiKey", first.key.id, "leaked") in trace
    assert len(trace) == 5


async def test_accounts_are_changed_and_listed_by_pages(office: Office):
    ids = [(await office.call("CreateAccount", name=f"Ann {n}")).account.id for n in "abc"]
    changed = await office.call("UpdateAccount", account_id=ids[0], name="Zoe", disabled=True)
    assert (changed.account.name, changed.account.role) == ("Zoe", pb.ACCOUNT_ROLE_PLAYER)
    changed = await office.call("UpdateAccount", account_id=ids[0], role=3)
    assert (changed.account.disabled, changed.account.role) == (True, pb.ACCOUNT_ROLE_HOST)
    found, token = [], ""
    while True:
        page = await office.call("ListAccounts", page_size=2, page_token=token)
        found += [account.id for account in page.accounts]
        token = page.next_page_token
        if not token:
            break
    assert sorted(found) == sorted([office.account, *ids])
    for call in (
        office.call("UpdateAccount", account_id="none"),
        office.call("CreateApiKey", account_id="none"),
    ):
        assert (await refused(call)).reason == "ACCOUNT_NOT_FOUND"


async def test_nobody_changes_a_frozen_match_until_it_is_unfrozen(office: Office):
    table = await office.server.table()
    frozen = await office.call("FreezeMatch", match_id=table.id, justification="a complaint")
    assert frozen.match.freeze_justification == "a complaint"
    decision = await table.decision()
    refusal = await refused(table.submit(decision.id))
    assert (refusal.reason, refusal.metadata) == ("MATCH_FROZEN", {"match_id": table.id})
    [listed] = (await office.call("ListMatches")).matches
    assert (listed.match.id, listed.freeze_justification) == (table.id, "a complaint")
    assert (await refused(office.call("ListMatches", game="chess"))).reason == "UNKNOWN_GAME"
    freed = await office.call("UnfreezeMatch", match_id=table.id, justification="settled")
    assert freed.match.freeze_justification == ""
    assert (await table.submit(decision.id)).applied == 1
    assert [line[0] for line in await office.trace()] == [
        "UnfreezeMatch",
        "ListMatches",
        "FreezeMatch",
    ]


async def test_a_freeze_costs_no_time_and_is_seen_in_the_clocks():
    async with clocked(admin=True) as made:
        server = made.servers[0]
        office = Office(server, *await server.key(Role.ADMIN, "Root"))
        table = await made.table(policy=3, base=60)
        await made.passes(20)
        for reason in ("a complaint", "another complaint"):
            await office.call("FreezeMatch", match_id=table.id, justification=reason)
        match = (await table.get(None)).match
        assert all(clock.paused and not clock.HasField("deadline") for clock in match.clocks.seats)
        for _ in range(3):
            await made.passes(400)
        assert made.ups == []
        assert made.memory.queues[DueQueue.DEADLINES] == {}
        await office.call("UnfreezeMatch", match_id=table.id, justification="settled")
        deciding = (await table.get(None)).decisions[0].seat
        assert (await table.get(None)).match.clocks.seats[deciding].paused
        await made.passes(30)
        stream = server.match.WatchMatch(
            match_service_pb2.WatchMatchRequest(match_id=table.id),
            metadata=bearer(table.secrets[deciding]),
        )
        clocks = (await stream.read()).snapshot.match.clocks.seats
        assert not clocks[deciding].paused
        assert clocks[deciding].deadline.ToMilliseconds() == made.ms + 40_000
        await made.passes(38)
        assert made.ups == []
        await made.passes(4)
        assert [policy for policy, _ in made.ups] == [3]
        stream.cancel()


async def test_after_a_freeze_the_clocks_run_on_though_nobody_comes_back():
    async with clocked(admin=True) as made:
        office = Office(made.servers[0], *await made.servers[0].key(Role.ADMIN, "Root"))
        table = await made.table(policy=3, base=60)
        await office.call("FreezeMatch", match_id=table.id, justification="a complaint")
        await made.passes(600)
        await office.call("UnfreezeMatch", match_id=table.id, justification="settled")
        await made.passes(58)
        assert (await table.get(None)).match.clocks.seats[0].paused
        await made.passes(4)
        assert not (await table.get(None)).match.clocks.seats[0].paused
        await made.passes(50)
        assert made.ups == []
        await made.passes(10)
        assert [policy for policy, _ in made.ups] == [3]


@pytest.mark.parametrize("again", [False, True])
async def test_what_an_older_build_froze_or_freed_cost_nobody_time(again: bool):
    """It froze matches without their clocks, and frees them without."""
    async with clocked(admin=True) as made:
        office = Office(made.servers[0], *await made.servers[0].key(Role.ADMIN, "Root"))
        table, store = await made.table(policy=3, base=60), made.servers[0].store
        matches = made.servers[0].matches
        if again:
            await office.call("FreezeMatch", match_id=table.id, justification="a complaint")
        frozen = b"" if again else b"admin: a complaint"
        assert await store.set_field(
            table.id, (await matches.fresh(table.id)).version, "frozen", frozen
        )
        await made.passes(600)
        assert made.ups == []
        await office.call("UnfreezeMatch", match_id=table.id, justification="settled")
        await made.passes(118)
        assert made.ups == []
        await made.passes(4)
        assert [policy for policy, _ in made.ups] == [3]


async def test_a_returning_player_ends_a_pause_of_an_older_build():
    async with clocked(admin=True) as made:
        server = made.servers[0]
        office = Office(server, *await server.key(Role.ADMIN, "Root"))
        table = await made.table(base=60)
        await office.call("FreezeMatch", match_id=table.id, justification="a complaint")
        version = (await server.matches.fresh(table.id)).version
        await made.passes(600)
        assert await server.store.set_field(table.id, version, "frozen", b"")
        request = match_service_pb2.WatchMatchRequest(match_id=table.id)
        stream = server.match.WatchMatch(request, metadata=bearer(table.secrets[0]))
        clock = (await stream.read()).snapshot.match.clocks.seats[0]
        assert (clock.paused, clock.deadline.ToMilliseconds()) == (False, made.ms + 60_000)
        stream.cancel()


async def test_two_administrators_freeze_and_free_a_match_at_the_same_time(office: Office):
    table = await office.server.table()
    calls = [
        office.call(f"{word}Match", match_id=table.id, justification=f"reason {number}")
        for number in range(10)
        for word in ("Freeze", "Unfreeze")
    ]
    await asyncio.gather(*calls)
    await office.call("UnfreezeMatch", match_id=table.id, justification="settled")
    await table.step()


async def test_no_administrator_frees_what_is_damaged(office: Office):
    table = await office.server.table()
    version = (await office.server.matches.fresh(table.id)).version
    assert await office.server.store.set_field(table.id, version, "frozen", b"revision 3 differs")
    for method in ("FreezeMatch", "UnfreezeMatch"):
        call = office.call(method, match_id=table.id, justification="a complaint")
        assert (await refused(call)).reason == "STORED_DATA_DAMAGED"
    assert (await office.server.store.frozen([table.id])) == [b"revision 3 differs"]
    for match_id, reason in (
        ("", "MALFORMED"),
        ("?", "MATCH_NOT_FOUND"),
        ("a" * 8, "MATCH_NOT_FOUND"),
    ):
        call = office.call("FreezeMatch", match_id=match_id, justification="a complaint")
        assert (await refused(call)).reason == reason


async def test_an_abandoned_match_ends_its_streams(office: Office):
    table = await office.server.table()
    watch = office.server.match.WatchMatch(match_service_pb2.WatchMatchRequest(match_id=table.id))
    await watch.read()
    response = (
        await office.call("AbandonMatch", match_id=table.id, justification="nobody came")
    ).match
    assert response.match.status == match_pb2.MATCH_STATUS_ABANDONED
    while True:
        update = await watch.read()
        if update.WhichOneof("update") == "end":
            assert update.end.cause == match_service_pb2.STREAM_END_CAUSE_ABANDONED
            break
    again = await refused(office.call("AbandonMatch", match_id=table.id, justification="again"))
    assert again.reason == "MATCH_OVER"


async def test_a_frozen_match_cannot_be_abandoned(office: Office):
    table = await office.server.table()
    await office.call("FreezeMatch", match_id=table.id, justification="a complaint")
    call = office.call("AbandonMatch", match_id=table.id, justification="enough")
    assert (await refused(call)).reason == "MATCH_FROZEN"


async def test_a_match_is_revealed_with_a_reason_and_a_trace(office: Office):
    table = await office.server.table()
    response = await office.call(
        "RevealMatch", match_id=table.id, justification="a complaint of Ann's"
    )
    assert [view.seat for view in response.views] == [0, 1]
    assert json.loads(response.snapshot)["game"] == "yggdrasil"
    assert response.decisions[0].options
    assert (await office.trace())[0] == ("RevealMatch", table.id, "a complaint of Ann's")


@pytest.mark.parametrize("method", ["AbandonMatch", "FreezeMatch", "UnfreezeMatch", "RevealMatch"])
async def test_an_intervention_states_its_reason(office: Office, method: str):
    table = await office.server.table()
    for reason in ("", "   "):
        refusal = await refused(office.call(method, match_id=table.id, justification=reason))
        assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", "justification")
    for reason in ("x" * 201, "two\nlines", "a\x1b[31m", "\u202eback"):
        refusal = await refused(office.call(method, match_id=table.id, justification=reason))
        assert (refusal.reason, refusal.metadata["field"]) == ("INVALID_NAME", "justification")
    assert await office.trace() == []


async def test_a_hostile_target_leaves_a_harmless_trace(office: Office):
    target = "a\r\nb\x1b[31m\u202e\x00" + "x" * 1000
    await refused(office.call("RevealMatch", match_id=target, justification="try"))
    [(_, found, _)] = await office.trace()
    assert found.isprintable()
    assert len(found) <= 64
