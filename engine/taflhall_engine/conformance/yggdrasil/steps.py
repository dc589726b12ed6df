"""YG-14.9 The logical commands translated into the engine's commands, step by step."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.conformance.yggdrasil.form import effect_of, number, seat_of
from taflhall_engine.kernel.agenda import Command, apply, check, waiting
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.ids import ENEMIES, GIANTS, GODS, ISLANDS, NONE
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.rules.amounts import Amount
from taflhall_engine.yggdrasil.rules.battle import (
    BattleVikings,
    CommitElves,
    SendVikings,
)
from taflhall_engine.yggdrasil.rules.dice import ChooseDie
from taflhall_engine.yggdrasil.rules.exchange import (
    GiveElves,
    GiveVikings,
    Niflheim,
    TakeElves,
    TakeVikings,
)
from taflhall_engine.yggdrasil.rules.giants import (
    ChooseMann,
    ChooseTiwaz,
    Distribute,
    MannTarget,
    SigelDistribute,
    TiwazTargets,
)
from taflhall_engine.yggdrasil.rules.midgard import Midgard
from taflhall_engine.yggdrasil.rules.powers import APPEASE, ChoosePulled
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, DrawCards
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VANIR_ADVANCE,
    VANIR_PEEK,
    VANIR_VIKINGS,
    PeekReorder,
    PutNext,
    VanirDiscardGiant,
    VanirMoveValkyries,
    VanirPushEnemy,
)
from taflhall_engine.yggdrasil.rules.worlds import (
    ALFHEIM_ACTION,
    JOTUNHEIM_HIDDEN,
    Asgard,
    Helheim,
    Jotunheim,
    Muspellheim,
    Nidavellir,
)
from taflhall_engine.yggdrasil.table import YggdrasilTable


def first_command(s: YggdrasilTable, do: str, fields: dict[str, Any]) -> Command[Any] | None:
    """Return the engine's command, or its first one; ``None`` if the Vanir has no such space."""
    if do == "vanaheim":
        return vanir_command(s, fields)
    if do == "midgard":
        move_to = number(ISLANDS, fields["move_to"]) if "move_to" in fields else NONE
        return Midgard(move_to, fields.get("search", False))
    if do == "jotunheim":
        if fields["target"] == "hidden":
            return JOTUNHEIM_HIDDEN
        return Jotunheim(number(GIANTS, fields["target"]))
    if do == "niflheim":
        return Niflheim(seat_of(s, fields["partner"]))
    if do == "choose_enemy":
        enemy = number(ENEMIES, fields["enemy"])
        return ChooseMann(enemy) if isinstance(waiting(s), MannTarget) else ChoosePulled(enemy)
    if do in WITHOUT_FIELDS:
        return WITHOUT_FIELDS[do]
    kind, field, ids = WITH_FIELD[do]
    command: Command[Any] = kind(number(ids, fields[field]) if ids else fields[field])
    return command


WITHOUT_FIELDS: Final[dict[str, Command[Any]]] = {
    "alfheim": ALFHEIM_ACTION,
    "appease": APPEASE,
    "end_turn": END_TURN,
}
WITH_FIELD: Final[dict[str, tuple[Any, str, list[str]]]] = {
    "asgard": (Asgard, "enemy", ENEMIES),
    "nidavellir": (Nidavellir, "enemy", ENEMIES),
    "helheim": (Helheim, "island", ISLANDS),
    "muspellheim": (Muspellheim, "island", ISLANDS),
    "draw_cards": (DrawCards, "cards", []),
    "choose_card": (ChooseCard, "index", []),
    "choose_die": (ChooseDie, "index", []),
    "commit_elves": (CommitElves, "elves", []),
}


def vanir_command(s: YggdrasilTable, fields: dict[str, Any]) -> Command[Any] | None:
    """Return the command for an action in Vanaheim."""
    if fields["mode"] == "advance":
        return VANIR_ADVANCE
    effect = effect_of(s, fields["space"])
    if effect == ids.MOVE_VALKYRIES:
        return VanirMoveValkyries(number(ISLANDS, fields["move_to"]))
    if effect == ids.TAKE_VIKINGS:
        return VANIR_VIKINGS
    if effect == ids.PEEK_DECK:
        return VANIR_PEEK
    if effect == ids.PUSH_ENEMY:
        return VanirPushEnemy(number(ENEMIES, fields["enemy"]))
    if effect == ids.DISCARD_GIANT:
        return VanirDiscardGiant(number(GIANTS, fields["giant"]))
    return None


PIECE_BY_PIECE: Final = frozenset({"distribute", "choose_enemies", "reorder"})
"""The answers that the engine asks for piece by piece from the first step on."""


def carry_out(s: YggdrasilTable, seat: int, do: str, fields: dict[str, Any]) -> None:
    """Give a legal logical command to the engine, step by step; each step is checked."""
    if do not in PIECE_BY_PIECE:
        command = first_command(s, do, fields)
        assert command is not None
        give(s, seat, command)
    while True:
        following = next_command(s, do, fields)
        if following is None:
            return
        give(s, seat, following)


def give(s: YggdrasilTable, seat: int, command: Command[Any]) -> None:
    """Check one command of the engine and carry it out."""
    check(s, seat, command)
    apply(s, seat, command)


def next_command(s: YggdrasilTable, do: str, fields: dict[str, Any]) -> Command[Any] | None:
    """Return the answer to the step that is pending, if it is part of the same command."""
    top = waiting(s)
    if do in ("asgard", "jotunheim") and isinstance(top, BattleVikings):
        return SendVikings(fields.get("vikings", 0))
    if do == "niflheim" and type(top) in AMOUNT_FIELDS:
        return Amount(fields.get(AMOUNT_FIELDS[type(top)], 0))
    if do == "distribute" and isinstance(top, SigelDistribute):
        god = GODS[s.gods[len(top.given)]]
        return Distribute(fields["allocation"].get(god, 0))
    if do == "choose_enemies" and isinstance(top, TiwazTargets):
        picked = (top.first_enemy >= 0) + (top.second_enemy >= 0)
        return ChooseTiwaz(sorted(number(ENEMIES, name) for name in fields["enemies"])[picked])
    if do == "reorder" and isinstance(top, PeekReorder):
        return PutNext(fields["order"][len(top.order)])
    return None


AMOUNT_FIELDS: Final[dict[Any, str]] = {
    GiveVikings: "give_vikings",
    TakeVikings: "take_vikings",
    GiveElves: "give_elves",
    TakeElves: "take_elves",
}
