"""Host twenty matches, eight at a time, over one connection. Usage: many_matches.py HOST:PORT"""

import asyncio
import sys
from collections import Counter

from taflhall_client.async_client import Client
from taflhall_client.bots.random import Random
from taflhall_client.runner import MatchPlan, run


async def main(address: str) -> None:
    async with Client(address) as client:
        game = client.game("yggdrasil")
        plans = [
            MatchPlan("yggdrasil", {"seats": 2}, [Random(game, seed), Random(game, -seed)])
            for seed in range(20)
        ]
        ends: Counter[str] = Counter()
        async for outcome in run(client, plans, concurrency=8):
            ends.update(outcome.result.reasons if outcome.result else ["unfinished"])
        print(dict(ends))


asyncio.run(main(sys.argv[1]))
