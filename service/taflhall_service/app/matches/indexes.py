"""The indexes of matches: by game, status and scope for lists, and the queues of background jobs.

A *scope* is a further condition of a list, such as an account with a seat. An index names a match
before the commit that puts it there, and until after the one that takes it out; a queue likewise.
So none lacks a match, wherever a server dies, but an index may name one that was never created, or
that does not belong there: readers pass over it. Only an entry whose match does not exist is
removed by others, and not before the match can no longer be about to be created.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from taflhall_engine import registry
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.codec import TIME_CHARACTERS, encode, index_key_of, match_of
from taflhall_service.app.model.join_codes import CODE_CHARACTERS, join_code
from taflhall_service.app.model.limits import looks_like
from taflhall_service.app.model.match import OPEN, OVER, STATUSES, Match, decode_match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import DueQueue, MatchStore, MatchSummary, ms_of
from taflhall_service.app.watching.announcements import announcement_text

INDEXED_WORDS: Final = 8
"""Number of words of a title that are indexed, from the first."""

CANDIDATES: Final = "@candidates:"
"""Begins the names of the indexes by which players without an invitation find a match."""

COMMIT_MS: Final = 10_000
"""By then a commit that is under way has been carried out, or never will be."""

CREATION_MS: Final = 60_000
"""How long an entry without a match stays: the match may be about to be created. That is much more
than it takes, for servers that are suspended meanwhile."""


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


def entries_of(match: Match) -> set[tuple[str, str]]:
    """Return the entries of a match: keys, and the indexes that have them."""
    key = index_key_of(match.origin)
    return {(key, index) for index in indexes_of(match)} | {(code_index_key(match), CODES)}


def is_of_matches(index: str) -> bool:
    """Return whether an index names matches; others name tournaments."""
    return index.startswith("@") or index.partition("/")[0] in ("", *registry.GAMES, *STATUSES)


def match_of_entry(key: str, index: str) -> str:
    """Return the id of the match with an entry."""
    return key[CODE_CHARACTERS:] if index == CODES else match_of(key)


def may_be_created(index_key: str, now_ms: int) -> bool:
    """Return whether the match with a key, which does not exist, may be about to be created."""
    try:
        created_ms = int(index_key[:TIME_CHARACTERS], 16)
    except ValueError:
        return False
    return abs(now_ms - created_ms) < CREATION_MS


async def add_to_indexes(store: MatchStore, match: Match) -> None:
    """Let every index that a match belongs to name it."""
    await asyncio.gather(*[store.index_add(*entry) for entry in entries_of(match)])


async def remove_creation(store: MatchStore, match: Match, stored: Match) -> None:
    """Remove the entries of *match*, in whose place *stored* has been created before."""
    wrong = entries_of(match) - entries_of(stored)
    await asyncio.gather(*[store.index_remove(*entry) for entry in wrong])


async def drop_if_gone(store: MatchStore, index_key: str, index: str, now_ms: int) -> None:
    """Remove an entry whose match does not exist, unless that may be about to be created."""
    if not may_be_created(index_key, now_ms):
        await store.index_remove(index_key, index)


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


def is_listed(before: Match, after: Match) -> bool:
    """Return whether lists show the change from *before* to *after*."""
    if after.status != before.status or after.next_match != before.next_match:
        return True
    return after.seats is not before.seats and listing_of(before) != listing_of(after)


class ListingChange(NamedTuple):
    """How a change of a match that lists show alters the indexes."""

    index_key: str
    added: frozenset[str]
    """The indexes into which it puts the match."""
    removed: frozenset[str]
    """Those out of which it takes the match."""
    returning: frozenset[str]
    """Those of both that the match may be put into again, or has been in before."""
    accounts: frozenset[str]
    """The accounts that it concerns."""


def listing_change(before: Match, after: Match) -> ListingChange | None:
    """Return how a change alters the indexes; ``None`` if lists do not show it.

    Spectators who see it late find the match as it was.
    """
    if not is_listed(before, after):
        return None
    old, new = indexes_of(before), indexes_of(after)
    removed = old - new
    if after.origin.spectators.policy == SpectatorPolicy.DELAYED:
        removed = {index for index in removed if index.startswith(CANDIDATES)}
    returning = old ^ new
    if before.status != after.status:  # no match returns to a status
        returning = {index for index in returning if not _of_status(index, before, after)}
    return ListingChange(
        index_key_of(after.origin),
        frozenset(new - old),
        frozenset(removed),
        frozenset(returning),
        frozenset(accounts_of(before) | accounts_of(after)),
    )


def _of_status(index: str, *matches: Match) -> bool:
    """Return whether an index has only matches with the status of one of *matches*."""
    return index.startswith(CANDIDATES) or index.rpartition("/")[2] in [m.status for m in matches]


async def name_early(store: MatchStore, change: ListingChange) -> None:
    """Let the indexes into which a change puts a match name it, before the commit."""
    with suppress(StoredDataDamaged):  # a damaged index does not prevent the change
        await asyncio.gather(*[store.index_add(change.index_key, each) for each in change.added])


async def follow_listing(store: MatchStore, change: ListingChange, after: Match) -> None:
    """Let indexes, queues and announcements follow a change that is committed.

    Another server, late, may have taken the match out of an index that this change has put it
    into: so it is put there once more. And another change may have put it into one that this
    server, late, has taken it out of: so it looks whether there is a newer change.
    """
    key, again = change.index_key, change.added & change.returning
    work = [store.index_add(key, index) for index in again]
    work += [store.index_remove(key, index) for index in change.removed]
    if after.over:
        work.append(store.schedule(after.id, after.ended_ms, DueQueue.ARCHIVE))
        work.append(store.schedule(after.id, None, DueQueue.IDLE))
    await asyncio.gather(*work)
    announced = _announce(store, key, change.accounts)
    taken_out = change.removed & change.returning
    if not taken_out:
        await announced
        return
    (version,), _ = await asyncio.gather(store.versions([after.id]), announced)
    if version is not None and version.change_id != after.version.change_id:
        await _put_back(store, after.id, taken_out)


async def _put_back(store: MatchStore, match_id: str, indexes: frozenset[str]) -> None:
    """Let those of *indexes* that a match belongs to by now name it."""
    with suppress(RulesTooNew, StoredDataDamaged):
        found = await store.load(match_id)
        if found is not None:
            match = decode_match(found._replace(frozen=b""))
            key, present = index_key_of(match.origin), indexes & indexes_of(match)
            await asyncio.gather(*[store.index_add(key, index) for index in present])


async def announce_new_match(store: MatchStore, match: Match) -> None:
    """Announce a match that has been created."""
    await _announce(store, index_key_of(match.origin), accounts_of(match))


async def _announce(store: MatchStore, key: str, accounts: Iterable[str]) -> None:
    await store.announce(announcement_text(key, sorted(accounts)))


async def remove_from_indexes(store: MatchStore, key: str) -> None:
    """Let no queue, and no index of game and status, name a match any more."""
    games, statuses = ("", *registry.GAMES), ("", *STATUSES)
    names = {index_of(game, status) for game in games for status in statuses}
    await asyncio.gather(*[store.index_remove(key, name) for name in names])
    for queue in (DueQueue.IDLE, DueQueue.ARCHIVE):
        await store.schedule(match_of(key), None, queue)
    await store.schedule(key, None, DueQueue.EXPIRY)
