"""Read matches as callers may see them: one, its record, its past, its history, a list."""

from __future__ import annotations

from typing import Final, NamedTuple

from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import (
    Action,
    Caller,
    authorize,
    require_status,
)
from taflhall_service.app.matches.history import MatchRecord, record_of
from taflhall_service.app.matches.past import PastMatch, entries_between, match_at, yield_to_others
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Entry
from taflhall_service.app.model.tokens import page_token, read_page_token
from taflhall_service.app.spectating.spectators import Spectators


class SeenMatch(NamedTuple):
    """A match as its caller may see it, and the seat to look from."""

    match: Match
    caller: Caller
    seat: int
    token_owner: int
    """Whose tokens the caller gets."""


async def get(
    spectators: Spectators, match_id: str, identity: Identity, seat: int | None
) -> SeenMatch:
    """Return a match as the caller may see it now."""
    match = await spectators.seen_by(identity, match_id)
    caller = authorize(Action.GET_MATCH, identity, match)
    seat = caller.seat(match, seat)
    owner = spectators.token_owner(match, caller, seat)
    return SeenMatch(await spectators.see(match, caller), caller, seat, owner)


async def record(spectators: Spectators, match_id: str, identity: Identity) -> MatchRecord:
    """Return the record of a match that is over, checked against its stored data."""
    match = await spectators.seen_by(identity, match_id)
    caller = authorize(Action.GET_MATCH_RECORD, identity, match)
    match = await spectators.see(match, caller)
    return await record_of(spectators.matches.store, match, yield_to_others)


async def view_at(
    spectators: Spectators, match_id: str, identity: Identity, seat: int | None, revision: int
) -> tuple[PastMatch, int]:
    """Return a match as it was after *revision* commands, and the seat to look from."""
    match = await spectators.seen_by(identity, match_id)
    caller = authorize(Action.GET_MATCH_VIEW, identity, match)
    seat = caller.seat(match, seat)
    match = await spectators.see(match, caller)
    return await match_at(spectators.matches.store, match, revision), seat


class EventsPage(NamedTuple):
    """Some entries of a match's history, and the seat to look from."""

    match: Match
    seat: int
    entries: list[Entry]
    token: str
    """The token of the next page; empty if this is the last."""


async def list_events(
    spectators: Spectators,
    match_id: str,
    identity: Identity,
    seat: int | None,
    first: int,
    last: int | None,
    size: int,
    token: str,
) -> EventsPage:
    """Return the history of a match from revision *first* to *last* (``None``: the newest)."""
    match = await spectators.seen_by(identity, match_id)
    caller = authorize(Action.LIST_MATCH_EVENTS, identity, match)
    seat = caller.seat(match, seat)
    match = await spectators.see(match, caller)
    require_status(Action.LIST_MATCH_EVENTS, match)
    if first < 0:
        raise errors.Malformed(field="first_revision", expected="0 or more")
    if last is not None and last < 0:
        raise errors.Malformed(field="last_revision", expected="0 or more")
    key, size = spectators.matches.server_key, page_size(size)
    listing = f"events/{match.id}/{seat}/{first}/{last}"
    start = int(read_page_token(key, token, listing)) if token else max(first, 1)
    newest = match.revision if last is None else min(last, match.revision)
    end = min(newest, start + size - 1)
    entries = await entries_between(spectators.matches.store, match, start, end)
    following = page_token(key, str(end + 1), listing) if end < newest else ""
    return EventsPage(match, seat, entries, following)


DEFAULT_PAGE: Final = 50
MAX_PAGE: Final = 100
"""Items of one page; a greater page size means this one."""


def page_size(wanted: int) -> int:
    """Return the number of items of a page, or raise ``Malformed``."""
    if wanted < 0:
        raise errors.Malformed(field="page_size", expected="0 or more")
    return min(wanted, MAX_PAGE) or DEFAULT_PAGE
