"""IG-16 The automatic player: set-up, die, placing, summoning, relocation."""

from __future__ import annotations

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import (
    lay_upgrade,
    move_unit,
    place_influence,
    place_unit,
)
from taflhall_engine.ice_garden.ids import (
    ENLIGHTENED_ONE,
    FAUN,
    FIGURE_UNIT,
    FIGURES_EACH,
    ICE_DRAKKAR,
    INFLUENCE,
    MOUNTAIN,
    MOVE,
    NIGHTMARE,
    NONE,
    RATLING_MUSICIAN,
    REGION_COUNT,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.influence import (
    available,
    dominance_order,
    figure_in,
    human,
    is_open,
    region_of,
)
from taflhall_engine.ice_garden.rules.sheet import has_free_slot, may_carry
from taflhall_engine.ice_garden.table import IceGardenTable


def roll(s: IceGardenTable) -> int:
    """IG-16.4 Roll the die."""
    result = s.chance.below(s.components.die) + 1
    if s.journal is not None:
        s.journal.append(events.DieRolled("IG-16.4", result))
    return result


def roll_region(s: IceGardenTable) -> int:
    """IG-16.4 The region whose tile has the number rolled; a locked one is rolled again."""
    return _roll_among(s, [r for r in range(REGION_COUNT) if is_open(s, r)])


def _roll_among(s: IceGardenTable, regions: list[int]) -> int:
    if not _can_be_rolled(s, regions):
        return NONE
    while True:
        region = region_of(s, roll(s))
        if region in regions:
            return region


def _can_be_rolled(s: IceGardenTable, regions: list[int]) -> bool:
    return any(s.tile[region] <= s.components.die for region in regions)


def equip_npc(s: IceGardenTable) -> None:
    """IG-16.3 What the level of difficulty gives the NPC before the start influence."""
    first = s.options.npc * UNITS_EACH
    if s.components.solo_figure[s.options.solo_level]:
        place_unit(s, "IG-16.3", figure_in(s, first + UNITS_EACH - 1, NONE), roll_region(s))
    if s.components.solo_upgrades[s.options.solo_level]:
        for ability in s.components.npc_fill:
            for unit in range(first + UNITS_EACH - 1, first - 1, -1):
                while (
                    s.upgrade_bank[ability] > 0
                    and has_free_slot(s, unit)
                    and may_carry(s, unit, ability)
                ):
                    lay_upgrade(s, "IG-16.3", unit, ability, NONE)


def act_before(s: IceGardenTable, field: int) -> None:
    """IG-16.6 What the NPC does on fields 0 to 4 before the human resolves a marker."""
    if field in (INFLUENCE, MOVE, MOUNTAIN):
        _spread(s)


def _spread(s: IceGardenTable) -> None:
    """IG-16.6, IG-16.7 Two markers into the region rolled; running out, a level-1 figure."""
    npc = s.options.npc
    count = min(s.components.npc_markers, s.supply[npc])
    if count > 0:
        region = roll_region(s)
        if region != NONE:
            for _ in range(count):
                place_influence(s, "IG-16.6", npc, region)
        return
    figure = figure_in(s, npc * UNITS_EACH, NONE)
    if figure != NONE:
        region = roll_region(s)
        if region != NONE:
            place_unit(s, "IG-16.7", figure, region)


def summon_npc(s: IceGardenTable) -> None:
    """IG-16.8 All available figures of the highest level that has any, each with a roll."""
    first = s.options.npc * UNITS_EACH
    for unit in range(first + UNITS_EACH - 1, first - 1, -1):
        count = available(s, unit)
        if count > 0:
            for _ in range(count):
                region = roll_region(s)
                if region != NONE:
                    place_unit(s, "IG-16.8", figure_in(s, unit, NONE), region)
            return


def relocate_npc(s: IceGardenTable) -> None:
    """IG-16.16 to IG-16.18 NPC units go where the die says, but for those that stay."""
    sent = _send_faun(s)
    first = s.options.npc * UNITS_EACH
    for unit in range(first + UNITS_EACH - 1, first - 1, -1):
        for figure in range(s.options.npc * FIGURES_EACH, (s.options.npc + 1) * FIGURES_EACH):
            region = s.figure_at[figure]
            if FIGURE_UNIT[figure] != unit or figure == sent or region == NONE:
                continue
            if s.locked[region] or _stays(s, unit, region):
                continue
            to = _roll_among(
                s, [r for r in range(REGION_COUNT) if is_open(s, r) and not s.tower[r]]
            )
            if to not in (NONE, region):
                move_unit(s, "IG-16.16", figure, to)


def _send_faun(s: IceGardenTable) -> int:
    """IG-16.18 One Faun goes to, or stays in, an open region with two nightmare tokens."""
    if s.options.npc * UNITS_EACH != FAUN - 1:
        return NONE
    best = NONE
    for region in range(REGION_COUNT):
        if (
            is_open(s, region)
            and region != s.thorn
            and s.nightmares[region] >= s.components.tokens_to_lock
            and (best == NONE or s.tile[region] < s.tile[best])
        ):
            best = region
    if best == NONE:
        return NONE
    there = figure_in(s, FAUN, best)
    if there != NONE:
        return there
    for figure in range(s.options.npc * FIGURES_EACH, (s.options.npc + 1) * FIGURES_EACH):
        region = s.figure_at[figure]
        if FIGURE_UNIT[figure] == FAUN and region != NONE and not s.locked[region]:
            move_unit(s, "IG-16.18", figure, best)
            return figure
    return NONE


def _stays(s: IceGardenTable, unit: int, region: int) -> bool:
    """IG-16.17 Units that stay, because their goal is served where they are."""
    if unit == NIGHTMARE:
        return s.nightmares[region] < s.components.tokens_to_lock
    if unit == ENLIGHTENED_ONE:
        return s.tower[region] == 0
    if unit == RATLING_MUSICIAN:
        return region != s.thorn and s.reserves_up[region] + s.reserves_down[region] > 0
    if unit == ICE_DRAKKAR:
        ranking = dominance_order(s, region)
        return (
            len(ranking) > 0
            and ranking[0] == s.options.npc
            and s.influence[human(s) * REGION_COUNT + region] > 0
        )
    return False
