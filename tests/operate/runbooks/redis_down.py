"""Redis down: it is killed under people who play."""

from __future__ import annotations

from grpc_health.v1.health_pb2 import HealthCheckResponse

from tests.faults.control.rig import Rig
from tests.operate.runbooks.crowd import keep_all, people, play_on
from tests.operate.runbooks.page import Runbook
from tests.operate.runbooks.supervisor import Unit
from tests.operate.runbooks.trial import trial


async def redis_down(runbook: Runbook) -> str:
    """Kill the Redis, and start it by the page."""
    rig = Rig(2)
    async with trial(runbook, rig, REDIS=rig.store.address) as on, people(rig) as crowd:
        on.names["SERVER"] = rig.servers[0].address
        on.units["redis"] = Unit(rig.store.start, rig.store.stop)
        await on.begin()
        crowd.start()
        await play_on(crowd)
        await rig.store.kill()
        await on.shows()
        assert await on.persists()
        assert await rig.servers[0].health("live") == HealthCheckResponse.SERVING
        await on.do(1)
        await on.over()
        return await keep_all(crowd)
