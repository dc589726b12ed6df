"""YG-17.2, YG-17.3 The position of a case as a table, and its setup requests."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.chance import ScriptedChance
from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import (
    CARD_KINDS,
    CARDS,
    ENEMIES,
    ENEMY_COUNT,
    FENRIR,
    FURIOUS,
    GIANTS,
    GODS,
    GOES_ON,
    ISLANDS,
    NONE,
    WEAPON_LEVELS,
    WORLDS,
)
from taflhall_engine.yggdrasil.rules.actions import ACTIONS
from taflhall_engine.yggdrasil.rules.turn import END_OF_TURN, TURNS
from taflhall_engine.yggdrasil.table import YggdrasilTable

WRONG: Final = 99
"""Represents any invalid value in a setup request."""


def number(ids: list[str], name: Any, what: str) -> int:
    """Return the number of an id, or raise :exc:`CaseError`."""
    if name not in ids:
        raise CaseError(f"{what}: {name!r} is not one of {', '.join(ids)}")
    return ids.index(name)


def count(value: Any, what: str) -> int:
    """Return a number from 0, or raise :exc:`CaseError`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseError(f"{what}: {value!r} is not a number from 0")
    return value


# ---------------------------------------------------------------- a position


def position(components: Components, given: Keys, chance: ScriptedChance) -> YggdrasilTable:
    """Return the table that ``given`` describes, not yet moved on to its first decision."""
    gods = [number(GODS, god, "gods") for god in given.need("gods")]
    if not gods or len(set(gods)) != len(gods):
        raise CaseError("gods: one to six different gods play")
    options = Keys("given.options", given.take("options", {}))
    inspection = number(
        ids.BAG_INSPECTIONS, options.take("bag_inspection", "open"), "bag_inspection"
    )
    thor = number(["no", "yes"], options.take("thor_without_die", "no"), "thor_without_die")
    options.finish()
    active = 0
    if "active" in given:
        active = number([GODS[god] for god in gods], given.take("active"), "active")

    deck = [number(CARDS, card, "deck") for card in given.take("deck", ["hel"] * 3)]
    angry = flag(given, "fenrir_angry")
    composition = counted(components, deck + ([FENRIR] if angry else []))

    enemies = [components.start_space] * ENEMY_COUNT
    for name, space in given.take("enemies", {}).items():
        enemies[number(ENEMIES, name, "enemies")] = within(
            space, 1, components.residence, "enemies"
        )
    bag_vikings, bag_giants = bags(components, given)
    vikings, elves, weapons, forge = holdings(gods, given)
    helheim = left(components.vikings, [*bag_vikings, *vikings], "Vikings")
    muspellheim = left(components.fire_giants, bag_giants, "fire giants")
    alfheim = left(len(gods) + components.elves_base, elves, "elves")
    used, used_twice = worlds(given)
    giants_active, giants_defeated, giant_deck = giants(given)
    hindrance = 0
    for giant in giants_active:
        hindrance |= components.giant_bits[giant]
    sunken = number(ISLANDS, given.take("sunken", ISLANDS[components.start_sunken]), "sunken")
    if sunken not in components.coloured:
        raise CaseError("sunken: rainbow cannot be submerged")
    valkyries = given.take("valkyries", ISLANDS[components.start_island])
    phase = given.take("phase", "actions")
    return YggdrasilTable(
        components,
        chance,
        gods,
        inspection,
        thor == 1,
        composition,
        [sum(composition)],
        turn=0 if phase == "turn_start" else 1,
        active=active,
        actions_used=within(
            given.take("actions_used", 0), 0, components.frey_actions, "actions_used"
        ),
        used=used,
        used_twice=used_twice,
        deck=deck[::-1],
        known=0,
        discard=[],
        fenrir_card=FENRIR if angry else NONE,
        enemies=enemies,
        bag_vikings=bag_vikings,
        bag_giants=bag_giants,
        helheim=helheim,
        muspellheim=muspellheim,
        alfheim=alfheim,
        vikings=vikings,
        elves=elves,
        weapons=weapons,
        forge=forge,
        valkyries=number(ISLANDS, valkyries, "valkyries"),
        sunken=sunken,
        vanir=within(
            given.take("vanir", components.vanir_start), 1, components.vanir_spaces, "vanir"
        ),
        daeg=within(given.take("daeg_turns", 0), 0, components.daeg_turns, "daeg_turns"),
        giant_deck=giant_deck,
        giants_active=giants_active,
        giants_defeated=giants_defeated,
        hindrance=hindrance,
        die=NONE,
        outcome=GOES_ON,
        reasons=[],
        agenda=agenda(phase, active),
    )


