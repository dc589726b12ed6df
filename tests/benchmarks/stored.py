"""The bytes of store that a command takes: its entry, and the reply that is remembered for it."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

import redis.asyncio
import uvloop

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.channel import new_request_id
from taflhall_engine import registry
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.watching.channels import Hub
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.server import Server
from taflhall_service.store.address import open_store
from taflhall_service.store.embedded import Embedded
from taflhall_service.store.redis.layout import keys_of
from tests.benchmarks.handler import Handlers
from tests.benchmarks.report import figure, table, write_section

GOAL: Final = 250
MATCHES: Final = 16
"""Matches of each game that are played to their end."""

TEXT: Final = f"""\
{MATCHES} whole matches of each game with two seats and no clocks, random options, request ids of 32
characters as the Python client makes them; bytes for each command. Written are its entry (the
entry of every 64th holds the table), and the key and value of the reply that is remembered for
it. In memory is what Redis says of these two keys (`MEMORY USAGE`), divided by the commands.

{{table}}

Goal: at most {GOAL} bytes written for a command of Yggdrasil. Before entries left out what follows
from their command and head, and before keys and digests were shortened (0a1f8c8d), 402, 330 and 365
bytes were written, and 487, 397 and 461 in memory."""


async def play(handlers: Handlers, game: str, rng: random.Random) -> str:
    """Play a match to its end; return its id."""
    seat = await handlers.open_match(game)
    while True:
        option = rng.randrange(len(seat.decision.options))
        request = pb.SubmitAnswersRequest(
            match_id=seat.match_id,
            decision_id=seat.decision.id,
            request_id=new_request_id(),
            answers=[pb.DecisionAnswer(option=option)],
            with_options=True,
        )
        answer = await handlers.call(request, pb.SubmitAnswersResponse, seat.metadata)
        if answer.status == match_pb2.MATCH_STATUS_FINISHED:
            return seat.match_id
        seat.decision = answer.decision
        if not seat.decision.options:
            await handlers.look(seat)


async def measure(client: Any, match_ids: list[str]) -> dict[str, float]:
    """Return the bytes of a command in these matches, by part."""
    found: Counter[str] = Counter()
    for match_id in match_ids:
        _, log, replies = keys_of(match_id)
        for _, entry in await client.xrange(log):
            found["commands"] += 1
            found["entry"] += sum(map(len, entry.values()))
        for key, reply in (await client.hgetall(replies)).items():
            found["reply"] += len(key) + len(reply)
        for key in (log, replies):
            found["memory"] += await client.memory_usage(key, samples=0)
    return {part: found[part] / found["commands"] for part in ("entry", "reply", "memory")}


async def every_game() -> dict[str, dict[str, float]]:
    """Return the bytes of a command of each game, by part."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        embedded = Embedded(Path(folder))
        await embedded.start()
        client: Any = redis.asyncio.Redis.from_url(embedded.address)
        store = await open_store(embedded.address, Durability.MEMORY)
        matches = Matches(store, Hub(store), Limits(), await store.key(), tables=64)
        server = Server(Spectators(matches), Limits(), Meter(), reflect=False, share_port=False)
        await matches.store_clock.send_heartbeat()
        handlers, found = Handlers(server), {}
        for game in registry.GAMES:
            ids = [await play(handlers, game, rng) for _ in range(MATCHES)]
            found[game] = await measure(client, ids)
        await store.close()
        await client.aclose()
        await embedded.stop()
    return found


def main() -> bool:
    """Measure, print and write down the bytes; return whether the goal was reached."""
    found = uvloop.run(every_game())
    written = {game: parts["entry"] + parts["reply"] for game, parts in found.items()}
    rows = [
        [
            registry.game(game).title,
            *map(figure, (parts["entry"], parts["reply"], written[game], parts["memory"])),
        ]
        for game, parts in found.items()
    ]
    text = TEXT.format(table=table(["", "entry", "reply", "written", "in memory"], rows))
    print(text)
    write_section("stored", "Bytes of a command", "python -m tests.benchmarks --only stored", text)
    return written["yggdrasil"] <= GOAL
