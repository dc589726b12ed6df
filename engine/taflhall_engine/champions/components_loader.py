"""Makes the box from ``components.toml`` and says everything that is wrong with it.

The vocabulary is closed (``names``): an owner of the printed game corrects numbers and names,
not what kinds of things there are. Counts must be those of the rulebook (CM-2.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import (
    ABILITIES,
    BLUE,
    COLORS,
    DESTINIES,
    DRAUGR,
    EFFECTS,
    ENEMIES,
    FACES,
    GOODS,
    GREY,
    JOURNEYS,
    KRAKEN,
    LEADERS,
    LOCATIONS,
    MAX_SEATS,
    METRICS,
    MIN_SEATS,
    OPTIONS,
    RUNES,
    WARRIORS,
)
from taflhall_engine.kernel.components import DataFault, InvalidData

DICE: Final = [12, 12, 10]
ROUNDS: Final = 8
ENEMY_COUNTS: Final = {"troll": 16, "draugr": 21, "monster": 36}
PER_COLOR: Final = {"draugr": 7, "monster": 12}
STALLS: Final = 4
SHIPS: Final = 4
MERCHANTS: Final = 8
JOURNEY_CARDS: Final = 18
MOST: Final = 60
"""No printed number is larger; it keeps every list of options short."""
KIT: Final = ["food", "wood", "coins", "favour", "blame", "glory"]
GAIN: Final = ["food", "wood", "coins", "favour", *WARRIORS]
MIN_CARRY: Final = 1


class Reader:
    """Reads a data file and collects every fault."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.tables = tables
        self.faults: list[DataFault] = []

    def fault(self, place: str, reason: str) -> None:
        self.faults.append(DataFault(place, reason))

    def table(self, name: str, parent: Any = None, place: str = "") -> dict[str, Any]:
        """Return a table, empty and noted as a fault if it is missing."""
        found = (self.tables if parent is None else parent).get(name)
        if isinstance(found, dict):
            return found
        self.fault(f"{place}{name}", "the table is missing")
        return {}

    def entries(self, kind: str, count: int | None = None) -> list[dict[str, Any]]:
        """Return the entries ``[[kind]]``; *count* says how many there must be."""
        found = self.tables.get(kind)
        if not isinstance(found, list) or not all(isinstance(e, dict) for e in found):
            self.fault(kind, f"[[{kind}]] is missing")
            return []
        if count is not None and len(found) != count:
            self.fault(kind, f"there must be {count}, found {len(found)}")
        return found

    def ordered(self, kind: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the entries with exactly these *ids*, in this order."""
        by_id: dict[str, dict[str, Any]] = {}
        for index, entry in enumerate(self.entries(kind)):
            name = str(entry.get("id", ""))
            if name not in ids:
                self.fault(
                    f"{kind}[{index}].id", f"unknown id {name!r}; known are {', '.join(ids)}"
                )
            elif name in by_id:
                self.fault(f"{kind}[{index}].id", f"{name!r} occurs twice")
            else:
                by_id[name] = entry
        for name in ids:
            if name not in by_id:
                self.fault(kind, f"{name!r} is missing")
        return [by_id.get(name, {"id": name}) for name in ids]

    def number(
        self, entry: Mapping[str, Any], key: str, place: str, low: int = 0, high: int = MOST
    ) -> int:
        value = entry.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        wanted = f"a number from {low} to {high}"
        found = "it is missing" if value is None else f"found {value!r}"
        self.fault(f"{place}.{key}", f"should be {wanted}, {found}")
        return low

    def word(self, entry: Mapping[str, Any], key: str, place: str, words: Sequence[str]) -> int:
        value = entry.get(key)
        if isinstance(value, str) and value in words:
            return words.index(value)
        found = "it is missing" if value is None else f"found {value!r}"
        self.fault(f"{place}.{key}", f"should be one of {', '.join(words)}, {found}")
        return 0

    def words(
        self, entry: Mapping[str, Any], key: str, place: str, words: Sequence[str]
    ) -> list[int]:
        value = entry.get(key)
        if isinstance(value, list) and all(isinstance(v, str) and v in words for v in value):
            return [words.index(v) for v in value]
        found = "it is missing" if value is None else f"found {value!r}"
        self.fault(f"{place}.{key}", f"should be a list of {', '.join(words)}, {found}")
        return []

    def numbers(
        self, entry: Mapping[str, Any], key: str, place: str, low: int, high: int
    ) -> list[int]:
        value = entry.get(key)
        if isinstance(value, list) and all(
            isinstance(v, int) and not isinstance(v, bool) and low <= v <= high for v in value
        ):
            return list(value)
        found = "it is missing" if value is None else f"found {value!r}"
        self.fault(f"{place}.{key}", f"should be a list of numbers {low} to {high}, {found}")
        return []

    def amounts(
        self, entry: Mapping[str, Any], key: str, place: str, names: Sequence[str]
    ) -> list[int]:
        """Return the amounts of an inline table such as ``{ food = 1 }`` by name."""
        value = entry.get(key)
        if not isinstance(value, dict):
            self.fault(f"{place}.{key}", "should be a table of amounts, it is missing")
            return [0] * len(names)
        for name in value:
            if name not in names:
                self.fault(f"{place}.{key}", f"unknown {name!r}; known are {', '.join(names)}")
        return [
            self.number(value, name, f"{place}.{key}") if name in value else 0 for name in names
        ]


def read_components(tables: Mapping[str, Any]) -> Components:
    """Return the box that *tables* describe, or raise :exc:`InvalidData` with every fault."""
    read = Reader(tables)
    components = Components()
    _dice(read, components)
    _setup(read, components)
    _board(read, components)
    _stalls(read, components)
    _ships(read, components)
    _cards(read, components)
    _enemies(read, components)
    _scoring(read, components)
    if read.faults:
        raise InvalidData(read.faults)
    return components


def _dice(read: Reader, components: Components) -> None:
    for index, entry in enumerate(read.ordered("die", WARRIORS)):
        place = f"die.{entry['id']}"
        count = read.number(entry, "count", place)
        if count != DICE[index]:
            read.fault(f"{place}.count", f"there are {DICE[index]} of them, found {count}")
        components.dice.append(count)
        sides = read.words(read.table("sides", entry, f"{place}."), "faces", place, FACES)
        if len(sides) != 6:
            read.fault(f"{place}.faces", f"a die has 6 sides, found {len(sides)}")
        components.sides.append(sides)
    faces = read.table("die_face")
    for name in FACES:
        entry = read.table(name, faces, "die_face.")
        components.face_hits.append(read.number(entry, "hits", f"die_face.{name}"))
        components.face_shields.append(read.number(entry, "shields", f"die_face.{name}"))


def _setup(read: Reader, components: Components) -> None:
    components.workers = [0] * (MAX_SEATS + 1)
    components.military = [0] * (MAX_SEATS + 1)
    components.economy = [0] * (MAX_SEATS + 1)
    given = []
    for index, entry in enumerate(read.entries("player_count", MAX_SEATS - MIN_SEATS + 1)):
        place = f"player_count[{index}]"
        players = read.number(entry, "players", place, MIN_SEATS, MAX_SEATS)
        given.append(players)
        components.workers[players] = read.number(entry, "starting_workers", place, 1, 5)
        components.military[players] = read.number(entry, "military_stalls", place, 0, STALLS)
        components.economy[players] = read.number(entry, "economy_stalls", place, 0, STALLS)
        if components.military[players] + components.economy[players] > STALLS:
            read.fault(place, f"the board has {STALLS} stall spaces")
    for players in range(MIN_SEATS, MAX_SEATS + 1):
        if players not in given:
            read.fault("player_count", f"{players} players are missing")
    kit = read.table("starting_kit")
    components.kit = [read.number(kit, name, "starting_kit") for name in KIT]
    components.kit += read.amounts(kit, "warriors", "starting_kit", WARRIORS)
    components.dealt = read.number(
        kit, "destiny_cards", "starting_kit", 0, len(DESTINIES) // MAX_SEATS
    )
    limits = read.table("limits")
    components.hunt_limit = read.number(
        read.table("hunting", limits, "limits."), "max_food_per_hunt", "limits.hunting"
    )
    components.rune_row = read.number(
        read.table("rune_row", limits, "limits."), "face_up", "limits.rune_row", 0, len(RUNES)
    )
    rooms = read.table("warriors", limits, "limits.")
    room = read.number(rooms, "max_warriors_per_player", "limits.warriors", 1, sum(DICE))
    for entry in read.ordered("leader", LEADERS):
        place = f"leader.{entry['id']}"
        components.ability.append(read.word(entry, "ability", place, ABILITIES))
        components.room.append(read.number(entry, "max_warriors", place, 1, room))
    for entry in read.ordered("option", list(OPTIONS)):
        values = OPTIONS[entry["id"]]
        if entry.get("values") != values:
            read.fault(f"option.{entry['id']}.values", f"should be {', '.join(values)}")


def _board(read: Reader, components: Components) -> None:
    stocked = ["swordsmith", "hafter", "blacksmith", "smokehouse"]
    for entry in read.ordered("location", LOCATIONS):
        if entry["id"] in stocked:
            place = f"location.{entry['id']}"
            components.restock.append(read.number(entry, "restock_per_round", place))
    shores = read.table("shores")
    fed = read.table("fed", shores, "shores.")
    components.fed_near = read.number(fed, "near", "shores.fed")
    components.fed_far = read.number(fed, "far", "shores.fed")
    near = read.table("near", shores, "shores.")
    components.near = [read.numbers(near, v, "shores.near", 1, 4) for v in OPTIONS["near_shores"]]
    left = read.table("leftmost", shores, "shores.")
    components.leftmost = [
        read.numbers(left, v, "shores.leftmost", MIN_SEATS, MAX_SEATS)
        for v in OPTIONS["leftmost_shore"]
    ]
    for index, entry in enumerate(read.entries("worker_hut_price")):
        components.hut_price.append(read.number(entry, "coins", f"worker_hut_price[{index}]"))
    if len(components.hut_price) != MAX_SEATS:
        read.fault(
            "worker_hut_price", f"there must be {MAX_SEATS}, found {len(components.hut_price)}"
        )
    components.church = [0] * (MOST + 1)
    for index, entry in enumerate(read.entries("stave_church_tier")):
        place = f"stave_church_tier[{index}]"
        coins = read.number(entry, "coins", place, 1)
        components.church[coins] = read.number(entry, "glory", place, 1)
        components.church_tiers.append(coins)


def _stalls(read: Reader, components: Components) -> None:
    kinds = ["military", "economy"]
    for index, entry in enumerate(read.entries("market_stall", STALLS * 2)):
        place = f"market_stall.{entry.get('id', index)}"
        components.tile_ids.append(str(entry.get("id", index)))
        components.tile_kinds.append(read.word(entry, "kind", place, kinds))
        components.tile_cost.append(read.amounts(entry, "cost", place, GOODS))
        components.tile_gain.append(read.amounts(entry, "gain", place, GAIN))
        special = entry.get("special")
        if special not in (None, "swap_warriors"):
            read.fault(f"{place}.special", f"unknown {special!r}; known is swap_warriors")
        swaps = read.number(entry, "max_swaps", place, 1, 4) if special else 0
        components.tile_swaps.append(swaps)
    for kind, name in enumerate(kinds):
        if components.tile_kinds.count(kind) != STALLS:
            read.fault(
                "market_stall",
                f"there must be {STALLS} {name} tiles, found {components.tile_kinds.count(kind)}",
            )
    _unique(read, "market_stall")


def _ships(read: Reader, components: Components) -> None:
    for entry in read.ordered("public_longship", ["public_small", "public_large"]):
        place = f"public_longship.{entry['id']}"
        components.public_capacity.append(read.number(entry, "capacity", place, MIN_CARRY))
        components.public_fee.append(read.number(entry, "fee_coins", place))
    for index, entry in enumerate(read.entries("private_longship", SHIPS)):
        place = f"private_longship.{entry.get('id', index)}"
        components.ship_ids.append(str(entry.get("id", index)))
        components.ship_cost.append(read.amounts(entry, "cost", place, GOODS))
        components.ship_capacity.append(read.number(entry, "capacity", place, MIN_CARRY))
        components.ship_glory.append(read.number(entry, "glory", place))
        components.ship_players.append(
            read.number(entry, "min_players", place, MIN_SEATS, MAX_SEATS)
        )
        components.ship_fee.append(read.number(entry, "fee_coins", place))
    _unique(read, "private_longship")


def _cards(read: Reader, components: Components) -> None:
    for entry in read.ordered("rune", RUNES):
        components.rune_points.append(read.number(entry, "rune_points", f"rune.{entry['id']}"))
    for entry in read.ordered("destiny", DESTINIES):
        place = f"destiny.{entry['id']}"
        components.metric.append(read.word(entry, "metric", place, METRICS))
        components.exclusive.append(read.number(entry, "glory_exclusive", place))
        components.shared.append(read.number(entry, "glory_shared", place))
    for entry in read.ordered("journey", JOURNEYS):
        place = f"journey.{entry['id']}"
        components.journey_effect.append(read.word(entry, "effect", place, EFFECTS))
        components.journey_count.append(read.number(entry, "count", place))
    if sum(components.journey_count) != JOURNEY_CARDS:
        read.fault(
            "journey",
            f"there are {JOURNEY_CARDS} cards in all, found {sum(components.journey_count)}",
        )
    for index, entry in enumerate(read.entries("merchant_ship", MERCHANTS)):
        place = f"merchant_ship.{entry.get('id', index)}"
        components.merchant_gain.append(read.amounts(entry, "gain", place, GAIN))
    _unique(read, "merchant_ship")


def _enemies(read: Reader, components: Components) -> None:
    for kind, name in enumerate(ENEMIES[:KRAKEN]):
        components.first.append(len(components.kind))
        colors = []
        for index, entry in enumerate(read.entries(name, ENEMY_COUNTS[name])):
            place = f"{name}.{entry.get('id', index)}"
            color = read.word(entry, "color", place, COLORS)
            if (color == GREY) != (name == "troll"):
                read.fault(f"{place}.color", "trolls are grey, and only they")
            colors.append(color)
            add_enemy(components, str(entry.get("id", index)), kind, color)
            _values(read, components, entry, place)
        for color in range(BLUE + 1):
            if kind >= DRAUGR and colors.count(color) != PER_COLOR[name]:
                read.fault(
                    name,
                    f"there must be {PER_COLOR[name]} {COLORS[color]} ones, "
                    f"found {colors.count(color)}",
                )
        _unique(read, name)
    components.first.append(len(components.kind))
    components.kraken = len(components.kind)
    add_enemy(components, "kraken", KRAKEN, GREY)
    reward = {k: v for k, v in read.table("kraken_reward").items() if k in _REWARD}
    _values(read, components, {**read.table("kraken"), **reward}, "kraken")


_REWARD: Final = ("glory", "coins", "favour")


def add_enemy(components: Components, name: str, kind: int, color: int) -> int:
    """Add an enemy without values to *box* and return its number."""
    components.ids.append(name)
    components.kind.append(kind)
    components.color.append(color)
    for values in (
        components.attack,
        components.defence,
        components.glory,
        components.coins,
        components.favour,
        components.bans,
    ):
        values.append(0)
    return len(components.kind) - 1


def _values(read: Reader, components: Components, entry: Mapping[str, Any], place: str) -> None:
    components.attack[-1] = read.number(entry, "attack", place)
    components.defence[-1] = read.number(entry, "defence", place, 1)
    components.glory[-1] = read.number(entry, "glory", place)
    components.coins[-1] = read.number(entry, "coins", place)
    components.favour[-1] = read.number(entry, "favour", place)
    components.bans[-1] = sum(1 << w for w in set(read.words(entry, "bans", place, WARRIORS)))


def _scoring(read: Reader, components: Components) -> None:
    scoring = read.table("scoring")
    components.set_glory = read.number(scoring, "set_glory", "scoring")
    components.favour_glory = read.number(scoring, "favour_glory", "scoring")
    components.coins_per_glory = read.number(scoring, "coins_per_glory", "scoring", 1)
    for index, entry in enumerate(read.entries("blame_penalty")):
        place = f"blame_penalty[{index}]"
        if read.number(entry, "blame", place) != index:
            read.fault(f"{place}.blame", f"the rows count up from 0, so this one is {index}")
        components.penalty.append(read.number(entry, "glory_lost", place))
    if not components.penalty:
        read.fault("blame_penalty", "there must be at least one row")


def _unique(read: Reader, kind: str) -> None:
    seen = set()
    entries = read.tables.get(kind)
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        name = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not name:
            read.fault(f"{kind}[{index}].id", "it is missing")
        elif name in seen:
            read.fault(f"{kind}[{index}].id", f"{name!r} occurs twice")
        seen.add(name)
