"""AdminService: what administrators may do, on a port of their own.

Every method first writes an entry to the audit log; see :mod:`taflhall_service.app.matches.admin`.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from taflhall.admin.v1 import admin_service_pb2 as pb
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_service.app.access.accounts import Account, Accounts, ApiKey, Role, key_id_of
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import InvalidPageToken, Malformed
from taflhall_service.app.matches import admin
from taflhall_service.app.matches.admin import AuditLog, page_of, required_reason
from taflhall_service.app.spectating.match_list import MatchFilter, list_matches
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.rpc.messages import STATUSES, Writer
from taflhall_service.rpc.requests import game_named, language_of
from taflhall_wire.field_bytes import each

_STATUS_NAMES = {number: name for name, number in STATUSES.items()}


class AdminService:
    """The methods of the administrators' port."""

    def __init__(self, spectators: Spectators, accounts: Accounts, writer: Writer) -> None:
        self._spectators = spectators
        self._matches = matches = spectators.matches
        self._accounts = accounts
        self._audit = AuditLog(matches.store.accounts, matches.limits, matches.store.now)
        self._writer = writer

    async def CreateAccount(
        self, request: pb.CreateAccountRequest, identity: Identity
    ) -> pb.CreateAccountResponse:
        role = _role(request.role) or Role.PLAYER
        name = self._matches.limits.name("name", request.name)
        await self._trace(identity, "CreateAccount", name, request.justification)
        account = await self._accounts.create(name, role)
        return pb.CreateAccountResponse(account=account_to(account))

    async def ListAccounts(
        self, request: pb.ListAccountsRequest, identity: Identity
    ) -> pb.ListAccountsResponse:
        await self._trace(identity, "ListAccounts", "", "")
        found, size, start = await self._accounts.all(), page_of(request.page_size), 0
        if request.page_token:
            ids = [account.id for account in found]
            if request.page_token not in ids:
                raise InvalidPageToken
            start = ids.index(request.page_token) + 1
        page = found[start : start + size]
        more = len(found) > start + size
        return pb.ListAccountsResponse(
            accounts=[account_to(account) for account in page],
            next_page_token=page[-1].id if more else "",
        )

    async def UpdateAccount(
        self, request: pb.UpdateAccountRequest, identity: Identity
    ) -> pb.UpdateAccountResponse:
        await self._trace(identity, "UpdateAccount", request.account_id, request.justification)
        account = await self._accounts.update(
            request.account_id,
            request.name if request.HasField("name") else None,
            _role(request.role),
            request.disabled if request.HasField("disabled") else None,
        )
        return pb.UpdateAccountResponse(account=account_to(account))

    async def CreateApiKey(
        self, request: pb.CreateApiKeyRequest, identity: Identity
    ) -> pb.CreateApiKeyResponse:
        await self._trace(identity, "CreateApiKey", request.account_id, request.justification)
        key, text = await self._accounts.create_key(request.account_id)
        return pb.CreateApiKeyResponse(key=key_to(key), text=text)

    async def ListApiKeys(
        self, request: pb.ListApiKeysRequest, identity: Identity
    ) -> pb.ListApiKeysResponse:
        await self._trace(identity, "ListApiKeys", request.account_id, "")
        found = await self._accounts.keys(request.account_id)
        return pb.ListApiKeysResponse(keys=[key_to(key) for key in found])

    async def RevokeApiKey(
        self, request: pb.RevokeApiKeyRequest, identity: Identity
    ) -> pb.RevokeApiKeyResponse:
        key_id = key_id_of(request.key_id)
        await self._trace(identity, "RevokeApiKey", key_id, request.justification)
        return pb.RevokeApiKeyResponse(key=key_to(await self._accounts.revoke(key_id)))

    async def ListMatches(
        self, request: pb.ListMatchesRequest, identity: Identity
    ) -> pb.ListMatchesResponse:
        status = _STATUS_NAMES.get(request.status, "")
        if request.status and not status:
            raise Malformed(field="status", expected="a MatchStatus")
        if request.game:
            game_named(request.game)
        language = language_of(request)
        await self._trace(identity, "ListMatches", "", "")
        wanted = MatchFilter(request.game, status)
        page = await list_matches(
            self._spectators, None, wanted, request.page_size, request.page_token
        )
        seen = await admin.views(self._matches, page.matches)
        return pb.ListMatchesResponse(
            matches=[self._match(each, language) for each in seen], next_page_token=page.token
        )

    async def AbandonMatch(
        self, request: pb.AbandonMatchRequest, identity: Identity
    ) -> pb.AbandonMatchResponse:
        language = language_of(request)
        await self._trace(
            identity, "AbandonMatch", request.match_id, required_reason(request.justification)
        )
        seen = await admin.abandon(self._matches, request.match_id)
        return pb.AbandonMatchResponse(match=self._match(seen, language))

    async def FreezeMatch(
        self, request: pb.FreezeMatchRequest, identity: Identity
    ) -> pb.FreezeMatchResponse:
        language = language_of(request)
        await self._trace(
            identity, "FreezeMatch", request.match_id, required_reason(request.justification)
        )
        seen = await admin.freeze(self._matches, request.match_id, request.justification)
        return pb.FreezeMatchResponse(match=self._match(seen, language))

    async def UnfreezeMatch(
        self, request: pb.UnfreezeMatchRequest, identity: Identity
    ) -> pb.UnfreezeMatchResponse:
        language = language_of(request)
        await self._trace(
            identity, "UnfreezeMatch", request.match_id, required_reason(request.justification)
        )
        seen = await admin.unfreeze(self._matches, request.match_id)
        return pb.UnfreezeMatchResponse(match=self._match(seen, language))

    async def RevealMatch(
        self, request: pb.RevealMatchRequest, identity: Identity
    ) -> pb.RevealMatchResponse:
        language = language_of(request)
        await self._trace(
            identity, "RevealMatch", request.match_id, required_reason(request.justification)
        )
        seen = await admin.view(self._matches, request.match_id)
        match = seen.match
        seats = range(len(match.seats))
        decisions = self._writer.decisions(match, seats, True, language)
        answer = pb.RevealMatchResponse(match=self._match(seen, language))
        answer.MergeFromString(each(pb.RevealMatchResponse.DECISIONS_FIELD_NUMBER, decisions))
        if match.table is not None:
            views = filter(None, [self._writer.view(match, seat) for seat in seats])
            answer.MergeFromString(each(pb.RevealMatchResponse.VIEWS_FIELD_NUMBER, views))
            answer.snapshot = json.dumps(dump_table(match.game, match.table))
        return answer

    async def ListDamagedMatches(
        self, request: pb.ListDamagedMatchesRequest, identity: Identity
    ) -> pb.ListDamagedMatchesResponse:
        await self._trace(identity, "ListDamagedMatches", "", "")
        answer = pb.ListDamagedMatchesResponse()
        for match_id, why in sorted((await self._matches.store.damaged()).items()):
            answer.matches.add(match_id=match_id, damage=why.decode("utf-8", "replace"))
        return answer

    async def ListAuditEntries(
        self, request: pb.ListAuditEntriesRequest, identity: Identity
    ) -> pb.ListAuditEntriesResponse:
        await self._trace(identity, "ListAuditEntries", "", "")
        page = await self._audit.read(request.page_size, request.page_token)
        answer = pb.ListAuditEntriesResponse(next_page_token=page.token)
        for entry in page.entries:
            answer.entries.add(
                time=_time(entry.time_ms),
                account_id=entry.account,
                key_id=entry.key,
                action=entry.action,
                target=entry.target,
                justification=entry.reason,
            )
        return answer

    async def _trace(self, identity: Identity, action: str, target: str, reason: str) -> None:
        key = identity.key
        assert key is not None
        await self._audit.write(key.account.id, key.key.id, action, target, reason)

    def _match(self, seen: admin.AdminView, language: str) -> pb.AdminMatch:
        return pb.AdminMatch(
            match=self._writer.match(seen.match, language),
            freeze_justification=seen.frozen,
            creator_account_id=seen.match.origin.creator_account,
        )


def account_to(account: Account) -> pb.Account:
    """Return an account as a message."""
    role: Any = account.role
    return pb.Account(
        id=account.id,
        name=account.name,
        role=role,
        disabled=account.disabled,
        create_time=_time(account.created_ms),
    )


def key_to(key: ApiKey) -> pb.ApiKey:
    """Return a key as a message, without anything of its secret."""
    return pb.ApiKey(
        id=key.id,
        account_id=key.account,
        create_time=_time(key.created_ms),
        revoke_time=_time(key.revoked_ms) if key.revoked_ms else None,
    )


def _role(role: int) -> Role | None:
    if not role:
        return None
    try:
        return Role(role)
    except ValueError:
        raise Malformed(field="role", expected="an AccountRole") from None


def _time(ms: int) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMilliseconds(ms)
    return stamp
