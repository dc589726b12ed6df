"""The analysis of finished matches by a server: ``Client.analyse``.

::

    record = await client.match(match_id).record()
    async for judged in client.analyse(record):
        if judged.grade in (AnswerGrade.MISTAKE, AnswerGrade.BLUNDER):
            print(judged.revision, judged.loss, judged.best)

:mod:`taflhall_client.analysis` does the same work in this process.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

import grpc

from taflhall.v1 import engine_service_pb2 as pb
from taflhall.v1 import match_pb2
from taflhall.v1.engine_service_pb2_grpc import EngineServiceStub
from taflhall_client.channel import Transport
from taflhall_client.results import AnswerGrade, JudgedAnswer
from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.game import Game, InvalidSetup, NpcResult, Result
from taflhall_engine.kernel.meta_commands import read_meta_command
from taflhall_engine.kernel.record import STEP_BREAK
from taflhall_engine.kernel.replay import RecordError, game_of
from taflhall_engine.kernel.vocabulary import commands_of
from taflhall_wire.outcomes import meta_command_to, result_to
from taflhall_wire.translate import translator

AT_ONCE: Final = 1
"""Decisions that one call judges: it takes about a second for each."""


async def analyse(
    transport: Transport,
    channel: grpc.aio.Channel,
    record: Mapping[str, Any],
    first_revision: int,
    iterations: int,
    trials: int,
    seed: int,
) -> AsyncGenerator[JudgedAnswer, None]:
    """Yield the judgement of each searched decision from *first_revision* on, in order."""
    game = transport.game(game_of(record))
    request = pb.AnalyseRecordRequest(
        record=record_to(game, record),
        first_revision=first_revision,
        page_size=AT_ONCE,
        iterations=iterations,
        trials=trials,
        seed=seed,
    )
    stub = EngineServiceStub(channel)
    while True:
        reply = await transport.call(stub.AnalyseRecord, request)
        for decision in reply.decisions:
            yield judged_from(game, decision)
        if not reply.next_revision:
            return
        request.first_revision = reply.next_revision


def judged_from(game: Game, message: pb.JudgedDecision) -> JudgedAnswer:
    """Return the judgement of *message*."""
    words = translator(game)
    try:
        grade = AnswerGrade(message.grade)
    except ValueError:
        grade = AnswerGrade.UNKNOWN
    return JudgedAnswer(
        message.revision,
        message.seat,
        [words.command_from(option.command) for option in message.chosen],
        [words.command_from(option.command) for option in message.best],
        message.expected_before,
        message.expected_after,
        message.standard_error,
        grade,
    )


def record_to(game: Game, record: Mapping[str, Any]) -> match_pb2.MatchRecord:
    """Return the message of *record*, with the digest of the last table alone.

    Raise :exc:`~taflhall_engine.kernel.replay.RecordError` if it is no record of *game*.
    """
    try:
        return _record_to(game, record)
    except (InvalidSetup, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"this is not a record of {game.id}: {error}") from error


def _record_to(game: Game, record: Mapping[str, Any]) -> match_pb2.MatchRecord:
    words, types = translator(game), commands_of(game.types)
    message = match_pb2.MatchRecord(start_digest=bytes.fromhex(record["start_digest"]))
    match = message.match
    match.setup.CopyFrom(words.setup_to(setups.from_data(game, record["setup"])))
    match.rules_version = record["rules_version"]
    for name in ("data_digest", "secret", "secret_digest"):
        setattr(match, name, bytes.fromhex(record[name]))
    for name in record["seats"]:
        match.seats.add(name=name)
    match.result.CopyFrom(result_to(game, _result_from(record["result"])))
    for seat, text in record["commands"]:
        entry = message.commands.add(seat=seat if seat >= 0 else None)
        action = read_meta_command(text)
        if action is not None:
            entry.meta_command = meta_command_to(action)
            entry.answers_undone = action.back
            continue
        for step in text.split(STEP_BREAK):
            entry.commands.append(words.command_to(notation.read(step, types, game.labels)))
    if message.commands:
        message.commands[-1].digest = bytes.fromhex(record["digests"][-1])
    return message


def _result_from(data: Mapping[str, Any]) -> Result:
    npc = data.get("npc")
    return Result(
        data["won"], data["places"], data["scores"], data["reasons"], npc and NpcResult(**npc)
    )
