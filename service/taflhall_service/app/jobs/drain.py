"""Pausing the clocks of a server's matches before it shuts down."""

from __future__ import annotations

import asyncio

import structlog

from taflhall_service.app.matches.clock_updates import PauseClocks
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.matches.transaction import act

_log = structlog.get_logger("timers")


async def stop_clocks(matches: Matches, seconds: float) -> None:
    """Pause the clocks of all matches watched or played on this server, which shuts down.

    Stop after *seconds*, even if some clocks are not paused yet.
    """
    ids = [c.match.id for c in matches.hub.channels if c.match.origin.clock is not None]
    acts = [asyncio.create_task(act(matches, match_id, PauseClocks(True))) for match_id in ids]
    if acts:
        done, late = await asyncio.wait(acts, timeout=seconds)
        failed = len(late) + sum(task.exception() is not None for task in done)
        _log.info("clocks_stopped", matches=len(ids), failed=failed)
