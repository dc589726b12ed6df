"""YG-3, YG-4, YG-11 A turn: one enemy card, the actions, the check at the end."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Step, schedule
from taflhall_engine.yggdrasil.effects import (
    anger_fenrir,
    discard_card,
    draw_card,
    move_enemy,
    put_under,
    show_cards,
)
from taflhall_engine.yggdrasil.events import DrawSkipped, MatchEnded, TurnEnded, TurnStarted
from taflhall_engine.yggdrasil.ids import (
    DEFEAT,
    FENRIR,
    GATE,
    GOD_COUNT,
    ODIN,
    RAGNAROK,
    RESIDENCE,
    VICTORY,
    WALL,
)
from taflhall_engine.yggdrasil.rules.actions import ACTIONS
from taflhall_engine.yggdrasil.rules.base import YggdrasilDecision, has_power
from taflhall_engine.yggdrasil.rules.powers import POWERS
from taflhall_engine.yggdrasil.table import YggdrasilTable


@final
class Turn(Step[YggdrasilTable]):
    """YG-3.5 A god's turn: the enemy card, the actions, the check at the end."""

    RULE = "YG-3.5"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        s.turn += 1
        s.active = self.seat
        s.actions_used = 0
        s.used = 0
        s.used_twice = 0
        if s.journal is not None:
            s.journal.append(TurnStarted(self.RULE, self.seat, s.turn))
        schedule(s, [DRAWS[self.seat], ACTIONS[self.seat], END_OF_TURN[self.seat]])


@final
class Draw(Step[YggdrasilTable]):
    """YG-4.1 The top card is drawn and resolved. YG-3.3 A turn under Daeg has no card.

    YG-10.1 Odin is asked first, while he has his power and there are two cards. YG-3.5 He is
    not, if all cards of the deck are known and equal: whatever he draws, the same one resolves.
    """

    RULE = "YG-4.1"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        if s.daeg:
            s.daeg -= 1
            if s.journal is not None:
                s.journal.append(DrawSkipped("YG-3.3", self.seat, s.daeg))
        elif (
            has_power(s, self.seat, ODIN)
            and len(s.deck) >= s.components.odin_cards
            and not all_known_and_equal(s)
        ):
            s.agenda.append(OdinDraw(self.seat))
        else:
            resolve_card(s, self.seat, draw_card(s, self.RULE, self.seat))


def all_known_and_equal(s: YggdrasilTable) -> bool:
    """YG-13.7 Return whether everybody has seen that the enemy deck holds one kind of card only."""
    size = len(s.deck)
    return s.known == (1 << size) - 1 and s.deck.count(s.deck[0]) == size


# ---------------------------------------------------------------- Odin


@final
class DrawCards(Command[YggdrasilTable]):
    """YG-10.1 Draw one enemy card, or two to choose from."""

    RULE = "YG-10.1"

    def __init__(self, count: int) -> None:
        self.count: Final = count

    def malformed(self) -> bool:
        return self.count < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        if self.count == 1:
            resolve_card(s, seat, draw_card(s, "YG-4.1", seat))
            return
        show_cards(s, self.RULE, seat, s.components.odin_cards)
        s.agenda.append(OdinChoice(seat, s.deck[-1], s.deck[-2]))


DRAW_CARDS: Final = [DrawCards(1), DrawCards(2)]


@final
class OdinDraw(YggdrasilDecision):
    """YG-10.1, YG-16.33 Odin may draw two cards instead of one; he has seen neither."""

    RULE = "YG-10.1"
    answers_with = (DrawCards,)

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return [DRAW_CARDS[0], DRAW_CARDS[1]]


@final
class ChooseCard(Command[YggdrasilTable]):
    """YG-4.2 The first (0) or the second (1) card resolves, the other goes under the deck."""

    RULE = "YG-4.2"

    def __init__(self, index: int) -> None:
        self.index: Final = index

    def malformed(self) -> bool:
        return self.index < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        put_under(s, self.RULE, 1 - self.index)
        resolve_card(s, seat, draw_card(s, self.RULE, seat))


