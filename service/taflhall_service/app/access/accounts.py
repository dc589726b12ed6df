"""Accounts and their API keys: a caller's identity across matches.

An API key is ``tfk_<id>_<secret>``; of the secret only its SHA-256 is kept. A key that is in
use is a :class:`ActiveKey`, looked up again twice a second: on every server it stops working
within a second after the key is revoked or the account disabled, and so do the streams that were
opened with it.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from enum import IntEnum
from hashlib import sha256
from typing import Final

import msgspec
import structlog

from taflhall_service.app.errors import (
    AccountNotFound,
    ApiKeyInvalid,
    ApiKeyNotFound,
    Busy,
    Malformed,
)
from taflhall_service.app.model.ids import id_text
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.periodic import end_tasks, run_periodically
from taflhall_service.app.ports.account_store import ACCOUNTS, KEYS, AccountStore

_log = structlog.get_logger("accounts")

PREFIX: Final = "tfk_"
LOOK_SECONDS: Final = 0.4
"""How often the keys in use are looked up again."""

IDLE_SECONDS: Final = 60.0
"""An idle key leaves this cache after this time, until it is used again."""


class Role(IntEnum):
    """Role of an account."""

    PLAYER = 1
    BOT = 2
    """Plays but opens no matches; its seats are shown as those of a program."""
    HOST = 3
    """Opens many matches."""
    ADMIN = 4
    """May do everything on the administrators' port."""


class Account(msgspec.Struct, frozen=True, array_like=True):
    """A caller's lasting identity."""

    id: str
    name: str
    role: int
    disabled: bool
    created_ms: int


class ApiKey(msgspec.Struct, frozen=True, array_like=True):
    """One key of an account."""

    id: str
    account: str
    digest: bytes
    """SHA-256 of the secret."""
    created_ms: int
    revoked_ms: int = 0
    """When it was revoked; 0 if it was not."""


class ActiveKey:
    """A key in use. *alive* turns false once it is revoked or its account disabled."""

    __slots__ = ("account", "alive", "holders", "key", "looked", "used")

    def __init__(self, key: ApiKey, account: Account, now: float) -> None:
        self.key = key
        self.account = account
        self.alive = not key.revoked_ms and not account.disabled
        self.looked = now
        self.used = now
        self.holders = 0
        """Streams that are open with it."""


