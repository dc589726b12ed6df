"""YG-17 The conformance runner: cases of the logical commands, run against the engine."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.conformance.cases import Keys, check_step, differ
from taflhall_engine.conformance.yggdrasil.commands import (
    carry_out,
    pending,
    refused,
)
from taflhall_engine.conformance.yggdrasil.comparison import compare
from taflhall_engine.conformance.yggdrasil.form import seat_of
from taflhall_engine.conformance.yggdrasil.position import number, position, request, scripted
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import IllegalCommand, advance, waiting
from taflhall_engine.kernel.chance import ChanceExhausted, FastChance
from taflhall_engine.kernel.game import InvalidSetup
from taflhall_engine.yggdrasil.events import BagCleaned, BagSearched
from taflhall_engine.yggdrasil.game import Yggdrasil
from taflhall_engine.yggdrasil.ids import FURIOUS, GODS, ISLANDS
from taflhall_engine.yggdrasil.setup import lay_out
from taflhall_engine.yggdrasil.table import YggdrasilTable

PARTS: Final = ("id", "title", "refs", "when", "given", "then")
DECIDING: Final = (
    "pending",
    "pending_by",
    "pending_options",
    "options",
    "battle_total",
    "battle_strength",
    "distribute_max",
    "legal",
    "illegal",
)
"""The keys of ``then`` that look at the pending decision."""


def run_case(game: Yggdrasil, case: dict[str, Any]) -> list[str]:
    """YG-17.1 Run one case; return what differs, expected and found."""
    keys = Keys("case", case)
    for part in PARTS:
        keys.take(part)
    keys.finish()
    given = Keys("given", keys.need("given"))
    then = Keys("then", keys.need("then"))
    if given.take("phase") == "setup":
        return run_setup(game, given, keys.take("when", []), then)
    chance, islands = scripted(game.components, given)
    s = position(game.components, given, chance)
    given.finish()
    s.journal = []
    try:
        advance(s)
        check_step(s)
        found = run_commands(s, keys.take("when", []))
    except ChanceExhausted as error:
        return [f"random numbers: {error}"]
    found += compare(s, then)
    then.finish()
    drawn = [e.island for e in s.journal if isinstance(e, BagSearched | BagCleaned)]
    found += differ("draws", [ISLANDS[i] for i in islands], [ISLANDS[i] for i in drawn])
    if chance.left():
        found.append(f"{len(chance.numbers)} dice and {len(chance.draws)} draws are left")
    return found


def run_commands(s: YggdrasilTable, when: list[dict[str, Any]]) -> list[str]:
    """YG-17.4 Apply the commands; return where they are refused, or not refused as they should."""
    found: list[str] = []
    for place, entry in enumerate(when):
        step = Keys(f"when[{place}]", entry)
        do, by, at, error = (step.need("do"), *[step.take(k) for k in ("by", "at", "error")])
        fields = {k: v for k, v in entry.items() if k not in ("do", "by", "at", "error")}
        if at is not None:
            found += differ(f"when[{place}].at", at, pending(s))
        seat = decider(s, by)
        code = refused(s, seat, do, fields)
        if code != error:
            found += differ(f"when[{place}] {do}", error or "ok", code or "ok")
            return found
        if code is None:
            try:
                carry_out(s, seat, do, fields)
            except IllegalCommand as illegal:
                return [*found, f"when[{place}] {do}: refused halfway: {illegal}"]
    return found


def decider(s: YggdrasilTable, by: Any) -> int:
    """Return the seat of the god *by*, by default of the one whose decision is pending."""
    if by is None:
        top = waiting(s)
        return s.active if top is None else top.seats(s)[0]
    number(GODS, by, "by")
    return seat_of(s, by)


# ---------------------------------------------------------------- setup


def run_setup(game: Yggdrasil, given: Keys, when: list[dict[str, Any]], then: Keys) -> list[str]:
    """YG-17.6 Set up a match and check it before its first turn.

    A case that has commands, or looks at the pending decision, lets the first turn start.
    """
    create = Keys("create", given.need("create"))
    seed = create.take("seed", 1)
    given.finish()
    expected = then.take("error")
    try:
        setup = setups.from_data(game, request(create))
        game.new(setup, FastChance(1))
    except InvalidSetup as error:
        return differ("error", expected, "invalid_setup") + ([] if expected else [str(error)])
    if expected is not None:
        return differ("error", expected, None)
    s = lay_out(game.components, setup, FastChance(seed if isinstance(seed, int) else 1))
    found: list[str] = []
    if len(s.pile_sizes) > 1:
        found += piles_without_one(s.deck[::-1], s.pile_sizes)
    if "pile_sizes" in then:
        found += differ("pile_sizes", then.take("pile_sizes"), s.pile_sizes)
    if when or any(key in then for key in DECIDING):
        advance(s)
        found += run_commands(s, when)
    found += compare(s, then)
    then.finish()
    return found


def piles_without_one(deck: list[int], sizes: list[int]) -> list[str]:
    """YG-2.6 Return the piles, top first, that do not hold exactly one special card."""
    found: list[str] = []
    begin = 0
    for place, size in enumerate(sizes):
        specials = [card for card in deck[begin : begin + size] if card >= FURIOUS]
        if len(specials) != 1:
            found.append(f"pile {place}: expected one special card, found {len(specials)}")
        begin += size
    return found
