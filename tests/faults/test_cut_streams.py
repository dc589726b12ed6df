"""G6: over cut and resumed streams a viewer receives every change and the end."""

from __future__ import annotations

import asyncio

import pytest

from tests import exploring
from tests.faults.cut_streams import cut_streams

STREAMS = 20_000
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_no_cut_stream_differs_from_the_model(part: int, settle):
    verdict = asyncio.run(cut_streams(STREAMS // PARTS, exploring.FIRST + part))
    settle(verdict, **{"cut streams": STREAMS // PARTS})
