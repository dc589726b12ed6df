"""Child processes that end when their parent does, even if it is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1

_LAUNCH: Final = f"""
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl({_PR_SET_PDEATHSIG}, {int(signal.SIGTERM)})
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Asks the system for a signal at the parent's end, then becomes the program.

It does so in a process of its own: code between fork and exec is not safe once threads run.
"""


def spawn(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start *command*, the path of a program and its arguments, as a child that dies with us."""
    launch = [sys.executable, "-I", "-S", "-c", _LAUNCH, str(os.getpid())]
    return subprocess.Popen([*launch, *command], **options)


def die_with_parent() -> None:
    """Ask the system to end this process when its parent ends (Linux; elsewhere do nothing)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
