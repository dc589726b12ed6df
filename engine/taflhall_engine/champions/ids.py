"""The small numbers of Champions of Midgard and their names (those of the data file)."""

from __future__ import annotations

from typing import Final

NONE: Final = -1
"""No card, no seat, no ship."""

SOMEBODY: Final = -2
"""A worker or ship that belongs to no seat of the table: only conformance cases have one."""

SWORDSMAN: Final = 0
SPEARMAN: Final = 1
AXEMAN: Final = 2
TYPES: Final = 3
WARRIORS: Final = ["swordsman", "spearman", "axeman"]

BLANK: Final = 0
HIT: Final = 1
DOUBLE: Final = 2
SHIELD: Final = 3
FACE_KINDS: Final = 4
FACES: Final = ["blank", "hit", "double", "shield"]
CLASSES: Final = 12
"""Number of distinct dice: type times face."""

FOOD: Final = 0
WOOD: Final = 1
COINS: Final = 2
GOODS: Final = ["food", "wood", "coins"]

YELLOW: Final = 0
RED: Final = 1
BLUE: Final = 2
GREY: Final = 3
COLORS: Final = ["yellow", "red", "blue", "grey"]

TROLL: Final = 0
DRAUGR: Final = 1
MONSTER: Final = 2
KRAKEN: Final = 3
ENEMIES: Final = ["troll", "draugr", "monster", "kraken"]

SWORDSMITH: Final = 0
HAFTER: Final = 1
BLACKSMITH: Final = 2
SMOKEHOUSE: Final = 3
LONGHOUSE: Final = 4
MARKET: Final = 5
MERCHANT_SHIP: Final = 6
RUNESMITH: Final = 7
SAGES_HUT: Final = 8
SHIPWRIGHT: Final = 9
STAVE_CHURCH: Final = 10
WORKER_HUTS: Final = 11
HUNTING_GROUNDS: Final = 12
TROLL_SPACE: Final = 13
DRAUGR_LEFT: Final = 14
DRAUGR_RIGHT: Final = 15
SHIP_SMALL: Final = 16
SHIP_LARGE: Final = 17
SHIP_PRIVATE: Final = 18
BEG: Final = 19
STALL_1: Final = 20
LOCATION_COUNT: Final = 24
LOCATIONS: Final = [
    "swordsmith",
    "hafter",
    "blacksmith",
    "smokehouse",
    "longhouse",
    "market",
    "merchant_ship",
    "runesmith",
    "sages_hut",
    "shipwright",
    "stave_church",
    "worker_huts",
    "hunting_grounds",
    "troll",
    "draugr_left",
    "draugr_right",
    "ship_small",
    "ship_large",
    "ship_private",
    "beg",
    "stall_1",
    "stall_2",
    "stall_3",
    "stall_4",
]

POST_TROLL: Final = 0
POST_LEFT: Final = 1
POST_RIGHT: Final = 2
SHORE_0: Final = 2
"""Shore *k* (1 to 4) is post ``SHORE_0 + k``."""
POSTS: Final = 7
SHORES: Final = 4
POST_NAMES: Final = [
    "troll",
    "draugr_left",
    "draugr_right",
    "shore_1",
    "shore_2",
    "shore_3",
    "shore_4",
]

LEADERS: Final = ["asmundr", "dagrun", "gylfir", "svanhildr", "ullr"]
FAVOUR_SCORES: Final = 0
EXTRA_DESTINY: Final = 1
FREE_MERCHANT: Final = 2
SWORD_PLUS_ONE: Final = 3
GLORY_FOR_DOUBLE: Final = 4
ABILITIES: Final = [
    "favour_scores_when_spent",
    "sage_extra_destiny",
    "merchant_ship_free",
    "swordsman_plus_one_hit",
    "glory_for_double",
]

