"""Run a module that ends with its parent: ``python -m taflhall_client.exec_with_parent``.

Its arguments are ``PARENT MODULE ARGS``.

The system sends SIGTERM when the parent ends for any reason (Linux; elsewhere the module just
runs). PARENT is its process id: if it ended before this module could ask, nothing is run.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int, sent: signal.Signals = signal.SIGTERM) -> None:
    """Let the system send a signal to this process when its *parent* ends (Linux only).

    Exit if it has ended already.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, sent)
        if os.getppid() != parent:
            sys.exit(128 + sent)


def main() -> None:
    """Run the module that the command line names."""
    sys.argv.pop(0)
    end_with_parent(int(sys.argv.pop(0)))
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
