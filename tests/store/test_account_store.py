"""The account store: values that are compared and set, and the audit log."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall_service.app.ports.match_store import MatchStore


async def test_a_value_changes_only_from_its_expected_value(store: MatchStore):
    accounts = store.accounts
    assert await accounts.read("notes", ["ann", "bob"]) == [b"", b""]
    assert await accounts.compare_and_set("notes", "ann", b"one", b"")
    assert not await accounts.compare_and_set("notes", "ann", b"two", b"")
    assert not await accounts.compare_and_set("notes", "ann", b"two", b"other")
    assert await accounts.read("notes", ["ann"]) == [b"one"]
    assert await accounts.compare_and_set("notes", "ann", b"two", b"one")
    assert await accounts.compare_and_set("notes", "ann", b"two", b"one"), (
        "a repetition has one effect"
    )
    assert await accounts.read("notes", ["bob", "ann"]) == [b"", b"two"]
    assert await accounts.read("notes", []) == []


async def test_a_book_is_read_whole_and_alone(store: MatchStore):
    accounts = store.accounts
    for number in range(20):
        assert await accounts.compare_and_set("whole", f"name {number}", bytes([number]), b"")
    await accounts.compare_and_set("another", "name 1", b"else", b"")
    found = await accounts.all("whole")
    assert found == {f"name {number}": bytes([number]) for number in range(20)}
    assert await accounts.all("empty") == {}


async def test_one_of_several_simultaneous_writers_wins(connect: Any):
    first, second = await connect(), await connect()
    tries = [
        door.accounts.compare_and_set("race", "name", f"{number} {side}".encode(), b"")
        for number in range(20)
        for side, door in enumerate((first, second))
    ]
    assert sum(await asyncio.gather(*tries)) == 1


async def test_the_audit_is_read_newest_first_and_by_pages(store: MatchStore):
    accounts = store.accounts
    keys = [f"{number:020x}" for number in range(1, 8)]
    for key in keys:
        await accounts.append_audit(key, b"did " + key.encode())
    await accounts.append_audit(keys[0], b"did " + keys[0].encode())
    first = await accounts.read_audit("", 4)
    rest = await accounts.read_audit(first[-1][0], 10)
    assert [key for key, _ in [*first, *rest]] == keys[::-1]
    assert dict(first)[keys[6]] == b"did " + keys[6].encode()
    assert await accounts.read_audit(keys[0], 10) == []
