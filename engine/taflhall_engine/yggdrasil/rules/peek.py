"""YG-7.9e The Vanir's look at the top of the enemy deck, and the new order of the cards."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.yggdrasil.effects import reorder_cards, show_cards
from taflhall_engine.yggdrasil.ids import CARD_KINDS, PEEK_DECK
from taflhall_engine.yggdrasil.rules.base import Action, FurtherStep, YggdrasilDecision
from taflhall_engine.yggdrasil.rules.vanir import not_reached, use_space
from taflhall_engine.yggdrasil.table import YggdrasilTable

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
    """YG-7.9e Continue with the next card; when only equal ones are left, the order is complete."""
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


VANIR_PEEK: Final = VanirPeek()
PUT_NEXT: Final = [PutNext(card) for card in range(CARD_KINDS)]
