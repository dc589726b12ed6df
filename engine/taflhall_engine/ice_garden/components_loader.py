"""Reads ``components.toml`` into :class:`Components`, or says everything that is wrong with it."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    CHOSEN_FIELDS,
    FACTIONS,
    FIELDS,
    FIGURES_OF_LEVEL,
    KINDS,
    LEVELS,
    REGIONS,
    REPUTATION_FLOOR,
    SIDES,
    SOLO_LEVELS,
    STAGES,
    SUPPLIES,
    TILE_SETS,
    UNITS,
    UNITS_EACH,
    VUKO_TILES,
)
from taflhall_engine.kernel.components import DataFault, InvalidData

UNLIMITED: Final = 99
COLUMNS: Final = {
    "two_players": "slots_two_players",
    "three_four_players": "slots_three_four_players",
}
BANK: Final = {
    "population": "population",
    "gold": "gold",
    "m_factor": "m_factor",
    "vuko_tokens": "vuko_tokens",
    "nightmare_tokens": "nightmare_tokens",
    "lock_tokens": "lock_tokens",
    "red_towers": "red_towers",
}
DOMINATION: Final = {
    "enlightened_one": ["pillage"],
    "ratling_musician": ["piping"],
    "faun": ["enchant"],
    "nightmare": ["torment"],
    "ice_drakkar": ["recruitment"],
}
"""Seed facts: the special abilities of the domination phase; the others have none."""
ACTIVATION: Final = {"harrasim": ["maker_spy"], "ice_drakkar": ["ice_crossing"]}


class Reader:
    """Takes values out of the tables and collects faults."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables = tables
        self.faults: list[DataFault] = []
        self._read: dict[str, list[dict[str, Any]]] = {}

    def fault(self, place: str, reason: str) -> None:
        self.faults.append(DataFault(place, reason))

    def table(self, name: str) -> dict[str, Any]:
        """Return a table of the file, empty with a fault if it is missing."""
        found = self.tables.get(name)
        if isinstance(found, dict):
            return found
        self.fault(name, "this table is missing")
        return {}

    def entries(self, name: str, key: str, ids: list[Any]) -> list[dict[str, Any]]:
        """Return the entries of an array of tables in the order of *ids*, all of them once."""
        if name not in self._read:
            self._read[name] = self._entries(name, key, ids)
        return self._read[name]

    def _entries(self, name: str, key: str, ids: list[Any]) -> list[dict[str, Any]]:
        found = self.tables.get(name)
        if not isinstance(found, list):
            self.fault(name, "this array of tables is missing")
            found = []
        by_id: dict[Any, dict[str, Any]] = {}
        for index, entry in enumerate(found):
            place = f"{name}[{index}]"
            if not isinstance(entry, dict) or key not in entry:
                self.fault(place, f"lacks {key!r}")
            elif entry[key] not in ids:
                self.fault(
                    f"{place}.{key}", f"unknown {entry[key]!r}, expected one of {_text(ids)}"
                )
            elif entry[key] in by_id:
                self.fault(f"{place}.{key}", f"{entry[key]!r} is there twice")
            else:
                by_id[entry[key]] = entry
        for wanted in ids:
            if wanted not in by_id:
                self.fault(name, f"{key} {wanted!r} is missing")
        return [by_id.get(wanted, {}) for wanted in ids]

    def number(self, data: dict[str, Any], key: str, place: str, low: int, high: int) -> int:
        """Return a number within bounds; *low* with a fault otherwise."""
        value = data.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        if data:
            what = "is missing" if value is None else f"is {value!r}"
            self.fault(f"{place}.{key}", f"{what}, expected a number from {low} to {high}")
        return low

    def flag(self, data: dict[str, Any], key: str, place: str) -> bool:
        """Return true or false; false with a fault otherwise."""
        value = data.get(key)
        if isinstance(value, bool):
            return value
        if data:
            self.fault(f"{place}.{key}", f"is {value!r}, expected true or false")
        return False

    def words(self, data: dict[str, Any], key: str, place: str, known: list[Any]) -> list[int]:
        """Return a list of known words as numbers, without the unknown ones."""
        value = data.get(key)
        if not isinstance(value, list):
            if data:
                self.fault(f"{place}.{key}", f"is {value!r}, expected a list")
            return []
        for word in value:
            if word not in known:
                self.fault(f"{place}.{key}", f"unknown {word!r}, expected {_text(known)}")
        return [known.index(word) for word in value if word in known]