def counted(components: Components, cards: list[int]) -> list[int]:
    """YG-1.1, YG-2.5 Return the number of cards of each kind, if the components suffice.

    A furious card takes the place of a plain one of its enemy.
    """
    composition = [0] * CARD_KINDS
    for card in cards:
        composition[card] += 1
    for card in range(FURIOUS, CARD_KINDS):
        if composition[card] > 1:
            raise CaseError(f"deck: there is only one card {CARDS[card]}")
    for enemy in range(ENEMY_COUNT):
        of_enemy = composition[enemy] + composition[FURIOUS + enemy]
        if of_enemy > components.plain_cards[enemy]:
            raise CaseError(f"deck: {of_enemy} cards of {ENEMIES[enemy]} are too many")
    return composition


def agenda(phase: Any, active: int) -> list[Step[Any]]:
    """Return the remaining steps of a *phase*."""
    if phase == "turn_start":
        return [TURNS[active]]
    if phase == "actions":
        return [END_OF_TURN[active], ACTIONS[active]]
    raise CaseError(f"phase: {phase!r} is not one of actions, turn_start, setup")


def flag(given: Keys, key: str) -> bool:
    value = given.take(key, False)
    if not isinstance(value, bool):
        raise CaseError(f"{key}: {value!r} is neither true nor false")
    return value


def within(value: Any, least: int, most: int, what: str) -> int:
    if not least <= count(value, what) <= most:
        raise CaseError(f"{what}: {value!r} is not from {least} to {most}")
    return int(value)


def left(total: int, parts: list[int], what: str) -> int:
    """Return the remainder of the total of YG-1.10."""
    rest = total - sum(parts)
    if rest < 0:
        raise CaseError(f"there are only {total} {what}, the case places {sum(parts)}")
    return rest


def bags(components: Components, given: Keys) -> tuple[list[int], list[int]]:
    vikings, giants = components.bag_vikings[:], components.bag_giants[:]
    for name, bag in given.take("bags", {}).items():
        island = components.coloured[
            number([ISLANDS[i] for i in components.coloured], name, "bags")
        ]
        if not isinstance(bag, list) or len(bag) != 2:
            raise CaseError(f"bags.{name} should be [vikings, fire giants], is {bag!r}")
        vikings[island] = count(bag[0], f"bags.{name}")
        giants[island] = count(bag[1], f"bags.{name}")
    return vikings, giants


def holdings(gods: list[int], given: Keys) -> tuple[list[int], list[int], list[int], int]:
    """Return Vikings, elves and weapons of each seat, and the weapons left in the forge."""
    vikings, elves = [0] * len(gods), [0] * len(gods)
    weapons = [0] * (len(gods) * ENEMY_COUNT)
    forge = (1 << ENEMY_COUNT * WEAPON_LEVELS) - 1
    for name, holding in given.take("hold", {}).items():
        seat = number([GODS[god] for god in gods], name, "hold")
        held = Keys(f"hold.{name}", holding)
        vikings[seat] = count(held.take("vikings", 0), f"hold.{name}.vikings")
        elves[seat] = count(held.take("elves", 0), f"hold.{name}.elves")
        for foe, value in held.take("weapons", {}).items():
            enemy = number(ENEMIES, foe, f"hold.{name}.weapons")
            level = within(value, 0, WEAPON_LEVELS, f"hold.{name}.weapons.{foe}")
            if level:
                bit = 1 << enemy * WEAPON_LEVELS + level - 1
                if not forge & bit:
                    raise CaseError(f"two gods hold the weapon of level {level} against {foe}")
                forge &= ~bit
            weapons[seat * ENEMY_COUNT + enemy] = level
        held.finish()
    return vikings, elves, weapons, forge


