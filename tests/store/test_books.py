"""Books: small values that change only for who knows what they were, and the audit."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall_service.app.ports.match_store import Store


async def test_a_value_changes_only_for_who_knows_what_it_was(store: Store):
    books = store.books
    assert await books.read("notes", ["ann", "bob"]) == [b"", b""]
    assert await books.write("notes", "ann", b"one", b"")
    assert not await books.write("notes", "ann", b"two", b"")
    assert not await books.write("notes", "ann", b"two", b"other")
    assert await books.read("notes", ["ann"]) == [b"one"]
    assert await books.write("notes", "ann", b"two", b"one")
    assert await books.write("notes", "ann", b"two", b"one"), "a repetition has one effect"
    assert await books.read("notes", ["bob", "ann"]) == [b"", b"two"]
    assert await books.read("notes", []) == []


async def test_a_book_is_read_whole_and_alone(store: Store):
    books = store.books
    for number in range(20):
        assert await books.write("whole", f"name {number}", bytes([number]), b"")
    await books.write("another", "name 1", b"else", b"")
    found = await books.whole("whole")
    assert found == {f"name {number}": bytes([number]) for number in range(20)}
    assert await books.whole("empty") == {}


async def test_of_those_who_write_at_once_one_wins(doors: Any):
    first, second = await doors(), await doors()
    tries = [
        door.books.write("race", "name", f"{number} {side}".encode(), b"")
        for number in range(20)
        for side, door in enumerate((first, second))
    ]
    assert sum(await asyncio.gather(*tries)) == 1


async def test_the_audit_is_read_newest_first_and_by_pages(store: Store):
    books = store.books
    marks = [f"{number:020x}" for number in range(1, 8)]
    for mark in marks:
        await books.audit(mark, b"did " + mark.encode())
    await books.audit(marks[0], b"did " + marks[0].encode())
    first = await books.audited("", 4)
    rest = await books.audited(first[-1][0], 10)
    assert [mark for mark, _ in [*first, *rest]] == marks[::-1]
    assert dict(first)[marks[6]] == b"did " + marks[6].encode()
    assert await books.audited(marks[0], 10) == []
