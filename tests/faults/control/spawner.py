"""The process from which all others are forked: it has imported the service and does nothing.

One order a line on standard input, one answer a line on standard output, both JSON:

* ``{"run": "module:function", "argv": [...], "env": {...}, "log": path}`` forks a process that
  calls the function; ``{"exec": [program, ...], ...}`` one that becomes the program. The answer
  is its process id.
* ``{"reap": pid}`` waits for a process that has ended; the answer is its exit status (negative:
  the signal that ended it).

When standard input closes it ends, and every process that it forked is killed with it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
from importlib import import_module
from typing import Any

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Take orders until standard input closes."""
    die_with_parent()
    import_module("tests.faults.server").warm()
    gc.freeze()
    _say({"ready": os.getpid()})
    orders = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115
    while line := orders.readline():
        order = json.loads(line)
        if "reap" in order:
            _, status = os.waitpid(order["reap"], 0)
            _say({"status": os.waitstatus_to_exitcode(status)})
            continue
        pid = os.fork()
        if not pid:
            _become(order)
        _say({"pid": pid})


def die_with_parent() -> None:
    """Ask to be killed when the parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _say(answer: dict[str, Any]) -> None:
    os.write(1, json.dumps(answer).encode() + b"\n")


def _become(order: dict[str, Any]) -> None:
    status = 1
    try:
        die_with_parent()
        log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((nothing, 0), (log, 1), (log, 2)):
            os.dup2(source, target)
        os.environ.update(order.get("env", {}))
        if "exec" in order:
            os.execv(order["exec"][0], order["exec"])
        module, _, function = order["run"].partition(":")
        sys.argv = [module, *order.get("argv", [])]
        getattr(import_module(module), function)()
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    main()
