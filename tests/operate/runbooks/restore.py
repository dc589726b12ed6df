"""Restore: a store comes back empty, and a backup is put in its place."""

from __future__ import annotations

import shutil

from grpc_health.v1.health_pb2 import HealthCheckResponse

from taflhall_client import errors
from tests.faults.control.rig import Rig
from tests.faults.control.server_process import ServerProcess
from tests.faults.control.store import Store
from tests.faults.traffic.people import People
from tests.operate.runbooks.crowd import people, play_on, refusal
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.supervisor import Unit
from tests.operate.runbooks.trial import trial
from tests.waiting import until

DRAIN_SECONDS = 60.0


async def restore(runbook: Runbook) -> str:
    """Lose a Redis, then an embedded store, and restore both by the page."""
    return f"Redis: {await _redis(runbook)}; embedded: {await _embedded(runbook)}"


async def _redis(runbook: Runbook) -> str:
    rig = Rig(2)
    store = rig.store
    async with trial(runbook, rig, STORE=store.address, REDIS=store.address) as on:
        on.units["redis"] = Unit(store.start, store.stop)
        on.names.update(
            SERVER=rig.servers[0].address,
            REDIS_DATA=str(store.folder),
            BACKUP=str(rig.folder / "backup"),
        )
        async with people(rig) as crowd:
            crowd.start()
            await play_on(crowd)
            backed_up = crowd.acknowledged
            await on.prepare(1)
            await play_on(crowd)
            await crowd.pause()
            acknowledged = crowd.acknowledged
            await on.begin()
            await _come_back_empty(store)
            crowd.start()
            await on.shows()
            await until(lambda: _unready(rig.servers[0]))
            assert await on.persists()
            await on.do(1)
            await on.over()
            await play_on(crowd)
            await crowd.pause()
            return await _nothing_older_is_lost(crowd, backed_up, acknowledged)


async def _embedded(runbook: Runbook) -> str:
    rig = Rig(0, store=False)
    data = rig.folder / "data"
    async with trial(runbook, rig, DATA=str(data), STORE=f"embedded:{data}") as on:
        server = rig.add(f"embedded:{data}")
        await server.start()
        on.units["taflhall"] = Unit(server.start, lambda: server.drain(DRAIN_SECONDS))
        on.names.update(SERVER=server.address, BACKUP=str(rig.folder / "backup"))
        async with people(rig) as crowd:
            crowd.start()
            await play_on(crowd)
            backed_up = crowd.acknowledged
            await on.prepare(2)
            await play_on(crowd)
            await crowd.pause()
            acknowledged = crowd.acknowledged
            await server.kill()
            shutil.rmtree(data)
            await server.start()
            for match_id in acknowledged:
                await refusal(crowd.client.match(match_id).get(), errors.MatchNotFound)
            await on.do(2)
            await on.over()
            crowd.start()
            await play_on(crowd)
            await crowd.pause()
            return await _nothing_older_is_lost(crowd, backed_up, acknowledged)


async def _come_back_empty(store: Store) -> None:
    await store.kill()
    shutil.rmtree(store.folder)
    await store.start()


async def _unready(server: ServerProcess) -> bool:
    return await server.health("ready") == HealthCheckResponse.NOT_SERVING


async def _nothing_older_is_lost(
    crowd: People, backed_up: dict[str, int], acknowledged: dict[str, int]
) -> str:
    """Fail if a command is lost that was acknowledged before the backup began."""
    assert not crowd.faults, crowd.faults
    lost = await crowd.lacking()
    for match_id, lacks in lost.items():
        assert acknowledged[match_id] - lacks >= backed_up.get(match_id, 0), match_id
    older = sum(backed_up.values())
    return f"0 of {older} commands before the backup lost, {sum(lost.values())} after it"
