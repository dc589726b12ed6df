"""Requests that would be answered: matches in every state, and true requests about them."""

from __future__ import annotations

from typing import Any, Final, Protocol

from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import engine_service_pb2 as engine
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from taflhall_wire.translate import translator
from tests.engine.every_game import setups
from tests.faults.fuzz.messages import Maker
from tests.faults.inside import Answer

SERVICES: Final = (
    "taflhall.v1.MatchService",
    "taflhall.v1.EngineService",
    "taflhall.v1.CatalogService",
)


class Caller(Protocol):
    """What calls a method: a server inside this process, or a channel to one outside."""

    async def call(
        self, method: str, data: bytes, metadata: tuple[tuple[str, Any], ...] = ()
    ) -> Answer: ...


class Pool:
    """True requests by method, made from a few matches that are open, playing and over."""

    def __init__(self, inside: Caller, maker: Maker) -> None:
        self.requests: dict[str, list[Message]] = {}
        self.secrets: list[str] = []
        self.seats: dict[str, str] = {}
        """The seat's secret of each match."""
        self._inside = inside
        self._count = 0
        self._maker = maker

    @classmethod
    async def filled(cls, inside: Caller, maker: Maker, games: tuple[str, ...]) -> Pool:
        """Return a pool with requests for every method."""
        pool = cls(inside, maker)
        for name in games:
            usual = setups.trial(name).usual
            for number, answers in enumerate((-1, 0, 5, 20, 10)):
                await pool._add(name, usual[number % len(usual)], answers, over=number == 4)
            await pool._engine(name)
        return pool

    async def _ask(self, service: str, method: str, request: Message, secret: str = "") -> Any:
        path = f"/{service}/{method}"
        self.requests.setdefault(path, []).append(request)
        metadata = (("authorization", f"Bearer {secret}"),) if secret else ()
        answer = await self._inside.call(path, request.SerializeToString(), metadata)
        output: Any = Default().FindServiceByName(service).methods_by_name[method].output_type
        return GetMessageClass(output).FromString(answer.body)

    async def _add(self, name: str, chosen: dict[str, Any], answers: int, over: bool) -> None:
        game, matches = registry.game(name), SERVICES[0]
        setup = translator(game).setup_to(game.setup_kind(**chosen))
        created = await self._ask(
            matches, "CreateMatch", pb.CreateMatchRequest(setup=setup, title="A table")
        )
        match_id, secret = created.match.id, created.creator_secret
        self._maker.known.append(match_id)
        self.secrets.append(secret)
        await self._ask(matches, "StartMatch", pb.StartMatchRequest(match_id=match_id), secret)
        if answers < 0:
            return
        seats = range(len(created.match.seats))
        join = pb.JoinMatchRequest(match_id=match_id, seats=seats, name="Ann", request_id="j" * 20)
        secret = (await self._ask(matches, "JoinMatch", join)).seat_secret
        self.secrets.append(secret)
        self.seats[match_id] = secret
        await self._ask(matches, "StartMatch", pb.StartMatchRequest(match_id=match_id), secret)
        state = await self._ask(
            matches, "GetMatch", pb.GetMatchRequest(match_id=match_id, with_options=True), secret
        )
        self._maker.known += [state.resume_token, secret, state.decisions[0].id]
        command = state.decisions[0].options[0].command
        await self._ask(
            matches,
            "ExplainCommand",
            pb.ExplainCommandRequest(match_id=match_id, command=command),
            secret,
        )
        done, pending = 0, state.decisions[0]
        while done < answers:
            request = pb.SubmitAnswersRequest(
                match_id=match_id,
                decision_id=pending.id,
                request_id=f"q{done}",
                answers=[pb.DecisionAnswer(command=pending.options[0].command)]
                + [pb.DecisionAnswer(option=0)] * min(answers - done - 1, 63),
                with_options=True,
            )
            reply = await self._ask(matches, "SubmitAnswers", request, secret)
            if not reply.HasField("decision"):
                break
            done, pending = done + reply.applied, reply.decision
        self._maker.known.append(pending.id)
        if over:
            resign = pb.ResignSeatRequest(match_id=match_id, request_id="r")
            await self._ask(matches, "ResignSeat", resign, secret)
        more: list[Message] = [
            pb.GetMatchViewRequest(match_id=match_id, revision=1),
            pb.GetMatchRecordRequest(match_id=match_id),
            pb.ListMatchEventsRequest(match_id=match_id, first_revision=1, last_revision=3),
            pb.ListMatchesRequest(page_size=2),
            pb.ResignSeatRequest(match_id=match_id, request_id="resign"),
        ]
        for message in more:
            method = type(message).__name__.removesuffix("Request")
            self.requests.setdefault(f"/{matches}/{method}", []).append(message)

    async def refresh(self) -> None:
        """Remake the requests, so that they answer the decisions pending now."""
        for match_id, secret in self.seats.items():
            asked = pb.GetMatchRequest(match_id=match_id, with_options=True)
            path = f"/{SERVICES[0]}/GetMatch"
            metadata = (("authorization", f"Bearer {secret}"),)
            answer = await self._inside.call(path, asked.SerializeToString(), metadata)
            for decision in pb.GetMatchResponse.FromString(answer.body).decisions:
                if not decision.options:  # somebody else acts for the seat now
                    continue
                self._count += 1
                answers = [
                    pb.DecisionAnswer(option=0),
                    pb.DecisionAnswer(command=decision.options[-1].command),
                ]
                request = pb.SubmitAnswersRequest(
                    match_id=match_id,
                    decision_id=decision.id,
                    request_id=f"fresh{self._count}",
                    answers=answers[self._count % 2 :],
                )
                submits = self.requests[f"/{SERVICES[0]}/SubmitAnswers"]
                submits.append(request)
                del submits[:-40]

    async def _engine(self, name: str) -> None:
        game, service = registry.game(name), SERVICES[1]
        fields = setups.trial(name).usual[0]
        setup = translator(game).setup_to(game.setup_kind(**fields))
        laid = await self._ask(service, "SetUpTable", engine.SetUpTableRequest(setup=setup, seed=1))
        self._maker.tables.append(laid.table.snapshot)
        asked = engine.ListOptionsRequest(table=laid.table, with_view=True, seat=0)
        options = await self._ask(service, "ListOptions", asked)
        answers = [pb.DecisionAnswer(option=0)] * 3
        applied = await self._ask(
            service,
            "ApplyAnswers",
            engine.ApplyAnswersRequest(table=laid.table, answers=answers, seed=2),
        )
        self._maker.tables.append(applied.table.snapshot)
        await self._ask(
            service, "ImagineTables", engine.ImagineTablesRequest(view=options.view, seed=3)
        )
        await self._ask(
            service, "Rollout", engine.RolloutRequest(tables=[laid.table], seed=4, plies=3)
        )
        catalog = SERVICES[2]
        from taflhall.v1 import catalog_service_pb2

        await self._ask(catalog, "ListGames", catalog_service_pb2.ListGamesRequest())
        await self._ask(catalog, "GetGame", catalog_service_pb2.GetGameRequest(game=name))
