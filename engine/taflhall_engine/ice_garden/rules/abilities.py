"""IG-9.5, IG-9.11 Step 2, special abilities, and step 3, events."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import (
    fulfil,
    gain,
    move_reserves,
)
from taflhall_engine.ice_garden.ids import (
    BUILD_TOWER,
    ENCHANT,
    FREIHOFF,
    MOVE_RESERVES,
    NIGHTMARE_TOKEN,
    NONE,
    PILLAGE,
    PIPING,
    POPULATION,
    POWERS,
    TORMENT,
    TOWER,
)
from taflhall_engine.ice_garden.influence import has_free, human
from taflhall_engine.ice_garden.rules.base import Choice
from taflhall_engine.ice_garden.rules.locking import lock
from taflhall_engine.ice_garden.rules.powers import can_lock, event_of, has_effect
from taflhall_engine.ice_garden.rules.prey import (
    EnchantTarget,
    PillageChoice,
    RecruitTarget,
    enchant,
    npc_pillages,
    recruit,
)
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Step
from taflhall_engine.kernel.shared_lists import replaced


@final
class Power(Step[IceGardenTable]):
    """IG-9.5 The dominator's ability: mandatory if it can do anything (edition 1: optional)."""

    RULE = "IG-9.5"

    def __init__(self, faction: int, power: int, region: int) -> None:
        self.faction: Final = faction
        self.power: Final = power
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        offer(s, self.faction, self.power, self.region)


@final
class Events(Step[IceGardenTable]):
    """IG-9.11 After the abilities: locking, a tower, the moving of reserves."""

    RULE = "IG-9.11"

    def __init__(self, faction: int, region: int) -> None:
        self.faction: Final = faction
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        if can_lock(s, self.faction, self.region):
            lock(s, self.region)
            return
        event = event_of(s, self.faction, self.region)
        if event != NONE:
            offer(s, self.faction, event, self.region)


def offer(s: IceGardenTable, faction: int, power: int, region: int) -> None:
    """IG-9.5, IG-16.15 Carry out what has an effect; edition 1 asks the player (E-02, E-03)."""
    if not has_effect(s, faction, power, region):
        return
    if s.options.first_edition and faction != s.options.npc:
        s.agenda.append(UseAbility(s.options.seat_of[faction], power, region))
    else:
        carry_out(s, faction, power, region)


@final
class Invoke(Command[IceGardenTable]):
    """IG-17 Use the ability or event, or do not."""

    RULE = "IG-17"

    def __init__(self, power: int, used: bool) -> None:
        self.power: Final = power
        self.used: Final = used

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """The decision knows the region."""


@final
class UseAbility(Choice):
    """IG-17 E-02, E-03: under edition 1 abilities and events may be used or left."""

    RULE = "IG-17"
    answers_with = (Invoke,)

    def __init__(self, seat: int, power: int, region: int) -> None:
        super().__init__(seat)
        self.power: Final = power
        self.region: Final = region

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return USE[self.power * 2 : self.power * 2 + 2]

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        if isinstance(command, Invoke) and command.used:
            carry_out(s, s.options.factions[seat], self.power, self.region)


def carry_out(s: IceGardenTable, faction: int, power: int, region: int) -> None:
    """IG-9.6 to IG-9.11 What an ability or event does, or who must choose its target."""
    seat = s.options.seat_of[faction]
    if power == TORMENT:
        s.bank[NIGHTMARE_TOKEN] -= 1
        s.nightmares[region] += 1
        if s.journal is not None:
            s.journal.append(events.NightmareLaid("IG-9.9", region))
    elif power == PIPING:
        gain(s, "IG-9.7", faction, POPULATION, 1)
    elif power == BUILD_TOWER:
        build_tower(s, region)
    elif power == PILLAGE:
        if seat == NONE:
            npc_pillages(s)
        else:
            s.agenda.append(PillageChoice(seat, region))
    elif power == ENCHANT:
        if seat == NONE:
            enchant(s, faction, human(s), region, not has_free(s, human(s), region))
        else:
            s.agenda.append(EnchantTarget(seat, region))
    elif power == MOVE_RESERVES:
        move_reserves(s, "IG-9.11", region, s.thorn, True)
    elif seat == NONE:
        recruit(s, human(s), region, not has_free(s, human(s), region))
    else:
        s.agenda.append(RecruitTarget(seat, region))


def build_tower(s: IceGardenTable, region: int) -> None:
    """IG-9.11 b, IG-10.6 A tower from the supply is built; it counts permanently."""
    s.bank[TOWER] -= 1
    s.tower = replaced(s.tower, region, 1)
    s.towers += 1
    if s.journal is not None:
        s.journal.append(events.TowerBuilt("IG-9.11", region))
    if s.towers >= s.components.goal[FREIHOFF]:
        fulfil(s, "IG-10.6", FREIHOFF)


USE: Final[list[Command[IceGardenTable]]] = [
    Invoke(power, used) for power in range(len(POWERS)) for used in (True, False)
]
