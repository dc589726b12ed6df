"""Sentinel failover and a Cluster, at levels at which nothing acknowledged may be lost (G5)."""

from __future__ import annotations

import asyncio
from typing import Any

from redis.crc import key_slot

from tests.faults.control.rig import Rig
from tests.faults.control.topology import Cluster, Sentinels
from tests.faults.scenarios.storm import Storm, storm
from tests.faults.scenarios.verdict import Verdict
from tests.waiting import until


async def failover(times: int = 1, *, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Kill the primary behind three Sentinels while a crowd plays at the level ``replicated``."""
    async with Rig(0, rig=rig, flags={"durability": "replicated"}, store=False) as on:
        sentinels = Sentinels(on.children, on.folder / "stores")
        await sentinels.start()
        servers = [on.add(sentinels.address) for _ in range(2)]
        await asyncio.gather(*[server.start() for server in servers])

        async def trouble(run: Storm) -> None:
            for _ in range(times):
                await asyncio.sleep(1.0)
                run.history.note(killed="primary")
                await sentinels.primary.kill()
                await sentinels.failed_over()
                await sentinels.copy.start()  # the Sentinels make it a copy of the new primary
                await sentinels.settled()
            await asyncio.sleep(1.0)

        verdict = await storm(
            on,
            trouble,
            seed=seed,
            tables=4,
            watchers=1,
            client=lambda: sentinels.primary.client(),  # noqa: PLW0108  (the primary changes)
        )
    verdict.figures["failovers"] = times
    return verdict


async def cluster(kills: int = 3, *, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Kill nodes of a Cluster of three, one after the other, while a crowd plays."""
    async with Rig(0, rig=rig, store=False) as on:
        nodes = Cluster(on.children, on.folder / "stores")
        await nodes.start()
        servers = [on.add(nodes.address) for _ in range(2)]
        await asyncio.gather(*[server.start() for server in servers])

        async def trouble(run: Storm) -> None:
            await asyncio.sleep(1.0)
            for number in range(kills):
                node = nodes.nodes[number % 3]
                run.history.note(killed=f"node{number % 3}")
                await node.kill()
                await asyncio.sleep(run.rng.uniform(0, 0.5))
                await node.start()
                await nodes.agrees(node)
                await asyncio.sleep(0.5)

        verdict = await storm(on, trouble, seed=seed, tables=6, watchers=1, client=nodes.client)
    verdict.figures["kills of a cluster's node"] = kills
    return verdict


async def reshard(moves: int = 100, *, seed: int = 0, rig: dict[str, Any] | None = None) -> Verdict:
    """Move the slots of matches from node to node of a Cluster while they are played."""
    async with Rig(0, rig=rig, store=False) as on:
        nodes = Cluster(on.children, on.folder / "stores")
        await nodes.start()
        servers = [on.add(nodes.address) for _ in range(2)]
        await asyncio.gather(*[server.start() for server in servers])

        async def trouble(run: Storm) -> None:
            await until(lambda: run.crowd.players)
            for _ in range(moves):
                match_id = run.rng.choice(run.crowd.players[-6:]).seat.match_id
                run.history.note(moved=match_id)
                await nodes.move_slot(key_slot(match_id.encode()), run.rng.choice(nodes.nodes))
                await asyncio.sleep(run.rng.uniform(0, 0.1))

        verdict = await storm(on, trouble, seed=seed, tables=6, watchers=1, client=nodes.client)
    verdict.figures["slots moved"] = moves
    return verdict
