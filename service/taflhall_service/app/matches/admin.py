"""Administrators' actions: freeze and read matches, with an audit entry for each action.

The audit entry is written before the action is taken, so that no action goes unrecorded; an
entry states what the administrator was about to do.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from taflhall_service.app.access.permissions import Action, require_status
from taflhall_service.app.errors import (
    Busy,
    InvalidPageToken,
    Malformed,
    MatchFrozen,
    StoredDataDamaged,
)
from taflhall_service.app.matches.abandon import AbandonIdle
from taflhall_service.app.matches.abandon import abandon as abandon_match
from taflhall_service.app.matches.freeze import SetFrozen
from taflhall_service.app.matches.history import changed_at
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.transaction import MAX_ATTEMPTS, act
from taflhall_service.app.model.limits import Limits, without_secrets
from taflhall_service.app.model.match import Match
from taflhall_service.app.ports.account_store import AccountStore
from taflhall_service.app.ports.match_store import ADMIN_PREFIX

REASON_CHARACTERS: Final = 200
"""The longest reason that an administrator may give."""


class AuditEntry(msgspec.Struct, frozen=True, array_like=True):
    """One action of an administrator in the audit log."""

    time_ms: int
    account: str
    """The administrator's account; empty for the command-line tool."""
    key: str
    action: str
    target: str
    reason: str


class AdminView(NamedTuple):
    """A match as administrators see it, with why it is frozen."""

    match: Match
    frozen: str


class AuditPage(NamedTuple):
    """Some audit entries, and the token of the next page."""

    entries: list[AuditEntry]
    token: str


class AuditLog:
    """The log of what administrators do."""

    def __init__(
        self, store: AccountStore, limits: Limits, now: Callable[[], Awaitable[int]]
    ) -> None:
        self._store = store
        self._limits = limits
        self._now = now
        """The time by the store's clock, in milliseconds."""
        self._count = 0

    async def write(self, account: str, key: str, action: str, target: str, reason: str) -> None:
        """Write an audit entry; raise ``InvalidName`` if *reason* is not one line of text."""
        self._limits.name("justification", reason, 0, REASON_CHARACTERS)
        now = await self._now()
        target = printable(without_secrets(target))
        entry = AuditEntry(now, account, key, action, target, reason)
        self._count = (self._count + 1) % 0x10000  # the order within a millisecond
        key = f"{now:012x}{self._count:04x}{secrets.token_hex(2)}"
        await self._store.append_audit(key, _pack(entry))

    async def read(self, size: int, token: str) -> AuditPage:
        """Return what was done, newest first."""
        size = page_of(size)
        if token and not (len(token) == 20 and set(token) <= set("0123456789abcdef")):
            raise InvalidPageToken
        found = await self._store.read_audit(token, size)
        last = found[-1][0] if len(found) == size else ""
        return AuditPage([_entry(entry) for _, entry in found], last)


async def freeze(matches: Matches, match_id: str, reason: str) -> AdminView:
    """Freeze a match: no caller can change it, and its clocks are paused."""
    return await _froze(matches, match_id, ADMIN_PREFIX + reason.encode())


async def unfreeze(matches: Matches, match_id: str) -> AdminView:
    """Unfreeze a match that :func:`freeze` stopped; its clocks resume as after every pause."""
    return await _froze(matches, match_id, b"")


async def abandon(matches: Matches, match_id: str) -> AdminView:
    """End a match without a result; raise ``MatchOver`` if it has ended already."""
    match = await matches.current(match_id)
    require_status(Action.ADMIN_ABANDON_MATCH, match)
    for _ in range(MAX_ATTEMPTS):
        match = await abandon_match(matches, match_id, AbandonIdle(match.version))
        if match.over:
            return await view(matches, match_id)
    raise Busy


async def view(matches: Matches, match_id: str) -> AdminView:
    """Return a match as administrators see it."""
    return (await views(matches, [await matches.current(match_id)]))[0]


async def views(matches: Matches, found: Sequence[Match]) -> list[AdminView]:
    """Return matches as administrators see them."""
    reasons = await matches.store.frozen([match.id for match in found])
    return [
        AdminView(match, reason.removeprefix(ADMIN_PREFIX).decode("utf-8", "replace"))
        for match, reason in zip(found, reasons, strict=True)
    ]


def required_reason(reason: str) -> str:
    """Return *reason*, or raise ``Malformed`` if it is empty."""
    if not reason.strip():
        raise Malformed(field="justification", expected="why you do this")
    return reason


MAX_PAGE: Final = 1000
"""Entries of one page; a greater page size means this one."""


def page_of(size: int) -> int:
    """Return how many a page holds."""
    if size < 0:
        raise Malformed(field="page_size", expected="0 or more")
    return min(size, MAX_PAGE) or 100


def printable(text: str) -> str:
    """Return *text* from outside as it may be stored: short, and only printable characters."""
    return "".join(c if c.isprintable() else "?" for c in text[:64])


async def _froze(matches: Matches, match_id: str, reason: bytes) -> AdminView:
    for _ in range(MAX_ATTEMPTS):
        match = await matches.fresh(match_id)
        found = await matches.store.load(match_id)
        if found is None or found.version != match.version:
            continue
        was, held = found.frozen, match.clocks is not None and match.clocks.frozen
        if was == reason and (was or not held):
            return AdminView(match, reason.removeprefix(ADMIN_PREFIX).decode())
        if was and not was.startswith(ADMIN_PREFIX):
            raise StoredDataDamaged(match_id=match_id)
        since = 0 if reason else await changed_at(matches.store, found, match)
        with suppress(MatchFrozen):  # another administrator has frozen or unfrozen it meanwhile
            done = await act(matches, match_id, SetFrozen(was, reason, since))
            match = done.match or await matches.current(match_id)
            return AdminView(match, reason.removeprefix(ADMIN_PREFIX).decode())
    raise Busy


_pack: Final = msgspec.msgpack.Encoder().encode
_entry: Final = msgspec.msgpack.Decoder(AuditEntry).decode
