"""Tournaments as values: what a request makes of one needs no server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taflhall_engine import registry
from taflhall_engine.champions.setup import Setup
from taflhall_service.app.access.accounts import Role
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.clocks import TimeControl
from taflhall_service.app.tournaments.model import ROUND_ROBIN, Tournament
from taflhall_service.app.tournaments.tournaments import CreateTournament, Tournaments
from taflhall_service.store.redis.accounts import MemoryAccountStore
from tests.service.requests.matches import FINGERPRINT, account
from tests.service.requests.process import Process

CLOCK = TimeControl(60_000)
HOST = account("host", Role.HOST)


class Contended(MemoryAccountStore):
    """A store that others write to as well."""

    def __init__(self) -> None:
        super().__init__()
        self.too_early = 0
        """How many of the next reads find nothing yet."""
        self.too_late = 0
        """Before how many of the next writes another one comes."""
        self.lost = set[str]()
        """The namespaces of which nothing is found."""

    async def read(self, namespace: str, names: Sequence[str]) -> list[bytes]:
        if self.too_early:
            self.too_early -= 1
            return [b""] * len(names)
        return await super().read(namespace, names)

    async def all(self, namespace: str) -> dict[str, bytes]:
        return {} if namespace in self.lost else await super().all(namespace)

    async def compare_and_set(self, namespace: str, name: str, value: bytes, before: bytes) -> bool:
        if self.too_late:
            self.too_late -= 1
            return False
        return await super().compare_and_set(namespace, name, value, before)


class Office:
    """The tournaments of one process over a store in memory."""

    def __init__(self) -> None:
        self.process = Process()
        self.accounts = Contended()
        self.process.memory.accounts = self.process.store.accounts = self.accounts
        self.matches: Matches = self.process.matches
        self.tournaments = Tournaments(self.matches)

    async def cup(self, *bots: str, **fields: Any) -> Tournament:
        """Return a tournament that *bots* have entered."""
        made = await self.tournaments.create(request(**fields))
        for bot in bots:
            made = await self.tournaments.enter(account(bot, Role.BOT), made.id, "")
        return made

    async def started(self, *bots: str, **fields: Any) -> Tournament:
        """Return a tournament that *bots* have entered and that has started."""
        return await self.tournaments.start(HOST, (await self.cup(*bots, **fields)).id)

    async def listed(self, index: str) -> list[str]:
        found: list[str] = await self.process.store.index_page("", 100, index)
        return found


def request(**fields: Any) -> CreateTournament:
    given: dict[str, Any] = {
        "identity": HOST,
        "name": "Cup",
        "game": registry.game("champions"),
        "setup": Setup(2),
        "format": ROUND_ROBIN,
        "rounds": 1,
        "at_once": 1,
        "time_control": CLOCK,
        "max_entrants": 4,
        "request_id": "r" * 16,
        "fingerprint": FINGERPRINT,
        **fields,
    }
    return CreateTournament(**given)
