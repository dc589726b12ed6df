"""Measures the engine in this process, whichever it is: plain or compiled.

`python -m tests.benchmarks.sample GAME SECONDS` prints one JSON object. All times are processor
time of one process; the yardstick runs just before and after.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Table, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import canonical, dump_table, load_table
from taflhall_wire.translate import Translator, translator
from tests.benchmarks.yardstick import yardstick
from tests.engine.every_game import setups

LIMIT = 1_000_000


def sample(name: str, seconds: float) -> dict[str, Any]:
    """Return what is measured of the game called *name*."""
    game, trial = setups.game(name), setups.trial(name)
    tables = [game.new(game.setup_kind(**fields), FastChance(1)) for fields in trial.usual]
    gc.collect()
    gc.freeze()
    before = yardstick(0.3)
    plies, matches, spent = playouts(game, trial.usual, seconds)
    after = yardstick(0.3)
    middle = [advanced(s) for s in tables]
    return {
        "compiled": COMPILED,
        "yardstick": (before + after) / 2,
        "plies": plies / spent,
        "plies_per_match": plies / matches,
        **costs(game, middle, seconds / 10),
    }


def playouts(game: Game, usual: list[Any], seconds: float) -> tuple[int, int, float]:
    """Play whole random matches, setup after setup; return plies, matches and seconds."""
    laid_out = [game.setup_kind(**fields) for fields in usual]
    plies = seed = 0
    start = time.process_time()
    while True:
        for setup in laid_out:
            s = game.new(setup, FastChance(seed))
            plies += rollout(s, FastChance(seed + 1), LIMIT)
            seed += 2
        spent = time.process_time() - start
        if spent >= seconds:
            return plies, seed // 2, spent


def advanced(s: Table) -> Table:
    """Return *s* in the middle of its match."""
    whole = rollout(s.copy(), FastChance(3), LIMIT)
    rollout(s, FastChance(3), whole // 2)
    return s


def costs(game: Game, tables: list[Table], seconds: float) -> dict[str, float]:
    """Return the cost of single acts in microseconds and bytes: the mean over *tables*."""
    found: dict[str, list[float]] = {}
    for s in tables:
        for name, value in costs_of(game, s, seconds / len(tables)).items():
            found.setdefault(name, []).append(value)
    return {name: statistics.mean(values) for name, values in found.items()}


def costs_of(game: Game, s: Table, seconds: float) -> dict[str, float]:
    snapshot = dump_table(game, s)
    text = canonical(snapshot)
    seat = asked(s)[0]
    view = game.view(s, seat)
    top = s.agenda[-1]

    def unkept() -> Any:
        s.legal = None
        return options(s, seat)

    found = {
        "copy": timed(s.copy, seconds),
        "options": timed(unkept, seconds),
        "view": timed(lambda: game.view(s, seat), seconds),
        "imagine": timed(lambda: game.imagine(view, FastChance(5)), seconds),
        "dump": timed(lambda: canonical(dump_table(game, s)), seconds),
        "load": timed(lambda: load_table(game, json.loads(text), FastChance(1)), seconds),
        "snapshot_bytes": float(len(text)),
    }
    if game.id != "quay":
        found |= message_costs(translator(game), view, top, seat, options(s, seat), seconds)
    return found


def message_costs(
    wire: Translator, view: View, top: Any, seat: int, listed: list[Any], seconds: float
) -> dict[str, float]:
    return {
        "public_message": timed(lambda: wire.public_bytes(view.public), seconds),
        "private_message": timed(lambda: wire.private_bytes(view.private), seconds),
        "decision_message": timed(lambda: wire.decision_bytes(top, seat, "d", listed), seconds),
        "view_bytes": float(len(wire.view_bytes(view))),
    }


def timed(act: Callable[[], Any], seconds: float) -> float:
    """Return the microseconds of one *act*: the least of several means."""
    act()
    n = 1
    while True:
        start = time.process_time()
        for _ in range(n):
            act()
        spent = time.process_time() - start
        if spent > 0.002:
            break
        n *= 4
    rounds = max(3, int(seconds / spent))
    best = spent / n
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(n):
            act()
        best = min(best, (time.process_time() - start) / n)
    return best * 1e6


if __name__ == "__main__":
    print(json.dumps(sample(sys.argv[1], float(sys.argv[2]))))
