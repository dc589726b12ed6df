"""A watch of the lobby from Python: filtered, and opened again when it is lost."""

import asyncio
from typing import Any

from taflhall_client.async_client import Client
from taflhall_client.results import Status
from taflhall_testing.server import running_server
from tests.waiting import until


async def test_a_watch_follows_the_matches_of_its_filter():
    async with running_server() as server, Client(server.address) as client:
        seen: list[Any] = []

        async def watch() -> None:
            async for update in client.watch_lobby("yggdrasil", Status.OPEN):
                seen.append(update)

        watching = asyncio.create_task(watch())
        await until(lambda: server.server.calls.streams == 1)
        match = await client.create("yggdrasil", {"seats": 1}, start_when_full=True)
        await until(lambda: [u for u in seen if u.match and u.match.match_id == match.match_id])
        await match.join("Ann")
        await until(lambda: seen[-1].gone_match_id == match.match_id)
        watching.cancel()
