"""IG-20 Answers that many decisions offer: to stop, and to leave an action unused."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command


@final
class Done(Command[IceGardenTable]):
    """IG-20 End a loop of choices."""

    RULE = "IG-20"

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """Nothing happens."""


@final
class Forgo(Command[IceGardenTable]):
    """IG-6.2 Leave an action unused."""

    RULE = "IG-6.2"

    def perform(self, s: IceGardenTable, seat: int) -> None:
        """Nothing happens."""


DONE: Final = Done()
FORGO: Final = Forgo()
