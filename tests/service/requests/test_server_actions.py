"""What the server does in a match by itself: time out, stand in, pause, freeze, start."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_engine.kernel.agenda import options
from taflhall_engine.kernel.meta_commands import FORFEIT, TIMEOUT, Withdrawals
from taflhall_service.app.access.credentials import ANONYMOUS, Identity
from taflhall_service.app.matches.clock_updates import PauseClocks, with_seats
from taflhall_service.app.matches.freeze import SetFrozen
from taflhall_service.app.matches.start import StartMatch, with_players
from taflhall_service.app.matches.timeouts import ExpireSeat, PlayStandIn
from taflhall_service.app.model import clocks, codec
from taflhall_service.app.model.clocks import (
    MAX_PAUSE_MS,
    Clocks,
    Moment,
    SeatClock,
    TimeControl,
    TimeoutPolicy,
)
from taflhall_service.app.model.match import ABANDONED, FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Seat
from taflhall_service.app.model.tokens import decision_id
from tests.service.requests.matches import (
    CREATOR,
    NOW,
    bot,
    caller,
    changed_often,
    does_nothing,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)

FREE = Seat()
DUE = 3000
"""When the time of the seat that decides runs out in :func:`timed`."""


def timed(policy: TimeoutPolicy = TimeoutPolicy.NEUTRAL, *seats: Seat) -> Match:
    """Return a match with clocks, in which one seat has a second from 2000 on."""
    held = seats or (seat("ann"), seat("bob"))
    return playing(*held, clock=TimeControl(1000, policy=policy))


def decider(match: Match) -> int:
    [number] = match.pending
    return number


def deadline(change: Any) -> int:
    return int(change.fields["deadline"])


# ---------------------------------------------------------------- timeouts


def test_a_seat_is_timed_out_when_its_time_is_over_and_not_before():
    match = timed()
    number = decider(match)
    assert does_nothing(ExpireSeat(number), match, Moment(DUE - 1))
    change = prepared(ExpireSeat(number), match, Moment(DUE))
    [entry] = change.entries
    assert (entry.seat, entry.command) == (number, TIMEOUT)
    assert change.not_before == DUE
    assert change.match.clocks is not None
    assert change.match.clocks.seats[number].missed == 1


def test_nobody_else_is_timed_out():
    match = timed()
    assert does_nothing(ExpireSeat(1 - decider(match)), match, Moment(DUE))
    bots = timed(TimeoutPolicy.NEUTRAL, bot("A"), bot("B"))
    assert does_nothing(ExpireSeat(decider(bots)), bots, Moment(DUE))
    untimed = playing(seat("ann"), seat("bob"))
    assert does_nothing(ExpireSeat(decider(untimed)), untimed, Moment(DUE))
    automatic = playing(bot("A"), bot("B"))
    assert does_nothing(ExpireSeat(decider(automatic)), automatic, Moment(DUE))


def test_nobody_is_timed_out_while_the_clocks_wait():
    match = timed()
    waiting = Clocks((SeatClock(1000, 2000), SeatClock(1000, 2000)), 2500, frozen=True)
    for number in range(2):
        assert does_nothing(ExpireSeat(number), match.replaced(clocks=waiting), Moment(DUE))


def test_a_seat_whose_time_is_over_has_lost_if_so_agreed():
    match = timed(TimeoutPolicy.FORFEIT)
    change = prepared(ExpireSeat(decider(match)), match, Moment(DUE))
    assert change.entries[0].command == FORFEIT
    assert change.match.status == FINISHED


def test_a_stand_in_plays_for_a_seat_whose_time_is_over_if_so_agreed():
    match = timed(TimeoutPolicy.STAND_IN)
    number = decider(match)
    change = prepared(ExpireSeat(number), match, Moment(DUE))
    assert [each.stand_in for each in change.match.seats] == [n == number for n in range(2)]
    assert not change.entries
    assert change.not_before == DUE
    assert {"seats", "clocks", "deadline"} == change.fields.keys()
    assert change.match.clocks is not None
    assert not change.match.clocks.frozen
    assert deadline(change) == 0


def test_the_clocks_wait_when_the_last_player_has_gone():
    match = timed(TimeoutPolicy.STAND_IN)
    number = decider(match)
    seats = [seat("ann"), seat("bob")]
    seats[1 - number] = seat("gone", stand_in=True)
    assert match.clocks is not None
    held = [*match.clocks.seats]
    held[1 - number] = SeatClock(1000, stand_in=True)
    match = match.replaced(seats=tuple(seats), clocks=Clocks(tuple(held)))
    change = prepared(ExpireSeat(number), match, Moment(DUE))
    assert change.match.clocks is not None
    assert change.match.clocks.frozen
    assert change.fields["deadline"] == b""


def test_one_timeout_has_a_key_of_its_own():
    match = timed()
    nobody = ExpireSeat(0).authorize(match)
    keys = {
        ExpireSeat(0).key(match, nobody),
        ExpireSeat(1).key(match, nobody),
        ExpireSeat(0).key(changed_often(match, 5), nobody),
    }
    assert len(keys) == 3


# ---------------------------------------------------------------- stand-ins and bots


def test_the_server_answers_for_its_bot_at_the_revision_it_has_seen():
    match = playing(bot("A"), bot("B"))
    number = decider(match)
    change = prepared(PlayStandIn(0, number, (0,)), match)
    [entry] = change.entries
    assert match.table is not None
    assert (entry.seat, entry.command) == (number, options(match.table, number)[0])
    assert does_nothing(PlayStandIn(1, number, (0,)), match)
    assert does_nothing(PlayStandIn(0, 1 - number, (0,)), match)
    assert does_nothing(PlayStandIn(0, number, (0,)), playing(seat("ann"), seat("bob")))


def test_the_end_of_a_stand_in_starts_the_clock_and_without_clocks_nothing():
    match = timed(TimeoutPolicy.STAND_IN)
    number = decider(match)
    gone = prepared(ExpireSeat(number), match, Moment(DUE)).match
    back = with_seats(gone, match.seats, NOW)
    assert back.clocks is not None
    assert back.clocks.seats[number].since == NOW.ms
    assert back.version.change_count == gone.version.change_count + 1
    assert back.seats == match.seats
    untimed = playing(seat("ann"), seat("bob"))
    same = with_seats(untimed, (seat("ann"), seat("cy")), NOW)
    assert same.clocks is None
    assert same.seats[1] == seat("cy")
    assert same.version.change_count == untimed.version.change_count + 1


# ---------------------------------------------------------------- pauses


def test_clocks_are_paused_once_and_resumed_once():
    match = timed()
    change = prepared(PauseClocks(True), match)
    after = change.match.clocks
    assert after is not None
    assert (after.paused, after.frozen) == (NOW.ms, False)
    assert change.match.version.change_count == 2
    assert {"clocks", "deadline"} == change.fields.keys()
    assert does_nothing(PauseClocks(True), change.match, Moment(NOW.ms + MAX_PAUSE_MS - 1))
    resumed = prepared(PauseClocks(False), change.match, Moment(NOW.ms + 10))
    assert resumed.match.clocks is not None
    assert resumed.match.clocks.paused == 0
    assert does_nothing(PauseClocks(False), match)


def test_a_pause_that_is_over_may_be_followed_by_another():
    paused = prepared(PauseClocks(True), timed()).match
    again = prepared(PauseClocks(True), paused, Moment(NOW.ms + MAX_PAUSE_MS))
    assert again.match.clocks is not None
    assert again.match.clocks.paused == NOW.ms + MAX_PAUSE_MS


@pytest.mark.parametrize("pause", [True, False])
def test_nothing_is_paused_where_no_clock_runs(pause: bool):
    assert does_nothing(PauseClocks(pause), playing(seat("ann"), seat("bob")))
    over = timed().replaced(status=FINISHED)
    assert does_nothing(PauseClocks(pause), over)
    stopped = Clocks((SeatClock(1), SeatClock(1)), paused=4000)
    assert does_nothing(PauseClocks(pause), over.replaced(clocks=stopped))


def test_a_pause_and_its_end_have_keys_of_their_own_at_each_version():
    match = timed()
    nobody = PauseClocks(True).authorize(match)
    keys = {
        request.key(version, nobody)
        for request in (PauseClocks(True), PauseClocks(False))
        for version in (match, changed_often(match, 5))
    }
    assert len(keys) == 4


# ---------------------------------------------------------------- freezes


def test_a_match_is_frozen_with_its_clocks():
    change = prepared(SetFrozen(b"", b"admin: why"), timed())
    after = change.match.clocks
    assert after is not None
    assert (after.paused, after.frozen) == (NOW.ms, True)
    assert change.fields["frozen"] == b"admin: why"
    assert change.fields["deadline"] == b""
    assert change.frozen == b""
    assert change.match.version.change_count == 2


def test_clocks_that_wait_for_a_player_stay_as_they_are_when_the_match_is_frozen():
    waiting = Clocks((SeatClock(1000, 2000), SeatClock(1000)), 4000, frozen=True)
    change = prepared(SetFrozen(b"", b"admin: why"), timed().replaced(clocks=waiting))
    assert change.match.clocks == waiting


def test_the_clocks_of_a_match_that_is_freed_wait_for_a_player():
    frozen = prepared(SetFrozen(b"", b"admin: why"), timed(), Moment(2100)).match
    change = prepared(SetFrozen(b"admin: why", b"", since=2500), frozen)
    after = change.match.clocks
    assert after is not None
    assert (after.paused, after.frozen) == (NOW.ms, False)
    assert clocks.remaining(TimeControl(1000), after, decider(frozen), NOW) == 900
    assert (change.fields["frozen"], change.frozen) == (b"", b"admin: why")
    damaged = prepared(SetFrozen(b"damaged", b"", since=2500), timed()).match.clocks
    assert damaged is not None
    assert clocks.remaining(TimeControl(1000), damaged, decider(frozen), NOW) == 500


@pytest.mark.parametrize("match", [playing(seat("ann"), seat("bob")), open_match(FREE, FREE)])
def test_a_match_without_clocks_is_frozen_as_well(match: Match):
    change = prepared(SetFrozen(b"", b"admin: why"), match)
    assert change.match.clocks is None
    assert change.fields == {"frozen": b"admin: why"}
    assert change.match.version.change_count == match.version.change_count + 1


def test_the_clocks_of_a_match_that_is_over_do_not_change():
    over = timed().replaced(status=FINISHED)
    assert prepared(SetFrozen(b"", b"admin: why"), over).match.clocks == over.clocks


def test_every_freeze_is_a_request_of_its_own():
    match = timed()
    nobody = SetFrozen(b"", b"admin: why").authorize(match)
    keys = {SetFrozen(b"", b"admin: why").key(match, nobody) for _ in range(2)}
    assert len(keys) == 2


# ---------------------------------------------------------------- the start


def starting(who: Identity) -> StartMatch:
    return StartMatch(who)


@pytest.mark.parametrize("who", [CREATOR, "ann"])
def test_the_creator_and_the_players_start_a_match_once(who: str):
    match = open_match(seat("ann"), seat("bob"))
    change = prepared(starting(caller(who)), match)
    assert change.match.status == PLAYING
    assert change.match.version.change_count == 2
    assert {"snapshot", "status"} == change.fields.keys()
    assert does_nothing(starting(caller(who)), change.match)
    assert does_nothing(starting(caller(who)), change.match.replaced(status=FINISHED))
    for other, reason in ((ANONYMOUS, "SecretMissing"), (caller("eve"), "SecretInvalid")):
        assert refusal(starting(other), match)[0] == reason


def test_a_match_starts_when_all_seats_are_taken():
    match = open_match(seat("ann"), FREE, Seat(invited="bob"))
    refused = refusal(starting(caller("ann")), match)
    assert refused == ("NotAllSeated", {"free": "1,2"})
    over = open_match(seat("ann"), FREE).replaced(status=ABANDONED)
    assert refusal(starting(caller("ann")), over) == ("MatchOver", {"match_id": "match"})


def test_a_match_starts_with_the_decisions_and_the_clocks_of_its_first_seats():
    terms = TimeControl(7000)
    match = open_match(seat("ann"), bot(), clock=terms)
    change = prepared(starting(caller("ann")), match)
    started = change.match
    [number] = started.pending
    head, chain = match.version.head, match.origin.chain
    assert started.pending == {number: decision_id(chain, head, 0, number)}
    assert started.result is None
    ann, robot = SeatClock(7000, NOW.ms if number == 0 else 0), SeatClock(7000, stand_in=True)
    assert started.clocks == Clocks((ann, robot))
    assert {"snapshot", "status", "clocks", "deadline"} == change.fields.keys()
    assert change.fields["status"] == b"playing"


def test_players_who_sit_down_start_a_match_that_is_full():
    waiting = open_match(FREE, FREE, start_when_full=True)
    full = (seat("ann"), seat("bob"))
    assert with_players(waiting, full, NOW).match.status == PLAYING
    for match, seats in ((waiting, (seat("ann"), FREE)), (open_match(FREE, FREE), full)):
        change = with_players(match, seats, NOW)
        assert change.match.status == OPEN
        assert change.fields == {"seats": codec.encode(seats)}
        assert change.match.version.change_count == 2


def test_clocks_of_seats_that_have_withdrawn_do_not_keep_a_match_going():
    match = timed(TimeoutPolicy.STAND_IN, seat("ann"), seat("bob"), seat("cy"))
    number = decider(match)
    others = tuple(other for other in range(3) if other != number)
    alone = match.replaced(withdrawn=Withdrawals(others))
    change = prepared(ExpireSeat(number), alone, Moment(DUE))
    assert change.match.clocks is not None
    assert change.match.clocks.frozen
    left = match.replaced(withdrawn=Withdrawals(others[:1]))
    change = prepared(ExpireSeat(number), left, Moment(DUE))
    assert change.match.clocks is not None
    assert not change.match.clocks.frozen
