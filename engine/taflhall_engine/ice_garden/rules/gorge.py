"""IG-6.3 to IG-6.5 Field 0: Viper Gorge."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import gain, spend
from taflhall_engine.ice_garden.ids import FIELD_0, KIND_COUNT, VIPER_GORGE
from taflhall_engine.ice_garden.influence import affordable
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.base import CANNOT_PAY, SUPPLY_EMPTY, Choice, Phase
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.kernel.shared_lists import without


@final
class GorgePhase(Phase):
    """IG-6.3 Cyclically in turn order, each player resolves one marker at a time."""

    RULE = "IG-6.3"
    STATE = FIELD_0

    def enter(self, s: IceGardenTable) -> None:
        s.agenda.append(NextGorge(0))


@final
class NextGorge(Step[IceGardenTable]):
    """IG-6.3 The next player with a marker there removes one and resolves it."""

    RULE = "IG-6.3"

    def __init__(self, turn: int) -> None:
        self.turn: Final = turn

    def run(self, s: IceGardenTable) -> None:
        count = len(s.order)
        for step in range(count):
            turn = (self.turn + step) % count
            faction = s.order[turn]
            if faction in s.fields[VIPER_GORGE]:
                s.fields[VIPER_GORGE] = without(s.fields[VIPER_GORGE], faction)
                if s.journal is not None:
                    s.journal.append(events.MarkerResolved("IG-6.3", faction, VIPER_GORGE))
                s.agenda.append(NextGorge((turn + 1) % count))
                s.agenda.append(ViperGorge(s.options.seat_of[faction], False))
                return


@final
class TakeGood(Command[IceGardenTable]):
    """IG-6.4 Take one resource from the supply; M-factor goes to level 0."""

    RULE = "IG-6.4"

    def __init__(self, kind: int) -> None:
        self.kind: Final = kind

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return SUPPLY_EMPTY if s.bank[self.kind] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        gain(s, "IG-6.4", s.options.factions[seat], self.kind, 1)


@final
class Trade(Command[IceGardenTable]):
    """IG-6.4 Return two resources and take one of a kind different from both."""

    RULE = "IG-6.4"

    def __init__(self, kind: int, other_kind: int, gained: int) -> None:
        self.kind: Final = kind
        self.other_kind: Final = other_kind
        self.gained: Final = gained

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        faction = s.options.factions[seat]
        if self.kind == self.other_kind:
            if not affordable(s, faction, self.kind, 2):
                return CANNOT_PAY
        elif not affordable(s, faction, self.kind, 1) or not affordable(
            s, faction, self.other_kind, 1
        ):
            return CANNOT_PAY
        return SUPPLY_EMPTY if s.bank[self.gained] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        faction = s.options.factions[seat]
        spend(s, "IG-6.4", faction, self.kind, 1)
        spend(s, "IG-6.4", faction, self.other_kind, 1)
        gain(s, "IG-6.4", faction, self.gained, 1)


@final
class ViperGorge(Choice):
    """IG-6.4 Take one resource, at most once; trade two for one of another kind; in any order."""

    RULE = "IG-6.4"
    answers_with = (TakeGood, Trade, Done)

    def __init__(self, seat: int, taken: bool) -> None:
        super().__init__(seat)
        self.taken: Final = taken

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return TRADES if self.taken else TAKES_AND_TRADES

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if not isinstance(command, Done):
            s.agenda.append(ViperGorge(seat, self.taken or isinstance(command, TakeGood)))


TRADES: Final[list[Command[IceGardenTable]]] = [
    Trade(kind, other, gained)
    for kind in range(KIND_COUNT)
    for other in range(kind, KIND_COUNT)
    for gained in range(KIND_COUNT)
    if gained not in (kind, other)
]
TRADES.append(DONE)
TAKES_AND_TRADES: Final[list[Command[IceGardenTable]]] = [
    TakeGood(kind) for kind in range(KIND_COUNT)
]
TAKES_AND_TRADES.extend(TRADES)
