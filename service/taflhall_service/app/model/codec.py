"""What is stored of a match, as bytes and back.

Everything is msgpack. The origin never changes; the roster changes when somebody sits down or
gets up; the snapshot with every command; an entry is one command and what it told. Snapshot
and entries are sealed: bytes that were damaged, or put in another place, are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel.agenda import Command, Event, Table, Waiting
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.game import Game, Result
from taflhall_engine.kernel.meta_commands import MetaCommand, Withdrawals
from taflhall_engine.kernel.snapshot import (
    NOT_STORED,
    SnapshotError,
    SnapshotTooNew,
    load,
    load_table,
)
from taflhall_engine.kernel.snapshot import SCHEMA as SNAPSHOT
from taflhall_engine.kernel.value import field_names
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Clocks, Terms
from taflhall_service.app.model.spectator_policy import PUBLIC, Audience
from taflhall_service.app.ports.match_store import StoredEntry

SCHEMA: Final = 1
"""The form in which matches are written; a server reads nothing of a newer one."""


MARK: Final = 12
"""So many characters of a mark of the list of matches tell the time."""


def mark_of(origin: Origin) -> str:
    """Return how the list of matches names a match: by its time, then its id."""
    return f"{time_mark(origin.created_ms)}{origin.match_id}"


def time_mark(ms: int) -> str:
    """Return where the marks of matches begin that were created at that time."""
    return f"{ms:0{MARK}x}"


def match_of(mark: str) -> str:
    """Return the id of the match that a mark of the list means."""
    return mark[MARK:]


class Origin(msgspec.Struct, frozen=True, array_like=True):
    """What is fixed when a match is created."""

    match_id: str
    game: str
    rules_version: str
    data_digest: str
    setup: Any
    secret: bytes
    """All luck of the match comes from it."""
    chain: bytes
    """The key of the chain over its history."""
    creator: bytes
    """SHA-256 of the creator's secret."""
    created_ms: int
    title: str
    start_when_full: bool
    clock: Terms | None = None
    """How much time the seats have; ``None``: as much as they like."""
    creator_account: str = ""
    """The account that created it; empty without one."""
    audience: Audience = PUBLIC


class Deputy(msgspec.Struct, frozen=True, array_like=True):
    """Who acts for a seat in its holder's stead."""

    name: str
    kind: int
    secret: bytes
    """SHA-256 of the deputy's secret."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """A seat and who sits there."""

    name: str = ""
    kind: int = 0
    secret: bytes = b""
    """SHA-256 of the secret that opens the seat; empty if it is free."""
    stand_in: bool = False
    """A program of the house plays for the seat until its holder is back."""
    account: str = ""
    """The account that sits there; empty without one."""

    deputy: Deputy | None = None

    @property
    def free(self) -> bool:
        return not self.secret

    @property
    def actor(self) -> Place | Deputy:
        """Who acts for the seat."""
        return self.deputy or self


class Proposal(msgspec.Struct, frozen=True, array_like=True):
    """What a seat proposes."""

    id: str
    seat: int
    back: int
    """How many answers are to be taken back; 0: the match is to be given up."""
    to_revision: int
    """At which revision the table stood as it will then."""
    agreed: tuple[int, ...]
    """The seats that agree, lowest first."""
    revision: int
    """Where the match stood: with the next deed the proposal is void."""


class Entry:
    """One deed of a match, with what it told and what is pending after it.

    *command* is the answer, or what the seat did instead.

    *kept* is room for what the edge derives from an entry, so that it does so only once.
    """

    __slots__ = (
        "at_ms",
        "clocks",
        "command",
        "events",
        "head",
        "kept",
        "pending",
        "revision",
        "seat",
        "status",
        "step",
        "used_ms",
    )

    def __init__(
        self,
        revision: int,
        head: bytes,
        seat: int,
        command: Command[Any] | MetaCommand,
        events: Sequence[Event],
        step: Waiting[Any] | None,
        pending: dict[int, str],
        status: str,
        at_ms: int,
        clocks: Clocks | None = None,
        used_ms: int = 0,
    ) -> None:
        self.revision = revision
        self.head = head
        self.seat = seat
        self.command = command
        self.events = events
        self.step = step
        self.pending = pending
        self.status = status
        self.at_ms = at_ms
        """When it was given, by the store's clock."""
        self.clocks = clocks
        """The clocks after it; ``None`` in a match without."""
        self.used_ms = used_ms
        """How long the seat took for it, in a match with clocks."""
        self.kept: dict[Any, Any] = {}


class Lying(NamedTuple):
    """A table and what belongs to the match, not to it."""

    table: Table
    withdrawn: Withdrawals
    pending: dict[int, str]


def _dump(value: Any) -> Any:
    kind = type(value)
    return {kind.__name__: [getattr(value, name) for name in field_names(kind)]}


_pack: Final = msgspec.msgpack.Encoder(enc_hook=_dump).encode
"""Writes what :func:`~taflhall_engine.kernel.snapshot.dump` returns, without building it."""
_origin: Final = msgspec.msgpack.Decoder(Origin).decode
_places: Final = msgspec.msgpack.Decoder(tuple[Place, ...]).decode
_clocks: Final = msgspec.msgpack.Decoder(Clocks).decode
_proposal: Final = msgspec.msgpack.Decoder(Proposal).decode
_any: Final = msgspec.msgpack.Decoder().decode

UNREADABLE: Final = (msgspec.MsgspecError, ValueError, TypeError, RecursionError)
"""What reading damaged bytes may raise; a text that is no UTF-8 is a ``ValueError``."""