def worlds(given: Keys) -> tuple[int, int]:
    used = used_twice = 0
    for name in given.take("worlds_used", []):
        bit = 1 << number(WORLDS, name, "worlds_used")
        if used_twice & bit:
            raise CaseError(f"worlds_used: {name} cannot be used three times")
        used_twice |= used & bit
        used |= bit
    return used, used_twice


def giants(given: Keys) -> tuple[list[int], list[int], list[int]]:
    """Return the active giants, the defeated ones, and the deck with the top one last."""
    active = [number(GIANTS, giant, "giants_active") for giant in given.take("giants_active", [])]
    defeated = [number(GIANTS, g, "giants_defeated") for g in given.take("giants_defeated", [])]
    others = [g for g in GIANTS if GIANTS.index(g) not in active + defeated]
    deck = [number(GIANTS, g, "giants_deck") for g in given.take("giants_deck", others)]
    placed = active + defeated + deck
    if len(set(placed)) != len(placed):
        raise CaseError("a giant is in two places")
    if len(placed) != len(GIANTS):
        raise CaseError("a giant is nowhere")
    return active, defeated, deck[::-1]


# ---------------------------------------------------------------- random numbers


def scripted(components: Components, given: Keys) -> tuple[ScriptedChance, list[int]]:
    """YG-13.6, YG-17.3 Return the scripted random numbers, and the islands of their bag draws."""
    faces = [face_of(components, result) for result in given.take("dice", [])]
    draws: list[list[int]] = []
    islands: list[int] = []
    for entry in given.take("draws", []):
        draw = Keys("draws", entry)
        islands.append(number(ISLANDS, draw.need("bag"), "draws.bag"))
        draws.append(
            [count(draw.need(kind), f"draws.{kind}") for kind in ("vikings", "fire_giants")]
        )
        draw.finish()
    return ScriptedChance(faces, draws, []), islands


def face_of(components: Components, result: Any) -> int:
    """Return the first face with the value or the colour that *result* names."""
    for face in range(len(components.face_value)):
        if result in (str(components.face_value[face]), ISLANDS[components.face_colour[face]]):
            return face
    raise CaseError(f"dice: no face shows {result!r}")


# ---------------------------------------------------------------- setup requests


def request(create: Keys) -> dict[str, Any]:
    """YG-2.1 Return the setup that is asked for, as the engine reads it from data."""
    data = {
        key: create.take(key) for key in ("seats", "ragnarok", "spread_evenly") if key in create
    }
    if "gods" in create:
        data["gods"] = known(GODS, create.take("gods"))
    if "furious" in create:
        furious = create.take("furious")
        named = isinstance(furious, list)
        data["furious_enemies" if named else "furious"] = known(ENEMIES, furious)
    options = create.take("options", {})
    if isinstance(options, dict):
        data |= {key if key in OPTIONS else f"options.{key}": v for key, v in options.items()}
    else:
        data["options"] = options
    if "bag_inspection" in data:
        [data["bag_inspection"]] = known(ids.BAG_INSPECTIONS, [data["bag_inspection"]])
    if "thor_without_die" in data:
        thor = data["thor_without_die"]
        data["thor_without_die"] = thor == "yes" if thor in ("yes", "no") else str(thor)
    create.finish()
    return data


OPTIONS: Final = ("bag_inspection", "thor_without_die")
"""YG-2.9 The options there are."""


def known(names: list[str], value: Any) -> Any:
    """Return *value* with the numbers of its names if it is a list; :data:`WRONG` for others."""
    if not isinstance(value, list):
        return value
    return [names.index(name) if name in names else WRONG for name in value]
