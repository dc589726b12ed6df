"""``make runbooks``: tries each runbook of docs/runbooks.md, or those that are named.

``python -m tests.operate.runbooks [TITLE ...]``; the last line is ``N passed, N failed``. One that
cannot be tried on this machine fails.
"""

from __future__ import annotations

import asyncio
import sys
import time

from tests.operate.runbooks.scripts import SCRIPTS, try_runbook
from tests.store.small_disk import CannotMount


def main() -> int:
    """Try them one after the other; return the exit status."""
    failed = 0
    titles = sys.argv[1:] or list(SCRIPTS)
    for title in titles:
        began = time.monotonic()
        try:
            seen = asyncio.run(try_runbook(title))
        except (AssertionError, CannotMount, OSError, RuntimeError) as error:
            failed += 1
            seen = f"FAILED: {error}"
        print(f"{title} ({time.monotonic() - began:.0f} s): {seen}", flush=True)
    print(f"{len(titles) - failed} passed, {failed} failed")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
