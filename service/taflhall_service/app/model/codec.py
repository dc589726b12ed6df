"""Encoding and decoding of a match's stored data.

Everything is msgpack. The origin never changes; the seats change when a player joins or
leaves; the snapshot with every command; an entry is one command with its events. Snapshot
and entries are sealed: bytes that were damaged, or put in another place, are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from taflhall_engine.kernel.agenda import Answered, Command, Event, Table
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.game import Game, NpcResult, Result
from taflhall_engine.kernel.mainline import MainlineEnd, UndoableAnswer
from taflhall_engine.kernel.meta_commands import Action, MetaCommand, Withdrawals
from taflhall_engine.kernel.snapshot import SCHEMA as SNAPSHOT
from taflhall_engine.kernel.snapshot import (
    SnapshotError,
    SnapshotTooNew,
    load,
    load_table,
    stored_fields,
)
from taflhall_engine.kernel.value import getter_of
from taflhall_service.app.errors import RulesTooNew, StoredDataDamaged
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.clocks import Clocks
from taflhall_service.app.model.records import Entry, Origin, Proposal, Seat, StoredTable
from taflhall_service.app.model.tokens import decision_id
from taflhall_service.app.ports.match_store import StoredEntry

SCHEMA: Final = 1
"""The form in which matches are written; a server reads nothing of a newer one."""


TIME_CHARACTERS: Final = 12
"""Number of characters of an index key that hold the time."""


def index_key_of(origin: Origin) -> str:
    """Return the key of a match in indexes: its creation time, then its id."""
    return f"{index_prefix(origin.created_ms)}{origin.match_id}"


def index_prefix(ms: int) -> str:
    """Return the prefix of the index keys of matches created at that time."""
    return f"{ms:0{TIME_CHARACTERS}x}"


def match_of(index_key: str) -> str:
    """Return the id of the match with an index key."""
    return index_key[TIME_CHARACTERS:]


def _dump(value: Any) -> Any:
    kind = type(value)
    known = _DUMPED.get(kind)
    if known is None:
        known = _DUMPED[kind] = kind.__name__, getter_of(kind)
    name, read = known
    return {name: read(value)}


_DUMPED: Final[dict[type, tuple[str, Callable[[Any], tuple[Any, ...]]]]] = {}


_encode: Final = msgspec.msgpack.Encoder(enc_hook=_dump).encode
"""Writes what :func:`~taflhall_engine.kernel.snapshot.dump` returns, without building it."""
_origin: Final = msgspec.msgpack.Decoder(Origin).decode
_places: Final = msgspec.msgpack.Decoder(tuple[Seat, ...]).decode
_clocks: Final = msgspec.msgpack.Decoder(Clocks).decode
_proposal: Final = msgspec.msgpack.Decoder(Proposal).decode
_any: Final = msgspec.msgpack.Decoder().decode

DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, TypeError, RecursionError)
"""Exceptions of decoding damaged bytes; a text that is not UTF-8 is a ``ValueError``."""


def encode(value: Any) -> bytes:
    """Return plain data, an origin, seats or a proposal as bytes."""
    return _encode(value)


def decode_origin(data: bytes) -> Origin:
    try:
        return _origin(data)
    except DECODE_ERRORS:
        raise StoredDataDamaged from None


def decode_seats(data: bytes) -> tuple[Seat, ...]:
    try:
        return _places(data)
    except DECODE_ERRORS:
        raise StoredDataDamaged from None


def decode_proposal(data: bytes) -> Proposal | None:
    """Return the proposal, ``None`` if there is none."""
    try:
        return _proposal(data) if data else None
    except DECODE_ERRORS:
        raise StoredDataDamaged from None


def decode_plain(data: bytes) -> Any:
    """Return plain data, or raise ``StoredDataDamaged``."""
    try:
        return _any(data)
    except DECODE_ERRORS:
        raise StoredDataDamaged from None


def encode_move(seat: int, command: Action) -> bytes:
    """Return a command as the history chain hashes it."""
    return _encode([seat, command])


def encode_entry(origin: Origin, entry: Entry, move: bytes) -> StoredEntry:
    """Return *entry* as it is stored: without what the rest of it, and its match, determine."""
    new = f"{entry.revision}-"
    pending = [s if i.startswith(new) else (s, i) for s, i in entry.pending.items()]
    since = entry.at_ms - origin.created_ms
    fields = [move, _written_events(entry), entry.step, pending, since]
    more = [entry.clocks, entry.used_ms, entry.restores, entry.keyframe, entry.status]
    while more and more[-1] == _USUAL[len(more) - 1]:
        more.pop()
    payload = _encode(fields + more)
    place = _place(origin, entry.revision, entry.head)
    return StoredEntry(entry.revision, entry.head, chain.seal(origin.chain, place, payload))


def _place(origin: Origin, revision: int, head: bytes) -> str:
    return f"{origin.match_id}/{revision}/{head.hex()}"


_USUAL: Final = [None, 0, None, b"", "playing"]
"""The usual values of an entry's last fields. They are not written at its end."""


