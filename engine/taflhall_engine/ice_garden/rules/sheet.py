"""IG-6.20 to IG-6.22 What an upgrade may be laid on."""

from __future__ import annotations

from taflhall_engine.ice_garden.ids import ABILITY_COUNT, CRAB
from taflhall_engine.ice_garden.table import IceGardenTable


def has_free_slot(s: IceGardenTable, unit: int) -> bool:
    """IG-6.20 Return whether a unit type has a free slot; spy slots do not count."""
    bought = 0
    for place in range(unit * ABILITY_COUNT, (unit + 1) * ABILITY_COUNT):
        bought += s.upgrades[place]
    return bought < s.components.free_slots[unit]


def may_carry(s: IceGardenTable, unit: int, ability: int) -> bool:
    """IG-6.22 Return whether another symbol of that kind is allowed: not a forbidden duplicate.

    The two spy slots are not counted. Edition 1 forbids it for Crabs too (E-14).
    """
    if s.components.duplicates[unit] and not (s.options.first_edition and unit == CRAB):
        return True
    place = unit * ABILITY_COUNT + ability
    return s.components.printed[place] + s.upgrades[place] == 0
