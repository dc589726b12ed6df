"""What the score would be if the match ended now."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_service_pb2 as pb
from taflhall.v1.table_pb2 import ScoreProjection
from tests.service.local_server import Table, bearer


async def projection(table: Table, secret: str = "", **fields: Any) -> ScoreProjection:
    request = pb.GetMatchViewRequest(
        match_id=table.id, with_projection=True, **({"language": "en"} | fields)
    )
    response = await table.server.match.GetMatchView(request, metadata=bearer(secret))
    assert isinstance(response.projection, ScoreProjection)
    return response.projection


@pytest.mark.parametrize("game", ["champions", "ice_garden"])
async def test_each_line_of_a_score_has_points_a_rule_and_a_text(server, game):
    table = await server.one_person(game, 2)
    for _ in range(12):
        await table.step()
    revision = (await table.get()).match.revision
    shown = await projection(table, table.secrets[0], revision=revision, seat=1)
    assert [seat.seat for seat in shown.seats] == [0, 1]
    for seat in shown.seats:
        assert seat.score == sum(line.points for line in seat.lines)
        assert all(line.id and line.rule and line.text for line in seat.lines)


async def test_a_game_without_points_names_what_decides_it(server):
    shown = await projection(await server.table(2, 1), language="de")
    assert not shown.seats
    assert {reason.id for reason in shown.reasons} == {"wall", "gate", "residence"}
    assert {reason.rule for reason in shown.reasons} == {"YG-11.2"}
    assert "fünf Feinde jenseits der Mauer" in [reason.text for reason in shown.reasons]


async def test_a_spectator_is_given_the_score_as_well(server):
    table = await server.one_person("ice_garden", 2)
    await table.step()
    assert [seat.seat for seat in (await projection(table)).seats] == [0, 1]


async def test_nothing_is_projected_unless_it_is_asked_for(server):
    table = await server.one_person("champions", 2)
    response = await server.match.GetMatchView(pb.GetMatchViewRequest(match_id=table.id))
    assert not response.HasField("projection")
