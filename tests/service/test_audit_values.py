"""The administrators' log: what is written, and how its pages are read."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_service.app.errors import InvalidName, InvalidPageToken, Malformed
from taflhall_service.app.matches.admin import (
    AuditEntry,
    AuditLog,
    page_of,
    printable,
    required_reason,
)
from taflhall_service.app.matches.indexes import index_of, words_of
from taflhall_service.app.model.limits import Limits

NOW = 1_800_000_000_000


class Audits:
    """As much of a store as the audit log needs."""

    def __init__(self) -> None:
        self.held: list[tuple[str, bytes]] = []
        self.asked: list[tuple[str, int]] = []

    async def append_audit(self, key: str, entry: bytes) -> None:
        self.held.insert(0, (key, entry))

    async def read_audit(self, before: str, size: int) -> list[tuple[str, bytes]]:
        self.asked.append((before, size))
        return [pair for pair in self.held if not before or pair[0] < before][:size]


async def now() -> int:
    return NOW


@pytest.fixture
def audits() -> Audits:
    return Audits()


@pytest.fixture
def log(audits: Any) -> AuditLog:
    return AuditLog(audits, Limits(), now)


async def test_pages_go_on_where_the_last_one_ended_and_the_last_page_has_no_token(log, audits):
    for number in range(5):
        await log.write("a1", "k1", "freeze", f"match {number}", "because")
    keys = [key for key, _ in audits.held]
    assert keys == sorted(set(keys), reverse=True)
    assert [key[:16] for key in keys[::-1]] == [f"{NOW:012x}{n:04x}" for n in range(1, 6)]
    assert {len(key) for key in keys} == {20}
    first = await log.read(2, "")
    assert [entry.target for entry in first.entries] == ["match 4", "match 3"]
    assert first.token == keys[1]
    second = await log.read(2, first.token)
    assert [entry.target for entry in second.entries] == ["match 2", "match 1"]
    last = await log.read(2, second.token)
    assert ([entry.target for entry in last.entries], last.token) == (["match 0"], "")
    [entry] = last.entries
    assert entry == AuditEntry(NOW, "a1", "k1", "freeze", "match 0", "because")
    assert audits.asked == [("", 2), (keys[1], 2), (keys[3], 2)]


@pytest.mark.parametrize("token", ["0" * 19, "0" * 21, "g" + "0" * 19, "0" * 19 + "A", " " * 20])
async def test_text_that_is_not_a_token_is_refused(log, token):
    with pytest.raises(InvalidPageToken):
        await log.read(2, token)


@pytest.mark.parametrize("token", ["0" * 20, "0123456789abcdef0123"])
async def test_any_key_is_a_token(log, token):
    assert (await log.read(2, token)).entries == []


async def test_no_secret_and_nothing_unprintable_gets_into_the_log(log):
    await log.write("", "", "reveal", "m\x00" + "a" * 43, "")
    assert (await log.read(1, "")).entries[0].target == "m?***"
    for reason in ("no " * 67, "two\nlines", "a" * 43):
        with pytest.raises(InvalidName):
            await log.write("", "", "reveal", "m", reason)
    await log.write("", "", "reveal", "m", "why " * 50)


@pytest.mark.parametrize(
    ("asked", "size"), [(0, 100), (1, 1), (999, 999), (1000, 1000), (1001, 1000)]
)
def test_a_page_holds_what_is_asked_for_100_if_nothing_is_and_1000_at_most(asked, size):
    assert page_of(asked) == size


def test_a_page_cannot_hold_less_than_nothing():
    with pytest.raises(Malformed):
        page_of(-1)


def test_text_from_outside_is_cut_and_made_printable():
    assert printable("a" * 65) == "a" * 64
    assert printable("a\tb\u202ec") == "a?b?c"


def test_looking_into_a_match_requires_a_justification():
    assert required_reason("a complaint") == "a complaint"
    for reason in ("", " "):
        with pytest.raises(Malformed):
            required_reason(reason)


@pytest.mark.parametrize(
    ("parts", "index"),
    [
        ((), ""),
        (("champions",), "champions"),
        (("champions", "open"), "champions/open"),
        (("", "open"), "open"),
        (("champions", "open", "@created:a"), "@created:a/champions/open"),
    ],
)
def test_an_index_is_named_by_what_a_list_asks_for(parts, index):
    assert index_of(*parts) == index


def test_the_words_of_a_title_are_found_however_they_are_written():
    assert words_of("The Troll, the TROLL & Stra\u00dfe 7!") == ["the", "troll", "strasse", "7"]
