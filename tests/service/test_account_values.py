"""Accounts and API keys over a store in memory, on clocks that the test moves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import pytest

from taflhall_service.app.access.accounts import IDLE_SECONDS, LOOK_SECONDS, Account, Accounts, Role
from taflhall_service.app.access.credentials import ANONYMOUS, identify
from taflhall_service.app.errors import (
    AccountNotFound,
    ApiKeyInvalid,
    ApiKeyNotFound,
    Busy,
    InvalidName,
    Malformed,
)
from taflhall_service.app.model.limits import Limits
from taflhall_service.store.memory import MemoryStore
from tests.waiting import until


class Office:
    """Accounts, with the store's clock in milliseconds and the server's in seconds."""

    def __init__(self) -> None:
        self.ms = 1000
        self.seconds = 0.0
        self.reads = 0
        self.names: list[str] = []
        """What was last read."""
        self.loses = False
        """Another server always is the first to write."""
        self.store: Any = MemoryStore().accounts
        self.accounts = Accounts(self, Limits(), self._now, lambda: self.seconds)

    async def _now(self) -> int:
        return self.ms

    async def key(self, name: str = "Ann") -> tuple[str, str]:
        """Open an account; return the id and the text of a key of it."""
        account = await self.accounts.create(name, Role.PLAYER)
        key, text = await self.accounts.create_key(account.id)
        return key.id, text

    async def read(self, namespace: str, names: Any) -> Any:
        self.reads += 1
        self.names = list(names)
        return await self.store.read(namespace, names)

    async def all(self, namespace: str) -> Any:
        return await self.store.all(namespace)

    async def compare_and_set(self, *change: Any) -> bool:
        return not self.loses and await self.store.compare_and_set(*change)

    async def append_audit(self, key: str, entry: bytes) -> None:
        raise NotImplementedError

    async def read_audit(self, before: str, count: int) -> list[tuple[str, bytes]]:
        raise NotImplementedError


@asynccontextmanager
async def opened() -> AsyncIterator[Office]:
    office = Office()
    yield office
    await office.accounts.stop()


async def test_an_account_is_kept_as_it_was_opened():
    async with opened() as office:
        account = await office.accounts.create("Ann", Role.HOST)
        assert account == Account(account.id, "Ann", 3, False, 1000)
        assert len(account.id) == 16
        assert await office.accounts.get(account.id) == account


async def test_an_account_changes_in_the_fields_that_are_given():
    async with opened() as office:
        accounts = office.accounts
        old = await accounts.create("Ann", Role.PLAYER)
        renamed = await accounts.update(old.id, "Bob", None, None)
        assert renamed == Account(old.id, "Bob", 1, False, 1000)
        raised = await accounts.update(old.id, None, Role.ADMIN, None)
        assert raised == Account(old.id, "Bob", 4, False, 1000)
        disabled = await accounts.update(old.id, None, None, True)
        assert disabled == Account(old.id, "Bob", 4, True, 1000)
        assert (await accounts.update(old.id, None, None, False)).disabled is False
        assert await accounts.get(old.id) == raised


@pytest.mark.parametrize("name", ["", "two\nlines"])
async def test_a_name_that_cannot_be_shown_is_refused(name):
    async with opened() as office:
        old = await office.accounts.create("Ann", Role.PLAYER)
        for call in (
            office.accounts.create(name, Role.PLAYER),
            office.accounts.update(old.id, name, None, None),
        ):
            with pytest.raises(InvalidName):
                await call
        assert await office.accounts.all() == [old]


async def test_accounts_and_keys_are_listed_the_oldest_first():
    async with opened() as office:
        accounts = office.accounts
        opened_at = [3000, 1000, 2000, 1000, 2000]
        made = []
        for office.ms in opened_at:
            made.append(await accounts.create("Ann", Role.PLAYER))
        expected = sorted(made, key=lambda account: (account.created_ms, account.id))
        assert await accounts.all() == expected
        keys = []
        for office.ms in opened_at:
            keys.append((await accounts.create_key(made[0].id))[0])
            await accounts.create_key(made[1].id)
        assert [key.created_ms for key in keys] == opened_at
        expected_keys = sorted(keys, key=lambda key: (key.created_ms, key.id))
        assert await accounts.keys(made[0].id) == expected_keys
        assert await accounts.keys(made[2].id) == []


async def test_a_key_is_stored_as_a_digest_and_its_text_is_returned_once():
    async with opened() as office:
        account = await office.accounts.create("Ann", Role.PLAYER)
        key, text = await office.accounts.create_key(account.id)
        assert len(key.id) == 16
        assert text.startswith(f"tfk_{key.id}_")
        secret = text.removeprefix(f"tfk_{key.id}_")
        assert len(secret) == 43
        assert key.digest == sha256(secret.encode()).digest()
        assert (key.account, key.created_ms, key.revoked_ms) == (account.id, 1000, 0)


async def test_a_key_is_revoked_once():
    async with opened() as office:
        key_id, text = await office.key()
        office.ms = 2000
        revoked = await office.accounts.revoke(text)
        assert (revoked.id, revoked.created_ms, revoked.revoked_ms) == (key_id, 1000, 2000)
        office.ms = 3000
        assert await office.accounts.revoke(key_id) == revoked
        assert await office.accounts.keys(revoked.account) == [revoked]


async def test_what_does_not_exist_is_named_by_a_short_id():
    async with opened() as office:
        accounts, long = office.accounts, "x" * 65
        for call in (
            accounts.get(long),
            accounts.update(long, None, None, True),
            accounts.create_key(long),
            accounts.keys(long),
        ):
            with pytest.raises(AccountNotFound) as refusal:
                await call
            assert refusal.value.metadata == {"account_id": "x" * 64}
            assert office.names == ["x" * 64]
        with pytest.raises(ApiKeyNotFound) as unknown:
            await accounts.revoke(long)
        assert unknown.value.metadata == {"key_id": "x" * 64}
        assert office.names == ["x" * 64]
        with pytest.raises(ApiKeyInvalid):
            await accounts.admit(f"tfk_{long}_secret")
        assert office.names == ["x" * 64]
        with pytest.raises(Malformed) as malformed:
            await accounts.get("")
        assert malformed.value.metadata["field"] == "account_id"


async def test_the_loser_of_a_race_is_asked_to_try_again():
    async with opened() as office:
        key_id, _ = await office.key()
        (account,) = await office.accounts.all()
        office.loses = True
        for call in (
            office.accounts.create("Bob", Role.PLAYER),
            office.accounts.create_key(account.id),
            office.accounts.update(account.id, "Bob", None, None),
            office.accounts.revoke(key_id),
        ):
            with pytest.raises(Busy):
                await call


async def test_a_key_in_use_is_looked_up_again_when_its_last_look_is_too_old():
    async with opened() as office:
        ended = []
        office.accounts.on_end.append(lambda: ended.append(True))
        _, text = await office.key()
        first = await office.accounts.admit(text)
        office.reads = 0
        office.seconds += 2 * LOOK_SECONDS
        assert await office.accounts.admit(text) is first
        assert office.reads == 0
        office.seconds += 0.5
        assert await office.accounts.admit(text) is first
        assert office.reads == 2
        await office.accounts.admit(text)
        assert office.reads == 2
        assert not ended


async def test_a_key_whose_account_is_gone_is_refused():
    async with opened() as office:
        key_id, text = await office.key()
        (account,) = await office.accounts.all()
        (raw,) = await office.store.read("accounts", [account.id])
        await office.store.compare_and_set("accounts", account.id, b"", raw)
        with pytest.raises(ApiKeyInvalid):
            await office.accounts.admit(text)
        assert not office.accounts.knows(text)
        await office.store.compare_and_set("accounts", account.id, raw, b"")
        found = await office.accounts.admit(text)
        assert office.accounts.knows(text)
        assert office.accounts.knows(key_id)
        assert (found.account, found.key.id, found.holders) == (account, key_id, 0)
        assert found.looked == found.used == 0.0


async def test_a_key_that_is_revoked_while_it_is_in_use_ends_it_once():
    async with opened() as office:
        ended = []
        office.accounts.on_end.append(lambda: ended.append(True))
        _, text = await office.key()
        found = await office.accounts.admit(text)
        await office.accounts.revoke(text)
        for _ in range(2):
            office.seconds += 1.0
            with pytest.raises(ApiKeyInvalid):
                await office.accounts.admit(text)
        assert not found.alive
        assert ended == [True]


async def test_a_key_that_nobody_uses_leaves_the_memory_unless_a_stream_holds_it():
    async with opened() as office:
        _, idle = await office.key()
        _, held = await office.key()
        _, recent = await office.key()
        await office.accounts.admit(recent)
        await office.accounts.admit(idle)
        (await office.accounts.admit(held)).holders = 1
        office.seconds += 1.0
        await office.accounts.admit(recent)
        office.seconds += IDLE_SECONDS
        await until(lambda: not office.accounts.knows(idle))
        assert office.accounts.knows(held)
        assert office.accounts.knows(recent)


@pytest.mark.parametrize("how", ["revoked", "disabled"])
async def test_a_key_that_does_not_hold_is_refused_from_the_start(how):
    async with opened() as office:
        _, text = await office.key()
        (account,) = await office.accounts.all()
        if how == "revoked":
            await office.accounts.revoke(text)
        else:
            await office.accounts.update(account.id, None, None, True)
        with pytest.raises(ApiKeyInvalid):
            await office.accounts.admit(text)


@pytest.mark.parametrize("how", ["revoked", "disabled", "no key", "no account", "damaged"])
async def test_keys_in_use_are_looked_up_in_the_background(how):
    async with opened() as office:
        key_id, text = await office.key()
        other = await office.accounts.admit((await office.key("Bob"))[1])
        found = await office.accounts.admit(text)
        account = found.account.id
        if how == "revoked":
            await office.accounts.revoke(text)
        elif how == "disabled":
            await office.accounts.update(account, None, None, True)
        else:
            namespace, name = ("accounts", account) if how == "no account" else ("keys", key_id)
            (raw,) = await office.store.read(namespace, [name])
            spoilt = b"\xc1" if how == "damaged" else b""
            await office.store.compare_and_set(namespace, name, spoilt, raw)
        await until(lambda: not found.alive)
        assert other.alive


async def test_a_caller_is_identified_by_what_it_sends():
    async with opened() as office:
        key_id, text = await office.key()
        identity = await identify(text, office.accounts)
        assert identity.key is not None
        assert identity.key.key.id == key_id
        assert identity.digest == b""
        assert not identity.proven
        for secret in ("", None):
            assert await identify(secret, office.accounts) is ANONYMOUS
        for accounts in (office.accounts, None):
            assert (await identify("a secret", accounts)).digest == sha256(b"a secret").digest()
        assert (await identify(text, None)).digest == sha256(text.encode()).digest()
        with pytest.raises(ApiKeyInvalid):
            await identify(f"{text}x", office.accounts)
