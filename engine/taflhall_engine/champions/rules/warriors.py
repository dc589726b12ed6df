"""CM-5.20 Receiving warriors: a seat has room for a limited number."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import enlist
from taflhall_engine.champions.events import WarriorsOffered
from taflhall_engine.champions.ids import AXEMAN, SPEARMAN, SWORDSMAN, TYPES
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, WRONG_TOTAL, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.table import ChampionsTable, warriors_owned
from taflhall_engine.kernel.agenda import Command, Refusal

NOT_OFFERED_WARRIOR: Final = Refusal("CM-5.20", "bad_argument")


SPAN: Final = 13
"""Counts of one type go from 0 to 12: there are no more dice of any type."""


def splits(commands: list[Any], available: list[int], first: int, total: int) -> list[Command[Any]]:
    """Return those of the interned *commands* that take exactly *total* warriors.

    At most ``available[first]`` swordsmen are taken, and so on for the other types.
    """
    found: list[Command[Any]] = []
    spearmen = available[first + 1]
    axemen = available[first + 2]
    for a in range(min(available[first], total), -1, -1):
        for b in range(min(spearmen, total - a), -1, -1):
            c = total - a - b
            if c <= axemen:
                found.append(commands[(a * SPAN + b) * SPAN + c])
    return found


def room_of(s: ChampionsTable, seat: int) -> int:
    """Return how many more warriors *seat* may own."""
    clan = s.clans[seat]
    return s.components.room[clan.leader] - warriors_owned(clan)


def offer_from_supply(
    s: ChampionsTable, seat: int, swordsmen: int, spearmen: int, axemen: int, rule: str
) -> None:
    """CM-5.20 Offer warriors as far as the supply has them; the shortage is lost."""
    supply = s.supply
    a = min(swordsmen, supply[SWORDSMAN])
    b = min(spearmen, supply[SPEARMAN])
    c = min(axemen, supply[AXEMAN])
    supply[SWORDSMAN] -= a
    supply[SPEARMAN] -= b
    supply[AXEMAN] -= c
    offer_warriors(s, seat, a, b, c, rule)


def offer_warriors(
    s: ChampionsTable, seat: int, swordsmen: int, spearmen: int, axemen: int, rule: str
) -> None:
    """CM-5.20 Give *seat* the warriors offered, or let it choose which of them it keeps."""
    total = swordsmen + spearmen + axemen
    if total == 0:
        return
    room = room_of(s, seat)
    if total <= room:
        enlist(s, seat, rule, swordsmen, spearmen, axemen)
        return
    s.offer = [swordsmen, spearmen, axemen]
    if s.journal is not None:
        s.journal.append(WarriorsOffered(rule, seat, swordsmen, spearmen, axemen))
    s.agenda.append(KeepWarriors(seat))


@final
class Keep(Command[ChampionsTable]):
    """CM-5.20 Keep these of the warriors offered."""

    RULE = "CM-5.20"

    def __init__(self, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.swordsmen < 0 or self.spearmen < 0 or self.axemen < 0:
            return BAD_ARGUMENT
        offer = s.offer
        if (
            self.swordsmen > offer[SWORDSMAN]
            or self.spearmen > offer[SPEARMAN]
            or self.axemen > offer[AXEMAN]
        ):
            return NOT_OFFERED_WARRIOR
        if self.swordsmen + self.spearmen + self.axemen != max(0, room_of(s, seat)):
            return WRONG_TOTAL
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        offer = s.offer
        supply = s.supply
        supply[SWORDSMAN] += offer[SWORDSMAN] - self.swordsmen
        supply[SPEARMAN] += offer[SPEARMAN] - self.spearmen
        supply[AXEMAN] += offer[AXEMAN] - self.axemen
        s.offer = [0] * TYPES
        enlist(s, seat, self.RULE, self.swordsmen, self.spearmen, self.axemen)


@final
class KeepWarriors(ChampionsDecision):
    """CM-5.20 Keep as many of the newly offered warriors as fit; the others go to the supply."""

    RULE = "CM-5.20"
    answers_with = (Keep, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return splits(KEEP, s.offer, 0, max(0, room_of(s, seat)))


KEEP: Final = [Keep(a, b, c) for a in range(SPAN) for b in range(SPAN) for c in range(SPAN)]
