"""YG-7.1 to YG-7.8 The actions of the worlds that take one step."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import (
    clean_bag,
    fill_bag,
    forge_weapon,
    take_elf,
)
from taflhall_engine.yggdrasil.ids import (
    ALFHEIM,
    ASGARD,
    ENEMY_COUNT,
    FIRST_GIANT,
    GIANT_COUNT,
    HELHEIM,
    HIDDEN,
    ISLAND_COUNT,
    JOTUNHEIM,
    MUSPELLHEIM,
    NIDAVELLIR,
    WEAPON_LEVELS,
)
from taflhall_engine.yggdrasil.rules.base import Action
from taflhall_engine.yggdrasil.rules.battle import BattleVikings
from taflhall_engine.yggdrasil.rules.midgard import has_tokens
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

NO_BATTLE: Final = Refusal("YG-7.1", "invalid_target")


@final
class Asgard(Action):
    """YG-7.1 Fight *enemy*, which stands on space 2 or beyond. The Vikings are asked next."""

    RULE = "YG-7.1"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, ASGARD)
        if reason is not None:
            return reason
        if self.enemy >= ENEMY_COUNT or s.enemies[self.enemy] <= s.components.start_space:
            return NO_BATTLE
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, self.enemy))


# ---------------------------------------------------------------- Nidavellir, Alfheim

NO_WEAPON: Final = Refusal("YG-7.3", "invalid_target")
WEAPON_AT_MAXIMUM: Final = Refusal("YG-7.3", "weapon_at_maximum")
WEAPON_UNAVAILABLE: Final = Refusal("YG-7.3", "weapon_unavailable")


@final
class Nidavellir(Action):
    """YG-7.3 Take the first weapon against *enemy*, or exchange it for the next level."""

    RULE = "YG-7.3"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, NIDAVELLIR)
        if reason is not None:
            return reason
        if self.enemy >= ENEMY_COUNT:
            return NO_WEAPON
        level = s.weapons[seat * ENEMY_COUNT + self.enemy]
        if level >= WEAPON_LEVELS:
            return WEAPON_AT_MAXIMUM
        if not s.forge >> (self.enemy * WEAPON_LEVELS + level) & 1:
            return WEAPON_UNAVAILABLE
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, NIDAVELLIR)
        forge_weapon(s, self.RULE, seat, self.enemy)


NO_ELF: Final = Refusal("YG-7.4", "no_elf_available")


@final
class Alfheim(Action):
    """YG-7.4 Take an elf."""

    RULE = "YG-7.4"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, ALFHEIM)
        if reason is not None:
            return reason
        return None if s.alfheim else NO_ELF

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, ALFHEIM)
        take_elf(s, self.RULE, seat)


# ---------------------------------------------------------------- Helheim, Muspellheim

NO_BAG: Final = Refusal("YG-7.6", "invalid_target")
HELHEIM_EMPTY: Final = Refusal("YG-7.6", "no_effect")
NOTHING_TO_CLEAN: Final = Refusal("YG-7.7", "invalid_target")
BAG_CLEAN: Final = Refusal("YG-7.7", "bag_empty")


@final
class Helheim(Action):
    """YG-7.6 Put five Vikings from Helheim into the bag of *island*, or all if there are fewer."""

    RULE = "YG-7.6"

    def __init__(self, island: int) -> None:
        self.island: Final = island

    def malformed(self) -> bool:
        return self.island < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, HELHEIM)
        if reason is not None:
            return reason
        if self.island not in s.components.coloured:
            return NO_BAG
        return None if s.helheim else HELHEIM_EMPTY

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, HELHEIM)
        fill_bag(s, self.RULE, self.island, min(s.components.helheim_vikings, s.helheim))


@final
class Muspellheim(Action):
    """YG-7.7 Draw five tokens from the bag of *island*: fire giants leave it, Vikings return."""

    RULE = "YG-7.7"

    def __init__(self, island: int) -> None:
        self.island: Final = island

    def malformed(self) -> bool:
        return self.island < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, MUSPELLHEIM)
        if reason is not None:
            return reason
        if self.island not in s.components.coloured:
            return NOTHING_TO_CLEAN
        return None if has_tokens(s, self.island) else BAG_CLEAN

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, MUSPELLHEIM)
        clean_bag(s, self.RULE, seat, self.island, s.components.muspellheim_tokens)


# ---------------------------------------------------------------- Jotunheim

NOT_ACTIVE: Final = Refusal("YG-7.8", "invalid_target")
NO_HIDDEN: Final = Refusal("YG-7.8", "invalid_target")


@final
class Jotunheim(Action):
    """YG-7.8 Fight the active *giant*. The Vikings are asked next."""

    RULE = "YG-7.8"

    def __init__(self, giant: int) -> None:
        self.giant: Final = giant

    def malformed(self) -> bool:
        return self.giant < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, JOTUNHEIM)
        if reason is not None:
            return reason
        return None if self.giant in s.giants_active else NOT_ACTIVE

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, FIRST_GIANT + self.giant))


@final
class JotunheimHidden(Action):
    """YG-7.8 Fight the top giant of the deck, face down as it is."""

    RULE = "YG-7.8"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, JOTUNHEIM)
        if reason is not None:
            return reason
        return None if s.giant_deck else NO_HIDDEN

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(BattleVikings(seat, HIDDEN))


ASGARDS: Final = [Asgard(enemy) for enemy in range(ENEMY_COUNT)]
NIDAVELLIRS: Final = [Nidavellir(enemy) for enemy in range(ENEMY_COUNT)]
ALFHEIM_ACTION: Final = Alfheim()
HELHEIMS: Final = [Helheim(island) for island in range(ISLAND_COUNT)]
MUSPELLHEIMS: Final = [Muspellheim(island) for island in range(ISLAND_COUNT)]
JOTUNHEIMS: Final = [Jotunheim(giant) for giant in range(GIANT_COUNT)]
JOTUNHEIM_HIDDEN: Final = JotunheimHidden()
