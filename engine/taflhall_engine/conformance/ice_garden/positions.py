"""IG-21 ``given``: builds the position that a case describes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.conformance.ice_garden.possible import impossible
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.components_loader import read_components
from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    ABILITY_COUNT,
    CATCH_UP,
    CHOSEN_FIELDS,
    FACTIONS,
    FIELDS,
    FIGURE_COUNT,
    FIGURES,
    FIGURES_EACH,
    INITIATIVE,
    KIND_COUNT,
    KINDS,
    LEVELS,
    LOCK_TOKEN,
    M_FACTOR,
    NIGHTMARE_TOKEN,
    NONE,
    ORDER_TOKENS,
    PAIR_COUNT,
    PAIR_FIRST,
    PAIR_SECOND,
    PLANNING,
    REGION_COUNT,
    REGIONS,
    REPUTATION_FLOOR,
    ROUND_ORDER,
    SETUP_INFLUENCE,
    SETUP_THORN,
    SETUP_TILES,
    SIDES,
    SOLO_LEVELS,
    STATES,
    STOCK,
    SUPPLIES,
    TILE_SETS,
    TOKENS,
    TOWER,
    UNITS,
    VUKO_TOKEN,
)
from taflhall_engine.ice_garden.layout import empty_table
from taflhall_engine.ice_garden.rules.rounds import rest_of_round
from taflhall_engine.ice_garden.rules.setup import (
    FinishSetup,
    NextTile,
    PlaceReserves,
    SetupInfluence,
    SetupInfluencePhase,
    SetupThornPhase,
)
from taflhall_engine.ice_garden.setup import Setup, faults_of, options_of, seats_of
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Step, schedule
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.kernel.components import InvalidData

PLACES: Final = ["safe", *[str(-n) for n in range(REPUTATION_FLOOR)]]
"""The fields of the reputation track as case files write them."""


def number(place: str, value: Any, names: list[str]) -> int:
    """Return the number of a word, or raise :exc:`CaseError`."""
    if value not in names:
        raise CaseError(f"{place}: {value!r} is not one of {', '.join(names)}")
    return names.index(value)


def integer(place: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise CaseError(f"{place}: {value!r} is not a number")
    return value


def amount(place: str, value: Any) -> int:
    """Return how many of something there are, or raise :exc:`CaseError`."""
    if integer(place, value) < 0:
        raise CaseError(f"{place}: {value} is less than none")
    return int(value)


def table(place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CaseError(f"{place} should be a table, found {value!r}")
    return value


def factions(place: str, value: Any) -> list[int]:
    if not isinstance(value, list):
        raise CaseError(f"{place} should be a list, found {value!r}")
    return [number(place, v, FACTIONS) for v in value]


def figures(place: str, value: Any) -> list[int]:
    if not isinstance(value, list):
        raise CaseError(f"{place} should be a list, found {value!r}")
    return [number(place, v, FIGURES) for v in value]


def position(
    components: Components, tables: dict[str, Any], given: Mapping[str, Any]
) -> IceGardenTable:
    """Return the table that *given* describes, resting before anything of its state is done."""
    keys = Keys("given", given)
    order = factions("given.players", keys.need("players"))
    regions = table("given.regions", keys.take("regions", {}))
    components = _with_tile_values(components, tables, len(order), regions)
    setup = _options(order, keys)
    faults = faults_of(components, setup)
    if faults:
        raise CaseError(f"invalid_options: {'; '.join(str(f) for f in faults)}")
    chance = ScriptedChance([], [], [])
    options = options_of(components, setup, chance)
    dice = keys.take("dice", [])
    chance = ScriptedChance([integer("given.dice", d) - 1 for d in dice], [], [])
    s = empty_table(components, chance, options, order)
    s.state = number("given.state", keys.need("state"), STATES)
    s.round = integer("given.round", keys.take("round", 1 if s.state < CATCH_UP else 2))
    _regions(s, regions)
    if "vuko_region" in keys:
        name = keys.take("vuko_region")
        s.vuko = NONE if name == "none" else number("given.vuko_region", name, REGIONS)
    _tracks(s, keys)
    _stocks(s, table("given.stocks", keys.take("stocks", {})))
    _figures(s, keys)
    _supply(s, table("given.supply", keys.take("supply", {})))
    _vuko_tiles(s, keys)
    npc_set_up = keys.take("npc_state")
    if npc_set_up not in (None, "setup_npc"):
        raise CaseError(f"given.npc_state: {npc_set_up!r} is not known")
    keys.finish()
    reasons = impossible(s)
    if reasons:
        raise CaseError(f"no components make this position: {'; '.join(reasons)}")
    _agenda(s, npc_set_up is not None)
    return s


def _with_tile_values(
    components: Components, tables: dict[str, Any], players: int, regions: dict[str, Any]
) -> Components:
    """Return a box whose tiles have the values that the case gives them."""
    own = {name: data["tile_values"] for name, data in regions.items() if "tile_values" in data}
    if not own:
        return components
    tiles = [dict(tile) for tile in tables["tile"]]
    for name, values in own.items():
        place = f"given.regions.{name}.tile_values"
        keys = Keys(place, values)
        number_on_tile = integer(place, regions[name].get("tile"))
        for tile in tiles:
            if (tile["set"], tile["number"]) == (max(players, 2), number_on_tile):
                for key in (*KINDS, "vp"):
                    tile[key] = keys.take(key, tile[key])
        keys.finish()
    try:
        return read_components({**tables, "tile": tiles})
    except InvalidData as error:
        raise CaseError(str(error)) from None


def _options(order: list[int], keys: Keys) -> Setup:
    options = Keys("given.options", table("given.options", keys.take("options", {})))
    tiles = options.take("vuko_tiles")
    for key in ("vuko_tile_layout", "start_order", "faction_assignment"):
        if options.take(key, "explicit") not in ("explicit", "random"):
            raise CaseError(f"given.options.{key} is neither explicit nor random")
    npc = keys.take("npc")
    setup = Setup(
        seats=len(order),
        edition=integer("given.options.edition", options.take("edition", 2)),
        advanced_order_tokens=options.take("advanced_order_tokens", False) is True,
        vuko_tiles=NONE if tiles is None else number("given.options.vuko_tiles", tiles, TILE_SETS),
        factions=order,
        solo_level=number(
            "given.options.solo_level", options.take("solo_level", "none"), SOLO_LEVELS
        ),
        npc=NONE if npc is None else number("given.npc", npc, FACTIONS),
    )
    options.finish()
    assert seats_of(setup) == len(order)
    return setup


def _regions(s: IceGardenTable, regions: dict[str, Any]) -> None:
    for name, data in regions.items():
        place = f"given.regions.{name}"
        region = number("given.regions", name, REGIONS)
        keys = Keys(place, data)
        keys.take("tile_values")
        s.tile[region] = integer(f"{place}.tile", keys.need("tile"))
        s.neutral[region] = amount(
            f"{place}.neutral", keys.take("neutral", s.components.start_neutral)
        )
        for key, counts in (("influence", s.influence), ("controlled", s.controlled)):
            for player, count in table(f"{place}.{key}", keys.take(key, {})).items():
                faction = number(f"{place}.{key}", player, FACTIONS)
                counts[faction * REGION_COUNT + region] = amount(f"{place}.{key}", count)
        for figure in figures(f"{place}.units", keys.take("units", [])):
            if s.figure_at[figure] != NONE:
                raise CaseError(f"{FIGURES[figure]} stands in two places")
            s.figure_at[figure] = region
        s.reserves_up[region] = amount(place, keys.take("reserves_up", 0))
        s.reserves_down[region] = amount(place, keys.take("reserves_down", 0))
        s.nightmares[region] = amount(place, keys.take("nightmare_tokens", 0))
        s.tower[region] = 1 if keys.take("tower", False) else 0
        s.locked[region] = 1 if keys.take("locked", False) else 0
        if keys.take("thorn", False):
            if s.thorn != NONE:
                raise CaseError("there is one Thorn")
            s.thorn = region
        if keys.take("vuko", False):
            if s.vuko != NONE:
                raise CaseError("there is one Vuko")
            s.vuko = region
        keys.finish()
    s.towers = sum(s.tower)
    s.locks = sum(s.locked)


def _tracks(s: IceGardenTable, keys: Keys) -> None:
    helms = table("given.helms", keys.take("helms", {}))
    stacked: list[int] = []
    for helm, stack in helms.items():
        if not (helm.isascii() and helm.isdecimal() and 1 <= int(helm) <= s.components.helms):
            raise CaseError(f"given.helms: there is no helm {helm}")
        for faction in factions(f"given.helms.{helm}", stack):
            s.helm[faction] = int(helm)
            stacked.append(faction)
    s.initiative = stacked + [f for f in s.initiative if f not in stacked]
    standing: list[int] = []
    for place, stack in table("given.reputation", keys.take("reputation", {})).items():
        for faction in factions(f"given.reputation.{place}", stack):
            s.reputation[faction] = number("given.reputation", place, PLACES)
            standing.append(faction)
    s.standing = standing + [f for f in s.standing if f not in standing]
    for player, stages in table(
        "given.double_moves_used", keys.take("double_moves_used", {})
    ).items():
        faction = number("given.double_moves_used", player, FACTIONS)
        for stage in stages:
            s.doubles[faction] |= 1 << amount("given.double_moves_used", stage)
    s.ships = amount("given.ships_reached", keys.take("ships_reached", 0))
    s.factor = amount("given.scoring_factor", keys.take("scoring_factor", 0))
    s.snow = amount("given.dead_snow", keys.take("dead_snow", 0))
    _planned(s, keys)


def _planned(s: IceGardenTable, keys: Keys) -> None:
    markers = table("given.action_markers", keys.take("action_markers", {}))
    for faction in s.order:
        if s.state in (ORDER_TOKENS, PLANNING):
            s.markers[faction] = s.components.cubes[s.helm[faction]]
    for player, count in markers.items():
        s.markers[number("given.action_markers", player, FACTIONS)] = amount(player, count)
    for name, owners in table("given.fields", keys.take("fields", {})).items():
        index = number("given.fields", name, FIELDS[:CHOSEN_FIELDS])
        s.fields[index] = factions(f"given.fields.{name}", owners)
    order = keys.take("field_order")
    if order is not None:
        fields = [number("given.field_order", f, FIELDS) for f in order]
        own = [field for field in fields if 1 <= field <= TOKENS]
        if sorted(own) != list(range(1, TOKENS + 1)):
            raise CaseError("given.field_order should name the fields 1 to 5")
        for token, field in enumerate(own, 1):
            s.tokens[field - 1] = token
    for faction in factions("given.goal_fulfilled", keys.take("goal_fulfilled", [])):
        s.goals |= 1 << faction
    for faction in factions("given.summoned_this_round", keys.take("summoned_this_round", [])):
        s.summoned |= 1 << faction


def _stocks(s: IceGardenTable, stocks: dict[str, Any]) -> None:
    """IG-21 Influence supply not mentioned: 20 less those on the map and on Viper Gorge."""
    supplies: dict[int, int] = {}
    for player, data in stocks.items():
        place = f"given.stocks.{player}"
        faction = number("given.stocks", player, FACTIONS)
        keys = Keys(place, data)
        start = faction * STOCK
        s.stock[start] = amount(place, keys.take("population", 0))
        s.stock[start + 1] = amount(place, keys.take("gold", 0))
        levels = keys.take("m", [0] * LEVELS)
        if not isinstance(levels, list) or len(levels) != LEVELS:
            raise CaseError(f"{place}.m should list {LEVELS} numbers")
        for level, count in enumerate(levels):
            s.stock[start + M_FACTOR + level] = amount(f"{place}.m", count)
        s.vuko_tokens[faction] = amount(place, keys.take("vuko_tokens", 0))
        s.vp[faction] = amount(place, keys.take("vp", 0))
        s.viper[faction] = amount(place, keys.take("viper", 0))
        if "influence_supply" in keys:
            supplies[faction] = amount(place, keys.take("influence_supply"))
        for unit, abilities in table(f"{place}.upgrades", keys.take("upgrades", {})).items():
            for ability in abilities:
                index = number(f"{place}.upgrades", unit, UNITS) * ABILITY_COUNT
                s.upgrades[index + number(f"{place}.upgrades", ability, ABILITIES)] += 1
        _spy(s, place, keys.take("spy", []))
        if "towers" in keys:
            s.towers = max(s.towers, amount(place, keys.take("towers")))
        if "absorbed" in keys:
            s.absorbed = max(s.absorbed, amount(place, keys.take("absorbed")))
        if "locked" in keys:
            s.locks = max(s.locks, amount(place, keys.take("locked")))
        captured = amount(place, keys.take("ice_garden", 0))
        if captured:
            others = [f for f in (*s.order, s.options.npc) if f not in (faction, NONE)]
            s.ice_garden[others[0]] = captured
        keys.finish()
    for faction in range(len(FACTIONS)):
        own = range(faction * REGION_COUNT, (faction + 1) * REGION_COUNT)
        on_map = sum(s.influence[index] for index in own)
        if s.supply[faction]:
            s.supply[faction] = max(0, s.components.markers - on_map - s.viper[faction])
        if faction in supplies:
            s.supply[faction] = supplies[faction]


def _spy(s: IceGardenTable, place: str, abilities: list[str]) -> None:
    if not abilities:
        return
    wanted = sorted(number(f"{place}.spy", ability, ABILITIES) for ability in abilities)
    for pair in range(PAIR_COUNT):
        if wanted == [PAIR_FIRST[pair], PAIR_SECOND[pair]]:
            s.spy = pair
            return
    raise CaseError(f"{place}.spy should name two different symbols")


def _figures(s: IceGardenTable, keys: Keys) -> None:
    for name, points in table("given.damage", keys.take("damage", {})).items():
        s.damage[number("given.damage", name, FIGURES)] = amount("given.damage", points)
    for figure in figures("given.defeated", keys.take("defeated", [])):
        s.defeated |= 1 << figure
    for figure in range(FIGURE_COUNT):
        faction = figure // FIGURES_EACH
        if s.figure_at[figure] != NONE and faction not in (*s.order, s.options.npc):
            raise CaseError(f"{FIGURES[figure]} belongs to no player of this case")


def _supply(s: IceGardenTable, given: dict[str, Any]) -> None:
    """IG-21 Supplies are full, less the pieces that are mentioned elsewhere."""
    for kind in range(KIND_COUNT):
        for faction in range(len(FACTIONS)):
            s.bank[kind] -= s.stock[faction * STOCK + kind]
            if kind == M_FACTOR:
                for level in range(1, LEVELS):
                    s.bank[kind] -= s.stock[faction * STOCK + M_FACTOR + level]
    s.bank[VUKO_TOKEN] -= sum(s.vuko_tokens)
    s.bank[NIGHTMARE_TOKEN] -= sum(s.nightmares)
    s.bank[LOCK_TOKEN] -= s.locks
    s.bank[TOWER] -= s.towers
    for ability in range(ABILITY_COUNT):
        s.upgrade_bank[ability] -= sum(s.upgrades[ability::ABILITY_COUNT])
        if s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]):
            s.upgrade_bank[ability] -= 1
    keys = Keys("given.supply", given)
    for index, name in enumerate(SUPPLIES):
        if name in keys:
            s.bank[index] = amount(f"given.supply.{name}", keys.take(name))
    for index, name in enumerate(ABILITIES):
        if f"upgrade_{name}" in keys:
            s.upgrade_bank[index] = amount("given.supply", keys.take(f"upgrade_{name}"))
    keys.finish()


def tile_and_side(place: str, data: Any) -> tuple[int, int]:
    """Return the number and the side of a Vuko tile."""
    keys = Keys(place, table(place, data))
    found = amount(place, keys.need("number")), number(place, keys.need("side"), SIDES)
    keys.finish()
    return found


def _vuko_tiles(s: IceGardenTable, keys: Keys) -> None:
    """IG-15.3 The tile of the stage is active unless the case begins before its S3."""
    for data in keys.take("tile_layout", []):
        tile, side = tile_and_side("given.tile_layout", data)
        s.layout.append(tile)
        s.sides.append(side)
    for data in keys.take("active_tiles", []):
        tile, side = tile_and_side("given.active_tiles", data)
        s.active |= 1 << tile
        if side == 1:
            s.passing |= 1 << tile
    if s.state >= CATCH_UP:
        s.stage = s.components.stage[max(s.helm)]
        before = s.state in (CATCH_UP, INITIATIVE, ROUND_ORDER)
        if before and s.layout and s.stage > 1 and not s.active >> s.layout[s.stage - 1] & 1:
            s.stage -= 1


def _agenda(s: IceGardenTable, npc_set_up: bool) -> None:
    """Put the first step of the state and those after it on the agenda."""
    s.revealed = s.state > SETUP_THORN
    steps: list[Step[IceGardenTable]]
    if s.state >= CATCH_UP:
        steps = rest_of_round(s.state)
    elif s.state == SETUP_TILES:
        placed = sum(1 for tile in s.tile if tile)
        count = s.components.tiles[s.options.players]
        s.tile_stack = [n for n in range(count, 0, -1) if n not in s.tile]
        steps = [NextTile(placed % s.options.players), SetupThornPhase(), PlaceReserves()]
        steps += [SetupInfluencePhase(), FinishSetup()]
    elif s.state == SETUP_THORN:
        steps = [SetupThornPhase(), PlaceReserves(), SetupInfluencePhase(), FinishSetup()]
    elif npc_set_up:
        steps = [SetupInfluencePhase(), FinishSetup()]
    else:
        assert s.state == SETUP_INFLUENCE
        seats = [s.options.seat_of[faction] for faction in s.order] * s.components.start_markers
        own = [f * REGION_COUNT + r for f in s.order for r in range(REGION_COUNT)]
        placed = sum(s.influence[index] for index in own)
        steps = [*[SetupInfluence(seat) for seat in seats[placed:]], FinishSetup()]
    schedule(s, steps)
