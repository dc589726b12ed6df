"""What things are called in Champions of Midgard, in English and German."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from taflhall_engine.champions.ids import COINS, NONE
from taflhall_engine.kernel.game import Game

FACES: Final = {
    "en": ["blank", "hit", "double", "shield"],
    "de": ["leer", "Treffer", "Doppel", "Schild"],
}
LETTERS: Final = {"en": ["sword", "spear", "axe"], "de": ["Schwert", "Speer", "Axt"]}
DIE_FACES: Final = ["·", "x", "xx", "o"]
WARRIORS: Final = {
    "en": ["swordsmen", "spearmen", "axemen"],
    "de": ["Schwertkämpfer", "Speerkämpfer", "Axtkämpfer"],
}
ONE_WARRIOR: Final = {
    "en": ["swordsman", "spearman", "axeman"],
    "de": ["Schwertkämpfer", "Speerkämpfer", "Axtkämpfer"],
}
GOODS: Final = {"en": ["food", "wood", "coins"], "de": ["Nahrung", "Holz", "Münzen"]}
COLORS: Final = {
    "en": ["yellow", "red", "blue", "grey"],
    "de": ["gelb", "rot", "blau", "grau"],
}
POSTS: Final = {
    "en": ["troll", "left draugr", "right draugr", "shore 1", "shore 2", "shore 3", "shore 4"],
    "de": ["Troll", "linker Draugr", "rechter Draugr", "Küste 1", "Küste 2", "Küste 3", "Küste 4"],
}
KINDS: Final = ["troll", "draugr", "monster"]
METRICS: Final = {
    "en": [
        "yellow enemies",
        "red enemies",
        "blue enemies",
        "food",
        "wood",
        "coins",
        "favour",
        "warriors",
        "runes",
        "trolls",
        "draugr",
        "monsters",
    ],
    "de": [
        "gelbe Gegner",
        "rote Gegner",
        "blaue Gegner",
        "Nahrung",
        "Holz",
        "Münzen",
        "Gunst",
        "Krieger",
        "Runen",
        "Trolle",
        "Draugr",
        "Monster",
    ],
}


def pick(language: str, en: str, de: str) -> str:
    """Return one of two texts."""
    return de if language == "de" else en


@cache
def _by_kind(game: Game, language: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for component in game.catalog:
        name = component.name_de if language == "de" else component.name
        found.setdefault(component.kind, []).append(name)
    return found


def name(game: Game, kind: str, number: int, language: str) -> str:
    """Return what the component *number* of a kind is called; a dash for none."""
    if number == NONE:
        return "-"
    return _by_kind(game, language)[kind][number]


def names(game: Game, kind: str, numbers: Sequence[int], language: str) -> str:
    return ", ".join(name(game, kind, number, language) for number in numbers) or "-"


def seat(number: int, language: str) -> str:
    return pick(language, f"seat {number}", f"Platz {number}")


def warriors(counts: Sequence[int], language: str) -> str:
    """Return counts by type in words, nobody if there are none."""
    parts = [
        f"{n} {(ONE_WARRIOR if n == 1 else WARRIORS)[language][k]}"
        for k, n in enumerate(counts)
        if n
    ]
    return ", ".join(parts) or pick(language, "nobody", "niemand")


def crew(value: Any) -> str:
    """Return warriors in short: swordsmen/spearmen/axemen."""
    return f"{value.swordsmen}/{value.spearmen}/{value.axemen}"


def amounts(food: int, wood: int, coins: int, language: str) -> str:
    """Return goods in words."""
    parts = [good(n, k, language) for k, n in enumerate((food, wood, coins)) if n]
    return ", ".join(parts) or pick(language, "nothing", "nichts")


def good(count: int, kind: int, language: str) -> str:
    """Return an amount of a good: ``1 coin``, ``3 coins``."""
    if kind == COINS and count == 1:
        return pick(language, "1 coin", "1 Münze")
    return f"{count} {GOODS[language][kind]}"


def change(counts: Sequence[int], words: Sequence[str]) -> str:
    """Return changes with their signs: ``+2 wood, -2 coins``."""
    return ", ".join(f"{n:+} {words[k]}" for k, n in enumerate(counts) if n)
