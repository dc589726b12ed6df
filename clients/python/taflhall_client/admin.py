"""The client for administrators: accounts, keys and intervention.

::

    async with Admin("localhost:50052", "tfk_...") as admin:
        account = await admin.create_account("Ann", Role.PLAYER)
        key, text = await admin.create_key(account.account_id)
        await admin.revoke_key(key.key_id, "leaked")

Administrators have a port of their own. What makes something new is not repeated when its
outcome is unknown: list, then decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import IntEnum
from typing import Any, Final, NamedTuple, Self

import grpc

from taflhall.admin.v1 import admin_service_pb2 as pb
from taflhall.admin.v1.admin_service_pb2_grpc import AdminServiceStub
from taflhall_client.channel import connect, metadata
from taflhall_client.error_decoding import from_call
from taflhall_client.results import Status
from taflhall_client.tls import TLS
from taflhall_client.unreachable import explain

PAGE: Final = 100


class Role(IntEnum):
    """Role of an account."""

    PLAYER = pb.ACCOUNT_ROLE_PLAYER
    BOT = pb.ACCOUNT_ROLE_BOT
    HOST = pb.ACCOUNT_ROLE_HOST
    ADMIN = pb.ACCOUNT_ROLE_ADMIN


class Account(NamedTuple):
    """A player, program or operator with keys."""

    account_id: str
    name: str
    role: Role
    disabled: bool
    created: datetime


class Key(NamedTuple):
    """A key of an account, without its secret."""

    key_id: str
    account_id: str
    created: datetime
    revoked: datetime | None


class AdminMatch(NamedTuple):
    """A match as administrators see it."""

    match_id: str
    game: str
    status: Status
    revision: int
    title: str
    names: list[str]
    accounts: list[str]
    creator_account: str
    frozen: str
    """Justification it is frozen; empty if it is not."""


class RevealedTable(NamedTuple):
    """All of a table."""

    match: AdminMatch
    snapshot: str
    """The table as JSON, hidden parts and all."""


class AuditEntry(NamedTuple):
    """One entry of the audit."""

    time: datetime
    account_id: str
    key_id: str
    action: str
    target: str
    justification: str


class Admin:
    """A connection to the administrators' port, with the key of an administrator."""

    def __init__(
        self, address: str, key: str, *, tls: TLS | None = None, deadline: float = 10.0
    ) -> None:
        self._address = address
        self._secure = tls is not None
        self._deadline = deadline
        self._key = key
        self._channel = connect(address, None if tls is None else tls.credentials())
        self.stub: Final = AdminServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def create_account(
        self, name: str, role: Role = Role.PLAYER, justification: str = ""
    ) -> Account:
        """Open an account."""
        request = pb.CreateAccountRequest(name=name, role=_role(role), justification=justification)
        return _account((await self._call(self.stub.CreateAccount, request)).account)

    async def accounts(self) -> list[Account]:
        """Return all accounts, the oldest first."""
        found: list[Account] = []
        token = ""
        while True:
            request = pb.ListAccountsRequest(page_size=PAGE, page_token=token)
            page = await self._call(self.stub.ListAccounts, request)
            found += [_account(account) for account in page.accounts]
            token = page.next_page_token
            if not token:
                return found

    async def update_account(
        self,
        account_id: str,
        *,
        name: str | None = None,
        role: Role | None = None,
        disabled: bool | None = None,
        justification: str = "",
    ) -> Account:
        """Change an account; fields that are ``None`` keep their values."""
        request = pb.UpdateAccountRequest(
            account_id=account_id,
            name=name,
            role=pb.ACCOUNT_ROLE_UNSPECIFIED if role is None else _role(role),
            disabled=disabled,
            justification=justification,
        )
        return _account((await self._call(self.stub.UpdateAccount, request)).account)

    async def create_key(self, account_id: str, justification: str = "") -> tuple[Key, str]:
        """Return a new key of an account and its text, which is shown this once."""
        request = pb.CreateApiKeyRequest(account_id=account_id, justification=justification)
        reply = await self._call(self.stub.CreateApiKey, request)
        return _key(reply.key), reply.text

    async def keys(self, account_id: str) -> list[Key]:
        """Return the keys of an account, also those revoked."""
        request = pb.ListApiKeysRequest(account_id=account_id)
        return [_key(key) for key in (await self._call(self.stub.ListApiKeys, request)).keys]

    async def revoke_key(self, key_id: str, justification: str = "") -> Key:
        """Revoke a key."""
        request = pb.RevokeApiKeyRequest(key_id=key_id, justification=justification)
        return _key((await self._call(self.stub.RevokeApiKey, request)).key)

    async def matches(
        self, game: str = "", status: Status = Status.UNKNOWN, limit: int = 50
    ) -> list[AdminMatch]:
        """Return the newest matches, at most *limit*."""
        found: list[AdminMatch] = []
        token = ""
        while len(found) < limit:
            request = pb.ListMatchesRequest(
                game=game,
                status=status.value,  # type: ignore[arg-type]
                page_size=min(PAGE, limit - len(found)),
                page_token=token,
            )
            page = await self._call(self.stub.ListMatches, request)
            found += [_match(match) for match in page.matches]
            token = page.next_page_token
            if not token:
                break
        return found

    async def freeze(self, match_id: str, justification: str) -> AdminMatch:
        """Freeze a match: it cannot be changed until it is unfrozen."""
        request = pb.FreezeMatchRequest(match_id=match_id, justification=justification)
        return _match((await self._call(self.stub.FreezeMatch, request)).match)

    async def unfreeze(self, match_id: str, justification: str) -> AdminMatch:
        """Resume a frozen match."""
        request = pb.UnfreezeMatchRequest(match_id=match_id, justification=justification)
        return _match((await self._call(self.stub.UnfreezeMatch, request)).match)

    async def abandon(self, match_id: str, justification: str) -> AdminMatch:
        """End a match without a result."""
        request = pb.AbandonMatchRequest(match_id=match_id, justification=justification)
        return _match((await self._call(self.stub.AbandonMatch, request)).match)

    async def reveal(self, match_id: str, justification: str) -> RevealedTable:
        """Return the whole table of a match, hidden parts included."""
        request = pb.RevealMatchRequest(match_id=match_id, justification=justification)
        reply = await self._call(self.stub.RevealMatch, request)
        return RevealedTable(_match(reply.match), reply.snapshot)

    async def damaged(self) -> dict[str, str]:
        """Return the matches that a server froze because they are damaged: what of each."""
        reply = await self._call(self.stub.ListDamagedMatches, pb.ListDamagedMatchesRequest())
        return {match.match_id: match.damage for match in reply.matches}

    async def audit(self, limit: int = 100) -> list[AuditEntry]:
        """Return what administrators did, newest first."""
        found: list[AuditEntry] = []
        token = ""
        while len(found) < limit:
            request = pb.ListAuditEntriesRequest(
                page_size=min(PAGE, limit - len(found)), page_token=token
            )
            page = await self._call(self.stub.ListAuditEntries, request)
            found += list(_entries(page.entries))
            token = page.next_page_token
            if not token:
                break
        return found

    async def _call(self, method: Any, request: Any) -> Any:
        try:
            proof = metadata(self._key)
            return await method(request, timeout=self._deadline, metadata=proof)
        except grpc.aio.AioRpcError as error:
            raise await explain(self._address, self._secure, from_call(error)) from None


def _role(role: Role) -> pb.AccountRole.ValueType:
    return pb.AccountRole.ValueType(role)


def _account(message: pb.Account) -> Account:
    created = message.create_time.ToDatetime()
    return Account(message.id, message.name, Role(message.role), message.disabled, created)


def _key(message: pb.ApiKey) -> Key:
    revoked = message.revoke_time.ToDatetime() if message.HasField("revoke_time") else None
    return Key(message.id, message.account_id, message.create_time.ToDatetime(), revoked)


def _match(message: pb.AdminMatch) -> AdminMatch:
    match = message.match
    return AdminMatch(
        match.id,
        match.game,
        Status(match.status),
        match.revision,
        match.title,
        [seat.name for seat in match.seats],
        [seat.account_id for seat in match.seats],
        message.creator_account_id,
        message.freeze_justification,
    )


def _entries(entries: Iterable[pb.AuditEntry]) -> Iterable[AuditEntry]:
    for entry in entries:
        when = entry.time.ToDatetime()
        yield AuditEntry(
            when, entry.account_id, entry.key_id, entry.action, entry.target, entry.justification
        )
