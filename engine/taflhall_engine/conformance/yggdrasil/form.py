"""YG-14.1, YG-14.2 The form of the logical commands: fields, types, and malformed ones."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.ids import GODS, NONE
from taflhall_engine.yggdrasil.table import YggdrasilTable

UNKNOWN: Final = 99
"""The number of an id that no component has."""

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

KNOWN_FIELDS: Final = {
    *[field for fields in FIELDS.values() for field in fields],
    "space",
    "giant",
}

VANIR_FIELDS: Final = {
    ids.MOVE_VALKYRIES: "move_to",
    ids.PUSH_ENEMY: "enemy",
    ids.DISCARD_GIANT: "giant",
}
"""YG-6.8 The field that a space of the Vanir's track needs, by effect."""


def malformed(s: YggdrasilTable, do: Any, fields: dict[str, Any]) -> bool:
    """Return whether the command is unknown or lacks a field that it needs in the right form."""
    if not isinstance(do, str) or do not in FIELDS:
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
    places = s.components.effect_space
    return places.index(space) if isinstance(space, int) and space in places else NONE


def number(ids: list[str], name: str) -> int:
    """Return the number of an id, or :data:`UNKNOWN`."""
    return ids.index(name) if name in ids else UNKNOWN


def seat_of(s: YggdrasilTable, god: str) -> int:
    """Return the seat of a god, or :data:`UNKNOWN` if he is not in play."""
    seats = [seat for seat in range(len(s.gods)) if GODS[s.gods[seat]] == god]
    return seats[0] if seats else UNKNOWN
