"""IG-9.6, IG-9.8, IG-9.10 Whom recruitment, pillage and enchant take from. IG-16.14, IG-16.15."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import (
    capture,
    fulfil,
    gain,
    place_influence,
    plunder,
    return_chosen,
    spend,
    spend_factor,
)
from taflhall_engine.ice_garden.ids import (
    CALLO,
    FACTION_COUNT,
    FJOLLSFINN,
    FREIHOFF,
    KIND_COUNT,
    LEVELS,
    M_FACTOR,
    NONE,
    STOCK,
)
from taflhall_engine.ice_garden.influence import highest_level, human, stock_of
from taflhall_engine.ice_garden.rules.base import (
    CANNOT_PAY,
    SUPPLY_EMPTY,
    Choice,
    MarkerTarget,
    TargetMarker,
)
from taflhall_engine.ice_garden.rules.powers import is_victim
from taflhall_engine.ice_garden.rules.solo import roll
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal

NO_VICTIM: Final = Refusal("IG-9.8", "no_victim")


@final
class Recruit(TargetMarker):
    """IG-9.6 The marker goes to the Ice Garden."""

    RULE = "IG-9.6"

    def perform(self, s: IceGardenTable, seat: int) -> None:
        recruit(s, self.faction, s.resolving, self.controlled)


@final
class RecruitTarget(MarkerTarget):
    """IG-9.6 Choose the marker that goes to the Ice Garden."""

    RULE = "IG-9.6"
    answers_with = (Recruit,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return RECRUIT


def recruit(s: IceGardenTable, faction: int, region: int, controlled: bool) -> None:
    """IG-9.6, IG-10.3 A marker goes to the Ice Garden; six fulfil Fjollsfinn's goal."""
    capture(s, "IG-9.6", faction, region, controlled)
    if sum(s.ice_garden) >= s.components.goal[FJOLLSFINN]:
        fulfil(s, "IG-10.3", FJOLLSFINN)


@final
class EnchantMarker(TargetMarker):
    """IG-9.10 The marker returns to its owner, a free marker of Callo's replaces it."""

    RULE = "IG-9.10"

    def perform(self, s: IceGardenTable, seat: int) -> None:
        enchant(s, CALLO, self.faction, s.resolving, self.controlled)


@final
class EnchantTarget(MarkerTarget):
    """IG-9.10 Choose the marker that is replaced."""

    RULE = "IG-9.10"
    answers_with = (EnchantMarker,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return ENCHANTMENTS


def enchant(s: IceGardenTable, faction: int, victim: int, region: int, controlled: bool) -> None:
    """IG-9.10 Replace a marker by a free one from Callo's supply."""
    return_chosen(s, "IG-9.10", victim, region, controlled)
    place_influence(s, "IG-9.10", faction, region)


# ---------------------------------------------------------------- pillage


@final
class PillageGood(Command[IceGardenTable]):
    """IG-9.8 Take one resource; M-factor goes to level 0. IG-16.14 from the NPC's: the supply."""

    RULE = "IG-9.8"

    def __init__(self, faction: int, kind: int, level: int) -> None:
        self.faction: Final = faction
        self.kind: Final = kind
        self.level: Final = level

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        if not is_victim(s, s.options.factions[seat], self.faction, s.resolving):
            return NO_VICTIM
        if self.faction == s.options.npc:
            return SUPPLY_EMPTY if s.bank[self.kind] == 0 else None
        place = self.faction * STOCK + self.kind
        if self.kind == M_FACTOR:
            place += self.level
        return CANNOT_PAY if s.stock[place] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        if self.faction == s.options.npc:
            gain(s, "IG-16.14", faction, self.kind, 1)
        else:
            plunder(s, "IG-9.8", faction, self.faction, self.kind, self.level)


@final
class PillageChoice(Choice):
    """IG-9.8 Choose a victim, a kind and, for M-factor, any level."""

    RULE = "IG-9.8"
    answers_with = (PillageGood,)

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        if s.options.npc != NONE:
            first = s.options.npc * KIND_COUNT
            return SUPPLY_PILLAGE[first : first + KIND_COUNT]
        return PILLAGES


def npc_pillages(s: IceGardenTable) -> None:
    """IG-16.14 The die says the kind, again if the human has none; it goes to the supply."""
    victim = human(s)
    while True:
        kind = s.components.npc_pillage[roll(s)]
        if stock_of(s, victim, kind) > 0:
            break
    if kind == M_FACTOR:
        spend_factor(s, "IG-16.14", victim, highest_level(s, victim), 1)
    else:
        spend(s, "IG-16.14", victim, kind, 1)


RECRUIT: Final[list[Command[IceGardenTable]]] = [
    Recruit(faction, controlled)
    for faction in range(FACTION_COUNT)
    if faction != FJOLLSFINN
    for controlled in (False, True)
]
ENCHANTMENTS: Final[list[Command[IceGardenTable]]] = [
    EnchantMarker(faction, controlled)
    for faction in range(FACTION_COUNT)
    if faction != CALLO
    for controlled in (False, True)
]
SUPPLY_PILLAGE: Final[list[Command[IceGardenTable]]] = [
    PillageGood(faction, kind, NONE)
    for faction in range(FACTION_COUNT)
    for kind in range(KIND_COUNT)
]
PILLAGES: Final[list[Command[IceGardenTable]]] = [
    PillageGood(faction, kind, level)
    for faction in range(FACTION_COUNT)
    if faction != FREIHOFF
    for kind in range(KIND_COUNT)
    for level in (range(LEVELS) if kind == M_FACTOR else (NONE,))
]