def _text(words: list[Any]) -> str:
    return ", ".join(map(str, words))


def read_components(tables: dict[str, Any]) -> Components:
    """Return the box that *tables* describe; raise :exc:`InvalidData` with every fault."""
    r = Reader(tables)
    components = Components()
    _map(r, components)
    _player_counts(r, components)
    _initiative(r, components)
    _fields(r, components)
    _counts(r, components)
    _factions(r, components)
    _upgrades(r, components)
    _tracks(r, components)
    _vuko_tiles(r, components)
    _solo(r, components)
    if r.faults:
        raise InvalidData(r.faults)
    return components


def _map(r: Reader, components: Components) -> None:
    """IG-2.3 Adjacency is symmetric."""
    for index, entry in enumerate(r.entries("region", "id", REGIONS)):
        place = f"region {REGIONS[index]}"
        near = r.words(entry, "adjacent", place, REGIONS)
        if len(set(near)) != len(near):
            r.fault(f"{place}.adjacent", "a region is there twice")
        components.adjacent.append(sorted(set(near)))
    for region, near in enumerate(components.adjacent):
        for other in near:
            if region == other:
                r.fault(f"region {REGIONS[region]}.adjacent", "a region is not next to itself")
            elif region not in components.adjacent[other]:
                r.fault(
                    f"region {REGIONS[other]}.adjacent",
                    f"asymmetric: lacks {REGIONS[region]!r}, which lists {REGIONS[other]!r}",
                )


def _player_counts(r: Reader, components: Components) -> None:
    """IG-2.4, IG-3.4, IG-12.2 Tiles and limits by player count."""
    entries = r.entries("player_count", "players", [1, 2, 3, 4])
    snow = r.table("dead_snow").get("limit_by_players")
    for players, entry in enumerate(entries, 1):
        place = f"player_count {players}"
        tile_set = r.number(entry, "tile_set", place, 2, 4)
        if tile_set != max(players, 2):
            r.fault(f"{place}.tile_set", f"is {tile_set}, expected {max(players, 2)}")
        count = r.number(entry, "regions_in_play", place, 5, len(REGIONS))
        if r.tables.get("counts", {}).get(_TILE_COUNTS[max(players, 2)]) != count:
            r.fault(f"counts.{_TILE_COUNTS[max(players, 2)]}", f"expected {count}, see {place}")
        components.tiles[players] = count
        components.snow_limit[players] = r.number(entry, "dead_snow_limit", place, 1, 99)
        if isinstance(snow, dict) and snow.get(str(players)) != components.snow_limit[players]:
            r.fault(
                f"dead_snow.limit_by_players.{players}",
                f"is {snow.get(str(players))!r}, expected {components.snow_limit[players]}, "
                f"see {place}",
            )
    tiles = r.tables.get("tile")
    if not isinstance(tiles, list):
        r.fault("tile", "this array of tables is missing")
        return
    for players in (2, 3, 4):
        own = [t for t in tiles if isinstance(t, dict) and t.get("set") == players]
        if len(own) != components.tiles[players]:
            r.fault(
                f"tile set {players}", f"has {len(own)} tiles, expected {components.tiles[players]}"
            )
        components.goods[players] = [0] * 3 * (components.tiles[players] + 1)
        components.points[players] = [[0] for _ in range(components.tiles[players] + 1)]
        seen = set()
        for tile in own:
            place = f"tile set {players} number {tile.get('number')}"
            number = r.number(tile, "number", place, 1, components.tiles[players])
            if number in seen:
                r.fault(place, "this number is there twice")
            seen.add(number)
            for kind, name in enumerate(KINDS):
                components.goods[players][number * 3 + kind] = r.number(tile, name, place, 0, 2)
            points = tile.get("vp")
            if not isinstance(points, list) or not points or not all(_natural(p) for p in points):
                r.fault(f"{place}.vp", f"is {points!r}, expected a list of numbers from 0")
            else:
                components.points[players][number] = list(points)
    for index, tile in enumerate(tiles):
        if not isinstance(tile, dict) or tile.get("set") not in (2, 3, 4):
            r.fault(f"tile[{index}].set", "expected 2, 3 or 4")


_TILE_COUNTS: Final = {
    2: "region_tiles_two_players",
    3: "region_tiles_three_players",
    4: "region_tiles_four_players",
}


