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
    CARD_KINDS,
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
from taflhall_engine.yggdrasil.rules.base import (
    Action,
    FurtherStep,
    YggdrasilDecision,
)
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
        cards = s.deck[: -count - 1 : -1]
        if differ(cards):
            s.agenda.append(PeekReorder(seat, cards))


def differ(cards: list[int]) -> bool:
    """YG-3.5 Return whether *cards* can be laid in more than one order."""
    return cards.count(cards[0]) < len(cards)


INVALID_ORDER: Final = Refusal("YG-7.9e", "invalid_order")


@final
class PutNext(Command[YggdrasilTable]):
    """YG-7.9e The next card from the top is *card*."""

    RULE = "YG-7.9e"

    def __init__(self, card: int) -> None:
        self.card: Final = card

    def malformed(self) -> bool:
        return self.card < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


def put_next(cards: list[int]) -> list[Command[YggdrasilTable]]:
    """YG-3.5 Return one answer for each kind of card among *cards*."""
    found: list[Command[YggdrasilTable]] = []
    for place in range(len(cards)):
        if cards[place] not in cards[:place]:
            found.append(PUT_NEXT[cards[place]])
    return found


def place_card(
    s: YggdrasilTable, seat: int, cards: list[int], placed: list[int], card: int
) -> None:
    """YG-7.9e Go on to the next card; when only equal ones are left, all lie in the new order."""
    left = cards[:]
    left.remove(card)
    order = [*placed, card]
    if differ(left):
        s.agenda.append(PeekFurther(seat, left, order))
    else:
        reorder_cards(s, PeekReorder.RULE, seat, order + left)


@final
class PeekReorder(YggdrasilDecision):
    """YG-7.9e Which of the *cards* shown, here from the old top, is the new top one.

    Nothing moves before the last card is placed.
    """

    RULE = "YG-7.9e"
    answers_with = (PutNext,)
    UNAVAILABLE = INVALID_ORDER

    def __init__(self, seat: int, cards: list[int]) -> None:
        super().__init__(seat)
        self.cards: Final = cards

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return put_next(self.cards)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, PutNext)
        place_card(s, seat, self.cards, [], command.card)


@final
class PeekFurther(FurtherStep):
    """YG-7.9e Which of the *cards* that are left comes next, below those *placed* so far."""

    RULE = "YG-7.9e"
    answers_with = (PutNext,)
    UNAVAILABLE = INVALID_ORDER

    def __init__(self, seat: int, cards: list[int], placed: list[int]) -> None:
        super().__init__(seat)
        self.cards: Final = cards
        self.placed: Final = placed

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return put_next(self.cards)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, PutNext)
        place_card(s, seat, self.cards, self.placed, command.card)


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
PUT_NEXT: Final = [PutNext(card) for card in range(CARD_KINDS)]
