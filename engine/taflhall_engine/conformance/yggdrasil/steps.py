"""YG-14.9 The logical commands of the cases translated into the engine's commands.

A case says ``asgard {enemy, vikings}`` where the engine asks for the enemy first and for the
Vikings next. Nothing is judged here: what no command can say (a missing field, an unknown id)
becomes a command with a number that no table allows, and the engine says why it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from taflhall_engine.conformance.yggdrasil.form import (
    UNKNOWN,
    effect_of,
    malformed,
    number,
    seat_of,
)
from taflhall_engine.kernel.agenda import Command, waiting
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.ids import ENEMIES, GIANTS, GODS, ISLANDS, NONE
from taflhall_engine.yggdrasil.rules.actions import END_TURN
from taflhall_engine.yggdrasil.rules.battle import BattleVikings, CommitElves, SendVikings
from taflhall_engine.yggdrasil.rules.dice import ChooseDie
from taflhall_engine.yggdrasil.rules.exchange import (
    Amount,
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
    SigelFurther,
    TiwazFurther,
)
from taflhall_engine.yggdrasil.rules.midgard import Midgard
from taflhall_engine.yggdrasil.rules.peek import VANIR_PEEK, PeekFurther, PeekReorder, PutNext
from taflhall_engine.yggdrasil.rules.powers import APPEASE, ChoosePulled
from taflhall_engine.yggdrasil.rules.turn import ChooseCard, DrawCards
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VANIR_ADVANCE,
    VANIR_VIKINGS,
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

Fields = dict[str, Any]
Commands = list[Command[Any]]

MALFORMED: Final = Asgard(NONE)
"""Represents every command that is unknown or incomplete."""


def steps_of(s: YggdrasilTable, do: str, fields: Fields) -> Commands:
    """Return the engine's commands, in their order, for a logical command."""
    if malformed(s, do, fields):
        return [MALFORMED]
    return TRANSLATIONS[do](s, fields)


def place_of(s: YggdrasilTable) -> int:
    """Return which step of a logical command the pending decision asks for, from 0."""
    top = waiting(s)
    if isinstance(top, SigelFurther):
        return len(top.given)
    if isinstance(top, TiwazFurther):
        return len(top.picked)
    if isinstance(top, PeekFurther):
        return len(top.placed)
    return PLACES.get(type(top), 0)


PLACES: Final[dict[type, int]] = {
    BattleVikings: 1,
    GiveVikings: 1,
    TakeVikings: 2,
    GiveElves: 3,
    TakeElves: 4,
}


# ---------------------------------------------------------------- the commands


def asgard(_s: YggdrasilTable, fields: Fields) -> Commands:
    return [Asgard(number(ENEMIES, fields["enemy"])), SendVikings(fields.get("vikings", 0))]


def jotunheim(_s: YggdrasilTable, fields: Fields) -> Commands:
    target = fields["target"]
    fight = JOTUNHEIM_HIDDEN if target == "hidden" else Jotunheim(number(GIANTS, target))
    return [fight, SendVikings(fields.get("vikings", 0))]


def midgard(_s: YggdrasilTable, fields: Fields) -> Commands:
    move_to = number(ISLANDS, fields["move_to"]) if "move_to" in fields else NONE
    return [Midgard(move_to, fields.get("search", False))]


def niflheim(s: YggdrasilTable, fields: Fields) -> Commands:
    numbers = ("give_vikings", "take_vikings", "give_elves", "take_elves")
    amounts = [Amount(fields.get(name, 0)) for name in numbers]
    return [Niflheim(seat_of(s, fields["partner"])), *amounts]


def vanaheim(s: YggdrasilTable, fields: Fields) -> Commands:
    """YG-7.9b A space that does not exist becomes a move to an island that does not exist."""
    if fields["mode"] == "advance":
        return [VANIR_ADVANCE]
    effect = effect_of(s, fields["space"])
    if effect == ids.MOVE_VALKYRIES:
        return [VanirMoveValkyries(number(ISLANDS, fields["move_to"]))]
    if effect == ids.TAKE_VIKINGS:
        return [VANIR_VIKINGS]
    if effect == ids.PEEK_DECK:
        return [VANIR_PEEK]
    if effect == ids.PUSH_ENEMY:
        return [VanirPushEnemy(number(ENEMIES, fields["enemy"]))]
    if effect == ids.DISCARD_GIANT:
        return [VanirDiscardGiant(number(GIANTS, fields["giant"]))]
    return [VanirMoveValkyries(UNKNOWN)]


def choose_enemy(s: YggdrasilTable, fields: Fields) -> Commands:
    enemy = number(ENEMIES, fields["enemy"])
    return [ChooseMann(enemy) if isinstance(waiting(s), MannTarget) else ChoosePulled(enemy)]


def distribute(s: YggdrasilTable, fields: Fields) -> Commands:
    shares = fields["allocation"]
    if any(seat_of(s, god) == UNKNOWN for god in shares):
        return [Distribute(UNKNOWN)]
    return [Distribute(shares.get(GODS[god], 0)) for god in s.gods]


def choose_enemies(s: YggdrasilTable, fields: Fields) -> Commands:
    if len(fields["enemies"]) != s.components.tiwaz_enemies:
        return [ChooseTiwaz(UNKNOWN)]
    return [ChooseTiwaz(e) for e in sorted(number(ENEMIES, name) for name in fields["enemies"])]


def reorder(s: YggdrasilTable, fields: Fields) -> Commands:
    """YG-7.9e The engine asks for cards, not for their places: equal ones are one answer."""
    top, order = waiting(s), fields["order"]
    if not isinstance(top, PeekReorder) or sorted(order) != list(range(len(top.cards))):
        return [PutNext(UNKNOWN)]
    return [PutNext(top.cards[index]) for index in order]


Translation = Callable[[YggdrasilTable, Fields], Commands]


def plain(command: Command[Any]) -> Translation:
    return lambda _s, _fields: [command]


def with_field(kind: Callable[[int], Command[Any]], field: str, names: list[str]) -> Translation:
    """Return the translation into a command of one field, which may be an id of *names*."""
    return lambda _s, fields: [kind(number(names, fields[field]) if names else fields[field])]


TRANSLATIONS: Final[dict[str, Translation]] = {
    "draw_cards": with_field(DrawCards, "cards", []),
    "choose_card": with_field(ChooseCard, "index", []),
    "choose_die": with_field(ChooseDie, "index", []),
    "choose_enemy": choose_enemy,
    "commit_elves": with_field(CommitElves, "elves", []),
    "distribute": distribute,
    "choose_enemies": choose_enemies,
    "reorder": reorder,
    "asgard": asgard,
    "midgard": midgard,
    "nidavellir": with_field(Nidavellir, "enemy", ENEMIES),
    "alfheim": plain(ALFHEIM_ACTION),
    "niflheim": niflheim,
    "helheim": with_field(Helheim, "island", ISLANDS),
    "muspellheim": with_field(Muspellheim, "island", ISLANDS),
    "jotunheim": jotunheim,
    "vanaheim": vanaheim,
    "appease": plain(APPEASE),
    "end_turn": plain(END_TURN),
}
"""YG-14.1, YG-14.2 By logical command."""
