"""What Redis returns is read as this service wrote it, or is damage: never something else."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.ports.match_store import (
    UNREADABLE_SUMMARY,
    UNREADABLE_VERSION,
    MatchSummary,
    StoredEntry,
    StoredMatch,
    Version,
)
from taflhall_service.store.redis.layout import (
    FIELDS,
    MAX_DIGITS,
    id_of_key,
    keys_of,
    match_key,
    presence_key,
    read_entry,
    read_match,
    read_version,
    readable_summary,
    readable_version,
    text_of,
    written_version,
)

VERSION = Version(7, b"head", 3)
STORED: list[Any] = [b"7", b"head", b"3"]
NOTHING: list[Any] = [None, None, None]


def test_the_keys_of_a_match_share_its_id_as_tag():
    assert keys_of("abc") == ("taflhall:{abc}:m", "taflhall:{abc}:e", "taflhall:{abc}:i")
    assert match_key("abc") == "taflhall:{abc}:m"
    assert presence_key("abc") == "taflhall:{abc}:p"
    assert id_of_key(match_key("abc").encode()) == "abc"


@pytest.mark.parametrize("name", [b"", b"a-b", b"a b", b"\xff", None, 3])
def test_what_is_no_name_of_this_service_has_none(name: Any):
    assert text_of(name) is None
    assert text_of(b"abc123") == "abc123"


def test_a_version_is_read_as_it_was_written():
    assert written_version(VERSION) == (7, b"head", 3)
    assert read_version("abc", STORED) == VERSION
    assert read_version("abc", [b"0", b"", b"0"]) == Version(0, b"", 0)
    assert read_version("abc", NOTHING) is None


@pytest.mark.parametrize("number", [b"", b"x", b"-1", b"+1", b"007", b"00", b" 1", b"1" * 26])
@pytest.mark.parametrize("at", [0, 2])
def test_only_numbers_as_they_are_written_are_numbers(at: int, number: bytes):
    stored = [*STORED]
    stored[at] = number
    with pytest.raises(StoredDataDamaged) as damaged:
        read_version("abc", stored)
    assert damaged.value.metadata == {"match_id": "abc"}
    stored[at] = b"1" * MAX_DIGITS
    assert read_version("abc", stored) is not None


@pytest.mark.parametrize("missing", range(3))
def test_a_version_without_one_of_its_parts_is_damaged(missing: int):
    stored = [*STORED]
    stored[missing] = None
    with pytest.raises(StoredDataDamaged) as damaged:
        read_version("abc", stored)
    assert damaged.value.metadata == {"match_id": "abc"}


def of_match(**fields: bytes) -> list[Any]:
    """The reply to reading a match that has only these *fields*."""
    return [fields.get(name) for name in FIELDS]


def test_a_match_is_read_with_what_it_has():
    found = read_match("abc", [*STORED, *of_match(schema=b"2", origin=b"o", archived=b"digest")])
    assert found == StoredMatch(VERSION, 2, b"o", b"", b"", b"", b"", archived=b"digest")
    assert read_match("abc", [*NOTHING, *of_match()]) is None


@pytest.mark.parametrize(
    "found",
    [
        [*STORED, *of_match()],
        [*STORED, *of_match(origin=b"o")],
        [*STORED, *of_match(schema=b"x")],
        [*NOTHING, *of_match(schema=b"2")],
        [*STORED[:2], None, *of_match(schema=b"2")],
        [*STORED, 2, *of_match()[1:]],
        [*STORED, b"2", 3, *of_match()[2:]],
    ],
)
def test_a_match_that_cannot_be_read_is_damaged(found: list[Any]):
    with pytest.raises(StoredDataDamaged) as damaged:
        read_match("abc", found)
    assert damaged.value.metadata == {"match_id": "abc"}


ENTRY: list[Any] = [b"head", b"h", b"body", b"b"]


def test_an_entry_is_read_as_it_was_written():
    assert read_entry("abc", (b"5-0", ENTRY)) == StoredEntry(5, b"h", b"b")
    assert read_entry("abc", (b"5-0", [b"body", b"b", b"head", b"h"])) == (5, b"h", b"b")


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        (b"5-1", ENTRY),
        (b"5", ENTRY),
        (b"x-0", ENTRY),
        (b"05-0", ENTRY),
        (b"5-0", ENTRY[:2]),
        (b"5-0", [*ENTRY, b"more", b"x"]),
        (b"5-0", [b"head", b"h", b"text", b"b"]),
        (b"5-0", [b"head", b"h", b"body"]),
    ],
)
def test_an_entry_that_cannot_be_read_is_damaged(name: bytes, fields: list[Any]):
    with pytest.raises(StoredDataDamaged) as damaged:
        read_entry("abc", (name, fields))
    assert damaged.value.metadata == {"match_id": "abc"}


def test_damage_of_one_match_is_no_error_for_others():
    assert readable_version("abc", STORED) == VERSION
    assert readable_version("abc", NOTHING) is None
    for damage in ([b"x", b"head", b"3"], StoredDataDamaged(match_id="abc")):
        assert readable_version("abc", damage) == UNREADABLE_VERSION
    with pytest.raises(ConnectionError):
        readable_version("abc", ConnectionError())


def test_a_summary_has_what_there_is():
    number = len(MatchSummary._fields)
    assert readable_summary("abc", [b"open", *[None] * (number - 1)]) == MatchSummary(b"open", b"")
    assert readable_summary("abc", [*[None] * (number - 1), b"9"]) == MatchSummary(
        b"", b"", b"", b"9"
    )
    assert readable_summary("abc", [None] * number) is None
    for damage in ([3, *[None] * (number - 1)], StoredDataDamaged(match_id="abc")):
        assert readable_summary("abc", damage) == UNREADABLE_SUMMARY
    with pytest.raises(ConnectionError):
        readable_summary("abc", ConnectionError())
