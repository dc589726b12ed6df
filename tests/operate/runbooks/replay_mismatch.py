"""Replay mismatch: a server whose memory is wrong, and a store whose disk is."""

from __future__ import annotations

import shutil
from typing import Final

from taflhall_client import errors
from taflhall_client.async_client import Client, Match
from taflhall_client.ports import HOST, free_port
from taflhall_service.store.redis.layout import match_key
from tests.faults.control.rig import Rig
from tests.faults.control.store import Store
from tests.faults.traffic.people import People, Person
from tests.operate.runbooks.crowd import refusal
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.supervisor import Unit
from tests.operate.runbooks.trial import Trial, trial
from tests.waiting import until

DRAIN_SECONDS: Final = 60.0

COMMANDS: Final = 3


async def replay_mismatch(runbook: Runbook) -> str:
    """Let a sound match be frozen, then damage it, and mend both by the page."""
    rig = Rig(1)
    async with trial(runbook, rig, STORE=rig.store.address, REDIS=rig.store.address) as on:
        (sound,) = rig.servers
        people = People([sound.address], 1)
        try:
            await _frozen_by_a_faulty_server(on, people.persons[0])
            await _damaged_in_the_store(on, people.persons[0])
            assert not people.faults, people.faults
            assert not await people.lacking()
        finally:
            await people.close()
    return f"0 of {people.commands} commands lost"


async def _frozen_by_a_faulty_server(on: Trial, person: Person) -> None:
    """Let a server freeze a match that is as its log says."""
    faulty = on.rig.add()
    faulty.rig = {"replays_wrongly": "a bit has flipped in this server"}
    await faulty.start()
    on.units["taflhall"] = Unit(faulty.start, lambda: faulty.drain(DRAIN_SECONDS))
    await on.begin()
    seat = await person.sit_down()
    on.names.update(MATCH=seat.match_id, SERVER=on.rig.servers[0].address)
    await _play(person, seat)
    async with Client(faulty.address) as client:
        await client.match(seat.match_id).get()  # from now on it checks the match
    await until(lambda: _is_frozen(on.rig.store, seat.match_id))
    await refusal(seat.submit(0), errors.StoredDataDamaged)
    await on.shows()
    assert await on.persists()
    assert "1 frozen" in await on.do(1)
    await on.do(2)
    await on.over()
    await _play(person, seat)


async def _damaged_in_the_store(on: Trial, person: Person) -> None:
    """Flip a bit of what is stored of the match, of which there is a backup."""
    store, seat = on.rig.store, person.seat
    assert seat is not None
    backup = on.rig.folder / "backup"
    shutil.copytree(store.folder / "appendonlydir", backup)
    await on.begin()
    await _flip_a_bit(store, seat.match_id)
    await until(lambda: _is_frozen(store, seat.match_id))
    await refusal(seat.submit(0), errors.StoredDataDamaged)
    await on.shows()
    assert await on.persists()
    assert f"{seat.match_id}: " in await on.do(1, status=1)
    on.names.update(
        BACKUP=str(backup),
        COPY=str(on.rig.folder / "copy"),
        COPY_PORT=str(free_port()),
        REDIS_HOST=HOST,
        REDIS_PORT=str(store.port),
    )
    await on.do(4)
    await on.over()
    assert not await store.ask("HLEN", "taflhall:damaged")
    await _play(person, seat)


async def _play(person: Person, seat: Match) -> None:
    """Let a few commands be acknowledged, too few to end a match."""
    wanted = len(person.sent) + COMMANDS
    while len(person.sent) < wanted:
        await person.command(seat)


async def _flip_a_bit(store: Store, match_id: str) -> None:
    stored = bytearray(await store.ask("HGET", match_key(match_id), "snapshot"))
    stored[len(stored) // 2] ^= 1
    await store.ask("HSET", match_key(match_id), "snapshot", bytes(stored))


async def _is_frozen(store: Store, match_id: str) -> bool:
    return bool(await store.ask("HGET", match_key(match_id), "frozen"))
