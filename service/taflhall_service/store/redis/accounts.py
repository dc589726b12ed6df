"""Accounts, API keys and the audit log, in Redis and in memory.

See :mod:`taflhall_service.app.ports.account_store`. In Redis each namespace is a hash, and the
audit log a sorted set ordered by name, all in one slot of a cluster. Every command is idempotent.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

from taflhall_service.store.redis.batcher import CommandBatcher, Script

ENTRY_KEY_CHARACTERS: Final = 20
"""Number of characters of an entry's key."""

AUDIT: Final = "taflhall:{accounts}:audit"

_SET_IF: Final = files(__package__).joinpath("scripts", "set_if.lua").read_text("utf-8")


class RedisAccountStore:
    """The account store in Redis."""

    def __init__(self, batcher: CommandBatcher) -> None:
        self._batcher = batcher
        self._write = Script(_SET_IF)

    async def compare_and_set(self, namespace: str, name: str, value: bytes, before: bytes) -> bool:
        answer = await self._batcher.run_script(
            self._write, 1, _key(namespace), name, value, before
        )
        return bool(answer[0] == b"OK")

    async def read(self, namespace: str, names: Sequence[str]) -> list[bytes]:
        if not names:
            return []
        found = await self._batcher.send("HMGET", _key(namespace), *names)
        return [value or b"" for value in found]

    async def all(self, namespace: str) -> dict[str, bytes]:
        found = await self._batcher.send("HGETALL", _key(namespace))
        return {name.decode(): value for name, value in zip(found[::2], found[1::2], strict=True)}

    async def append_audit(self, key: str, entry: bytes) -> None:
        await self._batcher.send("ZADD", AUDIT, 0, key.encode() + entry, write=True)

    async def read_audit(self, before: str, count: int) -> list[tuple[str, bytes]]:
        top = f"({before}" if before else "+"
        found = await self._batcher.send("ZREVRANGEBYLEX", AUDIT, top, "-", "LIMIT", 0, count)
        return [
            (entry[:ENTRY_KEY_CHARACTERS].decode(), entry[ENTRY_KEY_CHARACTERS:]) for entry in found
        ]


class MemoryAccountStore:
    """The account store in memory."""

    def __init__(self) -> None:
        self._values: dict[str, dict[str, bytes]] = {}
        self._audit: dict[str, bytes] = {}

    async def compare_and_set(self, namespace: str, name: str, value: bytes, before: bytes) -> bool:
        kept = self._values.setdefault(namespace, {})
        if kept.get(name, b"") not in (before, value):
            return False
        kept[name] = value
        return True

    async def read(self, namespace: str, names: Sequence[str]) -> list[bytes]:
        kept = self._values.get(namespace, {})
        return [kept.get(name, b"") for name in names]

    async def all(self, namespace: str) -> dict[str, bytes]:
        return dict(self._values.get(namespace, {}))

    async def append_audit(self, key: str, entry: bytes) -> None:
        self._audit[key] = entry

    async def read_audit(self, before: str, count: int) -> list[tuple[str, bytes]]:
        keys = sorted((key for key in self._audit if not before or key < before), reverse=True)
        return [(key, self._audit[key]) for key in keys[:count]]


def _key(namespace: str) -> str:
    return f"taflhall:{{accounts}}:{namespace}"
