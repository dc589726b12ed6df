"""G14: malformed input is refused as such and never causes a fault of the server."""

from __future__ import annotations

import asyncio

import pytest

from tests import exploring
from tests.faults.fuzz.volume import volume
from tests.faults.fuzz.wire import wire

MESSAGES = 50_000


@pytest.mark.parametrize("seed", [1, 2])
def test_no_message_ends_in_a_fault(seed, settle):
    verdict = asyncio.run(volume(MESSAGES, exploring.FIRST + seed))
    settle(verdict, **{"fuzzed messages": MESSAGES, "kinds of answers": 12})


def test_no_message_over_a_socket_ends_in_a_fault(settle):
    verdict = asyncio.run(wire(1000, exploring.FIRST))
    settle(verdict, **{"fuzzed messages over a socket": 1000})
