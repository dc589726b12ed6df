"""Each law notices when it is broken: the toy with a fault planted in it fails."""

import random
from typing import Any

import pytest

from taflhall_engine.champions.rules.sage import KeepCard, KeepDestiny
from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import IllegalCommand, Refusal
from tests.engine.every_game import (
    test_matches,
    test_options,
    test_tables,
    test_views,
    test_worlds,
)
from tests.engine.every_game.digests import digest_of
from tests.engine.toy import QUAY, QuayGame, rules, table, view

ELSEWHERE = random.Random(7)

pytestmark = pytest.mark.skipif(COMPILED, reason="nothing can be planted in compiled classes")


def shallow_copy(self):
    return table.Player(self.coins, self.favours, self.hand, self.thrown, self.bid)


def copy_without_bid(self):
    return table.Player(self.coins, self.favours, self.hand[:], self.thrown[:], -1)


def take_and_leave(self, s, seat):
    s.players[seat].hand[self.good] += 1


def good_at_it(self, s):
    return view.PublicView(
        s.rounds,
        s.round,
        s.bell,
        s.lot[:],
        s.sold[:],
        [view.Rival(p.coins, p.favours, sum(p.hand), p.thrown[0], p.bid != -1) for p in s.players],
        s.agenda[:],
    )


def live_view(self, s):
    shown = view.public(s)
    return view.PublicView(
        shown.rounds, shown.round, shown.bell, s.lot, shown.sold, shown.players, shown.agenda
    )


def counting_result(self, s):
    s.bell = (s.bell + 1) % len(s.players)


def telling_reason(self, s, seat):
    if self.coins <= s.players[seat].coins:
        return None
    held = s.players[(seat + 1) % len(s.players)].hand[0]
    return Refusal("Q-2.2", f"too_dear_{held}")


def lucky_bell(self, s):
    s.bell = ELSEWHERE.randrange(len(s.players))


def unchecked(self, s, seat, command):
    return command.refuse(s, seat)


def once_more(self, s):
    """Put everything back into the bag and do not count the round."""
    s.round -= 1
    for good in range(len(s.bag)):
        s.bag[good] += s.lot[good] + s.sold[good] + sum(p.thrown[good] for p in s.players)
        s.lot[good] = s.sold[good] = 0
        for p in s.players:
            p.thrown[good] = 0


def by_default(self, s, legal):
    return len(legal) < 2


def forgetful(components, seen, chance):
    """Imagine without regard to what the seat has thrown away."""
    s = IMAGINE(components, seen, chance)
    s.players[0].thrown, s.bag = s.bag, s.players[0].thrown
    return s


IMAGINE = view.imagine
Threw = QUAY.types["Threw"]

COPY_IS_DEEP = test_tables.test_a_copy_is_deep
CONTINUES = test_tables.test_a_stored_match_continues_as_it_would_have
NO_INVARIANT_BROKEN = test_matches.test_every_match_ends_and_no_invariant_is_ever_broken
WORLDS_ALIKE = test_worlds.test_worlds_that_differ_only_in_what_is_hidden_look_the_same
IMAGINED_ALIKE = test_views.test_an_imagined_table_looks_the_same
OPTIONS_ARE_OFFERS = test_options.test_options_are_the_offers_that_nothing_refuses
OPTIONS_DIFFER = test_options.test_every_decision_lists_between_one_and_256_different_options
ONLY_OPTIONS = test_options.test_a_command_is_refused_unless_it_is_an_option

FAULTS: dict[str, tuple[Any, str, Any, Any]] = {
    "a shared list": (table.Player, "copy", shallow_copy, COPY_IS_DEEP),
    "a field not copied": (table.Player, "copy", copy_without_bid, COPY_IS_DEEP),
    "a good doubled": (rules.TakeGood, "perform", take_and_leave, NO_INVARIANT_BROKEN),
    "a match without end": (rules.PassBell, "run", once_more, NO_INVARIANT_BROKEN),
    "an illegal neutral answer": (
        QuayGame,
        "neutral",
        lambda self, s, seat: rules.Bid(9),
        test_matches.test_the_neutral_answer_is_legal,
    ),
    "a question that acts": (
        QuayGame,
        "result",
        counting_result,
        test_tables.test_asking_changes_nothing,
    ),
    "a view of live lists": (
        QuayGame,
        "public",
        live_view,
        test_tables.test_a_view_stays_as_it_was,
    ),
    "a hidden count in the view": (QuayGame, "public", good_at_it, WORLDS_ALIKE),
    "a hidden count not imagined": (QuayGame, "public", good_at_it, IMAGINED_ALIKE),
    "a seat's own things imagined": (view, "imagine", forgetful, IMAGINED_ALIKE),
    "options of their own": (
        rules.SealedBids,
        "options",
        lambda self, s, seat: rules.BIDS[:1],
        OPTIONS_ARE_OFFERS,
    ),
    "options listed twice": (
        rules.SealedBids,
        "offers",
        lambda self, s, seat: rules.BIDS * 2,
        OPTIONS_DIFFER,
    ),
    "an unchecked number": (rules.SealedBids, "refusal", unchecked, ONLY_OPTIONS),
    "a refusal that reveals": (rules.Bid, "refuse", telling_reason, WORLDS_ALIKE),
    "a skip that reveals": (rules.SellPair, "forced", by_default, WORLDS_ALIKE),
    "an answer that reveals": (rules.ThrowOne, "secret", lambda self, s: False, WORLDS_ALIKE),
    "an event that reveals": (Threw, "seen_by", lambda self, seat: self, WORLDS_ALIKE),
    "random numbers from elsewhere": (rules.PassBell, "run", lucky_bell, CONTINUES),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault, monkeypatch):
    place, attribute, planted, law = FAULTS[fault]
    monkeypatch.setattr(place, attribute, planted)
    with pytest.raises((AssertionError, IndexError, IllegalCommand)):
        law("quay")


@pytest.mark.parametrize(
    ("place", "attribute", "planted"),
    [
        (KeepDestiny, "forced", lambda self, s, legal: 0 in s.clans[self.seat].destinies),
        (KeepCard, "SECRET", False),
    ],
    ids=["a skip that reveals a destiny", "a destiny that others see being kept"],
)
def test_a_fault_planted_in_a_game_with_hidden_cards_is_found(
    place, attribute, planted, monkeypatch
):
    monkeypatch.setattr(place, attribute, planted)
    with pytest.raises(AssertionError, match="KeepCard"):
        WORLDS_ALIKE("champions")


def test_luck_from_elsewhere_changes_the_digest(monkeypatch):
    before = digest_of("quay", 2)
    monkeypatch.setattr(rules.PassBell, "run", lucky_bell)
    assert digest_of("quay", 2) != before
