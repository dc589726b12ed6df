"""Plain users of the SDK: whatever happens to servers, they must not see an error."""

from __future__ import annotations

import random
from collections.abc import Sequence

from taflhall_client import errors
from taflhall_client.async_client import Client
from tests.faults.control.server_process import ServerProcess
from tests.faults.history import History


class Stock:
    """Plays alone, match after match, through whichever servers are up."""

    def __init__(self, history: History, servers: Sequence[ServerProcess], who: str) -> None:
        self.answers = 0
        """Answers that came, each the first time it was asked for."""
        self._history = history
        self._address = "ipv4:" + ",".join(server.address for server in servers)
        self._who = who
        self._stopped = False
        self._rng = random.Random(who)

    def stop(self) -> None:
        self._stopped = True

    async def play(self) -> None:
        """Play until stopped; note every error."""
        try:
            async with Client(self._address) as client:
                while not self._stopped:
                    await self._match(client)
        except errors.TaflhallError as error:
            self._history.note(who=self._who, seen=f"{type(error).__name__} {error.reason}")

    async def _match(self, client: Client) -> None:
        match = await client.create("yggdrasil", {"seats": 2})
        seat = await match.join(self._who, [0, 1])
        await match.start()
        decision = await seat.decision()
        while decision is not None and not self._stopped:
            first = self._rng.randrange(len(decision.options))
            answers = [first, *[0] * self._rng.choice((0, 3, 20))]
            submitted = await seat.submit(answers, decision)
            self.answers += 1
            decision = submitted.decision or await seat.decision()
        if decision is None:
            record = await seat.record()
            assert record["commands"]
