"""Those who have the lobby open."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Final

from taflhall.v1 import lobby_service_pb2, match_pb2
from taflhall.v1 import match_service_pb2 as pb
from taflhall_client.load.calls import Caller
from taflhall_client.load.plan import Plan
from taflhall_client.load.watches import Stream


class Visitor:
    """Watches the open matches of the lobby, and lists them now and then."""

    def __init__(self, plan: Plan, caller: Caller, rng: random.Random) -> None:
        self._plan: Final = plan
        self._caller: Final = caller
        self._rng: Final = rng
        self._filter: Final = pb.ListMatchesRequest(
            game=plan.game, status=match_pb2.MATCH_STATUS_OPEN
        )
        self.stream: Final = Stream(
            caller.lobby.WatchLobby, "WatchLobby", self._open_from, caller.measures
        )

    def _open_from(self, token: str) -> lobby_service_pb2.WatchLobbyRequest:
        return lobby_service_pb2.WatchLobbyRequest(filter=self._filter, resume_token=token)

    async def run(self) -> None:
        """Look into the lobby until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            group.create_task(self._list())

    async def _watch(self) -> None:
        async with contextlib.aclosing(self.stream.messages()) as messages:
            async for message in messages:
                self._caller.measures.count("lobby updates", len(message.updates))

    async def _list(self) -> None:
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / self._plan.think))
            await self._caller.call(self._caller.matches.ListMatches, "ListMatches", self._filter)
