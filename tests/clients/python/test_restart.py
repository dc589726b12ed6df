"""A server that is killed and comes back: bots and watchers go on as if nothing had been."""

import asyncio
import signal

import pytest

from taflhall_client import async_client
from taflhall_client.bots.random import Random
from taflhall_client.ports import free_port
from taflhall_client.processes import Children
from taflhall_client.results import SeatKind, Status
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import Answered
from taflhall_engine.kernel.replay import replay
from tests.waiting import block

GAME = registry.game("champions")


class Slow(Random):
    """Plays at random and takes its time."""

    def choose(self, view, decision):
        block(0.02)
        return super().choose(view, decision)


@pytest.mark.timeout(240)
async def test_a_match_survives_a_kill_of_its_server(tmp_path):
    address = f"127.0.0.1:{free_port()}"
    args = ("taflhall_service.main", "--listen", address, "--store", f"embedded:{tmp_path}/store")
    with (tmp_path / "log").open("wb") as log, Children() as children:
        server = children.start(*args, log=log)
        async with async_client.Client(address, deadline=60.0, connect_deadline=60.0) as client:
            match = await client.create("champions", {"seats": 2}, start_when_full=True)

            halfway = asyncio.Event()
            updates = []

            async def watch():
                async for update in client.match(match.match_id).watch(view=False):
                    updates.append(update)
                    if update.revision >= 30:
                        halfway.set()

            watching = asyncio.create_task(watch())
            players = [await match.join(f"bot {seat}", kind=SeatKind.BOT) for seat in range(2)]
            plays = [
                asyncio.create_task(player.play(Slow(GAME, seat), in_thread=True))
                for seat, player in enumerate(players)
            ]
            await halfway.wait()
            server.send_signal(signal.SIGKILL)
            server.wait()
            children.start(*args, log=log)
            ends = await asyncio.gather(*plays)
            await watching
            record = await match.record()
    assert ends[0] == ends[1]
    changes = [u for u in updates if u.events]
    assert [u.revision for u in changes] == list(range(1, ends[0].revision + 1))
    assert all(isinstance(u.events[0], Answered) for u in changes)
    assert updates[-1].status is Status.FINISHED
    assert len(replay(GAME, record).moves) == ends[0].revision
