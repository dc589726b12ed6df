"""YG-7.9 Vanaheim: advance the Vanir, or use a space of its track up to where it stands."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.yggdrasil.effects import (
    lay_aside_giant,
    move_enemy,
    move_valkyries,
    move_vanir,
    reorder_cards,
    show_cards,
    shuffle_giants,
    take_vikings,
)
from taflhall_engine.yggdrasil.ids import (
    DISCARD_GIANT,
    ENEMY_COUNT,
    GIANT_COUNT,
    ISLAND_COUNT,
    MOVE_VALKYRIES,
    PEEK_DECK,
    PUSH_ENEMY,
    TAKE_VIKINGS,
    VANAHEIM,
)
from taflhall_engine.yggdrasil.rules.answers import Action, Answer, Ask
from taflhall_engine.yggdrasil.rules.giants import count_rune
from taflhall_engine.yggdrasil.rules.midgard import refuse_move
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

VANIR_AT_END: Final = Refusal("YG-7.9a", "vanir_at_end")
EFFECT_NOT_REACHED: Final = Refusal("YG-7.9b", "effect_not_reached")


def not_reached(s: YggdrasilTable, effect: int) -> Refusal | None:
    """YG-7.9b Return why the space of *effect* cannot be used."""
    reason = barred(s, VANAHEIM)
    if reason is not None:
        return reason
    return EFFECT_NOT_REACHED if s.components.effect_space[effect] > s.vanir else None


def use_space(s: YggdrasilTable) -> None:
    """YG-7.9b The action counts and the Vanir returns to the start of its track."""
    use_world(s, VANAHEIM)
    move_vanir(s, "YG-7.9b", s.components.vanir_start)


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


DECK_EMPTY: Final = Refusal("YG-7.9e", "no_effect")


@final
class VanirPeek(Action):
    """YG-7.9e Look at the top six enemy cards and put them back in any order."""

    RULE = "YG-7.9e"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = not_reached(s, PEEK_DECK)
        if reason is not None:
            return reason
        return None if s.deck else DECK_EMPTY

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_space(s)
        count = min(s.components.peek_cards, len(s.deck))
        show_cards(s, self.RULE, seat, count)
        if count > 1:
            s.agenda.append(PeekReorder(seat, s.deck[: -count - 1 : -1], []))


INVALID_ORDER: Final = Refusal("YG-7.9e", "invalid_order")


@final
class PutNext(Answer):
    """YG-7.9e The shown card *index*, counted from the old top, comes next from the new top."""

    RULE = "YG-7.9e"

    def __init__(self, index: int) -> None:
        self.index: Final = index

    def malformed(self) -> bool:
        return self.index < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


@final
class PeekReorder(Ask):
    """YG-7.9e Which of the shown *cards* comes next; *order* are the indexes placed so far.

    Nothing moves before the last card is placed.
    """

    RULE = "YG-7.9e"

    def __init__(self, seat: int, cards: list[int], order: list[int]) -> None:
        super().__init__(seat)
        self.cards: Final = cards
        self.order: Final = order

    def fits(self, command: Answer) -> bool:
        return isinstance(command, PutNext)

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        return INVALID_ORDER

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        found: list[Command[YggdrasilTable]] = []
        for index in range(len(self.cards)):
            if index not in self.order:
                found.append(PUT_NEXT[index])
        return found

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, PutNext)
        order = [*self.order, command.index]
        if len(order) < len(self.cards):
            s.agenda.append(PeekReorder(self.seat, self.cards, order))
            return
        reorder_cards(s, self.RULE, seat, [self.cards[index] for index in order])


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
VANIR_PEEK: Final = VanirPeek()
VANIR_PUSHES: Final = [VanirPushEnemy(enemy) for enemy in range(ENEMY_COUNT)]
VANIR_DISCARDS: Final = [VanirDiscardGiant(giant) for giant in range(GIANT_COUNT)]
PUT_NEXT: Final = [PutNext(index) for index in range(42)]
