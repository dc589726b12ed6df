"""Repeated work continues after a failure, which is logged."""

from __future__ import annotations

import asyncio

from structlog.testing import CapturingLogger

from taflhall_service.app.errors import StoreUnavailable
from taflhall_service.app.periodic import run_periodically


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
    async with asyncio.timeout(10):
        await enough.wait()
    task.cancel()
    skipped, failed = log.calls
    assert (skipped.method_name, skipped.args) == ("warning", ("job_skipped",))
    assert skipped.kwargs["why"] == "StoreUnavailable"
    assert (failed.method_name, failed.args) == ("error", ("job_failed",))
    assert failed.kwargs["kind"] == "ValueError"
    assert "private" not in str(failed)
