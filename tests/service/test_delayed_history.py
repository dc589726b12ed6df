"""Delayed spectators when the store loses writes, and how long visible states are kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.matches.visibility import states_after
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import Version, change_id_of
from taflhall_service.store.archive.folder import FolderArchive
from tests.service.delayed import (
    DELAY,
    MARGIN,
    heard,
    never_begun,
    over,
)
from tests.service.local_server import Refusal, Table, bearer, limits, open_server
from tests.service.local_server import known as server_knows
from tests.service.test_watch import set_back
from tests.service.timed_server import (
    DELAYED,
    TimedServer,
    open_timed_server,
    resign,
    step,
)
from tests.waiting import until


async def test_a_rewind_of_hidden_history_is_not_visible():
    async with open_timed_server(poll=0.05) as timed:
        table = await timed.table()
        for number in range(3):
            await step(table, number % 2)
        timed.passes(DELAY + MARGIN)
        stream = timed.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await stream.read()).revision == 3
        for number in range(5):
            await step(table, number % 2)
        hidden = (await table.get(0)).decisions[0].id
        await set_back(table, 4)
        await until(lambda: timed.server.matches.hub.rewound)
        for _ in range(3):
            await step(table)
        timed.passes(DELAY + MARGIN)
        received = await heard(stream, lambda message: message.revision == 7)
        seen = [m for _, m in received if not m.HasField("heartbeat")]
        assert [m.revision for m in seen] == [4, 5, 6, 7]
        assert all(m.HasField("change") for m in seen)
        assert hidden not in str(seen)
        stream.cancel()


async def test_a_rewind_of_visible_history_is_announced():
    async with open_timed_server(poll=0.05) as timed:
        table = await timed.table()
        for number in range(5):
            await step(table, number % 2)
        timed.passes(DELAY + MARGIN)
        stream = timed.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await stream.read()).revision == 5
        await set_back(table, 2)
        await until(lambda: timed.server.matches.hub.rewound)
        await step(table)
        timed.passes(DELAY + MARGIN)
        received = await heard(stream, lambda message: message.revision == 3)
        snapshots = [m.snapshot for _, m in received if m.HasField("snapshot")]
        assert {s.cause for s in snapshots} == {pb.SNAPSHOT_CAUSE_HISTORY_REWOUND}
        stream.cancel()


async def test_a_read_without_a_stream_notices_a_rewind():
    async with open_timed_server() as timed:
        table = await timed.table()
        for number in range(6):
            await step(table, number % 2)
        timed.passes(DELAY + MARGIN)
        await step(table)
        assert (await table.get(None)).match.revision == 6
        await set_back(table, 3)
        for _ in range(6):
            await step(table)
        request = pb.GetMatchRequest(match_id=table.id, with_view=True)
        live = await timed.server.match.GetMatch(request, metadata=bearer(table.creator))
        timed.passes(DELAY + MARGIN)
        late = await table.get(None, with_view=True)
        assert (late.match, late.view) == (live.match, live.view)


async def test_the_end_comes_late_although_the_store_forgets_early(tmp_path: Path):
    async with open_server() as server:
        table = await TimedServer(server.store.memory, server).table(delay=1)
        await step(table)
        stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        response = asyncio.create_task(heard(stream, over))
        await resign(table)
        archiver = Archiver(server.store, FolderArchive(tmp_path), 0.0, lambda _: None, share=1.0)
        await archiver.scan()
        assert (await response)[-1][1].end.cause == pb.STREAM_END_CAUSE_FINISHED


async def test_visible_states_are_kept_until_everybody_has_seen_them():
    async with open_timed_server() as timed:
        table = await timed.create(delay=60)
        for number in range(150):
            timed.passes(1)
            await sit_down_and_up(table, number)
        visible_states = server_knows(timed.server, table.id).visible_states
        assert len(visible_states) <= (60 + 60) * 2 + 2
        timed.passes(30)
        assert (await table.get(None)).match.seats[0].name in ("", "Ann")
        timed.passes(3600)
        await sit_down_and_up(table, 0)
        assert len(server_knows(timed.server, table.id).visible_states) <= 3


@pytest.mark.parametrize("gap", [12, 17, 22, 27])
async def test_dropped_visible_states_are_not_taken_for_a_rewind(gap: int):
    async with open_timed_server(poll=0.05, limits=limits(visible_states=8)) as timed:
        table = await timed.create(DELAYED, 60)
        timed.passes(DELAY + MARGIN)
        stream = timed.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await stream.read()
        for number in range(25):
            await sit_down_and_up(table, number)
            timed.passes(gap)
            await table.get(None)
        timed.passes(DELAY + MARGIN)
        received = await heard(stream, lambda _: True)
        causes = {m.snapshot.cause for _, m in received if m.HasField("snapshot")}
        assert causes == {pb.SNAPSHOT_CAUSE_SEATS_CHANGED}
        (delayed,) = timed.server.spectators.delayed_matches
        assert delayed.channel.rewinds == 0
        stream.cancel()


async def test_a_match_that_has_the_id_of_another_is_shown_at_once():
    async with open_timed_server(poll=0.05) as timed:
        request = pb.CreateMatchRequest(request_id="hard-to-guess-0123456789")
        request.setup.game, request.setup.seats = "yggdrasil", 2
        request.spectators.policy = DELAYED
        request.spectators.delay.seconds = 1
        match_id = (await timed.server.match.CreateMatch(request)).match.id
        timed.passes(MARGIN)
        stream = timed.server.match.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
        await stream.read()
        timed.memory.drop(match_id)
        with pytest.raises(grpc.aio.AioRpcError) as gone:
            await heard(stream, lambda _: False)
        assert Refusal(gone.value).reason == "MATCH_NOT_FOUND"
        assert (await timed.server.match.CreateMatch(request)).match.id == match_id
        for _ in range(2):
            found = await timed.server.match.GetMatch(pb.GetMatchRequest(match_id=match_id))
            assert found.match.status == match_pb2.MATCH_STATUS_OPEN
            timed.passes(MARGIN)


async def test_too_many_visible_states_are_thinned_out_without_showing_anything_early():
    match: Any = SimpleNamespace(
        visible_states=(),
        origin=SimpleNamespace(spectators=SpectatorSettings(SpectatorPolicy.DELAYED, 3_600_000)),
        version=Version(0, b"", 0),
        revision=0,
        status="open",
        table=None,
        seats=(),
        clocks=None,
        proposed=None,
    )
    for number in range(1, 2000):
        after: Any = SimpleNamespace(**vars(match))
        after.version = Version(0, b"", change_id_of(number, number % 7))
        after.visible_states = states_after(match, after, number * 10, 256)
        match = after
    assert len(match.visible_states) <= 257
    assert match.visible_states[-1].change_count == 1999
    assert match.visible_states[0].change_count == 1
    assert all(state.at_ms == state.change_count * 10 for state in match.visible_states)
    assert [state.change_count for state in match.visible_states] == sorted(
        f.change_count for f in match.visible_states
    )
    assert match.visible_states[-1].change_id == match.version.change_id


async def sit_down_and_up(table: Table, number: int) -> None:
    match = table.server.match
    request = pb.JoinMatchRequest(match_id=table.id, seats=[0], name="Ann")
    secret = (await match.JoinMatch(request)).seat_secret
    leave = pb.LeaveMatchRequest(match_id=table.id, request_id=f"gone {number}")
    await match.LeaveMatch(leave, metadata=bearer(secret))


async def test_a_match_that_never_began_stays_in_the_list_of_those_who_have_not_seen_its_end(
    tmp_path: Path,
):
    async with open_timed_server() as timed:
        table = await timed.create()
        for happens in never_begun(table):
            await happens()
        archiver = Archiver(
            timed.server.store, FolderArchive(tmp_path), 0.0, lambda _: None, share=1
        )
        for waited, listed in ((0, True), (DELAY - 1, True), (2, False), (DELAY, False)):
            timed.passes(waited)
            await archiver.scan()
            found = await timed.server.match.ListMatches(pb.ListMatchesRequest())
            assert [match.id for match in found.matches] == ([table.id] if listed else [])
        assert not timed.memory.indexes[""]
