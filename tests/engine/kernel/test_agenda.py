"""How a match moves: steps, decisions, forced answers, and who sees which event."""

import pytest

from taflhall_engine.kernel.agenda import (
    GAME_OVER,
    MAX_STEPS,
    NOT_OFFERED,
    NOT_YOUR_DECISION,
    SPECTATOR,
    Answered,
    IllegalCommand,
    Runaway,
    advance,
    apply,
    asked,
    check,
    options,
    refusal,
    schedule,
    waiting,
)
from taflhall_engine.kernel.chance import FastChance, ScriptedChance
from taflhall_engine.kernel.rollout import rollout
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine.toy import QUAY, Setup, rules, table

AMBER, FURS, SALT, FISH = range(4)


def laid_out(lot, seats=3, numbers=(), hands=((0, 1, 1, 1), (0, 1, 1, 1), (0, 1, 1, 1)), rounds=2):
    """A match in its first round, with *lot* turned up and the bell with seat 0."""
    draws = [list(hand) for hand in hands[:seats]] + [list(lot), [0, 0, 2, 0]]
    chance = ScriptedChance(list(numbers), draws, [list(range(seats))])
    return QUAY.new(Setup(seats, rounds), chance)


def bid(s, *coins):
    for seat, bid in enumerate(coins):
        check(s, seat, rules.Bid(bid))
        apply(s, seat, rules.Bid(bid))


def test_a_match_rests_on_a_decision():
    s = laid_out((1, 1, 0, 0))
    assert waiting(s) == rules.SealedBids(0b111)
    assert [type(step).__name__ for step in s.agenda] == [
        "Round",
        "PassBell",
        "Unload",
        "Reveal",
        "SealedBids",
    ]


def test_steps_run_in_the_order_in_which_they_are_scheduled():
    s = laid_out((1, 1, 0, 0))
    s.agenda.clear()
    schedule(s, [rules.PassBell(), rules.SellPair(2), rules.PassBell()])
    advance(s)
    assert s.bell == 1
    assert waiting(s) == rules.SellPair(2)
    apply(s, 2, rules.Keep())
    assert s.bell == 2
    assert waiting(s) is None


def test_rules_that_come_to_no_decision_are_stopped():
    s = laid_out((1, 1, 0, 0))
    s.agenda[:] = [rules.PassBell()] * MAX_STEPS
    advance(s)
    assert waiting(s) is None
    s.agenda[:] = [rules.PassBell()] * (MAX_STEPS + 1)
    with pytest.raises(Runaway, match=f"{MAX_STEPS} steps"):
        advance(s)


def test_several_seats_decide_together_in_any_order():
    s = laid_out((1, 1, 0, 0))
    assert asked(s) == [0, 1, 2]
    assert rules.SealedBids(0b111).first_seat(s) == 0
    apply(s, 1, rules.Bid(2))
    assert asked(s) == [0, 2]
    assert options(s, 1) == []
    assert refusal(s, 1, rules.Bid(0)) == NOT_YOUR_DECISION
    apply(s, 2, rules.Bid(1))
    apply(s, 0, rules.Bid(0))
    assert waiting(s) == rules.ChooseGood(1)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_order_of_simultaneous_answers_does_not_matter(order):
    s = laid_out((1, 1, 0, 0))
    for seat in order:
        apply(s, seat, rules.Bid(seat))
    first = laid_out((1, 1, 0, 0))
    bid(first, 0, 1, 2)
    assert dump_table(QUAY, s) == dump_table(QUAY, first)


def test_a_decision_with_one_option_is_answered_by_the_kernel_with_an_event():
    s = laid_out((0, 2, 0, 0))
    s.journal = []
    bid(s, 0, 1, 0)
    forced = [e for e in s.journal if isinstance(e, Answered) and e.forced]
    assert forced == [Answered("Q-2.3", 1, rules.TakeGood(FURS), True, False)]
    assert waiting(s) == rules.TakeRest(0)


def test_a_decision_without_options_is_skipped_in_silence():
    s = laid_out((1, 1, 0, 0))
    s.players[0].coins = s.players[0].favours = 0
    s.journal = []
    bid(s, 0, 1, 0)
    apply(s, 1, rules.TakeGood(AMBER))
    assert waiting(s) == rules.SellPair(1)
    assert not [e for e in s.journal if isinstance(e, Answered) and e.forced]


def test_a_decision_that_is_always_asked_is_asked_with_one_option():
    s = laid_out((1, 1, 0, 0))
    bid(s, 0, 1, 0)
    apply(s, 1, rules.TakeGood(AMBER))
    apply(s, 0, rules.PayCoin())
    assert waiting(s) == rules.SellPair(1)
    assert options(s, 1) == [rules.Keep()]


