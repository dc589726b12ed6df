"""CM-16 Imagined tables are as likely as the true ones, given all that the viewer has seen.

The truth is found by brute force: every card that the others may have kept or shown is played
through, and the plays in which the viewer sees what it has seen are equally likely, since the
destiny deck was shuffled.
"""

from collections import Counter
from functools import cache, partial
from itertools import chain, product
from typing import Any, NamedTuple

import pytest

from taflhall_engine.champions.destinies import Dealer, DestinyVisit
from taflhall_engine.champions.ids import DESTINIES, JOURNEYS, KNOWLEDGE, NONE
from taflhall_engine.champions.rules.runes import ActivateRune
from taflhall_engine.kernel.chance import FastChance
from tests.engine.champions.tables import GAME, do, started
from tests.engine.every_game.distribution import DRAWS, holds

CARDS = len(DESTINIES)


class Script(NamedTuple):
    """Which seats drew how many cards, or showed one (0), in order; and the seat that imagines."""

    seats: int
    acts: list[tuple[int, int]]
    viewer: int


class Run(NamedTuple):
    """One way a script can go: what its viewer sees, the hands, the deck."""

    drawn: list[int]
    own: list[int]
    shown: list[int]
    hands: list[list[int]]
    deck: list[int]

    @property
    def seen(self):
        """The cards that the viewer has seen, one after the other."""
        return [*self.own, *self.drawn, *self.shown]


def run(script, choices):
    """Play a script with the cards in the order of their numbers."""
    deck = list(range(CARDS))
    hands = [[deck.pop(0)] for _ in range(script.seats)]
    drawn: list[int] = []
    shown: list[int] = []
    for (seat, count), choice in zip(script.acts, choices, strict=True):
        if count == 0:
            shown.append(hands[seat][choice])
            continue
        cards = deck[:count]
        del deck[:count]
        if seat == script.viewer:
            drawn += cards
        hands[seat].append(cards.pop(choice))
        deck += cards
    own = hands[script.viewer] if script.viewer >= 0 else []
    return Run(drawn, own, shown, hands, deck)


def choices_of(script):
    """Return every way to choose; the viewer keeps the first card that it draws."""
    sizes = [1] * script.seats
    ways = []
    for seat, count in script.acts:
        ways.append(range((1 if seat == script.viewer else count) if count else sizes[seat]))
        sizes[seat] += 1 if count else 0
    return list(product(*ways))


def places(seen, hands, deck):
    """Return where the cards lie that the viewer has *seen*: a seat, or a place in the deck."""
    found = []
    for card in seen:
        seats = [seat for seat, hand in enumerate(hands) if card in hand]
        found.append(seats[0] if seats else 10 + deck.index(card))
    return tuple(found)


def alike(seen, other):
    """Return whether one row of cards is the other with the cards renamed."""
    there = dict(zip(seen, other, strict=True))
    return [there[card] for card in seen] == other and len(set(there.values())) == len(there)


def truth(script, true):
    """Return how likely the cards seen in the *true* run lie where."""
    found: Counter[Any] = Counter()
    for choices in choices_of(script):
        way = run(script, choices)
        if alike(true.seen, way.seen):
            found[places(way.seen, way.hands, way.deck)] += 1
    total = sum(found.values())
    return {where: count / total for where, count in found.items()}


def dealt(script, true, chance):
    """Return where the product deals the cards that were seen in the *true* run."""
    shown: list[list[int]] = [[] for _ in range(script.seats)]
    visits = []
    left = true.shown[:]
    for seat, count in script.acts:
        card = NONE if count else left.pop(0)
        if not count:
            shown[seat].append(card)
        visits.append(DestinyVisit(seat, count, card))
    dealer = Dealer(visits, False, shown, script.viewer, true.own, true.drawn, chance)
    deal = dealer.deal([len(hand) for hand in true.hands], len(true.deck))
    assert sorted(chain(*deal.hands, deal.deck)) == list(range(CARDS))
    if script.viewer >= 0:
        assert deal.hands[script.viewer] == true.own
    return places(true.seen, deal.hands, deal.deck)


