"""IG-4 The round: its states, catch-up, initiative, turn order."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import gain, move_vuko, place_influence, release_control
from taflhall_engine.ice_garden.ids import (
    CATCH_UP,
    FOOLS_SPEAR,
    INITIATIVE,
    NONE,
    POPULATION,
    REGION_COUNT,
    ROUND_ORDER,
    STAGE,
)
from taflhall_engine.ice_garden.influence import influence, is_open
from taflhall_engine.ice_garden.rules.activation import ActivationPhase
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.base import CLOSED, NO_MARKER, Choice, Phase
from taflhall_engine.ice_garden.rules.domination import DominationPhase
from taflhall_engine.ice_garden.rules.ending import RoundEnd
from taflhall_engine.ice_garden.rules.fields import FieldsPhase
from taflhall_engine.ice_garden.rules.gorge import GorgePhase
from taflhall_engine.ice_garden.rules.planning import PlanningPhase, TokensPhase
from taflhall_engine.ice_garden.rules.solo import relocate_npc
from taflhall_engine.ice_garden.rules.visit import VukoPhase
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule
from taflhall_engine.kernel.shared_lists import replaced

DOUBLE_SPENT: Final = Refusal("IG-4.4", "double_spent")
NO_HELM: Final = Refusal("IG-4.4", "no_helm")


@final
class FirstRound(Step[IceGardenTable]):
    """IG-3.12 Round 1 begins in S3: no catch-up, no initiative move."""

    RULE = "IG-3.12"

    def run(self, s: IceGardenTable) -> None:
        s.round = 1
        if s.journal is not None:
            s.journal.append(events.RoundBegan("IG-3.12", 1))
        schedule(s, rest_of_round(ROUND_ORDER))


@final
class NextRound(Step[IceGardenTable]):
    """IG-4.1 A round: its states from S1 to S11, then the next."""

    RULE = "IG-4.1"

    def run(self, s: IceGardenTable) -> None:
        s.round += 1
        s.summoned = 0
        if s.journal is not None:
            s.journal.append(events.RoundBegan("IG-4.1", s.round))
        schedule(s, rest_of_round(CATCH_UP))


def rest_of_round(state: int) -> list[Step[IceGardenTable]]:
    """IG-4.1 Return the states of a round from *state* on, and the next round."""
    phases: list[Step[IceGardenTable]] = [
        CatchUpPhase(),
        InitiativePhase(),
        RoundOrder(),
        TokensPhase(),
        PlanningPhase(),
        GorgePhase(),
        FieldsPhase(),
        ActivationPhase(),
        VukoPhase(),
        DominationPhase(),
        RoundEnd(),
        NextRound(),
    ]
    return phases[state - CATCH_UP :]


# ---------------------------------------------------------------- S1 catch-up


@final
class CatchUpPhase(Phase):
    """IG-4.2 Players with fewer than two markers on the map catch up; the NPC relocates first."""

    RULE = "IG-4.2"
    STATE = CATCH_UP

    def enter(self, s: IceGardenTable) -> None:
        if s.options.npc != NONE:
            relocate_npc(s)
        turns: list[Step[IceGardenTable]] = [CatchUpTurn(s.options.seat_of[f]) for f in s.order]
        schedule(s, turns)


@final
class CatchUpTurn(Step[IceGardenTable]):
    """IG-4.2 Two population and, one by one, markers up to two; edition 1 counts units too."""

    RULE = "IG-4.2"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: IceGardenTable) -> None:
        faction = s.options.factions[self.seat]
        missing = s.components.catch_up_markers
        for region in range(REGION_COUNT):
            if is_open(s, region):
                place = faction * REGION_COUNT + region
                if s.options.first_edition:
                    missing -= influence(s, faction, region) + s.controlled[place]
                else:
                    missing -= s.influence[place]
        if missing > 0:
            gain(s, "IG-4.2", faction, POPULATION, s.components.catch_up_population)
            s.agenda.append(CatchUpPlace(self.seat, missing))


@final
class CatchUp(Command[IceGardenTable]):
    """IG-4.2 Place a marker; presence is not needed."""

    RULE = "IG-4.2"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if s.supply[s.options.factions[seat]] == 0:
            return NO_MARKER
        return None if is_open(s, self.region) else CLOSED

    def perform(self, s: IceGardenTable, seat: int) -> None:
        place_influence(s, "IG-4.2", s.options.factions[seat], self.region)


@final
class CatchUpPlace(Choice):
    """IG-4.2 Place a marker into any open region, or stop."""

    RULE = "IG-4.2"
    answers_with = (CatchUp, Done)

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left: Final = left

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return CATCH_UPS

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if self.left > 1 and not isinstance(command, Done):
            s.agenda.append(CatchUpPlace(seat, self.left - 1))


# ---------------------------------------------------------------- S2 initiative


@final
class InitiativePhase(Phase):
    """IG-4.3 In the previous turn order each player moves 1 or 2 helms forward."""

    RULE = "IG-4.3"
    STATE = INITIATIVE

    def enter(self, s: IceGardenTable) -> None:
        moves: list[Step[IceGardenTable]] = [InitiativeMove(s.options.seat_of[f]) for f in s.order]
        schedule(s, moves)


@final
class Advance(Command[IceGardenTable]):
    """IG-4.4, IG-4.5 Move forward; a double move once per stage; land on top."""

    RULE = "IG-4.4"

    def __init__(self, helms: int) -> None:
        self.helms: Final = helms

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        helm = s.helm[faction]
        if helm + self.helms > s.components.helms:
            return NO_HELM
        if self.helms > 1 and s.doubles[faction] >> s.components.stage[helm] & 1:
            return DOUBLE_SPENT
        return None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        if self.helms > 1:
            spent = s.doubles[faction] | 1 << s.components.stage[s.helm[faction]]
            s.doubles = replaced(s.doubles, faction, spent)
        s.helm[faction] += self.helms
        s.initiative.remove(faction)
        s.initiative.insert(0, faction)
        if s.journal is not None:
            s.journal.append(events.HelmReached("IG-4.5", faction, s.helm[faction]))


@final
class InitiativeMove(Choice):
    """IG-4.3 Move the initiative marker; every move is mandatory."""

    RULE = "IG-4.3"
    answers_with = (Advance,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return ADVANCE[: s.components.max_step]


# ---------------------------------------------------------------- S3 turn order


@final
class RoundOrder(Phase):
    """IG-4.6 to IG-4.10 Turn order, cubes, red ships, Vuko tile."""

    RULE = "IG-4.6"
    STATE = ROUND_ORDER

    def enter(self, s: IceGardenTable) -> None:
        if s.round > 1:
            s.order = turn_order(s)
        foremost = 0
        for faction in s.order:
            s.markers[faction] = s.components.cubes[s.helm[faction]]
            foremost = max(foremost, s.helm[faction])
        s.factor = max(0, s.components.red_ships[foremost] - s.ships)
        s.ships += s.factor
        if s.journal is not None:
            s.journal.append(events.OrderSet("IG-4.6", s.order[:], s.factor))
        activate_tile(s, s.components.stage[foremost])


def turn_order(s: IceGardenTable) -> list[int]:
    """IG-4.6 Ship number ascending; further to the right first; top before bottom."""

    def place(faction: int) -> tuple[int, int]:
        return s.components.ship[s.helm[faction]], -s.helm[faction]

    return sorted(s.initiative, key=place)


def activate_tile(s: IceGardenTable, stage: int) -> None:
    """IG-15.3, IG-15.4 The tile of the stage becomes active; the last stage's side ends."""
    if stage != s.stage and s.passing != 0:
        s.active &= ~s.passing
        s.passing = 0
        if s.journal is not None:
            s.journal.append(events.TilesEnded("IG-15.4"))
    s.stage = stage
    if not s.layout:
        return
    tile = s.layout[stage - 1]
    if s.active >> tile & 1:
        return
    s.active |= 1 << tile
    if s.sides[stage - 1] == STAGE:
        s.passing |= 1 << tile
    if s.journal is not None:
        s.journal.append(events.TileActivated("IG-4.10", tile))
    if tile == FOOLS_SPEAR:
        release_control(s, "IG-15.11")
        if s.vuko != NONE:
            move_vuko(s, "IG-15.11", NONE)


CATCH_UPS: Final[list[Command[IceGardenTable]]] = [
    CatchUp(region) for region in range(REGION_COUNT)
]
CATCH_UPS.append(DONE)
ADVANCE: Final[list[Command[IceGardenTable]]] = [Advance(helms) for helms in range(1, 10)]
