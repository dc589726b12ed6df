"""IG-2 The vocabulary: small numbers with names, in the order of the data file."""

from __future__ import annotations

from typing import Final

NONE: Final = -1

# IG-2.7 factions
FREIHOFF: Final = 0
VAN_DYKEN: Final = 1
CALLO: Final = 2
FJOLLSFINN: Final = 3
FACTIONS: Final = ["freihoff", "van_dyken", "callo", "fjollsfinn"]
FACTION_COUNT: Final = 4

# IG-2.7 unit types, three to a faction in ascending level, and their figures, six to a faction
MOONLIT_BROTHER: Final = 0
ENLIGHTENED_ONE: Final = 1
HARRASIM: Final = 2
CRAB: Final = 3
RATLING_MUSICIAN: Final = 4
WYVERN: Final = 5
WILD_CHILD: Final = 6
FAUN: Final = 7
NIGHTMARE: Final = 8
VOLCANO_PEOPLE: Final = 9
ICE_DRAKKAR: Final = 10
TREE_BROTHERS: Final = 11
UNITS: Final = [
    "moonlit_brother",
    "enlightened_one",
    "harrasim",
    "crab",
    "ratling_musician",
    "wyvern",
    "wild_child",
    "faun",
    "nightmare",
    "volcano_people",
    "ice_drakkar",
    "tree_brothers",
]
UNIT_COUNT: Final = 12
UNITS_EACH: Final = 3
FIGURES_EACH: Final = 6
FIGURE_COUNT: Final = 24
FIGURES_OF_LEVEL: Final = [3, 2, 1]
FIGURE_UNIT: Final = [
    faction * UNITS_EACH + level
    for faction in range(FACTION_COUNT)
    for level in range(UNITS_EACH)
    for _ in range(FIGURES_OF_LEVEL[level])
]
"""By figure: its unit type."""
FIRST_FIGURE: Final = [FIGURE_UNIT.index(unit) for unit in range(UNIT_COUNT)]
"""By unit type: its figure with the lowest number."""
FIGURES: Final = [
    f"{UNITS[FIGURE_UNIT[figure]]}-{figure - FIRST_FIGURE[FIGURE_UNIT[figure]] + 1}"
    for figure in range(FIGURE_COUNT)
]

# IG-2.3 regions
REGIONS: Final = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"]
REGION_COUNT: Final = 8

# IG-1.13 resources; levels of the sheet follow M-factor of level 0 in a player's stock
POPULATION: Final = 0
GOLD: Final = 1
M_FACTOR: Final = 2
KINDS: Final = ["population", "gold", "m_factor"]
KIND_COUNT: Final = 3
LEVELS: Final = 4
STOCK: Final = 6
"""Entries of a player's stock: population, gold, M-factor of levels 0 to 3."""

# IG-2.1 what else the supply holds
VUKO_TOKEN: Final = 3
NIGHTMARE_TOKEN: Final = 4
LOCK_TOKEN: Final = 5
TOWER: Final = 6
SUPPLIES: Final = [
    *KINDS,
    "vuko_tokens",
    "nightmare_tokens",
    "lock_tokens",
    "red_towers",
]

# IG-2.8 basic symbols
ATTACK: Final = 0
SHIELD: Final = 1
DOMINANCE: Final = 2
SPEED: Final = 3
ABILITIES: Final = ["attack", "shield", "dominance", "speed"]
ABILITY_COUNT: Final = 4
PAIR_FIRST: Final = [0, 0, 0, 1, 1, 2]
PAIR_SECOND: Final = [1, 2, 3, 2, 3, 3]
PAIR_COUNT: Final = 6
"""IG-7.3 The pairs of different symbols that may lie on the spy slots."""

# IG-9.5, IG-9.11 special abilities and events of the domination phase
TORMENT: Final = 0
ENCHANT: Final = 1
PILLAGE: Final = 2
PIPING: Final = 3
RECRUITMENT: Final = 4
BUILD_TOWER: Final = 5
MOVE_RESERVES: Final = 6
POWERS: Final = [
    "torment",
    "enchant",
    "pillage",
    "piping",
    "recruitment",
    "tower",
    "reserves",
]

# IG-2.6 action fields
VIPER_GORGE: Final = 0
INFLUENCE: Final = 1
MOVE: Final = 2
MOUNTAIN: Final = 3
RAVEN_SHADOW: Final = 4
MAKING: Final = 5
FIELDS: Final = [
    "viper_gorge",
    "influence",
    "move",
    "mountain",
    "raven_shadow",
    "making",
    "activation",
    "vuko",
]
CHOSEN_FIELDS: Final = 6
"""IG-5.6 Fields 6 and 7 are never chosen."""
TOKENS: Final = 5

# IG-15 Vuko tiles by number, and their sides
FIRE_PEOPLE: Final = 1
SHADOW_WHISPERERS: Final = 2
NIGHTWALKER: Final = 3
BOTH_BEARS: Final = 4
CYPHRAL: Final = 5
SNAKE_FIGHT: Final = 6
RAVEN_SHADOW_TILE: Final = 7
FOOLS_SPEAR: Final = 8
VUKO_TILES: Final = [
    "fire_people",
    "shadow_whisperers",
    "nightwalker",
    "both_bears",
    "cyphral",
    "snake_fight",
    "raven_shadow_tile",
    "fools_spear",
]
ARROW: Final = 0
STAGE: Final = 1
SIDES: Final = ["arrow", "stage"]
STAGES: Final = 4

# IG-1.5 options
OFF: Final = 0
BASE4: Final = 1
ALL8: Final = 2
TILE_SETS: Final = ["off", "base4", "all8"]
NO_SOLO: Final = 0
EASY: Final = 1
MEDIUM: Final = 2
HARD: Final = 3
TRUE_SCIENTIST: Final = 4
SOLO_LEVELS: Final = ["none", "easy", "medium", "hard", "true_scientist"]

# IG-11.1 fields of the reputation track, best first
SAFE: Final = 0
ZERO: Final = 1
REPUTATION_FLOOR: Final = 10

# IG-4.1 states
SETUP_TILES: Final = 0
SETUP_THORN: Final = 1
SETUP_INFLUENCE: Final = 2
CATCH_UP: Final = 3
INITIATIVE: Final = 4
ROUND_ORDER: Final = 5
ORDER_TOKENS: Final = 6
PLANNING: Final = 7
FIELD_0: Final = 8
FIELDS_1_5: Final = 9
ACTIVATION: Final = 10
VUKO: Final = 11
DOMINATION: Final = 12
ROUND_END: Final = 13
STATES: Final = [
    "setup_tiles",
    "setup_thorn",
    "setup_influence",
    "catch_up",
    "initiative",
    "round_order",
    "order_tokens",
    "planning",
    "field_0",
    "fields_1_5",
    "activation",
    "vuko",
    "domination",
    "round_end",
]

# IG-14.6 how a match ends
UNDECIDED: Final = 0
DEAD_SNOW: Final = 1
GOAL: Final = 2
POINTS: Final = 3
REASONS: Final = ["", "dead_snow", "goal", "points"]

# IG-20.1 pieces: an influence marker, or a figure by its number plus one
MARKER: Final = 0
PIECES: Final = ["influence", *FIGURES]
PIECE_COUNT: Final = 25

# IG-20.2 targets: a neutral marker, a player's influence marker, or a figure
NEUTRAL: Final = 0
FIRST_MARKER: Final = 1
FIRST_TARGET: Final = 5
TARGETS: Final = ["neutral", *[f"{faction}_influence" for faction in FACTIONS], *FIGURES]
TARGET_COUNT: Final = 29
