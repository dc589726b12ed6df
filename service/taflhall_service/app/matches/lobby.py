"""Before the first command: open a match, take seats, lay the table out; list matches."""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Sequence
from typing import Any, NamedTuple

from taflhall_engine.kernel.chance import SECRET_BYTES, KeyedChance
from taflhall_engine.kernel.game import Game, InvalidSetup
from taflhall_engine.kernel.meta_commands import pending, result
from taflhall_engine.kernel.snapshot import dump
from taflhall_service.app import errors
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.permissions import (
    Caller,
    Identity,
    authorise,
    digest_of,
    hide,
    new_secret,
    onlooker,
    reveal,
    timely,
)
from taflhall_service.app.matches.repository import Matches, Prepared
from taflhall_service.app.matches.seats import PERSON, PROGRAM, is_named
from taflhall_service.app.matches.table_update import clock_fields, table_fields
from taflhall_service.app.model import codec as stored
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Moment, Terms, begin, faults_of
from taflhall_service.app.model.codec import SCHEMA, Origin, Place, mark_of, match_of
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.spectator_policy import PUBLIC, Audience, Policy
from taflhall_service.app.ports.match_store import Commit, Verdict, Version

SCANNED = 500
"""Matches that one page of a list looks at, at the most."""


class Created(NamedTuple):
    """A new match and its creator's secret."""

    match: Match
    secret: str


class Joined(NamedTuple):
    """A match, the seats taken in it and the secret that opens them."""

    match: Match | None
    """``None`` if the caller may see nothing of it any more."""
    seats: list[int]
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
    clock: Terms | None = None,
    audience: Audience = PUBLIC,
) -> Created:
    """Open a match with free seats. With a request id a second call finds the first's match."""
    matches.limits.name("title", title, 0)
    matches.limits.retry_key(request_id)
    if clock is not None and (faults := faults_of(clock)):
        raise errors.InvalidTimeControl(faults)
    rng = secrets.token_bytes(SECRET_BYTES)
    try:
        seats = game.seats(game.new(setup, KeyedChance(rng)))
    except InvalidSetup as error:
        raise errors.InvalidSetup(error.faults) from None
    proof = _proof(identity, request_id)
    match_id = _match_id(matches.server_key, proof)
    secret, key = new_secret(), secrets.token_bytes(32)
    origin = Origin(
        match_id,
        game.id,
        game.version,
        game.data_digest,
        dump(setup),
        rng,
        key,
        digest_of(secret),
        (await matches.now()).ms,
        title,
        start_when_full,
        clock,
        identity.account.id if identity.account is not None else "",
        audience,
    )
    version = Version(0, chain.first_head(key, match_id), 0)
    match = Match(game, origin, setup, (Place(),) * seats, version)
    fields = {
        "schema": str(SCHEMA).encode(),
        "origin": stored.pack(origin),
        "roster": stored.pack(match.roster),
        "status": OPEN.encode(),
    }
    reply = hide(secret, proof, match_id.encode()) if request_id else b""
    commit = Commit(match_id, None, "create:", fingerprint, reply, version, fields, ())
    return await matches.finish(_create(matches, commit, match, secret, proof))


async def _create(
    matches: Matches, commit: Commit, match: Match, secret: str, proof: str
) -> Created:
    """Store and list a match, or find the one that was created with the same request id."""
    outcome = await matches.store.commit(commit)
    if outcome.verdict is Verdict.DUPLICATE and proof:
        match = await matches.current(match.id)
        secret = reveal(outcome.reply, proof, match.id.encode())
    elif outcome.verdict in (Verdict.DONE, Verdict.DUPLICATE):
        matches.remember(match)  # also if the commit was sent twice: nobody else has this id
    else:
        raise errors.RequestIdReused(request_id=proof.rpartition("\0")[2])
    await matches.store.enlist(mark_of(match.origin))
    return Created(match, secret)


