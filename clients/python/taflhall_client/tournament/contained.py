"""Runs a bot's program with limits: ``python -m ... PARENT MEMORY_MIB CPU_SECONDS COMMAND...``.

Memory, processor time, open files, size of files and core dumps are limited by ``setrlimit``. On
Linux the program ends with its parent, and has no network where the kernel allows a namespace of
its own to this user; :func:`network_is_cut` says whether it does here.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import Final

from taflhall_client.exec_with_parent import end_with_parent

OPEN_FILES: Final = 256
FILE_MIB: Final = 64
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWNET: Final = 0x40000000


def limit(kind: int, value: int) -> None:
    """Set a soft and hard limit, no higher than the present hard limit."""
    _, hard = resource.getrlimit(kind)
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, most))


def cut_network() -> bool:
    """Leave the network; return whether the kernel allowed it."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0 and libc.unshare(CLONE_NEWNET) == 0:
        return True
    return bool(libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)


def network_is_cut() -> bool:
    """Return whether contained programs have no network on this machine: tried in a child."""
    child = os.fork()
    if child == 0:
        os._exit(0 if cut_network() else 1)
    return os.waitpid(child, 0)[1] == 0


def main() -> None:
    """Set the limits and become the program."""
    parent, memory, seconds, *command = sys.argv[1:]
    end_with_parent(int(parent), signal.SIGKILL)
    cut_network()
    mib = 1 << 20
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    limit(resource.RLIMIT_FSIZE, FILE_MIB * mib)
    limit(resource.RLIMIT_CPU, int(seconds))
    limit(resource.RLIMIT_AS, int(memory) * mib)
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
