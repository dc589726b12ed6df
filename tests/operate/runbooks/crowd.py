"""The people of a trial: what they were told before and after must still be true."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TypeVar

from taflhall_client.errors import TaflhallError
from tests.faults.control.rig import Rig
from tests.faults.traffic.people import People
from tests.waiting import until

E = TypeVar("E", bound=TaflhallError)

COMMANDS = 24
"""Commands that people give before something goes wrong, and again when it is over."""


@asynccontextmanager
async def people(rig: Rig, count: int = 4, think: float = 0.05) -> AsyncIterator[People]:
    """Yield people who know all servers of *rig*; they do not play yet."""
    crowd = People([server.address for server in rig.servers], count, think=think)
    try:
        yield crowd
    finally:
        await crowd.close()


async def refusal(call: Awaitable[object], kind: type[E]) -> E:
    """Return the error of *kind* with which *call* must fail."""
    try:
        await call
    except kind as error:
        return error
    raise AssertionError(f"there was no {kind.__name__}")


async def play_on(crowd: People, commands: int = COMMANDS) -> None:
    """Return when so many further commands are acknowledged."""
    wanted = crowd.commands + commands
    await until(lambda: crowd.commands >= wanted)


async def keep_all(crowd: People) -> str:
    """Let people play on; fail unless everything is kept that was ever acknowledged to them."""
    await play_on(crowd)
    await crowd.pause()
    assert not crowd.faults, crowd.faults
    lacking = await crowd.lacking()
    assert not lacking, f"acknowledged and lost: {lacking}"
    return f"0 of {crowd.commands} commands lost"