def _written_events(entry: Entry) -> list[Event | bool]:
    """Return the events; in place of one that repeats the command, only whether it is secret."""
    steps = _steps(entry.command)
    written: list[Event | bool] = []
    for event in entry.events:
        if steps and isinstance(event, Answered) and _is_step(event, entry.seat, steps[0]):
            written.append(event.secret)
            del steps[0]
        else:
            written.append(event)
    return written


def _is_step(event: Answered, seat: int, step: Command[Any]) -> bool:
    given = event.command == step and event.rule == step.RULE
    return given and event.seat == seat and not event.forced


def _read_events(game: Game, seat: int, command: Action, written: Any) -> list[Event]:
    steps = _steps(command)
    events: list[Event] = []
    for event in written:
        if not isinstance(event, bool):
            events.append(load(event, game.types))
        elif steps:
            step = steps.pop(0)
            events.append(Answered(step.RULE, seat, step, False, event))
        else:
            raise SnapshotError("more answers than steps")
    return events


def _steps(command: Action) -> list[Command[Any]]:
    return [] if isinstance(command, MetaCommand) else [*steps_of(command)]


def unseal_entry(origin: Origin, stored: StoredEntry) -> bytes:
    """Return the bytes of a stored entry, or raise ``StoredDataDamaged`` if it is not whole."""
    return chain.unseal(origin.chain, _place(origin, stored.revision, stored.head), stored.body)


def decode_entry(game: Game, origin: Origin, stored: StoredEntry) -> Entry:
    """Return a stored entry, or raise ``StoredDataDamaged``."""
    data = decode_plain(unseal_entry(origin, stored))
    try:
        move, events, step, pending, since = data[:5]
        clocks, used_ms, restores, keyframe, status = data[5:] + _USUAL[len(data) - 5 :]
        seat, written = _any(move)
        command = load(written, game.types)
        return Entry(
            stored.revision,
            stored.head,
            seat,
            command,
            _read_events(game, seat, command, events),
            load(step, game.types),
            dict([_read_pending(origin, stored, each) for each in pending]),
            str(status),
            origin.created_ms + int(since),
            None if clocks is None else msgspec.convert(clocks, Clocks),
            int(used_ms),
            None if restores is None else int(restores),
            bytes(keyframe),
        )
    except (SnapshotError, *DECODE_ERRORS):
        raise StoredDataDamaged from None


class ChainedMove(NamedTuple):
    """A move of a history, with what shows that it belongs there."""

    seat: int
    command: Action
    head: bytes
    """The head of the history after it, which follows from the head before it."""
    keyframe: bytes
    """The table after it as it is stored, if the entry holds it."""


def decode_move(game: Game, origin: Origin, stored: StoredEntry, before: bytes) -> ChainedMove:
    """Return the move of a stored entry that follows the head *before*.

    It costs half of :func:`decode_entry`. Raise ``StoredDataDamaged`` if the entry is not whole,
    or follows another head.
    """
    data = decode_plain(unseal_entry(origin, stored))
    try:
        move, keyframe = bytes(data[0]), bytes(data[8]) if len(data) > 8 else b""
        seat, written = _any(move)
        command = load(written, game.types)
    except (SnapshotError, IndexError, *DECODE_ERRORS):
        raise StoredDataDamaged from None
    if chain.next_head(origin.chain, before, stored.revision, move) != stored.head:
        raise StoredDataDamaged
    return ChainedMove(int(seat), command, stored.head, keyframe)


