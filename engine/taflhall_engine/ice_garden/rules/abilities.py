"""IG-9.5 to IG-9.11 Step 2, special abilities, and step 3, events. IG-16.14, IG-16.15."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events as told
from taflhall_engine.ice_garden.effects import (
    capture,
    fulfil,
    gain,
    move_reserves,
    place_influence,
    plunder,
    return_chosen,
    spend,
    spend_factor,
)
from taflhall_engine.ice_garden.influence import highest_level, human, stock_of
from taflhall_engine.ice_garden.names import (
    BUILD_TOWER,
    CALLO,
    ENCHANT,
    FACTION_COUNT,
    FJOLLSFINN,
    FREIHOFF,
    KIND_COUNT,
    LEVELS,
    M_FACTOR,
    NIGHTMARE_TOKEN,
    NONE,
    PILLAGE,
    PIPING,
    POPULATION,
    POWERS,
    REGION_COUNT,
    STOCK,
    TORMENT,
    TOWER,
)
from taflhall_engine.ice_garden.rules.base import CANNOT_PAY, SUPPLY_EMPTY, Choice, refused
from taflhall_engine.ice_garden.rules.locking import lock
from taflhall_engine.ice_garden.rules.powers import can_lock, event_of, has_effect, is_victim
from taflhall_engine.ice_garden.rules.solo import roll
from taflhall_engine.ice_garden.table import State
from taflhall_engine.kernel.agenda import Command, Refusal, Step

NO_SUCH_MARKER: Final = refused(
    "IG-9.6", "no such marker is in the region", "ein solcher Marker ist nicht in der Region"
)
NO_VICTIM: Final = refused(
    "IG-9.8", "that player cannot be pillaged here", "dieser Spieler kann hier nicht beraubt werden"
)


@final
class Power(Step[State]):
    """IG-9.5 The dominator's ability: mandatory if it can do anything (edition 1: optional)."""

    RULE = "IG-9.5"

    def __init__(self, faction: int, power: int, region: int) -> None:
        self.faction: Final = faction
        self.power: Final = power
        self.region: Final = region

    def run(self, s: State) -> None:
        offer(s, self.faction, self.power, self.region)


@final
class Events(Step[State]):
    """IG-9.11 After the abilities: locking, a tower, the moving of reserves."""

    RULE = "IG-9.11"

    def __init__(self, faction: int, region: int) -> None:
        self.faction: Final = faction
        self.region: Final = region

    def run(self, s: State) -> None:
        if can_lock(s, self.faction, self.region):
            lock(s, self.region)
            return
        event = event_of(s, self.faction, self.region)
        if event != NONE:
            offer(s, self.faction, event, self.region)


def offer(s: State, faction: int, power: int, region: int) -> None:
    """IG-9.5, IG-16.15 Carry out what has an effect; edition 1 asks the player (E-02, E-03)."""
    if not has_effect(s, faction, power, region):
        return
    if s.terms.first and faction != s.terms.npc:
        s.agenda.append(UseAbility(s.terms.seat_of[faction], power, region))
    else:
        carry_out(s, faction, power, region)


@final
class UseAbility(Choice):
    """IG-17 E-02, E-03: under edition 1 abilities and events may be used or left."""

    RULE = "IG-17"

    def __init__(self, seat: int, power: int, region: int) -> None:
        super().__init__(seat)
        self.power: Final = power
        self.region: Final = region

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        return USE[self.power * 2 : self.power * 2 + 2]

    def resolve(self, s: State, seat: int, command: Command[State]) -> None:
        if isinstance(command, Invoke) and command.used:
            carry_out(s, s.terms.factions[seat], self.power, self.region)


@final
class Invoke(Command[State]):
    """IG-17 Use the ability or event, or do not."""

    RULE = "IG-17"

    def __init__(self, power: int, used: bool) -> None:
        self.power: Final = power
        self.used: Final = used

    def perform(self, s: State, seat: int) -> None:
        """The decision knows the region."""


def carry_out(s: State, faction: int, power: int, region: int) -> None:
    """IG-9.6 to IG-9.11 What an ability or event does, or who must choose its target."""
    seat = s.terms.seat_of[faction]
    if power == TORMENT:
        s.bank[NIGHTMARE_TOKEN] -= 1
        s.nightmares[region] += 1
        if s.journal is not None:
            s.journal.append(told.NightmareLaid("IG-9.9", region))
    elif power == PIPING:
        gain(s, "IG-9.7", faction, POPULATION, 1)
    elif power == BUILD_TOWER:
        build_tower(s, region)
    elif power == PILLAGE:
        if seat == NONE:
            _npc_pillages(s)
        else:
            s.agenda.append(PillageChoice(seat, region))
    elif power == ENCHANT:
        if seat == NONE:
            enchant(s, faction, human(s), region, not _has_free(s, human(s), region))
        else:
            s.agenda.append(EnchantTarget(seat, region))
    elif power >= len(POWERS) - 1:
        move_reserves(s, "IG-9.11", region, s.thorn, True)
    elif seat == NONE:
        recruit(s, human(s), region, not _has_free(s, human(s), region))
    else:
        s.agenda.append(RecruitTarget(seat, region))


def build_tower(s: State, region: int) -> None:
    """IG-9.11 b, IG-10.6 A tower from the supply is built; it counts for ever."""
    s.bank[TOWER] -= 1
    s.tower[region] = 1
    s.towers += 1
    if s.journal is not None:
        s.journal.append(told.TowerBuilt("IG-9.11", region))
    if s.towers >= s.box.goal[FREIHOFF]:
        fulfil(s, "IG-10.6", FREIHOFF)


def _has_free(s: State, faction: int, region: int) -> bool:
    """IG-16.15 The NPC takes a free marker if there is one."""
    place = faction * REGION_COUNT + region
    return s.influence[place] > s.controlled[place]