def _proof(identity: Identity, request_id: str) -> str:
    """Return what opens a secret anew: the request id, of an account together with its own id.

    The NUL between them is in no request id, so nobody else's is the same.
    """
    account = identity.account
    return f"{account.id}\0{request_id}" if account is not None and request_id else request_id


class Joining:
    """Somebody takes seats."""

    def __init__(
        self,
        matches: Matches,
        identity: Identity,
        seats: Sequence[int],
        name: str,
        kind: int,
        request_id: str,
        fingerprint: bytes,
    ) -> None:
        self.fingerprint = fingerprint
        self.identity = identity
        if len(set(seats)) != len(seats):
            raise errors.Malformed(field="seats", expected="distinct seats")
        self._wanted = sorted(seats)
        self._name = matches.limits.name("name", name)
        self._account = identity.account
        self._kind = kind or PERSON
        if self._account is not None and self._account.role == Role.BOT:
            self._kind = PROGRAM
        self.request_id = matches.limits.retry_key(request_id)
        self._proof = _proof(identity, self.request_id)
        self._key = digest_of(self._proof or secrets.token_hex(16)).hex()
        self.secret = new_secret()
        self.taken: list[int] = []

    def key(self, match: Match) -> str:
        authorise("MatchService.JoinMatch", self.identity, match)
        return f"join:{self._key}"

    def prepare(self, match: Match, now: Moment) -> Prepared:
        timely("MatchService.JoinMatch", match)
        self.taken = self._choose(match)
        if is_named(match, self._name):
            raise errors.NameTaken(name=self._name)
        roster = list(match.roster)
        for seat in self.taken:
            account = "" if self._account is None else self._account.id
            roster[seat] = Place(self._name, self._kind, digest_of(self.secret), account=account)
        after = Match(
            match.game,
            match.origin,
            match.setup,
            tuple(roster),
            match.version.changed(),
        )
        fields = {"roster": stored.pack(after.roster)}
        if match.origin.start_when_full and not any(place.free for place in roster):
            lay_out(after, now)
            fields |= table_fields(after) | clock_fields(after, now)
        hidden = hide(self.secret, self._proof, self._salt(match)) if self._proof else b""
        return Prepared(after, fields, [], [], stored.pack([self.taken, hidden]))

    def _choose(self, match: Match) -> list[int]:
        for seat in self._wanted:
            if not 0 <= seat < len(match.roster):
                raise errors.UnknownSeat(seat=seat, seats=len(match.roster))
            if not match.roster[seat].free:
                raise errors.SeatTaken(seat=seat)
        if self._wanted:
            return self._wanted
        for seat, place in enumerate(match.roster):
            if place.free:
                return [seat]
        raise errors.NoFreeSeat(match_id=match.id)

    async def late(self, matches: Matches, match: Match) -> None:
        """Raise what there is to say to who comes too late, as far as he may know of it.

        To whom the match is still open, or is not shown at all, its seats are taken.
        """
        caller, policy = onlooker(self.identity, match), match.origin.audience.policy
        if policy == Policy.PUBLIC or not caller.looks_on:
            return
        if policy == Policy.DELAYED:
            seen = await matches.spectators.seen(match, caller)
            if seen.status != OPEN:
                timely("MatchService.JoinMatch", seen)
        self._choose(match)
        raise errors.NoFreeSeat(match_id=match.id)

    def _salt(self, match: Match) -> bytes:
        return match.origin.chain + b"join"

    def remembered(self, match: Match, reply: bytes) -> tuple[list[int], str]:
        """Return the seats and the secret of the answer that was given before."""
        if not self._proof:  # our own commit, sent twice: nobody else has this key
            return self.taken, self.secret
        seats, hidden = stored.read_plain(reply)
        return seats, reveal(hidden, self._proof, self._salt(match))


