"""IG-5 Order tokens and planning."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import feed_gorge, plan
from taflhall_engine.ice_garden.ids import (
    CHOSEN_FIELDS,
    ORDER_TOKENS,
    PLANNING,
    TOKENS,
    VIPER_GORGE,
)
from taflhall_engine.ice_garden.rules.base import NO_MARKER, Choice, Phase
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.kernel.shared_lists import replaced

TOKEN_USED: Final = Refusal("IG-5.2", "token_used")
FIELD_USED: Final = Refusal("IG-5.2", "field_used")
NO_SLOT: Final = Refusal("IG-5.4", "no_slot")


@final
class TokensPhase(Phase):
    """IG-5.2 Advanced, from round 2 on: all tokens are taken off and placed again."""

    RULE = "IG-5.2"
    STATE = ORDER_TOKENS

    def enter(self, s: IceGardenTable) -> None:
        if s.options.order_tokens and s.round > 1:
            s.tokens = [0] * TOKENS
            if s.journal is not None:
                s.journal.append(events.TokensTakenOff("IG-5.2"))
            s.agenda.append(NextToken(0))


@final
class NextToken(Step[IceGardenTable]):
    """IG-5.2 Cyclically in turn order, until all five lie."""

    RULE = "IG-5.2"

    def __init__(self, turn: int) -> None:
        self.turn: Final = turn

    def run(self, s: IceGardenTable) -> None:
        if 0 in s.tokens:
            s.agenda.append(NextToken((self.turn + 1) % len(s.order)))
            s.agenda.append(OrderToken(s.options.seat_of[s.order[self.turn]]))


@final
class LayToken(Command[IceGardenTable]):
    """IG-5.2 Put a remaining token on a field without one."""

    RULE = "IG-5.2"

    def __init__(self, token: int, field: int) -> None:
        self.token: Final = token
        self.field: Final = field

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if self.token in s.tokens:
            return TOKEN_USED
        return FIELD_USED if s.tokens[self.field - 1] != 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        s.tokens = replaced(s.tokens, self.field - 1, self.token)
        if s.journal is not None:
            s.journal.append(events.TokenLaid("IG-5.2", self.token, self.field))


@final
class OrderToken(Choice):
    """IG-5.2 Choose a token and a field for it."""

    RULE = "IG-5.2"
    answers_with = (LayToken,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return LAY_TOKEN

    def options(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        """Return each token that is left on each field that is left."""
        fields = [field for field in range(1, TOKENS + 1) if s.tokens[field - 1] == 0]
        return [
            LAY_TOKEN[(token - 1) * TOKENS + field - 1]
            for token in range(1, TOKENS + 1)
            if token not in s.tokens
            for field in fields
        ]


@final
class PlanningPhase(Phase):
    """IG-5.3 Cyclically in turn order, each player places one action marker at a time."""

    RULE = "IG-5.3"
    STATE = PLANNING

    def enter(self, s: IceGardenTable) -> None:
        s.agenda.append(NextPlan(0))


@final
class NextPlan(Step[IceGardenTable]):
    """IG-5.3 The next player with markers; IG-5.7 without a legal field they are forfeited."""

    RULE = "IG-5.3"

    def __init__(self, turn: int) -> None:
        self.turn: Final = turn

    def run(self, s: IceGardenTable) -> None:
        count = len(s.order)
        turn = self.turn
        for _ in range(count):
            faction = s.order[turn]
            if s.markers[faction] > 0:
                if any_field(s, faction):
                    s.agenda.append(NextPlan((turn + 1) % count))
                    s.agenda.append(PlanMarker(s.options.seat_of[faction]))
                    return
                if s.journal is not None:
                    s.journal.append(events.MarkersForfeited("IG-5.7", faction, s.markers[faction]))
                s.markers[faction] = 0
            turn = (turn + 1) % count


def any_field(s: IceGardenTable, faction: int) -> bool:
    """IG-5.7 Return whether a field is left for an action marker."""
    return any(field_refusal(s, faction, field) is None for field in range(CHOSEN_FIELDS))


def field_refusal(s: IceGardenTable, faction: int, field: int) -> Refusal | None:
    """IG-5.4, IG-5.5 Return why a player may not place a marker on *field*."""
    if len(s.fields[field]) >= s.components.slots[s.options.players][field]:
        return NO_SLOT
    if field == VIPER_GORGE and s.supply[faction] < s.components.gorge_markers:
        return NO_MARKER
    return None


@final
class Plan(Command[IceGardenTable]):
    """IG-5.4, IG-5.5 Place a marker; Viper Gorge also costs an influence marker."""

    RULE = "IG-5.4"

    def __init__(self, field: int) -> None:
        self.field: Final = field

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return field_refusal(s, s.options.factions[seat], self.field)

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        plan(s, "IG-5.4", faction, self.field)
        if self.field == VIPER_GORGE:
            feed_gorge(s, "IG-5.5", faction)


@final
class PlanMarker(Choice):
    """IG-5.3 Place exactly one action marker; it cannot be held back."""

    RULE = "IG-5.3"
    answers_with = (Plan,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return PLAN


LAY_TOKEN: Final[list[Command[IceGardenTable]]] = [
    LayToken(token, field) for token in range(1, TOKENS + 1) for field in range(1, TOKENS + 1)
]
PLAN: Final[list[Command[IceGardenTable]]] = [Plan(field) for field in range(CHOSEN_FIELDS)]
