"""A delayed spectator gets, byte for byte, the answers of the time that they see."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.clocked import clock_settings
from tests.service.delayed import (
    DELAY,
    MARGIN,
    TICK,
    Happening,
    much_else,
    never_begun,
    plain_match,
)
from tests.service.local_server import Table
from tests.service.timed_server import (
    DELAYED,
    everything,
    open_timed_server,
)


@pytest.mark.parametrize("clocked", [False, True])
@pytest.mark.parametrize("happenings", [plain_match, much_else, never_begun])
async def test_delayed_answers_equal_those_of_the_past_byte_for_byte(
    happenings: Callable[[Table], list[Happening]], clocked: bool
):
    async with open_timed_server() as timed:
        fields = {"time_control": clock_settings(base=900, increment=5)} if clocked else {}
        table = await timed.create(DELAYED, DELAY, **fields)
        then = [await everything(table, table.creator)]
        timed.passes(MARGIN)
        assert await everything(table) == then[0]
        for number, happens in enumerate(happenings(table), 1):
            timed.passes(TICK - MARGIN)
            await happens()
            then.append(await everything(table, table.creator))
            timed.passes(MARGIN)
            seen = max(0, number - DELAY // TICK)
            assert await everything(table) == then[seen], number
        for seen in range(len(then) - DELAY // TICK, len(then)):
            timed.passes(TICK)
            assert await everything(table) == then[max(0, seen)]
        assert then[-1]["get"] != then[-2]["get"]
        assert len({answers["get"] for answers in then}) >= len(then) - 5
