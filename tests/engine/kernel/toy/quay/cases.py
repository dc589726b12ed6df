"""How a conformance case of Quay reads.

``setup`` = the setup's fields; ``luck`` = ``draws``, ``numbers``, ``orders`` in the order they
are used; ``play`` = answers such as ``"0: bid coins=3"``; ``expect`` = ``coins`` and ``asked``
(the seats that decide), ``pending`` (the step), ``refusal`` (the code for the last answer).
"""

from __future__ import annotations

from typing import Any

from quay.table import Quay
from taflhall_engine.conformance.cases import Keys, differ
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import apply, asked, refusal
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.kernel.game import Game


def run_case(game: Game, case: dict[str, Any]) -> list[str]:
    """Play *case* and return what differs from what it expects."""
    keys = Keys("case", case)
    for name in ("id", "title", "rules"):
        keys.take(name)
    rng = Keys("luck", keys.take("luck", {}))
    chance = ScriptedChance(rng.take("numbers", []), rng.take("draws", []), rng.take("orders", []))
    rng.finish()
    s = game.new(game.setup_kind(**keys.take("setup", {})), chance)
    refused = None
    for answer in keys.take("play", []):
        seat, _, text = answer.partition(": ")
        command = notation.read(text, game.types, game.labels)
        reason = refusal(s, int(seat), command)
        refused = None if reason is None else reason.code
        if reason is None:
            apply(s, int(seat), command)
    expect = Keys("expect", keys.need("expect"))
    keys.finish()
    found = found_in(game, s) | {"refusal": refused}
    differences = []
    for key, value in found.items():
        if key in expect:
            differences += differ(key, expect.take(key), value)
    expect.finish()
    return differences


def found_in(game: Game, s: Any) -> dict[str, Any]:
    """Return what a case may expect of a table."""
    assert isinstance(s, Quay)
    pending = notation.write(s.agenda[-1], game.labels) if s.agenda else ""
    return {"coins": [p.coins for p in s.players], "asked": asked(s), "pending": pending}