CHOOSE_CARD: Final = [ChooseCard(0), ChooseCard(1)]


@final
class OdinChoice(YggdrasilDecision):
    """YG-4.2 Odin has drawn two cards and picks the one that resolves.

    YG-3.5 Two equal cards are no choice: he is not asked.
    """

    RULE = "YG-4.2"
    answers_with = (ChooseCard,)

    def __init__(self, seat: int, first_card: int, second_card: int) -> None:
        super().__init__(seat)
        self.first_card: Final = first_card
        self.second_card: Final = second_card

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        if self.first_card == self.second_card:
            return [CHOOSE_CARD[0]]
        return [CHOOSE_CARD[0], CHOOSE_CARD[1]]


# ---------------------------------------------------------------- the card


def resolve_card(s: YggdrasilTable, seat: int, card: int) -> None:
    """YG-4.3 to YG-4.8 The card's enemies advance, then its power works and it is discarded.

    YG-4.5 A Ragnarok card has no power; YG-4.6 nor has an enemy in Odin's residence.
    YG-5.6 Fenrir gets angry and his card stays, unless he is angry already (YG-5.9).
    """
    enemies = s.components.card_enemies[card]
    for enemy in enemies:
        move_enemy(s, RULES[card], enemy, s.components.card_steps[card])
    enemy = enemies[0]
    if card >= RAGNAROK or s.enemies[enemy] == s.components.residence:
        discard_card(s, "YG-4.8", card)
    elif enemy != FENRIR:
        s.agenda.append(PUT_AWAY[card])
        s.agenda.append(POWERS[enemy][seat])
    elif s.fenrir_card < 0:
        anger_fenrir(s, "YG-5.6", card)
    else:
        discard_card(s, "YG-5.9", card)


@final
class PutAway(Step[YggdrasilTable]):
    """YG-4.8 After its power the card goes to the discard pile."""

    RULE = "YG-4.8"

    def __init__(self, card: int) -> None:
        self.card: Final = card

    def run(self, s: YggdrasilTable) -> None:
        discard_card(s, self.RULE, self.card)


# ---------------------------------------------------------------- the end


@final
class EndOfTurn(Step[YggdrasilTable]):
    """YG-11.1 The turn ends: defeat, then victory, is checked; else the next god's turn starts."""

    RULE = "YG-11.1"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        if s.journal is not None:
            s.journal.append(TurnEnded(self.RULE, self.seat))
        s.reasons = defeat_reasons(s)
        if s.reasons:
            s.outcome = DEFEAT
        elif not s.deck:
            s.outcome = VICTORY
        else:
            following = self.seat + 1
            s.agenda.append(TURNS[following if following < len(s.gods) else 0])
            return
        if s.journal is not None:
            rule = "YG-11.3" if s.reasons else "YG-11.4"
            s.journal.append(MatchEnded(rule, s.outcome, s.reasons[:]))


def defeat_reasons(s: YggdrasilTable) -> list[int]:
    """YG-11.2 Return every condition of defeat that holds."""
    components = s.components
    beyond_wall = 0
    beyond_gate = 0
    inside = 0
    for space in s.enemies:
        if space >= components.wall_from:
            beyond_wall += 1
        if space >= components.gate_from:
            beyond_gate += 1
        if space >= components.residence:
            inside += 1
    reasons: list[int] = []
    if beyond_wall >= components.wall_limit:
        reasons.append(WALL)
    if beyond_gate >= components.gate_limit:
        reasons.append(GATE)
    if inside >= components.residence_limit:
        reasons.append(RESIDENCE)
    return reasons


RULES: Final = ["YG-4.3"] * 6 + ["YG-4.4"] * 6 + ["YG-4.5"] * 4
"""By card: the rule that moves its enemies."""
PUT_AWAY: Final = [PutAway(card) for card in range(RAGNAROK)]
TURNS: Final = [Turn(seat) for seat in range(GOD_COUNT)]
DRAWS: Final = [Draw(seat) for seat in range(GOD_COUNT)]
END_OF_TURN: Final = [EndOfTurn(seat) for seat in range(GOD_COUNT)]
