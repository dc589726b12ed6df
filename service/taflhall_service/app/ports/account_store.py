"""What a store keeps beside matches: accounts, keys, and what administrators did.

A book holds small values under names; a value is changed only by who knows what it was. The
audit is a list that grows, newest first when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

ACCOUNTS: Final = "accounts"
KEYS: Final = "keys"


class AccountStore(Protocol):
    """The books of a store. Every method raises ``StoreUnavailable`` if it does not answer."""

    async def compare_and_set(self, book: str, name: str, value: bytes, before: bytes) -> bool:
        """Keep *value* under *name* if *before* is kept there (empty: nothing).

        Return whether *value* is kept there now.
        """
        ...

    async def read(self, book: str, names: Sequence[str]) -> list[bytes]:
        """Return what is kept under each name, empty if nothing is, in one round trip."""
        ...

    async def all(self, book: str) -> dict[str, bytes]:
        """Return everything that is kept in a book."""
        ...

    async def append_audit(self, key: str, entry: bytes) -> None:
        """Add an entry to the audit; *mark* orders it and names it, so that it comes once."""
        ...

    async def read_audit(self, before: str, count: int) -> list[tuple[str, bytes]]:
        """Return at most *count* entries with marks smaller than *before*, greatest first."""
        ...
