"""Host a match between two bots and watch it as a spectator. Usage: watch.py HOST:PORT"""

import asyncio
import sys

from taflhall_client.async_client import Client, Match
from taflhall_client.bots.random import Random
from taflhall_client.results import SeatKind
from taflhall_client.terminal import event_text


async def watch(match: Match) -> None:
    """Print every event until the match is over; the watch reconnects by itself."""
    game = match.transport.game("yggdrasil")
    names: list[str] = []
    async for update in match.watch(view=False):
        if update.match is not None:
            names = [seat.name for seat in update.match.seats]
        for event in update.events:
            if line := event_text(game, event, names, "en"):
                print(update.revision, line)


async def main(address: str) -> None:
    async with Client(address) as client:
        match = await client.create("yggdrasil", {"seats": 2}, start_when_full=True)
        spectator = asyncio.create_task(watch(client.match(match.match_id)))
        ask = await match.join("Ask", kind=SeatKind.BOT)
        embla = await match.join("Embla", kind=SeatKind.BOT)
        game = client.game("yggdrasil")
        await asyncio.gather(ask.play(Random(game, 1)), embla.play(Random(game, 2)))
        await spectator


asyncio.run(main(sys.argv[1]))
