"""Commands given by calls are carried out in groups while many are under way."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest

from taflhall_service.app.ports.match_store import Commit, CommitResult
from taflhall_service.rpc.command_groups import SECONDS_FOR_EACH, CommandGroups
from taflhall_service.store.memory import MemoryStore
from tests.service.local_server import limits, open_server
from tests.virtual_time import in_virtual_time, now_ms
from tests.waiting import take, until


class Commands:
    """Commands that take a while each, and when each of them began, in milliseconds."""

    def __init__(self, max_delay: float) -> None:
        self.groups = CommandGroups(max_delay)
        self.began: dict[str, int] = {}

    async def carry_out(self, name: str, seconds: float = 1.0) -> None:
        async with self.groups:
            self.began[name] = now_ms()
            await take(seconds)

    def give(self, *names: str) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self.carry_out(name)) for name in names]


@in_virtual_time
async def test_a_command_alone_begins_at_once() -> None:
    commands = Commands(0.01)
    await commands.carry_out("first")
    await commands.carry_out("second")
    assert commands.began == {"first": 0, "second": 1000}


@in_virtual_time
async def test_a_group_waits_a_millisecond_for_each_command_under_way() -> None:
    commands = Commands(0.01)
    tasks = commands.give("a", "b", "c", "d")
    await take(0.1)
    tasks += commands.give("e", "f")
    await take(0.003)
    tasks += commands.give("g")
    await asyncio.gather(*tasks)
    assert commands.began == {"a": 0, "b": 1, "c": 1, "d": 1, "e": 104, "f": 104, "g": 104}


@in_virtual_time
async def test_a_group_begins_in_the_order_of_its_commands() -> None:
    commands = Commands(0.01)
    names = ["a", "b", "c", "d", "e"]
    await asyncio.gather(*commands.give(*names))
    assert list(commands.began) == names


@in_virtual_time
async def test_no_command_waits_longer_than_the_limit() -> None:
    commands = Commands(0.01)
    tasks = commands.give(*(f"early {n}" for n in range(50)))
    await take(0.1)
    await asyncio.gather(*tasks, *commands.give("late"))
    assert commands.began["late"] == 110


@in_virtual_time
async def test_with_a_limit_of_0_no_command_waits() -> None:
    commands = Commands(0.0)
    tasks = commands.give("a", "b", "c")
    await asyncio.sleep(0)
    assert commands.began == {"a": 0, "b": 0, "c": 0}
    await asyncio.gather(*tasks)


@in_virtual_time
async def test_a_call_that_is_cancelled_holds_up_no_other() -> None:
    commands = Commands(0.01)
    first, cancelled, other = commands.give("first", "cancelled", "other")
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.gather(first, other)
    assert commands.began == {"first": 0, "other": 1}
    await commands.carry_out("alone again")
    assert commands.began["alone again"] == 1001
    assert commands.groups.under_way == 0


@in_virtual_time
async def test_a_command_that_fails_is_under_way_no_longer() -> None:
    commands = Commands(0.01)
    with pytest.raises(ValueError, match="refused"):
        async with commands.groups:
            raise ValueError("refused")
    await commands.carry_out("next")
    assert commands.began == {"next": 0}
    assert commands.groups.under_way == 0


class Held(MemoryStore):
    """Holds the commits of one match until it is let go."""

    match_id = ""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()

    async def commit(self, commit: Commit) -> CommitResult:
        if commit.match_id == self.match_id:
            await self.free.wait()
        return await super().commit(commit)


async def test_submitted_answers_wait_for_their_group() -> None:
    store = Held()
    async with open_server(store, limits(group_delay_seconds=1.0)) as server:
        held, other = await server.table(1, 1), await server.table(1, 1)
        store.match_id = held.id
        decision, next_decision = await held.decision(), await other.decision()
        tasks = [asyncio.create_task(held.submit(decision.id)) for _ in range(40)]
        groups = server.rpc.command_groups
        await until(lambda: groups.under_way == len(tasks) and not groups.waiting)
        started = monotonic()
        await other.submit(next_decision.id)
        assert monotonic() - started >= len(tasks) * SECONDS_FOR_EACH
        store.free.set()
        await asyncio.gather(*tasks, return_exceptions=True)
