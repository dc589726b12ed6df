"""Each promise's checker finds a history in which just that promise is broken, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from tests.faults.checkers import PROMISES, check
from tests.faults.history import History, read_history
from tests.faults.truth import Truth

MATCH = "m"
SEAT, SPECTATOR = 0, -1
REWOUND = pb.SNAPSHOT_CAUSE_HISTORY_REWOUND


class Scene:
    """A small good history, to be spoilt: three requests, a spectator, what is stored."""

    def __init__(self) -> None:
        self.history = History()
        self.truth = Truth(MATCH, revision=6)
        for revision in range(1, 7):
            self.truth.events[SPECTATOR, revision] = (f"e{revision}", 2)
        self.truth.views[SPECTATOR, 2] = "v2"
        self.submit("r1", 1, 2)
        self.submit("r2", 3, 4)
        self.submit("r3", 5, 6)
        self.stream = self.open()
        self.tell("snapshot", 2, cause=0, view="v2")
        for revision in (3, 4):
            self.change(revision)
        self.tell("heartbeat", 4)
        self.stream = self.open(start=4)
        for revision in (5, 6):
            self.change(revision)

    def submit(self, name: str, first: int, last: int, **fields: Any) -> None:
        """One request that is acknowledged and stored."""
        self.truth.answers[f"{SEAT}:{name}"] = (last, last - first + 1)
        self.answer(name, "ok", **self.applied(first, last, **fields))

    def applied(self, first: int, last: int, **fields: Any) -> dict[str, Any]:
        return {
            "revision": last,
            "applied": last - first + 1,
            "replayed": False,
            "durability": 3,
            "answer": f"a{last}",
            "events": "",
        } | fields

    def answer(
        self, name: str, kind: str, body: str = "", scope: int = SEAT, **fields: Any
    ) -> None:
        op = self.ask(name, body, scope)
        self.history.end(op, kind, "p", **({"code": "", "reason": ""} | fields))

    def ask(self, name: str, body: str = "", scope: int = SEAT) -> int:
        return self.history.invoke(
            "p", method="SubmitAnswers", match=MATCH, scope=scope, request=name, body=body or name
        )

    def read(self, revision: int) -> None:
        op = self.history.invoke("p", method="GetMatch", match=MATCH)
        self.history.end(op, "ok", "p", revision=revision)

    def open(self, start: int | None = None) -> int:
        return self.history.invoke(
            "w", method="WatchMatch", match=MATCH, viewer=SPECTATOR, start=start
        )

    def tell(self, update: str, revision: int, **what: Any) -> None:
        self.history.message(
            self.stream,
            "w",
            match=MATCH,
            viewer=SPECTATOR,
            revision=revision,
            update=update,
            **what,
        )

    def change(self, revision: int, events: str = "", count: int = 2) -> None:
        self.tell("change", revision, events=events or f"e{revision}", count=count)

    def broken(self) -> set[str]:
        return set(check(self.history, {MATCH: self.truth}))


def two_at_one_revision(s: Scene) -> None:
    s.submit("r4", 6, 7)
    s.truth.revision = 7


def beyond_the_end(s: Scene) -> None:
    s.submit("r4", 7, 8)


def later_but_lower(s: Scene) -> None:
    s.truth.revision = 8
    s.submit("r5", 8, 8)
    s.submit("r4", 7, 7)


def a_read_that_forgets(s: Scene) -> None:
    s.read(5)


def both_done_and_refused(s: Scene) -> None:
    s.answer("r2", "fail", reason="STALE_DECISION")


def two_bodies(s: Scene) -> None:
    s.answer("r2", "ok", body="other", **s.applied(3, 4, replayed=True))


def another_answer(s: Scene) -> None:
    s.answer("r2", "ok", **s.applied(3, 4, replayed=True, answer="b"))


def first_twice(s: Scene) -> None:
    s.answer("r2", "ok", **s.applied(3, 4))


def another_body_goes_on(s: Scene) -> None:
    s.answer("r2", "fail", body="other", reason="STALE_DECISION")


def refused_as_reused(s: Scene) -> None:
    s.answer("r2", "fail", reason="REQUEST_ID_REUSED")


def never_settled(s: Scene) -> None:
    s.history.note(stuck="r9")


def an_error_of_the_sdk(s: Scene) -> None:
    s.history.note(seen="Unreachable", who="stock1")


def lost(s: Scene) -> None:
    del s.truth.answers["0:r3"]


def the_match_is_gone(s: Scene) -> None:
    s.truth.match_id = "other"


def refused_yet_stored(s: Scene) -> None:
    s.answer("r7", "fail", reason="STALE_DECISION")
    s.truth.answers["0:r7"] = (9, 1)


def answered_with_other_events(s: Scene) -> None:
    s.truth.answered[SEAT, 5, 6] = "others"


def half_a_commit(s: Scene) -> None:
    s.truth.say("stands at 6 but has 5 entries")


def goes_backwards(s: Scene) -> None:
    s.tell("snapshot", 3, cause=0)


def comes_twice(s: Scene) -> None:
    s.change(6)


def comes_again_after_a_token(s: Scene) -> None:
    s.stream = s.open(start=6)
    s.change(6)


def left_out(s: Scene) -> None:
    s.stream = s.open(start=4)
    s.change(6)


def never_sent(s: Scene) -> None:
    s.history.note(behind=MATCH, viewer=SPECTATOR, at=4, newest=6)


def split(s: Scene) -> None:
    s.stream = s.open(start=5)
    s.change(6, "half", 1)


def tells_too_much(s: Scene) -> None:
    s.stream = s.open(start=5)
    s.change(6, "secret")


def begins_anew(s: Scene) -> None:
    s.stream = s.open(start=5)
    s.tell("snapshot", 6, cause=0)


def false_rewind(s: Scene) -> None:
    s.stream = s.open(start=5)
    s.tell("snapshot", 6, cause=REWOUND)


def early_bookmark(s: Scene) -> None:
    s.stream = s.open(start=4)
    s.tell("heartbeat", 6)


def wrong_view(s: Scene) -> None:
    s.stream = s.open()
    s.tell("snapshot", 2, cause=0, view="v3")


def internal(s: Scene) -> None:
    s.answer("r8", "unknown", code="INTERNAL")


def weak(s: Scene) -> None:
    s.answer("r3", "ok", **s.applied(5, 6, replayed=True, durability=2))


SPOILT: dict[Callable[[Scene], None], set[str]] = {
    two_at_one_revision: {"G1 total order"},
    beyond_the_end: {"G1 total order"},
    later_but_lower: {"G1 real-time order"},
    a_read_that_forgets: {"G1 reads never go back"},
    both_done_and_refused: {"G2 one effect", "G5 acknowledged is stored"},
    two_bodies: {"G2 one effect"},
    another_answer: {"G2 one answer"},
    first_twice: {"G2 one answer"},
    another_body_goes_on: {"G2 other body refused", "G5 acknowledged is stored"},
    refused_as_reused: {"G2 other body refused"},
    never_settled: {"G3 every request settles"},
    an_error_of_the_sdk: {"G3 every request settles"},
    lost: {"G5 acknowledged is stored"},
    the_match_is_gone: {"G5 acknowledged is stored"},
    refused_yet_stored: {"G5 acknowledged is stored"},
    answered_with_other_events: {"G5 acknowledged is stored"},
    half_a_commit: {"G5 whole commits"},
    goes_backwards: {"G6 ordered"},
    comes_twice: {"G6 unique"},
    comes_again_after_a_token: {"G6 unique"},
    left_out: {"G6 reliable"},
    never_sent: {"G6 reliable"},
    split: {"G6 atomic"},
    tells_too_much: {"G6 filtered"},
    begins_anew: {"G6 resumable"},
    false_rewind: {"G6 resumable"},
    early_bookmark: {"G6 bookmarkable"},
    wrong_view: {"G6 snapshot consistent"},
    internal: {"no INTERNAL, no UNKNOWN"},
    weak: {"durability as declared"},
}


def test_a_good_history_breaks_no_promise():
    assert Scene().broken() == set()


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_spoilt_history_breaks_just_the_promise_that_was_spoilt(spoil):
    scene = Scene()
    spoil(scene)
    truths = {scene.truth.match_id: scene.truth}
    assert set(check(scene.history, truths)) == SPOILT[spoil]


def test_every_promise_can_be_broken():
    assert set().union(*SPOILT.values()) == set(PROMISES)


def test_a_known_rewind_may_be_reported():
    scene = Scene()
    scene.history.note(causes=[REWOUND])
    scene.stream = scene.open(start=5)
    scene.tell("snapshot", 2, cause=REWOUND, view="v2")
    assert scene.broken() == set()


def test_a_call_without_an_end_may_have_happened_or_not():
    scene = Scene()
    scene.ask("r4")
    assert scene.broken() == set()
    scene.truth.answers["0:r4"] = (7, 1)
    scene.truth.revision = 7
    assert scene.broken() == set()


def test_a_history_reads_back_as_it_was_written(tmp_path):
    path = tmp_path / "history.jsonl"
    history = History(path)
    op = history.invoke("p", method="GetMatch", match=MATCH)
    history.end(op, "ok", "p", revision=1)
    history.note(killed="store")
    history.close()
    assert read_history(path).lines == history.lines