class Accounts:
    """The accounts of a store, as one server knows them."""

    def __init__(
        self,
        store: AccountStore,
        limits: Limits,
        now: Callable[[], Awaitable[int]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._limits = limits
        self._now = now
        """The time by the store's clock, in milliseconds."""
        self._clock = clock
        """This process's clock, in seconds, for keys in use."""
        self._active_keys: dict[str, ActiveKey] = {}
        self._looker: asyncio.Task[None] | None = None
        self.on_end: list[Callable[[], None]] = []
        """Called when a key that was in use is revoked."""

    # ---------------------------------------------------------------- keys in use

    def knows(self, text: str) -> bool:
        """Return whether an API key of that id is in use; it may still be a wrong one."""
        return key_id_of(text) in self._active_keys

    async def admit(self, text: str) -> ActiveKey:
        """Return an API key in use, or raise ``ApiKeyInvalid``."""
        key_id, _, secret = text.removeprefix(PREFIX).partition("_")
        found = self._active_keys.get(key_id)
        now = self._clock()
        if found is None or now - found.looked > 2 * LOOK_SECONDS:
            found = await self._look_up(key_id)
        if not hmac.compare_digest(found.key.digest, digest_of(secret)) or not found.alive:
            raise ApiKeyInvalid
        found.used = now
        if self._looker is None:
            again = run_periodically(self._look_again, LOOK_SECONDS, _log, jitter=0)
            self._looker = asyncio.create_task(again)
        return found

    async def _look_up(self, key_id: str) -> ActiveKey:
        (raw,) = await self._store.read(KEYS, [key_id[:64]])
        if not raw:
            raise ApiKeyInvalid
        key = _key(raw)
        (account,) = await self._store.read(ACCOUNTS, [key.account])
        if not account:
            raise ApiKeyInvalid
        found = self._active_keys.get(key_id)
        if found is None:
            found = self._active_keys[key_id] = ActiveKey(key, _account(account), self._clock())
        else:
            self._renew(found, raw, account)
        return found

    def _renew(self, found: ActiveKey, key: bytes, account: bytes) -> None:
        if key and account:
            found.key, found.account = _key(key), _account(account)
        was = found.alive
        gone = not key or not account
        found.alive = not (gone or found.key.revoked_ms or found.account.disabled)
        found.looked = self._clock()
        if was and not found.alive:
            for callback in self.on_end:
                callback()

    async def _look_again(self) -> None:
        now = self._clock()
        for key_id, found in list(self._active_keys.items()):
            if not found.holders and now - found.used > IDLE_SECONDS:
                del self._active_keys[key_id]
        active = list(self._active_keys.values())
        if not active:
            return
        keys = await self._store.read(KEYS, [found.key.id for found in active])
        accounts = await self._store.read(ACCOUNTS, [found.key.account for found in active])
        for found, key, account in zip(active, keys, accounts, strict=True):
            try:
                self._renew(found, key, account)
            except Exception as error:
                _log.error("api_key_unreadable", key=found.key.id, kind=type(error).__name__)
                self._renew(found, b"", b"")

    async def stop(self) -> None:
        """End what runs in the background."""
        await end_tasks(self._looker)

    # ---------------------------------------------------------------- keeping accounts

    async def create(self, name: str, role: Role) -> Account:
        """Open an account."""
        self._limits.name("name", name)
        account = Account(new_id(10), name, int(role), False, await self._now())
        await self._write(ACCOUNTS, account.id, account, b"")
        return account

    async def get(self, account_id: str) -> Account:
        """Return an account, or raise ``AccountNotFound``."""
        return _account(await self._raw(account_id))

    async def all(self) -> list[Account]:
        """Return every account, the oldest first."""
        found = [_account(raw) for raw in (await self._store.all(ACCOUNTS)).values()]
        return sorted(found, key=lambda account: (account.created_ms, account.id))

    async def update(
        self, account_id: str, name: str | None, role: Role | None, disabled: bool | None
    ) -> Account:
        """Change an account; fields that are ``None`` keep their values."""
        if name is not None:
            self._limits.name("name", name)
        raw = await self._raw(account_id)
        old = _account(raw)
        account = Account(
            old.id,
            old.name if name is None else name,
            old.role if role is None else int(role),
            old.disabled if disabled is None else disabled,
            old.created_ms,
        )
        await self._write(ACCOUNTS, account.id, account, raw)
        return account

    async def create_key(self, account_id: str) -> tuple[ApiKey, str]:
        """Return a new key of an account and its text, which is not stored."""
        await self._raw(account_id)
        secret = secrets.token_urlsafe(32)
        key = ApiKey(new_id(10), account_id, digest_of(secret), await self._now())
        await self._write(KEYS, key.id, key, b"")
        return key, f"{PREFIX}{key.id}_{secret}"

    async def keys(self, account_id: str) -> list[ApiKey]:
        """Return the keys of an account, the oldest first, with those that were revoked."""
        await self._raw(account_id)
        found = [_key(raw) for raw in (await self._store.all(KEYS)).values()]
        mine = [key for key in found if key.account == account_id]
        return sorted(mine, key=lambda key: (key.created_ms, key.id))

    async def revoke(self, key_id: str) -> ApiKey:
        """Revoke a key permanently, named by its id or its text."""
        key_id = key_id_of(key_id)
        (raw,) = await self._store.read(KEYS, [key_id[:64]])
        if not raw:
            raise ApiKeyNotFound(key_id=key_id[:64])
        old = _key(raw)
        if old.revoked_ms:
            return old
        key = ApiKey(old.id, old.account, old.digest, old.created_ms, await self._now())
        await self._write(KEYS, key.id, key, raw)
        return key

    async def _raw(self, account_id: str) -> bytes:
        if not account_id:
            raise Malformed(field="account_id", expected="an account")
        (raw,) = await self._store.read(ACCOUNTS, [account_id[:64]])
        if not raw:
            raise AccountNotFound(account_id=account_id[:64])
        return raw

    async def _write(
        self, namespace: str, name: str, value: Account | ApiKey, before: bytes
    ) -> None:
        if not await self._store.compare_and_set(namespace, name, _pack(value), before):
            raise Busy


def key_id_of(text: str) -> str:
    """Return the id of a key that is named by its text, ``tfk_<id>_<secret>``, or by its id."""
    return text.removeprefix(PREFIX).partition("_")[0]


def new_id(size: int) -> str:
    """Return *size* random bytes as lower-case letters and digits."""
    return id_text(secrets.token_bytes(size))


def digest_of(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()


_pack: Final = msgspec.msgpack.Encoder().encode
_account: Final = msgspec.msgpack.Decoder(Account).decode
_key: Final = msgspec.msgpack.Decoder(ApiKey).decode
