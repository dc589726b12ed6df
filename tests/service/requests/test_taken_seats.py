"""Requests about seats that are taken: leave, delegate, reclaim, meet again."""

from __future__ import annotations

import pytest

from taflhall_engine.kernel.meta_commands import RESIGN
from taflhall_service.app.access.credentials import Identity, digest_of
from taflhall_service.app.errors import InvalidName
from taflhall_service.app.matches.rematch import JoinRematch, LinkRematch, next_seat
from taflhall_service.app.matches.seats import (
    PERSON,
    PROGRAM,
    DelegateSeat,
    LeaveMatch,
    ReclaimSeat,
    delegate,
    most_changes,
)
from taflhall_service.app.matches.submit import ResignSeat
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import Clocks, SeatClock, TimeControl
from taflhall_service.app.model.match import ABANDONED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Deputy, Proposal, Seat
from tests.service.requests.matches import (
    FINGERPRINT,
    LIMITS,
    NOW,
    account,
    caller,
    changed_often,
    deputy,
    does_nothing,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)
from tests.service.requests.process import Process

FREE = Seat()
TERMS = TimeControl(60_000)


def leaving(who: Identity, number: int | None = None) -> LeaveMatch:
    return LeaveMatch(who, number, "id", FINGERPRINT)


def delegating(
    who: Identity, number: int | None = None, permanent: bool = False, kind: int = 0
) -> DelegateSeat:
    return DelegateSeat.of(LIMITS, who, number, "Dee", kind, permanent, "r" * 16, FINGERPRINT)


def test_leaving_frees_all_own_seats_or_one():
    match = open_match(seat("ann"), seat("bob"), seat("ann", deputy=deputy("cy")))
    change = prepared(leaving(caller("ann")), match)
    assert change.match.seats == (FREE, seat("bob"), FREE)
    assert change.match.version.change_count == 2
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    one = prepared(leaving(caller("ann"), 2), match)
    assert one.match.seats == (seat("ann"), seat("bob"), FREE)


def test_nobody_else_leaves_and_nobody_after_the_start():
    match = open_match(seat("ann"), seat("bob", deputy=deputy("cy")))
    assert refusal(leaving(caller("ann"), 1), match) == ("NotYourSeat", {"seat": "1"})
    assert refusal(leaving(caller("cy")), match)[0] == "Forbidden"
    assert refusal(leaving(caller("dee")), match)[0] == "SecretInvalid"
    assert refusal(leaving(caller("ann")), playing(seat("ann"), seat("bob")))[0] == "AlreadyStarted"


def test_a_deputy_acts_for_the_holder_and_a_stand_in_goes():
    match = playing(seat("ann", stand_in=True), seat("bob"))
    request = delegating(caller("ann"))
    change = prepared(request, match)
    held = Deputy("Dee", PERSON, digest_of(request.secret(match)))
    assert change.match.seats == (seat("ann", deputy=held), seat("bob"))
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    deputised = prepared(delegating(caller("ann"), kind=PROGRAM), match).match.seats[0].deputy
    assert deputised is not None
    assert deputised.kind == PROGRAM


def test_an_heir_has_the_seat_and_has_agreed_to_nothing():
    proposal = Proposal("p", 0, 0, 0, (0,), 0)
    match = playing(seat("ann", account="ann", deputy=deputy("cy")), seat("bob"))
    match = match.replaced(proposed=proposal)
    request = delegating(caller("ann"), permanent=True)
    change = prepared(request, match)
    assert change.match.seats[0] == Seat("Dee", PERSON, digest_of(request.secret(match)))
    assert change.match.proposed is None
    assert change.fields["proposal"] == b""
    kept = prepared(delegating(caller("ann")), match)
    assert kept.match.proposed == proposal
    assert "proposal" not in kept.fields


def test_a_deputy_may_be_called_like_the_holder_and_like_nobody_else():
    own = open_match(Seat("Dee", PERSON, digest_of("ann")), seat("bob"))
    prepared(delegating(caller("ann")), own)
    other = open_match(seat("ann"), seat("dee"))
    assert refusal(delegating(caller("ann")), other) == ("NameTaken", {"name": "Dee"})
    with pytest.raises(InvalidName):
        DelegateSeat.of(LIMITS, caller("ann"), None, "", 0, False, "r" * 16, FINGERPRINT)
    with pytest.raises(InvalidName):
        DelegateSeat.of(LIMITS, caller("ann"), None, "Dee", 0, False, "short", FINGERPRINT)


