"""The promises, one function each: a history and the truths in, what is broken out.

``order`` has G1, ``effects`` G2, ``durable`` G5 and G9, ``watching`` the properties of G6,
``answers`` what no answer may be. :data:`PROMISES` lists all; :func:`check` asks them all. Each
function is itself tested with planted bad histories (``test_checkers.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.faults.checkers import answers, durable, effects, order, watching
from tests.faults.history import History
from tests.faults.truth import Truth

Truths = dict[str, Truth]
Promise = Callable[[History, Truths], list[str]]

PROMISES: Final[dict[str, Promise]] = {
    "G1 total order": order.total_order,
    "G1 real-time order": order.real_time_order,
    "G1 reads never go back": order.reads_never_go_back,
    "G2 one effect": effects.one_effect,
    "G2 one answer": effects.one_answer,
    "G2 other body refused": effects.other_body_refused,
    "G3 every request settles": answers.every_request_settles,
    "G5 acknowledged is stored": durable.acknowledged_is_stored,
    "G5 whole commits": durable.whole_commits,
    "G6 ordered": watching.ordered,
    "G6 unique": watching.unique,
    "G6 reliable": watching.reliable,
    "G6 atomic": watching.atomic,
    "G6 resumable": watching.resumable,
    "G6 bookmarkable": watching.bookmarkable,
    "G6 filtered": watching.filtered,
    "G6 snapshot consistent": watching.snapshot_consistent,
    "no INTERNAL, no UNKNOWN": answers.no_faults,
    "durability as declared": answers.durability_as_declared,
}


def check(history: History, truths: Truths) -> dict[str, list[str]]:
    """Return what is broken of each promise; empty lists are left out."""
    found = {name: promise(history, truths) for name, promise in PROMISES.items()}
    return {name: broken for name, broken in found.items() if broken}
