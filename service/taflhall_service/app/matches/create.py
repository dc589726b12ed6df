"""Create a match with free seats."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel.chance import SECRET_BYTES, KeyedChance
from taflhall_engine.kernel.game import Game, InvalidSetup
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app import errors
from taflhall_service.app.access.credentials import Identity, derive_secret, digest_of
from taflhall_service.app.matches.indexes import (
    add_to_indexes,
    announce_new_match,
    may_be_created,
    remove_creation,
)
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import TimeControl, time_control_faults
from taflhall_service.app.model.codec import SCHEMA, index_key_of
from taflhall_service.app.model.history_chain import first_head
from taflhall_service.app.model.ids import DERIVED_BYTES, derived_id, id_text
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.records import Listing, Origin, Seat
from taflhall_service.app.model.spectator_policy import PUBLIC_SPECTATORS, SpectatorSettings
from taflhall_service.app.ports.match_store import Commit, CommitStatus, DueQueue, Version

MAX_LABELS: Final = 8
LABEL_KEY: Final = re.compile(r"[a-z][a-z0-9_.-]{0,31}")

KEY: Final = "create:"
"""The one request id under which a match is created: its own id follows from the caller's."""


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """A request for a new match."""

    identity: Identity
    game: Game
    setup: Any
    title: str
    start_when_full: bool
    request_id: str
    fingerprint: bytes
    time_control: TimeControl | None = None
    spectators: SpectatorSettings = PUBLIC_SPECTATORS
    labels: Mapping[str, str] = field(default_factory=dict)
    unlisted: bool = False
    invitation_required: bool = False
    matchmade: bool = False
    """``FindMatch`` opens it: it has no creator, and nobody has a creator's rights."""


class CreatedMatch(NamedTuple):
    """A new match and its creator's secret."""

    match: Match
    secret: str


async def create(matches: Matches, request: CreateMatch) -> CreatedMatch:
    """Open a match with free seats. With a request id a second call finds the first's match."""
    matches.limits.name("title", request.title, 0)
    listing = Listing(
        labels_of(matches.limits, request.labels), request.unlisted, request.invitation_required
    )
    matches.limits.retry_key(request.request_id)
    times = request.time_control
    if times is not None and (faults := time_control_faults(times)):
        raise errors.InvalidTimeControl(request.game, faults)
    draw, identity, game = matches.random_bytes, request.identity, request.game
    rng = draw(SECRET_BYTES)
    try:
        seats = game.seats(game.new(request.setup, KeyedChance(rng)))
    except InvalidSetup as error:
        raise errors.InvalidSetup(error.game, error.faults) from None
    proof = identity.proof(request.request_id) or draw(16).hex()
    known_id = bool(request.request_id)
    match_id = match_id_of(matches.server_key, proof) if known_id else id_text(draw(DERIVED_BYTES))
    key = draw(32)
    origin = Origin(
        match_id,
        game.id,
        game.version,
        game.data_digest,
        dump(request.setup),
        rng,
        key,
        b"" if request.matchmade else digest_of(_secret(key, proof)),
        (await matches.now()).ms,
        request.title,
        request.start_when_full,
        times,
        "" if request.matchmade or identity.account is None else identity.account.id,
        request.spectators,
        listing,
    )
    opened = new_match(game, origin, request.setup, (Seat(),) * seats)
    match = await matches.shield(
        store_new_match(matches, opened, request.fingerprint, request.request_id)
    )
    return CreatedMatch(match, _secret(match.origin.chain, proof))


def new_match(game: Game, origin: Origin, setup: Any, seats: tuple[Seat, ...]) -> Match:
    """Return a match at its first version."""
    version = Version(0, first_head(origin.chain, origin.match_id), 0)
    return Match(game, origin, setup, seats, version)


async def store_new_match(
    matches: Matches, match: Match, fingerprint: bytes, request_id: str
) -> Match:
    """Store and list a match, or return the one that was created with the same request id."""
    fields = {
        "schema": str(SCHEMA).encode(),
        "origin": codec.encode(match.origin),
        "seats": codec.encode(match.seats),
        "status": OPEN.encode(),
    }
    commit = Commit(match.id, None, KEY, fingerprint, b"", match.version, fields, ())
    store = matches.store
    await asyncio.gather(
        store.schedule(match.id, match.origin.created_ms, DueQueue.IDLE),
        add_to_indexes(store, match),
    )
    result = await store.commit(commit)
    first = result.status is CommitStatus.COMMITTED
    if result.status is CommitStatus.DUPLICATE and request_id:
        stored = await matches.current(match.id)
        await remove_creation(store, match, stored)
        match = stored
    elif first or result.status is CommitStatus.DUPLICATE:
        matches.remember(match)  # also if the commit was sent twice: the id is unique
    else:
        with suppress(errors.Refused):
            await remove_creation(store, match, await matches.current(match.id))
        raise errors.RequestIdReused(request_id=request_id)
    if not first or not may_be_created(index_key_of(match.origin), (await matches.now()).ms):
        await add_to_indexes(store, match)  # a reader may have dropped it
    await announce_new_match(store, match)
    matches.announcements.look()
    return match


def labels_of(limits: Limits, labels: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return labels sorted by key, or raise ``Malformed`` or ``InvalidName``."""
    if len(labels) > MAX_LABELS:
        raise errors.Malformed(field="labels", expected=f"at most {MAX_LABELS}")
    for key, value in labels.items():
        if not LABEL_KEY.fullmatch(key):
            raise errors.Malformed(field="labels", expected="keys like 'a-z_0.9', a letter first")
        limits.name("labels", value, 0)
    return tuple(sorted(labels.items()))


def _secret(key: bytes, proof: str) -> str:
    """Return the creator's secret of a match whose key is *key*."""
    return derive_secret(key, "create", proof)


def match_id_of(server_key: bytes, proof: str) -> str:
    """Return the id of the match that is created with a request id, always the same one."""
    return derived_id(server_key, "match", proof)
