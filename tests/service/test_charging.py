"""What a decision costs whom: the clocks as values, case by case."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflhall_service.app.model.clocks import (
    ABSENT_AFTER,
    DAY_MS,
    MAX_MS,
    MAX_PAUSE_MS,
    Clocks,
    Moment,
    SeatClock,
    TimeControl,
    TimeoutPolicy,
    after_move,
    begin,
    charge,
    deadline,
    deserted,
    first_deadline,
    frozen,
    grace,
    is_paused,
    paused,
    paused_until,
    remaining,
    resume_pending,
    resumed,
    time_control_faults,
    time_taken,
    with_stand_ins,
)
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.records import Seat

T = 1_000_000
TERMS = TimeControl(60_000, 5_000, 10_000)


def moved(clocks: Clocks, at: int, before, after, seat: int = 0, **how):
    """Return the clocks after a move of *seat*, by default an answer of its own."""
    answered, missed = how.pop("answered", True), how.pop("missed", False)
    stand_ins, outages = how.pop("stand_ins", ()), how.pop("outages", ())
    terms = how.pop("terms", TERMS)
    assert not how
    now = Moment(at, outages)
    return after_move(terms, clocks, seat, answered, missed, before, after, stand_ins, now)


@pytest.mark.parametrize(
    ("took", "bank"),
    [
        (0, 65_000),  # the increment is for every answer
        (10_000, 65_000),  # the free time is free
        (10_001, 64_999),
        (25_000, 50_000),
        (70_000, 5_000),  # all of it, and no more
        (500_000, 5_000),  # no timer had run yet
    ],
)
def test_an_answer_costs_what_it_takes_beyond_the_free_time(took, bank):
    clocks = begin(TERMS, 2, [0], Moment(T))
    after, used = moved(clocks, T + took, {0: "a"}, {1: "b"})
    assert after.seats == (SeatClock(bank), SeatClock(60_000, T + took))
    assert used == took


def test_a_clock_that_is_ahead_by_a_little_charges_nothing():
    clocks = begin(TERMS, 1, [0], Moment(T))
    after, used = moved(clocks, T - 30, {0: "a"}, {0: "b"})
    assert (used, after.seats[0].bank) == (0, 65_000)


def test_nothing_is_charged_while_nothing_is_pending():
    clocks = begin(TERMS, 2, [0], Moment(T))
    late, _ = moved(clocks, T + 30_000, {0: "a"}, {1: "b"})
    after, _ = moved(late, T + 95_000, {1: "b"}, {0: "c"}, seat=1)
    assert after.seats[0] == SeatClock(45_000, T + 95_000)
    assert after.seats[1] == SeatClock(10_000)


def test_the_clock_of_an_undecided_seat_runs_when_another_has_answered():
    clocks = begin(TERMS, 3, [0, 1, 2], Moment(T))
    after, used = moved(clocks, T + 20_000, {0: "a", 1: "b", 2: "c"}, {0: "a", 2: "c"}, seat=1)
    assert after.seats == (SeatClock(60_000, T), SeatClock(55_000), SeatClock(60_000, T))
    assert used == 20_000
    last, used = moved(after, T + 30_000, {0: "a", 2: "c"}, {2: "c"})
    assert (used, last.seats[0].bank, last.seats[2].since) == (30_000, 45_000, T)


def test_a_decision_that_falls_away_is_charged_without_an_increment():
    clocks = begin(TERMS, 2, [0, 1], Moment(T))
    after, used = moved(clocks, T + 30_000, {0: "a", 1: "b"}, {0: "c"}, seat=1)
    assert after.seats == (SeatClock(40_000, T + 30_000), SeatClock(45_000))
    assert used == 30_000
    over, _ = moved(clocks, T + 30_000, {0: "a", 1: "b"}, {}, seat=1)
    assert over.seats == (SeatClock(40_000), SeatClock(45_000))


def test_only_answers_earn_an_increment():
    clocks = begin(TERMS, 2, [0], Moment(T))
    after, _ = moved(clocks, T + 15_000, {0: "a"}, {1: "b"}, answered=False)
    assert after.seats[0] == SeatClock(55_000)
    other, used = moved(clocks, T + 15_000, {0: "a"}, {0: "a"}, seat=1, answered=False)
    assert (other, used) == (clocks, 0)


def test_a_seat_that_is_answered_for_has_the_refill_and_is_absent_after_the_second_time():
    clocks = begin(TERMS, 1, [0], Moment(T))
    assert deadline(TERMS, clocks, 0, ()) == T + 70_000
    first, used = moved(clocks, T + 70_000, {0: "a"}, {0: "b"}, answered=False, missed=True)
    assert first.seats[0] == SeatClock(15_000, T + 70_000, 1)
    assert used == 70_000
    assert deadline(TERMS, first, 0, ()) == T + 70_000 + 10_000 + 15_000
    second, _ = moved(first, T + 95_000, {0: "b"}, {0: "c"}, answered=False, missed=True)
    assert second.seats[0] == SeatClock(15_000, T + 95_000, ABSENT_AFTER)
    assert deadline(TERMS, second, 0, ()) == T + 95_000 + 15_000  # no free time beside it
    back, _ = moved(second, T + 96_000, {0: "c"}, {0: "d"})
    assert back.seats[0] == SeatClock(14_000 + 5_000, T + 96_000, 0)


@pytest.mark.parametrize(
    ("increment", "free", "filled"), [(0, 0, 1000), (5, 7, 1000), (800, 900, 1700)]
)
def test_the_refill_is_increment_and_free_time_but_a_second_at_least(increment, free, filled):
    assert grace(TimeControl(60_000, increment, free)) == filled


@pytest.mark.parametrize(
    ("outages", "lost"),
    [
        ([(T - 9_000, T - 4_000)], 0),
        ([(T - 4_000, T + 3_000)], 3_000),
        ([(T + 2_000, T + 9_000)], 7_000),
        ([(T + 2_000, T + 9_000), (T + 15_000, T + 19_000)], 11_000),
        ([(T + 15_000, T + 90_000)], 25_000),
        ([(T + 50_000, T + 90_000)], 0),
    ],
)
def test_time_without_a_server_is_charged_to_nobody(outages, lost):
    clocks = begin(TERMS, 1, [0], Moment(T))
    now = Moment(T + 40_000, tuple(outages))
    assert time_taken(clocks.seats[0], now) == 40_000 - lost
    after, _ = moved(clocks, now.ms, {0: "a"}, {0: "b"}, outages=now.outages)
    assert after.seats[0].bank == 60_000 - (40_000 - lost - 10_000) + 5_000


def test_outages_put_the_deadline_off_also_those_within_what_others_added():
    terms = TimeControl(10_000)
    clocks = begin(terms, 1, [0], Moment(T))
    outages = [(T + 8_000, T + 28_000), (T + 29_000, T + 39_000), (T + 41_500, T + 50_000)]
    assert deadline(terms, clocks, 0, outages[:1]) == T + 30_000
    assert deadline(terms, clocks, 0, outages[:2]) == T + 40_000
    assert deadline(terms, clocks, 0, outages) == T + 40_000
    assert time_taken(clocks.seats[0], Moment(T + 40_000, tuple(outages))) == 10_000


@pytest.mark.parametrize(("gap", "kept"), [(0, 0), (9_000, 9_000), (600_000, MAX_PAUSE_MS)])
def test_a_pause_is_charged_to_nobody_and_ends_by_itself(gap, kept):
    clocks = begin(TERMS, 2, [0], Moment(T))
    still = paused(clocks, Moment(T + 4_000))
    assert is_paused(still, T + 4_000 + MAX_PAUSE_MS - 1)
    assert not is_paused(still, T + 4_000 + MAX_PAUSE_MS)
    on = resumed(still, Moment(T + 4_000 + gap))
    assert on == Clocks((SeatClock(60_000, T + kept), SeatClock(60_000)))
    assert not is_paused(on, T + 4_000 + gap)
    after, used = moved(still, T + 4_000 + gap, {0: "a"}, {1: "b"})
    assert used == 4_000 + gap - kept
    assert after.paused == 0


def test_an_outage_within_a_pause_gives_no_time_back():
    clocks = begin(TimeControl(60_000), 1, [0], Moment(T))
    still = paused(clocks, Moment(T + 11_000))
    now = Moment(T + 22_000, ((T + 14_000, T + 25_000),))
    assert time_taken(resumed(still, now).seats[0], now) == 11_000
    after, used = moved(
        still, now.ms, {0: "a"}, {0: "b"}, outages=now.outages, terms=TimeControl(60_000)
    )
    assert (used, after.seats[0].bank) == (11_000, 49_000)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40)), max_size=4),
    st.integers(0, 100),
    st.integers(0, 100),
    st.integers(0, 100),
)
def test_each_second_counts_unless_the_clocks_stood_or_no_server_was_alive(gaps, think, stand, on):
    outages, at = [], T
    for gap, length in gaps:
        outages.append((at + gap, at + gap + length))
        at += gap + length
    start, still, back = T + think, T + think + stand, T + think + stand + on
    clocks = paused(begin(TimeControl(60_000), 1, [0], Moment(T)), Moment(start, tuple(outages)))
    now = Moment(still, tuple(outages))
    clocks = resumed(clocks, now)
    counted = [
        t
        for t in range(T, back)
        if not start <= t < still and not any(out <= t < end for out, end in outages)
    ]
    assert time_taken(clocks.seats[0], Moment(back, tuple(outages))) == len(counted)


def test_until_somebody_is_back_the_deadline_counts_the_longest_pause():
    clocks = begin(TERMS, 1, [0], Moment(T))
    still = paused(clocks, Moment(T + 4_000))
    assert deadline(TERMS, still, 0, ()) == T + 70_000 + MAX_PAUSE_MS
    again = paused(still, Moment(T + 14_000))
    assert deadline(TERMS, resumed(again, Moment(T + 14_000)), 0, ()) == T + 80_000


def test_a_stand_in_takes_no_time_and_who_comes_back_has_the_refill_at_least():
    clocks = begin(TERMS, 2, [0, 1], Moment(T))
    away = with_stand_ins(TERMS, clocks, [0, 1], [0], Moment(T + 70_000))
    assert away.seats == (SeatClock(0, 0, 0, True), SeatClock(60_000, T))
    assert deadline(TERMS, away, 0, ()) == 0
    assert first_deadline(TERMS, away, ()) == (1, T + 70_000)
    after, used = moved(
        away, T + 71_000, {0: "a", 1: "b"}, {0: "c", 1: "b"}, answered=False, stand_ins=[0]
    )
    assert (used, after.seats[0]) == (0, SeatClock(0, 0, 0, True))
    back = with_stand_ins(TERMS, after, [0, 1], [], Moment(T + 72_000))
    assert back.seats[0] == SeatClock(15_000, T + 72_000)
    assert back.seats[1] == SeatClock(60_000, T)


def test_the_first_deadline_is_that_of_the_seat_whose_time_is_up_first():
    clocks = Clocks((SeatClock(9_000, T), SeatClock(3_000, T + 1), SeatClock(1_000)))
    assert first_deadline(TERMS, clocks, ()) == (1, T + 13_001)
    assert first_deadline(TERMS, Clocks((SeatClock(1),)), ()) == (-1, 0)


def test_clock_settings_are_judged_with_all_their_faults():
    assert time_control_faults(TimeControl(1000)) == []
    assert time_control_faults(TimeControl(MAX_MS, DAY_MS, MAX_MS, TimeoutPolicy.FORFEIT)) == []
    wrong = time_control_faults(TimeControl(999, -1, MAX_MS + 1))
    assert [fault.field for fault in wrong] == [
        "time_control.base",
        "time_control.increment",
        "time_control.per_decision",
    ]
    assert wrong[0].found == "0.999 s"


@pytest.mark.parametrize(
    ("terms", "fields"),
    [
        (TimeControl(1000, 0, 0), []),
        (TimeControl(999), ["base"]),
        (TimeControl(MAX_MS + 1), ["base"]),
        (TimeControl(1000, DAY_MS + 1), ["increment"]),
        (TimeControl(1000, -1), ["increment"]),
        (TimeControl(1000, 0, -1), ["per_decision"]),
        (TimeControl(1000, 0, MAX_MS + 1), ["per_decision"]),
    ],
)
def test_each_clock_setting_has_a_least_and_a_greatest_value(terms, fields):
    assert [fault.field for fault in time_control_faults(terms)] == [
        f"time_control.{field}" for field in fields
    ]
    assert {fault.code for fault in time_control_faults(terms)} <= {"out_of_range"}
    assert (DAY_MS, MAX_MS) == (86_400_000, 2_592_000_000)


def test_an_act_of_no_seat_takes_no_time():
    clocks = begin(TERMS, 2, [0], Moment(T))
    assert moved(clocks, T + 9_000, {0: "a"}, {0: "a"}, seat=-1, answered=False) == (clocks, 0)


def test_an_answer_ends_a_decision_even_if_an_equal_one_follows():
    clocks = begin(TERMS, 1, [0], Moment(T))
    after, used = moved(clocks, T + 15_000, {0: "a"}, {0: "a"}, answered=False)
    assert (after.seats[0], used) == (SeatClock(55_000, T + 15_000), 15_000)


def test_an_answer_resets_the_missed_decisions_and_a_miss_fills_the_bank_exactly():
    clocks = Clocks((SeatClock(100_000, T, 1), SeatClock(5_000, T, 1)))
    after, _ = moved(clocks, T + 10_000, {0: "a", 1: "b"}, {1: "b"})
    assert after.seats == (SeatClock(105_000), SeatClock(5_000, T, 1))
    late, _ = moved(clocks, T + 10_000, {0: "a", 1: "b"}, {1: "b"}, answered=False, missed=True)
    assert late.seats[0] == SeatClock(15_000, 0, 2)


def test_a_player_who_returns_by_answering_gets_refill_and_increment():
    clocks = Clocks((SeatClock(3_000, 0, 2, True), SeatClock(60_000)))
    after, _ = moved(clocks, T, {0: "a"}, {0: "b"})
    assert after.seats[0] == SeatClock(20_000, T)
    rich = Clocks((SeatClock(30_000, 0, 2, True), SeatClock(60_000)))
    assert moved(rich, T, {0: "a"}, {0: "b"})[0].seats[0] == SeatClock(35_000, T)


def test_a_stand_in_that_starts_costs_what_the_decision_took_and_keeps_what_was_missed():
    clocks = Clocks((SeatClock(60_000, T, 1), SeatClock(60_000, T)))
    away = with_stand_ins(TERMS, clocks, [0, 1], [0], Moment(T + 30_000))
    assert away.seats == (SeatClock(40_000, 0, 1, True), SeatClock(60_000, T))
    both = with_stand_ins(TERMS, away, [0, 1], [0, 1], Moment(T + 31_000))
    assert both.seats == (SeatClock(40_000, 0, 1, True), SeatClock(39_000, 0, 0, True))
    back = with_stand_ins(TERMS, away, [1], [], Moment(T + 40_000))
    assert back.seats[0] == SeatClock(40_000, 0, 0)


def test_what_is_left_counts_the_free_time_and_stands_still_in_a_pause():
    clocks = Clocks((SeatClock(60_000, T), SeatClock(7_000)))
    assert remaining(TERMS, clocks, 0, Moment(T + 4_000)) == 66_000
    assert remaining(TERMS, clocks, 0, Moment(T + 99_000)) == 0
    assert remaining(TERMS, clocks, 1, Moment(T + 4_000)) == 7_000
    still = paused(clocks, Moment(T + 4_000))
    assert remaining(TERMS, still, 0, Moment(T + 30_000)) == 66_000
    assert remaining(TERMS, paused(clocks, Moment(T + 99_000)), 0, Moment(T + 99_000)) == 0


@pytest.mark.parametrize("withdrawn", [(), (1,), (0, 1, 2)])
def test_a_match_is_deserted_when_nobody_plays_for_himself(withdrawn):
    clocks = Clocks((SeatClock(0, stand_in=True), SeatClock(0), SeatClock(0, missed=ABSENT_AFTER)))
    assert deserted(clocks, withdrawn) == bool(withdrawn)
    some = Clocks((SeatClock(0, missed=ABSENT_AFTER - 1),))
    assert not deserted(some, ())
    assert deserted(some, (0,))


def test_frozen_clocks_have_no_deadline_and_pause_until_somebody_is_back():
    clocks = begin(TERMS, 1, [0], Moment(T))
    ice = frozen(clocks, Moment(T + 4_000))
    assert (ice.paused, ice.frozen) == (T + 4_000, True)
    assert deadline(TERMS, ice, 0, ()) == 0
    assert is_paused(ice, T + 10**12)
    assert remaining(TERMS, ice, 0, Moment(T + 10**9)) == 66_000
    thawed = resume_pending(ice, T + 1, Moment(T + 50_000))
    assert (thawed.paused, thawed.frozen) == (T + 50_000, False)
    assert resumed(thawed, Moment(T + 51_000)).seats[0].since == T + 51_000 - 4_000
    late = resume_pending(ice, T + 1, Moment(T + 500_000))
    assert resumed(late, Moment(T + 500_000)).seats[0].since == T + 500_000 - 4_000
    damaged = resume_pending(clocks, T + 3_000, Moment(T + 50_000))
    assert resumed(damaged, Moment(T + 50_000)).seats[0].since == T + 47_000
    assert paused_until(clocks) == 0
    assert paused_until(thawed) == T + 50_000 + MAX_PAUSE_MS


def test_the_lower_seat_is_first_if_two_deadlines_are_at_the_same_time():
    clocks = Clocks((SeatClock(1), SeatClock(5_000, T), SeatClock(5_000, T)))
    assert first_deadline(TERMS, clocks, ()) == (1, T + 15_000)
    early = Clocks((SeatClock(5_000, T), SeatClock(5_001, T), SeatClock(6_000, T)))
    assert first_deadline(TERMS, early, ()) == (0, T + 15_000)


@pytest.mark.parametrize(("back", "since"), [(20_000, 12_000), (13_000, 5_000), (12_000, 1_000)])
def test_after_a_pause_the_decision_has_taken_as_long_as_before_it(back, since):
    """Of 11 s before the pause no server was alive for 3, so 8 s count."""
    outages = ((T + 2_000, T + 5_000),)
    clocks = begin(TERMS, 1, [0], Moment(T))
    now = Moment(T + back, outages)
    still = paused(clocks, Moment(T + 11_000, outages))
    assert time_taken(resumed(still, now).seats[0], now) == 8_000
    assert resumed(still, now).seats[0].since == T + since
    late = ((T + 2_000, T + 5_000), (T + 90_000, T + 95_000))
    assert resumed(still, Moment(T + back, late)).seats[0].since == T + since


def playing(clocks: Clocks | None, pending, stand_ins=(), terms=TERMS) -> Any:
    """What a match is to its next deadline."""
    return SimpleNamespace(
        clocks=clocks,
        origin=SimpleNamespace(clock=terms),
        pending=dict.fromkeys(pending, "id"),
        seats=[Seat(stand_in=seat in stand_ins) for seat in range(3)],
    )


def test_the_server_acts_for_a_stand_in_at_once_and_for_the_others_when_time_is_up():
    clocks = begin(TERMS, 3, [1, 2], Moment(T))
    assert Match.next_deadline(playing(clocks, [1, 2]), ()) == (1, T + 70_000)
    assert Match.next_deadline(playing(clocks, [1, 2], [2]), ()) == (2, 0)
    assert Match.next_deadline(playing(clocks, [1, 2], [0]), ()) == (1, T + 70_000)
    still = paused(clocks, Moment(T + 5_000))
    assert Match.next_deadline(playing(still, [1], [1]), ()) == (-1, T + 65_000)
    bots = playing(None, [1, 2])
    bots.seats[2] = Seat(bot="random")
    assert Match.next_deadline(bots, ()) == (2, 0)
    for idle in (
        playing(clocks, []),
        playing(None, [1]),
        playing(clocks, [1], terms=None),
        playing(frozen(clocks, Moment(T)), [1]),
        playing(Clocks((SeatClock(1),) * 3), [1]),
    ):
        assert Match.next_deadline(idle, ()) is None


@pytest.mark.parametrize(
    ("outage", "later"),
    [
        ((T - 9_000, T - 5_000), 0),
        ((T - 9_000, T), 0),  # over when the decision began
        ((T - 9_000, T + 1), 1),
        ((T + 69_999, T + 80_000), 10_001),
        ((T + 70_000, T + 80_000), 0),  # time was up before
    ],
)
def test_an_outage_puts_a_deadline_off_by_what_it_has_of_the_decision(outage, later):
    clocks = begin(TERMS, 1, [0], Moment(T))
    assert deadline(TERMS, clocks, 0, [outage]) == T + 70_000 + later


def test_clocks_are_stored_as_they_are():
    clocks = Clocks((SeatClock(5, T, 2, True), SeatClock(7)), T)
    packed = msgspec.msgpack.encode(clocks)
    assert msgspec.msgpack.decode(packed, type=Clocks) == clocks
    assert msgspec.convert(msgspec.msgpack.decode(packed), Clocks) == clocks


TERMS_OF = st.builds(
    TimeControl, st.integers(1000, 100_000), st.integers(0, 20_000), st.integers(0, 20_000)
)


@settings(max_examples=150, deadline=None)
@given(TERMS_OF, st.data())
def test_banks_change_by_increments_and_refills_less_charges_whatever_happens(terms, data):
    """Two seats play, are late, are away, stop and lose their servers; every bank adds up."""
    draw = data.draw
    now, outages = T, []
    before = {0: "0"}
    clocks = begin(terms, 2, before, Moment(now))
    banks = [terms.base, terms.base]
    for number in range(1, draw(st.integers(2, 25))):
        now += draw(st.integers(0, 60_000))
        if draw(st.integers(0, 5)) == 0:
            gone = draw(st.integers(3001, 90_000))
            outages.append((now, now + gone))
            now += gone
        if draw(st.integers(0, 5)) == 0:
            clocks = paused(clocks, Moment(now, tuple(outages)))
            now += draw(st.integers(0, 90_000))
        moment = Moment(now, tuple(outages))
        seat = draw(st.sampled_from(sorted(before)))
        others = draw(st.sampled_from([(0,), (1,), (0, 1)]))
        stays = {s: before[s] for s in before if s != seat and s in others}
        after = stays | {s: f"{number}.{s}" for s in others if s not in stays}
        end = deadline(terms, clocks, seat, outages)
        missed = now >= end
        alive = resumed(clocks, moment)
        for s, clock in enumerate(alive.seats):
            if clock.since and s not in stays:
                cost = charge(terms, clock, time_taken(clock, moment))
                banks[s] -= cost
                if missed and s == seat:
                    assert banks[s] == 0  # a deadline is where nothing is left
        banks[seat] += grace(terms) if missed else terms.increment
        clocks, _ = after_move(terms, clocks, seat, not missed, missed, before, after, (), moment)
        assert [clock.bank for clock in clocks.seats] == banks
        assert min(banks) >= 0
        assert all(bool(clock.since) == (s in after) for s, clock in enumerate(clocks.seats))
        before = after


@settings(max_examples=150, deadline=None)
@given(TERMS_OF, st.lists(st.tuples(st.integers(0, 90_000), st.integers(1, 90_000)), max_size=6))
def test_a_deadline_is_the_first_moment_at_which_nothing_is_left(terms, gaps):
    outages, at = [], T - 20_000
    for gap, length in gaps:
        outages.append((at + gap, at + gap + length))
        at += gap + length
    clocks = begin(terms, 1, [0], Moment(T))
    end = deadline(terms, clocks, 0, outages)
    seat = clocks.seats[0]
    assert charge(terms, seat, time_taken(seat, Moment(end, tuple(outages)))) == terms.base
    before = time_taken(seat, Moment(end - 1, tuple(outages)))
    assert charge(terms, seat, before) < terms.base
