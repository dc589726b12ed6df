"""No damage, in the store or in the archive, lets a match be marked as archived."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from taflhall_engine import registry
from taflhall_engine.kernel import record
from taflhall_engine.kernel.game import Result
from taflhall_engine.kernel.replay import replay
from taflhall_service.app.jobs import archiver as archiving
from taflhall_service.app.jobs.archiver import ArchiveResult, name_of
from taflhall_service.app.jobs.pruning import Pruner
from taflhall_service.app.matches.history import proved_record
from taflhall_service.app.model import codec
from taflhall_service.app.model import history_chain as chain
from taflhall_service.app.model.match import decode_match
from taflhall_service.app.ports.match_store import DueQueue
from taflhall_service.operate.verify import verify
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.operate.matches import play, server_over
from tests.operate.test_archive import archiver, files
from tests.operate.test_pruning import Sized
from tests.operate.test_selfcheck import DAMAGES, spoil_luck
from tests.service.clocked import START

Damage = Callable[[Memory, str], None]


def flip_a_bit_anywhere(number: int) -> Damage:
    """Return what flips one bit in each entry, at another place for each *number*."""

    def damage(memory: Memory, match_id: str) -> None:
        entries = memory.entries[match_id]
        at = number % len(entries)
        body = bytearray(entries[at].body)
        body[number * 7 % len(body)] ^= 1 << number % 8
        entries[at] = entries[at]._replace(body=bytes(body))

    damage.__name__ = f"flip_bit_{number}"
    return damage


def mix_in_another_history(memory: Memory, match_id: str) -> None:
    """Put an entry that was sealed for its place, but follows another head, among the others."""
    match = decode_match(memory.matches[match_id])
    entry = codec.decode_entry(match.game, match.origin, memory.entries[match_id][2])
    move = codec.encode_move(entry.seat, entry.command)
    head = chain.next_head(match.origin.chain, b"another head", entry.revision, move)
    other = codec.encode_entry(match.origin, replace(entry, head=head), move)
    memory.entries[match_id][2] = other


def shorten(memory: Memory, match_id: str) -> None:
    """Let the match be as it was a command earlier, but over."""
    found = memory.matches[match_id]
    version = found.version._replace(revision=found.version.revision - 1)
    memory.matches[match_id] = found._replace(version=version)
    memory.entries[match_id].pop()


def double(memory: Memory, match_id: str) -> None:
    entries = memory.entries[match_id]
    entries[2] = entries[1]


def change_the_result(memory: Memory, match_id: str) -> None:
    found = memory.matches[match_id]
    match = decode_match(found)
    assert match.result is not None
    won = [not won for won in match.result.won]
    other = Result(won, match.result.places, match.result.scores, match.result.reasons)
    memory.matches[match_id] = found._replace(result=codec.encode_result(other))


def change_the_secret(memory: Memory, match_id: str) -> None:
    change_the_origin(memory, match_id, secret=bytes(32))


def change_the_key_of_the_chain(memory: Memory, match_id: str) -> None:
    change_the_origin(memory, match_id, chain=bytes(32))


def change_the_id(memory: Memory, match_id: str) -> None:
    change_the_origin(memory, match_id, match_id="a" * 26)


def change_the_origin(memory: Memory, stored_id: str, **fields: Any) -> None:
    found = memory.matches[stored_id]
    origin = replace(decode_match(found).origin, **fields)
    memory.matches[stored_id] = found._replace(origin=codec.encode(origin))


STORED: list[Damage] = [
    *[damage for damage, _ in DAMAGES if damage is not spoil_luck],
    *[flip_a_bit_anywhere(number) for number in range(16)],
    mix_in_another_history,
    shorten,
    double,
    change_the_result,
    change_the_secret,
    change_the_key_of_the_chain,
    change_the_id,
]


@pytest.mark.parametrize("damage", STORED, ids=lambda damage: damage.__name__)
async def test_a_damaged_match_is_never_archived(tmp_path, damage):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server, 7)
        damage(store.memory, match_id)
        assert await archiver(store, tmp_path)[0].keep(match_id) is ArchiveResult.DAMAGED
        assert not store.memory.matches[match_id].archived
        assert not files(tmp_path)


async def test_a_match_in_the_place_of_another_is_never_archived(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        one, other = [await play(server, 7) for _ in range(2)]
        store.memory.matches[one] = store.memory.matches[other]
        store.memory.entries[one] = store.memory.entries[other]
        assert await archiver(store, tmp_path)[0].keep(one) is ArchiveResult.DAMAGED
        assert not files(tmp_path)


class Spoils(FolderArchive):
    """An archive that gives back something else than it was given."""

    def __init__(self, folder: Path, spoil: Callable[[bytes], bytes | None]) -> None:
        super().__init__(folder)
        self._spoil = spoil

    async def get(self, name: str) -> bytes | None:
        data = await super().get(name)
        return None if data is None else self._spoil(data)


def flip_the_last_digest(data: bytes) -> bytes:
    record = json.loads(data)
    last: str = record["digests"][-1]
    return data.replace(last.encode(), last[::-1].encode())


ARCHIVED: dict[str, Callable[[bytes], bytes | None]] = {
    "nothing": lambda data: None,
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "without its last byte": lambda data: data[:-1],
    "longer": lambda data: data + b"\n",
    "written otherwise": lambda data: json.dumps(json.loads(data)).encode(),
    "a bit": lambda data: data[:99] + bytes([data[99] ^ 4]) + data[100:],
    "another digest": flip_the_last_digest,
}


@pytest.mark.parametrize("spoil", ARCHIVED.values(), ids=ARCHIVED.keys())
async def test_a_match_that_the_archive_spoils_is_never_deleted(tmp_path, spoil):
    store = Sized(Memory(lambda: START))
    async with server_over(store) as server:
        match_id = await play(server, 7)
        with capture_logs() as logged:
            assert (
                await archiver(store, Spoils(tmp_path, spoil), keep=0.0)[0].keep(match_id)
                is ArchiveResult.FAILED
            )
        assert [line["why"] for line in logged if "why" in line] == ["ArchiveMismatch"]
        await Pruner(store, keep=3600.0, limit=0).scan()
        found = store.memory.matches[match_id]
        assert not found.archived
        assert store.memory.queues[DueQueue.EXPIRY] == {}
        assert await archiver(store, tmp_path)[0].keep(match_id) is ArchiveResult.KEPT
        kept = (tmp_path / name_of(match_id)).read_bytes()
        replay(registry.game("yggdrasil"), json.loads(kept))


class Stale(FolderArchive):
    """An archive that keeps what it was given first."""

    async def put(self, name: str, data: bytes) -> None:
        if await self.get(name) is None:
            await super().put(name, data)


async def test_an_archive_that_keeps_an_older_record_is_found(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id, other = [await play(server, 7) for _ in range(2)]
        archive = Stale(tmp_path)
        await archiver(store, archive)[0].keep(other)
        old = (tmp_path / name_of(other)).read_bytes()
        await archive.put(name_of(match_id), old)
        assert await archiver(store, archive)[0].keep(match_id) is ArchiveResult.FAILED
        assert not store.memory.matches[match_id].archived


async def test_a_record_that_rots_later_is_found_while_the_store_keeps_the_match(tmp_path):
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server, 7)
        await archiver(store, tmp_path)[0].keep(match_id)
        archive = FolderArchive(tmp_path)
        assert (await verify(store, archive)).sound
        path = tmp_path / name_of(match_id)
        path.write_bytes(flip_the_last_digest(path.read_bytes()))
        (fault,) = (await verify(store, archive)).faults
        assert fault.startswith(match_id)


async def test_bytes_that_do_not_read_as_what_was_proved_are_never_trusted(tmp_path, monkeypatch):
    """A fault of the machine may change a record between its proof and its bytes."""
    text = record.text

    async def then_spoilt(*known: Any) -> dict[str, Any]:
        proved = await proved_record(*known)
        monkeypatch.setattr(record, "text", lambda plain: text({**plain, "seats": ["Eve"]}))
        return proved

    monkeypatch.setattr(archiving, "proved_record", then_spoilt)
    store = MemoryStore(Memory())
    async with server_over(store) as server:
        match_id = await play(server, 7)
        assert await archiver(store, tmp_path)[0].keep(match_id) is ArchiveResult.FAILED
        assert not store.memory.matches[match_id].archived
