"""The chain over a match's history, and what is bound to it.

Each command has a head: an HMAC over the head before it, its revision and its deed, keyed with
a secret of the match that never leaves the store. Setup, luck and deeds determine a match, so
two matches with the same head are the same. A revision alone is no safe position: a store that
fails over may give the same number to another history. Decision ids and resume tokens are
bound to the head, so they fit no other history.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import blake2b
from typing import Final, NamedTuple

from taflhall_service.app.errors import InvalidPageToken, Malformed, StoredDataDamaged

SEAL_BYTES: Final = 16
_MAC_BYTES: Final = 12
_PAGE_TAG_BYTES: Final = 16
_PLACE_BYTES: Final = 8 + 4
_TOKEN_BYTES: Final = _PLACE_BYTES + 2 * _MAC_BYTES


def first_head(key: bytes, match_id: str) -> bytes:
    """Return the head of a match without commands."""
    return hmac.digest(key, b"start" + match_id.encode(), "sha256")


def next_head(key: bytes, head: bytes, revision: int, deed: bytes) -> bytes:
    """Return the head after the command *deed*."""
    return hmac.digest(key, head + revision.to_bytes(8, "big") + deed, "sha256")


def decision_id(key: bytes, head: bytes, revision: int, seat: int) -> str:
    """Return the id of the decision that became pending for *seat* at *revision*."""
    place = b"decision" + head + seat.to_bytes(2, "big")
    tag = blake2b(place, digest_size=9, key=key).digest()
    return f"{revision}-{urlsafe_b64encode(tag).decode()}"


def seal(key: bytes, place: str, payload: bytes) -> bytes:
    """Return *payload* behind a digest that holds only at *place*."""
    return blake2b(place.encode() + payload, digest_size=SEAL_BYTES, key=key).digest() + payload


def unseal(key: bytes, place: str, sealed: bytes) -> bytes:
    """Return the payload, or raise ``StoredDataDamaged`` if it is not what was sealed there."""
    payload = sealed[SEAL_BYTES:]
    if not hmac.compare_digest(seal(key, place, payload), sealed):
        raise StoredDataDamaged
    return payload


class Position(NamedTuple):
    """Where a viewer is in the history of a match."""

    revision: int
    drawn: int
    """What was drawn when its seats last changed (:attr:`~storage.Version.drawn`)."""
    tie: bytes = b""
    """Proof of the history up to there."""


def resume_token(key: bytes, match_id: str, viewer: int, at: Position, head: bytes) -> str:
    """Return the token with which *viewer* may go on from there; *key* is the servers'."""
    number = _number(at)
    ours = _mac(key, match_id, viewer, number)
    return urlsafe_b64encode(number + ours + _mac(key, match_id, viewer, number + head)).decode()


def read_token(key: bytes, match_id: str, viewer: int, token: str) -> Position:
    """Return the position of a token, or raise ``Malformed`` if it is none of this viewer's."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except (NotBase64, ValueError):
        raw = b""
    number, rest = raw[:_PLACE_BYTES], raw[_PLACE_BYTES:]
    ours, tie = rest[:_MAC_BYTES], rest[_MAC_BYTES:]
    if len(raw) != _TOKEN_BYTES or not hmac.compare_digest(
        ours, _mac(key, match_id, viewer, number)
    ):
        raise Malformed(field="resume_token", expected="a token of this match and viewer")
    return Position(int.from_bytes(number[:8], "big"), int.from_bytes(number[8:], "big"), tie)


def fits(key: bytes, match_id: str, viewer: int, position: Position, head: bytes) -> bool:
    """Return whether *head* is the end of the history that the position is in."""
    return hmac.compare_digest(position.tie, _mac(key, match_id, viewer, _number(position) + head))


def _number(at: Position) -> bytes:
    return at.revision.to_bytes(8, "big") + at.drawn.to_bytes(4, "big")


def _mac(key: bytes, match_id: str, viewer: int, rest: bytes) -> bytes:
    place = f"token/{match_id}/{viewer}/".encode()
    return blake2b(place + rest, digest_size=_MAC_BYTES, key=key).digest()


def page_token(key: bytes, mark: str) -> str:
    """Return the token with which a list of matches goes on after *mark*.

    Nothing can be read in it: the match that a page ends with may be none that the caller sees.
    """
    plain = mark.encode()
    tag = _page_tag(key, plain)
    return urlsafe_b64encode(tag + _veil(key, tag, plain)).decode()


def read_page_token(key: bytes, token: str) -> str:
    """Return the mark in a token, or raise ``InvalidPageToken`` if it is none of ours."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except (NotBase64, ValueError):
        raw = b""
    tag, veiled = raw[:_PAGE_TAG_BYTES], raw[_PAGE_TAG_BYTES:]
    plain = _veil(key, tag, veiled)
    if not veiled or not hmac.compare_digest(tag, _page_tag(key, plain)):
        raise InvalidPageToken
    return plain.decode("ascii")


def _page_tag(key: bytes, plain: bytes) -> bytes:
    return blake2b(b"page/" + plain, digest_size=_PAGE_TAG_BYTES, key=key).digest()


def _veil(key: bytes, tag: bytes, text: bytes) -> bytes:
    """Hide *text* under a pad that belongs to *tag*, or show it again."""
    pad = hmac.digest(key, b"page" + tag, "sha512")
    return bytes(a ^ b for a, b in zip(text[: len(pad)], pad, strict=False))
