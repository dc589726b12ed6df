"""CM-20.2, CM-20.3 Builds the position that a case describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.components_loader import add_enemy
from taflhall_engine.champions.ids import (
    COLORS,
    DESTINIES,
    DRAUGR,
    GOODS,
    GREY,
    JOURNEYS,
    LEADERS,
    LOCATIONS,
    MONSTER,
    NONE,
    OPTIONS,
    RUNES,
    SHIP_SMALL,
    SHORE_0,
    SHORES,
    SOMEBODY,
    TROLL,
    TYPES,
    WARRIORS,
)
from taflhall_engine.champions.setup import (
    Setup,
    bare_table,
    faults_of,
    new_clan,
    ships_for,
)
from taflhall_engine.champions.table import Clan
from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.kernel.chance import ScriptedChance

USUAL_LEADERS: Final = ["gylfir", "dagrun", "asmundr", "svanhildr"]
STOCKS: Final = ["swordsmith", "hafter", "blacksmith", "smokehouse"]
MULTISETS: Final = {"warriors": WARRIORS, "draugr": COLORS[:GREY], "monsters": COLORS[:GREY]}


class Position:
    """The table of a case, and what its cards are called there."""

    def __init__(self, components: Components, given: Keys, chance: ScriptedChance) -> None:
        self.components = components
        self.given = given
        self.invalid = False
        """CM-3.1 No match comes into being."""
        self.first_round = 1
        components.sides = [[0, 1, 2, 3]] * TYPES  # a case fixes faces, so a side is its face
        self.tiles = components.tile_ids
        self.merchants: dict[int, str] = {}
        self.enemies: dict[tuple[int, str], int] = {}
        seats = given.need("players")
        options = given.take("options", {})
        clans = [new_clan() for _ in range(seats if seats in (2, 3, 4) else 2)]
        self.s = bare_table(components, chance, clans)
        self._options(seats, options)

    def _options(self, seats: Any, options: Mapping[str, Any]) -> None:
        marker = self.given.take("marker", 0)
        numbers = {}
        for name, value in options.items():
            if name not in OPTIONS or value not in OPTIONS[name]:
                self.invalid = True
            else:
                numbers[name] = OPTIONS[name].index(value)
        self.invalid = self.invalid or bool(faults_of(Setup(seats, marker, **numbers)))
        if not self.invalid:
            s = self.s
            s.marker = marker
            for name, number in numbers.items():
                setattr(s, name, number)

    # ---------------------------------------------------------------- common keys

    def common(self) -> None:
        """CM-20.3 The keys that every unit may have."""
        s, given = self.s, self.given
        s.round = self.first_round = given.take("round", 1)
        seats = given.take("seats", [])
        if len(seats) > len(s.clans):
            raise CaseError(f"given.seats lists {len(seats)} of {len(s.clans)} seats")
        journeys = [_one(j, JOURNEYS) for j in given.take("journeys", [])]
        s.journeys = journeys + [NONE] * (SHORES - len(journeys))
        for seat, clan in enumerate(s.clans):
            data = seats[seat] if seat < len(seats) else {}
            self._clan(clan, Keys(f"given.seats[{seat}]", data), USUAL_LEADERS[seat])
        stock = Keys("given.stock", given.take("stock", {}))
        s.stock = [stock.take(name, 0) for name in STOCKS]
        stock.finish()
        supply = given.take("supply")
        owned = [sum(clan.warriors[w] for clan in s.clans) for w in range(TYPES)]
        s.supply = [self.components.dice[w] - owned[w] - s.stock[w] for w in range(TYPES)]
        if supply is not None:
            s.supply = counts(supply, WARRIORS, "given.supply")
        s.rune_row = _several(given.take("rune_row", []), RUNES)
        s.rune_deck = _several(given.take("rune_deck", []), RUNES)
        s.journey_deck = _several(given.take("journey_deck", []), JOURNEYS)
        s.journey_discard = _several(given.take("journey_discard", []), JOURNEYS)
        s.destiny_deck = _several(given.take("destiny_deck", []), DESTINIES)
        taken = [clan.ship for clan in s.clans]
        s.ships = [ship for ship in ships_for(self.components, len(s.clans)) if ship not in taken]
        ships = given.take("ships_left")
        if ships is not None:
            s.ships = sorted(_several(ships, self.components.ship_ids))
        s.huts_sold = given.take("huts_sold", sum(clan.hut for clan in s.clans))

    def _clan(self, clan: Clan, keys: Keys, leader: str) -> None:
        clan.leader = _one(keys.take("leader", leader), LEADERS)
        clan.workers = keys.take("workers", 0)
        clan.goods = [keys.take(good, 0) for good in GOODS]
        clan.favour = keys.take("favour", 0)
        clan.favour_spent = keys.take("favour_spent", 0)
        clan.blame = keys.take("blame", 0)
        clan.glory = keys.take("glory", 0)
        clan.warriors = counts(keys.take("warriors", {}), WARRIORS, "warriors")
        clan.runes = _bits(keys.take("runes", []), RUNES)
        clan.runes_used = _bits(keys.take("runes_used", []), RUNES)
        clan.destinies = _several(keys.take("destinies", []), DESTINIES)
        clan.shown = _bits(keys.take("destinies_shown", []), DESTINIES)
        for destiny in range(len(DESTINIES)):
            if clan.shown >> destiny & 1 and destiny not in clan.destinies:
                clan.destinies.append(destiny)
        ship = keys.take("private_ship", "")
        clan.ship = _one(ship, self.components.ship_ids)
        clan.hut = keys.take("hut_bought", False)
        clan.trolls = keys.take("trolls", 0)
        clan.draugr = counts(keys.take("draugr", {}), COLORS[:GREY], "draugr")
        clan.monsters = counts(keys.take("monsters", {}), COLORS[:GREY], "monsters")
        for shore, name in enumerate(keys.take("known", [])):
            if name:
                self._known(clan, shore, _one(name, JOURNEYS))
        keys.finish()

    def _known(self, clan: Clan, shore: int, journey: int) -> None:
        if self.s.journeys[shore] == NONE:
            self.s.journeys[shore] = journey
        elif self.s.journeys[shore] != journey:
            raise CaseError(f"the journey known at shore {shore + 1} is not the one there")
        clan.knows |= 1 << shore

    def board(self) -> None:
        """CM-20.2 The possible workers on the board during placement."""
        s, given = self.s, self.given
        merchant = given.take("merchant")
        if merchant is not None:
            names = ["food", "wood", "coins", "favour", *WARRIORS]
            s.merchant = self.add_merchant("", counts(merchant, names, "merchant"))
        s.stalls = _several(given.take("stalls", []), self.tiles)
        for name in given.take("occupied", []):
            if name not in ("hunting_grounds", "beg"):
                s.workers[_one(name, LOCATIONS)] = SOMEBODY
        for shore in given.take("harbours", []):
            if shore not in range(1, SHORES + 1):
                raise CaseError(f"there is no harbour {shore!r}")
            s.post_ship[SHORE_0 + shore] = SHIP_SMALL

    def decks(self) -> None:
        """CM-20.2 The decks of the preparation."""
        s, given = self.s, self.given
        s.troll_deck = [self.enemy(TROLL, name) for name in given.take("troll_deck", [])]
        s.draugr_deck = [self.enemy(DRAUGR, name) for name in given.take("draugr_deck", [])]
        s.monster_deck = [self.enemy(MONSTER, name) for name in given.take("monster_deck", [])]
        for name in given.take("merchant_deck", []):
            s.merchant_deck.append(self.add_merchant(name, [0] * 7))

    # ---------------------------------------------------------------- cards of the case

    def add_merchant(self, name: str, gain: list[int]) -> int:
        self.components.merchant_gain.append(gain)
        number = len(self.components.merchant_gain) - 1
        self.merchants[number] = name
        return number

    def enemy(self, kind: int, name: str) -> int:
        """Return the enemy called *name* in this case; ``""`` means none."""
        if not name:
            return NONE
        found = self.enemies.get((kind, name))
        if found is None:
            color = GREY if kind == TROLL else 0
            found = self.enemies[kind, name] = add_enemy(self.components, name, kind, color)
        return found

    def valued(self, kind: int, keys: Keys) -> int:
        """Return the enemy written out in *keys*; without any key there is none."""
        if not keys.unread():
            return NONE
        number = add_enemy(self.components, keys.take("id", ""), kind, GREY if kind == TROLL else 0)
        self.enemies.setdefault((kind, self.components.ids[number]), number)
        self.set_values(number, keys)
        return number

    def set_values(self, number: int, keys: Keys) -> None:
        components = self.components
        components.attack[number] = keys.take("attack", components.attack[number])
        components.defence[number] = keys.take("defence", components.defence[number])
        components.glory[number] = keys.take("glory", components.glory[number])
        components.coins[number] = keys.take("coins", components.coins[number])
        components.favour[number] = keys.take("favour", components.favour[number])
        if "color" in keys:
            components.color[number] = _one(keys.take("color"), COLORS)
        bans = keys.take("bans")
        if bans is not None:
            components.bans[number] = _bits(bans, WARRIORS)


def counts(data: Any, names: Sequence[str], place: str) -> list[int]:
    """Return the amounts of a table such as ``{ swordsman = 2 }`` by name."""
    keys = Keys(place, data)
    found = [keys.take(name, 0) for name in names]
    keys.finish()
    return found


def _one(name: Any, names: Sequence[str]) -> int:
    if name == "":
        return NONE
    if name not in names:
        raise CaseError(f"unknown id {name!r}; known are {', '.join(names)}")
    return names.index(name)


def _several(listed: Any, names: Sequence[str]) -> list[int]:
    return [_one(name, names) for name in listed]


def _bits(listed: Any, names: Sequence[str]) -> int:
    return sum({1 << number for number in _several(listed, names)})
