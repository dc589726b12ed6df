"""CM-16.1 What a seat knows of the destiny cards, and a random deal that agrees with it.

A seat knows its own cards, those it drew at the Sage's Hut and put back under the deck, and
when anybody drew how many. From that it may follow where a card is: who drew the single top
card that I once put under the deck holds it now. So the table keeps a log since the deal:

* a visit: seat, number of cards drawn, the cards, the card kept (none, -1, while it is pending);
* a card shown by Success: seat, 0, the card.

:class:`Dealer` replays the log with unknown cards as blanks, lets the other seats keep cards at
random, and goes back on a choice that contradicts what the seat has seen.
"""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.ids import DESTINIES, NONE
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.value import Value


@final
class DestinyVisit(Value):
    """CM-16.3 What everybody sees of the log: who drew how many cards, or showed which (0)."""

    def __init__(self, seat: int, count: int, destiny: int) -> None:
        self.seat: Final = seat
        self.count: Final = count
        self.destiny: Final = destiny


def visits_of(log: list[int]) -> list[DestinyVisit]:
    """Return the public part of a log."""
    found = []
    i = 0
    while i < len(log):
        count = log[i + 1]
        if count == 0:
            found.append(DestinyVisit(log[i], 0, log[i + 2]))
        else:
            found.append(DestinyVisit(log[i], count, NONE))
        i += 3 + count
    return found


def seen_by(log: list[int], seat: int) -> list[int]:
    """Return the cards that *seat* drew in its visits, in order, those put back included."""
    found: list[int] = []
    i = 0
    while i < len(log):
        count = log[i + 1]
        if count and log[i] == seat:
            found.extend(log[i + 2 : i + 2 + count])
        i += 3 + count
    return found


def note_kept(log: list[int], destiny: int) -> None:
    """Fill in which card of the pending draw is kept."""
    i = 0
    while i < len(log):
        size = 3 + log[i + 1]
        if size > 3 and log[i + size - 1] == NONE:
            log[i + size - 1] = destiny
        i += size


@final
class Deal:
    """A way the destiny cards can lie: hands in the order in which the cards came."""

    def __init__(self, hands: list[list[int]], deck: list[int], drawn: list[int]) -> None:
        self.hands = hands
        self.deck = deck
        self.drawn = drawn
        self.log: list[int] = []
        self.card: list[int] = []
        """By blank: the card it is known to be, or none (-1)."""
        self.used = 0
        """How many of the cards that the seat drew have been met."""

    def copy(self) -> Deal:
        twin = Deal([hand[:] for hand in self.hands], self.deck[:], self.drawn[:])
        twin.log = self.log[:]
        twin.card = self.card[:]
        twin.used = self.used
        return twin

    def bind(self, blank: int, card: int) -> bool:
        """Say that *blank* is *card*; return whether that agrees with what is known."""
        if self.card[blank] == card:
            return True
        if self.card[blank] != NONE or card in self.card:
            return False
        self.card[blank] = card
        return True

    def keep(self, seat: int, blank: int) -> None:
        """CM-5.10 (d) Put *blank* into the hand of *seat*, the others drawn under the deck."""
        self.hands[seat].append(blank)
        for other in self.drawn:
            if other != blank:
                self.deck.append(other)
        self.drawn = []
        self.log.append(blank)