def test_the_holder_delegates_and_not_a_deputy():
    match = playing(seat("ann", deputy=deputy("cy")), seat("bob"))
    assert refusal(delegating(caller("cy")), match)[0] == "Forbidden"
    assert refusal(delegating(caller("ann"), 1), match) == ("NotYourSeat", {"seat": "1"})
    over = match.replaced(status=ABANDONED)
    assert refusal(delegating(caller("ann")), over)[0] == "MatchOver"


def test_a_delegation_without_a_request_id_has_a_secret_of_its_own():
    match = playing(seat("ann"), seat("bob"))
    requests = [
        DelegateSeat.of(LIMITS, caller("ann"), None, "Dee", 0, False, "", FINGERPRINT)
        for _ in range(2)
    ]
    assert len({request.secret(match) for request in requests}) == 2
    same = [delegating(caller("ann")).secret(match) for _ in range(2)]
    assert len(set(same)) == 1
    assert delegating(caller("bob")).secret(match) != same[0]


@pytest.mark.parametrize(
    ("match", "most"),
    [(open_match(seat("ann"), FREE), 5), (playing(seat("ann"), seat("bob")), 10)],
)
def test_seats_are_delegated_half_as_often_before_the_start(match: Match, most: int):
    assert most_changes(match, LIMITS.match_changes) == most
    prepared(delegating(caller("ann")), changed_often(match, most - 1))
    refused = refusal(delegating(caller("ann")), changed_often(match, most))
    assert refused == ("MatchTooLong", {"limit": str(most)})


def test_reclaiming_a_seat_ends_its_deputy_or_stand_in():
    for held in (seat("ann", deputy=deputy("cy")), seat("ann", stand_in=True)):
        change = prepared(ReclaimSeat(caller("ann"), None), playing(held, seat("bob")))
        assert change.match.seats == (seat("ann"), seat("bob"))
        assert change.match.version.change_count == 2
        assert change.fields == {"seats": codec.encode(change.match.seats)}
    assert does_nothing(ReclaimSeat(caller("ann"), None), playing(seat("ann"), seat("bob")))
    match = playing(seat("ann", deputy=deputy("cy")), seat("bob"))
    assert refusal(ReclaimSeat(caller("cy"), None), match)[0] == "Forbidden"
    assert refusal(ReclaimSeat(caller("ann"), 1), match)[0] == "NotYourSeat"
    over = match.replaced(status=ABANDONED)
    assert refusal(ReclaimSeat(caller("ann"), None), over)[0] == "MatchOver"


def test_the_clock_of_a_reclaimed_seat_runs_from_now_on():
    match = playing(seat("ann", stand_in=True), seat("bob"), clock=TERMS)
    clocks = Clocks((SeatClock(60_000, stand_in=True), SeatClock(60_000)))
    match = match.replaced(clocks=clocks, pending={0: "id"})
    change = prepared(ReclaimSeat(caller("ann"), None), match)
    after = change.match.clocks
    assert after is not None
    assert (after.seats[0].since, after.seats[0].stand_in) == (NOW.ms, False)
    assert {"seats", "clocks", "deadline"} == change.fields.keys()


async def test_a_repeated_delegation_gets_the_same_secret():
    process = Process()
    await process.hold(playing(seat("ann"), seat("bob")))
    first = await delegate(process.matches, "match", delegating(caller("ann")))
    again = await delegate(process.matches, "match", delegating(caller("ann")))
    assert first.match is process.matches.cached("match")
    assert (again.match, again.secret) == (None, first.secret)


