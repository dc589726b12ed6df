"""YG-0.4 Reading component data: from the tables of ``components.toml`` to :class:`Components`.

Every number of the game comes from there. The file may not change the vocabulary of ``ids``
nor what the rules presuppose, such as two cards for Odin; a file that does is refused with
every fault at once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from taflhall_engine.kernel.components import DataFault, InvalidData
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components


def read_components(tables: dict[str, Any]) -> Components:
    """Return the components that *tables* describe, or raise :exc:`InvalidData` with all faults."""
    reader = _Reader(tables)
    try:
        components = reader.read()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        reader.fault("components.toml", f"cannot be read: {type(error).__name__}: {error}")
        raise InvalidData(reader.faults) from None
    if reader.faults:
        raise InvalidData(reader.faults)
    return components


class _Reader:
    def __init__(self, tables: dict[str, Any]) -> None:
        self.tables: Final = tables
        self.faults: Final[list[DataFault]] = []

    def fault(self, place: str, reason: str) -> None:
        self.faults.append(DataFault(place, reason))

    def number(self, table: dict[str, Any], key: str, place: str, least: int = 0) -> int:
        value = table[key]
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            self.fault(f"{place}.{key}", f"should be a number from {least}, is {value!r}")
            return least
        return value

    def fixed(self, table: dict[str, Any], key: str, place: str, wanted: Any) -> None:
        if table[key] != wanted:
            self.fault(f"{place}.{key}", f"the rules need {wanted!r}, found {table[key]!r}")

    def index(self, words: list[str], word: Any, place: str) -> int:
        if word not in words:
            self.fault(place, f"{word!r} is not one of {', '.join(words)}")
            return 0
        return words.index(word)

    def rows(self, kind: str, ids: list[str], key: str = "id") -> list[dict[str, Any]]:
        """Return the entries of an array of tables, which must name exactly *ids*, in order."""
        rows: list[dict[str, Any]] = self.tables[kind]
        found = [row[key] for row in rows]
        if sorted(found) != sorted(ids):
            self.fault(kind, f"should list {', '.join(ids)}; lists {', '.join(found)}")
            return []
        return sorted(rows, key=lambda row: ids.index(row[key]))

    def read(self) -> Components:
        components = Components()
        self.rows("world", ids.WORLDS)
        self.track(components)
        self.cards(components)
        self.die(components)
        self.islands(components)
        self.stocks(components)
        self.actions(components)
        self.weapons()
        self.giants(components)
        self.vanir(components)
        return components

    def track(self, components: Components) -> None:
        track = self.tables["track"]
        spaces = self.number(track, "spaces", "track", 2)
        components.start_space = self.number(track, "start_space", "track", 1)
        components.residence = self.number(track, "residence_space", "track", 2)
        if components.start_space != 1 or components.residence != spaces:
            self.fault("track", "the track begins with space 1 and ends with the residence")
        components.wall_from = self.number(track, "beyond_wall_from", "track", 1)
        components.gate_from = self.number(track, "beyond_gate_from", "track", 1)
        components.space_level = [0] * (spaces + 1)
        components.space_strength = [0] * (spaces + 1)
        seen: list[int] = []
        for zone in track["zone"]:
            place = f"track.zone {zone['id']}"
            for space in zone["spaces"]:
                seen.append(space)
                components.space_level[space] = self.number(zone, "level", place)
                components.space_strength[space] = self.number(zone, "strength", place)
        if sorted(seen) != list(range(1, spaces + 1)):
            self.fault("track.zone", f"the zones should cover spaces 1 to {spaces} once each")
        if max(components.space_level) > 3:
            self.fault("track.zone", "there are three levels")
        defeat = self.tables["defeat"]
        components.wall_limit = self.number(defeat, "beyond_wall", "defeat", 1)
        components.gate_limit = self.number(defeat, "beyond_gate", "defeat", 1)
        components.residence_limit = self.number(defeat, "in_residence", "defeat", 1)

    def cards(self, components: Components) -> None:
        furious_steps = self.number(self.tables["furious"], "steps", "furious", 1)
        moved: list[list[int]] = []
        for number, enemy in enumerate(self.rows("enemy", ids.ENEMIES)):
            place = f"enemy {enemy['id']}"
            components.plain_cards[number] = self.number(enemy, "plain_cards", place, 1)
            self.fixed(enemy, "furious_cards", place, 1)
            moved.append([number])
        components.card_enemies = moved + [list(enemies) for enemies in moved]
        components.card_steps = [1] * ids.ENEMY_COUNT + [furious_steps] * ids.ENEMY_COUNT
        counts = self.tables["counts"]
        if sum(components.plain_cards) != counts["enemy_cards"]:
            self.fault("enemy", f"the plain cards should be {counts['enemy_cards']} in all")
        for card in self.rows("ragnarok", ids.CARDS[ids.RAGNAROK :]):
            place = f"ragnarok {card['id']}"
            enemies = [self.index(ids.ENEMIES, e, place) for e in card["enemies"]]
            if len(set(enemies)) != len(enemies) or not enemies:
                self.fault(place, "should name different enemies")
            components.card_enemies.append(sorted(enemies))
            components.card_steps.append(self.number(card, "steps", place, 1))

    def die(self, components: Components) -> None:
        faces = sorted(self.tables["die"]["face"], key=lambda face: face["index"])
        sides = self.number(self.tables["die"], "sides", "die", 1)
        if [face["index"] for face in faces] != list(range(1, sides + 1)):
            self.fault("die.face", f"should list the faces 1 to {sides}")
        for face in faces:
            place = f"die.face {face['index']}"
            components.face_value.append(self.number(face, "value", place))
            colour = self.index(ids.ISLANDS, face["colour"], place)
            if colour == ids.RAINBOW:
                self.fault(place, "no face shows rainbow")
            components.face_colour.append(colour)
        levels = {row["level"]: row["colours"] for row in self.tables["fenrir_calm"]}
        if sorted(levels) != [1, 2, 3]:
            self.fault("fenrir_calm", "should list the levels 1, 2 and 3")
        components.calming = [0, 0, 0, 0]
        for level in (1, 2, 3):
            for colour in levels.get(level, []):
                components.calming[level] |= 1 << self.index(ids.ISLANDS, colour, "fenrir_calm")

    def islands(self, components: Components) -> None:
        table = self.tables["islands"]
        chain = [self.index(ids.ISLANDS, name, "islands.chain") for name in table["chain"]]
        if sorted(chain) != list(range(ids.ISLAND_COUNT)):
            self.fault("islands.chain", "should name every island once")
        joined: list[set[int]] = [set() for _ in ids.ISLANDS]
        pairs = list(pairwise(chain))
        if table["ring"]:
            pairs.append((chain[-1], chain[0]))
        for one, other in pairs:
            joined[one].add(other)
            joined[other].add(one)
        components.neighbours = [sorted(islands) for islands in joined]
        for number, island in enumerate(self.rows("island", ids.ISLANDS)):
            coloured = number != ids.RAINBOW
            place = f"island {island['id']}"
            self.fixed(island, "searchable", place, coloured)
            if coloured:
                components.coloured.append(number)
            components.bag_vikings.append(
                self.number(island, "bag_vikings", place) if coloured else 0
            )
            components.bag_giants.append(
                self.number(island, "bag_fire_giants", place) if coloured else 0
            )
        components.start_island = self.index(ids.ISLANDS, table["start"], "islands.start")
        components.start_sunken = self.index(
            ids.ISLANDS, table["submerged_at_start"], "islands.submerged_at_start"
        )
        if components.start_sunken == ids.RAINBOW:
            self.fault("islands.submerged_at_start", "rainbow cannot be submerged")

    def stocks(self, components: Components) -> None:
        counts = self.tables["counts"]
        setup = self.tables["setup"]
        components.vikings = self.number(counts, "vikings", "counts")
        components.fire_giants = self.number(counts, "fire_giants", "counts")
        components.elves = self.number(counts, "elves", "counts")
        components.start_helheim = self.number(setup, "helheim_vikings", "setup")
        components.start_muspellheim = self.number(setup, "muspellheim_fire_giants", "setup")
        components.elves_base = self.number(setup, "elves_base", "setup")
        components.vanir_start = self.number(setup, "vanir_space", "setup", 1)
        components.furious_max = self.number(setup, "furious_max", "setup")
        components.ragnarok_max = self.number(setup, "ragnarok_max", "setup")
        if sum(components.bag_vikings) + components.start_helheim != components.vikings:
            self.fault("island", f"bags and Helheim should hold {components.vikings} Vikings")
        if sum(components.bag_giants) + components.start_muspellheim != components.fire_giants:
            self.fault(
                "island", f"bags and Muspellheim should hold {components.fire_giants} fire giants"
            )
        if ids.GOD_COUNT + components.elves_base > components.elves:
            self.fault("counts.elves", "six gods need more elves")
        if components.furious_max > ids.ENEMY_COUNT or components.ragnarok_max > ids.RAGNAROK_COUNT:
            self.fault("setup", "there are six furious cards and four Ragnarok cards")
        if components.vikings > 255:
            self.fault("counts.vikings", "a decision lists at most 256 options")
        for option, values in (
            ("bag_inspection", ids.BAG_INSPECTIONS),
            ("thor_without_die", ["no", "yes"]),
        ):
            rows = [row for row in self.tables["option"] if row["id"] == option]
            if len(rows) != 1 or rows[0]["values"] != values or rows[0]["default"] != values[0]:
                self.fault(f"option {option}", f"should offer {values}, the first by default")

    def actions(self, components: Components) -> None:
        table = self.tables["actions"]
        components.actions = self.number(table, "per_turn", "actions", 1)
        components.search_tokens = self.number(table, "search_tokens", "actions", 1)
        components.muspellheim_tokens = self.number(table, "muspellheim_tokens", "actions", 1)
        components.helheim_vikings = self.number(table, "helheim_vikings", "actions", 1)
        components.giant_strength = self.number(table, "giant_strength", "actions")
        components.peek_cards = self.number(table, "peek_cards", "actions", 1)
        components.vanir_vikings = self.number(table, "vanir_vikings", "actions", 1)
        gods = {row["id"]: row for row in self.rows("god", ids.GODS)}
        if gods:
            self.fixed(gods["odin"], "cards_drawn", "god odin", components.odin_cards)
            self.fixed(gods["tyr"], "rolls", "god tyr", components.tyr_rolls)
            self.fixed(gods["freyja"], "same_world_max", "god freyja", components.freyja_uses)
            components.thor_bonus = self.number(gods["thor"], "battle_bonus", "god thor")
            components.frey_actions = self.number(gods["frey"], "actions", "god frey", 1)
            components.heimdall_tokens = self.number(
                gods["heimdall"], "search_tokens", "god heimdall", 1
            )

    def weapons(self) -> None:
        for weapon in self.rows("artifact", ids.ENEMIES, "enemy"):
            place = f"artifact {weapon['weapon']}"
            self.fixed(weapon, "levels", place, list(range(1, ids.WEAPON_LEVELS + 1)))

    def giants(self, components: Components) -> None:
        count = [0] * len(ids.RUNES)
        for number, giant in enumerate(self.rows("giant", ids.GIANTS)):
            place = f"giant {giant['id']}"
            rune = self.index(ids.RUNES, giant["rune"], place)
            count[rune] += 1
            components.giant_rune[number] = rune
            components.giant_bits[number] = self.bits(giant, place)
        runes = self.rows("rune", ids.RUNES)
        if not runes:
            return
        for number, row in enumerate(runes):
            place = f"rune {row['id']}"
            components.rune_needs[number] = self.number(row, "giants_needed", place, 1)
            if count[number] < components.rune_needs[number]:
                self.fault(place, f"has only {count[number]} giants")
        sigel, daeg, mann, tiwaz = runes
        components.sigel_vikings = self.number(sigel, "vikings_max", "rune sigel")
        components.daeg_turns = self.number(daeg, "turns_without_draw", "rune daeg")
        self.fixed(mann, "enemies", "rune mann", 1)
        components.mann_steps = self.number(mann, "steps_back", "rune mann")
        self.fixed(tiwaz, "enemies", "rune tiwaz", components.tiwaz_enemies)
        components.tiwaz_steps = self.number(tiwaz, "steps_back", "rune tiwaz")

    def bits(self, giant: dict[str, Any], place: str) -> int:
        """Return the effects of a giant while active, as bits."""
        effect = giant["effect"]
        if effect == "block":
            return 1 << self.index(ids.WORLDS, giant["world"], place)
        if effect == "plus":
            return 1 << ids.PLUS_SHIFT + self.index(ids.ENEMIES, giant["enemy"], place)
        single = {
            "whirlpool": ids.WHIRLPOOL,
            "no_powers": ids.NO_POWERS,
            "no_die": ids.NO_DIE,
        }
        if effect not in single:
            self.fault(place, f"{effect!r} is not one of block, plus, {', '.join(single)}")
        return single.get(effect, 0)

    def vanir(self, components: Components) -> None:
        track = self.tables["vanir_track"]
        components.vanir_spaces = self.number(track, "spaces", "vanir_track", 1)
        self.fixed(track, "start_space", "vanir_track", components.vanir_start)
        components.effect_space = [0] * len(ids.VANIR_EFFECTS)
        for space in track["space"]:
            effect = self.index(ids.VANIR_EFFECTS, space["effect"], "vanir_track.space")
            components.effect_space[effect] = self.number(space, "index", "vanir_track.space", 1)
        if sorted(components.effect_space) != list(range(1, components.vanir_spaces + 1)):
            self.fault(
                "vanir_track.space", f"each of the {components.vanir_spaces} spaces has an effect"
            )
