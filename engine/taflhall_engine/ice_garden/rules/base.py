"""IG-20 What all decisions share: an answer that is not among the options is illegal."""

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

CODE: Final = "illegal_option"
"""IG-20 The code of every refusal of these rules; its number says which rule it is."""


def refused(rule: str, reason: str, reason_de: str) -> Refusal:
    """Return a refusal with IG-20's code."""
    return Refusal(rule, CODE, reason, reason_de)


NO_OPTION: Final = refused("IG-20", NOT_OFFERED.reason, NOT_OFFERED.reason_de)
CLOSED: Final = refused("IG-1.10", "the region is not open", "die Region ist nicht offen")
NOT_PRESENT: Final = refused("IG-1.7", "you are not present there", "du bist dort nicht vertreten")
CANNOT_PAY: Final = refused("IG-1.11", "you cannot pay for it", "du kannst es nicht bezahlen")
NO_MARKER: Final = refused(
    "IG-2.10", "your supply has no influence marker", "dein Vorrat hat keinen Einflussmarker"
)
SUPPLY_EMPTY: Final = refused(
    "IG-1.13", "the supply has nothing of it", "der Vorrat hat nichts davon"
)


NO_SUCH_MARKER: Final = refused(
    "IG-9.6", "no such marker is in the region", "ein solcher Marker ist nicht in der Region"
)


class Choice(Decision[IceGardenTable]):
    """IG-20 A decision of one seat; IG-19.4 there is never more than one."""

    MALFORMED = NO_OPTION
    WRONG_KIND = refused("IG-20", WRONG_COMMAND.reason, WRONG_COMMAND.reason_de)

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
    """IG-4.1 A state; entering it is told by ``s.state``."""

    STATE: ClassVar[int] = 0

    def run(self, s: IceGardenTable) -> None:
        s.state = self.STATE
        self.enter(s)

    def enter(self, s: IceGardenTable) -> None:
        """Do what the state begins with."""
        raise NotImplementedError
