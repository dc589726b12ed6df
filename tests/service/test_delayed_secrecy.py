"""Nothing that a delayed spectator gets depends on what is still hidden."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import match_pb2, match_service_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.delayed import (
    DELAY,
    MARGIN,
    TICK,
    refused_joins,
)
from tests.service.local_server import Table, open_server
from tests.service.timed_server import (
    DELAYED,
    NONE,
    TimedServer,
    everything,
    first_of,
    memory_at,
    open_timed_server,
    resign,
    response,
    sit_down,
    step,
    twin,
)
from tests.waiting import settle

FINISHED = match_pb2.MATCH_STATUS_FINISHED


async def test_nothing_is_seen_too_early():
    async with open_timed_server() as timed:
        table = await timed.table()
        timed.passes(DELAY + MARGIN)
        before = await everything(table)
        await step(table)
        timed.passes(DELAY - 0.001)
        assert await everything(table) == before
        timed.passes(MARGIN)
        assert await everything(table) != before


async def further(timed: TimedServer, table: Table, way: int) -> None:
    """Let a match go on in one of several ways."""
    for number in range(way * 3):
        await step(table, number % 2)
    if way % 2:
        await resign(table)


async def test_what_is_still_hidden_changes_no_answer():
    async with open_timed_server() as timed:
        table = await timed.table()
        for number in range(9):
            timed.passes(TICK)
            await step(table, number % 2)
        timed.passes(DELAY)
        seen: dict[int, list[Any]] = {}
        for way in range(4):
            async with open_timed_server(twin(timed.memory)) as world:
                other = Table(world.server, table.id, table.secrets, table.creator)
                await further(world, other, way)
                seen[way] = []
                for _ in range(3):
                    world.passes(DELAY / 3 - 0.1)
                    seen[way].append(await everything(other))
                    seen[way].append(await refused_joins(other))
                live = await everything(other, table.creator)
                seen[way].append((await other.get(None)).resume_token)
            assert seen[way] == seen[0], way
            assert way == 0 or live["get"] != seen[way][0]["get"]


async def test_a_late_join_reveals_nothing_of_the_progress():
    async with open_timed_server() as timed:
        table = await timed.table()
        before = await refused_joins(table)
        assert [reason for _, reason, _, _ in before] == [
            "NO_FREE_SEAT",
            "SEAT_TAKEN",
            "SEAT_TAKEN",
            "UNKNOWN_SEAT",
        ]
        await resign(table)
        assert await refused_joins(table) == before
        timed.passes(DELAY + MARGIN)
        assert {reason for _, reason, _, _ in await refused_joins(table)} == {"MATCH_OVER"}


async def test_before_anything_is_seen_the_match_looks_as_it_was_created():
    async with open_timed_server() as timed:
        table = await timed.create(delay=3600)
        created = await everything(table)
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_OPEN
        await sit_down(table)
        await step(table)
        await resign(table)
        assert await everything(table) == created
        listed = await timed.server.match.ListMatches(pb.ListMatchesRequest(status=FINISHED))
        assert not listed.matches


class Asked(MemoryStore):
    """Writes down what it is asked while somebody listens."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.calls: list[tuple[str, Any]] | None = None

    def _note(self, name: str, *what: Any) -> None:
        if self.calls is not None:
            self.calls.append((name, what))

    async def load(self, match_id: str) -> Any:
        self._note("load", match_id)
        return await super().load(match_id)

    async def entries(self, match_id: str, first: int, last: int | None) -> Any:
        self._note("entries", match_id, first, last)
        return await super().entries(match_id, first, last)


async def test_spectator_reads_cost_the_same_before_and_after_hidden_moves():
    """A call that takes longer after a hidden move would reveal that move."""
    async with open_server(Asked(memory_at()), poll=30) as server:
        timed = TimedServer(server.store.memory, server)
        table = await timed.table()
        for number in range(5):
            await step(table, number % 2)
        timed.passes(DELAY + MARGIN)
        await everything(table)
        worlds = []
        for _ in range(4):
            await settle()  # background tasks finish
            server.store.calls = []
            await everything(table)
            worlds.append(server.store.calls)
            server.store.calls = None
            await step(table)
        assert worlds[0]
        assert all(world == worlds[0] for world in worlds)
        assert not [call for call in worlds[0] if call[0] == "load"]


MATCH_SERVICE = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]

WORDS = {"name": "Late", "request_id": "a" * 16, "decision_id": "1", "proposal_id": "1"}


@pytest.mark.parametrize("policy", [DELAYED, NONE])
async def test_no_method_reveals_hidden_state_to_a_spectator(policy: int):
    """For every method: the same request gets the same answer in both worlds."""
    async with open_timed_server() as timed:
        table = await timed.table(policy)
        worlds = [await all_answers(table)]
        for number in range(4):
            await step(table, number % 2)
            worlds.append(await all_answers(table))
        await resign(table)
        worlds.append(await all_answers(table))
        assert len(worlds[0]) == len(MATCH_SERVICE.methods)
        for other in worlds[1:]:
            assert other == worlds[0]


async def all_answers(table: Table) -> dict[str, bytes]:
    """Return what each method of the service answers to somebody without a secret."""
    found = {}
    for method in MATCH_SERVICE.methods:
        kind: Any = GetMessageClass(method.input_type)
        known = {field.name for field in method.input_type.fields}
        wanted = {"match_id": table.id, **WORDS}
        request = kind(**{name: value for name, value in wanted.items() if name in known})
        if "answers" in known and not method.client_streaming:
            request.answers.add(option=0)
        if "command" in known:
            request.command.yggdrasil.end_turn.SetInParent()
        if "what" in method.input_type.oneofs_by_name:
            request.abandon.SetInParent()
        call = getattr(table.server.match, method.name)
        if method.client_streaming:
            stream = call()
            if method.name == "Play":
                request = pb.PlayRequest(enter=pb.PlayEnter(match_id=table.id))
            await stream.write(request)
            found[method.name] = await first_of(stream)
        elif method.server_streaming:
            found[method.name] = await first_of(call(request))
        else:
            found[method.name] = await response(call(request))
    return found
