"""The chain over a match's history, and what is bound to it.

Each entry has a head: an HMAC over the previous head, its revision and its command, keyed with
a secret of the match that never leaves the store. Setup, random numbers and commands determine
a match, so two matches with the same head are the same. A revision alone does not identify a
position, because a store that fails over may reuse its number. Decision ids and resume tokens are
bound to the head, so they fit no other history.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Final

from taflhall_service.app.errors import StoredDataDamaged

SEAL_BYTES: Final = 16

_BLOCK_BYTES: Final = 64
_INNER: Final = bytes([byte ^ 0x36 for byte in range(256)])
_OUTER: Final = bytes([byte ^ 0x5C for byte in range(256)])


def first_head(key: bytes, match_id: str) -> bytes:
    """Return the head of a match without commands."""
    return _hmac_sha256(key, b"start" + match_id.encode())


def next_head(key: bytes, head: bytes, revision: int, command: bytes) -> bytes:
    """Return the head after *command*."""
    return _hmac_sha256(key, head + revision.to_bytes(8, "big") + command)


def _hmac_sha256(key: bytes, data: bytes) -> bytes:
    """Return what ``hmac.digest`` does, which takes three times as long for a few bytes."""
    inner, outer = _pads(key)
    return sha256(outer + sha256(inner + data).digest()).digest()


@lru_cache(maxsize=4096)
def _pads(key: bytes) -> tuple[bytes, bytes]:
    """Return *key*, of at most a block, as both hashes of an HMAC begin with it."""
    block = key.ljust(_BLOCK_BYTES, b"\0")
    return block.translate(_INNER), block.translate(_OUTER)


def seal(key: bytes, place: str, payload: bytes) -> bytes:
    """Return *payload* behind a digest that holds only at *place*."""
    return blake2b(place.encode() + payload, digest_size=SEAL_BYTES, key=key).digest() + payload


def unseal(key: bytes, place: str, sealed: bytes) -> bytes:
    """Return the payload, or raise ``StoredDataDamaged`` if it is not what was sealed there."""
    payload = sealed[SEAL_BYTES:]
    if not hmac.compare_digest(seal(key, place, payload), sealed):
        raise StoredDataDamaged
    return payload
