"""Find a match: sit down at an open one that fits, or open one; one seat for one request.

A request claims the match that it is going to join before it does, so that a repeated request,
here or on another server, goes to the same one. If it cannot sit down there, another match is
claimed in its place.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel.game import Game
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, derive_secret, digest_text
from taflhall_service.app.access.permissions import Caller, caller_or_spectator
from taflhall_service.app.matches.abandon import AbandonIdle, abandon
from taflhall_service.app.matches.create import CreateMatch, create, labels_of
from taflhall_service.app.matches.indexes import (
    candidates_index,
    drop_if_gone,
    index_of,
    invited_scope,
)
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.seats import PERSON, is_named, most_changes
from taflhall_service.app.matches.transaction import Change, act
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Moment, TimeControl
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.spectator_policy import PUBLIC_SPECTATORS, SpectatorSettings
from taflhall_service.app.ports.match_store import FINGERPRINT_BYTES

MAX_SCANNED: Final = 200
"""Matches of the kind that are looked at, the oldest first, before one is opened."""

MAX_TRIED: Final = 16
"""Matches that are tried before the caller is asked to come back."""

KEEP_MS: Final = 24 * 3600 * 1000
"""How long a request is remembered."""

_NOT_SEATED: Final = (
    errors.AlreadyStarted,
    errors.InvitationRequired,
    errors.MatchOver,
    errors.MatchTooLong,
    errors.NameTaken,
    errors.NoFreeSeat,
)
"""Reasons for which the caller cannot join a match that was found."""


@dataclass(frozen=True, slots=True)
class FindMatch:
    """A request for a seat at any match of a kind."""

    identity: Identity
    game: Game
    setup: Any
    name: str
    kind: int
    request_id: str
    fingerprint: bytes
    time_control: TimeControl | None = None
    spectators: SpectatorSettings = PUBLIC_SPECTATORS
    labels: Mapping[str, str] = field(default_factory=dict)

    def fits(self, match: Match, labels: tuple[tuple[str, str], ...]) -> bool:
        """Return whether the caller may sit down at *match*, and wants to."""
        origin, account = match.origin, self.identity.account
        own = "" if account is None else account.id
        return (
            match.status == OPEN
            and origin.start_when_full
            and not (origin.listing.unlisted or origin.listing.invitation_required)
            and match.setup == self.setup
            and origin.clock == self.time_control
            and origin.spectators == self.spectators
            and origin.listing.labels == labels
            and any(seat.free_for(own) for seat in match.seats)
            and not is_named(match, self.name)
            and not is_seated(match, own)
        )


def is_seated(match: Match, account: str) -> bool:
    """Return whether *account* (empty: none) holds a seat of *match*."""
    return bool(account) and any(seat.account == account for seat in match.seats)


class FoundMatch(NamedTuple):
    """The seat that a request has found."""

    match_id: str
    match: Match | None
    """The match afterwards; ``None`` if this is the first answer again."""
    seat: int
    secret: str


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """A request to sit down at the match that was found; an empty outcome: it is impossible.

    That is remembered: the same request, delayed, must not sit down there later.
    """

    joining: JoinMatch

    @property
    def request_id(self) -> str:
        return self.joining.request_id

    @property
    def fingerprint(self) -> bytes:
        return self.joining.fingerprint

    def authorize(self, match: Match) -> Caller:
        """Return the caller unchecked: a secret of another match means nothing here."""
        return caller_or_spectator(self.joining.identity, match)

    def key(self, match: Match, caller: Caller) -> str:
        return f"find:{digest_text(self.joining.proof)}"

    def prepare(self, match: Match, caller: Caller, now: Moment) -> Change:
        if not is_seated(match, self.joining.account):
            with suppress(*_NOT_SEATED):
                return self.joining.prepare(match, caller, now)
        return Change(match, {}, outcome=codec.encode([]), answered=True)


async def find(matches: Matches, request: FindMatch) -> FoundMatch:
    """Take a seat at a match that fits; with a request id a second call finds the first's."""
    limits, identity = matches.limits, request.identity
    limits.name("name", request.name)
    limits.retry_key(request.request_id)
    labels = labels_of(limits, request.labels)
    kind = request.kind or PERSON
    proof = identity.proof(request.request_id) or secrets.token_hex(16)
    joining = JoinMatch(
        identity,
        (),
        request.name,
        kind,
        request.request_id,
        request.fingerprint,
        f"find/{proof}",
        limits.match_changes,
    )
    return await matches.shield(_Search(matches, request, labels, joining).run())


