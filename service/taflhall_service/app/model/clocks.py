"""Clocks: how much time each seat of a match has left, and when it runs out.

Only the store's clock counts, because servers' clocks may differ and may be set. Use cases get
the time as a :class:`Moment`.

A seat has a *bank*. It is charged only while a decision is pending for the seat, by what the
decision takes beyond its *free* time, and :attr:`TimeControl.increment` is added for each answer.
Two kinds of time are charged to no seat: an *outage*, when no server was alive, and a *pause*,
from when a server that goes away sends its players to another, or the match is frozen, until
one of them is back.

A seat whose time has run out is dealt with by the match's policy. If it is answered for, its
bank is filled with :func:`grace`; from the second time in a row it is *absent* and has no
more than that for a decision, until it answers itself.

Everything here is a function of values; ``matches`` and ``jobs`` commit the results.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import msgspec

from taflhall_engine.kernel.game import Fault

MAX_PAUSE_MS: Final = 60_000
"""After this time a paused match resumes even if no player has come back."""

_NEVER: Final = 1 << 62

MIN_GRACE_MS: Final = 1000
MIN_BASE_MS: Final = 1000
DAY_MS: Final = 24 * 3_600_000
MAX_MS: Final = 30 * DAY_MS

ABSENT_AFTER: Final = 2
"""Number of consecutive timeouts after which a seat counts as absent."""

Outage = tuple[int, int]
"""From when to when no server was alive."""


class Moment(NamedTuple):
    """A time by the store's clock, and the outages that have been before it."""

    ms: int
    """Milliseconds since 1970."""
    outages: tuple[Outage, ...] = ()
    """Oldest first; they do not overlap."""


class TimeoutPolicy(IntEnum):
    """What happens when the time of a seat has run out."""

    NEUTRAL = 1
    """It is given the rules' neutral answer."""
    STAND_IN = 2
    """A server-side stand-in plays for it until it comes back."""
    FORFEIT = 3
    """It has lost."""


class TimeControl(msgspec.Struct, frozen=True, array_like=True):
    """The clock settings of a match, in milliseconds."""

    base: int
    """The bank at the start."""
    increment: int = 0
    """Added to the bank for each answer."""
    per_decision: int = 0
    """How long each decision may take before the bank is charged."""
    policy: TimeoutPolicy = TimeoutPolicy.NEUTRAL


class SeatClock(msgspec.Struct, frozen=True, array_like=True):
    """The clock of one seat."""

    bank: int
    """The bank when it was last charged."""
    since: int = 0
    """From when the pending decision counts; 0 while the clock does not run."""
    missed: int = 0
    """How many decisions in a row have run out."""
    stand_in: bool = False
    """A stand-in plays for the seat: its clock does not run."""


class Clocks(msgspec.Struct, frozen=True, array_like=True):
    """The clocks of a match."""

    seats: tuple[SeatClock, ...]
    paused: int = 0
    """Since when they are paused; 0 if they are not."""
    frozen: bool = False
    """They are paused until a player is back or the match is unfrozen, or else for at most
    :data:`MAX_PAUSE_MS`."""


class ChargedClocks(NamedTuple):
    """The clocks after a move, and how much time the seat took for it."""

    clocks: Clocks
    used: int


def time_control_faults(terms: TimeControl) -> list[Fault]:
    """Return everything that is wrong with clock settings."""
    ranges = (
        ("base", terms.base, MIN_BASE_MS, MAX_MS),
        ("increment", terms.increment, 0, DAY_MS),
        ("per_decision", terms.per_decision, 0, MAX_MS),
    )
    return [
        Fault(f"time_control.{field}", "out_of_range", f"{value / 1000:g} s")
        for field, value, least, most in ranges
        if not least <= value <= most
    ]


def begin(terms: TimeControl, seats: int, pending: Container[int], now: Moment) -> Clocks:
    """Return the clocks of a match that starts."""
    return Clocks(
        tuple(SeatClock(terms.base, now.ms if seat in pending else 0) for seat in range(seats))
    )


def after_move(
    terms: TimeControl,
    clocks: Clocks,
    seat: int,
    answered: bool,
    missed: bool,
    kept: Mapping[int, str],
    pending: Mapping[int, str],
    stand_ins: Container[int],
    now: Moment,
) -> ChargedClocks:
    """Return the clocks after an answer or other action of *seat*.

    *answered* says that the seat decided itself, *missed* that its time had run out. *kept* and
    *pending* are the decisions that were pending before and are now, by id: a seat whose
    decision stays keeps its clock as it runs.
    """
    clocks = resumed(clocks, now)
    used = 0
    after: list[SeatClock] = []
    for number, clock in enumerate(clocks.seats):
        own = number == seat
        if clock.since and not own and number in pending and kept[number] == pending[number]:
            after.append(clock)
            continue
        taken = time_taken(clock, now)
        stood = number in stand_ins
        bank, times = clock.bank - charge(terms, clock, taken), clock.missed
        if clock.stand_in and not stood:
            bank = max(bank, grace(terms))
        if own:
            used = taken
            if answered:
                bank, times = bank + terms.increment, 0
            elif missed:
                bank, times = grace(terms), times + 1
        since = now.ms if number in pending and not stood else 0
        after.append(SeatClock(bank, since, times, stood))
    return ChargedClocks(Clocks(tuple(after)), used)


