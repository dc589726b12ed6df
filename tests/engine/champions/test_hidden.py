"""CM-16 Hidden information: what others learn of a seat's secrets, and what a seat remembers."""

import pytest

from taflhall_engine.champions import destinies
from taflhall_engine.champions.destinies import DestinyVisit
from taflhall_engine.champions.events import DestiniesDrawn, DestinyKept, Gained, JourneySeen
from taflhall_engine.champions.ids import (
    COINS,
    FOOD,
    KNOWLEDGE,
    MARKET,
    SUCCESS,
    TRUE_VISION,
    WEALTH,
    WOOD,
)
from taflhall_engine.champions.rules.assignment import AssignWarriors, SendWarriors
from taflhall_engine.champions.rules.market import ExchangeGoods, VisitMarket
from taflhall_engine.champions.rules.placement import PlaceWorker
from taflhall_engine.champions.rules.rolling import PickDie, PostRoll
from taflhall_engine.champions.rules.runes import ActivateRune, ActivateSuccess
from taflhall_engine.champions.rules.sage import KeepCard, KeepDestiny, UseTrueVision, VisitSagesHut
from taflhall_engine.champions.rules.spaces import Beg
from taflhall_engine.kernel.agenda import apply, asked, options, refusal, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import unfinished
from tests.engine.champions.tables import GAME, do, events_for, legal, play, started

DAGRUN = 1


def sage(seed=0, seats=3, runes=0):
    """A table where Dagrun, at seat 0, is about to place a worker; she may have runes."""
    s = started(seed, seats=seats, start_seat=0)
    s.clans[0].leader, s.clans[1].leader = DAGRUN, 0
    s.clans[0].runes = runes
    s.journal = []
    s.legal = None
    return s


def worlds_alike(s, first, second, plies=2):
    """Carry out one or the other of two secret answers; nobody else may see a difference."""
    seat = asked(s)[0]
    one, other = s.copy(), s.copy()
    one.journal, other.journal = [], []
    apply(one, seat, first)
    apply(other, seat, second)
    for _ in range(plies):
        for viewer in (*range(len(s.clans)), -1):
            if viewer != seat:
                assert GAME.view(one, viewer) == GAME.view(other, viewer)
                assert events_for(one, viewer) == events_for(other, viewer)
                assert options(one, viewer) == options(other, viewer)
                assert refusal(one, viewer, first) == refusal(other, viewer, first)
        assert asked(one) == asked(other)
        assert repr(waiting(one)) == repr(waiting(other))
        if asked(one) == [seat]:
            return
        do(one, Beg())
        do(other, Beg())


def test_16_1_nobody_sees_which_destiny_is_kept():
    s = sage()
    do(s, VisitSagesHut(4))
    assert isinstance(waiting(s), KeepDestiny)
    first, second = [c for c in legal(s) if isinstance(c, KeepCard)]
    worlds_alike(s, first, second)


def test_16_3_the_kind_of_the_decision_is_public_its_options_are_not():
    s = sage()
    do(s, VisitSagesHut(4))
    assert repr(waiting(s)) == "KeepDestiny(seat=0)"
    assert GAME.view(s, 1).public.destinies_drawn == 2
    assert GAME.view(s, 0).private.drawn_destinies == s.drawn
    for viewer in (1, 2, -1):
        assert GAME.view(s, viewer).private.drawn_destinies == []
        assert options(s, viewer) == []


def test_16_1_others_see_a_draw_but_not_the_cards():
    s = sage(runes=1 << TRUE_VISION)
    do(s, VisitSagesHut(2), UseTrueVision(True))
    drawn = s.drawn[:]
    do(s, KeepCard(drawn[2]))
    own = events_for(s, 0)
    assert DestiniesDrawn("CM-5.10", 0, 4, drawn) in own
    assert DestinyKept("CM-5.10", 0, drawn[2], 3) in own
    for viewer in (1, 2, -1):
        seen = events_for(s, viewer)
        assert DestiniesDrawn("CM-5.10", 0, 4, []) in seen
        assert DestinyKept("CM-5.10", 0, -1, 3) in seen
        assert "KeepCard" not in repr(seen)


def test_16_1_only_the_looker_sees_the_journey():
    s = sage()
    journey = s.journeys[3]
    do(s, VisitSagesHut(4))
    assert JourneySeen("CM-5.10", 0, 4, journey) in events_for(s, 0)
    assert JourneySeen("CM-5.10", 0, 4, -1) in events_for(s, 2)
    assert GAME.view(s, 0).private.known == [-1, -1, -1, journey]
    assert GAME.view(s, 1).private.known == [-1, -1, -1, -1]
    assert GAME.view(s, 1).public.seats[0].shores_seen == [4]


