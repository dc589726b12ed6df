"""CM-7 Hunts: warriors that are committed nowhere bring food home."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import clear_roll, gain, roll_dice
from taflhall_engine.champions.ids import NONE, POSTS, TYPES
from taflhall_engine.champions.rules.rolling import PostRoll, hits_of
from taflhall_engine.champions.table import ChampionsTable, turn_order
from taflhall_engine.kernel.agenda import Step, schedule


@final
class Hunts(Step[ChampionsTable]):
    """CM-7.1 First all hunts, in turn order."""

    RULE = "CM-7.1"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        steps: list[Step[Any]] = []
        for seat in turn_order(s):
            if s.clans[seat].hunters:
                steps.append(Hunt(seat))
        schedule(s, steps)


def hunting(s: ChampionsTable, seat: int) -> list[int]:
    """CM-6.6 Return the warriors of *seat* that are committed nowhere, by type."""
    left = s.clans[seat].warriors[:]
    for post in range(POSTS):
        if s.post_seat[post] == seat:
            for warrior in range(TYPES):
                left[warrior] -= s.crew[post * TYPES + warrior]
    return left


@final
class Hunt(Step[ChampionsTable]):
    """CM-7.2 Roll all hunting warriors once; food is gained for hits, at most 6."""

    RULE = "CM-7.2"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: ChampionsTable) -> None:
        hunters = hunting(s, self.seat)
        if hunters[0] + hunters[1] + hunters[2] == 0:
            return
        s.post = NONE
        roll_dice(s, self.seat, self.RULE, hunters[0], hunters[1], hunters[2])
        s.agenda.append(BringHome(self.seat))
        s.agenda.append(PostRoll(self.seat))


@final
class BringHome(Step[ChampionsTable]):
    """CM-7.2 Take as much food as there are hits, at most 6."""

    RULE = "CM-7.2"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: ChampionsTable) -> None:
        food = min(hits_of(s, self.seat), s.components.hunt_limit)
        if food:
            gain(s, self.seat, self.RULE, food=food)
        clear_roll(s, self.seat, self.RULE)
