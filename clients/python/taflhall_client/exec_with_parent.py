"""Run a module that ends with its parent: ``python -m taflhall_client.exec_with_parent``.

Its arguments are ``PARENT MODULE ARGS``.

The system sends SIGTERM when the parent is gone, however it went (Linux; elsewhere the
module just runs). PARENT is its process id: if it is gone before the system can be asked to
notify, nothing is run.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def main() -> None:
    """Run the module that the command line names."""
    sys.argv.pop(0)
    parent = int(sys.argv.pop(0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit(128 + signal.SIGTERM)
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
