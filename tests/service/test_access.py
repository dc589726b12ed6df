"""Who may do what: every method of the contract x who calls x how far the match is.

What is let in may still be refused for other reasons (a decision that is not pending, a game
that is missing): such a reason stands in the table as well as ``OK``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import (
    catalog_service_pb2,
    engine_service_pb2,
    match_service_pb2,
)
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access import ROWS
from tests.service.hall import Hall, Refusal, bearer
from tests.service.test_matches import setup

SERVICES = [
    service
    for file in (catalog_service_pb2, engine_service_pb2, match_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
]
METHODS: Final = {f"{s.name}.{m.name}": m for s in SERVICES for m in s.methods}

CALLERS: Final = ("nobody", "wrong secret", "seat of another match", "seat", "creator")
STATES: Final = ("missing", "open", "playing", "finished")

LOOKING: Final = {"wrong secret": "SECRET_WRONG", "seat of another match": "SECRET_WRONG"}
"""Everybody is let in, but who says he is somebody must be."""
TABLE: Final = LOOKING | {"nobody": "SECRET_MISSING"}
SEATED: Final = TABLE | {"creator": "SECRET_WRONG"}
FREE: Final[dict[str, str]] = {}


class Expected(NamedTuple):
    """Whom a method refuses, and what the others get in each state of the match."""

    refused: dict[str, str]
    open: str
    playing: str
    finished: str
    missing: str = "MATCH_NOT_FOUND"

    def of(self, caller: str, state: str) -> str:
        """Return the reason, or ``OK``; permission is looked at before the state."""
        found: str = getattr(self, state)
        return found if state == "missing" else self.refused.get(caller, found)


def same(outcome: str) -> Expected:
    return Expected(FREE, outcome, outcome, outcome, outcome)


EXPECTED: Final = {
    "CatalogService.ListGames": same("OK"),
    "CatalogService.GetGame": same("MALFORMED"),
    "EngineService.SetUp": same("MALFORMED"),
    "EngineService.Options": same("MALFORMED"),
    "EngineService.Apply": same("MALFORMED"),
    "EngineService.Imagine": same("MALFORMED"),
    "EngineService.RollOut": same("MALFORMED"),
    "MatchService.Create": same("OK"),
    "MatchService.Join": Expected(LOOKING, "OK", "ALREADY_STARTED", "MATCH_OVER"),
    "MatchService.Start": Expected(TABLE, "NOT_ALL_SEATED", "OK", "OK"),
    "MatchService.Get": Expected(LOOKING, "OK", "OK", "OK"),
    "MatchService.List": same("OK"),
    "MatchService.Submit": Expected(SEATED, "NOT_STARTED", "STALE_DECISION", "MATCH_OVER"),
    "MatchService.Explain": Expected(SEATED, "NOT_STARTED", "OK", "OK"),
    "MatchService.Watch": Expected(LOOKING, "OK", "OK", "OK"),
    "MatchService.Play": Expected(SEATED, "OK", "OK", "OK"),
    "MatchService.Resign": Expected(SEATED, "NOT_STARTED", "OK", "MATCH_OVER"),
    "MatchService.GetRecord": Expected(LOOKING, "NOT_FINISHED", "NOT_FINISHED", "OK"),
    "MatchService.GetView": Expected(LOOKING, "NOT_STARTED", "OK", "OK"),
}


class Place(NamedTuple):
    """A match in some state, and what everybody has in hand."""

    match_id: str
    secrets: dict[str, str]


async def place(hall: Hall, state: str) -> Place:
    """Bring a match into *state*: two seats, of which one is free before the start."""
    made = await hall.match.Create(pb.CreateRequest(setup=setup()))
    match_id = made.match.match_id
    seat = await hall.match.Join(pb.JoinRequest(match_id=match_id, name="Ann"))
    secrets = {"nobody": "", "wrong secret": "x" * 43, "seat": seat.seat_secret}
    secrets |= {"creator": made.creator_secret}
    elsewhere = (await hall.match.Create(pb.CreateRequest(setup=setup()))).match.match_id
    other = await hall.match.Join(pb.JoinRequest(match_id=elsewhere, name="Eve"))
    secrets["seat of another match"] = other.seat_secret
    if state == "missing":
        return Place("a" * 26, secrets)
    if state in ("playing", "finished"):
        await hall.match.Join(pb.JoinRequest(match_id=match_id, name="Bob"))
        start = pb.StartRequest(match_id=match_id)
        await hall.match.Start(start, metadata=bearer(made.creator_secret))
    if state == "finished":
        resign = pb.ResignRequest(match_id=match_id, request_id="enough")
        await hall.match.Resign(resign, metadata=bearer(seat.seat_secret))
    return Place(match_id, secrets)


def request(name: str, match_id: str) -> Any:
    """Return a request that is well formed as far as the match goes."""
    method = METHODS[name]
    message = GetMessageClass(method.input_type)()
    fields = message.DESCRIPTOR.fields_by_name
    if "match_id" in fields:
        message.match_id = match_id
    if "request_id" in fields:
        message.request_id = "once-and-never-again"
    if name == "MatchService.Create":
        message.setup.CopyFrom(setup())
    if name == "MatchService.Join":
        message.name = "Cat"
    if name == "MatchService.Submit":
        message.decision_id = "0-none"
        message.answers.add(option=0)
    if name == "MatchService.Explain":
        message.command.yggdrasil.appease.SetInParent()
    if name == "MatchService.Play":
        message.enter.match_id = match_id
    return message


async def outcome(hall: Hall, name: str, match_id: str, secret: str) -> str:
    """Return the reason with which a call is refused, or ``OK`` at its first answer."""
    method = METHODS[name]
    path = f"/{method.containing_service.full_name}/{method.name}"
    metadata = bearer(secret)
    body = request(name, match_id).SerializeToString()
    call: Any = None
    try:
        if method.client_streaming:
            call = hall.channel.stream_stream(path)(metadata=metadata)
            await call.write(body)
            await call.done_writing()
            await call.read()
        elif method.server_streaming:
            call = hall.channel.unary_stream(path)(body, metadata=metadata)
            await call.read()
        else:
            await hall.raw(path, body, secret)
    except grpc.aio.AioRpcError as error:
        return Refusal(error).reason
    except grpc.aio.UsageError:  # the stream has ended before all was written
        return "ENDED"
    finally:
        if call is not None:
            call.cancel()
    return "OK"


def test_every_method_has_a_row_and_an_expectation():
    assert set(ROWS) == set(METHODS) == set(EXPECTED)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", sorted(METHODS))
async def test_who_may_do_what(hall: Hall, name: str, state: str):
    found = {}
    for caller in CALLERS:
        at = await place(hall, state)
        found[caller] = await outcome(hall, name, at.match_id, at.secrets[caller])
    assert found == {caller: EXPECTED[name].of(caller, state) for caller in CALLERS}


async def test_a_method_without_a_row_is_refused_to_everybody(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delitem(ROWS, "MatchService.Get")
    monkeypatch.delitem(ROWS, "MatchService.Watch")
    at = await place(hall, "open")
    for caller in CALLERS:
        for name in ("MatchService.Get", "MatchService.Watch"):
            assert await outcome(hall, name, at.match_id, at.secrets[caller]) == "FORBIDDEN"
