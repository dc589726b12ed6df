"""IG-6.1, 6.2, 6.6, 6.7, 6.14 to 6.16 Fields 1 to 5: their order; Influence and Raven Shadow."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import (
    place_influence,
    raise_reputation,
    return_vuko_tokens,
    spend,
)
from taflhall_engine.ice_garden.ids import (
    FIELDS_1_5,
    INFLUENCE,
    M_FACTOR,
    MAKING,
    MOUNTAIN,
    MOVE,
    NONE,
    POPULATION,
    RAVEN_SHADOW,
    RAVEN_SHADOW_TILE,
    REGION_COUNT,
    TOKENS,
    ZERO,
)
from taflhall_engine.ice_garden.influence import affordable, is_open, present
from taflhall_engine.ice_garden.rules.answers import DONE, FORGO, Done, Forgo
from taflhall_engine.ice_garden.rules.base import (
    CANNOT_PAY,
    CLOSED,
    NO_MARKER,
    NOT_PRESENT,
    Choice,
    Phase,
)
from taflhall_engine.ice_garden.rules.ending import fall_snow
from taflhall_engine.ice_garden.rules.making import MakingMenu
from taflhall_engine.ice_garden.rules.moving import MountainRoute, MoveStep
from taflhall_engine.ice_garden.rules.solo import act_before, summon_npc
from taflhall_engine.ice_garden.rules.tiles import is_active
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step

NO_TOKEN: Final = Refusal("IG-6.15", "no_token")
TOO_HIGH: Final = Refusal("IG-6.15", "too_high")
TILE_FORBIDS: Final = Refusal("IG-15.12", "tile_forbids")
NO_TRACK: Final = Refusal("IG-16.9", "no_track")


@final
class FieldsPhase(Phase):
    """IG-6.1 Fields 1 to 5 in ascending order of their order tokens."""

    RULE = "IG-6.1"
    STATE = FIELDS_1_5

    def enter(self, s: IceGardenTable) -> None:
        s.agenda.append(NextField(1))


@final
class NextField(Step[IceGardenTable]):
    """IG-6.1 The field with this token: resolve it until it is empty, then the next."""

    RULE = "IG-6.1"

    def __init__(self, token: int) -> None:
        self.token: Final = token

    def run(self, s: IceGardenTable) -> None:
        for token in range(self.token, TOKENS + 1):
            field = s.tokens.index(token) + 1
            if s.fields[field]:
                s.agenda.append(NextField(token))
                resolve_marker(s, field)
                return


def resolve_marker(s: IceGardenTable, field: int) -> None:
    """IG-6.2, IG-16.6 The marker on the highest slot is removed; the NPC acts first."""
    faction = s.fields[field][-1]
    seat = s.options.seat_of[faction]
    if s.options.npc != NONE:
        if field == MAKING:
            if not fall_snow(s, "IG-16.6", s.components.npc_snow, NONE):
                return
            summon_npc(s)
        else:
            act_before(s, field)
    s.fields[field] = s.fields[field][:-1]
    if s.journal is not None:
        s.journal.append(events.MarkerResolved("IG-6.2", faction, field))
    if field == INFLUENCE:
        s.agenda.append(InfluencePlace(seat, s.components.influence_markers))
    elif field == MOVE:
        s.agenda.append(MoveStep(seat, s.components.move_steps))
    elif field == MOUNTAIN:
        s.agenda.append(MountainRoute(seat))
    elif field == RAVEN_SHADOW:
        s.agenda.append(RavenShadow(seat))
    else:
        s.agenda.append(MakingMenu(seat, 0))


# ---------------------------------------------------------------- field 1


@final
class PlaceMarker(Command[IceGardenTable]):
    """IG-6.6 Pay and put one influence marker into an open region where you are present."""

    RULE = "IG-6.6"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if not affordable(s, faction, POPULATION, s.components.influence_cost):
            return CANNOT_PAY
        if s.supply[faction] == 0:
            return NO_MARKER
        if not is_open(s, self.region):
            return CLOSED
        return None if present(s, faction, self.region) else NOT_PRESENT

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.6", faction, POPULATION, s.components.influence_cost)
        place_influence(s, "IG-6.6", faction, self.region)


@final
class InfluencePlace(Choice):
    """IG-6.6 Up to two times: pay 1 population, put a marker where you are present."""

    RULE = "IG-6.6"
    answers_with = (PlaceMarker, Done)

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left: Final = left

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return PLACE_MARKERS

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if self.left > 1 and not isinstance(command, Done):
            s.agenda.append(InfluencePlace(seat, self.left - 1))


# ---------------------------------------------------------------- field 4


@final
class DiscardVuko(Command[IceGardenTable]):
    """IG-6.14 Pay 1 M-factor from level 0 and return one Vuko token."""

    RULE = "IG-6.14"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if s.vuko_tokens[faction] == 0:
            return NO_TOKEN
        return None if affordable(s, faction, M_FACTOR, s.components.token_cost) else CANNOT_PAY

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.14", faction, M_FACTOR, s.components.token_cost)
        return_vuko_tokens(s, "IG-6.14", faction, 1)


@final
class RaiseReputation(Command[IceGardenTable]):
    """IG-6.14, IG-6.15 Two fields up, from -1 or lower; edition 1 asks 1 M-factor (E-01)."""

    RULE = "IG-6.14"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if s.options.npc != NONE:
            return NO_TRACK
        if is_active(s, RAVEN_SHADOW_TILE):
            return TILE_FORBIDS
        if s.reputation[faction] <= ZERO:
            return TOO_HIGH
        cost = s.components.raven_cost[s.options.edition]
        return None if affordable(s, faction, M_FACTOR, cost) else CANNOT_PAY

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.14", faction, M_FACTOR, s.components.raven_cost[s.options.edition])
        raise_reputation(s, "IG-11.4", faction, s.components.raven_steps)


@final
class RavenShadow(Choice):
    """IG-6.14 Return a Vuko token, or raise the reputation, or neither."""

    RULE = "IG-6.14"
    answers_with = (DiscardVuko, RaiseReputation, Forgo)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return RAVEN


PLACE_MARKERS: Final[list[Command[IceGardenTable]]] = [PlaceMarker(r) for r in range(REGION_COUNT)]
PLACE_MARKERS.append(DONE)
RAVEN: Final[list[Command[IceGardenTable]]] = [DiscardVuko(), RaiseReputation(), FORGO]
