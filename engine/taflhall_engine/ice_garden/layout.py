"""IG-3 The table before anything is done: everything in its box, supplies full."""

from __future__ import annotations

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    CHOSEN_FIELDS,
    FACTION_COUNT,
    FIGURE_COUNT,
    FIGURES_EACH,
    KIND_COUNT,
    NONE,
    REGION_COUNT,
    SAFE,
    SETUP_TILES,
    STOCK,
    TOKENS,
    UNDECIDED,
    UNIT_COUNT,
)
from taflhall_engine.ice_garden.table import IceGardenTable, MatchOptions
from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.chance import Chance


def empty_table(
    components: Components, chance: Chance, options: MatchOptions, order: list[int]
) -> IceGardenTable:
    """Return a table with nothing on it but the markers of IG-3.3 and the tokens of IG-3.10."""
    helm = [0] * FACTION_COUNT
    supply = [0] * FACTION_COUNT
    for faction in order:
        helm[faction] = components.start_helm
        supply[faction] = components.markers
    if options.npc != NONE:
        supply[options.npc] = components.markers
    nothing: list[int] = []
    agenda: list[Step[IceGardenTable]] = []
    return IceGardenTable(
        components,
        chance,
        options,
        SETUP_TILES,
        0,
        order[:],
        helm,
        order[:],
        [0] * FACTION_COUNT,
        [SAFE] * FACTION_COUNT,
        order[:],
        [0] * FACTION_COUNT,
        [[] for _ in range(CHOSEN_FIELDS)],
        list(range(1, TOKENS + 1)),
        0,
        0,
        0,
        nothing[:],
        nothing[:],
        0,
        0,
        [0] * REGION_COUNT,
        nothing[:],
        False,
        [0] * REGION_COUNT,
        [0] * REGION_COUNT,
        [0] * REGION_COUNT,
        [0] * REGION_COUNT,
        [0] * REGION_COUNT,
        [0] * REGION_COUNT,
        NONE,
        NONE,
        [0] * (FACTION_COUNT * REGION_COUNT),
        [0] * (FACTION_COUNT * REGION_COUNT),
        [NONE] * FIGURE_COUNT,
        [0] * FIGURE_COUNT,
        0,
        [0] * FIGURES_EACH,
        [0] * REGION_COUNT,
        [0] * (FACTION_COUNT * STOCK),
        [0] * FACTION_COUNT,
        [0] * FACTION_COUNT,
        supply,
        [0] * FACTION_COUNT,
        [0] * FACTION_COUNT,
        0,
        0,
        0,
        0,
        [0] * (UNIT_COUNT * ABILITY_COUNT),
        NONE,
        components.bank[:],
        components.upgrades[:],
        0,
        0,
        NONE,
        nothing[:],
        0,
        0,
        UNDECIDED,
        nothing[:],
        nothing[:],
        agenda,
    )


def start_table(
    components: Components, chance: Chance, options: MatchOptions, order: list[int]
) -> IceGardenTable:
    """IG-3.2 to IG-3.4 Return the table at the start of the setup: goods and shuffled tiles.

    The NPC gets nothing (IG-16.1).
    """
    s = empty_table(components, chance, options, order)
    for faction in order:
        for kind in range(KIND_COUNT):
            s.stock[faction * STOCK + kind] = components.start[kind]
            s.bank[kind] -= components.start[kind]
        s.vp[faction] = components.start_points
    s.tile_stack = list(range(1, components.tiles[options.players] + 1))
    chance.shuffle(s.tile_stack)
    return s
