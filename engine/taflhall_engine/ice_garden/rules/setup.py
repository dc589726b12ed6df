"""IG-3 Setup: tiles, the Thorn, reserves, start influence. IG-16.1, IG-16.3 for the NPC."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import place_influence
from taflhall_engine.ice_garden.ids import (
    ALL8,
    ARROW,
    BASE4,
    NONE,
    OFF,
    REGION_COUNT,
    REGIONS,
    SETUP_INFLUENCE,
    SETUP_THORN,
    SETUP_TILES,
    STAGE,
    STAGES,
    VAN_DYKEN,
)
from taflhall_engine.ice_garden.rules.base import NO_MARKER, Choice, Phase
from taflhall_engine.ice_garden.rules.rounds import FirstRound
from taflhall_engine.ice_garden.rules.solo import equip_npc, roll_region
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

HAS_TILE: Final = Refusal("IG-3.4", "has_tile")
NOT_IN_PLAY: Final = Refusal("IG-1.10", "not_in_play")
SAME_REGION: Final = Refusal("IG-3.8", "same_region")


@final
class SetupTiles(Phase):
    """IG-3.4 In turn order, cyclically, each player puts the next tile into a region."""

    RULE = "IG-3.4"
    STATE = SETUP_TILES

    def enter(self, s: IceGardenTable) -> None:
        s.agenda.append(NextTile(0))


@final
class NextTile(Step[IceGardenTable]):
    """IG-3.4, IG-16.1 The next player puts a tile; the NPC takes a random region."""

    RULE = "IG-3.4"

    def __init__(self, turn: int) -> None:
        self.turn: Final = turn

    def run(self, s: IceGardenTable) -> None:
        if not s.tile_stack:
            return
        players = s.options.players
        s.agenda.append(NextTile((self.turn + 1) % players))
        if self.turn < len(s.order):
            s.agenda.append(SetupTile(s.options.seat_of[s.order[self.turn]]))
            return
        free = [region for region in range(REGION_COUNT) if s.tile[region] == 0]
        s.chance.shuffle(free)
        lay_tile(s, s.options.npc, free[0])


def lay_tile(s: IceGardenTable, faction: int, region: int) -> None:
    s.tile[region] = s.tile_stack[-1]
    s.tile_stack = s.tile_stack[:-1]
    if s.journal is not None:
        s.journal.append(events.TileLaid("IG-3.4", faction, region))


@final
class LayTile(Command[IceGardenTable]):
    """IG-3.4 Put the next face-down tile into this region."""

    RULE = "IG-3.4"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return HAS_TILE if s.tile[self.region] != 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        lay_tile(s, s.options.factions[seat], self.region)


@final
class SetupTile(Choice):
    """IG-3.4 Put the next face-down tile into a region without tile."""

    RULE = "IG-3.4"
    answers_with = (LayTile,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return LAY_TILE


@final
class SetupThornPhase(Phase):
    """IG-3.5, IG-16.1 Van Dyken, if in play, places the Thorn; an NPC rolls for it."""

    RULE = "IG-3.5"
    STATE = SETUP_THORN

    def enter(self, s: IceGardenTable) -> None:
        if s.options.npc == VAN_DYKEN:
            place_thorn(s, roll_region(s))
        elif s.options.seat_of[VAN_DYKEN] != NONE:
            s.agenda.append(SetupThorn(s.options.seat_of[VAN_DYKEN]))


def place_thorn(s: IceGardenTable, region: int) -> None:
    s.thorn = region
    if s.journal is not None:
        s.journal.append(events.ThornPlaced("IG-3.5", region))


@final
class RaiseThorn(Command[IceGardenTable]):
    """IG-3.5 Put the Thorn into this region in play."""

    RULE = "IG-3.5"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return NOT_IN_PLAY if s.tile[self.region] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        place_thorn(s, self.region)


@final
class SetupThorn(Choice):
    """IG-3.5 Choose the Thorn's region; it never moves."""

    RULE = "IG-3.5"
    answers_with = (RaiseThorn,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return RAISE_THORN


@final
class PlaceReserves(Step[IceGardenTable]):
    """IG-3.6, IG-3.7 Reserves and empty tokens are dealt and revealed, then the tiles."""

    RULE = "IG-3.6"

    def run(self, s: IceGardenTable) -> None:
        regions = [r for r in range(REGION_COUNT) if s.tile[r] != 0 and r != s.thorn]
        s.chance.shuffle(regions)
        found = sorted(regions[: s.components.reserves])
        for region in found:
            s.reserves_up[region] = 1
        s.revealed = True
        if s.journal is not None:
            s.journal.append(events.ReservesPlaced("IG-3.6", found))
            s.journal.append(events.TilesRevealed("IG-3.7", s.tile[:]))


@final
class SetupInfluencePhase(Phase):
    """IG-3.8 Two passes in turn order; IG-16.3 the NPC is equipped before."""

    RULE = "IG-3.8"
    STATE = SETUP_INFLUENCE

    def enter(self, s: IceGardenTable) -> None:
        if s.options.npc != NONE:
            equip_npc(s)
        passes: list[Step[IceGardenTable]] = []
        for _ in range(s.components.start_markers):
            for faction in s.order:
                passes.append(SetupInfluence(s.options.seat_of[faction]))
        schedule(s, passes)


@final
class Settle(Command[IceGardenTable]):
    """IG-3.8 Put a start marker into this region; sharing is allowed."""

    RULE = "IG-3.8"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if s.tile[self.region] == 0:
            return NOT_IN_PLAY
        if s.influence[faction * REGION_COUNT + self.region] > 0:
            return SAME_REGION
        return NO_MARKER if s.supply[faction] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        place_influence(s, "IG-3.8", s.options.factions[seat], self.region)


@final
class SetupInfluence(Choice):
    """IG-3.8 Put an influence marker into a region in play, the second into another."""

    RULE = "IG-3.8"
    answers_with = (Settle,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return SETTLE


@final
class FinishSetup(Step[IceGardenTable]):
    """IG-3.9 to IG-3.12 Neutral markers and Vuko tiles are laid out; round 1 begins in S3."""

    RULE = "IG-3.9"

    def run(self, s: IceGardenTable) -> None:
        for region in range(REGION_COUNT):
            if s.tile[region] != 0:
                s.neutral[region] = s.components.start_neutral
        if s.journal is not None:
            s.journal.append(events.NeutralPlaced("IG-3.9"))
        lay_vuko_tiles(s)
        s.agenda.append(FirstRound())


def lay_vuko_tiles(s: IceGardenTable) -> None:
    """IG-3.11, IG-15.1 Four different tiles of the set, as given or at random."""
    if s.options.vuko_tiles == OFF or s.layout:
        return
    if s.options.layout:
        s.layout = s.options.layout[:]
    else:
        numbers = s.components.tile_sets[ALL8 if s.options.vuko_tiles == ALL8 else BASE4][:]
        s.chance.shuffle(numbers)
        s.layout = numbers[:STAGES]
    if s.options.sides:
        s.sides = s.options.sides[:]
    else:
        s.sides = []
        for _ in range(STAGES):
            sides = [ARROW, STAGE]
            s.chance.shuffle(sides)
            s.sides.append(sides[0])
    if s.journal is not None:
        s.journal.append(events.VukoTilesLaid("IG-3.11", s.layout[:], s.sides[:]))


def begin_setup(s: IceGardenTable) -> None:
    """IG-3 Put the steps of the setup on the agenda."""
    schedule(
        s,
        [
            SetupTiles(),
            SetupThornPhase(),
            PlaceReserves(),
            SetupInfluencePhase(),
            FinishSetup(),
        ],
    )


LAY_TILE: Final[list[Command[IceGardenTable]]] = [LayTile(region) for region in range(len(REGIONS))]
RAISE_THORN: Final[list[Command[IceGardenTable]]] = [
    RaiseThorn(region) for region in range(len(REGIONS))
]
SETTLE: Final[list[Command[IceGardenTable]]] = [Settle(region) for region in range(len(REGIONS))]
