"""A server in this process, real gRPC over a real socket, and the client's side of it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

import grpc
from google.rpc import error_details_pb2, status_pb2

from taflhall.admin.v1 import admin_service_pb2_grpc
from taflhall.v1 import (
    catalog_service_pb2_grpc,
    engine_service_pb2_grpc,
    lobby_service_pb2_grpc,
    match_service_pb2_grpc,
    table_pb2,
)
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.error_decoding import is_overtaken
from taflhall_engine.kernel.agenda import options
from taflhall_engine.kernel.drafts import Draft
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.match import Match
from taflhall_service.app.ports.match_store import MatchStore
from taflhall_service.app.spectating.delayed_match import LINGER_SECONDS
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.observability.metrics import Meter
from taflhall_service.observability.tracing import Tracer
from taflhall_service.rpc.admin_server import AdminServer
from taflhall_service.rpc.server import Server
from taflhall_testing.server import running_server

RANDOM: list[Callable[[int], bytes]] = []
"""What draws the randomness of new matches in this test; empty: nothing special."""


def random_bytes() -> Callable[[int], bytes]:
    return RANDOM[-1] if RANDOM else secrets.token_bytes


class LocalServer:
    """One server and a channel to it."""

    def __init__(self, store: MatchStore, spectators: Spectators, rpc: Server, port: int) -> None:
        self.store: Any = store
        self.spectators = spectators
        self.matches = spectators.matches
        self.rpc = rpc
        self.port = port
        self.accounts = rpc.accounts
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        self.admin_channel: Any = None
        self.admin: Any = None
        self.match: Any = match_service_pb2_grpc.MatchServiceStub(self.channel)
        self.lobby: Any = lobby_service_pb2_grpc.LobbyServiceStub(self.channel)
        self.engine: Any = engine_service_pb2_grpc.EngineServiceStub(self.channel)
        self.catalog: Any = catalog_service_pb2_grpc.CatalogServiceStub(self.channel)

    async def raw(self, path: str, data: bytes, secret: str = "") -> bytes:
        """Call a unary method with any bytes."""
        call: Any = self.channel.unary_unary(path, None, None)
        answer: bytes = await call(data, metadata=bearer(secret))
        return answer

    async def key(self, role: Role = Role.PLAYER, name: str = "Ann") -> tuple[str, str]:
        """Open an account; return its id and a key of it."""
        account = await self.accounts.create(name, role)
        return account.id, (await self.accounts.create_key(account.id))[1]

    async def table(self, gods: int = 2, seats: int = 1, seed: int = 0) -> Table:
        """Create, join and start a match of Yggdrasil for *seats* people."""
        setup = table_pb2.Setup()
        setup.yggdrasil.SetInParent()
        if gods:
            setup.game, setup.seats = "yggdrasil", gods
        created = await self.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
        match_id = created.match.id
        secrets = []
        for person in range(seats):
            own = list(range(person, gods, seats))
            joined = await self.match.JoinMatch(
                pb.JoinMatchRequest(match_id=match_id, seats=own, name=f"Ann {person}")
            )
            secrets.append(joined.seat_secret)
        await self.match.StartMatch(
            pb.StartMatchRequest(match_id=match_id), metadata=bearer(created.creator_secret)
        )
        return Table(self, match_id, secrets, created.creator_secret)

    async def one_person(self, game: str, seats: int) -> Table:
        """Create, join and start a match of one person, who holds all seats."""
        setup = table_pb2.Setup(game=game, seats=seats)
        made = await self.match.CreateMatch(pb.CreateMatchRequest(setup=setup))
        join = pb.JoinMatchRequest(match_id=made.match.id, seats=range(seats), name="Ann")
        secret = (await self.match.JoinMatch(join)).seat_secret
        start = pb.StartMatchRequest(match_id=made.match.id)
        await self.match.StartMatch(start, metadata=bearer(made.creator_secret))
        return Table(self, made.match.id, [secret], made.creator_secret)


class Table:
    """A match that is being played, and the secrets of those who sit at it."""

    def __init__(
        self, server: LocalServer, match_id: str, secrets: list[str], creator: str
    ) -> None:
        self.server = server
        self.id = match_id
        self.secrets = secrets
        self.creator = creator

    async def get(self, person: int | None = 0, **fields: Any) -> pb.GetMatchResponse:
        secret = "" if person is None else self.secrets[person]
        request = pb.GetMatchRequest(match_id=self.id, with_options=True, **fields)
        answer: pb.GetMatchResponse = await self.server.match.GetMatch(
            request, metadata=bearer(secret)
        )
        return answer

    async def decision(self, person: int = 0) -> table_pb2.Decision:
        """Return the pending decision of *person* with its options."""
        for decision in (await self.get(person)).decisions:
            if decision.options:
                return decision
        raise AssertionError("nothing is pending")

    async def submit(
        self, decision_id: str, option: int = 0, person: int = 0, **fields: Any
    ) -> pb.SubmitAnswersResponse:
        request = pb.SubmitAnswersRequest(
            match_id=self.id,
            decision_id=decision_id,
            request_id=fields.pop("request_id", "") or uuid4().hex,
            answers=fields.pop("answers", None) or [pb.DecisionAnswer(option=option)],
            **fields,
        )
        metadata = bearer(self.secrets[person])
        answer: pb.SubmitAnswersResponse = await self.server.match.SubmitAnswers(
            request, metadata=metadata
        )
        return answer

    async def visit(self, person: int = 0) -> None:
        """Open a stream of *person* for a moment, which says that a player is there."""
        request = pb.WatchMatchRequest(match_id=self.id)
        watch = self.server.match.WatchMatch(request, metadata=bearer(self.secrets[person]))
        await watch.read()
        watch.cancel()

    async def whole(self, option: int = 0) -> list[pb.DecisionAnswer]:
        """Return a whole answer to the pending decision: *option*, then the first of each step."""
        match = await self.server.matches.current(self.id)
        assert match.table is not None
        draft = Draft(match.table, min(match.pending))
        answers = [pb.DecisionAnswer(option=option)]
        while not draft.give(options(draft.table, draft.seat)[answers[-1].option]):
            answers.append(pb.DecisionAnswer(option=0))
        return answers

    async def step(self, option: int = 0) -> pb.SubmitAnswersResponse:
        """Answer the pending decision of the seat that has to decide."""
        get = await self.get(None)
        seat = get.decisions[0].seat
        person = seat % len(self.secrets)
        answer = await self.submit(get.decisions[0].id, option, person)
        while not answer.first_revision:  # an answer of several steps
            answer = await self.submit(answer.decision.id, 0, person)
        return answer


def bearer(secret: str | None) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {secret}"),) if secret else ()


@asynccontextmanager
async def open_server(
    store: MatchStore | None = None,
    limits: Limits | None = None,
    tables: int = 100,
    poll: float = 1.0,
    meter: Meter | None = None,
    admin: bool = False,
    required: bool = False,
    linger: float = LINGER_SECONDS,
    proxied: bool = False,
    tracer: Tracer | None = None,
) -> AsyncIterator[LocalServer]:
    """Serve over *store*, by default one in memory; with *admin* also for administrators."""
    limits = replace(limits or Limits(), accounts_required=required)
    meter = meter or Meter()
    async with running_server(
        store,
        limits=limits,
        tables=tables,
        poll=poll,
        linger=linger,
        proxied=proxied,
        meter=meter,
        random_bytes=random_bytes(),
        tracer=tracer,
    ) as running:
        spectators, rpc = running.spectators, running.server
        server = LocalServer(
            running.store, spectators, rpc, int(running.address.rpartition(":")[2])
        )
        admin_server = AdminServer(spectators, rpc.accounts, limits, meter)
        if admin:
            port = await admin_server.start("127.0.0.1:0")
            server.admin_channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
            server.admin = admin_service_pb2_grpc.AdminServiceStub(server.admin_channel)
        try:
            yield server
        finally:
            if admin:
                await server.admin_channel.close()
            await admin_server.server.stop(None)
            await server.channel.close()


class Refusal:
    """The status of a refused call."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        self.code = error.code()
        self.text = error.details() or ""
        self.status = status_pb2.Status()
        self.trailers: dict[str, Any] = dict(error.trailing_metadata() or ())
        for name, value in error.trailing_metadata() or ():
            if name == "grpc-status-details-bin":
                self.status.ParseFromString(value)
        self.reason, self.metadata, self.words, self.violations = "", {}, {}, []
        for detail in self.status.details:
            info, words = error_details_pb2.ErrorInfo(), error_details_pb2.LocalizedMessage()
            bad = error_details_pb2.BadRequest()
            if detail.Unpack(info):
                assert info.domain == "taflhall"
                self.reason, self.metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(words):
                self.words[words.locale] = words.message
            elif detail.Unpack(bad):
                self.violations = list(bad.field_violations)


