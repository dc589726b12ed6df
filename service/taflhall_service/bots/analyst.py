"""The analyst, in a pool of processes of its own.

They run ``taflhall_client.analysis.worker``, a program that the service knows by its name and its
JSON alone.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from taflhall_service.app.ports.analyst import (
    AnalysisOrder,
    AnalystBusy,
    AnalystUnavailable,
    InvalidRecord,
    JudgedDecision,
    JudgedDecisions,
)
from taflhall_service.bots.process_pool import LIMIT_SECONDS, ProcessPool, WorkerLost

SHARE: Final = 0.25
"""Share of one core that the analyses of a serving process use together."""
WAITING: Final = 16
"""Analyses that wait at a time."""
ATTEMPTS: Final = 2
"""How many processes an order is given to, if they are lost."""
BUSY_SECONDS: Final = 5.0
"""When a caller may ask again, if as many wait."""

LAUNCHER: Final = "taflhall_client.exec_with_parent"
WORKER: Final = "taflhall_client.analysis.worker"


class Judged(msgspec.Struct, frozen=True):
    """The reply of the analyst."""

    cpu_seconds: float
    decisions: list[JudgedDecision] = []
    next_revision: int = 0
    error: str = ""
    """Why the record does not replay; empty if it does."""


class AnalystPool(ProcessPool[Judged]):
    """Judges decisions; its users are the callers.

    *share* is as in :class:`ProcessPool`; *data* is the server's folder with component data.
    """

    def __init__(
        self,
        share: float = SHARE,
        data: Path | None = None,
        limit: float = LIMIT_SECONDS,
        most_waiting: int = WAITING,
    ) -> None:
        folder = [] if data is None else [str(data)]
        command = ["-m", LAUNCHER, str(os.getpid()), WORKER, *folder]
        super().__init__("analyses", command, msgspec.json.Decoder(Judged).decode, share, limit)
        self._most_waiting: Final = most_waiting

    async def judge(self, caller: str, order: AnalysisOrder) -> JudgedDecisions:
        """Return the judgement of each decision that *order* names, at the cost of *caller*.

        An order whose process is lost is given to another one once. Raise :exc:`InvalidRecord`,
        :exc:`AnalystBusy` or :exc:`AnalystUnavailable`.
        """
        if self.waiting >= self._most_waiting:
            raise AnalystBusy(BUSY_SECONDS)
        body = msgspec.json.encode(order)
        for _ in range(ATTEMPTS):
            with suppress(WorkerLost):
                reply = await self.run(caller, body)
                break
        else:
            raise AnalystUnavailable
        if reply.error:
            raise InvalidRecord(reply.error)
        return JudgedDecisions(reply.decisions, reply.next_revision)
