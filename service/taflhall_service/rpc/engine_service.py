"""EngineService: the stateless rules engine, on tables and records that the caller supplies."""

from __future__ import annotations

from typing import Any, Final

from taflhall.v1 import engine_service_pb2 as pb
from taflhall.v1 import table_pb2
from taflhall_engine.kernel import agenda, notation
from taflhall_engine.kernel.agenda import Command, Table
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.record import STEP_BREAK
from taflhall_engine.kernel.vocabulary import commands_of
from taflhall_service.app import analysis as engine
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import UnknownSeat, WrongGame
from taflhall_service.app.matches.table_update import CommandAnswer
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.analyst import AnalysisOrder, Analyst, JudgedDecision
from taflhall_service.rpc.messages import texts_in
from taflhall_service.rpc.requests import (
    answers_of,
    game_named,
    game_of,
    language_of,
    record_of,
    seat_of,
    setup_of,
    view_of,
)
from taflhall_wire.outcomes import refusal_to, result_to
from taflhall_wire.texts import Texts
from taflhall_wire.translate import translator

MAX_DECISIONS: Final = 20
MAX_ITERATIONS: Final = 1_000
MAX_TRIALS: Final = 200
"""What one AnalyseRecord may ask for; the limits of the server bound their product."""

_GRADES: Final = {
    "": pb.ANSWER_GRADE_SOUND,
    "inaccuracy": pb.ANSWER_GRADE_INACCURACY,
    "mistake": pb.ANSWER_GRADE_MISTAKE,
    "blunder": pb.ANSWER_GRADE_BLUNDER,
}


class EngineService:
    """The methods of the engine service; nothing is kept between two calls."""

    def __init__(self, limits: Limits, key: bytes, analyst: Analyst) -> None:
        self._limits = limits
        self._key = key
        self._analyst = analyst

    async def SetUpTable(
        self, request: pb.SetUpTableRequest, identity: Identity
    ) -> pb.SetUpTableResponse:
        game, setup = setup_of(request.setup)
        return pb.SetUpTableResponse(
            table=self._table(game, engine.set_up(game, setup, request.seed))
        )

    async def ListOptions(
        self, request: pb.ListOptionsRequest, identity: Identity
    ) -> pb.ListOptionsResponse:
        game, s = self._read(request.table, 0)
        words, texts = translator(game), texts_in(game, language_of(request))
        response = pb.ListOptionsResponse()
        with engine.tampered(game):
            top = agenda.waiting(s)
            for seat in agenda.asked(s):
                if top is not None:
                    options = agenda.options(s, seat)
                    view = game.view(s, seat) if texts else None
                    decision = words.decision_to(top, seat, "", options, texts, view)
                    response.decisions.append(decision)
            if request.with_view:
                named = seat_of(request)
                seat = agenda.SPECTATOR if named is None else named
                if named is not None and not 0 <= named < game.seats(s):
                    raise UnknownSeat(seat=named, seats=game.seats(s))
                response.view.CopyFrom(words.view_to(game.view(s, seat)))
            _add_result(response, game, s, texts)
        return response

    async def ApplyAnswers(
        self, request: pb.ApplyAnswersRequest, identity: Identity
    ) -> pb.ApplyAnswersResponse:
        game, s = self._read(request.table, request.seed)
        words, texts = translator(game), texts_in(game, language_of(request))
        answers: list[int | Command[Any]] = []
        for answer in answers_of(request.answers, self._limits):
            if isinstance(answer, CommandAnswer) and answer.game != game.id:
                raise WrongGame(game=game.id, found=answer.game)
            answers.append(answer.command if isinstance(answer, CommandAnswer) else answer)
        with engine.tampered(game):
            table, events, applied, refusal = engine.apply(s, answers)
            response = pb.ApplyAnswersResponse(
                table=self._table(game, table),
                events=[words.event_to(event, texts) for event in events],
                applied=applied,
                refusal=None if refusal is None else refusal_to(refusal, texts),
            )
            _add_result(response, game, table, texts)
        return response

    async def ImagineTables(
        self, request: pb.ImagineTablesRequest, identity: Identity
    ) -> pb.ImagineTablesResponse:
        game = game_of(request.view.shared, "view.shared")
        view = view_of(game, request.view)
        tables = await engine.imagine(game, view, request.seed, request.count)
        return pb.ImagineTablesResponse(tables=[self._table(game, table) for table in tables])

    async def Rollout(self, request: pb.RolloutRequest, identity: Identity) -> pb.RolloutResponse:
        tables = [
            (game_named(table.game, f"tables[{number}].game"), table.snapshot)
            for number, table in enumerate(request.tables)
        ]
        outs = await engine.roll_outs(
            tables,
            self._key,
            request.seed,
            request.plies,
            request.repeats,
            self._limits.engine_plies,
        )
        response, language = pb.RolloutResponse(), language_of(request)
        for number, (plies, result) in enumerate(outs):
            game = tables[number * len(tables) // len(outs)][0]
            texts = texts_in(game, language)
            with engine.tampered(game):
                response.rollouts.add(
                    plies=plies,
                    result=None if result is None else result_to(game, result, (), texts),
                )
        return response

    async def AnalyseRecord(
        self, request: pb.AnalyseRecordRequest, identity: Identity
    ) -> pb.AnalyseRecordResponse:
        game, record = record_of(request.record)
        order = AnalysisOrder(
            record,
            request.first_revision,
            engine.between("page_size", request.page_size or 5, 1, MAX_DECISIONS),
            engine.between("iterations", request.iterations or 100, 1, MAX_ITERATIONS),
            engine.between("trials", request.trials or 30, 2, MAX_TRIALS),
            request.seed,
        )
        caller = identity.digest.hex() if identity.digest else ""
        limit = self._limits.analysis_iterations
        judged = await engine.judge_decisions(self._analyst, caller, order, limit)
        texts = texts_in(game, language_of(request))
        return pb.AnalyseRecordResponse(
            decisions=[_judged_to(game, decision, texts) for decision in judged.decisions],
            next_revision=judged.next_revision,
        )

    def _read(self, table: pb.EngineTable, seed: int) -> tuple[Game, Table]:
        game = game_named(table.game, "table.game")
        return game, engine.read_table(game, table.snapshot, seed, self._key)

    def _table(self, game: Game, s: Table) -> pb.EngineTable:
        return pb.EngineTable(game=game.id, snapshot=engine.write_table(game, s, self._key))


def _add_result(
    response: pb.ListOptionsResponse | pb.ApplyAnswersResponse,
    game: Game,
    s: Table,
    texts: Texts | None,
) -> None:
    result = game.result(s)
    if result is not None:
        response.result.CopyFrom(result_to(game, result, game.score_lines(s), texts))


def _judged_to(game: Game, decision: JudgedDecision, texts: Texts | None) -> pb.JudgedDecision:
    words, types = translator(game), commands_of(game.types)

    def options(answer: str) -> list[table_pb2.Option]:
        steps = [notation.read(step, types, game.labels) for step in answer.split(STEP_BREAK)]
        return [
            table_pb2.Option(
                command=words.command_to(step),
                rule=step.RULE,
                text="" if texts is None else texts.option(step, None),
            )
            for step in steps
        ]

    return pb.JudgedDecision(
        revision=decision.revision,
        seat=decision.seat,
        chosen=options(decision.chosen),
        best=options(decision.best),
        expected_before=decision.before,
        expected_after=decision.after,
        loss=decision.before - decision.after,
        standard_error=decision.error,
        grade=_GRADES[decision.grade],
    )
