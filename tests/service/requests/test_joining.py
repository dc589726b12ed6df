"""Requests to join: which seats are taken, by whom, and how often."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.credentials import ANONYMOUS, Identity, digest_of
from taflhall_service.app.errors import InvalidName, Malformed
from taflhall_service.app.matches.find import FindMatch, TakeSeat, is_seated
from taflhall_service.app.matches.join import JoinMatch, join
from taflhall_service.app.matches.seats import PERSON, PROGRAM
from taflhall_service.app.model import codec
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.model.join_codes import join_code
from taflhall_service.app.model.match import FINISHED, OPEN, PLAYING, Match
from taflhall_service.app.model.records import Listing, Seat
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    GAME,
    LIMITS,
    account,
    caller,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)
from tests.service.requests.process import Process

FREE = Seat()
FOR_BOB = Seat(invited="bob")
INVITED_ONLY = Listing(invitation_required=True)


def joining(
    who: Identity = ANONYMOUS, *seats: int, name: str = "Dee", kind: int = 0, code: str = ""
) -> JoinMatch:
    return JoinMatch.of(LIMITS, who, seats, name, kind, "r" * 16, FINGERPRINT, code)


def test_the_seats_of_a_request_are_distinct_and_in_order():
    assert joining(ANONYMOUS, 2, 0).seats == (0, 2)
    with pytest.raises(Malformed) as refused:
        joining(ANONYMOUS, 1, 1)
    assert refused.value.metadata == {"field": "seats", "expected": "distinct seats"}


def test_a_request_to_join_has_a_proper_name_and_an_id_that_nobody_guesses():
    with pytest.raises(InvalidName):
        joining(name="")
    with pytest.raises(InvalidName):
        JoinMatch.of(LIMITS, ANONYMOUS, (), "Dee", 0, "short", FINGERPRINT)
    first, second = (
        JoinMatch.of(LIMITS, ANONYMOUS, (), "Dee", 0, "", FINGERPRINT) for _ in range(2)
    )
    assert first.proof != second.proof
    assert joining().proof == joining().proof == "r" * 16
    assert joining(account("ann")).proof != joining(account("bob")).proof


@pytest.mark.parametrize(
    ("who", "kind", "expected"),
    [
        (ANONYMOUS, 0, PERSON),
        (ANONYMOUS, PROGRAM, PROGRAM),
        (account("ann"), PERSON, PERSON),
        (account("ann", Role.BOT), PERSON, PROGRAM),
        (account("ann", Role.BOT), 0, PROGRAM),
    ],
)
def test_the_seats_of_a_bot_account_say_that_a_program_sits_there(who, kind, expected):
    assert joining(who, kind=kind).kind == expected


@pytest.mark.parametrize(
    ("who", "wanted", "seats", "taken"),
    [
        (ANONYMOUS, (), (FREE, FREE), [0]),
        (ANONYMOUS, (), (seat("ann"), FREE), [1]),
        (ANONYMOUS, (), (FOR_BOB, FREE), [1]),
        (account("bob"), (), (FREE, FOR_BOB), [1]),
        (account("bob"), (), (FOR_BOB, FOR_BOB), [0]),
        (account("cy"), (), (FOR_BOB, FREE), [1]),
        (ANONYMOUS, (1,), (FREE, FREE), [1]),
        (ANONYMOUS, (0, 1), (FREE, FREE), [0, 1]),
        (account("bob"), (0,), (FREE, FOR_BOB), [0]),
    ],
)
def test_the_seat_that_is_reserved_for_a_caller_comes_first_then_the_lowest_free_one(
    who, wanted, seats, taken
):
    assert joining(who, *wanted).choose(open_match(*seats)) == taken


@pytest.mark.parametrize(
    ("who", "wanted", "seats", "reason"),
    [
        (ANONYMOUS, (2,), (FREE, FREE), ("UnknownSeat", {"seat": "2", "seats": "2"})),
        (ANONYMOUS, (-1,), (FREE, FREE), ("UnknownSeat", {"seat": "-1", "seats": "2"})),
        (ANONYMOUS, (0,), (seat("ann"), FREE), ("SeatTaken", {"seat": "0"})),
        (ANONYMOUS, (1,), (FREE, FOR_BOB), ("SeatReserved", {"seat": "1"})),
        (account("cy"), (0, 1), (FREE, FOR_BOB), ("SeatReserved", {"seat": "1"})),
        (ANONYMOUS, (), (seat("ann"), FOR_BOB), ("NoFreeSeat", {"match_id": "match"})),
        (ANONYMOUS, (), (seat("dee"), FREE), ("NameTaken", {"name": "Dee"})),
    ],
)
def test_a_seat_that_is_not_there_taken_or_reserved_is_refused(who, wanted, seats, reason):
    assert refusal(joining(who, *wanted), open_match(*seats)) == reason


def test_nobody_joins_after_the_start():
    match = playing(seat("ann"), seat("bob"))
    assert refusal(joining(), match) == ("AlreadyStarted", {"match_id": "match"})


def test_a_player_has_the_seats_their_secret_and_their_account():
    match = open_match(FREE, seat("ann"), FREE)
    request = joining(account("cy"), 0, 2, kind=PROGRAM)
    change = prepared(request, match)
    held = Seat("Dee", PROGRAM, digest_of(request.secret(match)), account="cy")
    assert change.match.seats == (held, seat("ann"), held)
    assert change.match.version.change_count == 2
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    assert codec.decode_plain(change.outcome) == [0, 2]
    assert prepared(joining(), match).match.seats[0].account == ""


def test_the_last_seat_starts_a_match_that_waits_for_it():
    full = prepared(joining(), open_match(seat("ann"), FREE, start_when_full=True))
    assert full.match.status == PLAYING
    assert {"seats", "snapshot", "status"} <= full.fields.keys()
    for match in (
        open_match(seat("ann"), FREE),
        open_match(seat("ann"), FREE, FREE, start_when_full=True),
    ):
        change = prepared(joining(), match)
        assert change.match.status == OPEN
        assert change.match.table is None


def test_an_invitation_the_join_code_or_the_creators_secret_opens_a_closed_match():
    match = open_match(FREE, FOR_BOB, FREE, listing=INVITED_ONLY)
    code = join_code(match.origin)
    refused = ("InvitationRequired", {"match_id": "match"})
    assert refusal(joining(), match) == refused
    assert refusal(joining(account("cy")), match) == refused
    assert refusal(joining(account("bob"), 0, 1), match) == refused
    assert refusal(joining(account("bob"), 0), match) == refused
    assert prepared(joining(account("bob")), match).match.seats[1].account == "bob"
    assert prepared(joining(code=code), match).match.seats[0].name == "Dee"
    assert prepared(joining(caller(CREATOR)), match).match.seats[0].name == "Dee"


def test_a_wrong_code_opens_nothing_even_where_none_is_needed():
    wrong = "X" * len(join_code(open_match(FREE, FREE).origin))
    for match in (open_match(FREE, FREE), open_match(FREE, FREE, listing=INVITED_ONLY)):
        assert refusal(joining(code=wrong), match) == ("JoinCodeInvalid", {})


@pytest.mark.parametrize(
    ("who", "wanted", "most"),
    [
        (ANONYMOUS, (), 5),
        (account("cy"), (), 5),
        (account("bob"), (), 10),
        (account("bob"), (0, 1), 5),
        (caller(CREATOR), (), 10),
    ],
)
def test_strangers_make_half_of_the_changes_and_those_who_are_expected_all(who, wanted, most):
    seats = (FREE, FOR_BOB)
    request = joining(who, *wanted)
    prepared(request, open_match(*seats, changes=most - 1))
    assert refusal(request, open_match(*seats, changes=most)) == (
        "MatchTooLong",
        {"limit": str(most)},
    )


async def test_a_repeated_request_gets_its_seats_and_their_secret_again():
    process = Process()
    await process.hold(open_match(FREE, FREE))
    first = await join(process.matches, "match", joining(ANONYMOUS, 1))
    again = await join(process.matches, "match", joining(ANONYMOUS, 1))
    assert first.match is process.matches.cached("match")
    assert (again.match, again.seats, again.secret) == (None, [1], first.secret)


# ---------------------------------------------------------------- find a match


def finding(who: Identity = ANONYMOUS, **fields: Any) -> FindMatch:
    setup = open_match(FREE, FREE).setup
    return FindMatch(who, GAME, setup, "Dee", 0, "r" * 16, FINGERPRINT, **fields)


LABELS = (("club", "north"),)
LATE = SpectatorSettings(SpectatorPolicy.DELAYED, 1000)


def fit(**origin: Any) -> Match:
    return open_match(seat("ann"), FREE, **{"start_when_full": True, **origin})


@pytest.mark.parametrize(
    ("match", "request_", "labels", "fits"),
    [
        (fit(), finding(), (), True),
        (fit(start_when_full=False), finding(), (), False),
        (fit(listing=Listing(unlisted=True)), finding(), (), False),
        (fit(listing=INVITED_ONLY), finding(), (), False),
        (fit(listing=Listing(LABELS)), finding(), (), False),
        (fit(listing=Listing(LABELS)), finding(), LABELS, True),
        (fit(clock=TimeControl(1000)), finding(), (), False),
        (fit(clock=TimeControl(1000)), finding(time_control=TimeControl(1000)), (), True),
        (fit(spectators=LATE), finding(), (), False),
        (fit(spectators=LATE), finding(spectators=LATE), (), True),
        (fit().replaced(status=FINISHED), finding(), (), False),
        (open_match(FREE, FREE, FREE, start_when_full=True), finding(), (), False),
        (open_match(seat("ann"), FOR_BOB, start_when_full=True), finding(), (), False),
        (open_match(seat("ann"), FOR_BOB, start_when_full=True), finding(account("bob")), (), True),
        (open_match(seat("dee"), FREE, start_when_full=True), finding(), (), False),
        (
            open_match(seat("ann", account="cy"), FREE, start_when_full=True),
            finding(account("cy")),
            (),
            False,
        ),
    ],
)
def test_a_match_fits_if_it_is_of_the_kind_and_has_a_seat_for_the_caller(
    match: Match, request_: FindMatch, labels: Any, fits: bool
):
    assert request_.fits(match, labels) == fits


def test_an_account_holds_a_seat_and_no_account_holds_none():
    match = open_match(seat("ann", account="ann"), FREE)
    assert [is_seated(match, who) for who in ("ann", "bob", "")] == [True, False, False]


@pytest.mark.parametrize(
    ("who", "match"),
    [
        (ANONYMOUS, open_match(seat("ann"), seat("bob"))),
        (ANONYMOUS, open_match(seat("dee"), FREE)),
        (ANONYMOUS, open_match(FREE, FREE, listing=INVITED_ONLY)),
        (ANONYMOUS, open_match(FREE, FREE, changes=5)),
        (ANONYMOUS, playing(seat("ann"), seat("bob"))),
        (ANONYMOUS, open_match(FREE, FREE).replaced(status="abandoned")),
        (account("cy"), open_match(seat("ann", account="cy"), FREE)),
    ],
)
def test_a_found_match_that_does_not_take_the_caller_stays_refused_for_the_request(
    who: Identity, match: Match
):
    change = prepared(TakeSeat(joining(who)), match)
    assert change.match is match
    assert change.answered
    assert codec.decode_plain(change.outcome) == []


def test_a_found_match_takes_the_caller():
    change = prepared(TakeSeat(joining(account("cy"))), open_match(seat("ann"), FREE))
    assert codec.decode_plain(change.outcome) == [1]
    assert change.match.seats[1].account == "cy"
