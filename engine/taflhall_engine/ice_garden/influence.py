"""IG-1, IG-9, IG-11 Presence, influence, dominance, reputation, goods: questions to the table."""

from __future__ import annotations

from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    DOMINANCE,
    FACTION_COUNT,
    FIGURE_UNIT,
    FIGURES_EACH,
    FIRST_FIGURE,
    FREIHOFF,
    HARRASIM,
    KIND_COUNT,
    M_FACTOR,
    NONE,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    STOCK,
)
from taflhall_engine.ice_garden.table import IceGardenTable


def is_open(s: IceGardenTable, region: int) -> bool:
    """IG-1.10 Return whether *region* is in play and not locked."""
    return s.tile[region] != 0 and s.locked[region] == 0


def region_of(s: IceGardenTable, tile: int) -> int:
    """Return the region of the tile with that number, ``NONE`` if it is not in play."""
    for region in range(REGION_COUNT):
        if s.tile[region] == tile:
            return region
    return NONE


def open_neighbours(s: IceGardenTable, region: int) -> list[int]:
    """IG-1.10 Return the open regions next to *region*."""
    return [other for other in s.components.adjacent[region] if is_open(s, other)]


def lowest_tile(s: IceGardenTable, regions: list[int]) -> int:
    """Return the region with the lowest tile number, ``NONE`` of an empty list."""
    best = NONE
    for region in regions:
        if best == NONE or s.tile[region] < s.tile[best]:
            best = region
    return best


def acting(s: IceGardenTable) -> list[int]:
    """IG-1.6, IG-16.5 Return the factions in turn order; the NPC acts before the human."""
    if s.options.npc == NONE:
        return s.order
    return [s.options.npc, *s.order]


def human(s: IceGardenTable) -> int:
    """IG-16 Return the faction of the only seat of a solo game."""
    return s.options.factions[0]


def symbols(s: IceGardenTable, unit: int, ability: int) -> int:
    """IG-1.9 Return how many symbols of a kind a unit type has: printed, bought, spied."""
    place = unit * ABILITY_COUNT + ability
    count = s.components.printed[place] + s.upgrades[place]
    if unit == HARRASIM:
        if s.options.npc == FREIHOFF:
            if ability in s.components.npc_spy:
                count += 1
        elif s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]):
            count += 1
    return count


def spy_symbols(s: IceGardenTable) -> list[int]:
    """IG-7.3, IG-16.10 Return the symbols on the spy slots; the NPC's never change."""
    if s.options.npc == FREIHOFF:
        return s.components.npc_spy[:]
    return [] if s.spy == NONE else [PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]]


def unit_influence(s: IceGardenTable, unit: int) -> int:
    """IG-1.8 Return the influence of one figure of a type: level and dominance symbols."""
    return s.components.level[unit] + symbols(s, unit, DOMINANCE)


def influence(s: IceGardenTable, faction: int, region: int) -> int:
    """IG-1.8 Return *faction*'s influence value in *region*; controlled markers do not count."""
    place = faction * REGION_COUNT + region
    value = s.influence[place] - s.controlled[place]
    for figure in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH):
        if s.figure_at[figure] == region:
            value += unit_influence(s, FIGURE_UNIT[figure])
    return value


def neighbouring_influence(s: IceGardenTable, faction: int, region: int) -> int:
    """IG-9.3 Return the sum of *faction*'s influence over the adjacent open regions."""
    value = 0
    for other in s.components.adjacent[region]:
        if is_open(s, other):
            value += influence(s, faction, other)
    return value


def has_free(s: IceGardenTable, faction: int, region: int) -> bool:
    """Return whether a marker of *faction* in *region* is not controlled by Vuko."""
    place = faction * REGION_COUNT + region
    return s.influence[place] > s.controlled[place]


def has_unit(s: IceGardenTable, faction: int, region: int) -> bool:
    """Return whether a figure of *faction* stands in *region*."""
    for figure in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH):
        if s.figure_at[figure] == region:
            return True
    return False


def present(s: IceGardenTable, faction: int, region: int) -> bool:
    """IG-1.7 Return whether *faction* has a marker or a unit in *region*."""
    return s.influence[faction * REGION_COUNT + region] > 0 or has_unit(s, faction, region)


def stands(s: IceGardenTable, unit: int, region: int) -> bool:
    """Return whether a figure of that type stands in *region*."""
    return figure_in(s, unit, region) != NONE


