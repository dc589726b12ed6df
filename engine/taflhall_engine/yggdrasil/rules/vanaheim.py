"""YG-7.9 Vanaheim: advance the Vanir, or use a space of its track up to where it stands."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import (
    lay_aside_giant,
    move_enemy,
    move_valkyries,
    move_vanir,
    shuffle_giants,
    take_vikings,
)
from taflhall_engine.yggdrasil.ids import (
    DISCARD_GIANT,
    ENEMY_COUNT,
    GIANT_COUNT,
    ISLAND_COUNT,
    MOVE_VALKYRIES,
    PUSH_ENEMY,
    TAKE_VIKINGS,
    VANAHEIM,
)
from taflhall_engine.yggdrasil.rules.base import Action
from taflhall_engine.yggdrasil.rules.giants import count_rune
from taflhall_engine.yggdrasil.rules.midgard import refuse_move
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.rules.vanir import not_reached, use_space
from taflhall_engine.yggdrasil.table import YggdrasilTable

VANIR_AT_END: Final = Refusal("YG-7.9a", "vanir_at_end")


@final
class VanirAdvance(Action):
    """YG-7.9a The Vanir moves one space forward."""

    RULE = "YG-7.9a"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, VANAHEIM)
        if reason is not None:
            return reason
        return VANIR_AT_END if s.vanir >= s.components.vanir_spaces else None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_world(s, VANAHEIM)
        move_vanir(s, self.RULE, s.vanir + 1)


@final
class VanirMoveValkyries(Action):
    """YG-7.9c The Valkyries move to *move_to* without a search."""

    RULE = "YG-7.9c"

    def __init__(self, move_to: int) -> None:
        self.move_to: Final = move_to

    def malformed(self) -> bool:
        return self.move_to < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = not_reached(s, MOVE_VALKYRIES)
        return reason if reason is not None else refuse_move(s, self.move_to)

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_space(s)
        move_valkyries(s, self.RULE, self.move_to)


NO_VIKINGS: Final = Refusal("YG-7.9d", "no_effect")


@final
class VanirTakeVikings(Action):
    """YG-7.9d Take two Vikings from Helheim, or the last one."""

    RULE = "YG-7.9d"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = not_reached(s, TAKE_VIKINGS)
        if reason is not None:
            return reason
        return None if s.helheim else NO_VIKINGS

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_space(s)
        take_vikings(s, self.RULE, seat, min(s.components.vanir_vikings, s.helheim))


CANNOT_PUSH: Final = Refusal("YG-7.9f", "invalid_target")


@final
class VanirPushEnemy(Action):
    """YG-7.9f *enemy* moves one space back, without a battle."""

    RULE = "YG-7.9f"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = not_reached(s, PUSH_ENEMY)
        if reason is not None:
            return reason
        if self.enemy >= ENEMY_COUNT or s.enemies[self.enemy] <= s.components.start_space:
            return CANNOT_PUSH
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_space(s)
        move_enemy(s, self.RULE, self.enemy, -1)


CANNOT_DISCARD: Final = Refusal("YG-7.9g", "invalid_target")


@final
class VanirDiscardGiant(Action):
    """YG-7.9g Any giant, active or in the deck, is defeated without a fight.

    Then the giant deck is shuffled; a rune that is complete works after that (YG-16.35).
    """

    RULE = "YG-7.9g"

    def __init__(self, giant: int) -> None:
        self.giant: Final = giant

    def malformed(self) -> bool:
        return self.giant < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = not_reached(s, DISCARD_GIANT)
        if reason is not None:
            return reason
        there = self.giant in s.giants_active or self.giant in s.giant_deck
        return None if there else CANNOT_DISCARD

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_space(s)
        lay_aside_giant(s, self.RULE, self.giant)
        shuffle_giants(s, self.RULE)
        count_rune(s, seat, self.giant)


VANIR_ADVANCE: Final = VanirAdvance()
VANIR_MOVES: Final = [VanirMoveValkyries(island) for island in range(ISLAND_COUNT)]
VANIR_VIKINGS: Final = VanirTakeVikings()
VANIR_PUSHES: Final = [VanirPushEnemy(enemy) for enemy in range(ENEMY_COUNT)]
VANIR_DISCARDS: Final = [VanirDiscardGiant(giant) for giant in range(GIANT_COUNT)]