async def join(matches: Matches, match_id: str, joining: Joining) -> Joined:
    """Take seats; with a request id a second call finds the first's."""
    try:
        done = await matches.act(match_id, joining)
    except (errors.AlreadyStarted, errors.MatchOver):
        await joining.late(matches, await matches.current(match_id))
        raise
    if done.match is not None:
        return Joined(done.match, joining.taken, joining.secret)
    match = await matches.current(match_id)
    seats, secret = joining.remembered(match, done.reply)
    sitter = Identity(secret)
    identity = joining.identity if onlooker(sitter, match).looks_on else sitter
    return Joined(await matches.spectators.again(match_id, identity), seats, secret)


class Starting:
    """The table is laid out."""

    fingerprint = bytes(16)

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def key(self, match: Match) -> str:
        authorise("MatchService.StartMatch", self._identity, match)
        return "start:"

    def prepare(self, match: Match, now: Moment) -> Prepared | None:
        if match.status != OPEN:
            if match.table is None:
                raise errors.MatchOver(match_id=match.id)
            return None
        free = [str(seat) for seat, place in enumerate(match.roster) if place.free]
        if free:
            raise errors.NotAllSeated(free=",".join(free))
        after = match.seated(match.roster)
        lay_out(after, now)
        fields = table_fields(after) | clock_fields(after, now)
        return Prepared(after, fields, [], [], b"")


async def start(matches: Matches, match_id: str, identity: Identity) -> Match | None:
    """Lay the table out; a match that has started is returned as it is."""
    done = await matches.act(match_id, Starting(identity))
    return done.match or await matches.spectators.again(match_id, identity)


def lay_out(match: Match, now: Moment) -> None:
    """Lay out the table of a match that is about to start."""
    table = match.game.new(match.setup, KeyedChance(match.origin.secret))
    match.table = table
    seats = pending(match.game, table)
    key, head = match.origin.chain, match.version.head
    match.pending = {seat: chain.decision_id(key, head, 0, seat) for seat in seats}
    match.result = result(match.game, table)
    match.status = PLAYING if seats else FINISHED
    if match.origin.clock is not None:
        match.clocks = begin(match.origin.clock, len(match.roster), seats, now)


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
    caller = authorise("MatchService.GetMatch", identity, match)
    seat, spectators = caller.seat(match, seat), matches.spectators
    holder = spectators.viewer(match, caller, seat)
    return Looked(await spectators.seen(match, caller), caller, seat, holder)


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
    mark = chain.read_page_token(key, token) if token else ""
    size = size or 50
    found: list[Match] = []
    for _ in range(SCANNED // size):
        marks = await matches.store.listed(mark, size)
        for mark in marks:
            match = await _readable(matches, identity, match_of(mark))
            if match is None or game not in ("", match.game.id):
                continue
            match = await _seen(matches, identity, match)
            if match is not None and match.listed and status in ("", match.status):
                found.append(match)
                if len(found) == size:
                    return Page(found, chain.page_token(key, mark))
        if len(marks) < size:
            return Page(found, "")
    return Page(found, chain.page_token(key, mark))


async def _readable(matches: Matches, identity: Identity | None, match_id: str) -> Match | None:
    try:
        if identity is None:
            return await matches.current(match_id)
        return await matches.seen_by(identity, match_id)
    except (errors.MatchNotFound, errors.RulesTooNew, errors.StoredDataDamaged):
        return None


async def _seen(matches: Matches, identity: Identity | None, match: Match) -> Match | None:
    """Return *match* as the caller may see it, ``None`` if not at all."""
    if identity is None or match.origin.audience.policy == Policy.PUBLIC:
        return match
    try:
        return await matches.spectators.seen(match, onlooker(identity, match))
    except (errors.SpectatorsNotAllowed, errors.StoredDataDamaged):
        return None


def _match_id(key: bytes, request_id: str) -> str:
    """Return 128 random bits as text; for the same request id the same ones."""
    raw = secrets.token_bytes(16)
    if request_id:
        raw = hmac.digest(key, b"match" + request_id.encode(), "sha256")[:16]
    return b32encode(raw).decode().rstrip("=").lower()