def pack(value: Any) -> bytes:
    """Return plain data, an origin or a roster as bytes."""
    return _pack(value)


def read_origin(data: bytes) -> Origin:
    try:
        return _origin(data)
    except UNREADABLE:
        raise StoredDataDamaged from None


def read_roster(data: bytes) -> tuple[Place, ...]:
    try:
        return _places(data)
    except UNREADABLE:
        raise StoredDataDamaged from None


def read_proposal(data: bytes) -> Proposal | None:
    """Return what is proposed, ``None`` if nothing is."""
    try:
        return _proposal(data) if data else None
    except UNREADABLE:
        raise StoredDataDamaged from None


def read_plain(data: bytes) -> Any:
    """Return plain data, or raise ``StoredDataDamaged``."""
    try:
        return _any(data)
    except UNREADABLE:
        raise StoredDataDamaged from None


def pack_deed(seat: int, command: Command[Any] | MetaCommand) -> bytes:
    """Return a deed as the chain counts it."""
    return _pack([seat, command])


def pack_entry(origin: Origin, entry: Entry, deed: bytes) -> StoredEntry:
    """Return *entry* as it is stored."""
    pending = [*entry.pending.items()]
    told = [deed, entry.events, entry.step, pending, entry.status]
    payload = _pack([*told, entry.at_ms, entry.clocks, entry.used_ms])
    place = f"{origin.match_id}/{entry.revision}"
    return StoredEntry(entry.revision, entry.head, chain.seal(origin.chain, place, payload))


def open_entry(origin: Origin, stored: StoredEntry) -> bytes:
    """Return the bytes of a stored entry, or raise ``StoredDataDamaged`` if it is not whole."""
    return chain.unseal(origin.chain, f"{origin.match_id}/{stored.revision}", stored.body)


def read_entry(game: Game, origin: Origin, stored: StoredEntry) -> Entry:
    """Return a stored entry, or raise ``StoredDataDamaged``."""
    data = read_plain(open_entry(origin, stored))
    try:
        deed, events, step, pending, status, at_ms, clocks, used_ms = data
        seat, command = _any(deed)
        return Entry(
            stored.revision,
            stored.head,
            seat,
            load(command, game.types),
            load(events, game.types),
            load(step, game.types),
            {int(s): str(i) for s, i in pending},
            str(status),
            int(at_ms),
            None if clocks is None else msgspec.convert(clocks, Clocks),
            int(used_ms),
        )
    except (SnapshotError, *UNREADABLE):
        raise StoredDataDamaged from None


def pack_table(game: Game, s: Table, more: Any) -> bytes:
    """Return a snapshot of *s*, and *more* beside it, as bytes."""
    fields = [name for name in field_names(type(s)) if name not in NOT_STORED]
    table = {name: getattr(s, name) for name in fields}
    snapshot = {"schema": SNAPSHOT, "game": game.id, "version": game.version, "table": table}
    return _pack([snapshot, more])


def pack_lying(game: Game, origin: Origin, revision: int, lying: Lying) -> bytes:
    """Return a table as it is stored after *revision* commands."""
    chance = lying.table.chance
    assert isinstance(chance, KeyedChance)
    pending = [*lying.pending.items()]
    payload = pack_table(game, lying.table, [chance.draws, lying.withdrawn, pending])
    return chain.seal(origin.chain, f"{origin.match_id}/table/{revision}", payload)


def open_lying(origin: Origin, revision: int, sealed: bytes) -> bytes:
    """Return the bytes of a stored table, or raise ``StoredDataDamaged`` if it is not whole."""
    return chain.unseal(origin.chain, f"{origin.match_id}/table/{revision}", sealed)


def read_lying(game: Game, origin: Origin, revision: int, sealed: bytes) -> Lying:
    """Return a stored table, or raise ``StoredDataDamaged`` or ``RulesTooNew``."""
    data = read_plain(open_lying(origin, revision, sealed))
    try:
        snapshot, (words, (resigned, forfeited, abandoned), pending) = data
        table = load_table(game, snapshot, KeyedChance(origin.secret, words))
        withdrawn = Withdrawals(tuple(resigned), tuple(forfeited), bool(abandoned))
        return Lying(table, withdrawn, {int(s): str(i) for s, i in pending})
    except SnapshotTooNew:
        raise RulesTooNew(match_id=origin.match_id) from None
    except (SnapshotError, ValueError, TypeError):
        raise StoredDataDamaged(match_id=origin.match_id) from None


def pack_clocks(origin: Origin, clocks: Clocks) -> bytes:
    """Return the clocks of a match as they are stored."""
    return chain.seal(origin.chain, f"{origin.match_id}/clocks", _pack(clocks))


def read_clocks(origin: Origin, sealed: bytes) -> Clocks | None:
    """Return stored clocks, ``None`` if there are none, or raise ``StoredDataDamaged``."""
    if not sealed:
        return None
    try:
        return _clocks(chain.unseal(origin.chain, f"{origin.match_id}/clocks", sealed))
    except UNREADABLE:
        raise StoredDataDamaged(match_id=origin.match_id) from None


def pack_result(result: Result) -> bytes:
    return _pack([list(part) for part in result.fields()])


def read_result(data: bytes) -> Result | None:
    """Return how a match ended, ``None`` if it has not."""
    try:
        return Result(*read_plain(data)) if data else None
    except TypeError:
        raise StoredDataDamaged from None
