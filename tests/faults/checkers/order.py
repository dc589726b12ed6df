"""G1: one order of all commands of a match, without holes, that agrees with the clock."""

from __future__ import annotations

from collections import defaultdict

from tests.faults.history import Call, History
from tests.faults.truth import Truth


def total_order(history: History, truths: dict[str, Truth]) -> list[str]:
    """Acknowledged requests never share a revision, and none is beyond the end."""
    broken = []
    for match_id, calls in _acknowledged(history).items():
        spans: dict[tuple[int, str], tuple[int, int]] = {}
        for call in calls:
            last = call.response["revision"]
            first = last - call.response["applied"] + 1
            spans[call.asked["scope"], call.asked["request"]] = (first, last)
        at, by = 0, None
        for name, (first, last) in sorted(spans.items(), key=lambda item: item[1]):
            if first <= at:
                broken.append(f"{match_id}: {name} at {first}-{last} and {by} up to {at}")
            at, by = max(at, last), name
        truth = truths.get(match_id)
        if truth is not None and at > truth.revision:
            broken.append(f"{match_id}: {by} was acknowledged at {at}, it ends at {truth.revision}")
    return broken


def real_time_order(history: History, truths: dict[str, Truth]) -> list[str]:
    """If A was answered before B was first sent, A comes before B."""
    broken = []
    for match_id, calls in _acknowledged(history).items():
        requests: dict[tuple[int, str], list[int]] = {}
        for call in calls:
            name = (call.asked["scope"], call.asked["request"])
            sent, ended, revision = requests.get(name, [call.sent, call.ended, 0])
            requests[name] = [
                min(sent, call.sent),
                min(ended, call.ended),
                call.response["revision"],
            ]
        for name, sent in _first_sent(history, match_id).items():
            if name in requests:
                requests[name][0] = min(sent, requests[name][0])
        by_sending = sorted(requests.items(), key=lambda item: item[1][0])
        by_end = sorted(requests.items(), key=lambda item: item[1][1])
        newest, which, index = 0, None, 0
        for name, (sent, _, revision) in by_sending:
            while index < len(by_end) and by_end[index][1][1] < sent:
                if by_end[index][1][2] > newest:
                    newest, which = by_end[index][1][2], by_end[index][0]
                index += 1
            if revision <= newest:
                broken.append(f"{match_id}: {name} got {revision}, sent after {which} had {newest}")
    return broken


def reads_never_go_back(history: History, truths: dict[str, Truth]) -> list[str]:
    """A read that is sent after an answer shows at least what the answer said."""
    events: list[tuple[int, int, str, int]] = []
    for call in history.calls("SubmitAnswers", "GetMatch"):
        if call.kind != "ok":
            continue
        match_id, revision = call.asked["match"], call.response["revision"]
        events.append((call.ended, 1, match_id, revision))
        if call.asked["method"] == "GetMatch":
            events.append((call.sent, 0, match_id, call.ended))
    newest: dict[str, int] = defaultdict(int)
    floor: dict[tuple[str, int], int] = {}
    broken = []
    reads = {
        (call.asked["match"], call.ended): call
        for call in history.calls("GetMatch")
        if call.kind == "ok"
    }
    for at, order, match_id, value in sorted(events):
        if order == 0:
            floor[match_id, value] = newest[match_id]
            continue
        read = reads.get((match_id, at))
        if read is not None and read.response["revision"] < floor[match_id, at]:
            broken.append(
                f"{match_id}: {read.who} read {read.response['revision']} after "
                f"{floor[match_id, at]} had been answered"
            )
        newest[match_id] = max(newest[match_id], value)
    return broken


def _acknowledged(history: History) -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = defaultdict(list)
    for call in history.calls("SubmitAnswers"):
        if call.kind == "ok":
            found[call.asked["match"]].append(call)
    return found


def _first_sent(history: History, match_id: str) -> dict[tuple[int, str], int]:
    found: dict[tuple[int, str], int] = {}
    for line in history.lines:
        what = line.what
        if (
            line.kind == "invoke"
            and what["method"] == "SubmitAnswers"
            and what["match"] == match_id
        ):
            found.setdefault((what["scope"], what["request"]), line.at)
    return found
