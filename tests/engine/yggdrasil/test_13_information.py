"""YG-13 What may be known, and tables imagined from it."""

from collections import Counter

import pytest

from taflhall_engine.kernel.agenda import SPECTATOR, apply, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.yggdrasil.ids import CLOSED, GIANT_COUNT
from taflhall_engine.yggdrasil.observe import known_deck, public
from taflhall_engine.yggdrasil.setup import Setup
from tests.engine.yggdrasil.position import GAME, at, do, rng


def played(seed, plies, **setup):
    s = GAME.new(Setup(**setup), FastChance(seed))
    rng = FastChance(seed + 100)
    for _ in range(plies):
        if s.agenda:
            listed = options(s, s.active)
            apply(s, s.active, listed[rng.below(len(listed))])
    return s


def test_13_1_every_seat_and_every_spectator_sees_the_same():
    s = played(1, 30, seats=3)
    views = [GAME.view(s, seat) for seat in (SPECTATOR, 0, 1, 2)]
    assert len({repr(view.public) for view in views}) == 1
    assert all(view.private.fields() == () for view in views)


def test_13_2_the_order_of_the_decks_is_in_no_view():
    s = at(deck=["hel", "surt", "loki"])
    other = at(deck=["loki", "hel", "surt"])
    other.giant_deck.reverse()
    assert public(s) == public(other)


@pytest.mark.parametrize("closed", [0, CLOSED])
def test_13_3_only_open_bags_are_shown(closed):
    s = played(2, 25, seats=2, bag_inspection=closed)
    assert bool(public(s).bags) is not closed


def test_13_3_closed_bags_show_only_what_came_and_went():
    option = {"options": {"bag_inspection": "closed"}}
    s = at(**option, bags={"white": [0, 0], "blue": [15, 21]})
    view = public(s)
    assert view.bags == []
    assert view.empty_bags == [1]
    changes = [(bag.vikings, bag.fire_giants) for bag in view.bag_changes]
    assert changes == [(-6, -12), (6, 12), (0, 0), (0, 0)]
    assert public(at()).bag_changes == []


def test_13_7_a_peek_is_known_until_the_cards_are_drawn():
    s = at(vanir=3, deck=["loki", "loki", "hel", "surt", "hel", "hel", "surt", "surt"])
    assert known_deck(s) == [-1] * 8
    do(s, "vanaheim", mode="use", space=3)
    assert known_deck(s) == [3, 3, 1, 5, 1, 1, -1, -1]
    do(s, "reorder", order=[2, 3, 0, 1, 4, 5])
    assert known_deck(s) == [1, 5, 3, 3, 1, 1, -1, -1]
    rng(s).numbers.append(0)
    do(s, "end_turn")
    assert known_deck(s) == [5, 3, 3, 1, 1, -1, -1]


@pytest.mark.parametrize("index", [0, 1])
def test_13_7_odins_rejected_card_stays_known_at_the_bottom(index):
    s = at(gods=["odin"], phase="turn_start", deck=["loki", "loki!", "hel", "surt"])
    do(s, "draw_cards", cards=2)
    assert known_deck(s) == [3, 9, -1, -1]
    do(s, "choose_card", index=index)
    assert known_deck(s) == [-1, -1, (9, 3)[index]]


def test_13_7_known_cards_in_the_middle_keep_their_places():
    s = at(gods=["odin"], phase="turn_start", deck=["loki", "loki!", "hel", "surt", "hel"])
    s.known = 0b00101
    do(s, "draw_cards", cards=2)
    do(s, "choose_card", index=1)
    assert known_deck(s) == [1, -1, 1, 3]


def test_13_7_the_vanirs_look_through_the_giants_leaves_nothing_known():
    s = at(vanir=5)
    do(s, "vanaheim", mode="use", space=5, giant="gjalp")
    tops = {GAME.imagine(GAME.view(s, 0), FastChance(seed)).giant_deck[-1] for seed in range(300)}
    assert len(tops) == GIANT_COUNT - 1


def test_imagined_cards_are_those_that_nobody_has_seen():
    s = played(3, 60, gods=[0, 4], furious=6, ragnarok=4)
    counts: Counter[int] = Counter()
    for seed in range(200):
        twin = GAME.imagine(GAME.view(s, 0), FastChance(seed))
        assert sorted(twin.deck) == sorted(s.deck)
        assert known_deck(twin) == known_deck(s)
        counts[twin.deck[-1]] += 1
    if known_deck(s)[0] == -1:
        assert len(counts) > 3
