"""How matches are stored in Redis: their keys, the fields of their hash, and how these are read.

Everything that is read from a match passes through here, and data that this service cannot have
written is reported as ``StoredDataDamaged``. The hash of a match has the fields of
:class:`~taflhall_service.app.ports.match_store.StoredMatch` under their own names, with those
of its version in place of ``version``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from taflhall_service.app.errors import StoredDataDamaged
from taflhall_service.app.ports.match_store import (
    UNREADABLE_SUMMARY,
    UNREADABLE_VERSION,
    MatchSummary,
    StoredEntry,
    StoredMatch,
    Version,
)
from taflhall_service.store.redis.client import Argument, Reply

VERSION_FIELDS: Final = Version._fields
FIELDS: Final = StoredMatch._fields[1:]

MAX_DIGITS: Final = 25


def match_key(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:m"


def presence_key(match_id: str) -> str:
    return f"taflhall:{{{match_id}}}:p"


def keys_of(match_id: str) -> tuple[str, str, str]:
    """Return the keys of a match, of its entries, and of its remembered replies."""
    stem = f"taflhall:{{{match_id}}}:"
    return stem + "m", stem + "e", stem + "i"


def id_of_key(key: bytes) -> str | None:
    """Return the id of the match whose hash has this key; ``None`` if none can have it."""
    return text_of(key[len(b"taflhall:{") : -len(b"}:m")])


def text_of(name: Reply) -> str | None:
    """Return a name that this service may have stored; ``None`` if it cannot have."""
    return name.decode() if isinstance(name, bytes) and name.isalnum() else None


def written_version(version: Version) -> tuple[Argument, ...]:
    """Return the parts of a version as they are stored under :data:`VERSION_FIELDS`."""
    return version.revision, version.head, version.change_id


def read_version(match_id: str, found: Sequence[Reply]) -> Version | None:
    """Return the version that is stored under :data:`VERSION_FIELDS`; ``None`` if none is."""
    if all(value is None for value in found):
        return None
    revision, head, change_id = (_bytes(match_id, value) for value in found)
    return Version(_number(match_id, revision), head, _number(match_id, change_id))


def read_match(match_id: str, found: Sequence[Reply]) -> StoredMatch | None:
    """Return a match from its :data:`VERSION_FIELDS` and :data:`FIELDS`."""
    if all(value is None for value in found):
        return None
    version = read_version(match_id, found[: len(VERSION_FIELDS)])
    schema, *fields = (_bytes(match_id, value or b"") for value in found[len(VERSION_FIELDS) :])
    if version is None:
        raise StoredDataDamaged(match_id=match_id)
    return StoredMatch(version, _number(match_id, schema), *fields)


def read_entry(match_id: str, found: Reply) -> StoredEntry:
    """Return an entry of the stream of a match."""
    name, fields = found
    values = dict(zip(fields[::2], fields[1::2], strict=False))
    revision, _, number = bytes(name).partition(b"-")
    if number != b"0" or set(values) != {b"head", b"body"}:
        raise StoredDataDamaged(match_id=match_id)
    return StoredEntry(_number(match_id, revision), values[b"head"], values[b"body"])


def readable_version(match_id: str, found: Reply) -> Version | None:
    """Return the version among those of many matches: damage of one is not an error here."""
    try:
        return read_version(match_id, checked(found))
    except StoredDataDamaged:
        return UNREADABLE_VERSION


def readable_summary(match_id: str, found: Reply) -> MatchSummary | None:
    """Return the summary among those of many matches: damage of one is not an error here."""
    try:
        values = checked(found)
        if all(value is None for value in values):
            return None
        return MatchSummary(*[_bytes(match_id, value or b"") for value in values])
    except StoredDataDamaged:
        return UNREADABLE_SUMMARY


def checked(reply: Reply) -> Reply:
    """Return *reply*, or raise it if it is an error."""
    if isinstance(reply, BaseException):
        raise reply
    return reply


def _bytes(match_id: str, value: Reply) -> bytes:
    if not isinstance(value, bytes):
        raise StoredDataDamaged(match_id=match_id)
    return value


def _number(match_id: str, text: bytes) -> int:
    """Return a number as this service writes it: digits, and no zero before others."""
    if not text.isdigit() or len(text) > MAX_DIGITS or (text[:1] == b"0" and text != b"0"):
        raise StoredDataDamaged(match_id=match_id)
    return int(text)
