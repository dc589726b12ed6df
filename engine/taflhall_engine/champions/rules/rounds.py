"""CM-4 The course of a match: eight rounds, then the end."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import deal_journey
from taflhall_engine.champions.events import (
    EnemyAppeared,
    MerchantArrived,
    RoundBegan,
    RuneTurnedUp,
    Stocked,
)
from taflhall_engine.champions.ids import (
    DRAUGR,
    MONSTER,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    ROUNDS,
    SHORE_0,
    SHORES,
    SMOKEHOUSE,
    SWORDSMAN,
    TROLL,
    TYPES,
)
from taflhall_engine.champions.rules.assignment import Assignment
from taflhall_engine.champions.rules.cleanup import Cleanup
from taflhall_engine.champions.rules.combat import Fight
from taflhall_engine.champions.rules.ending import FinalScoring, FinalWindow
from taflhall_engine.champions.rules.hunts import Hunts
from taflhall_engine.champions.rules.placement import StartPlacement
from taflhall_engine.champions.rules.shores import Voyage
from taflhall_engine.champions.table import ChampionsTable, in_play
from taflhall_engine.kernel.agenda import Step, schedule
from taflhall_engine.kernel.shared_lists import replaced


@final
class Round(Step[ChampionsTable]):
    """CM-4.1 A round: preparation, placement, assignment, combat, clean-up."""

    RULE = "CM-4.1"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        if s.journal is not None:
            s.journal.append(RoundBegan(self.RULE, s.round))
        schedule(s, PHASES[:])


@final
class NextRound(Step[ChampionsTable]):
    """CM-11.6 After round 8 the match ends (CM-12), otherwise the next round begins."""

    RULE = "CM-11.6"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        if s.round >= ROUNDS:
            schedule(s, [FinalWindow(), FinalScoring()])
            return
        s.round += 1
        s.agenda.append(Round())


@final
class Preparation(Step[ChampionsTable]):
    """CM-4.2 Preparation: enemies, journeys, merchant ship, stock and runes, in this order."""

    RULE = "CM-4.2"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        turn_up_enemies(s)
        deal_journeys(s)
        turn_up_monsters(s)
        turn_up_merchant(s)
        restock(s)
        refill_runes(s)


def turn_up_enemies(s: ChampionsTable) -> None:
    """CM-4.2.1 The top troll goes to the troll space, CM-4.2.2 two draugr to theirs, left first."""
    if s.troll_deck:
        s.troll = s.troll_deck[0]
        s.troll_deck = s.troll_deck[1:]
        _appeared(s, "CM-4.2.1", POST_TROLL, TROLL, s.troll)
    for i in range(2):
        if s.draugr_deck:
            s.draugr[i] = s.draugr_deck[0]
            s.draugr_deck = s.draugr_deck[1:]
            _appeared(s, "CM-4.2.2", POST_LEFT + i, DRAUGR, s.draugr[i])


def deal_journeys(s: ChampionsTable) -> None:
    """CM-4.2.3 Every shore in play without a face-down journey card gets one, left to right."""
    for shore in range(1, SHORES + 1):
        if in_play(s, shore) and s.journeys[shore - 1] == NONE:
            if s.journey_deck or s.journey_discard:
                deal_journey(s, shore, "CM-4.2.3")


def turn_up_monsters(s: ChampionsTable) -> None:
    """CM-4.2.4 Every shore in play without a monster gets one, left to right."""
    for shore in range(1, SHORES + 1):
        if in_play(s, shore) and s.monsters[shore - 1] == NONE and s.monster_deck:
            s.monsters = replaced(s.monsters, shore - 1, s.monster_deck[0])
            s.monster_deck = s.monster_deck[1:]
            _appeared(s, "CM-4.2.4", SHORE_0 + shore, MONSTER, s.monsters[shore - 1])


def turn_up_merchant(s: ChampionsTable) -> None:
    """CM-4.2.5 The top merchant ship card covers the earlier ones."""
    if s.merchant_deck:
        s.merchant = s.merchant_deck[0]
        s.merchant_deck = s.merchant_deck[1:]
        if s.journal is not None:
            s.journal.append(MerchantArrived("CM-4.2.5", s.merchant))


def restock(s: ChampionsTable) -> None:
    """CM-4.2.6 One die for each smith if the supply has one (CM-15.2), one food to smoke."""
    added = [0] * (SMOKEHOUSE + 1)
    for warrior in range(SWORDSMAN, TYPES):
        added[warrior] = min(s.components.restock[warrior], s.supply[warrior])
        s.supply[warrior] -= added[warrior]
    added[SMOKEHOUSE] = s.components.restock[SMOKEHOUSE]
    for location in range(SMOKEHOUSE + 1):
        s.stock[location] += added[location]
    if s.journal is not None:
        s.journal.append(Stocked("CM-4.2.6", added[0], added[1], added[2], added[3]))


def refill_runes(s: ChampionsTable) -> None:
    """CM-4.2.7 The rune row is refilled as far as the deck reaches."""
    while len(s.rune_row) < s.components.rune_row and s.rune_deck:
        s.rune_row = [*s.rune_row, s.rune_deck[0]]
        s.rune_deck = s.rune_deck[1:]
        if s.journal is not None:
            s.journal.append(RuneTurnedUp("CM-4.2.7", s.rune_row[-1]))


def _appeared(s: ChampionsTable, rule: str, post: int, kind: int, enemy: int) -> None:
    if s.journal is not None:
        s.journal.append(EnemyAppeared(rule, post, kind, enemy - s.components.first[kind]))


COMBAT_PHASES: Final[list[Step[Any]]] = [
    Hunts(),
    Fight(POST_TROLL),
    Fight(POST_LEFT),
    Fight(POST_RIGHT),
    Voyage(1),
    Voyage(2),
    Voyage(3),
    Voyage(4),
]
"""CM-7.1 All hunts; troll; draugr 1; draugr 2; CM-7.5 the shores from left to right."""

PHASES: Final[list[Step[Any]]] = [
    Preparation(),
    StartPlacement(),
    Assignment(),
    *COMBAT_PHASES,
    Cleanup(),
    NextRound(),
]
"""CM-4.1 The phases of a round, P1 to P8, and what comes after them (CM-7.1, CM-11.6)."""
