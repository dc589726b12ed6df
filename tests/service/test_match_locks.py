"""The lock under which a process changes a match."""

from __future__ import annotations

import asyncio

import pytest

from taflhall_service.app.matches.locks import MatchLocks


async def hold(locks: MatchLocks, match_id: str, name: str, order: list[str]) -> None:
    await locks.acquire(match_id)
    order.append(name)
    await asyncio.sleep(0)
    locks.release(match_id)


async def test_those_who_wait_for_a_match_get_it_one_by_one_in_their_order():
    locks, order = MatchLocks(), list[str]()
    await locks.acquire("a")
    waiting = [asyncio.create_task(hold(locks, "a", name, order)) for name in ("one", "two")]
    await asyncio.sleep(0)
    assert order == []
    locks.release("a")
    await asyncio.gather(*waiting)
    assert order == ["one", "two"]
    assert not len(locks)


async def test_another_match_is_free():
    locks, order = MatchLocks(), list[str]()
    await locks.acquire("a")
    await hold(locks, "b", "one", order)
    assert order == ["one"]


@pytest.mark.parametrize("handed_over", [False, True])
async def test_one_who_is_cancelled_does_not_keep_the_others_waiting(handed_over: bool):
    locks, order = MatchLocks(), list[str]()
    await locks.acquire("a")
    waiting = [asyncio.create_task(hold(locks, "a", name, order)) for name in ("one", "two")]
    await asyncio.sleep(0)
    if handed_over:
        locks.release("a")
    waiting[0].cancel()
    if not handed_over:
        locks.release("a")
    await asyncio.gather(*waiting, return_exceptions=True)
    assert order == ["two"]
    assert not len(locks)
