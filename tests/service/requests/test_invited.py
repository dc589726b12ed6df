"""Requests about reserved seats and bots: whom the creator lets sit where."""

from __future__ import annotations

import pytest

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import Refused
from taflhall_service.app.matches.add_bot import AddBot
from taflhall_service.app.matches.invitations import (
    DeclineInvitation,
    InviteToMatch,
    RemovePlayer,
    require_seat,
    unreserved_seat,
)
from taflhall_service.app.matches.seats import PROGRAM
from taflhall_service.app.model import codec
from taflhall_service.app.model.match import OPEN, PLAYING
from taflhall_service.app.model.records import Seat
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    account,
    bot,
    caller,
    does_nothing,
    open_match,
    playing,
    prepared,
    refusal,
    seat,
)

FREE = Seat()
FOR_BOB = Seat(invited="bob")
HOST = caller(CREATOR)


def inviting(who: str = "cy", number: int | None = None, by: Identity = HOST) -> InviteToMatch:
    return InviteToMatch(by, who, number, "id", FINGERPRINT, LIMITS.match_changes)


def removing(number: int, by: Identity = HOST) -> RemovePlayer:
    return RemovePlayer(by, number, "id", FINGERPRINT)


def adding(
    number: int | None = None, name: str = "", word: str = "random", by: Identity = HOST
) -> AddBot:
    return AddBot(by, word, number, name, "id", FINGERPRINT, LIMITS)


def test_a_match_has_the_seats_from_0_to_its_last():
    match = open_match(FREE, FREE)
    assert [require_seat(match, number) for number in (0, 1)] == [0, 1]
    for number in (-1, 2):
        with pytest.raises(Refused) as refused:
            require_seat(match, number)
        assert refused.value.metadata == {"seat": str(number), "seats": "2"}


def test_an_unreserved_seat_is_the_one_that_is_wanted_or_the_lowest():
    match = open_match(seat("ann"), FOR_BOB, FREE, FREE)
    assert unreserved_seat(match, None) == 2
    assert unreserved_seat(match, 3) == 3
    for number in (0, 1):
        with pytest.raises(Refused) as taken:
            unreserved_seat(match, number)
        assert taken.value.metadata == {"seat": str(number)}
    with pytest.raises(Refused) as full:
        unreserved_seat(open_match(seat("ann"), FOR_BOB), None)
    assert full.value.metadata == {"match_id": "match"}


def test_an_invitation_reserves_a_seat():
    change = prepared(inviting(), open_match(seat("ann"), FREE, FREE))
    assert change.match.seats == (seat("ann"), Seat(invited="cy"), FREE)
    assert change.match.version.change_count == 2
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    change = prepared(inviting(number=2), open_match(seat("ann"), FREE, FREE))
    assert change.match.seats[2] == Seat(invited="cy")


def test_an_account_is_invited_once_and_not_to_a_match_in_which_it_sits():
    assert does_nothing(inviting("bob"), open_match(FOR_BOB, FREE))
    assert does_nothing(inviting("ann"), open_match(seat("ann", account="ann"), FREE))


def test_the_creator_invites_before_the_start_and_not_for_ever():
    assert refusal(inviting(), playing(seat("ann"), seat("bob")))[0] == "AlreadyStarted"
    prepared(inviting(), open_match(FREE, FREE, changes=9))
    assert refusal(inviting(), open_match(FREE, FREE, changes=10)) == (
        "MatchTooLong",
        {"limit": "10"},
    )


@pytest.mark.parametrize(
    "request_",
    [inviting(by=caller("ann")), removing(0, caller("ann")), adding(by=caller("ann"))],
)
def test_a_player_is_not_the_creator(request_):
    assert refusal(request_, open_match(seat("ann"), FREE))[0] == "Forbidden"


def test_declining_gives_back_all_reserved_seats_and_no_others():
    match = open_match(FOR_BOB, Seat(invited="cy"), FOR_BOB, seat("ann"))
    change = prepared(DeclineInvitation(account("bob"), "id", FINGERPRINT), match)
    assert change.match.seats == (FREE, Seat(invited="cy"), FREE, seat("ann"))
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    assert change.match.version.change_count == 2


def test_only_an_invited_account_declines():
    match = open_match(FOR_BOB, FREE)
    refused = refusal(DeclineInvitation(account("cy"), "id", FINGERPRINT), match)
    assert refused == ("InvitationNotFound", {"match_id": "match"})
    refused = refusal(DeclineInvitation(caller("bob"), "id", FINGERPRINT), match)
    assert refused == ("AccountRequired", {})


def test_the_creator_frees_a_seat():
    match = open_match(seat("ann"), FOR_BOB, FREE)
    change = prepared(removing(0), match)
    assert change.match.seats == (FREE, FOR_BOB, FREE)
    assert change.fields == {"seats": codec.encode(change.match.seats)}
    assert prepared(removing(1), match).match.seats == (seat("ann"), FREE, FREE)
    assert does_nothing(removing(2), match)
    assert refusal(removing(3), match) == ("UnknownSeat", {"seat": "3", "seats": "3"})
    assert refusal(removing(0), playing(seat("ann"), seat("bob")))[0] == "AlreadyStarted"


# ---------------------------------------------------------------- bots


def test_a_bot_holds_a_seat_under_its_id_or_a_name():
    match = open_match(seat("ann"), FREE, FREE)
    made = prepared(adding(), match).match.seats[1]
    assert (made.name, made.kind, made.bot, len(made.secret)) == ("random", PROGRAM, "random", 32)
    assert prepared(adding(), match).match.seats[1].secret != made.secret
    named = prepared(adding(2, "Robot"), match)
    assert [each.name for each in named.match.seats] == ["Ann", "", "Robot"]
    assert named.fields == {"seats": codec.encode(named.match.seats)}


def test_a_bot_gets_another_name_where_its_own_is_taken_but_not_one_that_was_asked_for():
    match = open_match(seat("random"), FREE)
    assert prepared(adding(), match).match.seats[1].name == "random 2"
    assert refusal(adding(name="Random"), match) == ("NameTaken", {"name": "Random"})


def test_one_seat_is_left_to_a_player():
    refused = ("PlayerRequired", {"match_id": "match"})
    assert refusal(adding(), open_match(bot(), FREE)) == refused
    assert refusal(adding(2), open_match(bot("A"), bot("B"), FREE)) == refused
    prepared(adding(), open_match(bot(), FREE, FREE))
    prepared(adding(), open_match(seat("ann"), FREE))


def test_a_bot_is_one_that_the_server_offers_and_sits_down_before_the_start():
    assert refusal(adding(word="w" * 65), open_match(FREE, FREE)) == (
        "BotNotFound",
        {"bot_id": "w" * 64},
    )
    assert refusal(adding(), playing(seat("ann"), seat("bob")))[0] == "AlreadyStarted"
    prepared(adding(), open_match(FREE, FREE, changes=9))
    assert refusal(adding(), open_match(FREE, FREE, changes=10))[0] == "MatchTooLong"


def test_a_bot_on_the_last_seat_starts_the_match():
    change = prepared(adding(), open_match(seat("ann"), FREE, start_when_full=True))
    assert change.match.status == PLAYING
    assert prepared(adding(), open_match(seat("ann"), FREE)).match.status == OPEN
