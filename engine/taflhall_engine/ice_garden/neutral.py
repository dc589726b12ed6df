"""The answer for an absent player: it spends nothing that can be kept."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.ice_garden.ids import (
    INFLUENCE,
    MAKING,
    MOUNTAIN,
    MOVE,
    NONE,
    RAVEN_SHADOW,
    VIPER_GORGE,
)
from taflhall_engine.ice_garden.rules.abilities import Invoke
from taflhall_engine.ice_garden.rules.answers import Done, Forgo
from taflhall_engine.ice_garden.rules.planning import Plan
from taflhall_engine.ice_garden.rules.spy import KeepSpy
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, options

SOLO_FIELDS: Final = [RAVEN_SHADOW, INFLUENCE, MOVE, MOUNTAIN, MAKING]
"""IG-16.6 Fields by how little the NPC does there before a marker is resolved."""


def neutral(s: IceGardenTable, seat: int) -> Command[Any]:
    """Return the answer for *seat*: stop, pass, keep, no ability, or else the first option.

    The first options cost least: one helm, one unit, the unit of the lowest level. An action
    marker goes to a field whose action may be left unused (IG-6.2), not to Viper Gorge, which
    takes an influence marker (IG-5.5).
    """
    legal = options(s, seat)
    fields: list[int] = []
    for command in legal:
        if isinstance(command, Done | Forgo | KeepSpy):
            return command
        if isinstance(command, Invoke) and not command.used:
            return command
        if isinstance(command, Plan) and command.field != VIPER_GORGE:
            fields.append(command.field)
    return Plan(_field(s, fields)) if fields else legal[0]


def _field(s: IceGardenTable, fields: list[int]) -> int:
    """Return the field with the most free slots; in the solo game the first that is free."""
    if s.options.npc != NONE:
        return next(field for field in SOLO_FIELDS if field in fields)
    free = [s.components.slots[s.options.players][f] - len(s.fields[f]) for f in fields]
    return fields[free.index(max(free))]
