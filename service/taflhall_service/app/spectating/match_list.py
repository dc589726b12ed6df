"""The list of matches: which of them a filter lets through, page by page.

The narrowest index that the filter allows is read; everything else is checked on each match as
the caller may see it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import account_of, caller_or_spectator
from taflhall_service.app.matches.indexes import (
    INDEXED_WORDS,
    created_scope,
    drop_if_gone,
    index_of,
    invited_scope,
    label_scope,
    seated_scope,
    word_scope,
    words_of,
)
from taflhall_service.app.model.codec import index_key_of, match_of
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.model.tokens import page_token, read_page_token
from taflhall_service.app.spectating.queries import page_size
from taflhall_service.app.spectating.spectators import Spectators

MAX_SCANNED: Final = 200
"""Largest number of matches examined for one page of a list."""

ME: Final = "me"
"""The caller's account in a filter."""


class MatchFilter(NamedTuple):
    """Which matches are wanted; an empty field lets all through."""

    game: str = ""
    status: str = ""
    account: str = ""
    """An account that holds a seat."""
    creator: str = ""
    """The account that created it."""
    free_seat: bool = False
    to_decide: bool = False
    """A decision is pending for a seat that *account* answers for."""
    invited: bool = False
    """A seat is reserved for *account*, which holds none."""
    labels: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    """Words that the title has, as :func:`~.indexes.words_of` returns them."""
    oldest_first: bool = False

    @property
    def narrowest_index(self) -> str:
        """The index with the fewest matches that need not be let through."""
        scope = ""
        if self.words:
            scope = word_scope(max(self.words, key=len))
        if self.labels:
            scope = label_scope(*self.labels[0])
        if self.creator:
            scope = created_scope(self.creator)
        if self.account:
            scope = (invited_scope if self.invited else seated_scope)(self.account)
        return index_of(self.game, self.status, scope)

    def lets_through(self, match: Match) -> bool:
        """Return whether *match*, as the caller may see it, is wanted."""
        origin = match.origin
        return (
            match.listed
            and self.game in ("", match.game.id)
            and self.status in ("", match.status)
            and self.creator in ("", origin.creator_account)
            and set(self.labels) <= set(origin.listing.labels)
            and set(self.words) <= set(words_of(origin.title)[:INDEXED_WORDS])
            and self._seats_fit(match)
        )

    def _seats_fit(self, match: Match) -> bool:
        seats = match.seats
        if self.free_seat and not any(seat.free_for("") for seat in seats):
            return False
        if not self.account:
            return True
        if self.invited:
            return any(seat.invited == self.account for seat in seats)
        own = [number for number, seat in enumerate(seats) if seat.account == self.account]
        if self.to_decide:
            own = [n for n in own if seats[n].deputy is None and n in match.pending]
        return bool(own)


def resolve_account(identity: Identity, account: str) -> str:
    """Return the account that a filter names, or raise ``AccountRequired``."""
    return account_of(identity).id if account == ME else account


class MatchPage(NamedTuple):
    """Some matches, and the token of the next page (empty if this is the last)."""

    matches: list[Match]
    token: str
    examined: int
    """Number of matches that were read for this page."""


async def list_matches(
    spectators: Spectators,
    identity: Identity | None,
    wanted: MatchFilter,
    size: int,
    token: str,
) -> MatchPage:
    """Return matches as the caller may see them; to ``None`` all as they are.

    A page may be short while many are passed over.
    """
    size = page_size(size)
    store, key = spectators.matches.store, spectators.matches.server_key
    listing = f"matches/{tuple(wanted)!r}"
    last = read_page_token(key, token, listing) if token else ""
    found: list[Match] = []
    examined, index = 0, wanted.narrowest_index
    for _ in range(MAX_SCANNED // size):
        keys = await store.index_page(last, size, index, ascending=wanted.oldest_first)
        for last in keys:
            examined += 1
            match = await seen_in_list(spectators, identity, last, index)
            if match is not None and wanted.lets_through(match):
                found.append(match)
                if len(found) == size:
                    return MatchPage(found, page_token(key, last, listing), examined)
        if len(keys) < size:
            return MatchPage(found, "", examined)
    return MatchPage(found, page_token(key, last, listing), examined)


async def seen_in_list(
    spectators: Spectators, identity: Identity | None, index_key: str, index: str = ""
) -> Match | None:
    """Return a match of a list as the caller may see it, ``None`` if not at all.

    An *index* that names a match which is gone is mended. An entry with another time than that of
    the creation is left by a server that died as it found the match created before.
    """
    matches = spectators.matches
    try:
        if identity is None:
            match = await matches.current(match_of(index_key))
        else:
            match = await spectators.seen_by(identity, match_of(index_key))
        if index_key_of(match.origin) != index_key:
            return None
        return match if identity is None else await _as_seen(spectators, identity, match)
    except errors.MatchNotFound:
        if index:
            await drop_if_gone(matches.store, index_key, index, (await matches.now()).ms)
    except (
        errors.Malformed,
        errors.RulesTooNew,
        errors.SpectatorsNotAllowed,
        errors.StoredDataDamaged,
    ):
        pass
    return None


async def _as_seen(spectators: Spectators, identity: Identity, match: Match) -> Match | None:
    public = match.origin.spectators.policy == SpectatorPolicy.PUBLIC
    if public and not match.origin.listing.unlisted:
        return match
    caller = caller_or_spectator(identity, match)
    if match.origin.listing.unlisted and caller.is_spectator:
        return None
    return await spectators.see(match, caller)
