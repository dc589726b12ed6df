"""Ids and tokens that callers hold: decision ids, resume tokens, page tokens.

Decision ids and resume tokens are bound to the head of the history that they belong to, so they
fit no other history.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from taflhall_service.app.errors import InvalidPageToken, Malformed

MAX_STEPS: Final = 64
"""No answer has more steps than this."""

_MAC_BYTES: Final = 12


_PAGE_TAG_BYTES: Final = 16


_PLACE_BYTES: Final = 8 + 4


_TOKEN_BYTES: Final = _PLACE_BYTES + 2 * _MAC_BYTES


def decision_id(key: bytes, head: bytes, revision: int, seat: int) -> str:
    """Return the id of the decision that became pending for *seat* at *revision*."""
    place = b"decision" + head + seat.to_bytes(2, "big")
    tag = blake2b(place, digest_size=9, key=key).digest()
    return f"{revision}-{urlsafe_b64encode(tag).decode()}"


def draft_id(decision: str, taken: Sequence[int]) -> str:
    """Return the id of *decision* after the steps of an answer that took these options."""
    return ".".join([decision, *map(str, taken)])


def split_draft(text: str) -> tuple[str, list[int]]:
    """Return the decision that an id names, and the options that a half-given answer took.

    Raise ``Malformed`` if it is not such an id.
    """
    if "." not in text:
        return text, []
    decision, *taken = text.split(".")
    digits = all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in taken)
    if not digits or len(taken) > MAX_STEPS:
        raise Malformed(field="decision_id", expected="the id of a decision")
    return decision, [int(part) for part in taken]


class ResumePoint(NamedTuple):
    """Where a viewer is in the history of a match."""

    revision: int
    nonce: int
    """The nonce of the last change of its seats (:attr:`~.match_store.Version.nonce`)."""
    history_mac: bytes = b""
    """Proof of the history up to there."""


def resume_token(key: bytes, match_id: str, viewer: int, at: ResumePoint, head: bytes) -> str:
    """Return the token with which *viewer* may resume there; *key* is shared by the servers."""
    number = _number(at)
    mac = _mac(key, match_id, viewer, number)
    ours = mac.digest()
    mac.update(head)
    return urlsafe_b64encode(number + ours + mac.digest()).decode()


def read_token(key: bytes, match_id: str, viewer: int, token: str) -> ResumePoint:
    """Return the resume point in a token, or raise ``Malformed`` if it is not this viewer's."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except (NotBase64, ValueError):
        raw = b""
    number, rest = raw[:_PLACE_BYTES], raw[_PLACE_BYTES:]
    ours, history_mac = rest[:_MAC_BYTES], rest[_MAC_BYTES:]
    if len(raw) != _TOKEN_BYTES or not hmac.compare_digest(
        ours, _mac(key, match_id, viewer, number).digest()
    ):
        raise Malformed(field="resume_token", expected="a token of this match and viewer")
    return ResumePoint(
        int.from_bytes(number[:8], "big"), int.from_bytes(number[8:], "big"), history_mac
    )


def matches_history(
    key: bytes, match_id: str, viewer: int, point: ResumePoint, head: bytes
) -> bool:
    """Return whether *head* is the end of the history that *point* is in."""
    mac = _mac(key, match_id, viewer, _number(point) + head)
    return hmac.compare_digest(point.history_mac, mac.digest())


def _number(at: ResumePoint) -> bytes:
    return at.revision.to_bytes(8, "big") + at.nonce.to_bytes(4, "big")


def _mac(key: bytes, match_id: str, viewer: int, rest: bytes) -> blake2b:
    place = f"token/{match_id}/{viewer}/".encode()
    return blake2b(place + rest, digest_size=_MAC_BYTES, key=key)


def page_token(key: bytes, last: str, listing: str) -> str:
    """Return the token of the page after *last*; *listing* names list and filter.

    It reveals nothing: the caller may not be allowed to see the match that a page ends with.
    """
    plain = last.encode()
    tag = _page_tag(key, plain, listing)
    return urlsafe_b64encode(tag + _mask(key, tag, plain)).decode()


def read_page_token(key: bytes, token: str, listing: str) -> str:
    """Return what the next page follows, or raise ``InvalidPageToken`` if it is of another list."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except (NotBase64, ValueError):
        raw = b""
    tag, veiled = raw[:_PAGE_TAG_BYTES], raw[_PAGE_TAG_BYTES:]
    plain = _mask(key, tag, veiled)
    if not veiled or not hmac.compare_digest(tag, _page_tag(key, plain, listing)):
        raise InvalidPageToken
    return plain.decode("ascii")


def _page_tag(key: bytes, plain: bytes, listing: str) -> bytes:
    return blake2b(
        b"page/%b/%b" % (listing.encode(), plain), digest_size=_PAGE_TAG_BYTES, key=key
    ).digest()


def _mask(key: bytes, tag: bytes, text: bytes) -> bytes:
    """Hide *text* under a pad that belongs to *tag*, or show it again."""
    pad = hmac.digest(key, b"page" + tag, "sha512")
    return bytes(a ^ b for a, b in zip(text[: len(pad)], pad, strict=False))
