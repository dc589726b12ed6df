"""Runs a bot's program with limits: ``python -m ... PARENT MEMORY CPU PROCESSES COMMAND...``.

Memory, processor time, open files, size of files and core dumps are limited by ``setrlimit``. On
Linux the program ends with its parent, and where the kernel allows this user namespaces of its own
it has no network, sees all files read-only (but for an empty ``/dev/shm``, its ``TMPDIR``), and
takes all its processes along when it ends. :func:`containment` says what holds here.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import Final

from taflhall_client.exec_with_parent import end_with_parent

OPEN_FILES: Final = 256
FILE_MIB: Final = 64
SCRATCH: Final = "/dev/shm"  # noqa: S108

NEW_MOUNTS: Final = 0x00020000
NEW_USER: Final = 0x10000000
NEW_PIDS: Final = 0x20000000
NEW_NETWORK: Final = 0x40000000
PRIVATE: Final = 1 << 14 | 1 << 18
"""``MS_REC | MS_PRIVATE``."""
MOUNT_SETATTR: Final = 442
"""The number of the system call, the same on all machines."""
HERE: Final = -100
RECURSIVE: Final = 0x8000
READ_ONLY: Final = 1

NETWORK: Final = "no network"
FILES: Final = "files are read-only"
PROCESSES: Final = "processes end with the match"
ALL: Final = (NETWORK, FILES, PROCESSES)


def limit(kind: int, value: int) -> None:
    """Set a soft and hard limit, no higher than the present hard limit."""
    _, hard = resource.getrlimit(kind)
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, most))


def isolate() -> list[str]:
    """Move to namespaces of our own; return what that achieved, of :data:`ALL`.

    The children of this process, not itself, are in the new namespace of processes.
    """
    if not sys.platform.startswith("linux"):
        return []
    libc = ctypes.CDLL(None, use_errno=True)
    apart = NEW_MOUNTS | NEW_PIDS | NEW_NETWORK
    if libc.unshare(NEW_USER | apart) == 0 or libc.unshare(apart) == 0:
        return [NETWORK, *([FILES] if _files_read_only(libc) else []), PROCESSES]
    if libc.unshare(NEW_USER | NEW_NETWORK) == 0 or libc.unshare(NEW_NETWORK) == 0:
        return [NETWORK]
    return []


def _files_read_only(libc: ctypes.CDLL) -> bool:
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    done = bool(
        libc.mount(None, b"/", None, ctypes.c_ulong(PRIVATE), None) == 0
        and libc.syscall(MOUNT_SETATTR, HERE, b"/", RECURSIVE, attributes, size) == 0
    )
    if done:
        words = f"size={FILE_MIB}m".encode()
        libc.mount(b"tmpfs", SCRATCH.encode(), b"tmpfs", ctypes.c_ulong(0), words)
        os.environ["TMPDIR"] = SCRATCH
    return done


def containment() -> list[str]:
    """Return what contained programs are kept from on this machine, of :data:`ALL`."""
    child = os.fork()
    if child == 0:
        achieved = isolate()
        os._exit(sum(1 << bit for bit, words in enumerate(ALL) if words in achieved))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return [words for bit, words in enumerate(ALL) if status > 0 and status >> bit & 1]


def main() -> None:
    """Set the limits and become the program, or the guardian of its processes."""
    parent, memory, seconds, processes, *command = sys.argv[1:]
    end_with_parent(int(parent), signal.SIGKILL)
    achieved = isolate()
    mib = 1 << 20
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    limit(resource.RLIMIT_FSIZE, FILE_MIB * mib)
    limit(resource.RLIMIT_CPU, int(seconds))
    if PROCESSES in achieved and os.geteuid() != 0:  # counted in the namespace; root has no limit
        limit(resource.RLIMIT_NPROC, int(processes))
    if PROCESSES in achieved:
        _in_child()  # the first process of the namespace, with which all others end
        _in_child()  # the program: the first process could not be ended by signals from inside
    limit(resource.RLIMIT_AS, int(memory) * mib)
    try:
        os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


def _in_child() -> None:
    """Return in a child process that ends with this one; end as the child does."""
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with_parent(os.getppid(), signal.SIGKILL)
        return
    os.close(0)
    os.close(1)
    ended, status = os.wait()
    while ended != child:  # that was an orphan of the namespace
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    if code > 128 and parent != 1:
        code = 128 - code
    if code < 0 and parent != 1:
        with contextlib.suppress(OSError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(parent, -code)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
