"""IG-21 ``then``: compares a table with what must hold; only mentioned keys are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taflhall_engine.conformance.cases import CaseError, Keys, differ
from taflhall_engine.conformance.ice_garden.positions import (
    PLACES,
    factions,
    figures,
    integer,
    number,
    table,
    tile_and_side,
)
from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    ABILITY_COUNT,
    CALLO,
    CHOSEN_FIELDS,
    FACTION_COUNT,
    FACTIONS,
    FIELDS,
    FIGURE_COUNT,
    FIGURES,
    FJOLLSFINN,
    FREIHOFF,
    M_FACTOR,
    NONE,
    REASONS,
    REGION_COUNT,
    REGIONS,
    SIDES,
    STATES,
    STOCK,
    SUPPLIES,
    TOKENS,
    UNITS,
    VAN_DYKEN,
)
from taflhall_engine.ice_garden.influence import acting, spy_symbols
from taflhall_engine.ice_garden.table import IceGardenTable

Found = list[str]


def compare(s: IceGardenTable, then: Mapping[str, Any]) -> Found:
    """Return what differs between *s* and *then*."""
    keys = Keys("then", then)
    found: Found = []
    for key, value in {
        "state": STATES[s.state],
        "round": s.round,
        "dead_snow": s.snow,
        "scoring_factor": s.factor,
        "ships_reached": s.ships,
        "vuko_region": "none" if s.vuko == NONE else REGIONS[s.vuko],
    }.items():
        if key in keys:
            found += differ(key, keys.take(key), value)
    if "turn_order" in keys:
        order = factions("then.turn_order", keys.take("turn_order"))
        actual = acting(s) if s.options.npc in order else s.order
        found += differ("turn_order", _names(order), _names(actual))
    for key, bits in (("goal_fulfilled", s.goals), ("summoned_this_round", s.summoned)):
        if key in keys:
            wanted = factions(f"then.{key}", keys.take(key))
            own = [f for f in range(FACTION_COUNT) if bits >> f & 1]
            found += differ(key, _names(sorted(wanted)), _names(own))
    found += _tracks(s, keys)
    for name, data in table("then.regions", keys.take("regions", {})).items():
        found += _region(s, name, data)
    for player, data in table("then.stocks", keys.take("stocks", {})).items():
        found += _stock(s, player, data)
    found += _supply(s, table("then.supply", keys.take("supply", {})))
    found += _totals(s, table("then.totals", keys.take("totals", {})))
    found += _figures(s, keys)
    found += _tiles(s, keys)
    if "result" in keys:
        found += _result(s, table("then.result", keys.take("result")))
    keys.finish()
    return found


def _names(numbers: list[int]) -> list[str]:
    return [FACTIONS[n] for n in numbers]


def _tracks(s: IceGardenTable, keys: Keys) -> Found:
    found: Found = []
    for helm, stack in table("then.helms", keys.take("helms", {})).items():
        factions(f"then.helms.{helm}", stack)
        own = [f for f in s.initiative if s.helm[f] == int(helm)]
        found += differ(f"helms.{helm}", stack, _names(own))
    for place, stack in table("then.reputation", keys.take("reputation", {})).items():
        factions(f"then.reputation.{place}", stack)
        field = number("then.reputation", place, PLACES)
        own = [f for f in s.standing if s.reputation[f] == field]
        found += differ(f"reputation.{place}", stack, _names(own))
    for name, owners in table("then.fields", keys.take("fields", {})).items():
        index = number("then.fields", name, FIELDS[:CHOSEN_FIELDS])
        found += differ(f"fields.{name}", owners, _names(s.fields[index]))
    if "field_order" in keys:
        short = [FIELDS[s.tokens.index(t) + 1] for t in range(1, TOKENS + 1) if t in s.tokens]
        full = [FIELDS[0], *short, *FIELDS[CHOSEN_FIELDS:]]
        wanted = keys.take("field_order")
        found += differ("field_order", wanted, short if len(wanted) == len(short) else full)
    for player, count in table("then.action_markers", keys.take("action_markers", {})).items():
        faction = number("then.action_markers", player, FACTIONS)
        found += differ(f"action_markers.{player}", count, s.markers[faction])
    doubles = table("then.double_moves_used", keys.take("double_moves_used", {}))
    for player, stages in doubles.items():
        bits = s.doubles[number("then.double_moves_used", player, FACTIONS)]
        own_stages = [stage for stage in range(1, 5) if bits >> stage & 1]
        found += differ(f"double_moves_used.{player}", sorted(stages), own_stages)
    return found


def _region(s: IceGardenTable, name: str, data: Mapping[str, Any]) -> Found:
    region = number("then.regions", name, REGIONS)
    keys = Keys(f"then.regions.{name}", data)
    found: Found = []
    for key, value in {
        "tile": s.tile[region],
        "neutral": s.neutral[region],
        "reserves_up": s.reserves_up[region],
        "reserves_down": s.reserves_down[region],
        "nightmare_tokens": s.nightmares[region],
        "tower": s.tower[region] == 1,
        "locked": s.locked[region] == 1,
        "thorn": s.thorn == region,
        "vuko": s.vuko == region,
    }.items():
        if key in keys:
            found += differ(f"{name}.{key}", keys.take(key), value)
    for key, counts in (("influence", s.influence), ("controlled", s.controlled)):
        for player, count in table(f"then.regions.{name}.{key}", keys.take(key, {})).items():
            faction = number(f"then.regions.{name}.{key}", player, FACTIONS)
            own = counts[faction * REGION_COUNT + region]
            found += differ(f"{name}.{key}.{player}", count, own)
    if "units" in keys:
        wanted = sorted(figures(f"then.regions.{name}.units", keys.take("units")))
        there = [f for f in range(FIGURE_COUNT) if s.figure_at[f] == region]
        found += differ(f"{name}.units", [FIGURES[f] for f in wanted], [FIGURES[f] for f in there])
    keys.finish()
    return found


def _stock(s: IceGardenTable, player: str, data: Mapping[str, Any]) -> Found:
    faction = number("then.stocks", player, FACTIONS)
    keys = Keys(f"then.stocks.{player}", data)
    found: Found = []
    start = faction * STOCK
    for key, value in {
        "population": s.stock[start],
        "gold": s.stock[start + 1],
        "m": s.stock[start + M_FACTOR : start + STOCK],
        "vuko_tokens": s.vuko_tokens[faction],
        "vp": s.vp[faction],
        "influence_supply": s.supply[faction],
        "viper": s.viper[faction],
        "towers": s.towers if faction == FREIHOFF else 0,
        "absorbed": s.absorbed if faction == VAN_DYKEN else 0,
        "locked": s.locks if faction == CALLO else 0,
        "ice_garden": sum(s.ice_garden) if faction == FJOLLSFINN else 0,
    }.items():
        if key in keys:
            found += differ(f"{player}.{key}", keys.take(key), value)
    for unit, abilities in table("then.stocks.upgrades", keys.take("upgrades", {})).items():
        place = number(f"then.stocks.{player}.upgrades", unit, UNITS) * ABILITY_COUNT
        wanted = sorted(number("then.stocks.upgrades", a, ABILITIES) for a in abilities)
        own = [a for a in range(ABILITY_COUNT) for _ in range(s.upgrades[place + a])]
        found += differ(f"{player}.upgrades.{unit}", _abilities(wanted), _abilities(own))
    if "spy" in keys:
        wanted = sorted(number("then.stocks.spy", a, ABILITIES) for a in keys.take("spy"))
        own = spy_symbols(s) if faction == FREIHOFF else []
        found += differ(f"{player}.spy", _abilities(wanted), _abilities(own))
    keys.finish()
    return found


def _abilities(numbers: list[int]) -> list[str]:
    return [ABILITIES[n] for n in numbers]


def _supply(s: IceGardenTable, data: Mapping[str, Any]) -> Found:
    found: Found = []
    for name, count in data.items():
        if name in SUPPLIES:
            own = s.bank[SUPPLIES.index(name)]
        elif name.startswith("upgrade_"):
            own = s.upgrade_bank[number("then.supply", name.removeprefix("upgrade_"), ABILITIES)]
        else:
            raise CaseError(f"unknown key then.supply.{name}")
        found += differ(f"supply.{name}", count, own)
    return found


def _totals(s: IceGardenTable, data: Mapping[str, Any]) -> Found:
    keys = Keys("then.totals", data)
    found: Found = []
    holding = [r for r in range(REGION_COUNT) if s.reserves_up[r] + s.reserves_down[r] > 0]
    for key, value in {
        "reserves_up": sum(s.reserves_up),
        "reserves_down": sum(s.reserves_down),
        "regions_with_reserve": len(holding),
    }.items():
        if key in keys:
            found += differ(f"totals.{key}", keys.take(key), value)
    keys.finish()
    return found


def _figures(s: IceGardenTable, keys: Keys) -> Found:
    found: Found = []
    for name, points in table("then.damage", keys.take("damage", {})).items():
        figure = number("then.damage", name, FIGURES)
        found += differ(f"damage.{name}", points, s.damage[figure])
    if "defeated" in keys:
        wanted = sorted(figures("then.defeated", keys.take("defeated")))
        own = [f for f in range(FIGURE_COUNT) if s.defeated >> f & 1]
        found += differ("defeated", [FIGURES[f] for f in wanted], [FIGURES[f] for f in own])
    return found


def _tiles(s: IceGardenTable, keys: Keys) -> Found:
    found: Found = []
    if "active_tiles" in keys:
        wanted = [tile_and_side("then.active_tiles", d) for d in keys.take("active_tiles")]
        own = [(t, s.passing >> t & 1) for t in range(1, 9) if s.active >> t & 1]
        found += differ("active_tiles", _sided(sorted(wanted)), _sided(own))
    if "tile_layout" in keys:
        wanted = [tile_and_side("then.tile_layout", d) for d in keys.take("tile_layout")]
        found += differ(
            "tile_layout", _sided(wanted), _sided(list(zip(s.layout, s.sides, strict=True)))
        )
    return found


def _sided(tiles: list[tuple[int, int]]) -> list[str]:
    return [f"{tile} {SIDES[side]}" for tile, side in tiles]


def _result(s: IceGardenTable, data: Mapping[str, Any]) -> Found:
    keys = Keys("then.result", data)
    found: Found = []
    if "reason" in keys:
        found += differ("result.reason", keys.take("reason"), REASONS[s.reason])
    if "winners" in keys:
        wanted = factions("then.result.winners", keys.take("winners"))
        found += differ("result.winners", _names(sorted(wanted)), _names(sorted(s.winners)))
    final = table("then.result.final_reputation", keys.take("final_reputation", {}))
    for player, value in final.items():
        faction = number("then.result.final_reputation", player, FACTIONS)
        own = s.final_reputation[faction] if s.final_reputation else None
        integer("then.result.final_reputation", value)
        found += differ(f"result.final_reputation.{player}", value, own)
    for player, points in table("then.result.vp", keys.take("vp", {})).items():
        faction = number("then.result.vp", player, FACTIONS)
        found += differ(f"result.vp.{player}", points, s.vp[faction])
    keys.finish()
    return found
