"""The indexes of matches: by game, status and scope for lists, and the queues of background jobs.

A *scope* is a further condition of a list, such as an account with a seat. An index is a hint,
written after the commit that it follows from. A server that dies in between leaves a match in the
wrong one; ``verify-store --reindex`` fixes those of game and status, and a list drops a match that
it finds in the wrong scope. A queue names a match before the commit that it follows from, so that
no job misses one.
"""

from __future__ import annotations

import asyncio
import re
from hashlib import blake2b
from typing import Any, Final

from taflhall_engine import registry
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import encode, index_key_of, match_of
from taflhall_service.app.model.join_codes import CODE_CHARACTERS, join_code
from taflhall_service.app.model.limits import looks_like
from taflhall_service.app.model.match import OPEN, OVER, STATUSES, Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import DueQueue, MatchStore, MatchSummary, ms_of
from taflhall_service.app.watching.announcements import announcement_text

INDEXED_WORDS: Final = 8
"""Number of words of a title that are indexed, from the first."""

CANDIDATES: Final = "@candidates:"
"""Begins the names of the indexes by which players without an invitation find a match."""

COMMIT_MS: Final = 10_000
"""By then a commit that is under way has been carried out, or never will be."""


def index_of(game: str = "", status: str = "", scope: str = "") -> str:
    """Return the index of the matches of a *game*, with a *status*, in a *scope*, or of all."""
    return "/".join(part for part in (scope, game, status) if part)


def seated_scope(account: str) -> str:
    """Return the scope of the matches in which an account holds a seat."""
    return f"@seated:{account}"


def invited_scope(account: str) -> str:
    """Return the scope of the matches to which an account is invited."""
    return f"@invited:{account}"


def created_scope(account: str) -> str:
    """Return the scope of the matches that an account has created."""
    return f"@created:{account}"


def candidates_index(
    game: str,
    setup: Any,
    clock: TimeControl | None,
    spectators: SpectatorSettings,
    labels: tuple[tuple[str, str], ...],
) -> str:
    """Return the index of the matches of a kind that anybody may find and join."""
    kind = encode((game, dump(setup), clock, spectators, labels))
    return f"{CANDIDATES}{blake2b(kind, digest_size=12).hexdigest()}"


def _is_candidate(match: Match) -> bool:
    listing = match.origin.listing
    return (
        match.status == OPEN
        and match.origin.start_when_full
        and not (listing.unlisted or listing.invitation_required)
        and any(seat.free_for("") for seat in match.seats)
    )


def label_scope(key: str, value: str) -> str:
    """Return the scope of the matches with a label."""
    return f"@label:{_digest(f'{key}={value}')}"


def word_scope(word: str) -> str:
    """Return the scope of the matches with a word in their title."""
    return f"@word:{_digest(word)}"


def words_of(text: str) -> list[str]:
    """Return the words of a title, or of what is looked for in titles, each once."""
    return list(dict.fromkeys(re.findall(r"\w+", looks_like(text))))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=12).hexdigest()


def scopes_of(match: Match) -> set[str]:
    """Return the scopes that a match is in; the empty one is that of all matches."""
    origin = match.origin
    scopes = {"", *(seated_scope(seat.account) for seat in match.seats if seat.account)}
    scopes.update(invited_scope(seat.invited) for seat in match.seats if seat.invited)
    if origin.creator_account:
        scopes.add(created_scope(origin.creator_account))
    scopes.update(label_scope(*label) for label in origin.listing.labels)
    scopes.update(word_scope(word) for word in words_of(origin.title)[:INDEXED_WORDS])
    return scopes


def indexes_of(match: Match) -> set[str]:
    """Return the indexes that a match belongs to."""
    games, statuses = ("", match.game.id), ("", match.status)
    found = {
        index_of(game, status, scope)
        for scope in scopes_of(match)
        for game in games
        for status in statuses
    }
    if _is_candidate(match):
        origin = match.origin
        found.add(
            candidates_index(
                match.game.id, match.setup, origin.clock, origin.spectators, origin.listing.labels
            )
        )
    return found


CODES: Final = "@codes"
"""The index of join codes: a key is a code and the id of its match."""


