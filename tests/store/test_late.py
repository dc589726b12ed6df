"""What was a while ago is found in every store, and by servers that have never seen the match."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import Any

from taflhall.v1 import match_service_pb2 as pb
from tests.service.local_server import LocalServer, Table, bearer, open_server
from tests.service.timed_server import DELAYED, TimedServer, join, resign, response, start, step
from tests.waiting import LIMIT_SECONDS, take

DELAY = 2.0


async def seen(table: Table, server: LocalServer, secret: str = "") -> bytes:
    request = pb.GetMatchRequest(match_id=table.id, with_view=True)
    return await response(server.match.GetMatch(request, metadata=bearer(secret)))


async def test_every_server_shows_the_same_past(connect: Any):
    async with open_server(await connect()) as one:
        table = await TimedServer(one.store, one).create(DELAYED, DELAY)
        happens: list[Any] = [
            partial(join, table, 0),
            partial(join, table, 1),
            partial(start, table),
        ]
        happens += [partial(step, table, number) for number in range(3)]
        then = [(monotonic(), await seen(table, one, table.creator))]
        for happening in [*happens, partial(resign, table)]:
            await take(0.1)  # the changes are that far apart
            await happening()
            then.append((monotonic(), await seen(table, one, table.creator)))
    states = [state for _, state in then]
    async with open_server(await connect()) as two, open_server(await connect()) as three:
        at = dict.fromkeys((two, three), 0)
        while min(at.values()) < len(states) - 1:
            for server in at:
                number = states.index(await seen(table, server))
                assert number >= at[server]
                assert not number or monotonic() >= then[number - 1][0] + DELAY
                at[server] = number
            assert monotonic() < then[-1][0] + DELAY + LIMIT_SECONDS
            await take(0.05)