OPENINGS: Final = 100
"""How often a stream is opened until its refusal arrives; it is lost about once in a thousand."""


async def answer_of(open_stream: Callable[[], Any], *requests: Any, last: bool = False) -> Any:
    """Write *requests* to a stream; return its first answer, or raise what it is refused with.

    With *last* read on until it ends. A refusal that overtakes a request may be lost
    (:exc:`~taflhall_client.errors.StreamLost`): then the stream is opened again.
    """
    for _ in range(OPENINGS):
        stream = open_stream()
        try:
            with suppress(grpc.aio.AioRpcError, grpc.aio.InternalError, asyncio.InvalidStateError):
                for request in requests:
                    await stream.write(request)
                await stream.done_writing()
            answer = await stream.read()  # if something could not be written, this says why
            if last:
                await to_the_end(stream)
            return answer
        except grpc.aio.AioRpcError as error:
            if not is_overtaken(error):
                raise
        finally:
            stream.cancel()
    raise AssertionError(f"the refusal was lost {OPENINGS} times")


async def to_the_end(stream: Any) -> None:
    """Read a stream to its end, or raise what it is refused with."""
    while await stream.read() is not grpc.aio.EOF:
        pass


async def refused(call: Any) -> Refusal:
    """Return what *call* is refused with; it must be refused."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return Refusal(error)
    raise AssertionError(f"not refused: {answer}")


async def reason_of(call: Any) -> str:
    """Return the reason that *call* is refused with, ``OK`` if it is not."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return Refusal(error).reason
    return "OK"


def limits(**changes: Any) -> Limits:
    return replace(Limits(), **changes)


def known(server: LocalServer, match_id: str) -> Match:
    """Return a match as the server remembers it."""
    match = server.matches.cached(match_id)
    assert match is not None
    return match