def test_14_7_knowledge_shows_its_owner_every_face_down_journey():
    s = sage(runes=1 << KNOWLEDGE)
    do(s, ActivateRune(KNOWLEDGE))
    assert GAME.view(s, 0).private.known == s.journeys
    assert GAME.view(s, -1).private.known == []


def test_16_2_a_spectator_learns_nothing_secret_before_the_end():
    s = sage(2)
    rng = FastChance(9)
    while s.agenda:
        view = GAME.view(s, -1)
        assert [part for part in view.private.fields() if part] == []
        for seat, clan in enumerate(view.public.seats):
            log = view.public.destiny_visits
            shown = [v.destiny for v in log if v.seat == seat and not v.count]
            assert clan.destinies_shown == sorted(shown)
        assert all(space.journey == -1 for space in view.public.journey_spaces if space.face_down)
        play(s, rng, 1)
    shown = [clan.destinies_shown for clan in GAME.view(s, -1).public.seats]
    assert shown == [sorted(clan.destinies) for clan in s.clans]


# ---------------------------------------------------------------- half-given answers


def is_at(s, kind):
    return (
        isinstance(waiting(s), kind)
        and sum(isinstance(c, SendWarriors | PickDie) for c in legal(s)) > 1
    )


def at(kind, seed=0, **setup):
    """Return a table at a decision of this kind, in which the seat has more than one way."""
    for k in range(seed, seed + 400):
        s = started(k, **setup)
        play(s, FastChance(k), stop=lambda s: is_at(s, kind))
        if s.agenda:
            return s
    raise AssertionError(f"no {kind.__name__} found")


def test_17_6_a_half_given_exchange_counts_for_nothing():
    s = sage()
    s.clans[0].goods = [2, 2, 2]
    do(s, VisitMarket(), ExchangeGoods(FOOD, 2))
    assert s.clans[0].goods == [2, 2, 2]
    assert GAME.view(s, 0).private.exchanged == [2]
    assert GAME.view(s, 0).public.workers_at[MARKET] == -1
    do(s, ExchangeGoods(WOOD, -1))
    assert s.clans[0].goods == [4, 1, 1]
    assert Gained("CM-5.8", 0, 2, -1, -1, 0, 0, 0) in events_for(s, 1)


@pytest.mark.parametrize("kind", [AssignWarriors, PostRoll])
def test_17_6_a_half_given_answer_shows_to_its_seat_alone(kind):
    s = at(kind)
    seat = asked(s)[0]
    steps = [c for c in legal(s) if isinstance(c, SendWarriors | PickDie)][:2]
    twins = [s.copy(), s.copy()]
    for twin, step in zip(twins, steps, strict=True):
        apply(twin, seat, step)
    if all(unfinished(twin) for twin in twins):
        for viewer in range(-1, len(s.clans)):
            if viewer != seat:
                assert GAME.view(twins[0], viewer) == GAME.view(twins[1], viewer)


def test_14_2_free_runes_stand_before_the_first_step_of_an_answer_only():
    s = sage(runes=1 << WEALTH)
    s.clans[0].goods = [2, 2, 2]
    assert ActivateRune(WEALTH) in legal(s)
    do(s, VisitMarket())
    assert ActivateRune(WEALTH) not in legal(s)
    reason = refusal(s, 0, ActivateRune(WEALTH))
    assert reason is not None
    assert reason.code == "not_pending"
    reason = refusal(s, 0, Beg())
    assert reason is not None
    assert reason.code == "not_pending"


# ---------------------------------------------------------------- imagining


def follow(seed, seats):
    """Play a match in which the Sage's Hut is visited whenever it is free."""
    s = started(seed, seats=seats)
    for clan in s.clans[:2]:
        clan.leader = DAGRUN
    s.clans[0].runes = 1 << TRUE_VISION
    s.clans[1].runes = 1 << SUCCESS
    s.rune_deck = [r for r in s.rune_deck if r not in (SUCCESS, TRUE_VISION)]
    s.rune_row = [r for r in s.rune_row if r not in (SUCCESS, TRUE_VISION)]
    rng = FastChance(seed + 1)
    while s.agenda:
        yield s
        listed = legal(s)
        visits = [c for c in listed if isinstance(c, VisitSagesHut | UseTrueVision)]
        shows = [c for c in listed if isinstance(c, ActivateSuccess) and s.round > 3]
        some = shows or visits or listed
        do(s, some[rng.below(len(some))])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_16_1_imagined_destinies_agree_with_all_that_a_seat_has_seen(seats):
    rng = FastChance(seats)
    for seed in range(6):
        for ply, s in enumerate(follow(seed, seats)):
            if ply % 5:
                continue
            for viewer in range(-1, seats):
                view = GAME.view(s, viewer)
                twin = GAME.imagine(view, rng)
                assert GAME.view(twin, viewer) == view
                held = [card for clan in twin.clans for card in clan.destinies]
                assert sorted(held + twin.destiny_deck + twin.drawn) == list(range(12))
                assert twin.destiny_log == replayed(twin)