def with_stand_ins(
    terms: TimeControl,
    clocks: Clocks,
    pending: Container[int],
    stand_ins: Container[int],
    now: Moment,
) -> Clocks:
    """Return the clocks after a stand-in has started or ended during a decision.

    A seat with a stand-in is no longer charged; a seat that is back has at least the refill.
    """
    clocks = resumed(clocks, now)
    after: list[SeatClock] = []
    for number, clock in enumerate(clocks.seats):
        stood = number in stand_ins
        if stood and not clock.stand_in:
            bank = clock.bank - charge(terms, clock, time_taken(clock, now))
            after.append(SeatClock(bank, 0, clock.missed, True))
        elif clock.stand_in and not stood:
            since = now.ms if number in pending else 0
            after.append(SeatClock(max(clock.bank, grace(terms)), since))
        else:
            after.append(clock)
    return Clocks(tuple(after))


def grace(terms: TimeControl) -> int:
    """Return the refill of the bank of a seat that the server answered for."""
    return max(MIN_GRACE_MS, terms.increment + terms.per_decision)


def free_time(terms: TimeControl, clock: SeatClock) -> int:
    """Return how long the pending decision may take before the bank is charged."""
    return 0 if clock.missed >= ABSENT_AFTER else terms.per_decision


def time_taken(clock: SeatClock, now: Moment) -> int:
    """Return how long the pending decision has taken by now, without outages."""
    if not clock.since:
        return 0
    return max(0, now.ms - clock.since - _outage_time(now.outages, clock.since, now.ms))


def charge(terms: TimeControl, clock: SeatClock, taken: int) -> int:
    """Return the charge for a decision of that length, at most the whole bank."""
    return min(clock.bank, max(0, taken - free_time(terms, clock)))


def paused(clocks: Clocks, now: Moment) -> Clocks:
    """Return *clocks* paused from now on."""
    return Clocks(resumed(clocks, now).seats, now.ms)


def frozen(clocks: Clocks, now: Moment) -> Clocks:
    """Return *clocks* paused from now until the match is unfrozen."""
    return Clocks(resumed(clocks, now).seats, now.ms, frozen=True)


def deserted(clocks: Clocks, withdrawn: Container[int]) -> bool:
    """Return whether all seats have a stand-in, are absent or have withdrawn."""
    return all(
        clock.stand_in or clock.missed >= ABSENT_AFTER or number in withdrawn
        for number, clock in enumerate(clocks.seats)
    )


def resume_pending(clocks: Clocks, since: int, now: Moment) -> Clocks:
    """Return *clocks*, paused since *since*, as they now wait for a player."""
    return paused(Clocks(clocks.seats, clocks.paused or since, frozen=True), now)


def resumed(clocks: Clocks, now: Moment) -> Clocks:
    """Return *clocks* as they resume now: the time of a pause is charged to no seat.

    An outage within the pause is not counted twice.
    """
    if not clocks.paused:
        return clocks
    end = max(clocks.paused, min(now.ms, paused_until(clocks)))
    still = Moment(clocks.paused, now.outages)
    seats = [
        msgspec.structs.replace(clock, since=_before(end, time_taken(clock, still), now.outages))
        if clock.since
        else clock
        for clock in clocks.seats
    ]
    return Clocks(tuple(seats))


def paused_until(clocks: Clocks) -> int:
    """Return when a pause is over at the latest; 0 without a pause."""
    if not clocks.paused:
        return 0
    if clocks.frozen:
        return _NEVER
    return clocks.paused + MAX_PAUSE_MS


def is_paused(clocks: Clocks, now_ms: int) -> bool:
    """Return whether the clocks are paused at that time."""
    return now_ms < paused_until(clocks)


def deadline(terms: TimeControl, clocks: Clocks, seat: int, outages: Sequence[Outage]) -> int:
    """Return when the time of *seat* runs out if it does not answer; 0 if its clock is paused.

    A pause that has not ended yet counts with its longest possible duration.
    """
    if not clocks.seats[seat].since or clocks.frozen:
        return 0
    clock = resumed(clocks, Moment(paused_until(clocks), tuple(outages))).seats[seat]
    end = clock.since + free_time(terms, clock) + clock.bank
    for start, stop in outages:
        if stop > clock.since and start < end:
            end += stop - max(start, clock.since)
    return end


def remaining(terms: TimeControl, clocks: Clocks, seat: int, now: Moment) -> int:
    """Return the time left to *seat*: for its pending decision, otherwise its bank."""
    clock = clocks.seats[seat]
    if not clock.since:
        return clock.bank
    if clocks.paused:
        taken = time_taken(clock, Moment(clocks.paused, now.outages))
        return max(0, free_time(terms, clock) + clock.bank - taken)
    return max(0, deadline(terms, clocks, seat, now.outages) - now.ms)


def first_deadline(
    terms: TimeControl, clocks: Clocks, outages: Sequence[Outage]
) -> tuple[int, int]:
    """Return whose time runs out first, and when; ``(-1, 0)`` if no clock runs."""
    first = (-1, 0)
    for seat in range(len(clocks.seats)):
        end = deadline(terms, clocks, seat, outages)
        if end and (first[0] < 0 or end < first[1]):
            first = (seat, end)
    return first


def _outage_time(outages: Sequence[Outage], start: int, end: int) -> int:
    """Return how much of the time from *start* to *end* no server was alive."""
    lost = 0
    for out, back in outages:
        lost += max(0, min(back, end) - max(out, start))
    return lost


def _before(end: int, taken: int, outages: Sequence[Outage]) -> int:
    """Return the start of a decision that has taken that long by *end*."""
    for out, back in reversed(outages):
        if out >= end:
            continue
        alive = max(0, end - back)
        if alive >= taken:
            break
        taken -= alive
        end = out
    return end - taken
