"""What was a while ago is found in every store, and by servers that have never seen the match."""

from __future__ import annotations

import asyncio
from functools import partial
from time import monotonic
from typing import Any

from taflhall.v1 import match_service_pb2 as pb
from tests.service.hall import Hall, Table, bearer, open_hall
from tests.service.onlookers import DELAYED, Slow, join, resign, start, step, told

DELAY = 2.0


async def seen(table: Table, hall: Hall, secret: str = "") -> bytes:
    request = pb.GetMatchRequest(match_id=table.id, with_view=True)
    return await told(hall.match.GetMatch(request, metadata=bearer(secret)))


async def test_every_server_tells_the_same_of_a_while_ago(doors: Any):
    async with open_hall(await doors()) as one:
        table = await Slow(one.store, one).create(DELAYED, DELAY)
        happens: list[Any] = [
            partial(join, table, 0),
            partial(join, table, 1),
            partial(start, table),
        ]
        happens += [partial(step, table, number) for number in range(3)]
        then = [(monotonic(), await seen(table, one, table.creator))]
        for happening in [*happens, partial(resign, table)]:
            await asyncio.sleep(0.1)
            await happening()
            then.append((monotonic(), await seen(table, one, table.creator)))
    states = [state for _, state in then]
    async with open_hall(await doors()) as two, open_hall(await doors()) as three:
        at = dict.fromkeys((two, three), 0)
        while min(at.values()) < len(states) - 1:
            for hall in at:
                number = states.index(await seen(table, hall))
                assert number >= at[hall]
                assert not number or monotonic() >= then[number - 1][0] + DELAY
                at[hall] = number
            assert monotonic() < then[-1][0] + DELAY + 20
            await asyncio.sleep(0.05)
