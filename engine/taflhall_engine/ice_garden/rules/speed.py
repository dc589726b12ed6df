"""IG-7.9, IG-7.10 Activation: speed."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import move_unit
from taflhall_engine.ice_garden.ids import (
    FIGURE_COUNT,
    FIGURE_UNIT,
    FIGURES_EACH,
    NONE,
    REGION_COUNT,
    SPEED,
)
from taflhall_engine.ice_garden.influence import (
    is_open,
    represented,
    symbols,
)
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.base import CLOSED, Choice
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule


@final
class SpeedStep(Step[IceGardenTable]):
    """IG-7.9 In turn order; each player finishes before the next. The NPC never uses it."""

    RULE = "IG-7.9"

    def run(self, s: IceGardenTable) -> None:
        turns: list[Step[IceGardenTable]] = [SpeedTurn(s.options.seat_of[f]) for f in s.order]
        schedule(s, turns)


@final
class SpeedTurn(Step[IceGardenTable]):
    """IG-7.9 Each unit in an open region has as many steps as speed symbols."""

    RULE = "IG-7.9"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: IceGardenTable) -> None:
        first = s.options.factions[self.seat] * FIGURES_EACH
        for figure in range(first, first + FIGURES_EACH):
            region = s.figure_at[figure]
            steps = 0
            if region != NONE and is_open(s, region) and not s.defeated >> figure & 1:
                steps = symbols(s, FIGURE_UNIT[figure], SPEED)
            s.steps[figure - first] = steps
        s.agenda.append(SpeedEnd())
        s.agenda.append(SpeedMove(self.seat))


@final
class SpeedEnd(Step[IceGardenTable]):
    """IG-7.9 Steps that are left are lost."""

    RULE = "IG-7.9"

    def run(self, s: IceGardenTable) -> None:
        for index in range(FIGURES_EACH):
            s.steps[index] = 0


@final
class Run(Command[IceGardenTable]):
    """IG-7.9 A unit steps into an adjacent open region."""

    RULE = "IG-7.9"

    def __init__(self, figure: int, to: int) -> None:
        self.figure: Final = figure
        self.to: Final = to

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return None if is_open(s, self.to) else CLOSED

    def perform(self, s: IceGardenTable, seat: int) -> None:
        s.steps[self.figure % FIGURES_EACH] -= 1
        move_unit(s, "IG-7.9", self.figure, self.to)


@final
class SpeedMove(Choice):
    """IG-7.10 Move a unit one step, or stop; steps of units may be interleaved."""

    RULE = "IG-7.10"
    answers_with = (Run, Done)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        first = s.options.factions[seat] * FIGURES_EACH
        for index in range(FIGURES_EACH):
            if s.steps[index] > 0 and not represented(s, first + index):
                for to in s.components.adjacent[s.figure_at[first + index]]:
                    if s.tile[to] != 0:
                        offers.append(RUN[(first + index) * REGION_COUNT + to])
        offers.append(DONE)
        return offers

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if not isinstance(command, Done):
            s.agenda.append(SpeedMove(seat))


RUN: Final[list[Command[IceGardenTable]]] = [
    Run(figure, to) for figure in range(FIGURE_COUNT) for to in range(REGION_COUNT)
]
