"""G1, once more and from outside: Porcupine decides whether each match is linearizable.

The checkers of :mod:`~tests.faults.checkers.order` are our own; this one hands the same history to
the published checker (``tests/faults/porcupine``, a Go program of one file).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.faults.history import NEVER, History

SOURCE: Final = Path(__file__).parents[1] / "porcupine"
BUILT: Final = Path(__file__).parents[3] / "build" / "porcupine"
SECONDS: Final = 300.0


def available() -> bool:
    """Return whether the checker can be built here; with ``CI=true`` it has to be."""
    return shutil.which("go") is not None or os.environ.get("CI") == "true"


def linearizable(history: History) -> list[str]:
    """Return the matches of *history* whose submits and reads have no linear order."""
    lines = "".join(json.dumps(operation) + "\n" for operation in operations(history))
    run = subprocess.run(
        [_checker()], input=lines, capture_output=True, text=True, timeout=SECONDS, check=True
    )
    return run.stdout.splitlines()


def operations(history: History) -> Iterator[dict[str, Any]]:
    """Yield each request once, from its first sending to its first answer, and each read."""
    requests: dict[tuple[str, Any, str], dict[str, Any]] = {}
    refused = set()
    for call in sorted(history.calls("Submit"), key=lambda call: call.sent):
        name = (call.asked["match"], call.asked["scope"], call.asked["request"])
        operation = requests.setdefault(
            name,
            {"match": name[0], "kind": "unknown", "sent": call.sent, "ended": NEVER, "most": 0},
        )
        operation["most"] = max(operation["most"], call.asked["answers"])
        if call.kind == "ok" and call.ended < operation["ended"]:
            revision, applied = call.response["revision"], call.response["applied"]
            operation.update(kind="submit", ended=call.ended, revision=revision, applied=applied)
        elif call.kind == "fail":
            refused.add(name)
    for name, operation in requests.items():
        if operation["kind"] == "submit" or name not in refused:
            yield operation
    for call in history.calls("Get"):
        if call.kind == "ok":
            yield {
                "match": call.asked["match"],
                "kind": "read",
                "sent": call.sent,
                "ended": call.ended,
                "revision": call.response["revision"],
            }


@cache
def _checker() -> Path:
    subprocess.run(
        ["go", "build", "-o", str(BUILT), "."], cwd=SOURCE, check=True, capture_output=True
    )
    return BUILT