GIFTS: Final = 0
GLORY: Final = 1
HEALING: Final = 2
JOURNEY: Final = 3
KNOWLEDGE: Final = 4
POTENTIAL: Final = 5
REACTION: Final = 6
SUCCESS: Final = 7
TRUE_VISION: Final = 8
WEALTH: Final = 9
RUNES: Final = [
    "gifts",
    "glory",
    "healing",
    "journey",
    "knowledge",
    "potential",
    "reaction",
    "success",
    "true_vision",
    "wealth",
]

DESTINIES: Final = [
    "crusher_of_ice",
    "earth_smasher",
    "master_of_flames",
    "craftsman",
    "leader_of_armies",
    "odins_favored",
    "prepared",
    "prosperous",
    "runemaster",
    "monster_hunter",
    "slayer_of_the_undead",
    "troll_slayer",
]
METRICS: Final = [
    "yellow_enemies",
    "red_enemies",
    "blue_enemies",
    "food",
    "wood",
    "coins",
    "favour",
    "warriors",
    "runes",
    "trolls",
    "draugr",
    "monsters",
]
"""CM-12.2 What destinies compare; first the enemies by colour."""
METRIC_FOOD: Final = 3
METRIC_WOOD: Final = 4
METRIC_COINS: Final = 5
METRIC_FAVOUR: Final = 6
METRIC_WARRIORS: Final = 7
METRIC_RUNES: Final = 8
METRIC_TROLLS: Final = 9
METRIC_DRAUGR: Final = 10
METRIC_MONSTERS: Final = 11

JOURNEYS: Final = ["all_quiet", "kraken", "lost", "no_wind", "storm", "whirlpool"]
FIGHT_KRAKEN: Final = 1
EFFECTS: Final = [
    "none",
    "fight_kraken",
    "lose_2_items",
    "lose_1_food",
    "lose_1_food_or_1_warrior",
    "lose_1_warrior",
]
EFFECT_AMOUNT: Final = [0, 0, 2, 1, 1, 1]
EFFECT_TAKES_FOOD: Final = [False, False, True, True, True, False]
EFFECT_TAKES_WARRIORS: Final = [False, False, True, False, True, True]

RIGHT: Final = 0
LEFT: Final = 1
NEAR_SHORES: Final = ["right", "left"]
CLOSED_WITH_FOUR: Final = 0
ONLY_WITH_FOUR: Final = 1
LEFTMOST_SHORE: Final = ["closed_with_four", "only_with_four"]
UNLIMITED: Final = 0
ONE_PER_SEAT: Final = 1
HUNTING_WORKERS: Final = ["unlimited", "one_per_seat"]
OWNER: Final = 0
ALL_TIED: Final = 1
DESTINY_TIES: Final = ["owner", "all"]
OPTIONS: Final = {
    "near_shores": NEAR_SHORES,
    "leftmost_shore": LEFTMOST_SHORE,
    "hunting_workers": HUNTING_WORKERS,
    "destiny_ties": DESTINY_TIES,
}

LABELS: Final[dict[str, list[str]]] = {
    "leader": LEADERS,
    "rune": RUNES,
    "runes": RUNES,
    "runes_used": RUNES,
    "rune_row": RUNES,
    "rune_pool": RUNES,
    "destiny": DESTINIES,
    "destinies": DESTINIES,
    "destinies_shown": DESTINIES,
    "drawn_destinies": DESTINIES,
    "journey": JOURNEYS,
    "journeys": JOURNEYS,
    "journey_discard": JOURNEYS,
    "known": JOURNEYS,
    "location": LOCATIONS,
    "warrior": WARRIORS,
    "warriors": WARRIORS,
    "face": FACES,
    "faces": FACES,
    "replaced": FACES,
    "good": GOODS,
    "post": POST_NAMES,
    "kind": ENEMIES,
    "loss": EFFECTS,
    **OPTIONS,
}
"""For a field that holds a small number with a name: the names, by number."""

ROUNDS: Final = 8
MIN_SEATS: Final = 2
MAX_SEATS: Final = 4
