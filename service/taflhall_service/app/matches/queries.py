"""Read matches: one as its caller may see it, or a page of the list."""

from __future__ import annotations

from typing import NamedTuple

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import (
    Caller,
    authorize,
    caller_or_spectator,
)
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.codec import match_of
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import (
    SpectatorPolicy,
)
from taflhall_service.app.model.tokens import page_token, read_page_token

SCANNED = 500
"""Matches that one page of a list looks at, at the most."""


class Looked(NamedTuple):
    """A match as it may be seen, and who looks at it from where."""

    match: Match
    caller: Caller
    seat: int
    holder: int
    """Whose tokens the caller gets."""


async def get(matches: Matches, match_id: str, identity: Identity, seat: int | None) -> Looked:
    """Return a match as the caller may see it now."""
    match = await matches.seen_by(identity, match_id)
    caller = authorize("MatchService.GetMatch", identity, match)
    seat, spectators = caller.seat(match, seat), matches.spectators
    holder = spectators.token_owner(match, caller, seat)
    return Looked(await spectators.see(match, caller), caller, seat, holder)


class Page(NamedTuple):
    """Some matches, and the mark after which the list goes on (empty: it does not)."""

    matches: list[Match]
    token: str


async def listed(
    matches: Matches, identity: Identity | None, game: str, status: str, size: int, token: str
) -> Page:
    """Return matches as the caller may see them, newest first; to ``None`` all as they are.

    A page may be short while many are passed over.
    """
    if not 0 <= size <= 100:
        raise errors.Malformed(field="page_size", expected="0 to 100")
    key = matches.server_key
    mark = read_page_token(key, token) if token else ""
    size = size or 50
    found: list[Match] = []
    for _ in range(SCANNED // size):
        marks = await matches.store.index_page(mark, size)
        for mark in marks:
            match = await _readable(matches, identity, match_of(mark))
            if match is None or game not in ("", match.game.id):
                continue
            match = await _seen(matches, identity, match)
            if match is not None and match.listed and status in ("", match.status):
                found.append(match)
                if len(found) == size:
                    return Page(found, page_token(key, mark))
        if len(marks) < size:
            return Page(found, "")
    return Page(found, page_token(key, mark))


async def _readable(matches: Matches, identity: Identity | None, match_id: str) -> Match | None:
    try:
        if identity is None:
            return await matches.current(match_id)
        return await matches.seen_by(identity, match_id)
    except (errors.Malformed, errors.MatchNotFound, errors.RulesTooNew, errors.StoredDataDamaged):
        return None


async def _seen(matches: Matches, identity: Identity | None, match: Match) -> Match | None:
    """Return *match* as the caller may see it, ``None`` if not at all."""
    if identity is None or match.origin.spectators.policy == SpectatorPolicy.PUBLIC:
        return match
    try:
        return await matches.spectators.see(match, caller_or_spectator(identity, match))
    except (errors.SpectatorsNotAllowed, errors.StoredDataDamaged):
        return None
