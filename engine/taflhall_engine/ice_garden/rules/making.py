"""IG-6.17 to IG-6.30 Field 5: Making. Moving M-factor, upgrades, the menu."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import lay_upgrade, lose_reputation, shift_factor, spend
from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    KIND_COUNT,
    LEVELS,
    M_FACTOR,
    NONE,
    STOCK,
    UNIT_COUNT,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.influence import affordable, stock_of
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.base import CANNOT_PAY, SUPPLY_EMPTY, Choice
from taflhall_engine.ice_garden.rules.ending import fall_snow
from taflhall_engine.ice_garden.rules.sheet import has_free_slot, may_carry
from taflhall_engine.ice_garden.rules.summoning import SummonChoice, can_summon
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal

NO_FACTOR: Final = Refusal("IG-6.19", "no_factor")
NO_UPGRADE: Final = Refusal("IG-6.21", "no_upgrade")
NO_SUMMONING: Final = Refusal("IG-6.23", "no_summoning")
NO_REPLACING: Final = Refusal("E-13", "no_replacing")
SHEET_FULL: Final = Refusal("IG-6.21", "sheet_full")
NOT_FULL: Final = Refusal("IG-6.21", "not_full")
NOT_BOUGHT: Final = Refusal("IG-6.21", "not_bought")
DUPLICATE: Final = Refusal("IG-6.22", "duplicate")

MOVED: Final = 1
UPGRADED: Final = 2
SUMMONED: Final = 4
"""IG-6.17 Sub-actions already used, as bits."""


def pay_making(s: IceGardenTable, faction: int, reputation: int) -> bool:
    """IG-6.18 The cost as one step; IG-12.2 return whether the match continues."""
    lose_reputation(s, "IG-6.18", faction, reputation)
    return fall_snow(s, "IG-6.18", s.components.making_snow, faction)


# ---------------------------------------------------------------- move_m


@final
class MoveFactor(Command[IceGardenTable]):
    """IG-6.19 Snow 1, reputation 1; then up to 5 points, at least 1."""

    RULE = "IG-6.19"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return NO_FACTOR if stock_of(s, s.options.factions[seat], M_FACTOR) == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        if pay_making(s, s.options.factions[seat], s.components.move_m_reputation):
            s.agenda.append(MStep(seat, s.components.move_m_points, True))


@final
class ShiftFactor(Command[IceGardenTable]):
    """IG-6.19 Move one M-factor to a neighbouring level."""

    RULE = "IG-6.19"

    def __init__(self, level: int, to_level: int) -> None:
        self.level: Final = level
        self.to_level: Final = to_level

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        place = s.options.factions[seat] * STOCK + M_FACTOR + self.level
        return NO_FACTOR if s.stock[place] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        shift_factor(s, "IG-6.19", s.options.factions[seat], self.level, self.to_level)


@final
class MStep(Choice):
    """IG-6.19 Each point moves one own M-factor one level up or down."""

    RULE = "IG-6.19"
    answers_with = (ShiftFactor, Done)

    def __init__(self, seat: int, left: int, first: bool) -> None:
        super().__init__(seat)
        self.left: Final = left
        self.first: Final = first

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return SHIFTS[: len(SHIFTS) - 1] if self.first else SHIFTS

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if self.left > 1 and not isinstance(command, Done):
            s.agenda.append(MStep(seat, self.left - 1, False))


# ---------------------------------------------------------------- upgrade


@final
class BuyUpgrade(Command[IceGardenTable]):
    """IG-6.20 Continue by choosing an upgrade; it is paid when chosen."""

    RULE = "IG-6.20"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return None if legal_upgrades(s, seat) else NO_UPGRADE

    def perform(self, s: IceGardenTable, seat: int) -> None:
        s.agenda.append(UpgradeChoice(seat))


@final
class Upgrade(Command[IceGardenTable]):
    """IG-6.18, IG-6.20 Snow 1, reputation 1, the price; the marker goes on the sheet."""

    RULE = "IG-6.18"

    def __init__(self, unit: int, ability: int, replaced: int) -> None:
        self.unit: Final = unit
        self.ability: Final = ability
        self.replaced: Final = replaced

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        reason = symbol_refusal(s, s.options.factions[seat], self.unit, self.ability)
        if reason is not None:
            return reason
        if self.replaced == NONE:
            if not has_free_slot(s, self.unit):
                return SHEET_FULL
        elif s.options.first_edition:
            return NO_REPLACING
        elif has_free_slot(s, self.unit):
            return NOT_FULL
        elif s.upgrades[self.unit * ABILITY_COUNT + self.replaced] == 0:
            return NOT_BOUGHT
        return None if may_carry(s, self.unit, self.ability) else DUPLICATE

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        price = (self.unit * ABILITY_COUNT + self.ability) * KIND_COUNT
        for kind in range(KIND_COUNT):
            spend(s, "IG-6.18", faction, kind, s.components.price[price + kind])
        if pay_making(s, faction, s.components.upgrade_reputation):
            lay_upgrade(s, "IG-6.20", self.unit, self.ability, self.replaced)


@final
class UpgradeChoice(Choice):
    """IG-6.20 Choose a unit type, a symbol and, on a full sheet, the marker it replaces."""

    RULE = "IG-6.20"
    answers_with = (Upgrade,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        faction = s.options.factions[seat]
        return [
            upgrade
            for unit in range(faction * UNITS_EACH, (faction + 1) * UNITS_EACH)
            for ability in range(ABILITY_COUNT)
            for upgrade in UPGRADES[unit][ability]
        ]

    def options(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return legal_upgrades(s, seat)


def symbol_refusal(s: IceGardenTable, faction: int, unit: int, ability: int) -> Refusal | None:
    """IG-6.18 Return why *faction* cannot buy such a symbol for *unit*: the supply or the price."""
    if s.upgrade_bank[ability] == 0:
        return SUPPLY_EMPTY
    price = (unit * ABILITY_COUNT + ability) * KIND_COUNT
    for kind in range(KIND_COUNT):
        if not affordable(s, faction, kind, s.components.price[price + kind]):
            return CANNOT_PAY
    return None


def legal_upgrades(s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
    """IG-6.20 Return the upgrades that nothing refuses; each symbol's price is looked at once."""
    faction = s.options.factions[seat]
    return [
        upgrade
        for unit in range(faction * UNITS_EACH, (faction + 1) * UNITS_EACH)
        for ability in range(ABILITY_COUNT)
        if symbol_refusal(s, faction, unit, ability) is None
        for upgrade in UPGRADES[unit][ability]
        if upgrade.refuse(s, seat) is None
    ]


