"""WatchLobby: a watcher of the lobby misses nothing and sees nothing too early."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, cast

import grpc
from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.credentials import ANONYMOUS
from taflhall_service.app.ports.match_store import StoredMatch
from taflhall_service.rpc.call import Call
from taflhall_service.rpc.lobby_stream import watch_lobby
from taflhall_service.rpc.messages import Writer
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import (
    LocalServer,
    bearer,
    limits,
    open_server,
    refused,
    to_the_end,
)
from tests.service.test_matches import setup
from tests.waiting import LIMIT_SECONDS, settle, until


class Watcher:
    """The client's side of a watch."""

    def __init__(self, server: LocalServer, token: str = "", key: str = "", **asked: Any) -> None:
        request = lobby.WatchLobbyRequest(filter=pb.ListMatchesRequest(**asked), resume_token=token)
        self.stream = server.lobby.WatchLobby(request, metadata=bearer(key))
        self.token = token
        self._waiting: list[lobby.LobbyUpdate] = []

    async def begin(self) -> Watcher:
        self.token = (await self.stream.read()).resume_token
        return self

    async def hear(self) -> lobby.LobbyUpdate:
        async with asyncio.timeout(LIMIT_SECONDS):
            while not self._waiting:
                response = await self.stream.read()
                assert response is not grpc.aio.EOF
                self._waiting += response.updates
                self.token = response.resume_token
        return self._waiting.pop(0)

    async def hear_of(self, match_id: str, status: int) -> match_pb2.Match:
        """Return the match once it has a status; updates may come more than once."""
        while True:
            update = await self.hear()
            if update.match.id == match_id and update.match.status == status:
                return update.match


OPEN, PLAYING = match_pb2.MATCH_STATUS_OPEN, match_pb2.MATCH_STATUS_PLAYING


async def create(server: LocalServer, **fields: Any) -> str:
    request = pb.CreateMatchRequest(setup=setup(2), start_when_full=True, **fields)
    return str((await server.match.CreateMatch(request)).match.id)


async def join(server: LocalServer, match_id: str, name: str) -> str:
    request = pb.JoinMatchRequest(match_id=match_id, name=name)
    return str((await server.match.JoinMatch(request)).seat_secret)


async def test_matches_open_fill_start_and_end_on_any_server():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as one, open_server(MemoryStore(memory)) as two:
        watcher = await Watcher(one).begin()
        match_id = await create(two)
        assert not (await watcher.hear_of(match_id, OPEN)).seats[0].name
        secret = await join(one, match_id, "Ann")
        assert (await watcher.hear_of(match_id, OPEN)).seats[0].name == "Ann"
        await join(two, match_id, "Bob")
        await watcher.hear_of(match_id, PLAYING)
        resign = pb.ResignSeatRequest(match_id=match_id, request_id="enough")
        await two.match.ResignSeat(resign, metadata=bearer(secret))
        await watcher.hear_of(match_id, match_pb2.MATCH_STATUS_FINISHED)


async def test_what_the_filter_lets_through_no_longer_is_gone(server: LocalServer):
    watcher = await Watcher(server, status=OPEN, labels={"cup": "x"}).begin()
    other = await create(server)
    match_id = await create(server, labels={"cup": "x"})
    assert (await watcher.hear()).gone_match_id == other
    assert (await watcher.hear()).match.id == match_id
    await join(server, match_id, "Ann")
    await watcher.hear_of(match_id, OPEN)
    await join(server, match_id, "Bob")
    assert (await watcher.hear()).gone_match_id == match_id


async def test_a_watch_resumes_after_its_token(server: LocalServer):
    watcher = await Watcher(server).begin()
    first = await create(server)
    await watcher.hear_of(first, OPEN)
    watcher.stream.cancel()
    second = await create(server)
    again = Watcher(server, token=watcher.token)
    assert (await again.hear()).match.id == second


async def test_where_news_are_lost_the_list_is_to_be_read_again():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as server:
        watcher = await Watcher(server).begin()
        await watcher.hear_of(await create(server), OPEN)
        watcher.stream.cancel()
        memory.announced.clear()
        assert (await Watcher(server, token=watcher.token).hear()).lost


async def test_nobody_hears_of_matches_that_they_may_not_see(server: LocalServer):
    watcher = await Watcher(server).begin()
    none = match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_NONE)
    for hidden in ({"unlisted": True}, {"spectators": none}):
        await create(server, **hidden)
    shown = await create(server)
    assert (await watcher.hear()).match.id == shown


async def test_a_delayed_match_is_heard_of_late(server: LocalServer):
    delayed = match_pb2.SpectatorSettings(
        policy=match_pb2.SPECTATOR_POLICY_DELAYED, delay=Duration(seconds=1)
    )
    match_id = await create(server, spectators=delayed)
    watcher = await Watcher(server).begin()
    joined_at = monotonic()
    await join(server, match_id, "Ann")
    await join(server, match_id, "Bob")
    prompt = await create(server)
    heard_at: dict[str, float] = {}
    wanted = {(prompt, OPEN), (match_id, PLAYING)}
    while wanted:
        match = (await watcher.hear()).match
        heard_at.setdefault(match.id, monotonic())
        wanted.discard((match.id, match.status))
    assert heard_at[match_id] >= joined_at + 1


