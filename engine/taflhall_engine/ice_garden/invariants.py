"""IG-2.1, IG-2.2 and what else must hold at every moment."""

from __future__ import annotations

from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    ABILITY_COUNT,
    CALLO,
    CHOSEN_FIELDS,
    FACTION_COUNT,
    FACTIONS,
    FIGURE_COUNT,
    FIGURE_UNIT,
    FIGURES,
    FIGURES_EACH,
    HARRASIM,
    KINDS,
    LOCK_TOKEN,
    M_FACTOR,
    NIGHTMARE_TOKEN,
    NONE,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    REGIONS,
    REPUTATION_FLOOR,
    STOCK,
    TOWER,
    UNDECIDED,
    UNIT_COUNT,
    UNITS,
    VUKO_TOKEN,
)
from taflhall_engine.ice_garden.table import IceGardenTable


def broken(s: IceGardenTable) -> list[str]:
    """Return every broken invariant, in words."""
    found: list[str] = []
    _negative(s, found)
    _resources(s, found)
    _markers(s, found)
    _regions(s, found)
    _figures(s, found)
    _upgrades(s, found)
    _tracks(s, found)
    _end(s, found)
    return found


def _negative(s: IceGardenTable, found: list[str]) -> None:
    lists = [
        s.stock,
        s.bank,
        s.upgrade_bank,
        s.supply,
        s.influence,
        s.controlled,
        s.neutral,
        s.reserves_up,
        s.reserves_down,
        s.nightmares,
        s.vuko_tokens,
        s.vp,
        s.viper,
        s.ice_garden,
        s.markers,
        s.upgrades,
        s.damage,
        s.steps,
        s.attack,
    ]
    for index in range(len(lists)):
        for value in lists[index]:
            if value < 0:
                found.append(f"IG-2.2 a count is negative (list {index})")


def _resources(s: IceGardenTable, found: list[str]) -> None:
    """IG-2.2 Supply and all players' stocks give the total."""
    for kind in range(M_FACTOR + 1):
        total = s.bank[kind]
        for faction in range(FACTION_COUNT):
            total += s.stock[faction * STOCK + kind]
            if kind == M_FACTOR:
                for level in range(1, STOCK - M_FACTOR):
                    total += s.stock[faction * STOCK + kind + level]
        if total != s.components.bank[kind]:
            found.append(f"IG-2.2 there are {total} {KINDS[kind]}, not {s.components.bank[kind]}")
    tokens = s.bank[VUKO_TOKEN]
    for faction in range(FACTION_COUNT):
        tokens += s.vuko_tokens[faction]
    _same(found, "IG-2.1 Vuko tokens", tokens, s.components.bank[VUKO_TOKEN])
    _same(found, "IG-2.1 towers", s.bank[TOWER] + sum(s.tower), s.components.bank[TOWER])
    _same(found, "IG-10.6 towers built", s.towers, sum(s.tower))
    nightmares = s.bank[NIGHTMARE_TOKEN] + sum(s.nightmares)
    _same(found, "IG-2.1 nightmare tokens", nightmares, s.components.bank[NIGHTMARE_TOKEN])
    _same(
        found,
        "IG-2.1 lock tokens",
        s.bank[LOCK_TOKEN] + sum(s.locked),
        s.components.bank[LOCK_TOKEN],
    )
    _same(found, "IG-10.7 locked regions", s.locks, sum(s.locked))
    if s.revealed:
        reserves = sum(s.reserves_up) + sum(s.reserves_down) + s.absorbed
        _same(found, "IG-10.5 reserves", reserves, s.components.reserves)


def _same(found: list[str], what: str, number: int, expected: int) -> None:
    if number != expected:
        found.append(f"{what}: {number}, expected {expected}")


def _markers(s: IceGardenTable, found: list[str]) -> None:
    """IG-2.2 Personal supply, map, Viper Gorge and Ice Garden hold all influence markers."""
    for faction in range(FACTION_COUNT):
        playing = s.options.seat_of[faction] != NONE or faction == s.options.npc
        expected = s.components.markers if playing else 0
        total = s.supply[faction] + s.viper[faction] + s.ice_garden[faction]
        for region in range(REGION_COUNT):
            place = faction * REGION_COUNT + region
            total += s.influence[place]
            if s.controlled[place] > s.influence[place]:
                found.append(f"IG-8.9 more markers behind Vuko than in {REGIONS[region]}")
            if s.controlled[place] > 0 and region != s.vuko:
                found.append(f"IG-8.14 {FACTIONS[faction]} has markers behind Vuko elsewhere")
        _same(found, f"IG-2.2 markers of {FACTIONS[faction]}", total, expected)


