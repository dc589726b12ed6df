"""Who may do what: every method of the contract x who calls x how far the match is.

What is let in may still be refused for other reasons (a decision that is not pending, a game
that is missing): such a reason is in the table as well as ``OK``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from taflhall.admin.v1 import admin_service_pb2
from taflhall.tournament.v1 import tournament_service_pb2
from taflhall.v1 import (
    catalog_service_pb2,
    engine_service_pb2,
    lobby_service_pb2,
    match_pb2,
    match_service_pb2,
)
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.access.permissions import PERMISSIONS, Action
from taflhall_service.app.matches.abandon import AbandonIdle, abandon
from taflhall_service.rpc.actions import action_of
from tests.service.local_server import LocalServer, Refusal, answer_of, bearer, open_server
from tests.service.test_matches import setup

FILES = (
    admin_service_pb2,
    catalog_service_pb2,
    engine_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
    tournament_service_pb2,
)
SERVICES = [service for file in FILES for service in file.DESCRIPTOR.services_by_name.values()]
METHODS: Final = {f"{s.name}.{m.name}": m for s in SERVICES for m in s.methods}

CALLERS: Final = (
    "nobody",
    "wrong secret",
    "seat of another match",
    "seat",
    "seat with a deputy",
    "deputy",
    "creator",
    "account at a seat",
    "account that created",
    "bot elsewhere",
    "administrator",
    "disabled account",
    "revoked key",
    "wrong key",
)
STATES: Final = ("missing", "open", "playing", "finished", "abandoned")

GONE: Final = dict.fromkeys(("disabled account", "revoked key", "wrong key"), "API_KEY_INVALID")
"""A caller who sends an API key needs a valid one, for every method."""
FREE: Final = GONE
LOOKING: Final = FREE | dict.fromkeys(("wrong secret", "seat of another match"), "SECRET_INVALID")
"""Anonymous callers are admitted, but a credential that is sent must be valid."""
ELSEWHERE: Final = dict.fromkeys(("bot elsewhere", "administrator"), "FORBIDDEN")
TABLE: Final = LOOKING | ELSEWHERE | {"nobody": "SECRET_MISSING"}
DECIDING: Final = TABLE | {"deputy": "FORBIDDEN"}
SEATED: Final = TABLE | {"creator": "SECRET_INVALID", "account that created": "FORBIDDEN"}
CREATOR: Final = TABLE | dict.fromkeys(
    ("seat", "seat with a deputy", "deputy", "account at a seat"), "FORBIDDEN"
)
HOLDER: Final = SEATED | {"deputy": "FORBIDDEN"}
"""A deputy answers, and does nothing else."""
SECRETS: Final = (
    "wrong secret",
    "seat of another match",
    "seat",
    "seat with a deputy",
    "deputy",
    "creator",
)
DECLINING: Final = GONE | {"nobody": "SECRET_MISSING"} | dict.fromkeys(SECRETS, "ACCOUNT_REQUIRED")
"""Only an account is invited."""
NO_ADMIN: Final = ("account at a seat", "account that created", "bot elsewhere")
ADMIN: Final = (
    GONE
    | {"nobody": "ACCOUNT_REQUIRED"}
    | dict.fromkeys(SECRETS, "API_KEY_INVALID")
    | dict.fromkeys(NO_ADMIN, "FORBIDDEN")
)


class Expected(NamedTuple):
    """Whom a method refuses, and what the others get in each state of the match."""

    refused: dict[str, str]
    open: str
    playing: str
    finished: str
    missing: str = "MATCH_NOT_FOUND"
    also: dict[str, dict[str, str]] = {}
    """What some get otherwise in some states."""

    def of(self, caller: str, state: str) -> str:
        """Return the reason, or ``OK``; permission is checked before the state."""
        state = "finished" if state == "abandoned" else state
        found: str = getattr(self, state)
        refused = self.refused.get(caller, found)
        before = refused == "API_KEY_INVALID" or self.refused in REFUSED_FIRST
        if state == "missing" and not before:
            return self.also.get(caller, {}).get(state, found)
        return self.also.get(caller, {}).get(state, refused)


ACCOUNTS: Final = FREE | dict.fromkeys(("nobody", "wrong secret", *SECRETS), "SECRET_MISSING")
"""Only an account is known without naming seats."""
BOTLESS: Final = FREE | {"bot elsewhere": "FORBIDDEN"}


WITH_ACCOUNT: Final = FREE | dict.fromkeys(("nobody", *SECRETS), "ACCOUNT_REQUIRED")
HOSTS: Final = WITH_ACCOUNT | dict.fromkeys(("account at a seat", "bot elsewhere"), "FORBIDDEN")
REFUSED_FIRST: Final = (ADMIN, BOTLESS, ACCOUNTS, WITH_ACCOUNT, HOSTS)
"""Permission does not depend on the match."""


def same(outcome: str, refused: dict[str, str] = FREE) -> Expected:
    return Expected(refused, outcome, outcome, outcome, outcome)


def match(outcome: str = "OK") -> Expected:
    return Expected(ADMIN, outcome, outcome, outcome)


EXPECTED: Final = {
    "CatalogService.ListGames": same("OK"),
    "CatalogService.GetGame": same("MALFORMED"),
    "EngineService.SetUpTable": same("MALFORMED"),
    "EngineService.ListOptions": same("MALFORMED"),
    "EngineService.ApplyAnswers": same("MALFORMED"),
    "EngineService.ImagineTables": same("MALFORMED"),
    "EngineService.Rollout": same("MALFORMED"),
    "EngineService.AnalyseRecord": same("MALFORMED"),
    "MatchService.CreateMatch": same("OK", BOTLESS),
    "MatchService.JoinMatch": Expected(LOOKING, "OK", "ALREADY_STARTED", "MATCH_OVER"),
    "MatchService.StartMatch": Expected(DECIDING, "NOT_ALL_SEATED", "OK", "OK"),
    "MatchService.GetMatch": Expected(LOOKING, "OK", "OK", "OK"),
    "MatchService.ListMatches": same("OK"),
    "MatchService.SubmitAnswers": Expected(SEATED, "NOT_STARTED", "STALE_DECISION", "MATCH_OVER"),
    "MatchService.ExplainCommand": Expected(SEATED, "NOT_STARTED", "OK", "OK"),
    "MatchService.WatchMatch": Expected(LOOKING, "OK", "OK", "OK"),
    "MatchService.Play": Expected(
        SEATED,
        "OK",
        "OK",
        "OK",
        also={"seat with a deputy": dict.fromkeys(STATES[1:], "SEAT_DELEGATED")},
    ),
    "MatchService.PlayAll": same("OK", ACCOUNTS),
    "MatchService.ResignSeat": Expected(HOLDER, "NOT_STARTED", "OK", "MATCH_OVER"),
    "MatchService.LeaveMatch": Expected(HOLDER, "OK", "ALREADY_STARTED", "MATCH_OVER"),
    "MatchService.DelegateSeat": Expected(HOLDER, "OK", "OK", "MATCH_OVER"),
    "MatchService.ReclaimSeat": Expected(HOLDER, "OK", "OK", "MATCH_OVER"),
    "MatchService.ProposeToPlayers": Expected(HOLDER, "NOT_STARTED", "OK", "MATCH_OVER"),
    "MatchService.RespondToProposal": Expected(
        HOLDER, "NOT_STARTED", "NO_SUCH_PROPOSAL", "MATCH_OVER"
    ),
    "MatchService.AbandonMatch": Expected(
        DECIDING,
        "FORBIDDEN",
        "CONSENT_REQUIRED",
        "MATCH_OVER",
        also={
            "creator": {"open": "OK"},
            "account that created": {"open": "OK"},
        },
    ),
    "MatchService.SendReaction": Expected(
        SEATED,
        "OK",
        "OK",
        "MATCH_OVER",
        also={"seat with a deputy": dict.fromkeys(("open", "playing"), "SEAT_DELEGATED")},
    ),
    "MatchService.GetMatchRecord": Expected(LOOKING, "NOT_FINISHED", "NOT_FINISHED", "OK"),
    "MatchService.GetMatchView": Expected(LOOKING, "NOT_STARTED", "OK", "OK"),
    "MatchService.ListMatchEvents": Expected(LOOKING, "NOT_STARTED", "OK", "OK"),
    "LobbyService.WatchLobby": same("OK"),
    "LobbyService.FindMatch": same("OK", BOTLESS),
    "LobbyService.InviteToMatch": Expected(
        CREATOR, "ACCOUNT_NOT_FOUND", "ACCOUNT_NOT_FOUND", "ACCOUNT_NOT_FOUND"
    ),
    "LobbyService.DeclineInvitation": Expected(
        DECLINING, "INVITATION_NOT_FOUND", "INVITATION_NOT_FOUND", "INVITATION_NOT_FOUND"
    ),
    "LobbyService.RemovePlayer": Expected(CREATOR, "OK", "ALREADY_STARTED", "MATCH_OVER"),
    "LobbyService.AddBot": Expected(CREATOR, "OK", "ALREADY_STARTED", "MATCH_OVER"),
    "LobbyService.JoinRematch": Expected(
        HOLDER,
        "NOT_FINISHED",
        "NOT_FINISHED",
        "OK",
    ),
    "TournamentService.CreateTournament": same("MALFORMED", HOSTS),
    "TournamentService.GetTournament": same("MALFORMED"),
    "TournamentService.ListTournaments": same("OK"),
    "TournamentService.EnterTournament": same("MALFORMED", WITH_ACCOUNT),
    "TournamentService.WithdrawFromTournament": same("MALFORMED", WITH_ACCOUNT),
    "TournamentService.StartTournament": same("MALFORMED", HOSTS),
    "TournamentService.CancelTournament": same("MALFORMED", HOSTS),
    "TournamentService.WatchTournament": same("MALFORMED"),
    "TournamentService.GetTournamentStandings": same("MALFORMED"),
    "TournamentService.ListTournamentMatches": same("MALFORMED"),
    "AdminService.CreateAccount": same("INVALID_NAME", ADMIN),
    "AdminService.ListAccounts": same("OK", ADMIN),
    "AdminService.UpdateAccount": same("MALFORMED", ADMIN),
    "AdminService.CreateApiKey": same("MALFORMED", ADMIN),
    "AdminService.ListApiKeys": same("MALFORMED", ADMIN),
    "AdminService.RevokeApiKey": same("API_KEY_NOT_FOUND", ADMIN),
    "AdminService.ListMatches": same("OK", ADMIN),
    "AdminService.AbandonMatch": Expected(ADMIN, "OK", "OK", "MATCH_OVER"),
    "AdminService.FreezeMatch": match(),
    "AdminService.UnfreezeMatch": match(),
    "AdminService.ListDamagedMatches": same("OK", ADMIN),
    "AdminService.RevealMatch": match(),
    "AdminService.ListAuditEntries": same("OK", ADMIN),
}


class Seat(NamedTuple):
    """A match in some state, and what everybody has in hand."""

    match_id: str
    secrets: dict[str, str]


class Keys:
    """Accounts of every kind, and what proves each."""

    def __init__(self, server: LocalServer) -> None:
        self._hall = server
        self.keys: dict[str, str] = {"wrong key": "tfk_" + "a" * 16 + "_" + "x" * 43}

    async def open(self) -> None:
        server = self._hall
        for caller, role in (
            ("account at a seat", Role.PLAYER),
            ("account that created", Role.HOST),
            ("bot elsewhere", Role.BOT),
            ("administrator", Role.ADMIN),
        ):
            _, self.keys[caller] = await server.key(role)
        gone, self.keys["disabled account"] = await server.key(Role.ADMIN)
        await server.accounts.update(gone, None, None, True)
        _, self.keys["revoked key"] = await server.key(Role.ADMIN)
        await server.accounts.revoke(self.keys["revoked key"].split("_")[1])


async def place(server: LocalServer, state: str, keys: dict[str, str]) -> Seat:
    """Bring a match into *state*: four seats, of which one is free before the start."""
    host, ann = bearer(keys["account that created"]), bearer(keys["account at a seat"])
    made = await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup(4)), metadata=host)
    match_id = made.match.id
    seat = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Ann"))
    await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Dan"), metadata=ann)
    third = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Cyd"))
    lend = pb.DelegateSeatRequest(match_id=match_id, name="Robo")
    lent = await server.match.DelegateSeat(lend, metadata=bearer(third.seat_secret))
    secrets = {"nobody": "", "wrong secret": "x" * 43, "seat": seat.seat_secret}
    secrets |= keys | {"creator": made.creator_secret}
    secrets |= {"seat with a deputy": third.seat_secret, "deputy": lent.deputy_secret}
    elsewhere = (await server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))).match.id
    other = await server.match.JoinMatch(pb.JoinMatchRequest(match_id=elsewhere, name="Eve"))
    secrets["seat of another match"] = other.seat_secret
    if state == "missing":
        return Seat("a" * 26, secrets)
    if state in ("playing", "finished", "abandoned"):
        await server.match.JoinMatch(pb.JoinMatchRequest(match_id=match_id, name="Bob"))
        start = pb.StartMatchRequest(match_id=match_id)
        await server.match.StartMatch(start, metadata=bearer(made.creator_secret))
    if state == "finished":
        resign = pb.ResignSeatRequest(match_id=match_id, request_id="enough")
        await server.match.ResignSeat(resign, metadata=bearer(seat.seat_secret))
    if state == "abandoned":
        await abandon(
            server.matches, match_id, AbandonIdle((await server.matches.current(match_id)).version)
        )
    return Seat(match_id, secrets)


VALUES: Final[dict[str, dict[str, Any]]] = {
    "LobbyService.AddBot": {"bot_id": "random"},
    "LobbyService.FindMatch": {"name": "Cat"},
    "LobbyService.InviteToMatch": {"account_id": "nobody"},
    "MatchService.DelegateSeat": {"name": "Dee"},
    "MatchService.JoinMatch": {"name": "Cat"},
    "MatchService.SendReaction": {"reaction": match_pb2.REACTION_HELLO},
}
"""What else a request needs."""


def request(name: str, match_id: str) -> Any:
    """Return a request that is well formed as far as the match goes."""
    method = METHODS[name]
    message: Any = GetMessageClass(method.input_type)()
    fields = message.DESCRIPTOR.fields_by_name
    if "match_id" in fields:
        message.match_id = match_id
    if "justification" in fields:
        message.justification = "to see who may"
    if "request_id" in fields:
        message.request_id = "once-and-never-again"
    if name == "MatchService.CreateMatch":
        message.setup.CopyFrom(setup())
    for field, value in VALUES.get(name, {}).items():
        setattr(message, field, value)
    if name == "LobbyService.FindMatch":
        message.setup.CopyFrom(setup())
    if name == "MatchService.SubmitAnswers":
        message.decision_id = "0-none"
        message.answers.add(option=0)
    if name == "MatchService.ExplainCommand":
        message.command.yggdrasil.appease.SetInParent()
    if name == "MatchService.ProposeToPlayers":
        message.abandon.SetInParent()
    if name == "MatchService.PlayAll":
        message.enter.SetInParent()
    if name == "MatchService.Play":
        message.enter.match_id = match_id
    return message


async def outcome(server: LocalServer, name: str, match_id: str, secret: str) -> str:
    """Return the reason with which a call is refused, or ``OK`` at its first answer."""
    method = METHODS[name]
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = bearer(secret)
    body = request(name, match_id).SerializeToString()
    channel: Any = server.admin_channel if "Admin" in name else server.channel
    try:
        if method.client_streaming:
            open_stream = channel.stream_stream(path)
            await answer_of(lambda: open_stream(metadata=metadata), body)
        elif method.server_streaming:
            stream = channel.unary_stream(path)(body, metadata=metadata)
            await stream.read()
            stream.cancel()
        else:
            await channel.unary_unary(path, None, None)(body, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        return Refusal(error).reason
    return "OK"


def test_every_method_has_a_row_and_an_expectation():
    assert set(METHODS) == set(EXPECTED)
    assert {action_of(name) for name in METHODS} == set(Action) == set(PERMISSIONS)


@pytest.mark.parametrize("state", STATES)
async def test_who_may_do_what(state: str):
    async with open_server(admin=True) as server:
        keys = Keys(server)
        await keys.open()
        at = await place(server, state, keys.keys)
        for name, method in METHODS.items():
            found = {}
            for caller in CALLERS:
                reason = await outcome(server, name, at.match_id, at.secrets[caller])
                found[caller] = reason
                if reason == "OK" and not method.GetOptions().idempotency_level:
                    at = await place(server, state, keys.keys)  # it is no longer as it was
            expected = {caller: EXPECTED[name].of(caller, state) for caller in CALLERS}
            assert found == expected, name


async def test_a_method_without_a_row_is_refused_to_everybody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(PERMISSIONS, Action.GET_MATCH)
    monkeypatch.delitem(PERMISSIONS, Action.WATCH_MATCH)
    async with open_server() as server:
        keys = Keys(server)
        await keys.open()
        at = await place(server, "open", keys.keys)
        for caller in set(CALLERS) - set(GONE):
            for name in ("MatchService.GetMatch", "MatchService.WatchMatch"):
                assert await outcome(server, name, at.match_id, at.secrets[caller]) == "FORBIDDEN"


async def test_where_accounts_are_required_nothing_costly_is_done_for_others():
    async with open_server(required=True) as server:
        keys = Keys(server)
        await keys.open()
        seat = {}
        for name in METHODS:
            if "Admin" in name:
                continue
            reason = await outcome(server, name, "a" * 26, "")
            seat[name] = reason
        needed = {name for name, reason in seat.items() if reason == "ACCOUNT_REQUIRED"}
        costly = {action for action, row in PERMISSIONS.items() if row.costly}
        assert {action_of(name) for name in needed} == costly
        assert "MatchService.CreateMatch" in needed
        ann = keys.keys["account at a seat"]
        assert await outcome(server, "MatchService.CreateMatch", "", ann) == "OK"


async def test_the_public_port_has_no_method_for_administrators():
    async with open_server(admin=True) as server:
        _, key = await server.key(Role.ADMIN)
        channel: Any
        for channel, service in (
            (server.channel, "AdminService"),
            (server.admin_channel, "MatchService"),
            (server.admin_channel, "EngineService"),
            (server.admin_channel, "CatalogService"),
        ):
            for name, method in METHODS.items():
                if name.startswith(service) and not method.client_streaming:
                    path = f"/{method.containing_service.full_name}/{method.name}"
                    with pytest.raises(grpc.aio.AioRpcError) as failed:
                        await channel.unary_unary(path, None, None)(b"", metadata=bearer(key))
                    assert failed.value.code() == grpc.StatusCode.UNIMPLEMENTED
