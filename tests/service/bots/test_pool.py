"""The pool of bot processes: answers, its share of CPU, fairness, and processes that die."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
import uvloop

from taflhall_engine import registry
from taflhall_engine.kernel.agenda import asked
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.stand_in import choose_answer
from taflhall_service.app.ports.bots import BotFailed, BotUnavailable
from taflhall_service.bots.pool import BotPool
from tests.waiting import until

GAME = registry.game("yggdrasil")
PLIES = 300


def table(seed: int = 1):
    return GAME.new(GAME.setup_kind(seats=2), FastChance(seed))


@pytest.fixture
async def pool() -> AsyncIterator[BotPool]:
    made = BotPool(share=1.0)
    yield made
    await made.close()


def alive(pid: int) -> bool:
    """Return whether a process runs; what is left of one that nobody has waited for does not."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii")
    return False


async def test_it_answers_as_the_stand_in_does_in_this_process(pool):
    s = table()
    seat = asked(s)[0]
    expected = choose_answer(GAME, s, seat, FastChance(7), PLIES)
    assert await pool.choose("m", GAME, s, seat, 7, PLIES) == expected


async def test_a_process_that_dies_fails_its_decision_only(pool):
    s = table()
    seat = asked(s)[0]
    long = asyncio.create_task(pool.choose("m", GAME, s, seat, 1, 10_000_000))
    await until(lambda: bool(pool.processes))
    os.kill(pool.processes[0], signal.SIGKILL)
    with pytest.raises(BotUnavailable):
        await long
    assert await pool.choose("m", GAME, s, seat, 1, 1)
    assert pool.deaths == 1


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_process_that_dies_between_two_decisions_is_replaced(run):
    async def decide() -> None:
        pool, s = BotPool(share=1.0), table()
        seat = asked(s)[0]
        await pool.choose("m", GAME, s, seat, 1, 1)
        (child,) = pool.processes
        os.kill(child, signal.SIGKILL)
        await until(lambda: not alive(child))
        with pytest.raises(BotUnavailable):
            await pool.choose("m", GAME, s, seat, 1, 1)
        assert await pool.choose("m", GAME, s, seat, 1, 1)
        await pool.close()

    run(decide())


async def test_a_process_that_hangs_is_replaced():
    pool = BotPool(share=1.0, limit=5.0)
    s = table()
    seat = asked(s)[0]

    async def answers() -> bool:
        with suppress(BotUnavailable):  # a busy machine may need longer for a new process
            return bool(await pool.choose("m", GAME, s, seat, 1, 1))
        return False

    try:
        await until(answers)
        (child,) = pool.processes
        os.kill(child, signal.SIGSTOP)
        with pytest.raises(BotUnavailable):
            await pool.choose("m", GAME, s, seat, 1, 1)
        await until(answers)
    finally:
        await pool.close()
    assert not alive(child)


async def test_a_bot_that_raises_differs_from_a_process_that_dies(pool):
    with pytest.raises(BotFailed, match="ValueError"):
        await pool.choose("m", GAME, table(), 99, 1, PLIES)
    assert pool.deaths == 0


async def test_the_processes_keep_to_their_share_of_a_core():
    pool = BotPool(share=0.2)
    try:
        s = table()
        seat = asked(s)[0]
        await pool.choose("m", GAME, s, seat, 1, PLIES)
        before, began = pool.cpu_seconds, time.monotonic()
        await asyncio.gather(*[pool.choose("m", GAME, s, seat, n, PLIES) for n in range(8)])
        used = pool.cpu_seconds - before
        assert used <= 0.3 * (time.monotonic() - began)
    finally:
        await pool.close()


async def test_a_match_with_many_decisions_delays_only_itself(pool):
    s = table()
    seat = asked(s)[0]
    await pool.choose("busy", GAME, s, seat, 1, 1)
    order: list[str] = []

    async def ask(match_id: str, plies: int) -> None:
        await pool.choose(match_id, GAME, s, seat, 1, plies)
        order.append(match_id)

    busy = [asyncio.create_task(ask("busy", 3000)) for _ in range(6)]
    await asyncio.sleep(0)
    quiet = [asyncio.create_task(ask(f"quiet {n}", 1)) for n in range(3)]
    await asyncio.gather(*busy, *quiet)
    assert order[:4] == ["busy", "quiet 0", "quiet 1", "quiet 2"]


async def test_closing_leaves_no_process_and_no_caller_waiting():
    pool = BotPool()
    s = table()
    seat = asked(s)[0]
    callers = [
        asyncio.create_task(pool.choose(name, GAME, s, seat, 1, 10_000_000)) for name in "ab"
    ]
    await until(lambda: bool(pool.processes))
    (child,) = pool.processes
    await pool.close()
    for caller in callers:
        with pytest.raises(BotUnavailable):
            await caller
    assert not alive(child)