class _Search:
    """The search of one request."""

    def __init__(
        self,
        matches: Matches,
        request: FindMatch,
        labels: tuple[tuple[str, str], ...],
        joining: JoinMatch,
    ) -> None:
        self._matches = matches
        self._request = request
        self._labels = labels
        self._joining = joining
        self._claim = digest_text(joining.proof)
        self._refused: set[str] = set()

    async def run(self) -> FoundMatch:
        """Claim one match after another until the caller has joined one."""
        claimed = await self._matches.store.claimed(self._claim)
        for number in range(MAX_TRIED):
            if not claimed or self._match_of(claimed) in self._refused:
                claimed = await self._claim_next(claimed, number)
            match_id = self._match_of(claimed)
            found = await self._sit_down(match_id)
            if found is not None:
                return found
            self._refused.add(match_id)
        raise errors.Busy

    def _match_of(self, claimed: bytes) -> str:
        if claimed[:FINGERPRINT_BYTES] != self._request.fingerprint:
            raise errors.RequestIdReused(request_id=self._request.request_id)
        return claimed[FINGERPRINT_BYTES:].decode()

    async def _claim_next(self, before: bytes, number: int) -> bytes:
        """Claim the oldest match that fits, or a new one; return what is claimed now."""
        opened: Match | None = None
        chosen = await self._oldest()
        if chosen is None:
            opened = await self._open(number)
            chosen = await self._oldest() or opened.id  # somebody else may have opened one too
        value = self._request.fingerprint + chosen.encode()
        claimed = await self._matches.store.claim(self._claim, value, before, KEEP_MS)
        unused = opened is not None and not opened.version.change_id
        if opened is not None and unused and self._match_of(claimed) != opened.id:
            await abandon(self._matches, opened.id, AbandonIdle(opened.version))
        return claimed

    async def _oldest(self) -> str | None:
        """Return the match that fits and has waited longest."""
        request, account, store = self._request, self._joining.account, self._matches.store
        kind = (request.game.id, request.setup, request.time_control, request.spectators)
        index = candidates_index(*kind, self._labels)
        index_keys = set(await store.index_page("", MAX_SCANNED, index, ascending=True))
        if account:
            reserved = index_of(request.game.id, OPEN, invited_scope(account))
            index_keys.update(await store.index_page("", MAX_SCANNED, reserved, ascending=True))
        for index_key in sorted(index_keys):
            match_id = match_of(index_key)
            if match_id in self._refused:
                continue
            try:
                match = await self._matches.current(match_id)
            except errors.StoreUnavailable:
                raise
            except errors.MatchNotFound:
                await drop_if_gone(store, index_key, index, (await self._matches.now()).ms)
                continue
            except errors.Refused:
                continue
            if match.status != OPEN:
                await store.index_remove(index_key, index)  # no match is open again
                continue
            left = match.version.change_count < most_changes(match, self._joining.max_changes)
            if left and self._request.fits(match, self._labels):
                (frozen,) = await self._matches.store.frozen([match_id])
                if not frozen:
                    return match_id
        return None

    async def _open(self, number: int) -> Match:
        request = self._request
        created = await create(
            self._matches,
            CreateMatch(
                request.identity,
                request.game,
                request.setup,
                "",
                True,
                f"{self._claim[:32]}-{number}",
                request.fingerprint,
                request.time_control,
                request.spectators,
                request.labels,
                matchmade=True,
            ),
        )
        return created.match

    async def _sit_down(self, match_id: str) -> FoundMatch | None:
        """Sit down at a match; return ``None`` if it can never be joined."""
        try:
            done = await act(self._matches, match_id, TakeSeat(self._joining))
        except errors.MatchNotFound:
            return None
        taken = codec.decode_plain(done.outcome)
        if not taken:
            return None
        match = done.match or await self._matches.current(match_id)
        secret = derive_secret(match.origin.chain, "join", self._joining.proof)
        return FoundMatch(match_id, done.match, taken[0], secret)
