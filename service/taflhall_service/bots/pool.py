"""The server's own bots (stand-ins), in a pool of processes of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from taflhall_engine.kernel.agenda import Table
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_service.app.ports.bots import BotFailed, BotUnavailable
from taflhall_service.bots.frames import Answer, Task, decode_answer, encode
from taflhall_service.bots.process_pool import LIMIT_SECONDS, ProcessPool, WorkerLost

SHARE: Final = 0.25
"""Share of one core that the bots of a serving process use together."""

WORKER: Final = "taflhall_service.bots.worker"


class BotPool(ProcessPool[Answer]):
    """Answers decisions; its users are the matches.

    *share* is as in :class:`ProcessPool`; *data* is the server's folder with component data.
    """

    def __init__(
        self, share: float = SHARE, data: Path | None = None, limit: float = LIMIT_SECONDS
    ) -> None:
        folder = [] if data is None else [str(data)]
        super().__init__("bots", ["-m", WORKER, *folder], decode_answer, share, limit)

    async def choose(
        self, match_id: str, game: Game, table: Table, seat: int, seed: int, plies: int
    ) -> list[int]:
        """Return the options that the server chooses for *seat*, one per step of its answer.

        Raise :exc:`BotFailed` or :exc:`BotUnavailable`.
        """
        task = Task(game.id, dump_table(game, table), seat, seed, plies)
        try:
            answer = await self.run(match_id, encode(task))
        except WorkerLost:
            raise BotUnavailable from None
        if answer.error:
            raise BotFailed(answer.error)
        return answer.options
