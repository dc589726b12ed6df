"""What the use cases need from a store of accounts, API keys and the audit log.

A namespace maps names to small values; a value is changed by comparing and setting it. The audit
log only grows, and is read newest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

ACCOUNTS: Final = "accounts"
KEYS: Final = "keys"


class AccountStore(Protocol):
    """Accounts, keys and audit log. Methods raise ``StoreUnavailable`` without an answer."""

    async def compare_and_set(self, namespace: str, name: str, value: bytes, before: bytes) -> bool:
        """Store *value* under *name* if the value there is *before* (empty: none).

        Return whether *value* is stored there now.
        """
        ...

    async def read(self, namespace: str, names: Sequence[str]) -> list[bytes]:
        """Return the value of each name (empty: none), in one round trip."""
        ...

    async def all(self, namespace: str) -> dict[str, bytes]:
        """Return all names and values of a namespace."""
        ...

    async def append_audit(self, key: str, entry: bytes) -> None:
        """Add an entry to the audit log; *key* orders it, and adds it only once."""
        ...

    async def read_audit(self, before: str, count: int) -> list[tuple[str, bytes]]:
        """Return at most *count* entries with keys smaller than *before*, the greatest first."""
        ...