def figure_in(s: IceGardenTable, unit: int, region: int) -> int:
    """Return the lowest figure of a type in *region* (``NONE``: with its owner), or ``NONE``."""
    figure = FIRST_FIGURE[unit]
    while figure < len(FIGURE_UNIT) and FIGURE_UNIT[figure] == unit:
        if s.figure_at[figure] == region:
            return figure
        figure += 1
    return NONE


def represented(s: IceGardenTable, figure: int, left_out: int = 0) -> bool:
    """IG-20 Return whether a lower figure of the type stands there in the same state.

    *left_out* are figures that represent no other, as bits.
    """
    for lower in range(FIRST_FIGURE[FIGURE_UNIT[figure]], figure):
        if (
            s.figure_at[lower] == s.figure_at[figure]
            and s.damage[lower] == s.damage[figure]
            and s.steps[lower % FIGURES_EACH] == s.steps[figure % FIGURES_EACH]
            and not left_out >> lower & 1
        ):
            return True
    return False


def distinct_figures(s: IceGardenTable, faction: int, region: int, left_out: int = 0) -> list[int]:
    """IG-20 Return a faction's figures in *region*, the lowest of those that are alike.

    *left_out* are figures that do not count, as bits.
    """
    return [
        figure
        for figure in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH)
        if s.figure_at[figure] == region
        and not left_out >> figure & 1
        and not represented(s, figure, left_out)
    ]


def available(s: IceGardenTable, unit: int) -> int:
    """IG-6.23 Return how many figures of a type are not on the map."""
    count = 0
    figure = FIRST_FIGURE[unit]
    while figure < len(FIGURE_UNIT) and FIGURE_UNIT[figure] == unit:
        if s.figure_at[figure] == NONE:
            count += 1
        figure += 1
    return count


def better(s: IceGardenTable, one: int, other: int) -> bool:
    """IG-11.2, IG-16.2 Return whether *one* has the better reputation.

    The higher field; in one stack the lower marker. In the solo game the NPC always has it.
    """
    if s.options.npc != NONE:
        return one == s.options.npc
    if s.reputation[one] != s.reputation[other]:
        return s.reputation[one] < s.reputation[other]
    return s.standing.index(one) > s.standing.index(other)


def worst_reputation(s: IceGardenTable) -> int:
    """IG-8.3, IG-16.12 Return the player with the lowest reputation."""
    if s.options.npc != NONE:
        return human(s)
    worst = s.order[0]
    for faction in s.order:
        if better(s, worst, faction):
            worst = faction
    return worst


def dominance_order(s: IceGardenTable, region: int) -> list[int]:
    """IG-9.2, IG-9.3 Return the eligible factions, the dominator first; a strict order."""
    ranking: list[int] = []
    values: list[int] = []
    for faction in range(FACTION_COUNT):
        value = influence(s, faction, region)
        if value == 0 or value <= s.neutral[region]:
            continue
        place = 0
        while place < len(ranking) and not _ahead(
            s, region, faction, value, ranking[place], values[place]
        ):
            place += 1
        ranking.insert(place, faction)
        values.insert(place, value)
    return ranking


def _ahead(
    s: IceGardenTable, region: int, one: int, value: int, other: int, other_value: int
) -> bool:
    if value != other_value:
        return value > other_value
    near = neighbouring_influence(s, one, region)
    other_near = neighbouring_influence(s, other, region)
    if near != other_near:
        return near > other_near
    return better(s, one, other)


def affordable(s: IceGardenTable, faction: int, kind: int, count: int) -> bool:
    """Return whether a player has that much to pay (M-factor on level 0)."""
    return s.stock[faction * STOCK + kind] >= count


def owns_anything(s: IceGardenTable, faction: int) -> bool:
    """Return whether a player has a resource of any kind, on any level."""
    return any(s.stock[place] > 0 for place in range(faction * STOCK, (faction + 1) * STOCK))


def stock_of(s: IceGardenTable, faction: int, kind: int) -> int:
    """Return how much of a kind a player has, on all levels of the sheet."""
    if kind < M_FACTOR:
        return s.stock[faction * STOCK + kind]
    total = 0
    for place in range(faction * STOCK + M_FACTOR, (faction + 1) * STOCK):
        total += s.stock[place]
    return total


def highest_level(s: IceGardenTable, faction: int) -> int:
    """IG-16.14 Return the highest level that holds M-factor, ``NONE`` without any."""
    for level in range(STOCK - KIND_COUNT, -1, -1):
        if s.stock[faction * STOCK + M_FACTOR + level] > 0:
            return level
    return NONE
