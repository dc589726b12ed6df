"""CM-10 Blame: what the victor over a troll does with it.

Begging (CM-10.1) is a worker space; an undefeated troll (CM-10.3) is the clean-up's business.
CM-10.4 Blame is never negative: only what a seat has can be put back.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import gain
from taflhall_engine.champions.ids import NONE
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

ONESELF: Final = Refusal("CM-10.2", "bad_argument")
NO_BLAME: Final = Refusal("CM-10.2", "not_owned")


@final
class Blame(Command[ChampionsTable]):
    """CM-10.2 Put back one own blame or not; accuse the seat *target*, or nobody (-1)."""

    RULE = "CM-10.2"

    def __init__(self, discard: bool, target: int) -> None:
        self.discard: Final = discard
        self.target: Final = target

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not NONE <= self.target < len(s.clans):
            return BAD_ARGUMENT
        if self.target == seat:
            return ONESELF
        return NO_BLAME if self.discard and not s.clans[seat].blame else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.discard:
            gain(s, seat, self.RULE, blame=-1)
        if self.target != NONE:
            gain(s, self.target, self.RULE, blame=1)


@final
class TrollBlame(ChampionsDecision):
    """CM-10.2 The victor may put back one own blame, and may name another seat that takes one."""

    RULE = "CM-10.2"
    answers_with = (Blame, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        found: list[Command[Any]] = []
        for discard in range(2 if s.clans[seat].blame else 1):
            found.append(BLAME[discard][0])
            for target in range(len(s.clans)):
                if target != seat:
                    found.append(BLAME[discard][target + 1])
        return found


BLAME: Final = [[Blame(discard, target) for target in range(-1, 4)] for discard in (False, True)]
