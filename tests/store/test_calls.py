"""Group commit: nobody waits for ever, whatever becomes of those who travel before him."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.store.redis.batcher import MOST, Calls


class Line:
    """Answers each command with itself; what raises is in *wrong*."""

    def __init__(self, wrong: BaseException) -> None:
        self.wrong: BaseException | None = wrong

    async def exchange(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        await asyncio.sleep(0.01)
        if self.wrong is not None:
            wrong, self.wrong = self.wrong, None
            raise wrong
        return list(commands)

    async def confirmed(self, commands: Any, copies: int, patience_ms: int) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize("wrong", [ConnectionResetError(), ValueError("what is this?")])
async def test_those_behind_a_pipeline_that_failed_are_answered(wrong):
    calls = Calls(Line(wrong))
    waiting = [calls.call("GET", str(number)) for number in range(MOST + 5)]
    async with asyncio.timeout(5):
        answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(answer, StoreUnavailable) for answer in answers[:MOST])
    assert answers[MOST:] == [("GET", str(number)) for number in range(MOST, MOST + 5)]
    assert await calls.call("GET", "one more") == ("GET", "one more")


async def test_those_who_wait_when_the_sender_is_cancelled_are_told():
    calls = Calls(Line(asyncio.CancelledError()))
    waiting = [calls.call("GET", str(number)) for number in range(MOST + 5)]
    async with asyncio.timeout(5):
        answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(answer, StoreUnavailable) for answer in answers)
    assert await calls.call("GET", "one more") == ("GET", "one more")
