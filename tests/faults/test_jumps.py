"""G13, S34: jumping clocks of servers and store cost no player time."""

from __future__ import annotations

import asyncio

import pytest

from tests.faults.control.shims import available
from tests.faults.scenarios.jumps import jumps

pytestmark = pytest.mark.skipif(not available(), reason="no C compiler for the shim")


def test_no_seat_loses_time_when_clocks_jump(settle):
    least = {"jumps of the clock of the store": 3, "matches deserted while clocks jump": 4}
    settle(asyncio.run(jumps(8, seed=1)), **least, commands=100)
