"""The script of each runbook, and how one is tried."""

from __future__ import annotations

import os
import shutil
from collections.abc import Awaitable, Callable
from typing import Final

from tests.operate.runbooks.disk_full import disk_full
from tests.operate.runbooks.failover import failover
from tests.operate.runbooks.leaked_secret import leaked_secret
from tests.operate.runbooks.page import PAGE, Runbook, read_runbooks
from tests.operate.runbooks.redis_down import redis_down
from tests.operate.runbooks.replay_mismatch import replay_mismatch
from tests.operate.runbooks.restore import restore
from tests.operate.runbooks.shard_moved import shard_moved
from tests.operate.runbooks.stuck_match import stuck_match

SCRIPTS: Final[dict[str, Callable[[Runbook], Awaitable[str]]]] = {
    "Redis down": redis_down,
    "Failover with rewinds": failover,
    "Disk full": disk_full,
    "Leaked secret": leaked_secret,
    "Stuck match": stuck_match,
    "Replay mismatch": replay_mismatch,
    "Restore": restore,
    "Shard moved": shard_moved,
}

QUICK: Final = ("Redis down", "Disk full", "Leaked secret", "Replay mismatch")
"""Those that ``make test`` tries: they take a few seconds each on a quiet machine."""


def lacking() -> str:
    """Return why no runbook can be tried here; empty if they can. With ``CI=true`` they have to."""
    if shutil.which("redis-cli") or os.environ.get("CI") == "true":
        return ""
    return "redis-cli is not installed"


async def try_runbook(title: str) -> str:
    """Try a runbook; return what was seen in one line, or raise ``AssertionError``."""
    runbook = read_runbooks(PAGE.read_text("utf-8"))[title]
    seen = await SCRIPTS[title](runbook)
    left = runbook.commands.keys() - runbook.done
    assert not left, f"{title}: the script never ran {left}"
    return seen