def _regions(s: IceGardenTable, found: list[str]) -> None:
    in_play = 0
    for region in range(REGION_COUNT):
        name = REGIONS[region]
        if s.tile[region] != 0:
            in_play += 1
            continue
        empty = s.neutral[region] + s.reserves_up[region] + s.reserves_down[region]
        empty += s.nightmares[region] + s.tower[region] + s.locked[region]
        for faction in range(FACTION_COUNT):
            empty += s.influence[faction * REGION_COUNT + region]
        if empty > 0 or region in (s.thorn, s.vuko):
            found.append(f"IG-1.10 something lies in {name}, which is not in play")
    if s.revealed:
        _same(found, "IG-3.4 regions in play", in_play, s.components.tiles[s.options.players])
    numbers = sorted([tile for tile in s.tile if tile != 0] + s.tile_stack)
    if numbers != list(range(1, s.components.tiles[s.options.players] + 1)):
        found.append("IG-2.4 the tile numbers are not unique")
    if s.thorn != NONE and s.locked[s.thorn]:
        found.append("IG-10.7 the Thorn's region is locked")
    for region in range(REGION_COUNT):
        if s.nightmares[region] > s.components.tokens_to_lock:
            found.append(f"IG-9.9 too many nightmare tokens in {REGIONS[region]}")
        if s.locked[region]:
            _locked(s, region, found)


def _locked(s: IceGardenTable, region: int, found: list[str]) -> None:
    """IG-10.9 to IG-10.15 Only half of Callo's markers and a Faun stay."""
    for faction in range(FACTION_COUNT):
        if faction != CALLO and s.influence[faction * REGION_COUNT + region] > 0:
            found.append(f"IG-10.11 markers were left in {REGIONS[region]}")
    if s.neutral[region] + s.reserves_up[region] + s.reserves_down[region] > 0:
        found.append(f"IG-10.13 something was left in {REGIONS[region]}")
    inside = [f for f in range(FIGURE_COUNT) if s.figure_at[f] == region]
    if len(inside) > 1 or (inside and UNITS[FIGURE_UNIT[inside[0]]] != "faun"):
        found.append(f"IG-10.9 more than a Faun is in {REGIONS[region]}")


def _figures(s: IceGardenTable, found: list[str]) -> None:
    for figure in range(FIGURE_COUNT):
        region = s.figure_at[figure]
        faction = figure // FIGURES_EACH
        if region == NONE:
            if s.damage[figure] or s.defeated >> figure & 1:
                found.append(f"IG-7.18 {FIGURES[figure]} is off the map but hurt")
            continue
        if s.tile[region] == 0:
            found.append(f"IG-1.10 {FIGURES[figure]} stands out of play")
        if s.options.seat_of[faction] == NONE and faction != s.options.npc:
            found.append(f"IG-3.1 {FIGURES[figure]} takes no part")


def _upgrades(s: IceGardenTable, found: list[str]) -> None:
    for ability in range(ABILITY_COUNT):
        total = s.upgrade_bank[ability]
        for unit in range(UNIT_COUNT):
            total += s.upgrades[unit * ABILITY_COUNT + ability]
        if s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]):
            total += 1
        _same(found, f"IG-2.1 upgrades {ABILITIES[ability]}", total, s.components.upgrades[ability])
    for unit in range(UNIT_COUNT):
        bought = s.upgrades[unit * ABILITY_COUNT : (unit + 1) * ABILITY_COUNT]
        if sum(bought) > s.components.free_slots[unit]:
            found.append(f"IG-6.21 too many upgrades on {UNITS[unit]}")
        strict = s.components.duplicates[unit] == 0 or (
            s.options.first_edition and UNITS[unit] == "crab"
        )
        for ability in range(ABILITY_COUNT):
            if (
                strict
                and bought[ability] + s.components.printed[unit * ABILITY_COUNT + ability] > 1
            ):
                found.append(f"IG-6.22 {UNITS[unit]} has a symbol twice")
    if s.spy != NONE and s.options.seat_of[HARRASIM // 3] == NONE:
        found.append("IG-16.10 the NPC's spy uses no markers")


def _tracks(s: IceGardenTable, found: list[str]) -> None:
    if sorted(s.initiative) != sorted(s.order) or sorted(s.standing) != sorted(s.order):
        found.append("IG-3.3 a marker is missing from a track")
    if sorted(s.order) != sorted(s.options.factions):
        found.append("IG-4.6 the turn order is incomplete")
    for faction in s.order:
        if not 1 <= s.helm[faction] <= s.components.helms:
            found.append("IG-4.4 a marker is beyond the initiative track")
        if not 0 <= s.reputation[faction] <= REPUTATION_FLOOR:
            found.append("IG-11.6 a marker is beyond the reputation track")
    if s.round > s.components.helms:
        found.append("IG-14.7 there are more rounds than helms")
    for field in range(CHOSEN_FIELDS):
        if len(s.fields[field]) > s.components.slots[s.options.players][field]:
            found.append("IG-5.4 a field holds too many markers")
    tokens = sorted([token for token in s.tokens if token != 0])
    if len(set(tokens)) != len(tokens):
        found.append("IG-5.2 an order token lies twice")


def _end(s: IceGardenTable, found: list[str]) -> None:
    if (s.reason == UNDECIDED) != (len(s.agenda) > 0):
        found.append("IG-14.6 the match is over without a reason, or the other way round")
    if (s.reason == UNDECIDED) != (not s.winners):
        found.append("IG-14.6 there is no winner")
    if s.snow >= s.components.snow_limit[s.options.players] and s.reason == UNDECIDED:
        found.append("IG-12.2 the Dead Snow has fallen, but the match continues")
