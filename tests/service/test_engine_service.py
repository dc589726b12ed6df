"""EngineService: tables that the caller supplies, sound or not."""

from __future__ import annotations

import random
from typing import Any

import grpc
import msgspec
import pytest

from taflhall.v1 import engine_service_pb2 as pb
from taflhall.v1 import match_service_pb2, table_pb2
from taflhall_engine import registry
from taflhall_engine.kernel.game import Result
from taflhall_service.app import analysis as engine
from taflhall_service.app.errors import InvalidTable
from taflhall_service.app.model import history_chain as chain
from taflhall_wire.outcomes import result_to
from tests.service.local_server import LocalServer, limits, open_server, refused
from tests.stopwatch import Stopwatch

NOBODY: Any = 77


def request(seats: int = 2, seed: int = 7) -> pb.SetUpTableRequest:
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", seats
    return pb.SetUpTableRequest(setup=setup, seed=seed)


@pytest.fixture
async def table(server: LocalServer) -> pb.EngineTable:
    made: pb.SetUpTableResponse = await server.engine.SetUpTable(request())
    return made.table


async def test_a_table_is_set_up_and_played_to_the_end(server: LocalServer, table: pb.EngineTable):
    plies = 0
    while True:
        found = await server.engine.ListOptions(pb.ListOptionsRequest(table=table, with_view=True))
        if not found.decisions:
            assert found.result.seats
            break
        assert not found.view.HasField("seat")
        answers = [match_service_pb2.DecisionAnswer(option=0)] * 5
        done = await server.engine.ApplyAnswers(
            pb.ApplyAnswersRequest(table=table, answers=answers, seed=plies)
        )
        assert done.events
        plies, table = plies + done.applied, done.table
    assert plies > 10


async def test_equal_calls_give_equal_answers(server: LocalServer):
    first = await server.engine.SetUpTable(request(seed=5))
    assert await server.engine.SetUpTable(request(seed=5)) == first
    assert await server.engine.SetUpTable(request(seed=6)) != first
    roll = pb.RolloutRequest(tables=[first.table], seed=3, repeats=4)
    outs = await server.engine.Rollout(roll)
    assert await server.engine.Rollout(roll) == outs
    assert len(outs.rollouts) == 4
    assert all(out.result.seats for out in outs.rollouts)


async def test_a_roll_out_stops_at_its_limit(server: LocalServer, table: pb.EngineTable):
    roll = pb.RolloutRequest(tables=[table], plies=3)
    (out,) = (await server.engine.Rollout(roll)).rollouts
    assert out.plies == 3
    assert not out.HasField("result")


async def test_tables_are_imagined_that_look_the_same(server: LocalServer, table: pb.EngineTable):
    options = pb.ListOptionsRequest(table=table, with_view=True, seat=0)
    view = (await server.engine.ListOptions(options)).view
    imagined = await server.engine.ImagineTables(
        pb.ImagineTablesRequest(view=view, seed=1, count=5)
    )
    assert len(imagined.tables) == 5
    assert len({t.snapshot for t in imagined.tables}) > 1
    for other in imagined.tables:
        seen = await server.engine.ListOptions(
            pb.ListOptionsRequest(table=other, with_view=True, seat=0)
        )
        assert seen.view == view


async def test_an_illegal_answer_says_why(server: LocalServer, table: pb.EngineTable):
    command = table_pb2.Command()
    command.yggdrasil.asgard.enemy = NOBODY
    answers = [match_service_pb2.DecisionAnswer(command=command)]
    done = await server.engine.ApplyAnswers(pb.ApplyAnswersRequest(table=table, answers=answers))
    assert (done.applied, done.table.snapshot) == (0, table.snapshot)
    assert done.refusal.code


@pytest.mark.parametrize("method", ["ListOptions", "ApplyAnswers", "Rollout"])
async def test_a_table_that_was_tampered_with_is_refused(server, table, method):
    rng = random.Random(2)
    for n in range(40):
        data = bytearray(table.snapshot)
        if n % 4 == 0:
            data = data[: rng.randrange(len(data))]
        else:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        refusal = await refused(
            call(server, method, pb.EngineTable(game="yggdrasil", snapshot=bytes(data)))
        )
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "INVALID_TABLE",
        )
        assert refusal.metadata == {"game": "yggdrasil"}


def call(server: LocalServer, method: str, table: pb.EngineTable):
    if method == "ListOptions":
        return server.engine.ListOptions(pb.ListOptionsRequest(table=table))
    if method == "ApplyAnswers":
        answers = [match_service_pb2.DecisionAnswer(option=0)]
        return server.engine.ApplyAnswers(pb.ApplyAnswersRequest(table=table, answers=answers))
    return server.engine.Rollout(pb.RolloutRequest(tables=[table]))


async def test_a_changed_and_resealed_table_is_refused_or_playable(server, table):
    """Should the store's key get out, what is inside is checked as well."""
    key, rng, invalid = server.matches.server_key, random.Random(6), 0
    for _ in range(150):
        snapshot, more = opened(key, table)
        change(snapshot["table"], rng)
        forged = sealed(key, "yggdrasil", snapshot, more)
        for method in ("ListOptions", "ApplyAnswers", "Rollout"):
            try:
                await call(server, method, forged)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.INVALID_ARGUMENT  # noqa: PT017
                invalid += 1
    assert invalid > 200