# ---------------------------------------------------------------- summon


@final
class BeginSummon(Command[IceGardenTable]):
    """IG-6.23 Continue by choosing a unit to summon; it is paid when chosen."""

    RULE = "IG-6.23"

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return None if can_summon(s, s.options.factions[seat]) else NO_SUMMONING

    def perform(self, s: IceGardenTable, seat: int) -> None:
        s.agenda.append(SummonChoice(seat))


# ---------------------------------------------------------------- the menu


@final
class MakingMenu(Choice):
    """IG-6.17 Each of three sub-actions at most once, in any order; IG-6.28 or none."""

    RULE = "IG-6.17"
    answers_with = (MoveFactor, BuyUpgrade, BeginSummon, Done)

    def __init__(self, seat: int, used: int) -> None:
        super().__init__(seat)
        self.used: Final = used

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return MENUS[self.used]

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        if isinstance(command, Done):
            return
        if isinstance(command, MoveFactor):
            used = MOVED
        elif isinstance(command, BuyUpgrade):
            used = UPGRADED
        else:
            used = SUMMONED
        s.agenda.append(MakingMenu(seat, self.used | used))
        command.perform(s, seat)


SUB_ACTIONS: Final[list[Command[IceGardenTable]]] = [MoveFactor(), BuyUpgrade(), BeginSummon()]
MENUS: Final[list[list[Command[IceGardenTable]]]] = [
    [*[SUB_ACTIONS[n] for n in range(3) if not used >> n & 1], DONE] for used in range(8)
]
SHIFTS: Final[list[Command[IceGardenTable]]] = [
    ShiftFactor(level, to)
    for level in range(LEVELS)
    for to in (level + 1, level - 1)
    if 0 <= to < LEVELS
]
SHIFTS.append(DONE)
UPGRADES: Final = [
    [
        [
            Upgrade(unit, ability, replaced)
            for replaced in (NONE, *[a for a in range(ABILITY_COUNT) if a != ability])
        ]
        for ability in range(ABILITY_COUNT)
    ]
    for unit in range(UNIT_COUNT)
]
"""By unit type and ability."""
