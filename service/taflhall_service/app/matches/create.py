"""Create a match with free seats."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from typing import Any, NamedTuple

from taflhall_engine.kernel.chance import SECRET_BYTES, KeyedChance
from taflhall_engine.kernel.game import Game, InvalidSetup
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, digest_of, hide, new_secret, reveal
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import TimeControl, time_control_faults
from taflhall_service.app.model.codec import SCHEMA, index_key_of
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.records import Origin, Seat
from taflhall_service.app.model.spectator_policy import (
    PUBLIC_SPECTATORS,
    SpectatorSettings,
)
from taflhall_service.app.ports.match_store import Commit, CommitStatus, Version


class Created(NamedTuple):
    """A new match and its creator's secret."""

    match: Match
    secret: str


async def create(
    matches: Matches,
    identity: Identity,
    game: Game,
    setup: Any,
    title: str,
    start_when_full: bool,
    request_id: str,
    fingerprint: bytes,
    clock: TimeControl | None = None,
    spectators: SpectatorSettings = PUBLIC_SPECTATORS,
) -> Created:
    """Open a match with free seats. With a request id a second call finds the first's match."""
    matches.limits.name("title", title, 0)
    matches.limits.retry_key(request_id)
    if clock is not None and (faults := time_control_faults(clock)):
        raise errors.InvalidTimeControl(game, faults)
    luck = secrets.token_bytes(SECRET_BYTES)
    try:
        seats = game.seats(game.new(setup, KeyedChance(luck)))
    except InvalidSetup as error:
        raise errors.InvalidSetup(error.game, error.faults) from None
    proof = _proof(identity, request_id)
    match_id = _match_id(matches.server_key, proof)
    secret, key = new_secret(), secrets.token_bytes(32)
    origin = Origin(
        match_id,
        game.id,
        game.version,
        game.data_digest,
        dump(setup),
        luck,
        key,
        digest_of(secret),
        (await matches.now()).ms,
        title,
        start_when_full,
        clock,
        identity.account.id if identity.account is not None else "",
        spectators,
    )
    version = Version(0, chain.first_head(key, match_id), 0)
    match = Match(game, origin, setup, (Seat(),) * seats, version)
    fields = {
        "schema": str(SCHEMA).encode(),
        "origin": stored.pack(origin),
        "seats": stored.pack(match.seats),
        "status": OPEN.encode(),
    }
    reply = hide(secret, proof, match_id.encode()) if request_id else b""
    commit = Commit(match_id, None, "create:", fingerprint, reply, version, fields, ())
    return await matches.shield(_create(matches, commit, match, secret, proof))


async def _create(
    matches: Matches, commit: Commit, match: Match, secret: str, proof: str
) -> Created:
    """Store and list a match, or find the one that was created with the same request id."""
    outcome = await matches.store.commit(commit)
    if outcome.status is CommitStatus.DUPLICATE and proof:
        match = await matches.current(match.id)
        secret = reveal(outcome.reply, proof, match.id.encode())
    elif outcome.status in (CommitStatus.COMMITTED, CommitStatus.DUPLICATE):
        matches.remember(match)  # also if the commit was sent twice: nobody else has this id
    else:
        raise errors.RequestIdReused(request_id=proof.rpartition("\0")[2])
    await matches.store.index_add(index_key_of(match.origin))
    return Created(match, secret)


def _proof(identity: Identity, request_id: str) -> str:
    """Return what opens a secret anew: the request id, of an account together with its own id.

    The NUL between them is in no request id, so nobody else's is the same.
    """
    account = identity.account
    return f"{account.id}\0{request_id}" if account is not None and request_id else request_id


def _match_id(key: bytes, request_id: str) -> str:
    """Return 128 random bits as text; for the same request id the same ones."""
    raw = secrets.token_bytes(16)
    if request_id:
        raw = hmac.digest(key, b"match" + request_id.encode(), "sha256")[:16]
    return b32encode(raw).decode().rstrip("=").lower()
