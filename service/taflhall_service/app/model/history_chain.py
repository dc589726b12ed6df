"""The chain over a match's history, and what is bound to it.

Each entry has a head: an HMAC over the previous head, its revision and its command, keyed with
a secret of the match that never leaves the store, and truncated to 128 bits (RFC 2104, 5).
Setup, random numbers and commands determine a match, so two matches with the same head are the
same. A revision alone does not identify a position, because a store that fails over may reuse its
number. Decision ids and resume tokens are bound to the head, so they fit no other history.
"""

from __future__ import annotations

import hmac
from hashlib import blake2b
from typing import Final

from taflhall_service.app.errors import StoredDataDamaged

HEAD_BYTES: Final = 16
SEAL_BYTES: Final = 16


def first_head(key: bytes, match_id: str) -> bytes:
    """Return the head of a match without commands."""
    return hmac.digest(key, b"start" + match_id.encode(), "sha256")[:HEAD_BYTES]


def next_head(key: bytes, head: bytes, revision: int, command: bytes) -> bytes:
    """Return the head after *command*."""
    place = head + revision.to_bytes(8, "big")
    return hmac.digest(key, place + command, "sha256")[:HEAD_BYTES]


def seal(key: bytes, place: str, payload: bytes) -> bytes:
    """Return *payload* behind a digest that holds only at *place*."""
    return blake2b(place.encode() + payload, digest_size=SEAL_BYTES, key=key).digest() + payload


def unseal(key: bytes, place: str, sealed: bytes) -> bytes:
    """Return the payload, or raise ``StoredDataDamaged`` if it is not what was sealed there."""
    payload = sealed[SEAL_BYTES:]
    if not hmac.compare_digest(seal(key, place, payload), sealed):
        raise StoredDataDamaged
    return payload
