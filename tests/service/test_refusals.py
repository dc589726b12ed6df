"""What a refusal says: what was wrong, where, and what would be right; in every call alike."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from taflhall.v1 import engine_service_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_engine import registry
from tests.service.local_server import LocalServer, Refusal, Table, bearer, refused

GAMES = ", ".join(registry.GAMES)


async def open_match(server: LocalServer, seats: int = 3) -> str:
    request = pb.CreateMatchRequest()
    request.setup.game, request.setup.seats = "yggdrasil", seats
    match_id: str = (await server.match.CreateMatch(request)).match.id
    return match_id


# ---------------------------------------------------------------- games


async def test_an_unknown_game_is_reported_by_every_method(
    server: LocalServer,
):
    table = engine_service_pb2.EngineTable(game="chess")
    calls = [
        server.match.ListMatches(pb.ListMatchesRequest(game="chess")),
        server.catalog.GetGame(catalog("chess")),
        server.engine.ListOptions(engine_service_pb2.ListOptionsRequest(table=table)),
        server.engine.ApplyAnswers(engine_service_pb2.ApplyAnswersRequest(table=table)),
        server.engine.Rollout(engine_service_pb2.RolloutRequest(tables=[table])),
    ]
    for call in calls:
        refusal = await refused(call)
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_GAME")
        assert refusal.metadata == {"game": "chess", "games": ",".join(registry.GAMES)}
        assert "'chess'" in refusal.words["en"]
        assert "yggdrasil" in refusal.words["de"]


async def test_a_missing_game_is_reported_with_its_field(server: LocalServer):
    table = engine_service_pb2.EngineTable()
    calls = {
        "setup.game": server.match.CreateMatch(pb.CreateMatchRequest()),
        "game": server.catalog.GetGame(catalog("")),
        "table.game": server.engine.ListOptions(engine_service_pb2.ListOptionsRequest(table=table)),
        "tables[0].game": server.engine.Rollout(engine_service_pb2.RolloutRequest(tables=[table])),
        "view.shared": server.engine.ImagineTables(engine_service_pb2.ImagineTablesRequest()),
    }
    for field, call in calls.items():
        refusal = await refused(call)
        assert refusal.reason == "MALFORMED"
        assert refusal.metadata == {"field": field, "expected": f"one of {GAMES}"}
    empty = server.engine.SetUpTable(engine_service_pb2.SetUpTableRequest())
    assert (await refused(empty)).metadata["field"] == "setup.game"


def catalog(game: str) -> Any:
    from taflhall.v1 import catalog_service_pb2

    return catalog_service_pb2.GetGameRequest(game=game)


def commands() -> dict[str, table_pb2.Command]:
    """Return a command of no game, and one of another game."""
    other = table_pb2.Command()
    kind = other.champions.DESCRIPTOR.oneofs_by_name["kind"].fields[0].name
    getattr(other.champions, kind).SetInParent()
    return {"MALFORMED": table_pb2.Command(), "WRONG_GAME": other}


@pytest.mark.parametrize("reason", ["MALFORMED", "WRONG_GAME"])
async def test_a_command_of_no_or_of_another_game_is_refused_alike(table: Table, reason: str):
    server, command = table.server, commands()[reason]
    decision = (await table.get(None)).decisions[0]
    proof = bearer(table.secrets[decision.seat])
    right = pb.DecisionAnswer(option=0)
    wrong = pb.DecisionAnswer(command=command)
    refusals: list[Refusal] = []
    for number, answers in enumerate(([wrong], [right, wrong])):
        request = pb.SubmitAnswersRequest(
            match_id=table.id,
            decision_id=decision.id,
            request_id=str(number),
            answers=answers,
        )
        refusals.append(await refused(server.match.SubmitAnswers(request, metadata=proof)))
    ask = pb.ExplainCommandRequest(match_id=table.id, command=command)
    refusals.append(await refused(server.match.ExplainCommand(ask, metadata=proof)))
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    made = await server.engine.SetUpTable(engine_service_pb2.SetUpTableRequest(setup=setup))
    apply = engine_service_pb2.ApplyAnswersRequest(table=made.table, answers=[right, wrong])
    refusals.append(await refused(server.engine.ApplyAnswers(apply)))
    assert {refusal.reason for refusal in refusals} == {reason}
    if reason == "WRONG_GAME":
        expected = {"game": "yggdrasil", "found": "champions"}
        assert all(refusal.metadata == expected for refusal in refusals)
    else:
        fields = [refusal.metadata["field"] for refusal in refusals]
        first, second = "answers[0].command", "answers[1].command"
        assert fields == [first, second, "command", second]
    assert (await table.get(None)).match.revision == 0
    play = server.match.Play(metadata=proof)
    await play.write(pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id)))
    prompt = (await play.read()).prompt
    answer = pb.PlayAnswer(decision_id=prompt.decision.id, answers=[wrong])
    await play.write(pb.PlayRequest(answer=answer))
    assert (await play.read()).rejection.reason == reason


async def test_a_view_of_two_games_is_of_neither(server: LocalServer):
    setup = table_pb2.Setup()
    setup.game, setup.seats = "yggdrasil", 2
    made = await server.engine.SetUpTable(engine_service_pb2.SetUpTableRequest(setup=setup))
    options = engine_service_pb2.ListOptionsRequest(table=made.table, with_view=True, seat=0)
    view = (await server.engine.ListOptions(options)).view
    view.own.champions.SetInParent()
    refusal = await refused(
        server.engine.ImagineTables(engine_service_pb2.ImagineTablesRequest(view=view))
    )
    assert refusal.reason == "WRONG_GAME"
    assert refusal.metadata == {"game": "yggdrasil", "found": "champions"}
    view.ClearField("own")
    refusal = await refused(
        server.engine.ImagineTables(engine_service_pb2.ImagineTablesRequest(view=view))
    )
    assert refusal.metadata == {"field": "view", "expected": "a view of yggdrasil"}


# ---------------------------------------------------------------- seats


async def test_a_match_that_is_over_admits_nobody(table: Table):
    resign = pb.ResignSeatRequest(match_id=table.id, request_id="over")
    await table.server.match.ResignSeat(resign, metadata=bearer(table.secrets[0]))
    refusal = await refused(
        table.server.match.JoinMatch(pb.JoinMatchRequest(match_id=table.id, name="Late"))
    )
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "MATCH_OVER")


@pytest.mark.parametrize("seats", [[1, 1], [0, 1, 0], [2] * 1000, [-1, -1]])
async def test_a_seat_is_asked_for_once(server: LocalServer, seats: list[int]):
    match_id = await open_match(server)
    request = pb.JoinMatchRequest(match_id=match_id, name="Ann", seats=seats)
    refusal = await refused(server.match.JoinMatch(request))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert refusal.metadata == {"field": "seats", "expected": "distinct seats"}
    match = (await server.match.GetMatch(pb.GetMatchRequest(match_id=match_id))).match
    assert not any(seat.name for seat in match.seats)


# ---------------------------------------------------------------- matches


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("GetMatch", {}),
        ("JoinMatch", {"name": "Ann"}),
        ("StartMatch", {}),
        ("ExplainCommand", {"command": table_pb2.Command()}),
        ("ResignSeat", {"request_id": "1"}),
        ("GetMatchRecord", {}),
        ("GetMatchView", {}),
        ("SubmitAnswers", {"request_id": "1", "answers": [pb.DecisionAnswer(option=0)]}),
    ],
)
async def test_a_match_that_is_not_named_is_missed(server: LocalServer, method: str, fields: Any):
    if method == "ExplainCommand":
        fields["command"].yggdrasil.end_turn.SetInParent()
    request = getattr(pb, f"{method}Request")(**fields)
    refusal = await refused(getattr(server.match, method)(request, metadata=bearer("x")))
    assert refusal.reason == "MALFORMED"
    assert refusal.metadata == {"field": "match_id", "expected": "the id of a match"}


@pytest.mark.parametrize("match_id", ["{", "}a{b}", "a b", "a\nb", "ä", "\x00", "../x", "*"])
async def test_an_id_that_no_match_can_have_is_not_looked_up(server: LocalServer, match_id: str):
    asked: list[str] = []
    load = server.store.load

    async def counted(wanted: str) -> Any:
        asked.append(wanted)
        return await load(wanted)

    server.store.load = counted
    refusal = await refused(server.match.GetMatch(pb.GetMatchRequest(match_id=match_id)))
    assert (refusal.reason, refusal.metadata) == ("MATCH_NOT_FOUND", {"match_id": match_id})
    assert not asked


# ---------------------------------------------------------------- setups and words


async def test_a_fault_of_a_setup_says_what_was_found(server: LocalServer):
    request = pb.CreateMatchRequest()
    request.setup.game, request.setup.seats = "yggdrasil", 9
    refusal = await refused(server.match.CreateMatch(request))
    (fault,) = refusal.violations
    assert (fault.field, fault.reason) == ("setup.seats", "OUT_OF_RANGE")
    assert fault.description == "there are 1 to 6 seats, found 9"
    assert fault.localized_message.message == "es gibt 1 bis 6 Plätze, gefunden 9"


async def test_enum_numbers_that_do_not_exist_are_faults_of_the_setup(server: LocalServer):
    unheard_of: Any = 99
    request = pb.CreateMatchRequest()
    request.setup.yggdrasil.gods.append(unheard_of)
    assert (await refused(server.match.CreateMatch(request))).metadata[
        "fields"
    ] == "setup.yggdrasil.gods"
    request = pb.CreateMatchRequest()
    request.setup.champions.near_shores = unheard_of
    request.setup.game, request.setup.seats = "champions", -(2**31)
    refusal = await refused(server.match.CreateMatch(request))
    assert refusal.metadata == {
        "fields": "setup.seats,setup.champions.near_shores",
        "codes": "OUT_OF_RANGE,UNKNOWN",
    }
    request = pb.CreateMatchRequest()
    unknown: Any = [unheard_of, 1]
    request.setup.ice_garden.factions.extend(unknown)
    refusal = await refused(server.match.CreateMatch(request))
    assert refusal.metadata == {"fields": "setup.ice_garden.factions", "codes": "UNKNOWN"}


async def test_the_words_say_where_and_what_would_be_right(table: Table):
    refusal = await refused(table.get(0, seat=7))
    assert refusal.words["en"] == "there is no seat 7: the match has 2, counted from 0"
    assert refusal.words["de"] == "Platz 7 gibt es nicht: die Partie hat 2, gezählt ab 0"
    refusal = await refused(table.server.match.ListMatches(pb.ListMatchesRequest(page_size=-1)))
    assert refusal.words["en"].endswith("field 'page_size': expected 0 or more")
    decision = (await table.get(None)).decisions[0]
    refusal = await refused(table.submit(decision.id, -5, decision.seat))
    assert "there is no option -5: the decision has" in refusal.words["en"]


async def test_no_tables_or_too_many_are_refused(server: LocalServer):
    for number in (0, 101):
        tables = [engine_service_pb2.EngineTable(game="yggdrasil")] * number
        request = engine_service_pb2.RolloutRequest(tables=tables)
        refusal = await refused(server.engine.Rollout(request))
        assert refusal.metadata == {"field": "tables", "expected": "1 to 100 tables"}
