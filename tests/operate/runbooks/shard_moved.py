"""Shard moved: slots of a Cluster are moved under people who play, and once only half."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from redis.crc import key_slot

from tests.faults.control.rig import Rig
from tests.faults.control.store import Store
from tests.faults.control.topology import Cluster
from tests.faults.traffic.people import People, Person
from tests.operate.runbooks.crowd import keep_all, people, play_on
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.trial import Trial, trial

SLOTS: Final = 1000
"""Slots that are moved: the lowest ones, which belong to the first node."""

SEATED: Final = 4
"""Persons whose first match lies in these slots."""


async def shard_moved(runbook: Runbook, persons: int = 8, slots: int = SLOTS) -> str:
    """Leave a slot open and close it by the page, then move *slots* under *persons*."""
    rig = Rig(0, store=False)
    async with trial(runbook, rig) as on:
        cluster = Cluster(rig.children, rig.folder / "stores")
        await cluster.start()
        servers = [rig.add(cluster.address) for _ in range(2)]
        await asyncio.gather(*[server.start() for server in servers])
        first, second, _ = cluster.nodes
        on.names.update(
            SERVER=servers[0].address,
            NODE=first.address.removeprefix("redis://"),
            FROM=await _id_of(first),
            TO=await _id_of(second),
            SLOTS=str(slots),
        )
        await on.begin()
        async with people(rig, persons, think=0.1) as crowd:
            for person in crowd.persons[:SEATED]:
                await _sit_down_below(person, slots)
            crowd.start()
            await play_on(crowd)
            await _half_moved(on, crowd.persons[0], cluster)
            return await _moved(on, crowd, slots)


async def _half_moved(on: Trial, person: Person, cluster: Cluster) -> None:
    """Begin to move the slot of a person's match, as a ``redis-cli`` that is killed would."""
    assert person.seat is not None
    slot, (first, second, _) = slot_of(person.seat.match_id), cluster.nodes
    await cluster.open_slot(slot, first, second)
    assert await cluster.move_keys(slot, first, second, most=1)
    await on.shows()
    assert await on.persists()
    assert str(slot) in await on.do(1, status=1)
    await on.do(2)
    await on.over()


async def _moved(on: Trial, crowd: People, slots: int) -> str:
    """Move slots under load; return how long a command waited."""
    calm = time.monotonic()
    await play_on(crowd)
    began, before = time.monotonic(), crowd.acknowledged
    await on.do(3)
    ended = time.monotonic()
    moved = {name: at for name, at in crowd.acknowledged.items() if slot_of(name) < slots}
    during = sum(at - before.get(name, 0) for name, at in moved.items())
    assert during > 0, "nobody played in a slot that moved"
    await on.over()
    kept = await keep_all(crowd)
    return (
        f"{slots} slots moved in {ended - began:.1f} s while {during} commands were given in them; "
        f"the longest command took {crowd.longest(began, ended) * 1000:.0f} ms "
        f"({crowd.longest(calm, began) * 1000:.0f} ms before); {kept}"
    )


async def _sit_down_below(person: Person, slots: int) -> None:
    """Open matches until one lies below *slots*."""
    while slot_of((await person.sit_down()).match_id) >= slots:
        pass


async def _id_of(node: Store) -> str:
    found: bytes = await node.ask("CLUSTER", "MYID")
    return found.decode()


def slot_of(match_id: str) -> int:
    """Return the slot of a Cluster that keeps a match."""
    return key_slot(match_id.encode())
