"""FindMatch: one seat for one request, at a suitable match, also under concurrent calls."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.matches.find import MAX_SCANNED
from taflhall_service.app.matches.indexes import CANDIDATES
from taflhall_service.app.model.match import PLAYING
from taflhall_service.app.ports.match_store import Durability
from taflhall_service.store.address import open_store
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server, refused
from tests.service.test_matches import setup
from tests.store.servers import SAFE, Valkey

OPEN = match_pb2.MATCH_STATUS_OPEN


@pytest.fixture(params=["memory", "redis"])
async def servers(request: Any, tmp_path: Path) -> AsyncIterator[list[LocalServer]]:
    """Two servers over one store."""
    memory = Memory()
    async with AsyncExitStack() as stack:
        address = ""
        if request.param == "redis":
            valkey = Valkey(tmp_path, *SAFE)
            stack.callback(valkey.stop)
            address = valkey.address
        found = []
        for _ in range(2):
            store: Any = MemoryStore(memory)
            if address:
                store = await open_store(address, Durability.DISK)
            found.append(await stack.enter_async_context(open_server(store)))
        yield found


def wanted(name: str, seats: int = 2, **fields: Any) -> lobby.FindMatchRequest:
    return lobby.FindMatchRequest(setup=setup(seats), name=name, **fields)


async def find(
    server: LocalServer, name: str, key: str = "", **fields: Any
) -> lobby.FindMatchResponse:
    answer: lobby.FindMatchResponse = await server.lobby.FindMatch(
        wanted(name, **fields), metadata=bearer(key)
    )
    return answer


async def create(server: LocalServer, **fields: Any) -> str:
    fields.setdefault("start_when_full", True)
    request = pb.CreateMatchRequest(setup=fields.pop("setup", setup(2)), **fields)
    return str((await server.match.CreateMatch(request)).match.id)


async def open_matches(server: LocalServer) -> list[match_pb2.Match]:
    answer = await server.match.ListMatches(pb.ListMatchesRequest(status=OPEN))
    return list(answer.matches)


async def test_two_who_look_for_the_same_meet(servers: list[LocalServer]):
    one = await find(servers[0], "Ann")
    assert (one.match.status, one.seat) == (OPEN, 0)
    two = await find(servers[1], "Bob")
    assert (two.match.id, two.seat) == (one.match.id, 1)
    assert two.match.status == match_pb2.MATCH_STATUS_PLAYING
    for found in (one, two):
        get = pb.GetMatchRequest(match_id=found.match.id, with_view=True)
        seen = await servers[0].match.GetMatch(get, metadata=bearer(found.seat_secret))
        assert seen.view.seat == found.seat


async def test_the_match_that_has_waited_longest_is_taken(server: LocalServer):
    first, second = await create(server), await create(server)
    times = {m: (await server.matches.current(m)).origin.created_ms for m in (first, second)}
    found = await find(server, "Ann")
    assert times[found.match.id] == min(times.values())


@pytest.mark.parametrize(
    "other",
    [
        {"setup": setup(4)},
        {"start_when_full": False},
        {"unlisted": True},
        {"invitation_required": True},
        {"labels": {"cup": "x"}},
        {"time_control": match_pb2.TimeControl(base=Duration(seconds=60))},
        {"spectators": match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_NONE)},
    ],
)
async def test_a_match_that_does_not_fit_is_passed_over(server: LocalServer, other: dict[str, Any]):
    passed = await create(server, **other)
    assert (await find(server, "Ann")).match.id != passed


async def test_a_match_of_the_same_kind_fits_in_all_respects(server: LocalServer):
    fields: dict[str, Any] = {
        "labels": {"cup": "x"},
        "time_control": match_pb2.TimeControl(base=Duration(seconds=60)),
    }
    opened = await create(server, **fields)
    assert (await find(server, "Ann", **fields)).match.id == opened


async def test_nobody_meets_themselves_or_takes_a_reserved_seat(server: LocalServer):
    account, key = await server.key(Role.PLAYER)
    first = await find(server, "Ann", key)
    assert (await find(server, "Ann too", key)).match.id != first.match.id
    assert (await find(server, "Ann")).match.id != first.match.id  # the name is taken
    request = pb.CreateMatchRequest(setup=setup(4), start_when_full=True)
    created = await server.match.CreateMatch(request)
    for seat in range(4):
        invited = account if not seat else (await server.key(Role.PLAYER))[0]
        invite = lobby.InviteToMatchRequest(
            match_id=created.match.id, account_id=invited, seat=seat, request_id=f"i{seat}"
        )
        await server.lobby.InviteToMatch(invite, metadata=bearer(created.creator_secret))
    assert (await find(server, "Bob", seats=4)).match.id != created.match.id
    assert (await find(server, "Cyd", key, seats=4)).match.id == created.match.id


async def test_a_repeated_request_finds_its_seat_again(servers: list[LocalServer]):
    first = await find(servers[0], "Ann", request_id="a" * 16)
    await find(servers[0], "Bob")
    again = await find(servers[1], "Ann", request_id="a" * 16)
    assert (again.match.id, again.seat, again.seat_secret) == (
        first.match.id,
        first.seat,
        first.seat_secret,
    )
    assert again.match.status == match_pb2.MATCH_STATUS_PLAYING
    other = await refused(servers[0].lobby.FindMatch(wanted("Eve", request_id="a" * 16)))
    assert other.reason == "REQUEST_ID_REUSED"


async def test_a_crowd_that_repeats_itself_takes_one_seat_each(servers: list[LocalServer]):
    names = [f"Player {n}" for n in range(10)]
    calls = [
        find(server, name, request_id=name.ljust(16, "."))
        for name in names
        for server in (*servers, servers[0])
    ]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    found: dict[str, set[str]] = {name: set() for name in names}
    for number, answer in enumerate(answers):
        if isinstance(answer, grpc.aio.AioRpcError):
            assert answer.code() is grpc.StatusCode.UNAVAILABLE  # BUSY: nothing was done for it
            continue
        assert not isinstance(answer, BaseException)
        found[names[number // 3]].add(answer.seat_secret)
    for name in names:
        again = await find(servers[1], name, request_id=name.ljust(16, "."))
        found[name].add(again.seat_secret)
    assert all(len(secrets) == 1 for secrets in found.values())
    seated: Counter[str] = Counter()
    async for match_id in servers[0].store.scan_ids():
        match = await servers[0].matches.fresh(match_id)
        if not match.over:
            seated.update(seat.name for seat in match.seats if seat.name)
    assert seated == Counter(names)


class Interfering(MemoryStore):
    """Does something else between a claim and what is done about it."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.interfere: Callable[[], Awaitable[Any]] | None = None

    async def claim(self, name: str, value: bytes, expected: bytes, keep_ms: int) -> bytes:
        claimed = await super().claim(name, value, expected, keep_ms)
        interfere, self.interfere = self.interfere, None
        if interfere is not None:
            await interfere()
        return claimed


