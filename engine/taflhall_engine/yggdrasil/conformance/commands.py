"""YG-17.4, YG-14.9 The logical commands of the cases, translated into the engine's steps.

A case says ``asgard {enemy, vikings}`` where the engine asks for the enemy first and for the
Vikings next. :func:`refused` finds the error code of a logical command in the order of
YG-6.8; :func:`carry_out` answers the engine's decisions one after the other.
"""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.kernel.agenda import Command, apply, check, waiting
from taflhall_engine.kernel.cases import CaseError
from taflhall_engine.yggdrasil import names
from taflhall_engine.yggdrasil.names import ENEMIES, GIANTS, GODS, ISLANDS, NONE, VANAHEIM
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.rules.amounts import Amount
from taflhall_engine.yggdrasil.rules.battle import (
    BattleElves,
    BattleVikings,
    CommitElves,
    SendVikings,
)
from taflhall_engine.yggdrasil.rules.dice import ChooseDie, TyrChoice
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
    movable,
)
from taflhall_engine.yggdrasil.rules.powers import APPEASE, ChoosePulled, NidhoggPull
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, DrawCards, OdinChoice, OdinDraw
from taflhall_engine.yggdrasil.rules.use import barred
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
    Midgard,
    Muspellheim,
    Nidavellir,
)
from taflhall_engine.yggdrasil.table import YggdrasilTable

UNKNOWN: Final = 99
"""The number of an id that no component has."""

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

FIELDS: Final[dict[str, dict[str, str]]] = {
    "draw_cards": {"cards": "number"},
    "choose_card": {"index": "number"},
    "choose_die": {"index": "number"},
    "choose_enemy": {"enemy": "id"},
    "commit_elves": {"elves": "number"},
    "distribute": {"allocation": "shares"},
    "choose_enemies": {"enemies": "ids"},
    "reorder": {"order": "numbers"},
    "asgard": {"enemy": "id", "vikings": "number?"},
    "midgard": {"move_to": "id?", "search": "flag?"},
    "nidavellir": {"enemy": "id"},
    "alfheim": {},
    "niflheim": {
        "partner": "id",
        "give_vikings": "number?",
        "give_elves": "number?",
        "take_vikings": "number?",
        "take_elves": "number?",
    },
    "helheim": {"island": "id"},
    "muspellheim": {"island": "id"},
    "jotunheim": {"target": "id", "vikings": "number?"},
    "vanaheim": {"mode": "mode"},
    "appease": {},
    "end_turn": {},
}
"""YG-14.1, YG-14.2 The fields of each command; those with ``?`` may be left out."""

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

KNOWN_FIELDS: Final = {
    *[field for fields in FIELDS.values() for field in fields],
    "space",
    "giant",
}

VANIR_FIELDS: Final = {
    names.MOVE_VALKYRIES: "move_to",
    names.PUSH_ENEMY: "enemy",
    names.DISCARD_GIANT: "giant",
}
"""YG-6.8 The field that a space of the Vanir's track needs, by effect."""


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


# ---------------------------------------------------------------- malformed commands


def malformed(s: YggdrasilTable, do: str, fields: dict[str, Any]) -> bool:
    """Return whether the command is unknown or lacks a field that it needs in the right form."""
    if do not in FIELDS:
        return True
    wanted = dict(FIELDS[do])
    if do == "vanaheim" and fields.get("mode") == "use":
        wanted["space"] = "number"
        effect = effect_of(s, fields.get("space"))
        if effect in VANIR_FIELDS:
            wanted[VANIR_FIELDS[effect]] = "id"
    for field, form in wanted.items():
        if field not in fields:
            if not form.endswith("?"):
                return True
        elif not well_formed(form.removesuffix("?"), fields[field]):
            return True
    return False


def well_formed(form: str, value: Any) -> bool:
    """Return whether *value* has the right type and is not negative."""
    if form == "number":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if form == "flag":
        return isinstance(value, bool)
    if form == "id":
        return isinstance(value, str)
    if form == "mode":
        return value in ("advance", "use")
    if form == "ids":
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if form == "numbers":
        return isinstance(value, list) and all(well_formed("number", v) for v in value)
    assert form == "shares"
    return isinstance(value, dict) and all(well_formed("number", v) for v in value.values())


def effect_of(s: YggdrasilTable, space: Any) -> int:
    """Return the effect of a space of the Vanir's track, or none (-1)."""
    places = s.box.effect_space
    return places.index(space) if isinstance(space, int) and space in places else NONE


def number(ids: list[str], name: str) -> int:
    """Return the number of an id, or :data:`UNKNOWN`."""
    return ids.index(name) if name in ids else UNKNOWN


def seat_of(s: YggdrasilTable, god: str) -> int:
    """Return the seat of a god, or :data:`UNKNOWN` if he is not in play."""
    seats = [seat for seat in range(len(s.gods)) if GODS[s.gods[seat]] == god]
    return seats[0] if seats else UNKNOWN


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
    right = len(enemies) == len(fields["enemies"]) == s.box.tiwaz_enemies
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


# ---------------------------------------------------------------- translation


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
    if effect == names.MOVE_VALKYRIES:
        return VanirMoveValkyries(number(ISLANDS, fields["move_to"]))
    if effect == names.TAKE_VIKINGS:
        return VANIR_VIKINGS
    if effect == names.PEEK_DECK:
        return VANIR_PEEK
    if effect == names.PUSH_ENEMY:
        return VanirPushEnemy(number(ENEMIES, fields["enemy"]))
    if effect == names.DISCARD_GIANT:
        return VanirDiscardGiant(number(GIANTS, fields["giant"]))
    return None


def carry_out(s: YggdrasilTable, seat: int, do: str, fields: dict[str, Any]) -> None:
    """Give a legal logical command to the engine, step by step; each step is checked."""
    if do not in WHOLE:
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
