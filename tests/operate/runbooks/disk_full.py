"""Disk full: a Redis that syncs each write ends when it cannot."""

from __future__ import annotations

import asyncio

from tests.faults.control.rig import Rig
from tests.faults.control.store import Store
from tests.operate.runbooks.crowd import keep_all, people, play_on
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.supervisor import Unit
from tests.operate.runbooks.trial import trial
from tests.store.small_disk import fill, small_disk
from tests.waiting import LIMIT_SECONDS


async def disk_full(runbook: Runbook) -> str:
    """Fill the disk of a Redis under people who play, and go on by the page."""
    rig = Rig(0, store=False)
    async with trial(runbook, rig) as on:
        with small_disk(rig.folder / "disk", size="8m") as disk:
            store = Store(rig.children, disk / "store")
            await store.start()
            servers = [rig.add(store.address) for _ in range(2)]
            await asyncio.gather(*[server.start() for server in servers])
            on.units["redis"] = Unit(store.start, store.stop)
            on.names.update(
                REDIS=store.address, REDIS_DATA=str(store.folder), SERVER=servers[0].address
            )
            await on.begin()
            async with people(rig) as crowd:
                crowd.start()
                await play_on(crowd)
                filler = fill(disk)
                assert store.child is not None
                assert await store.child.ended(LIMIT_SECONDS), "it writes to a full disk"
                await on.shows()
                assert await on.persists()
                assert "100%" in await on.do(1)
                filler.unlink()  # the page says to make room
                await on.do(2)
                await on.do(3)
                await on.over()
                return await keep_all(crowd)
