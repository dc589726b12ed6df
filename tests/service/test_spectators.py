"""Spectators who come late see exactly what others saw then, in every call; or nobody sees it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import match_pb2, match_service_pb2, table_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.jobs.archiver import Archiver
from taflhall_service.app.matches.visibility import states_after
from taflhall_service.app.model.spectator_policy import SpectatorPolicy, SpectatorSettings
from taflhall_service.app.ports.match_store import Version, change_id_of
from taflhall_service.store.archive.folder import FolderArchive
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.clocked import clock_settings, seconds
from tests.service.local_server import Refusal, Table, bearer, limits, open_server, refused
from tests.service.local_server import known as server_knows
from tests.service.onlookers import (
    DELAYED,
    NONE,
    PUBLIC,
    Slow,
    clocks_in,
    everything,
    first_of,
    join,
    memory_at,
    open_slow,
    resign,
    sit_down,
    start,
    step,
    told,
    twin,
)
from tests.service.test_watch import set_back
from tests.waiting import settle, take, until

FINISHED = match_pb2.MATCH_STATUS_FINISHED
TICK = 10
"""Seconds from one thing that happens to the next."""
DELAY = 60
MARGIN = 1
"""Seconds that spectators may see it later than they should."""


# ---------------------------------------------------------------- late


Happening = Callable[[], Awaitable[Any]]


def plain_match(table: Table) -> list[Happening]:
    """Return what happens in a match, one thing after another."""
    steps = [partial(step, table, number % 2) for number in range(8)]
    return [*begun(table), *steps, partial(resign, table)]


def begun(table: Table) -> list[Happening]:
    return [partial(join, table, 0), partial(join, table, 1), partial(start, table)]


def much_else(table: Table) -> list[Happening]:
    """Return all else that can happen: people come and go, propose, agree and refuse."""
    deputy: list[str] = []
    call = table.server.match

    async def goes() -> None:
        request = pb.LeaveMatchRequest(match_id=table.id, request_id="gone")
        await call.LeaveMatch(request, metadata=bearer(table.secrets.pop()))

    async def hands_over() -> None:
        request = pb.DelegateSeatRequest(match_id=table.id, name="Robot", request_id="over" * 4)
        request.kind = match_pb2.SEAT_KIND_BOT
        done = await call.DelegateSeat(request, metadata=bearer(table.secrets[0]))
        deputy.append(done.deputy_secret)

    async def takes_back() -> None:
        request = pb.ReclaimSeatRequest(match_id=table.id)
        await call.ReclaimSeat(request, metadata=bearer(table.secrets[0]))

    async def proposes(person: int, undo: bool) -> None:
        request = pb.ProposeToPlayersRequest(match_id=table.id, request_id=uuid4().hex)
        (request.undo if undo else request.abandon).SetInParent()
        await call.ProposeToPlayers(request, metadata=bearer(table.secrets[person]))

    async def answers(person: int, agree: bool) -> None:
        got = await table.get(person)
        request = pb.RespondToProposalRequest(
            match_id=table.id,
            proposal_id=got.match.proposal.id,
            agree=agree,
            request_id=uuid4().hex,
        )
        await call.RespondToProposal(request, metadata=bearer(table.secrets[person]))

    async def undoes() -> None:
        """Go on until an answer can be taken back, and propose it."""
        for _ in range(60):
            got = await call.GetMatch(
                pb.GetMatchRequest(match_id=table.id), metadata=bearer(table.creator)
            )
            person = got.decisions[0].seat
            await step(table, 99)
            try:
                await proposes(person, True)
            except grpc.aio.AioRpcError as error:
                refusal = Refusal(error)
            else:
                return
            assert refusal.reason == "CANNOT_UNDO"
        raise AssertionError("nothing can ever be taken back")

    async def agrees() -> None:
        proposer = (await table.get(0)).match.proposal.seat
        await answers(1 - proposer, True)

    return [
        partial(join, table, 0),
        goes,
        *begun(table),
        partial(step, table),
        hands_over,
        takes_back,
        partial(proposes, 0, False),
        partial(answers, 1, False),
        undoes,
        agrees,
        partial(step, table),
        partial(proposes, 1, False),
        partial(answers, 0, True),
    ]


def never_begun(table: Table) -> list[Happening]:
    """Return what happens in a match that is given up before it begins."""
    request = pb.AbandonMatchRequest(match_id=table.id, request_id="no")
    proof = bearer(table.creator)
    return [
        partial(join, table, 0),
        lambda: table.server.match.AbandonMatch(request, metadata=proof),
    ]


@pytest.mark.parametrize("clocked", [False, True])
@pytest.mark.parametrize("happenings", [plain_match, much_else, never_begun])
async def test_whoever_looks_on_late_gets_the_answers_of_then_byte_for_byte(
    happenings: Callable[[Table], list[Happening]], clocked: bool
):
    async with open_slow() as slow:
        fields = {"time_control": clock_settings(base=900, increment=5)} if clocked else {}
        table = await slow.create(DELAYED, DELAY, **fields)
        then = [await everything(table, table.creator)]
        slow.passes(MARGIN)
        assert await everything(table) == then[0]
        for number, happens in enumerate(happenings(table), 1):
            slow.passes(TICK - MARGIN)
            await happens()
            then.append(await everything(table, table.creator))
            slow.passes(MARGIN)
            seen = max(0, number - DELAY // TICK)
            assert await everything(table) == then[seen], number
        for seen in range(len(then) - DELAY // TICK, len(then)):
            slow.passes(TICK)
            assert await everything(table) == then[max(0, seen)]
        assert then[-1]["get"] != then[-2]["get"]
        assert len({answers["get"] for answers in then}) >= len(then) - 5


async def test_nothing_is_seen_too_early():
    async with open_slow() as slow:
        table = await slow.table()
        slow.passes(DELAY + MARGIN)
        before = await everything(table)
        await step(table)
        slow.passes(DELAY - 0.001)
        assert await everything(table) == before
        slow.passes(MARGIN)
        assert await everything(table) != before


async def test_who_holds_a_part_in_the_match_sees_it_as_it_is():
    async with open_slow() as slow:
        table = await slow.table()
        await step(table)
        for secret in (*table.secrets, table.creator):
            request = pb.GetMatchRequest(match_id=table.id)
            got = await slow.server.match.GetMatch(request, metadata=bearer(secret))
            assert got.match.revision == 1
            listed = await slow.server.match.ListMatches(
                pb.ListMatchesRequest(), metadata=bearer(secret)
            )
            assert listed.matches[0].revision == 1
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_OPEN
        assert not (await table.get(None)).match.seats[0].name


async def test_everybody_is_told_who_may_look_on():
    async with open_slow() as slow:
        settings = {}
        for policy in (PUBLIC, DELAYED, NONE):
            table = await slow.create(policy)
            request = pb.GetMatchRequest(match_id=table.id)
            got = await slow.server.match.GetMatch(request, metadata=bearer(table.creator))
            settings[policy] = got.match.spectators
        assert {policy: told.policy for policy, told in settings.items()} == {
            policy: policy for policy in settings
        }
        assert settings[DELAYED].delay == seconds(60)
        assert not settings[PUBLIC].HasField("delay")
        unsaid = await slow.server.match.CreateMatch(pb.CreateMatchRequest(setup=setup()))
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
    async with open_slow() as slow:
        request = pb.CreateMatchRequest(setup=setup())
        request.spectators.policy = policy
        if delay is not None:
            request.spectators.delay.CopyFrom(seconds(delay))
        refusal = await refused(slow.server.match.CreateMatch(request))
        assert refusal.reason == "MALFORMED"
        assert refusal.metadata["field"] == f"spectators.{field}"
        assert not slow.memory.matches


# ---------------------------------------------------------------- two worlds


async def further(slow: Slow, table: Table, way: int) -> None:
    """Let a match go on in one of several ways."""
    for number in range(way * 3):
        await step(table, number % 2)
    if way % 2:
        await resign(table)


async def test_what_is_still_hidden_changes_no_answer():
    async with open_slow() as slow:
        table = await slow.table()
        for number in range(9):
            slow.passes(TICK)
            await step(table, number % 2)
        slow.passes(DELAY)
        seen: dict[int, list[Any]] = {}
        for way in range(4):
            async with open_slow(twin(slow.memory)) as world:
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


async def refused_joins(table: Table) -> list[Any]:
    told = []
    for seats in ([], [0], [1], [7]):
        request = pb.JoinMatchRequest(match_id=table.id, name="Late", seats=seats)
        refusal = await refused(table.server.match.JoinMatch(request))
        told.append((refusal.code, refusal.reason, refusal.text, refusal.metadata))
    return told


async def test_a_late_guest_hears_nothing_of_how_far_the_match_is():
    async with open_slow() as slow:
        table = await slow.table()
        before = await refused_joins(table)
        assert [reason for _, reason, _, _ in before] == [
            "NO_FREE_SEAT",
            "SEAT_TAKEN",
            "SEAT_TAKEN",
            "UNKNOWN_SEAT",
        ]
        await resign(table)
        assert await refused_joins(table) == before
        slow.passes(DELAY + MARGIN)
        assert {reason for _, reason, _, _ in await refused_joins(table)} == {"MATCH_OVER"}


async def test_before_anything_is_seen_the_match_looks_as_it_was_created():
    async with open_slow() as slow:
        table = await slow.create(delay=3600)
        created = await everything(table)
        assert (await table.get(None)).match.status == match_pb2.MATCH_STATUS_OPEN
        await sit_down(table)
        await step(table)
        await resign(table)
        assert await everything(table) == created
        listed = await slow.server.match.ListMatches(pb.ListMatchesRequest(status=FINISHED))
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


async def test_a_look_does_the_same_work_whatever_has_happened_since():
    """What takes longer when somebody has played would tell that somebody has."""
    async with open_server(Asked(memory_at()), poll=30) as server:
        slow = Slow(server.store.memory, server)
        table = await slow.table()
        for number in range(5):
            await step(table, number % 2)
        slow.passes(DELAY + MARGIN)
        await everything(table)
        worlds = []
        for _ in range(4):
            await settle()  # those in the background come to rest
            server.store.calls = []
            await everything(table)
            worlds.append(server.store.calls)
            server.store.calls = None
            await step(table)
        assert worlds[0]
        assert all(world == worlds[0] for world in worlds)
        assert not [call for call in worlds[0] if call[0] == "load"]


# ---------------------------------------------------------------- streams


async def heard(
    stream: Any, until: Any, found: list[tuple[float, Any]] | None = None
) -> list[tuple[float, Any]]:
    """Return what a stream says, and when, up to its end; *found* is filled with it."""
    found = [] if found is None else found
    async with asyncio.timeout(40):
        while True:
            message = await stream.read()
            if message is grpc.aio.EOF:
                return found
            found.append((monotonic(), message))
            if until(message):
                return found


def told_of(messages: list[tuple[float, Any]]) -> list[tuple[float, Any]]:
    """Return the messages that are more than signs of life, without their tokens."""
    found = []
    for at, message in messages:
        if not message.HasField("heartbeat"):
            copied = pb.WatchMatchResponse()
            copied.CopyFrom(message)
            copied.resume_token = ""
            found.append((at, copied))
    return found


def more_than(messages: list[tuple[float, Any]], number: int) -> bool:
    return len(told_of(messages)) > number


def same(one: Any, other: Any) -> bool:
    """Return whether two messages say the same.

    A server that is busy may tell several changes at once; then only the newest has view and
    clocks. What is left is that of another moment.
    """
    for message in (one, other):
        message.change.ClearField("clocks")
        for clocks in clocks_in(message):
            clocks.Clear()
    if one.change.HasField("view") != other.change.HasField("view"):
        for message in (one, other):
            message.change.ClearField("view")
            for decision in message.change.decisions:
                decision.ClearField("options")
    return bool(
        one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)
    )


def over(message: Any) -> bool:
    return bool(message.HasField("end"))


@pytest.mark.parametrize("wants", [{}, {"with_view": True, "with_options": True}])
@pytest.mark.parametrize("happenings", [plain_match, much_else])
async def test_a_late_stream_is_the_stream_of_then(
    happenings: Callable[[Table], list[Happening]], wants: Any
):
    async with open_server(limits=limits(heartbeat_seconds=0.2)) as server:
        slow = Slow(server.store.memory, server)
        table = await slow.create(DELAYED, 1)
        request = pb.WatchMatchRequest(match_id=table.id, **wants)
        streams = [server.match.WatchMatch(request, metadata=bearer(table.creator))]
        streams += [server.match.WatchMatch(request) for _ in range(3)]
        begun: list[list[tuple[float, Any]]] = [[] for _ in streams]
        live = begun[0]
        since: dict[int, float] = {}
        telling = [
            asyncio.create_task(heard(stream, over, messages))
            for stream, messages in zip(streams, begun, strict=True)
        ]
        await until(lambda: all(begun))  # so that nothing has happened before the first look
        for happens in happenings(table):
            await take(0.06)  # they are that far apart
            known, before = len(told_of(live)), monotonic()
            await happens()
            for revision in range(server_knows(server, table.id).revision + 1):
                since.setdefault(revision, before)
            await until(partial(more_than, live, known))
        at_once, *late = [told_of(await task) for task in telling]
        assert len(server.spectators.delayed_matches) == 1
        for messages in late:
            left = deque(messages)
            for _, one in at_once:
                if left and same(one, left[0][1]):
                    now, _ = left.popleft()
                    assert now >= since[one.revision] + 1 or not one.revision
                else:  # a busy server may tell of the newest seats only
                    assert one.snapshot.cause == pb.SNAPSHOT_CAUSE_SEATS_CHANGED
            assert not left


async def test_signs_of_life_tell_nothing_of_what_is_hidden():
    """They come at an even pace, whether or not somebody plays meanwhile."""
    async with open_server(limits=limits(heartbeat_seconds=0.2)) as server:
        slow = Slow(server.store.memory, server)
        table = await slow.table(delay=30)
        stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        begun = monotonic()
        telling = asyncio.create_task(heard(stream, lambda _: monotonic() - begun > 1.6))
        for number in range(30):
            await step(table, number % 2)
            await take(0.04)
        messages = await telling
        assert not messages[0][1].revision
        store_clock = messages[1:]
        assert all(message.HasField("heartbeat") for _, message in store_clock)
        assert len({message.SerializeToString() for _, message in store_clock}) == 1
        assert 3 <= len(store_clock) <= 9


async def test_a_late_stream_goes_on_from_its_token_on_any_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        table = await Slow(memory, one).table(delay=1)

        async def shows_the_start() -> bool:
            return (await table.get(None)).match.status == match_pb2.MATCH_STATUS_PLAYING

        await until(shows_the_start)
        for number in range(6):
            await step(table, number % 2)
        await resign(table)
        request = pb.WatchMatchRequest(match_id=table.id)
        whole = await heard(one.match.WatchMatch(request), over)
        for number, (_, message) in enumerate(whole[:-1]):
            request.resume_token = message.resume_token
            again = await heard((two, one)[number % 2].match.WatchMatch(request), over)
            assert [m for _, m in again] == [m for _, m in whole[number + 1 :]]


async def test_tokens_are_nobody_elses():
    async with open_slow() as slow:
        table = await slow.table()
        slow.passes(DELAY + MARGIN)
        late = (await table.get(None)).resume_token
        tokens = {"": late}
        for secret in (*table.secrets, table.creator):
            request = pb.GetMatchRequest(match_id=table.id)
            got = await slow.server.match.GetMatch(request, metadata=bearer(secret))
            assert got.match.revision == 0
            tokens[secret] = got.resume_token
        assert len(set(tokens.values())) == len(tokens)
        for mine, token in tokens.items():
            for secret in tokens:
                watching = pb.WatchMatchRequest(match_id=table.id, resume_token=token)
                stream = slow.server.match.WatchMatch(watching, metadata=bearer(secret))
                if secret != mine:
                    assert (await refused(stream.read())).metadata["field"] == "resume_token"
                stream.cancel()


async def test_a_draining_server_tells_those_who_come_late_no_more_than_others():
    memory = memory_at()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        slow = Slow(memory, one)
        table = await slow.table()
        slow.passes(DELAY + MARGIN)
        await step(table)
        stream = one.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        first = await stream.read()
        await step(table)
        await one.rpc.drain(0, 2)
        end = await stream.read()
        assert end.end.cause == pb.STREAM_END_CAUSE_DRAINING
        assert not end.end.HasField("match")
        assert (first.revision, end.revision) == (0, 0)
        request = pb.WatchMatchRequest(match_id=table.id, resume_token=end.resume_token)
        stream = two.match.WatchMatch(request)
        telling = asyncio.create_task(heard(stream, lambda message: message.revision == 2))
        await until(lambda: two.spectators.delayed_matches)
        slow.passes(DELAY + MARGIN, two)
        seen = [m for _, m in await telling if not m.HasField("heartbeat")]
        assert [m.WhichOneof("update") for m in seen] == ["change", "change"]


async def test_those_who_go_leave_nothing_behind():
    async with open_server(linger=0) as server:
        table = await Slow(server.store.memory, server).table(delay=1)
        streams = [
            server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id)) for _ in range(5)
        ]
        for stream in streams:
            await stream.read()
        assert len(server.matches.hub) == 1
        for stream in streams:
            stream.cancel()
        await until(lambda: not len(server.matches.hub))
        (delayed,) = server.spectators.delayed_matches
        assert (delayed.users, delayed.following) == (0, False)


async def test_the_table_of_then_is_built_once_for_all():
    async with open_slow() as slow:
        table = await slow.table()
        for number in range(5):
            await step(table, number % 2)
        slow.passes(DELAY + MARGIN)
        await step(table)
        await asyncio.gather(*[everything(table) for _ in range(4)])
        (delayed,) = slow.server.spectators.delayed_matches
        assert delayed.replays == 1
        slow.passes(DELAY + MARGIN)
        await everything(table)
        assert delayed.replays == 1


# ---------------------------------------------------------------- nobody


async def test_a_match_for_its_players_only_is_nobody_elses_business():
    async with open_slow() as slow:
        table = await slow.table(NONE)
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
        refusal = await refused(slow.server.match.GetMatchRecord(request))
        assert (refusal.reason, refusal.metadata) == (
            "SPECTATORS_NOT_ALLOWED",
            {"match_id": table.id},
        )


async def test_who_plays_in_a_match_without_spectators_sees_and_lists_it():
    async with open_slow() as slow:
        table = await slow.table(NONE)
        await step(table)
        for secret in (*table.secrets, table.creator):
            proof = bearer(secret)
            got = await slow.server.match.GetMatch(
                pb.GetMatchRequest(match_id=table.id), metadata=proof
            )
            assert got.match.revision == 1
            listed = await slow.server.match.ListMatches(pb.ListMatchesRequest(), metadata=proof)
            assert [match.id for match in listed.matches] == [table.id]
            stream = slow.server.match.WatchMatch(
                pb.WatchMatchRequest(match_id=table.id), metadata=proof
            )
            assert (await stream.read()).revision == 1
            stream.cancel()
        await resign(table)
        request = pb.GetMatchRecordRequest(match_id=table.id)
        record = await slow.server.match.GetMatchRecord(request, metadata=bearer(table.secrets[1]))
        assert len(record.record.commands) == 2


async def test_a_match_without_spectators_can_be_joined_by_who_knows_it():
    async with open_slow() as slow:
        table = await slow.create(NONE)
        await join(table, 1)
        assert (await table.get(0)).match.seats[1].name == "Ann 1"


# ---------------------------------------------------------------- troubles


async def test_a_history_that_was_set_back_before_it_was_seen_was_never_there():
    async with open_slow(poll=0.05) as slow:
        table = await slow.table()
        for number in range(3):
            await step(table, number % 2)
        slow.passes(DELAY + MARGIN)
        stream = slow.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await stream.read()).revision == 3
        for number in range(5):
            await step(table, number % 2)
        hidden = (await table.get(0)).decisions[0].id
        await set_back(table, 4)
        await until(lambda: slow.server.matches.hub.rewound)
        for _ in range(3):
            await step(table)
        slow.passes(DELAY + MARGIN)
        told_since = await heard(stream, lambda message: message.revision == 7)
        seen = [m for _, m in told_since if not m.HasField("heartbeat")]
        assert [m.revision for m in seen] == [4, 5, 6, 7]
        assert all(m.HasField("change") for m in seen)
        assert hidden not in str(seen)
        stream.cancel()


async def test_a_history_that_was_seen_and_set_back_is_said():
    async with open_slow(poll=0.05) as slow:
        table = await slow.table()
        for number in range(5):
            await step(table, number % 2)
        slow.passes(DELAY + MARGIN)
        stream = slow.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        assert (await stream.read()).revision == 5
        await set_back(table, 2)
        await until(lambda: slow.server.matches.hub.rewound)
        await step(table)
        slow.passes(DELAY + MARGIN)
        told_since = await heard(stream, lambda message: message.revision == 3)
        snapshots = [m.snapshot for _, m in told_since if m.HasField("snapshot")]
        assert {s.cause for s in snapshots} == {pb.SNAPSHOT_CAUSE_HISTORY_REWOUND}
        stream.cancel()


async def test_a_look_without_a_stream_notices_a_history_that_was_set_back():
    async with open_slow() as slow:
        table = await slow.table()
        for number in range(6):
            await step(table, number % 2)
        slow.passes(DELAY + MARGIN)
        await step(table)
        assert (await table.get(None)).match.revision == 6
        await set_back(table, 3)
        for _ in range(6):
            await step(table)
        request = pb.GetMatchRequest(match_id=table.id, with_view=True)
        live = await slow.server.match.GetMatch(request, metadata=bearer(table.creator))
        slow.passes(DELAY + MARGIN)
        late = await table.get(None, with_view=True)
        assert (late.match, late.view) == (live.match, live.view)


async def test_the_end_comes_late_although_the_store_forgets_early(tmp_path: Path):
    async with open_server() as server:
        table = await Slow(server.store.memory, server).table(delay=1)
        await step(table)
        stream = server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        told = asyncio.create_task(heard(stream, over))
        await resign(table)
        archiver = Archiver(server.store, FolderArchive(tmp_path), 0.0, lambda _: None, share=1.0)
        await archiver.sweep()
        assert (await told)[-1][1].end.cause == pb.STREAM_END_CAUSE_FINISHED


async def test_faces_are_kept_as_long_as_somebody_has_yet_to_see_them():
    async with open_slow() as slow:
        table = await slow.create(delay=60)
        for number in range(150):
            slow.passes(1)
            await sit_down_and_up(table, number)
        visible_states = server_knows(slow.server, table.id).visible_states
        assert len(visible_states) <= (60 + 60) * 2 + 2
        slow.passes(30)
        assert (await table.get(None)).match.seats[0].name in ("", "Ann")
        slow.passes(3600)
        await sit_down_and_up(table, 0)
        assert len(server_knows(slow.server, table.id).visible_states) <= 3


@pytest.mark.parametrize("gap", [12, 17, 22, 27])
async def test_faces_that_are_left_out_are_not_lost_ones(gap: int):
    async with open_slow(poll=0.05, limits=limits(visible_states=8)) as slow:
        table = await slow.create(DELAYED, 60)
        slow.passes(DELAY + MARGIN)
        stream = slow.server.match.WatchMatch(pb.WatchMatchRequest(match_id=table.id))
        await stream.read()
        for number in range(25):
            await sit_down_and_up(table, number)
            slow.passes(gap)
            await table.get(None)
        slow.passes(DELAY + MARGIN)
        told_since = await heard(stream, lambda _: True)
        causes = {m.snapshot.cause for _, m in told_since if m.HasField("snapshot")}
        assert causes == {pb.SNAPSHOT_CAUSE_SEATS_CHANGED}
        (delayed,) = slow.server.spectators.delayed_matches
        assert delayed.channel.rewinds == 0
        stream.cancel()


async def test_a_match_that_has_the_id_of_another_is_shown_at_once():
    async with open_slow(poll=0.05) as slow:
        request = pb.CreateMatchRequest(request_id="hard-to-guess-0123456789")
        request.setup.game, request.setup.seats = "yggdrasil", 2
        request.spectators.policy = DELAYED
        request.spectators.delay.seconds = 1
        match_id = (await slow.server.match.CreateMatch(request)).match.id
        slow.passes(MARGIN)
        stream = slow.server.match.WatchMatch(pb.WatchMatchRequest(match_id=match_id))
        await stream.read()
        slow.memory.drop(match_id)
        with pytest.raises(grpc.aio.AioRpcError) as gone:
            await heard(stream, lambda _: False)
        assert Refusal(gone.value).reason == "MATCH_NOT_FOUND"
        assert (await slow.server.match.CreateMatch(request)).match.id == match_id
        for _ in range(2):
            found = await slow.server.match.GetMatch(pb.GetMatchRequest(match_id=match_id))
            assert found.match.status == match_pb2.MATCH_STATUS_OPEN
            slow.passes(MARGIN)


async def test_too_many_faces_are_thinned_out_and_nothing_is_seen_early():
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
    async with open_slow() as slow:
        table = await slow.create()
        for happens in never_begun(table):
            await happens()
        archiver = Archiver(
            slow.server.store, FolderArchive(tmp_path), 0.0, lambda _: None, share=1
        )
        for waited, listed in ((0, True), (DELAY - 1, True), (2, False), (DELAY, False)):
            slow.passes(waited)
            await archiver.sweep()
            found = await slow.server.match.ListMatches(pb.ListMatchesRequest())
            assert [match.id for match in found.matches] == ([table.id] if listed else [])
        assert not slow.memory.indexes[""]


MATCH_SERVICE = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
WORDS = {"name": "Late", "request_id": "a" * 16, "decision_id": "1", "proposal_id": "1"}


@pytest.mark.parametrize("policy", [DELAYED, NONE])
async def test_no_call_at_all_tells_an_onlooker_what_is_hidden(policy: int):
    """Whatever methods there are: with the same request the answer is the same in both worlds."""
    async with open_slow() as slow:
        table = await slow.table(policy)
        worlds = [await whatever_is_told(table)]
        for number in range(4):
            await step(table, number % 2)
            worlds.append(await whatever_is_told(table))
        await resign(table)
        worlds.append(await whatever_is_told(table))
        assert len(worlds[0]) == len(MATCH_SERVICE.methods)
        for other in worlds[1:]:
            assert other == worlds[0]


async def whatever_is_told(table: Table) -> dict[str, bytes]:
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
            found[method.name] = await told(call(request))
    return found