def replayed(s):
    """Return the log, having checked that the deck and the hands follow from it."""
    log, i, acts = s.destiny_log, 0, []
    while i < len(log):
        acts.append((log[i], log[i + 2 : i + 2 + log[i + 1]], log[i + 2 + log[i + 1]]))
        i += 3 + log[i + 1]
    done = [seat for seat, cards, card in acts if cards and card >= 0]
    kept = [done.count(k) for k in range(len(s.clans))]
    hands = [clan.destinies[: len(clan.destinies) - kept[k]] for k, clan in enumerate(s.clans)]
    deck = s.destiny_deck[:]
    for _, cards, card in reversed(acts):
        if cards and card >= 0:
            returned = [c for c in cards if c != card]
            assert deck[len(deck) - len(returned) :] == returned
            del deck[len(deck) - len(returned) :]
        deck = cards + deck
    for seat, cards, card in acts:
        if not cards:
            assert card in hands[seat]
        elif card >= 0:
            hands[seat].append(card)
    assert hands == [clan.destinies for clan in s.clans]
    return log


def test_16_1_a_card_that_one_put_back_is_found_where_it_went():
    """Seat 0 puts a card under a deck of one; who draws the only other card and then that one?"""
    s = sage(seats=2)
    s.destiny_deck = s.destiny_deck[:3]
    do(s, VisitSagesHut(4))
    kept, returned = s.drawn
    do(s, KeepCard(kept))
    assert s.destiny_deck[-1] == returned
    for seed in range(30):
        twin = GAME.imagine(GAME.view(s, 0), FastChance(seed))
        assert twin.destiny_deck[-1] == returned
    do(s, Beg(), Beg(), Beg(), Beg(), Beg(), Beg())
    s.destiny_log.extend([1, 1, s.destiny_deck[0], s.destiny_deck[0]])
    s.clans[1].destinies.append(s.destiny_deck.pop(0))
    s.destiny_log.extend([1, 1, returned, returned])
    s.clans[1].destinies.append(s.destiny_deck.pop(0))
    for seed in range(30):
        twin = GAME.imagine(GAME.view(s, 0), FastChance(seed))
        assert twin.clans[1].destinies[-1] == returned


def test_16_1_other_seats_do_not_know_where_it_went():
    s = sage(seats=2)
    do(s, VisitSagesHut(4))
    do(s, KeepCard(s.drawn[0]))
    lasts = {GAME.imagine(GAME.view(s, 1), FastChance(k)).destiny_deck[-1] for k in range(80)}
    assert len(lasts) > 5


def test_15_5_after_a_shuffle_everybody_knows_what_the_deck_holds():
    s = sage()
    s.journey_discard, s.journey_deck = s.journey_deck, []
    s.shuffles, s.dealt_in = 1, [0, 1, 0, 0]
    s.journey_deck, s.journey_discard = s.journey_discard[1:], []
    old = sorted(s.journeys[k] for k in (0, 2, 3))
    pools = GAME.view(s, -1).public.journey_pools
    assert [pool.shuffle for pool in pools] == [0, 1]
    assert pools[0].journeys == old
    assert pools[1].journeys == sorted([*s.journey_deck, s.journeys[1]])
    seen = set()
    for seed in range(60):
        twin = GAME.imagine(GAME.view(s, 1), FastChance(seed))
        assert sorted(twin.journeys[k] for k in (0, 2, 3)) == old
        seen.add(tuple(twin.journeys))
    assert len(seen) > 1


def test_16_1_a_known_journey_is_imagined_as_it_is():
    s = sage()
    do(s, VisitSagesHut(4))
    rng = FastChance(1)
    twins = [GAME.imagine(GAME.view(s, 0), rng) for _ in range(40)]
    assert {twin.journeys[3] for twin in twins} == {s.journeys[3]}
    assert len({twin.journeys[1] for twin in twins}) > 1
    assert isinstance(waiting(twins[0]), KeepDestiny | PlaceWorker)


def test_16_1_the_log_shows_seats_and_numbers_to_all_and_cards_to_one():
    log = [0, 2, 5, 7, 5, 1, 0, 3, 1, 1, 9, -1]
    visits = [DestinyVisit(0, 2, -1), DestinyVisit(1, 0, 3), DestinyVisit(1, 1, -1)]
    assert destinies.visits_of(log) == visits
    assert destinies.seen_by(log, 0) == [5, 7]
    assert destinies.seen_by(log, 1) == [9]


def test_16_1_goods_are_public():
    s = sage()
    s.clans[2].goods[COINS] = 17
    assert GAME.view(s, -1).public.seats[2].coins == 17