def test_a_simultaneous_decision_is_never_answered_by_the_kernel():
    s = laid_out((1, 1, 0, 0))
    for player in s.players:
        player.coins = 0
    assert options(s, 0) == [rules.Bid(0)]
    advance(s)
    assert asked(s) == [0, 1, 2]


def test_options_are_the_offers_that_nothing_refuses():
    s = laid_out((1, 1, 0, 0))
    s.players[0].coins = 2
    assert options(s, 0) == [rules.Bid(0), rules.Bid(1), rules.Bid(2)]
    assert options(s, SPECTATOR) == []
    assert options(s, 99) == []


def test_a_refusal_names_rule_and_code():
    s = laid_out((1, 1, 0, 0))
    reason = refusal(s, 0, rules.Bid(9))
    assert reason == rules.TOO_DEAR
    assert (reason.rule, reason.code) == ("Q-2.2", "too_dear")


def test_what_is_not_on_offer_is_refused_without_asking_the_rule():
    s = laid_out((1, 1, 0, 0))
    assert refusal(s, 0, rules.Bid(99)) == NOT_OFFERED
    assert refusal(s, 0, rules.TakeGood(-1)) == NOT_OFFERED


def test_check_raises_what_refusal_returns():
    s = laid_out((1, 1, 0, 0))
    with pytest.raises(IllegalCommand, match=r"rule Q-2\.2: too_dear") as e:
        check(s, 0, rules.Bid(9))
    assert e.value.refusal == rules.TOO_DEAR
    check(s, 0, rules.Bid(5))


def test_after_the_end_everything_is_refused():
    s = QUAY.new(Setup(2, 1), FastChance(1))
    rollout(s, FastChance(2), 1000)
    assert waiting(s) is None
    assert asked(s) == []
    assert options(s, 0) == []
    assert refusal(s, 0, rules.Bid(0)) == GAME_OVER
    assert QUAY.over(s)


def test_only_the_seat_sees_a_secret_answer():
    s = laid_out((1, 1, 0, 0))
    s.journal = []
    apply(s, 1, rules.Bid(3))
    [answered] = s.journal
    assert answered.seen_by(1) == Answered("Q-2.2", 1, rules.Bid(3), False, True)
    for other in (0, 2, SPECTATOR):
        assert answered.seen_by(other) == Answered("", 1, None, False, True)


def test_everybody_sees_an_open_answer():
    s = laid_out((1, 1, 0, 0))
    bid(s, 0, 1, 0)
    s.journal = []
    apply(s, 1, rules.TakeGood(AMBER))
    event = Answered("Q-2.3", 1, rules.TakeGood(AMBER), False, False)
    assert s.journal[0] == event
    assert [event.seen_by(seat) for seat in (SPECTATOR, 0, 1, 2)] == [event] * 4


def test_an_event_hides_a_part_of_itself():
    s = laid_out((1, 1, 0, 0))
    s.agenda.clear()
    s.players[1].hand[FISH] += 1
    schedule(s, [rules.ThrowOne(1)])
    advance(s)
    s.journal = []
    apply(s, 1, rules.Throw(FISH))
    threw = s.journal[-1]
    assert threw.seen_by(1).good == FISH
    assert threw.seen_by(0).good == threw.seen_by(SPECTATOR).good == table.NONE


def test_a_die_decides_between_equal_bids():
    s = laid_out((1, 1, 0, 0), numbers=[1])
    bid(s, 3, 1, 3)
    assert waiting(s) == rules.ChooseGood(2)


def test_a_simulation_emits_no_events():
    s = laid_out((1, 1, 0, 0))
    s.journal = []
    twin = s.copy()
    assert twin.journal is None
    apply(twin, 0, rules.Bid(1))
    assert twin.journal is None
    assert s.journal == []


def test_options_of_one_seat_are_kept_until_the_next_decision():
    s = laid_out((1, 1, 0, 0))
    bid(s, 0, 1, 0)
    assert options(s, 1) is options(s, 1)
    assert options(s, 0) == options(s, SPECTATOR) == []
    assert s.copy().legal is s.legal
    apply(s, 1, rules.TakeGood(AMBER))
    assert options(s, 0) == [rules.PayCoin(), rules.PayFavour()]


def test_the_neutral_match_comes_to_its_end():
    s = QUAY.new(Setup(4, 3), FastChance(5))
    plies = 0
    while not QUAY.over(s):
        seat = asked(s)[0]
        command = QUAY.neutral(s, seat)
        check(s, seat, command)
        apply(s, seat, command)
        plies += 1
    assert plies == 4 * 3
    end = QUAY.result(s)
    assert end is not None
    assert any(end.won)


def test_a_playout_stops_at_its_limit():
    s = QUAY.new(Setup(), FastChance(1))
    assert rollout(s, FastChance(1), 3) == 3
    assert waiting(s) is not None
    assert rollout(s, FastChance(1), 1000) > 0
    assert waiting(s) is None
    assert rollout(s, FastChance(1), 1000) == 0
