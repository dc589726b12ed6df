"""YG-1 The vocabulary: small numbers with names, in the canonical order of YG-1.1."""

from __future__ import annotations

from typing import Final

NONE: Final = -1

# YG-1.2 worlds
ASGARD: Final = 0
MIDGARD: Final = 1
NIDAVELLIR: Final = 2
ALFHEIM: Final = 3
NIFLHEIM: Final = 4
HELHEIM: Final = 5
MUSPELLHEIM: Final = 6
JOTUNHEIM: Final = 7
VANAHEIM: Final = 8
WORLDS: Final = [
    "asgard",
    "midgard",
    "nidavellir",
    "alfheim",
    "niflheim",
    "helheim",
    "muspellheim",
    "jotunheim",
    "vanaheim",
]

# YG-1.4 enemies
FENRIR: Final = 0
HEL: Final = 1
JORMUNGAND: Final = 2
LOKI: Final = 3
NIDHOGG: Final = 4
SURT: Final = 5
ENEMIES: Final = ["fenrir", "hel", "jormungand", "loki", "nidhogg", "surt"]
ENEMY_COUNT: Final = 6

# YG-1.4, YG-1.5 cards: first the plain ones, then the furious ones, then Ragnarok
FURIOUS: Final = 6
RAGNAROK: Final = 12
RAGNAROK_COUNT: Final = 4
CARD_KINDS: Final = 16
CARDS: Final = [
    *ENEMIES,
    *[f"{enemy}!" for enemy in ENEMIES],
    *[f"ragnarok_{number}" for number in range(1, RAGNAROK_COUNT + 1)],
]

CARD_LABELS: Final = [card.replace("!", "_furious") for card in CARDS]
"""The same in letters only, as the contract writes them."""

# YG-1.6 what is read on the die
VALUE: Final = 0
COLOUR: Final = 1
ASPECTS: Final = ["value", "colour"]

# YG-1.7 islands; every island but rainbow owns a bag
RAINBOW: Final = 0
ISLANDS: Final = ["rainbow", "white", "blue", "green", "black"]
ISLAND_COUNT: Final = 5

# YG-1.8 weapons
WEAPON_LEVELS: Final = 3

# YG-1.9 giants, runes, gods
GIANTS: Final = [
    "bergelmir",
    "greip",
    "hrym",
    "thrym",
    "gjalp",
    "utgardaloki",
    "hymir",
    "fornjot",
    "hrungnir",
    "angrboda",
    "suttung",
    "vafthrudnir",
    "skrymir",
    "baugi",
    "thjazi",
    "geirrod",
]
GIANT_COUNT: Final = 16

SIGEL: Final = 0
DAEG: Final = 1
MANN: Final = 2
TIWAZ: Final = 3
RUNES: Final = ["sigel", "daeg", "mann", "tiwaz"]

ODIN: Final = 0
THOR: Final = 1
FREY: Final = 2
HEIMDALL: Final = 3
TYR: Final = 4
FREYJA: Final = 5
GODS: Final = ["odin", "thor", "frey", "heimdall", "tyr", "freyja"]
GOD_COUNT: Final = 6

# YG-8.1 whom a battle is against: an enemy, an active giant, or the hidden one on top
FIRST_GIANT: Final = 6
HIDDEN: Final = 22
OPPONENTS: Final = [*ENEMIES, *GIANTS, "hidden"]

# YG-9.3 what active giants do, as bits: nine worlds blocked, six enemies stronger, and three
PLUS_SHIFT: Final = 9
WHIRLPOOL: Final = 1 << 15
NO_POWERS: Final = 1 << 16
NO_DIE: Final = 1 << 17

# YG-7.9 effects of the Vanir's track
MOVE_VALKYRIES: Final = 0
TAKE_VIKINGS: Final = 1
PEEK_DECK: Final = 2
PUSH_ENEMY: Final = 3
DISCARD_GIANT: Final = 4
VANIR_EFFECTS: Final = [
    "move_valkyries",
    "take_vikings",
    "peek_deck",
    "push_enemy",
    "discard_giant",
]

# YG-2.9 options
OPEN: Final = 0
CLOSED: Final = 1
BAG_INSPECTIONS: Final = ["open", "closed"]

# YG-11.2 how it ends
GOES_ON: Final = 0
DEFEAT: Final = 1
VICTORY: Final = 2
OUTCOMES: Final = ["none", "defeat", "victory"]
WALL: Final = 0
GATE: Final = 1
RESIDENCE: Final = 2
REASONS: Final = ["wall", "gate", "residence"]

LABELS: Final[dict[str, list[str]]] = {
    "aspect": ASPECTS,
    "bag_inspection": BAG_INSPECTIONS,
    "blocked_worlds": WORLDS,
    "card": CARD_LABELS,
    "cards": CARD_LABELS,
    "deck": CARD_LABELS,
    "discard": CARD_LABELS,
    "empty_bags": ISLANDS,
    "enemy": ENEMIES,
    "fenrir_card": CARD_LABELS,
    "first_card": CARD_LABELS,
    "furious_enemies": ENEMIES,
    "giant": GIANTS,
    "giants_active": GIANTS,
    "giants_defeated": GIANTS,
    "god": GODS,
    "gods": GODS,
    "island": ISLANDS,
    "move_to": ISLANDS,
    "opponent": OPPONENTS,
    "outcome": OUTCOMES,
    "picked": ENEMIES,
    "placed": CARD_LABELS,
    "reasons": REASONS,
    "rune": RUNES,
    "second_card": CARD_LABELS,
    "sunken": ISLANDS,
    "valkyries": ISLANDS,
    "world": WORLDS,
    "worlds_used": WORLDS,
}
"""For each field that holds small numbers with names: the names."""