def has_marker(s: State, faction: int, region: int, controlled: bool) -> bool:
    """Return whether a player has a free, or a controlled, marker there."""
    if controlled:
        return s.controlled[faction * REGION_COUNT + region] > 0
    return _has_free(s, faction, region)


# ---------------------------------------------------------------- recruitment


@final
class RecruitTarget(Choice):
    """IG-9.6 Choose another player's marker in the region, free or controlled."""

    RULE = "IG-9.6"

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        return RECRUIT[:]


@final
class Recruit(Command[State]):
    """IG-9.6 The marker goes to the Ice Garden."""

    RULE = "IG-9.6"

    def __init__(self, faction: int, controlled: bool) -> None:
        self.faction: Final = faction
        self.controlled: Final = controlled

    def refuse(self, s: State, seat: int) -> Refusal | None:
        if has_marker(s, self.faction, s.resolving, self.controlled):
            return None
        return NO_SUCH_MARKER

    def perform(self, s: State, seat: int) -> None:
        recruit(s, self.faction, s.resolving, self.controlled)


def recruit(s: State, faction: int, region: int, controlled: bool) -> None:
    """IG-9.6, IG-10.3 A marker goes to the Ice Garden; six fulfil Fjollsfinn's goal."""
    capture(s, "IG-9.6", faction, region, controlled)
    taken = 0
    for count in s.ice_garden:
        taken += count
    if taken >= s.box.goal[FJOLLSFINN]:
        fulfil(s, "IG-10.3", FJOLLSFINN)


# ---------------------------------------------------------------- enchant


@final
class EnchantTarget(Choice):
    """IG-9.10 Choose another player's marker in the region, free or controlled."""

    RULE = "IG-9.10"

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        return ENCHANTMENTS[:]


@final
class EnchantMarker(Command[State]):
    """IG-9.10 The marker returns to its owner, a free marker of Callo's replaces it."""

    RULE = "IG-9.10"

    def __init__(self, faction: int, controlled: bool) -> None:
        self.faction: Final = faction
        self.controlled: Final = controlled

    def refuse(self, s: State, seat: int) -> Refusal | None:
        if has_marker(s, self.faction, s.resolving, self.controlled):
            return None
        return NO_SUCH_MARKER

    def perform(self, s: State, seat: int) -> None:
        enchant(s, CALLO, self.faction, s.resolving, self.controlled)


def enchant(s: State, faction: int, victim: int, region: int, controlled: bool) -> None:
    """IG-9.10 Replace a marker by a free one from Callo's supply."""
    return_chosen(s, "IG-9.10", victim, region, controlled)
    place_influence(s, "IG-9.10", faction, region)


# ---------------------------------------------------------------- pillage


@final
class PillageChoice(Choice):
    """IG-9.8 Choose a victim, a kind and, for M-factor, any level."""

    RULE = "IG-9.8"

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        if s.terms.npc != NONE:
            first = s.terms.npc * KIND_COUNT
            return SUPPLY_PILLAGE[first : first + KIND_COUNT]
        return PILLAGES[:]


@final
class PillageGood(Command[State]):
    """IG-9.8 Take one resource; M-factor goes to level 0. IG-16.14 from the NPC's: the supply."""

    RULE = "IG-9.8"

    def __init__(self, faction: int, kind: int, level: int) -> None:
        self.faction: Final = faction
        self.kind: Final = kind
        self.level: Final = level

    def refuse(self, s: State, seat: int) -> Refusal | None:
        if not is_victim(s, s.terms.factions[seat], self.faction, s.resolving):
            return NO_VICTIM
        if self.faction == s.terms.npc:
            return SUPPLY_EMPTY if s.bank[self.kind] == 0 else None
        place = self.faction * STOCK + self.kind
        if self.kind == M_FACTOR:
            place += self.level
        return CANNOT_PAY if s.stock[place] == 0 else None

    def perform(self, s: State, seat: int) -> None:
        faction = s.terms.factions[seat]
        if self.faction == s.terms.npc:
            gain(s, "IG-16.14", faction, self.kind, 1)
        else:
            plunder(s, "IG-9.8", faction, self.faction, self.kind, self.level)


def _npc_pillages(s: State) -> None:
    """IG-16.14 The die says the kind, again if the human has none; it goes to the supply."""
    victim = human(s)
    while True:
        kind = s.box.npc_pillage[roll(s)]
        if stock_of(s, victim, kind) > 0:
            break
    if kind == M_FACTOR:
        spend_factor(s, "IG-16.14", victim, highest_level(s, victim), 1)
    else:
        spend(s, "IG-16.14", victim, kind, 1)


USE: Final[list[Command[State]]] = [
    Invoke(power, used) for power in range(len(POWERS)) for used in (True, False)
]
RECRUIT: Final[list[Command[State]]] = [
    Recruit(faction, controlled)
    for faction in range(FACTION_COUNT)
    if faction != FJOLLSFINN
    for controlled in (False, True)
]
ENCHANTMENTS: Final[list[Command[State]]] = [
    EnchantMarker(faction, controlled)
    for faction in range(FACTION_COUNT)
    if faction != CALLO
    for controlled in (False, True)
]
SUPPLY_PILLAGE: Final[list[Command[State]]] = [
    PillageGood(faction, kind, NONE)
    for faction in range(FACTION_COUNT)
    for kind in range(KIND_COUNT)
]
PILLAGES: Final[list[Command[State]]] = [
    PillageGood(faction, kind, level)
    for faction in range(FACTION_COUNT)
    if faction != FREIHOFF
    for kind in range(KIND_COUNT)
    for level in (range(LEVELS) if kind == M_FACTOR else (NONE,))
]
