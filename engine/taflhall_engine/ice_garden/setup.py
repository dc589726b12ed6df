"""IG-1.5, IG-1.14 The options of a match, and what does not fit together."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import (
    BASE4,
    EASY,
    FACTION_COUNT,
    FACTIONS,
    NO_SOLO,
    NONE,
    OFF,
    SIDES,
    SOLO_LEVELS,
    STAGES,
    TILE_SETS,
    TRUE_SCIENTIST,
)
from taflhall_engine.ice_garden.table import MatchOptions
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Fault
from taflhall_engine.kernel.value import Value

MAX_SEATS: Final = 4


@final
class Setup(Value):
    """IG-1.5 How a match is laid out. Empty lists and ``-`` leave it to chance.

    Without *seats* there are as many as *factions*, else four. *factions* are by seat;
    *start_order* lists seats, first player first; *vuko_layout*
    and *vuko_sides* are by stage; *vuko_tiles* is ``-`` for the usual: off, or in the solo
    game what its level says. *npc* is the faction that plays by itself.
    """

    def __init__(
        self,
        seats: int = 0,
        edition: int = 2,
        advanced_order_tokens: bool = False,
        vuko_tiles: int = NONE,
        vuko_layout: list[int] | None = None,
        vuko_sides: list[int] | None = None,
        start_order: list[int] | None = None,
        factions: list[int] | None = None,
        solo_level: int = NO_SOLO,
        npc: int = NONE,
    ) -> None:
        self.seats: Final = seats
        self.edition: Final = edition
        self.advanced_order_tokens: Final = advanced_order_tokens
        self.vuko_tiles: Final = vuko_tiles
        self.vuko_layout: Final[list[int]] = [] if vuko_layout is None else vuko_layout
        self.vuko_sides: Final[list[int]] = [] if vuko_sides is None else vuko_sides
        self.start_order: Final[list[int]] = [] if start_order is None else start_order
        self.factions: Final[list[int]] = [] if factions is None else factions
        self.solo_level: Final = solo_level
        self.npc: Final = npc


def seats_of(setup: Setup) -> int:
    """Return how many seats *setup* asks for."""
    if setup.seats != 0:
        return setup.seats
    return len(setup.factions) if setup.factions else MAX_SEATS


def tiles_of(components: Components, setup: Setup) -> int:
    """IG-1.14 Return the Vuko tiles in play: as chosen, else off or the solo level's."""
    if setup.vuko_tiles != NONE:
        return setup.vuko_tiles
    solo = EASY <= setup.solo_level <= TRUE_SCIENTIST
    return BASE4 if solo and components.solo_tiles[setup.solo_level] else OFF


def faults_of(components: Components, setup: Setup) -> list[Fault]:
    """IG-1.14 Return everything that is wrong with *setup*."""
    found: list[Fault] = []
    seats_known = 1 <= seats_of(setup) <= MAX_SEATS
    if not seats_known:
        found.append(Fault("seats", "out_of_range"))
    if setup.edition not in (1, 2):
        found.append(Fault("edition", "unknown"))
    solo_known = 0 <= setup.solo_level < len(SOLO_LEVELS)
    if not solo_known:
        found.append(Fault("solo_level", "unknown", "", ", ".join(SOLO_LEVELS)))
    tiles_known = NONE <= setup.vuko_tiles < len(TILE_SETS)
    if not tiles_known:
        found.append(Fault("vuko_tiles", "unknown", "", ", ".join(TILE_SETS)))
    if seats_known and solo_known:
        _solo(components, setup, found)
    _players(setup, seats_known, found)
    if tiles_known:
        _layout(components, setup, found)
    return found


def _solo(components: Components, setup: Setup, found: list[Fault]) -> None:
    """IG-1.14 What one player needs and what more players must not have."""
    if seats_of(setup) > 1:
        if setup.solo_level != NO_SOLO:
            found.append(Fault("solo_level", "solo_game_only"))
        if setup.npc != NONE:
            found.append(Fault("npc", "solo_game_only"))
        return
    if setup.solo_level == NO_SOLO:
        found.append(Fault("solo_level", "missing"))
    if setup.advanced_order_tokens:
        found.append(Fault("advanced_order_tokens", "not_in_the_solo_game"))
    if not NONE <= setup.npc < FACTION_COUNT:
        found.append(Fault("npc", "unknown", "", ", ".join(FACTIONS)))
    elif setup.npc != NONE and setup.npc in setup.factions:
        found.append(Fault("npc", "faction_of_the_player"))
    if setup.vuko_tiles != NONE and setup.solo_level != NO_SOLO:
        if components.solo_tiles[setup.solo_level] != (setup.vuko_tiles != OFF):
            found.append(Fault("vuko_tiles", "contradicts_the_level"))


def _players(setup: Setup, seats_known: bool, found: list[Fault]) -> None:
    """IG-3.1, IG-3.3 Factions all different, the start order a permutation of the seats."""
    if setup.factions:
        code = ""
        if seats_known and len(setup.factions) != seats_of(setup):
            code = "wrong_count"
        elif len(set(setup.factions)) != len(setup.factions):
            code = "repeated"
        for faction in setup.factions:
            if not 0 <= faction < FACTION_COUNT:
                code = "unknown"
        if code:
            found.append(Fault("factions", code))
    if setup.start_order and seats_known:
        if sorted(setup.start_order) != list(range(seats_of(setup))):
            found.append(Fault("start_order", "not_every_seat_once"))


def _layout(components: Components, setup: Setup, found: list[Fault]) -> None:
    """IG-1.14 Four different tiles of the chosen set, each with a side."""
    tiles = tiles_of(components, setup)
    if setup.vuko_layout:
        code = ""
        if len(setup.vuko_layout) != STAGES:
            code = "wrong_count"
        elif len(set(setup.vuko_layout)) != STAGES:
            code = "repeated"
        for number in setup.vuko_layout:
            if tiles == OFF or number not in components.tile_sets[tiles]:
                code = "not_in_the_set"
        if code:
            found.append(Fault("vuko_layout", code))
    if setup.vuko_sides:
        code = ""
        if tiles == OFF:
            code = "no_tiles"
        elif len(setup.vuko_sides) != STAGES:
            code = "wrong_count"
        for side in setup.vuko_sides:
            if not 0 <= side < len(SIDES):
                code = "unknown"
        if code:
            found.append(Fault("vuko_sides", code))


def options_of(components: Components, setup: Setup, chance: Chance) -> MatchOptions:
    """IG-3.1 Return the options of a valid setup; factions that are not given are drawn."""
    factions = setup.factions[:]
    npc = setup.npc
    if not factions or (seats_of(setup) == 1 and npc == NONE):
        free = [f for f in range(FACTION_COUNT) if f not in factions and f != npc]
        chance.shuffle(free)
        if not factions:
            factions = free[: seats_of(setup)]
            free = free[seats_of(setup) :]
        if seats_of(setup) == 1 and npc == NONE:
            npc = free[0]
    return MatchOptions(
        setup.edition,
        setup.advanced_order_tokens,
        tiles_of(components, setup),
        setup.solo_level,
        factions,
        npc,
        setup.vuko_layout[:],
        setup.vuko_sides[:],
    )


def order_of(setup: Setup, options: MatchOptions, chance: Chance) -> list[int]:
    """IG-3.3 Return the factions in start order, given or random."""
    seats = setup.start_order[:]
    if not seats:
        seats = list(range(seats_of(setup)))
        if seats_of(setup) > 1:
            chance.shuffle(seats)
    return [options.factions[seat] for seat in seats]
