"""The indexes of tournaments: one of all, and one for each status, newest last.

Like those of matches they are hints: an index names a tournament before the tournament is stored
with that status, and a reader of the index checks the tournament itself.
"""

from __future__ import annotations

from typing import Final

from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.app.tournaments.model import NAMESPACE, Tournament, unpack

PAGE: Final = 100
"""Tournaments that are read in one round trip."""

_TIME_DIGITS: Final = 14


def index_of(status: int) -> str:
    """Return the index of the tournaments with *status*; 0: of all."""
    return f"tournaments/{status}" if status else "tournaments"


def index_key(tournament: Tournament) -> str:
    """Return the key of a tournament in an index, which orders it by its creation."""
    return f"{tournament.created_ms:0{_TIME_DIGITS}}{tournament.id}"


def id_in(key: str) -> str:
    """Return the id of the tournament with an index key."""
    return key[_TIME_DIGITS:]


async def list_tournament(store: MatchStore, tournament: Tournament) -> None:
    """Put a tournament into its indexes."""
    for status in (0, tournament.status):
        await store.index_add(index_key(tournament), index_of(status))


async def repair_listing(store: MatchStore) -> None:
    """Put every tournament into its indexes, in case that the store has lost some of them."""
    for raw in (await store.accounts.all(NAMESPACE)).values():
        await list_tournament(store, unpack(raw))