def _read_pending(origin: Origin, stored: StoredEntry, written: Any) -> tuple[int, str]:
    """Return a seat and the id of its decision, which is written if an earlier entry asked."""
    if isinstance(written, int):
        return written, decision_id(origin.chain, stored.head, stored.revision, written)
    seat, name = written
    return int(seat), str(name)


def encode_snapshot(game: Game, s: Table, more: Any) -> bytes:
    """Return a snapshot of *s* together with *more*, as bytes."""
    names, values = stored_fields(type(s))
    table = dict(zip(names, values(s), strict=True))
    snapshot = {"schema": SNAPSHOT, "game": game.id, "version": game.version, "table": table}
    return _encode([snapshot, more])


def encode_table(game: Game, origin: Origin, revision: int, stored_table: StoredTable) -> bytes:
    """Return a table as it is stored after *revision* commands."""
    chance = stored_table.table.chance
    assert isinstance(chance, KeyedChance)
    pending = [*stored_table.pending.items()]
    more = [chance.draws, stored_table.withdrawn, pending, stored_table.end]
    payload = encode_snapshot(game, stored_table.table, more)
    return chain.seal(origin.chain, f"{origin.match_id}/table/{revision}", payload)


def unseal_table(origin: Origin, revision: int, sealed: bytes) -> bytes:
    """Return the bytes of a stored table, or raise ``StoredDataDamaged`` if it is not whole."""
    return chain.unseal(origin.chain, f"{origin.match_id}/table/{revision}", sealed)


def decode_table(game: Game, origin: Origin, revision: int, sealed: bytes) -> StoredTable:
    """Return a stored table, or raise ``StoredDataDamaged`` or ``RulesTooNew``."""
    data = decode_plain(unseal_table(origin, revision, sealed))
    try:
        snapshot, (words, (resigned, forfeited, abandoned), pending, end) = data
        table = load_table(game, snapshot, KeyedChance(origin.secret, words))
        withdrawn = Withdrawals(tuple(resigned), tuple(forfeited), bool(abandoned))
        ids = {int(s): str(i) for s, i in pending}
        return StoredTable(table, withdrawn, ids, _end(end))
    except SnapshotTooNew:
        raise RulesTooNew(match_id=origin.match_id) from None
    except (SnapshotError, ValueError, TypeError):
        raise StoredDataDamaged(match_id=origin.match_id) from None


def _end(data: Any) -> MainlineEnd:
    last, length, undoable, settled = data
    answers = tuple(UndoableAnswer(int(before), int(seat)) for before, seat in undoable)
    return MainlineEnd(int(last), int(length), answers, int(settled))


def encode_clocks(origin: Origin, clocks: Clocks) -> bytes:
    """Return the clocks of a match as they are stored."""
    return chain.seal(origin.chain, f"{origin.match_id}/clocks", _encode(clocks))


def decode_clocks(origin: Origin, sealed: bytes) -> Clocks | None:
    """Return stored clocks, ``None`` if there are none, or raise ``StoredDataDamaged``."""
    if not sealed:
        return None
    try:
        return _clocks(chain.unseal(origin.chain, f"{origin.match_id}/clocks", sealed))
    except DECODE_ERRORS:
        raise StoredDataDamaged(match_id=origin.match_id) from None


def encode_result(result: Result) -> bytes:
    parts = [result.won, result.places, result.scores, result.reasons]
    return _encode([*parts, [] if result.npc is None else list(result.npc.fields())])


def decode_result(data: bytes) -> Result | None:
    """Return how a match ended, ``None`` if it has not."""
    try:
        if not data:
            return None
        won, places, scores, reasons, npc = decode_plain(data)
        return Result(won, places, scores, reasons, NpcResult(*npc) if npc else None)
    except (TypeError, ValueError):
        raise StoredDataDamaged from None
