"""The text form of ids: lower-case letters and digits."""

from __future__ import annotations

import hmac
from base64 import b32encode
from typing import Final

DERIVED_BYTES: Final = 16
"""Bytes of an id that nobody can guess."""


def id_text(raw: bytes) -> str:
    """Return *raw* as an id."""
    return b32encode(raw).decode().rstrip("=").lower()


def derived_id(server_key: bytes, kind: str, proof: str) -> str:
    """Return the id of what is created with the proof of a request id, always the same one.

    Things of another *kind* have another id.
    """
    return id_text(hmac.digest(server_key, f"{kind}{proof}".encode(), "sha256")[:DERIVED_BYTES])
