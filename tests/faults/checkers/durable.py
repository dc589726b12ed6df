"""G5 and G9: what was acknowledged is kept, wholly, and replays to what is kept."""

from __future__ import annotations

from taflhall_service.app.access.credentials import request_key
from tests.faults.history import History
from tests.faults.truth import Truth


def acknowledged_is_stored(history: History, truths: dict[str, Truth]) -> list[str]:
    """Every acknowledged request is remembered with the answer that was given.

    A request that was definitely refused is not; nor is there a match that nobody asked for.
    """
    broken = []
    for call in history.calls("SubmitAnswers"):
        asked, response = call.asked, call.response
        truth = truths.get(asked["match"])
        if truth is None:
            broken.append(f"{asked['match']}: the match is gone")
            continue
        name = request_key(str(asked["scope"]), asked["request"])
        kept = truth.answers.get(name)
        if call.kind == "ok":
            given = (response["revision"], response["applied"])
            if kept != given:
                broken.append(f"{truth.match_id}: {name} was answered {given}, stored is {kept}")
            place = (asked["scope"], given[0] - given[1] + 1, given[0])
            if (
                kept == given
                and truth.answered.get(place, response["events"]) != response["events"]
            ):
                broken.append(f"{truth.match_id}: {name} was answered with other events")
        elif call.kind == "fail" and kept is not None and response["reason"] != "REQUEST_ID_REUSED":
            broken.append(
                f"{truth.match_id}: {name} was refused ({response['reason']}), yet stored"
            )
    return broken


def whole_commits(history: History, truths: dict[str, Truth]) -> list[str]:
    """Nothing stored contradicts itself: no half commit, and every match replays (G9)."""
    return [fault for truth in truths.values() for fault in truth.faults]
