"""A rig: a folder on a disk, a store and several servers over it, all gone when it closes."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.faults.control.children import Children
from tests.faults.control.disk import disk_folder
from tests.faults.control.power import Power
from tests.faults.control.server_process import ServerProcess
from tests.faults.control.store import Store
from tests.faults.control.wall_clock import WallClock


class Rig:
    """What a scenario plays on. Use it as an asynchronous context manager.

    *rig* goes to every server: ``{"fault": name}`` plants a fault, other keys are conditions (see
    :mod:`tests.faults.server`). *flags* are flags of ``taflhall-server``. With *power*, the
    generator of a :class:`~tests.faults.control.power.Power`, a kill of the store is a power cut.
    With *clocks*, the store and each server have a wall clock of their own that can be set.
    """

    def __init__(
        self,
        servers: int = 2,
        *,
        rig: dict[str, Any] | None = None,
        flags: dict[str, Any] | None = None,
        settings: dict[str, str] | None = None,
        store: bool = True,
        power: random.Random | None = None,
        clocks: bool = False,
    ) -> None:
        self.folder: Final[Path] = disk_folder()
        self.rig = rig or {}
        self.flags = flags or {}
        self.children = Children()
        data = self.folder / "store"
        cuts = Power(data, power) if power is not None else None
        self._clocks = clocks
        self.store = Store(self.children, data, settings, power=cuts, clock=self._clock("store"))
        self.servers: list[ServerProcess] = []
        self._count = servers
        self._with_store = store

    async def __aenter__(self) -> Self:
        try:
            if self._with_store:
                await self.store.start()
            await asyncio.gather(*[self.add().start() for _ in range(self._count)])
        except BaseException:
            self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def add(self, store: str = "", **flags: Any) -> ServerProcess:
        """Return a further server, not started yet."""
        name = f"server{len(self.servers)}"
        server = ServerProcess(
            self.children,
            name,
            store or self.store.address,
            self.folder,
            self.rig,
            self.flags | flags,
            self._clock(name),
        )
        self.servers.append(server)
        return server

    def _clock(self, name: str) -> WallClock | None:
        return WallClock(self.folder / f"{name}.clock") if self._clocks else None

    def close(self) -> None:
        """End every process and remove the folder."""
        self.children.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def kills(self) -> tuple[int, int]:
        """How often a store and a server were killed."""
        return self.store.kills, sum(server.kills for server in self.servers)

    def logs(self) -> str:
        """Return everything that the servers have logged."""
        return "\n".join(
            server.log.read_text("utf-8", "replace")
            for server in self.servers
            if server.log.exists()
        )
