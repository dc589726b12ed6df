"""YG-17.4 The logical commands of the cases, given to the engine, which judges their legality."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError, check_step
from taflhall_engine.conformance.yggdrasil.form import KNOWN_FIELDS
from taflhall_engine.conformance.yggdrasil.steps import place_of, steps_of
from taflhall_engine.kernel.agenda import Waiting, apply, check, refusal, waiting
from taflhall_engine.yggdrasil.rules.battle import BattleElves
from taflhall_engine.yggdrasil.rules.dice import TyrChoice
from taflhall_engine.yggdrasil.rules.exchange import NOTHING_TO_EXCHANGE
from taflhall_engine.yggdrasil.rules.giants import (
    MannTarget,
    SigelDistribute,
    SigelFurther,
    TiwazFurther,
    TiwazTargets,
)
from taflhall_engine.yggdrasil.rules.peek import PeekFurther, PeekReorder
from taflhall_engine.yggdrasil.rules.powers import NidhoggPull
from taflhall_engine.yggdrasil.rules.turn import OdinChoice, OdinDraw
from taflhall_engine.yggdrasil.table import YggdrasilTable

DECISIONS: Final[dict[type, str]] = {
    OdinDraw: "draw_cards",
    OdinChoice: "choose_card",
    TyrChoice: "choose_die",
    NidhoggPull: "nidhogg_pull",
    BattleElves: "battle_elves",
    SigelDistribute: "sigel_distribute",
    SigelFurther: "sigel_distribute",
    MannTarget: "mann_target",
    TiwazTargets: "tiwaz_targets",
    TiwazFurther: "tiwaz_targets",
    PeekReorder: "peek_reorder",
    PeekFurther: "peek_reorder",
}
"""YG-14.1 The logical decision that each step asks; everything else is ``choose_action``."""


def pending(s: YggdrasilTable) -> str:
    """Return the logical decision that is pending, or ``none``."""
    top = waiting(s)
    return "none" if top is None else DECISIONS.get(type(top), "choose_action")


def refused(s: YggdrasilTable, seat: int, do: str, fields: dict[str, Any]) -> str | None:
    """YG-14.5 Return the code with which the engine refuses a logical command, if it does.

    The steps before the last one are carried out on a copy, those included that the engine
    would take by itself: nothing random happens between them (YG-14.9).
    """
    for field in fields:
        if field not in KNOWN_FIELDS:
            raise CaseError(f"no command has a field {field!r}")
    twin = s.copy()
    nothing = None
    for place, command in enumerate(commands := steps_of(s, do, fields)):
        if place and not unfinished(twin):
            return nothing
        reason = refusal(twin, seat, command)
        if reason is NOTHING_TO_EXCHANGE:
            nothing = reason.code  # YG-7.5 what cannot be handed over comes first
        elif reason is not None:
            return reason.code
        if place + 1 < len(commands):
            top = twin.agenda.pop()
            assert isinstance(top, Waiting)
            top.resolve(twin, seat, command)
    return nothing


def unfinished(s: YggdrasilTable) -> bool:
    """Return whether *s* is in the middle of an answer."""
    top = s.agenda[-1]
    return isinstance(top, Waiting) and top.continues_answer


def carry_out(s: YggdrasilTable, seat: int, do: str, fields: dict[str, Any]) -> None:
    """Answer with a legal logical command, step by step; raise if a step lists wrong options."""
    commands = steps_of(s, do, fields)
    place = 0
    while True:
        check(s, seat, commands[place])
        apply(s, seat, commands[place])
        check_step(s)
        if not s.agenda or not unfinished(s):
            return
        place = place_of(s)
