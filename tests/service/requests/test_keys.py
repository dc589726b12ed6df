"""Under which key a request is remembered, and who makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Action, CachedCaller, Caller
from taflhall_service.app.matches.abandon import AbandonIdle, AbandonMatch
from taflhall_service.app.matches.add_bot import AddBot
from taflhall_service.app.matches.clock_updates import PauseClocks
from taflhall_service.app.matches.find import TakeSeat
from taflhall_service.app.matches.freeze import SetFrozen
from taflhall_service.app.matches.invitations import (
    DeclineInvitation,
    InviteToMatch,
    RemovePlayer,
)
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.proposals import ProposeToPlayers, RespondToProposal
from taflhall_service.app.matches.rematch import JoinRematch, LinkRematch
from taflhall_service.app.matches.seats import DelegateSeat, LeaveMatch, ReclaimSeat
from taflhall_service.app.matches.start import StartMatch
from taflhall_service.app.matches.submit import ResignSeat, SubmitAnswers
from taflhall_service.app.matches.timeouts import ExpireSeat, PlayStandIn
from taflhall_service.app.matches.transaction import MatchRequest
from tests.service.requests.matches import (
    CREATOR,
    FINGERPRINT,
    LIMITS,
    account,
    caller,
    changed_often,
    playing,
    seat,
)

ANN = seat("ann", account="ann")
MATCH = playing(ANN, seat("bob", account="bob"), creator_account="ann")
OTHER = playing(ANN, seat("bob", account="bob"), creator_account="bob")

Makes = Callable[[Identity, str], MatchRequest]


def join(who: Identity, request_id: str) -> JoinMatch:
    return JoinMatch.of(LIMITS, who, (), "Dee", 0, request_id, FINGERPRINT)


REQUESTS: dict[str, Makes] = {
    "abandon": lambda who, name: AbandonMatch(who, name, FINGERPRINT),
    "add a bot": lambda who, name: AddBot(who, "random", None, "", name, FINGERPRINT, LIMITS),
    "decline": lambda who, name: DeclineInvitation(who, name, FINGERPRINT),
    "delegate": lambda who, name: DelegateSeat.of(
        LIMITS, who, None, "Dee", 0, False, name, FINGERPRINT
    ),
    "find": lambda who, name: TakeSeat(join(who, name)),
    "invite": lambda who, name: InviteToMatch(who, "cy", None, name, FINGERPRINT, 9),
    "join": join,
    "leave": lambda who, name: LeaveMatch(who, None, name, FINGERPRINT),
    "meet again": lambda who, name: JoinRematch(who, MATCH, (0,), name, FINGERPRINT, 9),
    "propose": lambda who, name: ProposeToPlayers(who, None, None, name, FINGERPRINT, LIMITS),
    "remove": lambda who, name: RemovePlayer(who, 0, name, FINGERPRINT),
    "resign": lambda who, name: ResignSeat(who, None, name, FINGERPRINT),
    "respond": lambda who, name: RespondToProposal(who, None, "p", True, name, FINGERPRINT, LIMITS),
    "submit": lambda who, name: SubmitAnswers(
        CachedCaller(Action.SUBMIT_ANSWERS, who), "0-a", name, (0,), FINGERPRINT, 9
    ),
}


@pytest.mark.parametrize("makes", REQUESTS.values(), ids=REQUESTS)
def test_a_request_is_remembered_by_its_id_and_its_caller(makes: Makes):
    keys: list[str] = []
    for who, match in ((account("ann"), MATCH), (account("bob"), OTHER)):
        for name in ("a" * 16, "b" * 16):
            request = makes(who, name)
            keys.append(request.key(match, request.authorize(match)))
            again = makes(who, name)
            assert again.key(match, again.authorize(match)) == keys[-1]
            assert (request.request_id, request.fingerprint) == (name, FINGERPRINT)
    assert len(set(keys)) == 4
    assert {type(key) for key in keys} == {str}


def test_requests_of_different_kinds_have_different_keys():
    """One id for two kinds is refused by the fingerprint where the key is the same."""
    kinds = ("decline", "delegate", "find", "join", "leave", "meet again")
    who, keys = account("ann"), set[str]()
    for kind in kinds:
        request = REQUESTS[kind](who, "a" * 16)
        keys.add(request.key(MATCH, request.authorize(MATCH)))
    assert len(keys) == len(kinds)


SERVERS: dict[str, Any] = {
    "abandon": AbandonIdle(MATCH.version),
    "expire": ExpireSeat(0),
    "freeze": SetFrozen(b"", b"why"),
    "link": LinkRematch("next"),
    "pause": PauseClocks(True),
    "play": PlayStandIn(0, 0, (0,)),
    "resume": PauseClocks(False),
}


@pytest.mark.parametrize("request_", SERVERS.values(), ids=SERVERS)
def test_the_server_acts_as_a_caller_without_rights(request_: MatchRequest):
    assert request_.authorize(MATCH) == Caller((), False)
    assert request_.request_id == ""


def test_the_actions_of_the_server_have_keys_of_their_own():
    nobody = Caller((), False)
    keys = [request.key(MATCH, nobody) for request in SERVERS.values()]
    assert len(set(keys)) == len(SERVERS)
    assert {type(key) for key in keys} == {str}
    version = changed_often(MATCH, 7).version
    others: list[MatchRequest] = [
        AbandonIdle(version),
        AbandonIdle(version._replace(revision=3)),
        PlayStandIn(1, 0, ()),
        PlayStandIn(0, 1, ()),
    ]
    more = {request.key(MATCH, nobody) for request in others}
    assert len(more | set(keys)) == len(keys) + 4


def test_a_request_that_takes_effect_once_has_one_key_for_all():
    match = playing(seat("ann"), seat("bob"))
    keys = {
        request.key(match, request.authorize(match))
        for request in (StartMatch(caller("ann")), StartMatch(caller(CREATOR)))
    }
    assert keys == {"start:"}
    reclaims = [ReclaimSeat(caller("ann"), None) for _ in range(2)]
    assert len({each.key(match, each.authorize(match)) for each in reclaims}) == 2