class StuckCall:
    """A call of a watcher whose client may stop reading for a while."""

    identity = ANONYMOUS

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.reads.set()
        self.updates: list[lobby.LobbyUpdate] = []
        self.messages: list[tuple[str, list[lobby.LobbyUpdate]]] = []
        self.writing = 0

    def request(self, kind: type[Any]) -> Any:
        return kind()

    async def write(self, message: bytes) -> None:
        self.writing += 1
        response = lobby.WatchLobbyResponse.FromString(message)
        self.messages.append((response.resume_token, [*response.updates]))
        await self.reads.wait()
        self.updates += response.updates

    def heard_of(self, match_id: str, status: int) -> bool:
        return any((u.match.id, u.match.status) == (match_id, status) for u in self.updates)


async def test_a_change_is_heard_of_that_comes_when_an_earlier_one_may_be_seen(server: LocalServer):
    delayed = match_pb2.SpectatorSettings(
        policy=match_pb2.SPECTATOR_POLICY_DELAYED, delay=Duration(seconds=1)
    )
    match_id = await create(server, spectators=delayed)
    call, loop = StuckCall(), asyncio.get_running_loop()
    writer = Writer(server.matches.server_key, server.matches.store_clock)
    watching = asyncio.create_task(watch_lobby(server.spectators, writer, cast(Call, call)))
    await until(lambda: call.writing)
    await join(server, match_id, "Ann")
    prompt = await create(server)
    await until(lambda: call.heard_of(prompt, OPEN))
    call.reads.clear()
    before, looked_at = call.writing, loop.time()
    await create(server)
    await until(lambda: call.writing > before)
    await until(lambda: loop.time() > looked_at + 1.2)  # Ann's joining may be seen now
    await join(server, match_id, "Bob")
    await settle()
    call.reads.set()
    await until(lambda: call.heard_of(match_id, PLAYING))
    watching.cancel()


class Gated(MemoryStore):
    """Holds up whoever reads a match while the gate is closed."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = 0

    async def load(self, match_id: str) -> StoredMatch | None:
        self.waiting += 1
        await self.gate.wait()
        return await super().load(match_id)


async def test_a_token_stands_before_what_was_announced_but_not_sent():
    memory = Memory()
    store = Gated(memory)
    async with open_server(store) as one, open_server(MemoryStore(memory)) as two:
        call = StuckCall()
        writer = Writer(one.matches.server_key, one.matches.store_clock)
        watching = asyncio.create_task(watch_lobby(one.spectators, writer, cast(Call, call)))
        await until(lambda: call.writing)
        announced: list[Any] = []
        await one.matches.announcements.listen(lambda news: announced.extend(news or ()))
        store.gate.clear()
        first = await create(two)
        await until(lambda: store.waiting)  # the watch looks at the first
        second = await create(two)
        await until(lambda: len(announced) == 2)
        store.gate.set()
        await until(lambda: call.heard_of(first, OPEN))
        watching.cancel()
        token = next(
            t for t, response in call.messages if response and response[0].match.id == first
        )
        again = Watcher(two, token=token)
        assert (await again.hear()).match.id == second


async def test_a_change_of_a_delayed_match_that_is_to_be_seen_later_is_not_passed_over():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as server:
        match_id, token = "", ""
        for delay in (1, 10, 100):  # on a busy machine it may be seen before the watch is closed
            delayed = match_pb2.SpectatorSettings(
                policy=match_pb2.SPECTATOR_POLICY_DELAYED, delay=Duration(seconds=delay)
            )
            match_id = await create(server, spectators=delayed)
            watcher = await Watcher(server).begin()
            await join(server, match_id, "Ann")
            await join(server, match_id, "Bob")
            other = await create(server)
            heard = [(await watcher.hear()).match.id]
            while other not in heard:
                heard.append((await watcher.hear()).match.id)
            watcher.stream.cancel()
            token = watcher.token
            if match_id not in heard:
                break
        again = Watcher(server, token=token)
        await again.hear_of(match_id, PLAYING)


async def test_what_is_announced_while_a_watch_catches_up_is_sent_too(server: LocalServer):
    watcher = await Watcher(server).begin()
    watcher.stream.cancel()
    missed = [await create(server) for _ in range(3)]
    again = Watcher(server, token=watcher.token)
    missed.append(await create(server))
    heard: set[str] = set()
    while heard != set(missed):
        heard.add((await again.hear()).match.id)


async def test_silence_is_broken_and_a_draining_server_says_so():
    async with open_server(limits=limits(heartbeat_seconds=0.1)) as server:
        watcher = await Watcher(server).begin()
        assert not (await watcher.stream.read()).updates
        drained = asyncio.create_task(server.rpc.drain(0, 30))
        refusal = await refused(to_the_end(watcher.stream))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        await drained


async def test_a_token_of_something_else_is_refused(server: LocalServer):
    refusal = await refused(Watcher(server, token="nonsense").stream.read())
    assert refusal.reason == "INVALID_PAGE_TOKEN"
