"""``make runbooks``: tries each runbook of docs/runbooks.md, or those that are named.

``python -m tests.operate.runbooks [TITLE ...]``; the last line is ``N passed, N failed``. One that
cannot be tried on this machine fails.
"""

from __future__ import annotations

import asyncio
import sys
import time

from tests.operate.runbooks.scripts import SCRIPTS, try_runbook


def main() -> int:
    """Try them one after the other; return the exit status."""
    failed = 0
    titles = sys.argv[1:] or list(SCRIPTS)
    if unknown := set(titles) - SCRIPTS.keys():
        sys.exit(f"there is no runbook {', '.join(unknown)}; there are {', '.join(SCRIPTS)}")
    for title in titles:
        began = time.monotonic()
        try:
            seen = asyncio.run(try_runbook(title))
        except Exception as error:  # whatever it is, the others are tried
            failed += 1
            seen = f"FAILED: {type(error).__name__} {error}"
        print(f"{title} ({time.monotonic() - began:.0f} s): {seen}", flush=True)
    print(f"{len(titles) - failed} passed, {failed} failed")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
