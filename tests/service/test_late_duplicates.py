"""A request that comes twice does nothing the second time, also if the first had nothing to do."""

from __future__ import annotations

import asyncio
from typing import Any

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_service_pb2 as pb
from taflhall_service.store.memory import Memory, MemoryStore
from tests.service.local_server import LocalServer, bearer, open_server
from tests.service.test_find_match import Interfering, find
from tests.service.test_find_match import create as open_match
from tests.service.test_invitations import create, decline
from tests.waiting import until


class Delaying(MemoryStore):
    """Holds a request up after it has read what it claims."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.held = 0
        self.go_on = asyncio.Event()

    async def claimed(self, name: str) -> bytes:
        found = await super().claimed(name)
        self.held += 1
        await self.go_on.wait()
        return found


async def test_a_late_find_takes_no_seat_that_is_free_again():
    memory = Memory()
    first_store, late_store = Interfering(memory), Delaying(memory)
    async with open_server(first_store) as one, open_server(late_store) as two:
        opened = await open_match(one)
        late: list[asyncio.Task[Any]] = []
        same_name: list[pb.JoinMatchResponse] = []

        async def repeat_and_take_the_name() -> None:
            late.append(asyncio.create_task(find(two, "Ann", request_id="a" * 16)))
            await until(lambda: late_store.held)
            request = pb.JoinMatchRequest(match_id=opened, name="Ann")
            same_name.append(await one.match.JoinMatch(request))

        first_store.interfere = repeat_and_take_the_name
        found = await find(one, "Ann", request_id="a" * 16)
        assert found.match.id != opened
        leave = pb.LeaveMatchRequest(match_id=opened, request_id="leave")
        await one.match.LeaveMatch(leave, metadata=bearer(same_name[0].seat_secret))
        late_store.go_on.set()
        again = await late[0]
        assert (again.match.id, again.seat_secret) == (found.match.id, found.seat_secret)
        assert not any(seat.name for seat in (await two.matches.fresh(opened)).seats)


async def test_a_late_removal_removes_nobody_who_came_after_the_first(server: LocalServer):
    match = await create(server)
    await match.remove(0, "early")
    await match.join(name="Ann", seats=[0])
    await match.remove(0, "early")
    assert (await server.matches.fresh(match.id)).seats[0].name == "Ann"
    await match.remove(0, "another")
    assert not (await server.matches.fresh(match.id)).seats[0].name


async def test_a_late_invitation_invites_nobody_who_has_declined(server: LocalServer):
    account, key = await server.key()
    match = await create(server)
    for request_id in ("first", "second"):
        await match.invite(account, request_id=request_id)
    await decline(server, match.id, key)
    await match.invite(account, request_id="second")
    assert not any(seat.invited for seat in (await server.matches.fresh(match.id)).seats)


async def test_that_nothing_was_to_be_done_wakes_nobody(server: LocalServer):
    match = await create(server)
    before = await server.matches.fresh(match.id)
    request = lobby.RemovePlayerRequest(match_id=match.id, seat=0, request_id="early")
    await server.lobby.RemovePlayer(request, metadata=match.creator)
    assert (await server.matches.fresh(match.id)).version == before.version
