"""The last step of a round unit; compiled with the engine, since it is a step of the kernel."""

from __future__ import annotations

from typing import final

from taflhall_engine.champions.rules.placement import StartPlacement
from taflhall_engine.champions.rules.rounds import NextRound, Preparation, Round
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Step, schedule


@final
class NextPlacement(Step[ChampionsTable]):
    """CM-20.2 A round unit continues with P1 and P2 of the next round, or to the match's end."""

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        NextRound().run(s)
        if isinstance(s.agenda[-1], Round):
            s.agenda.pop()
            schedule(s, [Preparation(), StartPlacement()])