def _natural(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _initiative(r: Reader, components: Components) -> None:
    """IG-2.5 Helms, ships, cubes, red ships."""
    track = r.table("initiative")
    components.helms = r.number(track, "helms", "initiative", 2, 20)
    components.red_ship_count = r.number(track, "red_ships", "initiative", 1, components.helms)
    components.max_step = r.number(track, "max_step", "initiative", 1, 9)
    components.doubles_per_stage = r.number(track, "double_moves_per_stage", "initiative", 1, 1)
    stages = track.get("stages")
    if not isinstance(stages, list) or len(stages) != STAGES or not all(map(_natural, stages)):
        r.fault("initiative.stages", f"is {stages!r}, expected {STAGES} numbers")
        stages = []
    elif sum(stages) != components.helms:
        r.fault("initiative.stages", f"sum to {sum(stages)}, expected {components.helms} helms")
    own = [stage for stage, count in enumerate(stages, 1) for _ in range(count)]
    red = 0
    most = r.tables.get("counts", {}).get("action_markers_per_player", 5)
    for position, entry in enumerate(
        r.entries("helm", "position", list(range(1, components.helms + 1))), 1
    ):
        place = f"helm {position}"
        components.stage.append(r.number(entry, "stage", place, 1, STAGES))
        if entry and position <= len(own) and components.stage[-1] != own[position - 1]:
            r.fault(f"{place}.stage", f"is {components.stage[-1]}, expected {own[position - 1]}")
        components.ship.append(r.number(entry, "ship", place, 1, 3))
        components.cubes.append(r.number(entry, "cubes", place, 1, most))
        red += 1 if r.flag(entry, "red_ship", place) else 0
        components.red_ships.append(red)
    if red != components.red_ship_count:
        r.fault("helm", f"{red} red ships, expected {components.red_ship_count}")
    if len(components.red_ships) > 2 and components.red_ships[-1] == components.red_ships[-2]:
        r.fault(f"helm {components.helms}.red_ship", "the last helm has the last red ship")


def _fields(r: Reader, components: Components) -> None:
    """IG-2.6 Slots of the fields, IG-6 costs."""
    fields = r.entries("action_field", "number", list(range(len(FIELDS))))
    for number, entry in enumerate(fields):
        if entry and entry.get("id") != FIELDS[number]:
            r.fault(
                f"action_field {number}.id", f"is {entry.get('id')!r}, expected {FIELDS[number]!r}"
            )
    for players, entry in enumerate(r.entries("player_count", "players", [1, 2, 3, 4]), 1):
        column = entry.get("slot_column")
        if column not in COLUMNS:
            if entry:
                r.fault(f"player_count {players}.slot_column", f"unknown {column!r}")
            continue
        for number in range(CHOSEN_FIELDS):
            slots = UNLIMITED
            if number > 0:
                place = f"action_field {FIELDS[number]}"
                slots = r.number(fields[number], COLUMNS[column], place, 1, 20)
            components.slots[players].append(slots)
    costs = r.table("action_costs")

    def cost(key: str, low: int = 0, high: int = 20) -> int:
        return r.number(costs, key, "action_costs", low, high)

    components.influence_cost = cost("influence_population_per_marker")
    components.influence_markers = cost("influence_max_markers", 1, 9)
    components.move_cost = cost("move_gold_per_step")
    components.move_steps = cost("move_max_steps", 1, 9)
    components.mountain_cost = cost("mountain_population")
    components.mountain_cost_whisperers = cost("mountain_population_shadow_whisperers")
    components.token_cost = cost("raven_m_factor_per_vuko_token")
    components.raven_steps = cost("raven_reputation_steps", 1)
    components.raven_cost[1] = cost("raven_reputation_m_factor_edition_1")
    components.raven_cost[2] = cost("raven_reputation_m_factor_edition_2")
    components.making_snow = cost("making_dead_snow_per_subaction")
    components.move_m_points = cost("making_move_points", 1)
    components.move_m_reputation = cost("making_move_reputation")
    components.upgrade_reputation = cost("making_upgrade_reputation")
    components.attack_cost = cost("attack_gold")
    components.gorge_markers = cost("viper_gorge_influence_markers", 1, 1)


def _counts(r: Reader, components: Components) -> None:
    """IG-2.1 Supply limits, IG-3.2 start goods."""
    counts = r.table("counts")
    components.bank = [r.number(counts, BANK[name], "counts", 0, 99) for name in SUPPLIES]
    components.markers = r.number(counts, "influence_markers_per_player", "counts", 2, 99)
    components.reserves = r.number(counts, "magical_reserves", "counts", 1, 5)
    upgrades = r.table("upgrade_markers")
    components.upgrades = [r.number(upgrades, name, "upgrade_markers", 0, 99) for name in ABILITIES]
    total = r.number(counts, "upgrade_markers", "counts", 0, 396)
    if upgrades and sum(components.upgrades) != total:
        r.fault("upgrade_markers", f"sum to {sum(components.upgrades)}, expected {total}")
    start = r.table("start")
    goods = ["population", "gold", "m_factor_level_0"]
    components.start = [r.number(start, name, "start", 0, 9) for name in goods]
    components.start_markers = r.number(start, "influence_markers_on_map", "start", 1, 4)
    components.start_neutral = r.number(start, "neutral_markers_per_region", "start", 0, 9)
    components.start_vuko_tokens = r.number(start, "vuko_tokens", "start", 0, 0)
    components.start_points = r.number(start, "victory_points", "start", 0, 49)
    components.start_helm = r.number(start, "helm", "start", 1, 1)
    for kind, name in enumerate(KINDS):
        if 4 * components.start[kind] > components.bank[kind]:
            r.fault(f"start.{goods[kind]}", f"the supply of {name} is too small for four players")


def _factions(r: Reader, components: Components) -> None:
    """IG-2.7 Factions and units; IG-10 goals."""
    for index, entry in enumerate(r.entries("faction", "id", FACTIONS)):
        components.goal.append(r.number(entry, "goal_target", f"faction {FACTIONS[index]}", 1, 20))
    for index, entry in enumerate(r.entries("unit", "id", UNITS)):
        place = f"unit {UNITS[index]}"
        level = index % UNITS_EACH + 1
        components.level.append(r.number(entry, "level", place, level, level) if entry else level)
        r.number(entry, "count", place, FIGURES_OF_LEVEL[level - 1], FIGURES_OF_LEVEL[level - 1])
        faction = FACTIONS[index // UNITS_EACH]
        if entry and entry.get("faction") != faction:
            r.fault(f"{place}.faction", f"is {entry.get('faction')!r}, expected {faction!r}")
        symbols = r.words(entry, "printed", place, ABILITIES)
        printed = [symbols.count(ability) for ability in range(len(ABILITIES))]
        components.printed_on.append(printed)
        components.printed.extend(printed)
        components.free_slots.append(r.number(entry, "free_slots", place, 0, 9))
        spies = 2 if UNITS[index] == "harrasim" else 0
        r.number(entry, "spy_slots", place, spies, spies)
        components.duplicates.append(1 if r.flag(entry, "allow_duplicates", place) else 0)
        components.extra_reputation.append(r.number(entry, "summon_extra_reputation", place, 0, 9))
        for key, known in (("domination", DOMINATION), ("activation", ACTIVATION)):
            expected = known.get(UNITS[index], [])
            if entry and entry.get(key) != expected:
                r.fault(f"{place}.{key}", f"is {entry.get(key)!r}, expected {expected!r}")


def _upgrades(r: Reader, components: Components) -> None:
    """IG-2.8 Prices, for all units or by unit."""
    usual = r.entries("upgrade", "id", ABILITIES)
    units = r.entries("unit", "id", UNITS)
    for unit, entry in enumerate(units):
        own = entry.get("price", {})
        if not isinstance(own, dict) or any(name not in ABILITIES for name in own):
            r.fault(f"unit {UNITS[unit]}.price", f"expected prices of {_text(ABILITIES)}")
            own = {}
        for ability, name in enumerate(ABILITIES):
            place = f"unit {UNITS[unit]}.price.{name}" if name in own else f"upgrade {name}.price"
            price = own.get(name, usual[ability].get("price"))
            if not isinstance(price, dict) or any(kind not in KINDS for kind in price):
                if usual[ability] and (unit == 0 or name in own):
                    r.fault(place, f"is {price!r}, expected amounts of {_text(KINDS)}")
                price = {}
            for kind in KINDS:
                amount = price.get(kind, 0)
                if not _natural(amount) and (unit == 0 or name in own):
                    r.fault(f"{place}.{kind}", f"is {amount!r}, expected a number from 0")
                components.price.append(amount if _natural(amount) else 0)


def _tracks(r: Reader, components: Components) -> None:
    """IG-11.1 Reputation; IG-12.4, IG-13, IG-14 victory."""
    track = r.table("reputation")
    expected = ["safe", *range(0, -REPUTATION_FLOOR, -1)]
    if track and track.get("values") != expected:
        r.fault("reputation.values", f"expected {_text(expected)}")
    r.number(track, "cap_up", "reputation", 0, 0)
    r.number(track, "floor", "reputation", 1 - REPUTATION_FLOOR, 1 - REPUTATION_FLOOR)
    components.reputation = [
        r.number(track, "safe_numeric", "reputation", 0, 9),
        *range(0, -10, -1),
    ]
    if r.table("m_factor_sheet").get("levels") != list(range(LEVELS)):
        r.fault("m_factor_sheet.levels", f"expected {_text(list(range(LEVELS)))}")
    victory = r.table("victory")
    components.points_to_end = r.number(victory, "points_to_end", "victory", 1, 999)
    components.gorge_bonus = r.number(victory, "viper_gorge_bonus", "victory", 0, 99)
    components.marker_points = r.number(victory, "kill_vp_influence_marker", "victory", 0, 9)
    components.neutral_points = r.number(victory, "kill_vp_neutral_marker", "victory", 0, 9)
    if victory and victory.get("kill_vp_unit") != "level":
        r.fault("victory.kill_vp_unit", "expected 'level'")
    components.catch_up_markers = r.number(victory, "catch_up_markers", "victory", 0, 9)
    components.catch_up_population = r.number(victory, "catch_up_population", "victory", 0, 9)
    components.tokens_to_lock = r.number(victory, "nightmare_tokens_to_lock", "victory", 1, 4)
    snow = r.table("dead_snow")
    components.reputation_per_token = r.number(snow, "reputation_per_vuko_token", "dead_snow", 0, 9)


def _vuko_tiles(r: Reader, components: Components) -> None:
    """IG-15.1 The sets of Vuko tiles."""
    for index, entry in enumerate(r.entries("vuko_tile", "number", list(range(1, 9)))):
        place = f"vuko_tile {index + 1}"
        if entry and entry.get("id") != VUKO_TILES[index]:
            r.fault(f"{place}.id", f"is {entry.get('id')!r}, expected {VUKO_TILES[index]!r}")
        r.words(entry, "sides", place, SIDES)
        for tile_set in r.words(entry, "in_sets", place, TILE_SETS):
            components.tile_sets[tile_set].append(index + 1)
    for tile_set in (1, 2):
        if len(components.tile_sets[tile_set]) < STAGES:
            r.fault("vuko_tile", f"fewer than {STAGES} tiles are in {TILE_SETS[tile_set]!r}")


def _solo(r: Reader, components: Components) -> None:
    """IG-16 The automatic player."""
    solo = r.table("solo")
    components.die = r.number(solo, "die_sides", "solo", 6, 6)
    components.npc_markers = r.number(solo, "npc_markers_per_roll", "solo", 1, 9)
    components.npc_snow = r.number(solo, "npc_making_dead_snow", "solo", 0, 9)
    components.npc_spy = r.words(solo, "npc_spy_abilities", "solo", ABILITIES)
    components.npc_fill = r.words(solo, "npc_upgrade_fill_order", "solo", ABILITIES)
    die = solo.get("npc_pillage_die")
    results = [str(n) for n in range(1, components.die + 1)]
    if not isinstance(die, dict) or any(die.get(n) not in KINDS for n in results):
        r.fault("solo.npc_pillage_die", f"expected a kind for each of {_text(results)}")
    elif set(die.values()) != set(KINDS):
        r.fault("solo.npc_pillage_die", f"expected each of {_text(KINDS)} at least once")
    else:
        components.npc_pillage = [-1, *[KINDS.index(die[n]) for n in results]]
    sides = list(range(1, components.die + 1))
    components.npc_lower = [
        n + 1 for n in r.words(solo, "npc_crossing_lower_region_die", "solo", sides)
    ]
    higher = [n + 1 for n in r.words(solo, "npc_crossing_higher_region_die", "solo", sides)]
    if solo and sorted(components.npc_lower + higher) != sides:
        r.fault("solo.npc_crossing_higher_region_die", "each result belongs to one region")
    components.solo_tiles = [False]
    components.solo_figure = [False]
    components.solo_upgrades = [False]
    for index, entry in enumerate(r.entries("solo_level", "id", SOLO_LEVELS[1:])):
        place = f"solo_level {SOLO_LEVELS[index + 1]}"
        components.solo_tiles.append(r.flag(entry, "vuko_tiles", place))
        components.solo_figure.append(r.flag(entry, "npc_level_3_at_setup", place))
        components.solo_upgrades.append(r.flag(entry, "npc_upgrades_filled", place))
