"""IG-9.5 Which special abilities a dominator's units have, and whether they can do anything."""

from __future__ import annotations

from typing import Final

from taflhall_engine.ice_garden.ids import (
    BUILD_TOWER,
    CALLO,
    ENCHANT,
    ENLIGHTENED_ONE,
    FACTION_COUNT,
    FAUN,
    FREIHOFF,
    ICE_DRAKKAR,
    KIND_COUNT,
    LOCK_TOKEN,
    MOVE_RESERVES,
    NIGHTMARE,
    NIGHTMARE_TOKEN,
    NONE,
    PILLAGE,
    PIPING,
    POPULATION,
    RATLING_MUSICIAN,
    REGION_COUNT,
    TORMENT,
    TOWER,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.influence import has_unit, owns_anything, stands
from taflhall_engine.ice_garden.table import IceGardenTable

BEARER: Final = [NIGHTMARE, FAUN, ENLIGHTENED_ONE, RATLING_MUSICIAN, ICE_DRAKKAR]
"""By special ability: the unit type that has it."""


def powers_of(s: IceGardenTable, faction: int, region: int) -> list[int]:
    """IG-9.5 The abilities of a faction's types present there; torment before enchant."""
    powers: list[int] = []
    for power in range(len(BEARER)):
        if BEARER[power] // UNITS_EACH == faction and stands(s, BEARER[power], region):
            powers.append(power)
    return powers


def event_of(s: IceGardenTable, faction: int, region: int) -> int:
    """IG-9.11 The event b or c that the dominator's units bring about there, or ``NONE``."""
    if faction == FREIHOFF and stands(s, ENLIGHTENED_ONE, region):
        return BUILD_TOWER
    if stands(s, RATLING_MUSICIAN, region) and faction == RATLING_MUSICIAN // UNITS_EACH:
        return MOVE_RESERVES
    return NONE


def can_lock(s: IceGardenTable, faction: int, region: int) -> bool:
    """IG-9.11 a, IG-10.21: Callo, a Faun, two tokens, no Thorn, a lock token left."""
    return (
        faction == CALLO
        and stands(s, FAUN, region)
        and s.nightmares[region] >= s.components.tokens_to_lock
        and region != s.thorn
        and s.bank[LOCK_TOKEN] > 0
    )


def has_effect(s: IceGardenTable, faction: int, power: int, region: int) -> bool:
    """IG-1.11, IG-9.5 Return whether an ability or event could do anything."""
    if power == TORMENT:
        return s.bank[NIGHTMARE_TOKEN] > 0 and s.nightmares[region] < s.components.tokens_to_lock
    if power == ENCHANT:
        return s.supply[faction] > 0 and _other_markers(s, faction, region)
    if power == PILLAGE:
        return _can_pillage(s, faction, region)
    if power == PIPING:
        return faction != s.options.npc and s.bank[POPULATION] > 0
    if power == BUILD_TOWER:
        return s.tower[region] == 0 and s.bank[TOWER] > 0
    if power == MOVE_RESERVES:
        return s.thorn not in (NONE, region) and s.reserves_up[region] + s.reserves_down[region] > 0
    return _other_markers(s, faction, region)


def _other_markers(s: IceGardenTable, faction: int, region: int) -> bool:
    for other in range(FACTION_COUNT):
        if other != faction and s.influence[other * REGION_COUNT + region] > 0:
            return True
    return False


def _can_pillage(s: IceGardenTable, faction: int, region: int) -> bool:
    for victim in range(FACTION_COUNT):
        if not is_victim(s, faction, victim, region):
            continue
        if victim != s.options.npc:
            if owns_anything(s, victim):
                return True
        else:
            for kind in range(KIND_COUNT):
                if s.bank[kind] > 0:
                    return True
    return False


def is_victim(s: IceGardenTable, faction: int, victim: int, region: int) -> bool:
    """IG-9.8 Another player with a unit there; in edition 1 a marker is enough (E-05)."""
    if victim == faction:
        return False
    if has_unit(s, victim, region):
        return True
    return s.options.first_edition and s.influence[victim * REGION_COUNT + region] > 0