@final
class Dealer:
    """Looks for a deal in which *seat* (or a spectator, -1) sees what it has seen.

    *visits* is the public log; *pending* says that the last draw waits to be kept; *shown* are
    the cards that lie face up, by seat; *own* is the seat's hand, *seen* what it drew.
    """

    def __init__(
        self,
        visits: list[DestinyVisit],
        pending: bool,
        shown: list[list[int]],
        seat: int,
        own: list[int],
        seen: list[int],
        chance: Chance,
    ) -> None:
        self.acts = visits[:]
        self.logged = len(visits)
        self.seat = seat
        self.own = own
        self.seen = seen
        self.chance = chance
        self.pending = NONE
        """The number of the act whose draw waits to be kept."""
        told: list[int] = []
        for i in range(len(visits)):
            if visits[i].count == 0:
                told.append(visits[i].destiny)
            elif pending:
                self.pending = i
        for other in range(len(shown)):
            for destiny in shown[other]:
                if destiny not in told:
                    self.acts.append(DestinyVisit(other, 0, destiny))

    def deal(self, counts: list[int], deck_size: int) -> Deal:
        """Return a random deal; *counts* are the cards in each hand."""
        start = self._start(counts, deck_size)
        found = self._replay(start, 0)
        assert found is not None, "the true deal is one way"
        _fill(found, self.chance)
        return found

    def _start(self, counts: list[int], deck_size: int) -> Deal:
        dealt = counts[:]
        size = deck_size
        for i in range(self.logged):
            act = self.acts[i]
            if i == self.pending:
                size += act.count
            elif act.count:
                dealt[act.seat] -= 1
                size += 1
        hands: list[list[int]] = []
        blanks = 0
        for other in range(len(dealt)):
            hands.append(list(range(blanks, blanks + max(0, dealt[other]))))
            blanks += len(hands[other])
        start = Deal(hands, list(range(blanks, blanks + size)), [])
        start.card = [NONE] * (blanks + size)
        if self.seat >= 0:
            for i in range(len(hands[self.seat])):
                start.bind(hands[self.seat][i], self.own[i])
        return start

    def _replay(self, d: Deal, at: int) -> Deal | None:
        """Return *d* after the acts from number *at* on, ``None`` if there is no way."""
        if at == len(self.acts):
            return d
        act = self.acts[at]
        if act.count == 0:
            return self._show(d, at, act)
        d.drawn = d.deck[: act.count]
        del d.deck[: act.count]
        d.log.append(act.seat)
        d.log.append(act.count)
        d.log.extend(d.drawn)
        if act.seat == self.seat:
            for blank in d.drawn:
                if not d.bind(blank, self.seen[d.used]):
                    return None
                d.used += 1
        if at == self.pending:
            d.log.append(NONE)
            return self._replay(d, at + 1)
        if act.seat != self.seat:
            return self._try_each(d, at, act.seat)
        wanted = d.card.index(self.own[len(d.hands[self.seat])])
        d.keep(self.seat, wanted)
        return self._replay(d, at + 1)

    def _try_each(self, d: Deal, at: int, seat: int) -> Deal | None:
        order = d.drawn[:]
        self.chance.shuffle(order)
        for blank in order:
            branch = d.copy()
            branch.keep(seat, blank)
            found = self._replay(branch, at + 1)
            if found is not None:
                return found
        return None

    def _show(self, d: Deal, at: int, act: DestinyVisit) -> Deal | None:
        if at < self.logged:
            d.log.append(act.seat)
            d.log.append(0)
            d.log.append(act.destiny)
        if act.seat == self.seat:
            return self._replay(d, at + 1)
        order = d.hands[act.seat][:]
        self.chance.shuffle(order)
        for blank in order:
            branch = d.copy()
            if branch.bind(blank, act.destiny):
                found = self._replay(branch, at + 1)
                if found is not None:
                    return found
        return None


def _fill(d: Deal, chance: Chance) -> None:
    """Turn blanks into cards, those not known into any that are left."""
    rest = [card for card in range(len(DESTINIES)) if card not in d.card]
    chance.shuffle(rest)
    for blank in range(len(d.card)):
        if d.card[blank] == NONE:
            d.card[blank] = rest.pop()
    for hand in d.hands:
        for i in range(len(hand)):
            hand[i] = d.card[hand[i]]
    d.deck = [d.card[blank] for blank in d.deck]
    d.drawn = [d.card[blank] for blank in d.drawn]
    i = 0
    while i < len(d.log):
        count = d.log[i + 1]
        if count:
            for j in range(i + 2, i + 3 + count):
                if d.log[j] != NONE:
                    d.log[j] = d.card[d.log[j]]
        i += 3 + count
