"""G2: a request id has one effect and one answer, for the life of its match and seat."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.faults.history import Call, History
from tests.faults.truth import Truth

Name = tuple[str, Any, str]
"""Match, scope (seat or method) and request id."""


def one_effect(history: History, truths: dict[str, Truth]) -> list[str]:
    """No request is reported both as carried out and as definitely refused."""
    broken = []
    for name, calls in _requests(history).items():
        bodies: dict[str, set[str]] = defaultdict(set)
        for call in calls:
            if call.kind != "unknown" and call.response.get("reason") != "REQUEST_ID_REUSED":
                bodies[call.asked["body"]].add(
                    "ok" if call.kind == "ok" else f"fail {call.response['reason']}"
                )
        done = [body for body, kinds in bodies.items() if "ok" in kinds]
        if len(done) > 1:
            broken.append(f"{name}: {len(done)} bodies took effect under one id")
        for body in done:
            if len(bodies[body]) > 1:
                broken.append(f"{name}: answered {sorted(bodies[body])}")
    return broken


def one_answer(history: History, truths: dict[str, Truth]) -> list[str]:
    """Every answer to the same request is the same, from every server at any time."""
    broken = []
    for name, calls in _requests(history).items():
        answers = {call.response["answer"] for call in calls if call.kind == "ok" and call.response}
        if len(answers) > 1:
            broken.append(f"{name}: {len(answers)} different answers")
        firsts = [
            call for call in calls if call.kind == "ok" and call.response.get("replayed") is False
        ]
        if len(firsts) > 1:
            broken.append(f"{name}: {len(firsts)} answers say that they are the first")
    return broken


def other_body_refused(history: History, truths: dict[str, Truth]) -> list[str]:
    """After a request was acknowledged, another body under its id is refused as such.

    And the same body is never refused so.
    """
    broken = []
    for name, calls in _requests(history).items():
        done = [call for call in calls if call.kind == "ok"]
        if not done:
            continue
        first = min(done, key=lambda call: call.ended)
        for call in calls:
            reused = call.response.get("reason") == "REQUEST_ID_REUSED"
            other = call.asked["body"] != first.asked["body"]
            if reused and not other:
                broken.append(f"{name}: refused as reused with the body that was acknowledged")
            if other and call.sent > first.ended and call.kind == "fail" and not reused:
                broken.append(f"{name}: another body was refused as {call.response['reason']}")
    return broken


def _requests(history: History) -> dict[Name, list[Call]]:
    found: dict[Name, list[Call]] = defaultdict(list)
    for call in history.calls("SubmitAnswers", "CreateMatch", "JoinMatch"):
        found[call.asked["match"], call.asked["scope"], call.asked["request"]].append(call)
    return found