async def test_a_late_join_gets_another_seat_and_never_both():
    memory = Memory()
    store = Interfering(memory)
    async with open_server(store) as server, open_server(MemoryStore(memory)) as other:
        opened = await create(server)
        taken: list[pb.JoinMatchResponse] = []

        async def take_all() -> None:
            request = pb.JoinMatchRequest(match_id=opened, seats=[0], name="Quick")
            taken.append(await other.match.JoinMatch(request))
            request = pb.JoinMatchRequest(match_id=opened, seats=[1], name="Quicker")
            await other.match.JoinMatch(request)

        store.interfere = take_all
        found = await find(server, "Ann", request_id="a" * 16)
        assert found.match.id != opened
        again = await find(other, "Ann", request_id="a" * 16)
        assert again.seat_secret == found.seat_secret


async def test_a_match_that_was_refused_stays_refused_for_the_request():
    memory = Memory()
    store = Interfering(memory)
    async with open_server(store) as server, open_server(MemoryStore(memory)) as other:
        opened = await create(server, setup=setup(4))
        joined: list[pb.JoinMatchResponse] = []

        async def fill() -> None:
            for seat in range(3):
                request = pb.JoinMatchRequest(match_id=opened, seats=[seat], name=f"Quick {seat}")
                joined.append(await other.match.JoinMatch(request))
            request = pb.JoinMatchRequest(match_id=opened, seats=[3], name="Ann")
            joined.append(await other.match.JoinMatch(request))

        store.interfere = fill
        found = await find(server, "Ann", seats=4, request_id="a" * 16)
        assert found.match.id != opened
        assert (await other.matches.fresh(opened)).seats[3].name == "Ann"
        assert (await find(server, "Ann", seats=4, request_id="a" * 16)).seat == found.seat


async def test_two_requests_of_one_account_at_once_take_seats_of_two_matches(
    servers: list[LocalServer],
):
    _, key = await servers[0].key(Role.PLAYER)
    for trial in range(4):
        one, two = await asyncio.gather(
            *[
                find(servers[n], f"Ann {trial} {n}", key, request_id=f"{trial}{n}" * 8)
                for n in (0, 1)
            ]
        )
        assert one.match.id != two.match.id