SCRIPTS = {
    "a card put back comes up again": Script(4, [(0, 2), (1, 2), (2, 4), (3, 2)], 0),
    "it may have been kept twice over": Script(4, [(0, 2), (1, 4), (2, 4), (3, 3)], 0),
    "two cards put back": Script(4, [(0, 4), (1, 4), (2, 2), (3, 4)], 0),
    "somebody else put the cards back": Script(3, [(1, 4), (0, 4), (2, 4), (1, 2)], 0),
    "a card shown that may have been dealt": Script(2, [(1, 2), (1, 0)], 0),
    "a card shown after two visits": Script(2, [(1, 2), (1, 4), (1, 0)], 0),
    "a card shown that the viewer put back": Script(4, [(0, 2), (1, 4), (2, 4), (2, 0)], 0),
    "two seats show": Script(3, [(1, 2), (2, 4), (1, 0), (2, 0), (0, 2)], 0),
    "seen again by the viewer": Script(4, [(0, 4), (1, 4), (0, 2), (2, 2)], 0),
    "a spectator sees what is shown": Script(3, [(1, 2), (2, 4), (1, 0)], -1),
    "the seat that showed imagines": Script(2, [(1, 4), (0, 2), (1, 0)], 1),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_16_1_destinies_are_dealt_as_often_as_they_truly_lie_so(name):
    script = SCRIPTS[name]
    ways = choices_of(script)
    for choices, draws in ((ways[-1], DRAWS), (ways[0], 2_000), (ways[len(ways) // 2], 2_000)):
        true = run(script, choices)
        rng = FastChance(draws)
        holds(partial(dealt, script, true, rng), truth(script, true), draws)


def imagined(view, read):
    """Return what *read* finds at 20,000 imagined tables of a view, one after the other."""
    rng = FastChance(77)
    return lambda: read(GAME.imagine(view, rng))


def uniform(cards):
    return {card: count / len(cards) for card, count in Counter(cards).items()}


def test_16_1_a_face_down_journey_is_any_that_has_not_been_seen():
    s = started(3, seats=4)
    seat = s.agenda[-1].seat
    view = GAME.view(s, seat)
    pool = list(view.public.journey_pools[0].journeys)
    assert len(pool) == 18
    holds(imagined(view, lambda t: t.journeys[2]), uniform(pool))


def test_14_7_a_journey_that_the_seat_has_seen_is_no_other():
    s = started(4, seats=3)
    seat = s.agenda[-1].seat
    s.clans[seat].runes = 1 << KNOWLEDGE
    s.legal = None
    do(s, ActivateRune(KNOWLEDGE))
    view = GAME.view(s, seat)
    known = [card for card in view.private.known if card != NONE]
    pool = list(view.public.journey_pools[0].journeys)
    for card in known:
        pool.remove(card)
    holds(imagined(view, lambda t: t.journey_deck[0]), uniform(pool))
    assert set(pool) <= set(range(len(JOURNEYS)))


DECKS = ("rune", "troll", "draugr", "monster", "merchant")


@cache
def imagined_decks():
    """Return a table, and the top of each deck at the tables imagined from a view of it."""
    s = started(5, seats=2)
    draw = imagined(GAME.view(s, 1), lambda t: [getattr(t, f"{deck}_deck")[0] for deck in DECKS])
    return s, [draw() for _ in range(DRAWS)]


@pytest.mark.parametrize("deck", DECKS)
def test_16_3_the_top_of_a_deck_is_any_card_that_is_left(deck):
    s, tops = imagined_decks()
    found = (top[DECKS.index(deck)] for top in tops)
    holds(partial(next, found), uniform(getattr(s, f"{deck}_deck")))
