"""Failover with rewinds: a replica that was away is promoted without the last commands."""

from __future__ import annotations

import asyncio

from taflhall_client.ports import free_port
from taflhall_service.store.redis.layout import match_key
from tests.faults.control.rig import Rig
from tests.faults.control.store import Store
from tests.faults.control.topology import Sentinels
from tests.faults.traffic.people import People, Watcher
from tests.operate.runbooks.crowd import people, play_on
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.supervisor import Unit
from tests.operate.runbooks.trial import Trial, trial
from tests.waiting import until


async def failover(runbook: Runbook) -> str:
    """Lose commands by a promotion, and list them by the page."""
    rig = Rig(0, store=False)
    async with trial(runbook, rig) as on:
        stores = Sentinels(rig.children, rig.folder / "stores")
        await stores.start()
        servers = [rig.add(stores.address) for _ in range(2)]
        await asyncio.gather(*[server.start() for server in servers])
        old = stores.primary
        on.units["redis"] = Unit(old.start, old.stop)
        on.names.update(
            STORE=stores.address,
            SERVER=servers[0].address,
            REDIS_DATA=str(old.folder),
            COPY=str(rig.folder / "copy"),
            COPY_PORT=str(free_port()),
        )
        await on.begin()
        async with people(rig) as crowd:
            return await _lose(on, stores, crowd)


async def _lose(on: Trial, stores: Sentinels, crowd: People) -> str:
    old, replica = stores.primary, stores.copy
    crowd.start()
    await play_on(crowd)
    await crowd.pause()
    common = crowd.acknowledged
    await until(lambda: _has(replica, common))
    watchers = [Watcher(person.seat) for person in crowd.persons if person.seat is not None]
    watching = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    await replica.kill()
    crowd.start()
    await play_on(crowd)
    await crowd.pause()
    acknowledged = crowd.acknowledged
    await old.kill()
    await replica.start()
    await stores.failed_over()
    on.names["REDIS"] = stores.primary.address
    crowd.start()
    await on.shows()
    assert await on.persists()
    await on.do(1)
    listed = await on.do(2, status=1)
    await on.do(3)
    await on.over()
    await play_on(crowd)
    await crowd.pause()
    for task in watching:
        task.cancel()
    assert any(watcher.rewound for watcher in watchers), "no stream has announced it"
    assert not crowd.faults, crowd.faults
    lost = await crowd.lacking()
    assert lost, "nothing was lost"
    for match_id, lacks in lost.items():
        assert f"{match_id}: " in listed, f"{match_id} lost commands and is not listed:\n{listed}"
        assert acknowledged[match_id] - lacks >= common.get(match_id, 0), match_id
    return (
        f"{sum(lost.values())} commands that the replica lacked are lost, and listed by match; "
        f"0 of the {sum(common.values())} that it had"
    )


async def _has(replica: Store, known: dict[str, int]) -> bool:
    """Return whether *replica* has every command that was acknowledged."""
    for match_id, revision in known.items():
        found = await replica.ask("HGET", match_key(match_id), "revision")
        if found is None or int(found) < revision:
            return False
    return True
