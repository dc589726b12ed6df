"""IG-19.2, IG-19.3 What may be known: all but the faces of tiles that lie face down."""

from __future__ import annotations

from typing import Final

from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    CHOSEN_FIELDS,
    FIGURES_EACH,
    FREIHOFF,
    KIND_COUNT,
    NONE,
    REGION_COUNT,
    STOCK,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.influence import spy_symbols
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.ice_garden.view import (
    FACE_DOWN,
    FieldView,
    FigureView,
    PlayerView,
    PublicView,
    RegionView,
    SupplyView,
    UnitView,
    VukoTileView,
)
from taflhall_engine.kernel.agenda import Decision

NO_GOODS: Final = [0, 0, 0]


def public(s: IceGardenTable) -> PublicView:
    """Return the public view of *s*."""
    components = s.components
    progress = [s.towers, s.absorbed, s.locks, sum(s.ice_garden)]
    players = [_player(s, faction, progress[faction]) for faction in s.options.factions]
    if s.options.npc != NONE:
        players.append(_player(s, s.options.npc, progress[s.options.npc]))
    slots = components.slots[s.options.players]
    return PublicView(
        s.options.edition,
        s.options.order_tokens,
        s.options.vuko_tiles,
        s.options.solo_level,
        s.options.layout,
        s.options.sides,
        s.options.npc,
        s.state,
        s.round,
        s.order,
        s.initiative[:],
        s.standing,
        s.ships,
        s.factor,
        s.stage,
        s.snow,
        components.snow_limit[s.options.players],
        s.vuko,
        s.thorn,
        len(s.tile_stack),
        [_region(s, region) for region in range(REGION_COUNT)],
        players,
        [
            FieldView(f, s.tokens[f - 1] if f > 0 else 0, slots[f], s.fields[f])
            for f in range(CHOSEN_FIELDS)
        ],
        [
            VukoTileView(s.layout[n], s.sides[n], s.active >> s.layout[n] & 1 == 1)
            for n in range(len(s.layout))
        ],
        SupplyView(
            s.bank[0],
            s.bank[1],
            s.bank[2],
            s.bank[3],
            s.bank[4],
            s.bank[5],
            s.bank[6],
            s.upgrade_bank[:],
        ),
        s.resolving,
        s.ranking,
        [kind for kind in range(KIND_COUNT) if s.claimed >> kind & 1],
        s.reason,
        s.winners,
        s.final_reputation,
        s.agenda[:],
    )


def _region(s: IceGardenTable, region: int) -> RegionView:
    tile = s.tile[region]
    goods = NO_GOODS
    points: list[int] = []
    if tile != 0 and s.revealed:
        goods = s.components.goods[s.options.players][tile * KIND_COUNT : (tile + 1) * KIND_COUNT]
        points = s.components.points[s.options.players][tile]
    return RegionView(
        tile if tile == 0 or s.revealed else FACE_DOWN,
        goods[0],
        goods[1],
        goods[2],
        points,
        s.neutral[region],
        _by_faction(s.influence, region),
        _by_faction(s.controlled, region),
        s.reserves_up[region],
        s.reserves_down[region],
        s.nightmares[region],
        s.tower[region] == 1,
        s.locked[region] == 1,
        s.attack[region],
    )


def _by_faction(counts: list[int], region: int) -> list[int]:
    """Return what a list by faction and region says of *region*."""
    return counts[region::REGION_COUNT]


def _player(s: IceGardenTable, faction: int, progress: int) -> PlayerView:
    stock = faction * STOCK
    steps = _steps(s, faction)
    return PlayerView(
        faction,
        s.options.seat_of[faction],
        s.stock[stock],
        s.stock[stock + 1],
        s.stock[stock + 2 : stock + STOCK],
        s.vuko_tokens[faction],
        s.vp[faction],
        s.supply[faction],
        s.markers[faction],
        s.viper[faction],
        s.ice_garden[faction],
        progress,
        s.components.goal[faction],
        s.goals >> faction & 1 == 1,
        s.helm[faction],
        _stages(s.doubles[faction]),
        s.reputation[faction],
        s.summoned >> faction & 1 == 1,
        [_unit(s, u) for u in range(faction * UNITS_EACH, (faction + 1) * UNITS_EACH)],
        spy_symbols(s) if faction == FREIHOFF else [],
        [
            FigureView(
                f,
                s.figure_at[f],
                s.damage[f],
                steps[f % FIGURES_EACH] if steps else 0,
                s.defeated >> f & 1 == 1,
            )
            for f in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH)
        ],
        s.withdrawn >> faction & 1 == 1,
    )


def _steps(s: IceGardenTable, faction: int) -> list[int]:
    """Return the speed steps left to each figure of the moving player, nothing for the others."""
    top = s.agenda[-1] if s.agenda else None
    if isinstance(top, Decision) and s.options.factions[top.seat] == faction:
        return s.steps
    return []


def _stages(doubles: int) -> list[int]:
    """Return the stages of the bits of *doubles*."""
    return [stage for stage in range(doubles.bit_length()) if doubles >> stage & 1]


def _unit(s: IceGardenTable, unit: int) -> UnitView:
    place = unit * ABILITY_COUNT
    components = s.components
    bought = s.upgrades[place : place + ABILITY_COUNT]
    free_slots = components.free_slots[unit]
    for count in bought:
        free_slots -= count
    return UnitView(
        unit,
        components.level[unit],
        components.printed_on[unit],
        bought,
        free_slots,
    )
