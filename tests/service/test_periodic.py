"""Repeated work continues after a failure, which is logged."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from structlog.testing import CapturingLogger

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.periodic import end_tasks, run_periodically
from tests.waiting import LIMIT_SECONDS, settle


async def test_a_failure_is_logged_and_does_not_end_the_repetition():
    log, enough = CapturingLogger(), asyncio.Event()
    failures: list[Exception | None] = [StoreUnavailable(), StoreUnavailable()]
    failures += [ValueError("private"), None]

    async def work() -> None:
        failure = failures.pop(0) if failures else None
        if failure is not None:
            raise failure
        enough.set()

    task = asyncio.create_task(run_periodically(work, 0.001, log))
    async with asyncio.timeout(LIMIT_SECONDS):
        await enough.wait()
    task.cancel()
    skipped, failed = log.calls
    assert (skipped.method_name, skipped.args) == ("warning", ("job_skipped",))
    assert skipped.kwargs["why"] == "StoreUnavailable"
    assert (failed.method_name, failed.args) == ("error", ("job_failed",))
    assert failed.kwargs["kind"] == "ValueError"
    assert "private" not in str(failed)


@pytest.mark.parametrize(("jitter", "least"), [(0.0, 10.0), (0.25, 7.5)])
async def test_the_interval_is_shortened_at_random_by_no_more_than_its_jitter(jitter, least):
    pauses: list[float] = []
    enough = asyncio.Event()

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 200:
            enough.set()
        await asyncio.sleep(0)

    async def work() -> None:
        return

    task = asyncio.create_task(run_periodically(work, 10.0, CapturingLogger(), jitter, sleep))
    async with asyncio.timeout(LIMIT_SECONDS):
        await enough.wait()
    task.cancel()
    assert least <= min(pauses)
    assert max(pauses) <= 10.0
    assert (min(pauses) < 8.0 and max(pauses) > 9.5) == bool(jitter)


async def test_a_failure_after_a_success_is_logged_again():
    log, enough = CapturingLogger(), asyncio.Event()
    outcomes = [StoreUnavailable(), StoreUnavailable(), None, StoreUnavailable()]

    async def work() -> None:
        outcome = outcomes.pop(0)
        if not outcomes:
            enough.set()
            outcomes.append(None)
        if outcome is not None:
            raise outcome

    task = asyncio.create_task(run_periodically(work, 0.0, log))
    async with asyncio.timeout(LIMIT_SECONDS):
        await enough.wait()
    await settle(3)
    task.cancel()
    assert [call.args for call in log.calls] == [("job_skipped",), ("job_skipped",)]
    assert all(call.kwargs["job"].endswith("work") for call in log.calls)


async def test_what_a_task_raises_when_it_is_cancelled_is_dropped():
    """Else the loop would report it when the task is deleted."""
    reported: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context))

    async def fails() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError

    task = asyncio.create_task(fails())
    await settle(3)
    await end_tasks(task)
    del task
    gc.collect()
    assert reported == []


async def test_a_task_that_loses_its_cancellation_is_ended_all_the_same():
    """As the Redis client loses one that arrives together with a reply."""
    lost = asyncio.Event()

    async def loses_one() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            lost.set()
        await asyncio.Event().wait()

    async def fails() -> None:
        raise ValueError

    tasks = [asyncio.create_task(work) for work in (loses_one(), fails())]
    await settle()
    async with asyncio.timeout(LIMIT_SECONDS):
        await end_tasks(*tasks, None, seconds=0.01)
    assert lost.is_set()
    assert tasks[0].cancelled()