async def test_the_other_seat_of_the_same_account_is_seen_when_the_seat_is_taken():
    memory = Memory()
    store = Interfering(memory)
    async with open_server(store) as server, open_server(MemoryStore(memory)) as other:
        _, key = await server.key(Role.PLAYER)
        opened = await create(server)

        async def take_one() -> None:
            request = pb.JoinMatchRequest(match_id=opened, name="Ann")
            await other.match.JoinMatch(request, metadata=bearer(key))

        store.interfere = take_one
        assert (await find(server, "Ann too", key)).match.id != opened


@pytest.mark.parametrize(
    "other", [{"unlisted": True}, {"labels": {"cup": "x"}}, {"start_when_full": False}]
)
async def test_any_number_of_matches_that_never_fit_hide_none_that_does(
    server: LocalServer, other: dict[str, Any]
):
    for _ in range(MAX_SCANNED):
        await create(server, **other)
    found = await find(server, "Ann")
    assert (await find(server, "Bob")).match.id == found.match.id


async def test_delayed_matches_that_have_begun_hide_none_that_is_open(server: LocalServer):
    delayed: dict[str, Any] = {
        "spectators": match_pb2.SpectatorSettings(
            policy=match_pb2.SPECTATOR_POLICY_DELAYED, delay=Duration(seconds=60)
        )
    }
    for number in range(MAX_SCANNED):
        await find(server, f"Player {number}", seats=1, **delayed)
    found = await find(server, "Ann", **delayed)
    assert (await find(server, "Bob", **delayed)).match.id == found.match.id


async def test_a_lost_match_is_dropped_from_the_index_that_finds_it():
    memory = Memory()
    async with open_server(MemoryStore(memory)) as server:
        found = await find(server, "Ann")
        [index] = [name for name in memory.indexes if name.startswith(CANDIDATES)]
        index_keys = set(memory.indexes[index])
        await find(server, "Bob")
        assert not memory.indexes.get(index)
        for index_key in index_keys:
            await server.store.index_add(index_key, index)  # as if the server had died in between
        assert (await find(server, "Cyd")).match.id != found.match.id
        assert not index_keys & set(memory.indexes[index])


async def test_a_match_opened_in_vain_is_not_left_behind():
    memory = Memory()
    store = Interfering(memory)
    async with open_server(store) as server:
        await find(server, "Ann")
        assert len(await open_matches(server)) == 1
        await find(server, "Bob")
        assert await open_matches(server) == []


async def test_opening_a_match_by_searching_gives_no_rights_of_a_creator(
    servers: list[LocalServer],
):
    ann, key = await servers[0].key(Role.PLAYER)
    private: dict[str, Any] = {
        "spectators": match_pb2.SpectatorSettings(policy=match_pb2.SPECTATOR_POLICY_NONE)
    }
    found = await find(servers[0], "Ann", key, seats=3, **private)
    bob = await find(servers[1], "Bob", seats=3, **private)
    assert bob.match.id == found.match.id
    match_id, lobbies = found.match.id, servers[0].lobby
    removal = lobby.RemovePlayerRequest(match_id=match_id, seat=bob.seat, request_id="r")
    assert (
        await refused(lobbies.RemovePlayer(removal, metadata=bearer(key)))
    ).reason == "FORBIDDEN"
    leave = pb.LeaveMatchRequest(match_id=match_id, request_id="leave")
    await servers[0].match.LeaveMatch(leave, metadata=bearer(key))
    for name in ("Cyd", "Dan"):
        await find(servers[0], name, seats=3, **private)
    for server in servers:
        get = pb.GetMatchRequest(match_id=match_id, with_view=True)
        own = await refused(server.match.GetMatch(get, metadata=bearer(key)))
        other = (await server.key(Role.PLAYER))[1]
        assert (
            own.reason == (await refused(server.match.GetMatch(get, metadata=bearer(other)))).reason
        )
        match = await server.matches.fresh(match_id)
        assert (match.status, match.origin.creator_account) == (PLAYING, "")
        assert ann not in {seat.account for seat in match.seats}


async def test_a_bot_is_invited_and_does_not_look_for_matches(server: LocalServer):
    _, key = await server.key(Role.BOT)
    refusal = await refused(server.lobby.FindMatch(wanted("Robo"), metadata=bearer(key)))
    assert refusal.reason == "FORBIDDEN"
    assert (await refused(server.lobby.FindMatch(wanted("")))).reason == "INVALID_NAME"
