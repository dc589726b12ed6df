"""What no answer may be under any fault."""

from __future__ import annotations

from tests.faults.history import History
from tests.faults.truth import Truth

DISK = 3


def no_faults(history: History, truths: dict[str, Truth]) -> list[str]:
    """Nothing ends INTERNAL or UNKNOWN."""
    return [
        f"{line.who} got {line.what['code']} ({line.what.get('reason', '')})"
        for line in history.lines
        if line.kind in ("fail", "unknown") and line.what.get("code") in ("INTERNAL", "UNKNOWN")
    ]


def every_request_settles(history: History, truths: dict[str, Truth]) -> list[str]:
    """Every request comes to a definite answer, and users of the SDK see no error at all."""
    stuck = [f"no definite answer to {line.what['stuck']}" for line in history.notes("stuck")]
    seen = [f"{line.what['who']} saw {line.what['seen']}" for line in history.notes("seen")]
    return stuck + seen


def durability_as_declared(history: History, truths: dict[str, Truth]) -> list[str]:
    """Every answer names a durability that is at least what was declared (the disk)."""
    return [
        f"{call.who} got an answer kept at level {call.response['durability']}"
        for call in history.calls("SubmitAnswers")
        if call.kind == "ok" and call.response["durability"] < DISK
    ]
