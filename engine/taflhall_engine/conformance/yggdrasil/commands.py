"""YG-17.4, YG-6.8 The logical commands of the cases: which decision they answer, and whether.

A case says ``asgard {enemy, vikings}`` where the engine asks for the enemy first and for the
Vikings next. :func:`refused` finds the error code of a logical command in the order of
YG-6.8; :mod:`steps` then answers the engine's decisions one after the other.
"""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError
from taflhall_engine.conformance.yggdrasil.form import (
    KNOWN_FIELDS,
    UNKNOWN,
    malformed,
    number,
    seat_of,
)
from taflhall_engine.conformance.yggdrasil.steps import first_command
from taflhall_engine.kernel.agenda import Command, waiting
from taflhall_engine.yggdrasil.ids import ENEMIES, VANAHEIM
from taflhall_engine.yggdrasil.rules.battle import (
    BattleElves,
)
from taflhall_engine.yggdrasil.rules.dice import TyrChoice
from taflhall_engine.yggdrasil.rules.exchange import (
    Niflheim,
)
from taflhall_engine.yggdrasil.rules.giants import (
    MannTarget,
    SigelDistribute,
    TiwazTargets,
    movable,
)
from taflhall_engine.yggdrasil.rules.powers import NidhoggPull
from taflhall_engine.yggdrasil.rules.turn import OdinChoice, OdinDraw
from taflhall_engine.yggdrasil.rules.use import barred
from taflhall_engine.yggdrasil.rules.vanaheim import (
    PeekReorder,
)
from taflhall_engine.yggdrasil.table import YggdrasilTable

DECISIONS: Final[dict[type, str]] = {
    OdinDraw: "draw_cards",
    OdinChoice: "choose_card",
    TyrChoice: "choose_die",
    NidhoggPull: "nidhogg_pull",
    BattleElves: "battle_elves",
    SigelDistribute: "sigel_distribute",
    MannTarget: "mann_target",
    TiwazTargets: "tiwaz_targets",
    PeekReorder: "peek_reorder",
}
"""YG-14.1 The logical decision that each step asks; everything else is ``choose_action``."""

ANSWERS: Final[dict[str, list[str]]] = {
    "draw_cards": ["draw_cards"],
    "choose_card": ["choose_card"],
    "choose_die": ["choose_die"],
    "choose_enemy": ["nidhogg_pull", "mann_target"],
    "commit_elves": ["battle_elves"],
    "distribute": ["sigel_distribute"],
    "choose_enemies": ["tiwaz_targets"],
    "reorder": ["peek_reorder"],
}
"""Which decisions a command answers; the others answer ``choose_action``."""


def pending(s: YggdrasilTable) -> str:
    """Return the logical decision that is pending, or ``none``."""
    top = waiting(s)
    return "none" if top is None else DECISIONS.get(type(top), "choose_action")


def refused(s: YggdrasilTable, seat: int, do: str, fields: dict[str, Any]) -> str | None:
    """YG-6.8 Return the error code of a logical command, or ``None`` if it is legal."""
    for field in fields:
        if field not in KNOWN_FIELDS:
            raise CaseError(f"no command has a field {field!r}")
    top = waiting(s)
    if top is None:
        return "game_over"
    if seat not in top.seats(s):
        return "not_your_decision"
    if malformed(s, do, fields):
        return "bad_request"
    if pending(s) not in ANSWERS.get(do, ["choose_action"]):
        return "wrong_decision"
    if do in WHOLE:
        code: str | None = WHOLE[do](s, fields)
        return code
    command = first_command(s, do, fields)
    if command is None:
        reason = barred(s, VANAHEIM)
        return "invalid_target" if reason is None else reason.code
    refusal = top.refusal(s, seat, command)
    if do == "niflheim" and (refusal is None or refusal.code == "no_effect"):
        return refused_exchange(s, seat, command, fields)
    if refusal is not None:
        return refusal.code
    if do in ("asgard", "jotunheim") and fields.get("vikings", 0) > s.vikings[seat]:
        return "not_enough_vikings"
    return None


# ---------------------------------------------------------------- answers given in several steps


def refused_exchange(
    s: YggdrasilTable, seat: int, command: Command[Any], fields: dict[str, Any]
) -> str | None:
    """YG-7.5 Return why the numbers of an exchange are wrong."""
    assert isinstance(command, Niflheim)
    gives = fields.get("give_vikings", 0), fields.get("give_elves", 0)
    takes = fields.get("take_vikings", 0), fields.get("take_elves", 0)
    if sum(gives) + sum(takes) == 0:
        return "no_effect"
    if gives[0] > s.vikings[seat] or takes[0] > s.vikings[command.partner]:
        return "not_enough_vikings"
    if gives[1] > s.elves[seat] or takes[1] > s.elves[command.partner]:
        return "not_enough_elves"
    return None


def refused_shares(s: YggdrasilTable, fields: dict[str, Any]) -> str | None:
    """YG-9.5 Return why the shares of Sigel are wrong."""
    top = waiting(s)
    assert isinstance(top, SigelDistribute)
    shares = fields["allocation"]
    if any(seat_of(s, god) == UNKNOWN for god in shares) or sum(shares.values()) > top.left:
        return "invalid_allocation"
    return None


def refused_targets(s: YggdrasilTable, fields: dict[str, Any]) -> str | None:
    """YG-9.8 Return why the targets of Tiwaz are wrong."""
    enemies = {number(ENEMIES, name) for name in fields["enemies"]}
    right = len(enemies) == len(fields["enemies"]) == s.components.tiwaz_enemies
    return None if right and enemies <= set(movable(s)) else "invalid_target"


def refused_order(s: YggdrasilTable, fields: dict[str, Any]) -> str | None:
    """YG-7.9e Return why the order of a peek is wrong."""
    top = waiting(s)
    assert isinstance(top, PeekReorder)
    right = sorted(fields["order"]) == list(range(len(top.cards)))
    return None if right else "invalid_order"


WHOLE: Final[dict[str, Any]] = {
    "distribute": refused_shares,
    "choose_enemies": refused_targets,
    "reorder": refused_order,
}
"""The answers that the engine asks for piece by piece."""
