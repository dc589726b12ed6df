"""IG-2.1 Whether the components can make the position of a case.

Its influence markers (IG-21) and neutral markers need not add up.
"""

from __future__ import annotations

from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    ABILITY_COUNT,
    CHOSEN_FIELDS,
    FACTION_COUNT,
    FACTIONS,
    FIELDS,
    FIGURE_COUNT,
    FIGURES,
    KIND_COUNT,
    LOCK_TOKEN,
    NIGHTMARE_TOKEN,
    NONE,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    REGIONS,
    STAGES,
    SUPPLIES,
    TOWER,
    UNIT_COUNT,
    UNITS,
    VUKO_TOKEN,
)
from taflhall_engine.ice_garden.influence import stock_of
from taflhall_engine.ice_garden.rules.tiles import is_active
from taflhall_engine.ice_garden.table import IceGardenTable


def impossible(s: IceGardenTable) -> list[str]:
    """Return why the components cannot make *s*; empty if they can."""
    return [*_supplies(s), *_map(s), *_sheets(s), *_tracks(s)]


def _supplies(s: IceGardenTable) -> list[str]:
    used = [0] * len(SUPPLIES)
    for kind in range(KIND_COUNT):
        used[kind] = sum([stock_of(s, faction, kind) for faction in range(FACTION_COUNT)])
    used[VUKO_TOKEN] = sum(s.vuko_tokens)
    used[NIGHTMARE_TOKEN] = sum(s.nightmares)
    used[LOCK_TOKEN] = s.locks
    used[TOWER] = s.towers
    found = [
        f"there are only {s.components.bank[supply]} {SUPPLIES[supply]}"
        for supply in range(len(SUPPLIES))
        if s.bank[supply] < 0 or used[supply] + s.bank[supply] > s.components.bank[supply]
    ]
    reserves = sum(s.reserves_up) + sum(s.reserves_down) + s.absorbed
    if reserves > s.components.reserves:
        found.append(f"there are only {s.components.reserves} reserves")
    return found


def _map(s: IceGardenTable) -> list[str]:
    found: list[str] = []
    tiles = [tile for tile in s.tile if tile != 0]
    if len(set(tiles)) < len(tiles):
        found.append("a tile lies in two regions")
    if any(not 0 <= tile <= s.components.tiles[s.options.players] for tile in s.tile):
        found.append("a tile does not belong to this number of players")
    for region in range(REGION_COUNT):
        if s.nightmares[region] > s.components.tokens_to_lock:
            found.append(f"{REGIONS[region]} holds too many nightmare tokens")
        for faction in range(FACTION_COUNT):
            place = faction * REGION_COUNT + region
            if s.controlled[place] > s.influence[place]:
                found.append(f"Vuko controls markers that are not in {REGIONS[region]}")
            if s.influence[place] and not _plays(s, faction):
                found.append(f"{FACTIONS[faction]} takes no part")
    for figure in range(FIGURE_COUNT):
        if s.figure_at[figure] == NONE and (s.damage[figure] or s.defeated >> figure & 1):
            found.append(f"{FIGURES[figure]} is hurt, but not on the map")
    return found


def _plays(s: IceGardenTable, faction: int) -> bool:
    return s.options.seat_of[faction] != NONE or faction == s.options.npc


def _sheets(s: IceGardenTable) -> list[str]:
    found: list[str] = []
    for ability in range(ABILITY_COUNT):
        used = sum(s.upgrades[ability::ABILITY_COUNT]) + s.upgrade_bank[ability]
        if s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]):
            used += 1
        if s.upgrade_bank[ability] < 0 or used > s.components.upgrades[ability]:
            found.append(f"there are only {s.components.upgrades[ability]} {ABILITIES[ability]}")
    for unit in range(UNIT_COUNT):
        bought = sum(s.upgrades[unit * ABILITY_COUNT : (unit + 1) * ABILITY_COUNT])
        if bought > s.components.free_slots[unit]:
            found.append(f"{UNITS[unit]} has too many upgrades for its slots")
    return found


def _tracks(s: IceGardenTable) -> list[str]:
    found: list[str] = []
    if sorted(s.initiative) != sorted(s.order) or sorted(s.standing) != sorted(s.order):
        found.append("a marker stands on a track twice, or belongs to no player")
    for field in range(CHOSEN_FIELDS):
        if len(s.fields[field]) > s.components.slots[s.options.players][field]:
            found.append(f"{FIELDS[field]} has too many markers for its slots")
        if any(faction not in s.order for faction in s.fields[field]):
            found.append(f"a marker of no player lies on {FIELDS[field]}")
    if s.layout and len(set(s.layout)) != STAGES:
        found.append("the Vuko tiles are not four different ones")
    if s.layout and any(is_active(s, t) and t not in s.layout for t in range(1, 9)):
        found.append("a Vuko tile is active that was not laid out")
    return found
