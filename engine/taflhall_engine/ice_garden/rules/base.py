"""IG-20 What all decisions share: an answer that is not among the options is illegal.

The specification has one code for that, ``illegal_option``; here each reason has its own.
"""

from __future__ import annotations

from typing import ClassVar, Final

from taflhall_engine.ice_garden.ids import REGION_COUNT
from taflhall_engine.ice_garden.influence import has_free
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import (
    NOT_OFFERED,
    WRONG_COMMAND,
    Command,
    Decision,
    Refusal,
    Step,
)

NO_OPTION: Final = Refusal("IG-20", NOT_OFFERED.code)
CLOSED: Final = Refusal("IG-1.10", "closed")
NOT_PRESENT: Final = Refusal("IG-1.7", "not_present")
CANNOT_PAY: Final = Refusal("IG-1.11", "cannot_pay")
NO_MARKER: Final = Refusal("IG-2.10", "no_marker")
SUPPLY_EMPTY: Final = Refusal("IG-1.13", "supply_empty")
NO_SUCH_MARKER: Final = Refusal("IG-9.6", "no_such_marker")


class Choice(Decision[IceGardenTable]):
    """IG-20 A decision of one seat; IG-19.4 there is never more than one."""

    MALFORMED = NO_OPTION
    WRONG_KIND = Refusal("IG-20", WRONG_COMMAND.code)

    def not_offered(
        self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]
    ) -> Refusal:
        return NO_OPTION


class MarkerTarget(Choice):
    """Choose another player's influence marker in a region, free or controlled."""

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region


class TargetMarker(Command[IceGardenTable]):
    """Name a marker by its owner and by whether Vuko controls it."""

    def __init__(self, faction: int, controlled: bool) -> None:
        self.faction: Final = faction
        self.controlled: Final = controlled

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        controlled = s.controlled[self.faction * REGION_COUNT + s.resolving]
        found = controlled > 0 if self.controlled else has_free(s, self.faction, s.resolving)
        return None if found else NO_SUCH_MARKER


class Phase(Step[IceGardenTable]):
    """IG-4.1 A state of the round; ``s.state`` holds its number from its first step on."""

    STATE: ClassVar[int] = 0

    def run(self, s: IceGardenTable) -> None:
        s.state = self.STATE
        self.enter(s)

    def enter(self, s: IceGardenTable) -> None:
        """Carry out the beginning of the state."""
        raise NotImplementedError
