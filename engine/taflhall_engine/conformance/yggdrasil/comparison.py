"""YG-17.5, YG-17.6 Compares a case's expected values with the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError, Keys, differ, whole_list
from taflhall_engine.conformance.yggdrasil.commands import pending, refused
from taflhall_engine.conformance.yggdrasil.form import seat_of
from taflhall_engine.conformance.yggdrasil.position import number
from taflhall_engine.kernel.agenda import Command, options, waiting
from taflhall_engine.kernel.notation import snake
from taflhall_engine.yggdrasil.ids import (
    CARDS,
    ENEMIES,
    ENEMY_COUNT,
    FURIOUS,
    GIANTS,
    GODS,
    ISLANDS,
    LABELS,
    NONE,
    OUTCOMES,
    REASONS,
    WEAPON_LEVELS,
    WORLDS,
)
from taflhall_engine.yggdrasil.observe import bits, known_deck, worlds_used
from taflhall_engine.yggdrasil.rules.base import powers_active
from taflhall_engine.yggdrasil.rules.battle import BattleElves, enemy_strength
from taflhall_engine.yggdrasil.rules.dice import TyrChoice
from taflhall_engine.yggdrasil.rules.giants import SigelDistribute, TiwazTargets, movable
from taflhall_engine.yggdrasil.rules.peek import PeekReorder
from taflhall_engine.yggdrasil.rules.turn import OdinChoice
from taflhall_engine.yggdrasil.rules.use import actions_left
from taflhall_engine.yggdrasil.table import YggdrasilTable


def compare(s: YggdrasilTable, then: Keys) -> list[str]:
    """Return what differs between *s* and what *then* says."""
    found: list[str] = []
    for key, value_of in VALUES.items():
        if key in then:
            found += differ(key, then.take(key), value_of(s))
    for key, list_of in MULTISETS.items():
        if key in then:
            found += differ_as_multiset(key, then.take(key), list_of(s))
    for key, table_of in TABLES.items():
        if key in then:
            found += differ_in_listed(key, then.take(key), table_of(s))
    if "hold" in then:
        found += differ_in_holdings(s, then.take("hold"))
    if "pending_options" in then:
        wanted = then.take("pending_options")
        found += differ_as_multiset("pending_options", wanted, pending_options(s, wanted))
    if "options" in then:
        found += whole_list(s, then.take("options"), LABELS)
    for entry in then.take("legal", []):
        found += differ_in_legality(s, entry, "legal", None)
    for entry in then.take("illegal", []):
        if "error" not in entry:
            raise CaseError(f"illegal: {entry!r} names no error")
        found += differ_in_legality(s, entry, "illegal", entry["error"])
    return found


def differ_as_multiset(key: str, expected: Any, found: list[Any]) -> list[str]:
    if not isinstance(expected, list):
        raise CaseError(f"{key} should be a list, is {expected!r}")
    if Counter(map(repr, expected)) == Counter(map(repr, found)):
        return []
    return differ(f"{key} (in any order)", expected, found)


def differ_in_listed(key: str, expected: Any, found: dict[str, Any]) -> list[str]:
    """Compare only the listed entries; an entry that cannot exist is a fault of the case."""
    differences: list[str] = []
    if not isinstance(expected, dict):
        raise CaseError(f"{key} should be a table, is {expected!r}")
    for name, value in expected.items():
        if name not in found:
            raise CaseError(f"{key}: there is no {name!r}")
        differences += differ(f"{key}.{name}", value, found[name])
    return differences


def differ_in_holdings(s: YggdrasilTable, expected: Any) -> list[str]:
    differences: list[str] = []
    for name, holding in expected.items():
        number(GODS, name, "hold")
        seat = seat_of(s, name)
        if seat >= len(s.gods):
            raise CaseError(f"hold: {name} is not in play")
        held = Keys(f"hold.{name}", holding)
        if "vikings" in held:
            differences += differ(f"hold.{name}.vikings", held.take("vikings"), s.vikings[seat])
        if "elves" in held:
            differences += differ(f"hold.{name}.elves", held.take("elves"), s.elves[seat])
        if "weapons" in held:
            levels = s.weapons[seat * ENEMY_COUNT : (seat + 1) * ENEMY_COUNT]
            own = {ENEMIES[enemy]: level for enemy, level in enumerate(levels) if level}
            differences += differ(f"hold.{name}.weapons", held.take("weapons"), own)
        held.finish()
    return differences


def differ_in_legality(
    s: YggdrasilTable, entry: dict[str, Any], key: str, expected: str | None
) -> list[str]:
    """YG-14.5 Ask, without changing anything, whether a command is legal."""
    asked = Keys(key, entry)
    do, by = asked.need("do"), asked.take("by")
    seat = seat_of(s, by) if by is not None else s.active
    if by is not None:
        number(GODS, by, "by")
    fields = {k: v for k, v in entry.items() if k not in ("do", "by", "error")}
    code = refused(s, seat, do, fields)
    return differ(f"{key} {entry!r}", expected or "ok", code or "ok")


# ---------------------------------------------------------------- pending decisions


def pending_by(s: YggdrasilTable) -> str:
    top = waiting(s)
    return "none" if top is None else GODS[s.gods[top.seats(s)[0]]]


def battle_total(s: YggdrasilTable) -> Any:
    top = waiting(s)
    return top.total if isinstance(top, BattleElves) else None


def battle_strength(s: YggdrasilTable) -> Any:
    top = waiting(s)
    return top.strength if isinstance(top, BattleElves) else None


def distribute_max(s: YggdrasilTable) -> Any:
    top = waiting(s)
    return top.left if isinstance(top, SigelDistribute) else None


def pending_options(s: YggdrasilTable, wanted: Any) -> list[Any]:
    """YG-14.1, YG-14.3 Return the logical answers: enemies, numbers, or the case's own form.

    Cards and dice are answered by index; a case may list what they show instead.
    """
    top = waiting(s)
    if top is None:
        return []
    shown = isinstance(wanted, list) and all(isinstance(option, str) for option in wanted)
    if isinstance(top, OdinChoice):
        return [CARDS[top.first_card], CARDS[top.second_card]] if shown else [0, 1]
    if isinstance(top, TyrChoice):
        components = s.components
        values = [components.face_value[top.first_face], components.face_value[top.second_face]]
        colours = [components.face_colour[top.first_face], components.face_colour[top.second_face]]
        texts = [str(value) for value in values] if top.aspect == 0 else []
        return (texts or [ISLANDS[colour] for colour in colours]) if shown else [0, 1]
    if isinstance(top, PeekReorder):
        return [CARDS[card] for card in top.cards] if shown else list(range(len(top.cards)))
    if isinstance(top, TiwazTargets):
        return [ENEMIES[enemy] for enemy in movable(s)]
    if pending(s) == "choose_action":
        return sorted({logical_name(option) for option in options(s, top.seats(s)[0])})
    found: list[Any] = []
    for option in options(s, top.seats(s)[0]):
        [value] = option.fields()
        found.append(ENEMIES[value] if hasattr(option, "enemy") else value)
    return found


def logical_name(option: Command[Any]) -> str:
    """Return the name that YG-14.2 has for an action."""
    name = snake(type(option).__name__)
    return "vanaheim" if name.startswith("vanir_") else name.removesuffix("_hidden")


# ---------------------------------------------------------------- the keys


def plain_each(s: YggdrasilTable) -> dict[str, Any]:
    return {ENEMIES[enemy]: s.composition[enemy] for enemy in range(ENEMY_COUNT)}


def in_bags(s: YggdrasilTable) -> dict[str, Any]:
    return {ISLANDS[i]: [s.bag_vikings[i], s.bag_giants[i]] for i in s.components.coloured}


def forge_cards(s: YggdrasilTable) -> int:
    return len(bits(s.forge, ENEMY_COUNT * WEAPON_LEVELS))


VALUES: Final[dict[str, Callable[[YggdrasilTable], Any]]] = {
    "helheim": lambda s: s.helheim,
    "muspellheim": lambda s: s.muspellheim,
    "alfheim": lambda s: s.alfheim,
    "valkyries": lambda s: ISLANDS[s.valkyries],
    "sunken": lambda s: ISLANDS[s.sunken],
    "vanir": lambda s: s.vanir,
    "fenrir_angry": lambda s: s.fenrir_card != NONE,
    "daeg_turns": lambda s: s.daeg,
    "giants_deck_count": lambda s: len(s.giant_deck),
    "giants_deck_top": lambda s: GIANTS[s.giant_deck[-1]] if s.giant_deck else "",
    "deck": lambda s: [CARDS[card] for card in s.deck[::-1]],
    "deck_count": lambda s: len(s.deck),
    "known_deck": lambda s: [CARDS[c] if c != NONE else "" for c in known_deck(s)],
    "actions_left": actions_left,
    "active": lambda s: GODS[s.gods[s.active]],
    "pending": pending,
    "pending_by": pending_by,
    "battle_total": battle_total,
    "battle_strength": battle_strength,
    "distribute_max": distribute_max,
    "outcome": lambda s: OUTCOMES[s.outcome],
    "reasons": lambda s: [REASONS[reason] for reason in s.reasons],
    "powers_active": powers_active,
    "specials": lambda s: sum(s.composition[FURIOUS:]),
    "forge_cards": forge_cards,
    "boxed_elves": lambda s: s.components.elves - s.alfheim - sum(s.elves),
    "gods_count": lambda s: len(s.gods),
}
MULTISETS: Final[dict[str, Callable[[YggdrasilTable], list[Any]]]] = {
    "giants_active": lambda s: [GIANTS[giant] for giant in s.giants_active],
    "giants_defeated": lambda s: [GIANTS[giant] for giant in s.giants_defeated],
    "discard": lambda s: [CARDS[card] for card in s.discard],
    "worlds_used": lambda s: [WORLDS[world] for world in worlds_used(s)],
    "blocked_worlds": lambda s: [WORLDS[world] for world in bits(s.hindrance, len(WORLDS))],
}
"""Lists whose order says nothing."""
TABLES: Final[dict[str, Callable[[YggdrasilTable], dict[str, Any]]]] = {
    "enemies": lambda s: dict(zip(ENEMIES, s.enemies, strict=True)),
    "bags": in_bags,
    "plain_each": plain_each,
    "strength": lambda s: {ENEMIES[e]: enemy_strength(s, e) for e in range(ENEMY_COUNT)},
}
