"""``python -m taflhall_client.child MODULE ARGS``: runs a module that ends with its parent.

The system sends SIGTERM when the parent is gone, however it went (Linux; elsewhere the
module just runs).
"""

from __future__ import annotations

import ctypes
import runpy
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Run the module that the command line names."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    sys.argv.pop(0)
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
