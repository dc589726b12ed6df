"""CM-16.1 A seat's knowledge of the destiny cards, and a random deal that agrees with it.

A seat knows its own cards, those it drew at the Sage's Hut and put back under the deck, and
when anybody drew how many. From that it may follow where a card is: who drew the single top
card that I once put under the deck holds it now. So the table keeps a log since the deal:

* a visit: seat, number of cards drawn, the cards, the card kept (none, -1, while it is pending);
* a card shown by Success: seat, 0, the card.

:class:`Dealer` replays the log with unknown cards as blanks and lets the other seats keep any card
that they drew; a choice is as likely as the share of all deals that it leaves. So the result is a
deal of a shuffled deck given what the seat has seen, if the others keep each card equally often.
"""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.ids import DESTINIES, NONE
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.value import Value

LIMIT: Final = 1 << 31

BLANKS: Final = list(range(len(DESTINIES)))
"""A number for each card."""


@final
class DestinyVisit(Value):
    """CM-16.3 The public part of the log: who drew how many cards, or showed which (0)."""

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


def kept_in(log: list[int], destiny: int) -> list[int]:
    """Return *log* with the card that is kept of the pending draw filled in."""
    log = log[:]
    i = 0
    while i < len(log):
        size = 3 + log[i + 1]
        if size > 3 and log[i + size - 1] == NONE:
            log[i + size - 1] = destiny
        i += size
    return log


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

    def known(self, at: int) -> str:
        """Return the knowledge before act number *at*; deals that agree in it continue alike."""
        hands = [sorted([self.card[blank] for blank in hand]) for hand in self.hands]
        return f"{at} {[self.card[blank] for blank in self.deck]} {hands}"

    def bind(self, blank: int, card: int) -> bool:
        """Assign *card* to *blank*; return whether that agrees with the known cards."""
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
    """Finds a deal in which *seat* (or a spectator, -1) sees what it has seen.

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
        self.ways: dict[str, int] = {}
        """How many deals continue from the knowledge at an act."""
        self.pending = NONE
        """The number of the act whose draw waits to be kept."""
        kept: list[int] = []
        for i in range(len(visits)):
            if visits[i].count == 0:
                kept.append(visits[i].destiny)
            elif pending:
                self.pending = i
        for other in range(len(shown)):
            for destiny in shown[other]:
                if destiny not in kept:
                    self.acts.append(DestinyVisit(other, 0, destiny))

    def deal(self, counts: list[int], deck_size: int) -> Deal:
        """Return a random deal, each equally likely; *counts* are the cards in each hand."""
        d = self._start(counts, deck_size)
        for at in range(len(self.acts)):
            possible = self._draw(d, at)
            assert possible, "the true deal is one way"
            choices = self._choices(d, at)
            self._choose(d, at, self._pick(d, at, choices))
        _fill(d, self.chance)
        return d

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
            hands.append(BLANKS[blanks : blanks + max(0, dealt[other])])
            blanks += len(hands[other])
        start = Deal(hands, BLANKS[blanks : blanks + size], [])
        start.card = [NONE] * (blanks + size)
        if self.seat >= 0:
            for i in range(len(hands[self.seat])):
                start.card[hands[self.seat][i]] = self.own[i]
        return start

    # Every act has one of few distinguishable outcomes, since unknown cards are alike.

    def _draw(self, d: Deal, at: int) -> bool:
        """Draw the cards of act number *at*; return whether that agrees with the known cards."""
        act = self.acts[at]
        if act.count == 0:
            return True
        d.drawn = d.deck[: act.count]
        del d.deck[: act.count]
        d.log.append(act.seat)
        d.log.append(act.count)
        d.log.extend(d.drawn)
        if act.seat == self.seat:
            for blank in d.drawn:
                if not d.bind(blank, self.seen[d.used]):
                    return False
                d.used += 1
        return True

    def _choices(self, d: Deal, at: int) -> list[int]:
        """Return the cards that the act may have kept or shown; none if it had no choice."""
        act = self.acts[at]
        if act.seat == self.seat or at == self.pending:
            return [NONE]
        if act.count:
            return d.drawn[:]
        if act.destiny in d.card:
            return [blank for blank in d.hands[act.seat] if d.card[blank] == act.destiny]
        return [blank for blank in d.hands[act.seat] if d.card[blank] == NONE]

    def _choose(self, d: Deal, at: int, blank: int) -> None:
        """Carry out act number *at* with *blank* as its choice."""
        act = self.acts[at]
        if act.count == 0:
            if at < self.logged:
                d.log.append(act.seat)
                d.log.append(0)
                d.log.append(act.destiny)
            if blank != NONE:
                d.bind(blank, act.destiny)
        elif at == self.pending:
            d.log.append(NONE)
        elif blank != NONE:
            d.keep(act.seat, blank)
        else:
            d.keep(act.seat, d.card.index(self.own[len(d.hands[self.seat])]))

    def _pick(self, d: Deal, at: int, choices: list[int]) -> int:
        """Return one of *choices*, by how many deals each of them leaves."""
        known = NONE
        for blank in choices:
            if blank != NONE and d.card[blank] != NONE:
                known = d.card[blank]
        if known == NONE:  # they are alike
            return choices[self.chance.below(len(choices))]
        ways = self._ways_of(d, at, choices)
        total = sum(ways)
        while total > LIMIT:  # a source of random numbers goes no further
            ways = [(way + 1) // 2 for way in ways]
            total = sum(ways)
        left = self.chance.below(total)
        for i in range(len(choices)):
            left -= ways[i]
            if left < 0:
                return choices[i]
        raise AssertionError("the ways add up to their total")

    def _ways_of(self, d: Deal, at: int, choices: list[int]) -> list[int]:
        """Return for each of *choices* how many deals agree with it and with all later acts."""
        known = [d.card[blank] for blank in choices]
        alike = 0
        found: list[int] = []
        for i in range(len(choices)):
            if known[i] != NONE or alike == 0:
                branch = d.copy()
                self._choose(branch, at, choices[i])
                found.append(self._ways(branch, at + 1))
                if known[i] == NONE:
                    alike = found[i]
            else:
                found.append(alike)
        return found

    def _ways(self, d: Deal, at: int) -> int:
        """Return in how many ways *d* may continue from act number *at*; *d* is used up."""
        if at == len(self.acts):
            ways = 1
            for free in range(2, d.card.count(NONE) + 1):
                ways *= free
            return ways
        key = d.known(at)
        ways = self.ways.get(key, NONE)
        if ways != NONE:
            return ways
        ways = 0
        if self._draw(d, at):
            choices = self._choices(d, at)
            known = [d.card[blank] if blank != NONE else NONE for blank in choices]
            unknown = known.count(NONE)
            for i in range(len(choices)):
                if known[i] != NONE or unknown:
                    branch = d.copy()
                    self._choose(branch, at, choices[i])
                    more = self._ways(branch, at + 1)
                    ways += more if known[i] != NONE else more * unknown
                    unknown = 0 if known[i] == NONE else unknown
        self.ways[key] = ways
        return ways


def _fill(d: Deal, chance: Chance) -> None:
    """Turn blanks into cards, those not known into any that are left."""
    known = 0
    for card in d.card:
        if card != NONE:
            known |= 1 << card
    rest = [card for card in range(len(DESTINIES)) if not known >> card & 1]
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
