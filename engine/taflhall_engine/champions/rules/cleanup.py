"""CM-11 The clean-up, also in round 8."""

from __future__ import annotations

from typing import final

from taflhall_engine.champions.effects import gain
from taflhall_engine.champions.events import BoardCleared, BountyLaid
from taflhall_engine.champions.ids import (
    LOCATION_COUNT,
    NONE,
    POSTS,
    SHIP_PRIVATE,
    SHORE_0,
    SHORES,
    TYPES,
)
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Step


@final
class Cleanup(Step[ChampionsTable]):
    """CM-11.1 to CM-11.5 Workers and ships come home, cards are cleared, coins are laid."""

    RULE = "CM-11.1"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        recall_workers(s)
        discard_enemies(s)
        discard_journeys(s)
        if s.journal is not None:
            s.journal.append(BoardCleared(self.RULE))
        lay_bounties(s)


def recall_workers(s: ChampionsTable) -> None:
    """CM-11.1 All workers return to their hands, all ships to their places."""
    for seat in s.workers:
        if seat >= 0:
            s.clans[seat].workers += 1
    s.workers = [NONE] * LOCATION_COUNT
    for clan in s.clans:
        clan.workers += clan.hunters + clan.beggars
        clan.hunters = 0
        clan.beggars = 0
    for post in range(SHORE_0 + 1, POSTS):
        if s.post_ship[post] == SHIP_PRIVATE and s.post_seat[post] >= 0:
            s.clans[s.post_seat[post]].workers += 1
    s.post_seat = [NONE] * POSTS
    s.post_ship = [NONE] * POSTS
    s.rations = [0] * POSTS
    s.crew = [0] * (POSTS * TYPES)
    s.post = NONE


def discard_enemies(s: ChampionsTable) -> None:
    """CM-11.2 An undefeated troll gives everybody 1 blame (CM-10.3); it and CM-11.3 the
    undefeated draugr are discarded.
    """
    if s.troll != NONE:
        for seat in range(len(s.clans)):
            gain(s, seat, "CM-10.3", blame=1)
        s.enemy_discard = [*s.enemy_discard, s.troll]
        s.troll = NONE
    for i in range(len(s.draugr)):
        if s.draugr[i] != NONE:
            s.enemy_discard = [*s.enemy_discard, s.draugr[i]]
            s.draugr[i] = NONE


def discard_journeys(s: ChampionsTable) -> None:
    """CM-11.4 Every journey card revealed this round is discarded."""
    for shore in range(SHORES):
        if s.revealed >> shore & 1:
            s.journey_discard = [*s.journey_discard, s.journeys[shore]]
            s.journeys[shore] = NONE
    s.revealed = 0


def lay_bounties(s: ChampionsTable) -> None:
    """CM-11.5 Every monster still on a shore gets 1 coin, fought or not."""
    for shore in range(SHORES):
        if s.monsters[shore] != NONE:
            s.bounties[shore] += 1
            if s.journal is not None:
                s.journal.append(BountyLaid("CM-11.5", shore + 1, s.bounties[shore]))