def test_a_seat_resigns_once_while_the_match_is_played():
    match = playing(seat("ann"), seat("ann"), seat("bob"))
    for number, resigned in ((None, 0), (1, 1)):
        change = prepared(ResignSeat(caller("ann"), number, "id", FINGERPRINT), match)
        [entry] = change.entries
        assert (entry.seat, entry.command) == (resigned, RESIGN)
        assert change.match.withdrawn.seats == (resigned,)
        assert does_nothing(ResignSeat(caller("ann"), number, "id", FINGERPRINT), change.match)
    request = ResignSeat(caller("ann"), None, "id", FINGERPRINT)
    assert refusal(request, open_match(seat("ann"), FREE))[0] == "NotStarted"
    assert refusal(request, match.replaced(status=ABANDONED))[0] == "MatchOver"
    request = ResignSeat(caller("ann"), 2, "id", FINGERPRINT)
    assert refusal(request, match) == ("NotYourSeat", {"seat": "2"})


# ---------------------------------------------------------------- rematches


def test_every_player_moves_on_by_one_seat():
    assert [next_seat(open_match(FREE, FREE, FREE), number) for number in range(3)] == [1, 2, 0]


def over(*seats: Seat) -> Match:
    return playing(*seats).replaced(status=ABANDONED)


def meeting(who: Identity, previous: Match, *held: int) -> JoinRematch:
    return JoinRematch(who, previous, held, "id", FINGERPRINT, LIMITS.match_changes)


def test_a_player_gets_as_many_seats_of_the_rematch_with_the_same_name():
    previous = over(
        seat("ann", account="ann", deputy=deputy("dee")), seat("bob"), seat("ann", account="ann")
    )
    opened = open_match(Seat(invited="ann"), Seat(invited="ann"), FREE)
    request = meeting(account("ann"), previous, 0)
    change = prepared(request, opened)
    digest = digest_of(request.secret(opened))
    assert change.match.seats[1] == Seat("Ann", PERSON, digest, account="ann")
    assert codec.decode_plain(change.outcome) == [1]
    again = prepared(request, change.match)
    assert again.match is change.match
    assert again.answered
    assert codec.decode_plain(again.outcome) == [1]


def test_the_seats_of_one_player_are_listed_in_their_order():
    previous = over(seat("ann"), seat("bob"), Seat("An", PERSON, digest_of("ann")))
    change = prepared(meeting(caller("ann"), previous, 0, 2), open_match(FREE, FREE, FREE))
    assert codec.decode_plain(change.outcome) == [0, 1]
    assert [each.name for each in change.match.seats] == ["An", "Ann", ""]
    both = change.match.replaced(seats=(change.match.seats[0], FREE, FREE))
    assert refusal(meeting(caller("ann"), previous, 0, 2), both) == ("SeatTaken", {"seat": "0"})


def test_a_seat_of_the_rematch_is_for_who_is_to_have_it():
    previous = over(seat("ann"), seat("bob"))
    taken = open_match(FREE, seat("cy"))
    assert refusal(meeting(caller("ann"), previous, 0), taken) == ("SeatTaken", {"seat": "1"})
    reserved = open_match(FREE, Seat(invited="cy"))
    assert refusal(meeting(caller("ann"), previous, 0), reserved) == ("SeatTaken", {"seat": "1"})
    named = open_match(seat("ann"), FREE)
    assert refusal(meeting(caller("ann"), previous, 0), named) == ("NameTaken", {"name": "Ann"})
    assert refusal(meeting(caller("ann"), previous, 0), previous)[0] == "MatchOver"


def test_a_rematch_changes_as_often_as_any_match():
    previous = over(seat("ann"), seat("bob"))
    request = meeting(caller("ann"), previous, 0)
    prepared(request, open_match(FREE, FREE, changes=9))
    assert refusal(request, open_match(FREE, FREE, changes=10))[0] == "MatchTooLong"


def test_the_last_player_starts_the_rematch():
    previous = over(seat("ann"), seat("bob"))
    request = meeting(caller("ann"), previous, 0)
    full = prepared(request, open_match(seat("bob"), FREE, start_when_full=True))
    assert full.match.status == PLAYING
    assert prepared(request, open_match(FREE, FREE, start_when_full=True)).match.status == OPEN


def test_a_match_names_one_rematch_for_ever():
    previous = over(seat("ann"), seat("bob"))
    change = prepared(LinkRematch("next"), previous)
    assert change.match.next_match == "next"
    assert change.match.version.change_count == 2
    assert change.fields == {"next_match": b"next"}
    assert does_nothing(LinkRematch("other"), change.match)
