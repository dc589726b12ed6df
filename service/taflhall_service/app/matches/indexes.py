"""The indexes of matches: by game and status for lists, and of those that wait for the archive.

An index is a hint, written after the commit that it follows from. A server that dies in between
leaves a match in the wrong one; the archiver's slow sweep and ``verify-store --reindex`` fix it.
"""

from __future__ import annotations

import asyncio
from typing import Final

from taflhall_engine import registry
from taflhall_service.app.model.codec import index_key_of
from taflhall_service.app.model.match import STATUSES, Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.ports.match_store import MatchStore

UNARCHIVED: Final = "unarchived"
"""The index of matches that are over and not in the archive."""


def index_of(game: str = "", status: str = "") -> str:
    """Return the index of the matches of a *game*, with a *status*, of both, or of all."""
    return "/".join(part for part in (game, status) if part)


def indexes_of(match: Match) -> set[str]:
    """Return the indexes that a match belongs to."""
    games, statuses = ("", match.game.id), ("", match.status)
    found = {index_of(game, status) for game in games for status in statuses}
    return found | {UNARCHIVED} if match.over else found


async def add_to_indexes(store: MatchStore, match: Match) -> None:
    """Let every index that a match belongs to name it."""
    key = index_key_of(match.origin)
    await asyncio.gather(*[store.index_add(key, index) for index in indexes_of(match)])


async def follow_status(store: MatchStore, before: Match, after: Match) -> None:
    """Let the indexes follow a change; spectators who see it late find the match as it was."""
    key, old, new = index_key_of(after.origin), indexes_of(before), indexes_of(after)
    await asyncio.gather(*[store.index_add(key, index) for index in new - old])
    if after.origin.spectators.policy != SpectatorPolicy.DELAYED:
        await asyncio.gather(*[store.index_remove(key, index) for index in old - new])


async def remove_from_indexes(store: MatchStore, key: str) -> None:
    """Let no index name a match any more."""
    games, statuses = ("", *registry.GAMES), ("", *STATUSES)
    names = {index_of(game, status) for game in games for status in statuses} | {UNARCHIVED}
    await asyncio.gather(*[store.index_remove(key, name) for name in names])