async def test_nobody_else_can_seal_a_table(server):
    """Dice by the million would keep the server from everybody else."""
    setup = table_pb2.Setup()
    setup.game, setup.seats = "champions", 2
    laid = (await server.engine.SetUpTable(pb.SetUpTableRequest(setup=setup, seed=3))).table
    snapshot, more = opened(server.matches.server_key, laid)
    snapshot["table"]["roll"][10] = 2**64 - 1
    for key in (b"", bytes(32), b"another store"):
        forged = sealed(key, "champions", snapshot, more)
        for data in (forged.snapshot, forged.snapshot[8:], forged.snapshot[16:]):
            asked = pb.EngineTable(game="champions", snapshot=data)
            for method in ("ListOptions", "ApplyAnswers", "Rollout"):
                assert (await refused(call(server, method, asked))).reason == "INVALID_TABLE"


async def test_a_view_of_more_than_any_table_has_is_not_imagined(server):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "champions", 2
    laid = (await server.engine.SetUpTable(pb.SetUpTableRequest(setup=setup, seed=3))).table
    view = (
        await server.engine.ListOptions(pb.ListOptionsRequest(table=laid, with_view=True, seat=0))
    ).view
    view.shared.champions.seats[0].coins = 1 << 20
    stopwatch = Stopwatch()
    refusal = await refused(
        server.engine.ImagineTables(pb.ImagineTablesRequest(view=view, count=100))
    )
    assert refusal.reason == "INVALID_TABLE"
    assert stopwatch.seconds < 5.0


def opened(key: bytes, table: pb.EngineTable):
    """Return what a table's bytes hold: a snapshot, and more."""
    payload = chain.unseal(key, f"table/{table.game}/", table.snapshot)
    return msgspec.msgpack.decode(payload)


def sealed(key: bytes, game: str, snapshot, more) -> pb.EngineTable:
    payload = msgspec.msgpack.encode([snapshot, more])
    return pb.EngineTable(game=game, snapshot=chain.seal(key, f"table/{game}/", payload))


def change(data, rng: random.Random) -> None:
    """Change one thing somewhere inside plain data."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and rng.random() < 0.8:
            data = data[key]
            continue
        data[key] = rng.choice([-1, 99, 10**12, "x", None, [], {"Nothing": []}, [[1]], True])
        return


async def test_a_table_of_a_newer_schema_is_said(server, table):
    key = server.matches.server_key
    snapshot, more = opened(key, table)
    snapshot["schema"] = 99
    newer = sealed(key, "yggdrasil", snapshot, more)
    assert (await refused(call(server, "ListOptions", newer))).reason == "RULES_TOO_NEW"


async def test_a_view_that_makes_no_position_is_refused(server, table):
    options = pb.ListOptionsRequest(table=table, with_view=True, seat=0)
    view = (await server.engine.ListOptions(options)).view
    for spoil in ("seat", "agenda", "empty"):
        spoilt = table_pb2.View()
        spoilt.CopyFrom(view)
        if spoil == "seat":
            spoilt.seat = 77
        elif spoil == "agenda":
            spoilt.shared.yggdrasil.agenda.append("nonsense")
        else:
            spoilt.shared.yggdrasil.Clear()
        refusal = await refused(server.engine.ImagineTables(pb.ImagineTablesRequest(view=spoilt)))
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refusal.reason in ("INVALID_TABLE", "MALFORMED", "UNKNOWN_SEAT")


@pytest.mark.parametrize("field", ["count", "repeats", "plies"])
async def test_numbers_out_of_range(server, table, field):
    too_few: Any = {field: -1}
    if field == "count":
        view = (
            await server.engine.ListOptions(
                pb.ListOptionsRequest(table=table, with_view=True, seat=0)
            )
        ).view
        made = server.engine.ImagineTables(pb.ImagineTablesRequest(view=view, count=101))
    else:
        made = server.engine.Rollout(pb.RolloutRequest(tables=[table], **too_few))
    refusal = await refused(made)
    assert (refusal.reason, refusal.metadata["field"]) == ("MALFORMED", field)


async def test_more_work_than_allowed_is_refused():
    async with open_server(limits=limits(engine_plies=500)) as server:
        table = (await server.engine.SetUpTable(request())).table
        refusal = await refused(
            server.engine.Rollout(pb.RolloutRequest(tables=[table], repeats=100))
        )
        assert (refusal.code, refusal.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "WORK_LIMIT",
        )
        assert refusal.metadata == {"limit": "500"}


async def test_a_setup_for_nobody(server):
    refusal = await refused(server.engine.SetUpTable(request(seats=99)))
    assert refusal.reason == "INVALID_SETUP"


def test_a_score_that_no_message_holds_is_the_fault_of_the_table():
    with pytest.raises(InvalidTable) as refusal, engine.tampered(registry.game("ice_garden")):
        result_to(registry.game("yggdrasil"), Result([True], [1], [1 << 40], []))
    assert refusal.value.metadata == {"game": "ice_garden"}