def code_index_key(match: Match) -> str:
    """Return the key of a match in the index of join codes."""
    return f"{join_code(match.origin)}{match.id}"


async def match_with_code(store: MatchStore, code: str) -> str:
    """Return the id of the match with a join code; empty if there is none."""
    index_keys = await store.index_page(code, 1, CODES, ascending=True)
    return index_keys[0][CODE_CHARACTERS:] if index_keys and index_keys[0].startswith(code) else ""


def accounts_of(match: Match) -> set[str]:
    """Return the accounts that a change of a match concerns."""
    seated = {account for seat in match.seats for account in (seat.account, seat.invited)}
    return {*seated, match.origin.creator_account} - {""}


def listing_of(match: Match) -> tuple[object, ...]:
    """Return what lists show of a match and a change may alter."""
    seats = [
        (seat.acting.name, seat.acting.kind, seat.account, seat.invited, seat.free, seat.deputy)
        for seat in match.seats
    ]
    return (match.status, *seats)


async def add_to_indexes(store: MatchStore, match: Match) -> None:
    """Let every index that a match belongs to name it."""
    key = index_key_of(match.origin)
    index_keys = [(key, index) for index in indexes_of(match)] + [(code_index_key(match), CODES)]
    await asyncio.gather(*[store.index_add(*index_key) for index_key in index_keys])


def queue_of(index_key: str, summary: MatchSummary) -> tuple[DueQueue, str]:
    """Return the queue of a match, other than that of deadlines, and its name there."""
    if summary.status.decode("ascii", "replace") not in OVER:
        return DueQueue.IDLE, match_of(index_key)
    return (
        (DueQueue.EXPIRY, index_key)
        if summary.archived
        else (DueQueue.ARCHIVE, match_of(index_key))
    )


async def queue_for_jobs(
    store: MatchStore, index_key: str, summary: MatchSummary, now_ms: int
) -> None:
    """Let the background jobs find a match; those that are over at once."""
    queue, name = queue_of(index_key, summary)
    due = ms_of(summary.changed) if queue is DueQueue.IDLE else now_ms
    await store.schedule(name, due, queue)


async def list_new_match(store: MatchStore, match: Match) -> None:
    """Let indexes and announcements name a new match."""
    await add_to_indexes(store, match)
    await _announce(store, match, accounts_of(match))


def is_listed(before: Match, after: Match) -> bool:
    """Return whether lists show the change from *before* to *after*."""
    if after.status != before.status or after.next_match != before.next_match:
        return True
    return after.seats is not before.seats and listing_of(before) != listing_of(after)


async def follow_listing(store: MatchStore, before: Match, after: Match) -> None:
    """Let indexes and announcements follow a change that lists show.

    Spectators who see it late find the match as it was.
    """
    key, old, new = index_key_of(after.origin), indexes_of(before), indexes_of(after)
    await asyncio.gather(*[store.index_add(key, index) for index in new - old])
    gone = old - new
    if after.origin.spectators.policy == SpectatorPolicy.DELAYED:
        gone = {index for index in gone if index.startswith(CANDIDATES)}
    await asyncio.gather(*[store.index_remove(key, index) for index in gone])
    if after.over:
        await store.schedule(after.id, after.ended_ms, DueQueue.ARCHIVE)
        await store.schedule(after.id, None, DueQueue.IDLE)
    await _announce(store, after, accounts_of(before) | accounts_of(after))


async def _announce(store: MatchStore, match: Match, accounts: set[str]) -> None:
    text = announcement_text(index_key_of(match.origin), sorted(accounts))
    await store.announce(text)


async def remove_from_indexes(store: MatchStore, key: str) -> None:
    """Let no queue, and no index of game and status, name a match any more."""
    games, statuses = ("", *registry.GAMES), ("", *STATUSES)
    names = {index_of(game, status) for game in games for status in statuses}
    await asyncio.gather(*[store.index_remove(key, name) for name in names])
    for queue in (DueQueue.IDLE, DueQueue.ARCHIVE):
        await store.schedule(match_of(key), None, queue)
    await store.schedule(key, None, DueQueue.EXPIRY)
