"""The spectator settings: who may watch, and matches for their players only."""

from __future__ import annotations

from typing import Any

import pytest

from taflhall.v1 import match_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from tests.service.clocked import seconds
from tests.service.delayed import (
    refused_joins,
)
from tests.service.local_server import bearer, refused
from tests.service.timed_server import (
    DELAYED,
    NONE,
    PUBLIC,
    everything,
    join,
    open_timed_server,
    resign,
    step,
)


async def test_participants_see_the_current_match():
    async with open_timed_server() as timed:
        table = await timed.table()
        await step(table)
        for secret in (*table.secrets, table.creator):
            request = pb.GetMatchRequest(match_id=table.id)
            got = await timed.server.match.GetMatch(request, metadata=bearer(secret))
            assert got.match.revision == 1
            listed = await timed.server.match.ListMatches(
                pb.ListMatchesRequest(), metadata=bearer(secret)
            )
            assert listed.matches[0].revision == 1
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_OPEN
        assert not (await table.get(None)).match.seats[0].name


async def test_spectator_settings_are_public():
    async with open_timed_server() as timed:
        settings = {}
        for policy in (PUBLIC, DELAYED, NONE):
            table = await timed.create(policy)
            request = pb.GetMatchRequest(match_id=table.id)
            got = await timed.server.match.GetMatch(request, metadata=bearer(table.creator))
            settings[policy] = got.match.spectators
        assert {policy: setting.policy for policy, setting in settings.items()} == {
            policy: policy for policy in settings
        }
        assert settings[DELAYED].delay == seconds(60)
        assert not settings[PUBLIC].HasField("delay")
        unsaid = await timed.server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
        assert unsaid.match.spectators.policy == PUBLIC


def setup() -> table_pb2.Setup:
    found = table_pb2.Setup()
    found.game, found.seats = "yggdrasil", 2
    return found


@pytest.mark.parametrize(
    ("policy", "delay", "field"),
    [
        (DELAYED, None, "delay"),
        (DELAYED, 0.999, "delay"),
        (DELAYED, 3600.001, "delay"),
        (DELAYED, -5, "delay"),
        (PUBLIC, 5, "delay"),
        (NONE, 5, "delay"),
        (0, 5, "delay"),
        (99, None, "policy"),
    ],
)
async def test_settings_that_make_no_sense_are_refused(policy: Any, delay: Any, field: str):
    async with open_timed_server() as timed:
        request = pb.CreateMatchRequest(setup=setup())
        request.spectators.policy = policy
        if delay is not None:
            request.spectators.delay.CopyFrom(seconds(delay))
        refusal = await refused(timed.server.match.CreateMatch(request))
        assert refusal.reason == "MALFORMED"
        assert refusal.metadata["field"] == f"spectators.{field}"
        assert not timed.memory.matches


async def test_a_match_without_spectators_is_hidden_from_others():
    async with open_timed_server() as timed:
        table = await timed.table(NONE)
        for _ in range(3):
            found = await everything(table)
            lists = {name: data for name, data in found.items() if name[:4] in ("list", "page")}
            assert set(lists.values()) == {b""}
            for name in set(found) - set(lists):
                assert b"SPECTATORS_NOT_ALLOWED" in found[name], name
                assert b"PERMISSION_DENIED" in found[name], name
            joins = await refused_joins(table)
            assert [reason for _, reason, _, _ in joins][:2] == ["NO_FREE_SEAT", "SEAT_TAKEN"]
            await step(table)
        await resign(table)
        assert {reason for _, reason, _, _ in await refused_joins(table)} == {
            "NO_FREE_SEAT",
            "SEAT_TAKEN",
            "UNKNOWN_SEAT",
        }
        request = pb.GetMatchRecordRequest(match_id=table.id)
        refusal = await refused(timed.server.match.GetMatchRecord(request))
        assert (refusal.reason, refusal.metadata) == (
            "SPECTATORS_NOT_ALLOWED",
            {"match_id": table.id},
        )


async def test_players_see_and_list_a_match_without_spectators():
    async with open_timed_server() as timed:
        table = await timed.table(NONE)
        await step(table)
        for secret in (*table.secrets, table.creator):
            proof = bearer(secret)
            got = await timed.server.match.GetMatch(
                pb.GetMatchRequest(match_id=table.id), metadata=proof
            )
            assert got.match.revision == 1
            listed = await timed.server.match.ListMatches(pb.ListMatchesRequest(), metadata=proof)
            assert [match.id for match in listed.matches] == [table.id]
            stream = timed.server.match.WatchMatch(
                pb.WatchMatchRequest(match_id=table.id), metadata=proof
            )
            assert (await stream.read()).revision == 1
            stream.cancel()
        await resign(table)
        request = pb.GetMatchRecordRequest(match_id=table.id)
        record = await timed.server.match.GetMatchRecord(request, metadata=bearer(table.secrets[1]))
        assert len(record.record.commands) == 2


async def test_a_match_without_spectators_can_be_joined_by_its_id():
    async with open_timed_server() as timed:
        table = await timed.create(NONE)
        await join(table, 1)
        assert (await table.get(0)).match.seats[1].name == "Ann 1"
