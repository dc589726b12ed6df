"""Matches that have been played a little, over any store and without a wire."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from taflhall_engine import registry
from taflhall_service.app import lobby, turn
from taflhall_service.app.hub import Hub
from taflhall_service.app.limits import Limits
from taflhall_service.app.matches import Matches


@asynccontextmanager
async def server_over(store: Any, tables: int = 100):
    """Yield the matches of a store as one more server knows them."""
    hub = Hub(store)
    try:
        yield Matches(store, hub, Limits(), await store.key(), tables)
    finally:
        await hub.stop()


async def play(matches: Matches, commands: int = 6, finish: bool = True) -> str:
    """Play a match of Yggdrasil for so many commands, then give it up; return its id."""
    game = registry.game("yggdrasil")
    created = await lobby.create(matches, game, game.setup_kind(), "", True, "", bytes(16), 1)
    match_id = created.match.id
    joining = lobby.Joining(matches, range(len(created.match.roster)), "Ann", 0, "", bytes(16))
    secret = (await lobby.join(matches, match_id, joining)).secret
    for _ in range(commands):
        await go_on(matches, match_id, secret)
    if finish:
        await turn.resign(matches, match_id, turn.Resignation(secret, 0, uuid4().hex, bytes(16)))
    return match_id


async def go_on(matches: Matches, match_id: str, secret: str) -> None:
    """Give one more command."""
    match = await matches.current(match_id)
    (decision_id,) = match.pending.values()
    submission = turn.Submission(
        matches.limits,
        secret,
        decision_id,
        uuid4().hex,
        [0],
        secrets.token_bytes(16),
        lambda _: b"",
    )
    await turn.submit(matches, match_id, submission)
