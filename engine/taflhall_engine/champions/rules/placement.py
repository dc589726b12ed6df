"""CM-5.1, 5.2 Worker placement: clockwise, one worker each, until all are placed."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.ids import (
    COINS,
    FOOD,
    LONGHOUSE,
    MARKET,
    MAX_SEATS,
    MERCHANT_SHIP,
    NONE,
    RUNESMITH,
    SAGES_HUT,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHIPWRIGHT,
    SHORES,
    STALL_1,
    STAVE_CHURCH,
    SWORDSMITH,
    TROLL_SPACE,
    WOOD,
    WORKER_HUTS,
)
from taflhall_engine.champions.rules.answers import FreeRune, Placing
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.rules.market import VISIT_MARKET
from taflhall_engine.champions.rules.runes import add_free_runes
from taflhall_engine.champions.rules.sage import VisitSagesHut
from taflhall_engine.champions.rules.ships import (
    SAIL,
    SAIL_TO,
    VISIT_SHIPWRIGHT,
    fee_of,
    free_harbours,
    private_sails,
)
from taflhall_engine.champions.rules.spaces import (
    BEG_COMMAND,
    RESERVE_FIGHT,
    TAKE_STOCK,
    VISIT_HUNTING_GROUNDS,
    VISIT_LONGHOUSE,
    VISIT_MERCHANT_SHIP,
    VISIT_RUNESMITH,
    VISIT_RUNESMITH_BLIND,
    VISIT_STAVE_CHURCH,
    VISIT_WORKER_HUTS,
    affords,
    hut_price,
    merchant_fee,
)
from taflhall_engine.champions.rules.stalls import VISIT_STALL, possible_swaps, swap_commands
from taflhall_engine.champions.table import ChampionsTable, in_play
from taflhall_engine.kernel.agenda import Command, Step

VISIT_SAGES_HUT: Final = [VisitSagesHut(shore) for shore in range(SHORES + 1)]
VISIT_SAGES_HUT_FROM: Final = [VISIT_SAGES_HUT[first:] for first in range(SHORES + 1)]
"""By the first shore that is in play."""


@final
class Placement(Step[ChampionsTable]):
    """CM-5.1 The next seat clockwise, from *seat* on, that has a worker in hand places one.

    The phase ends when no seat has a worker in hand.
    """

    RULE = "CM-5.1"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: ChampionsTable) -> None:
        seats = len(s.clans)
        for i in range(seats):
            seat = (self.seat + i) % seats
            if s.clans[seat].workers:
                s.agenda.append(PLACEMENT[(seat + 1) % seats])
                s.agenda.append(PLACE_WORKER[seat])
                return


@final
class StartPlacement(Step[ChampionsTable]):
    """CM-4.4 The holder of the marker is the first to place."""

    RULE = "CM-4.4"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        s.agenda.append(PLACEMENT[s.marker])


@final
class PlaceWorker(ChampionsDecision):
    """CM-5.2 Place exactly one worker; always asked (CM-4.3)."""

    RULE = "CM-5.2"
    answers_with = (Placing, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        found: list[Command[Any]] = []
        found.extend(TAKE_STOCK)
        found.append(VISIT_LONGHOUSE)
        found.append(VISIT_MERCHANT_SHIP)
        found.append(VISIT_MARKET)
        for rune in s.rune_row:
            found.append(VISIT_RUNESMITH[rune])
        found.append(VISIT_RUNESMITH_BLIND)
        found.extend(VISIT_SAGES_HUT[1:])
        found.extend(VISIT_SHIPWRIGHT)
        for k in range(len(s.stalls)):
            swaps = s.components.tile_swaps[s.stalls[k]]
            if swaps:
                found.extend(swap_commands(swaps)[k])
            else:
                found.append(VISIT_STALL[k])
        for ship in SAIL:
            found.extend(ship[1:])
        for coins in s.components.church_tiers:
            found.append(VISIT_STAVE_CHURCH[coins])
        found.append(VISIT_WORKER_HUTS)
        found.append(VISIT_HUNTING_GROUNDS)
        found.extend(RESERVE_FIGHT)
        found.append(BEG_COMMAND)
        return found

    def options(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        """Return the same as offers that nothing refuses, without asking each of them."""
        found: list[Command[Any]] = []
        goods = s.clans[seat].goods
        food, wood, coins = goods[FOOD], goods[WOOD], goods[COINS]
        first = 1 if in_play(s, 1) else 2
        self._add_supplies(s, seat, coins, found)
        if s.workers[MARKET] == NONE and (food or wood or coins):
            found.append(VISIT_MARKET)
        self._add_cards(s, first, wood, found)
        if s.workers[SHIPWRIGHT] == NONE and s.clans[seat].ship == NONE:
            for ship in s.ships:
                if affords(food, wood, coins, s.components.ship_cost[ship]):
                    found.append(VISIT_SHIPWRIGHT[ship])
        for k in range(len(s.stalls)):
            tile = s.stalls[k]
            if s.workers[STALL_1 + k] == NONE and affords(
                food, wood, coins, s.components.tile_cost[tile]
            ):
                swaps = s.components.tile_swaps[tile]
                if swaps:
                    found.extend(possible_swaps(s, seat, k, swaps))
                else:
                    found.append(VISIT_STALL[k])
        self._add_ships(s, seat, first, coins, found)
        self._add_rest(s, seat, coins, found)
        add_free_runes(s, seat, found)
        return found

    def _add_supplies(
        self, s: ChampionsTable, seat: int, coins: int, found: list[Command[Any]]
    ) -> None:
        workers = s.workers
        stock = s.stock
        for location in range(SWORDSMITH, LONGHOUSE):
            if workers[location] == NONE and stock[location]:
                found.append(TAKE_STOCK[location])
        if workers[LONGHOUSE] == NONE:
            found.append(VISIT_LONGHOUSE)
        if workers[MERCHANT_SHIP] == NONE and coins >= merchant_fee(s, seat):
            found.append(VISIT_MERCHANT_SHIP)

    def _add_cards(
        self, s: ChampionsTable, first: int, wood: int, found: list[Command[Any]]
    ) -> None:
        workers = s.workers
        if wood and workers[RUNESMITH] == NONE:
            for rune in s.rune_row:
                found.append(VISIT_RUNESMITH[rune])
            if s.rune_deck:
                found.append(VISIT_RUNESMITH_BLIND)
        if workers[SAGES_HUT] == NONE:
            found.extend(VISIT_SAGES_HUT_FROM[first])

    def _add_ships(
        self, s: ChampionsTable, seat: int, first: int, coins: int, found: list[Command[Any]]
    ) -> None:
        free = NONE
        for location in range(SHIP_SMALL, SHIP_PRIVATE + 1):
            if location == SHIP_PRIVATE:
                if s.clans[seat].ship == NONE or private_sails(s, seat):
                    continue
            elif s.workers[location] != NONE:
                continue
            if coins < fee_of(s, seat, location):
                continue
            if free == NONE:
                free = free_harbours(s, first)
            if free:
                found.extend(SAIL_TO[location - SHIP_SMALL][free])

    def _add_rest(
        self, s: ChampionsTable, seat: int, coins: int, found: list[Command[Any]]
    ) -> None:
        workers = s.workers
        if workers[STAVE_CHURCH] == NONE:
            for tier in s.components.church_tiers:
                if coins >= tier:
                    found.append(VISIT_STAVE_CHURCH[tier])
        if workers[WORKER_HUTS] == NONE and not s.clans[seat].hut and coins >= hut_price(s):
            found.append(VISIT_WORKER_HUTS)
        if VISIT_HUNTING_GROUNDS.refuse(s, seat) is None:
            found.append(VISIT_HUNTING_GROUNDS)
        for i in range(len(RESERVE_FIGHT)):
            if workers[TROLL_SPACE + i] == NONE:
                found.append(RESERVE_FIGHT[i])
        found.append(BEG_COMMAND)

    def forced(self, s: ChampionsTable, legal: list[Command[Any]]) -> bool:
        return False


PLACEMENT: Final = [Placement(seat) for seat in range(MAX_SEATS)]
PLACE_WORKER: Final = [PlaceWorker(seat) for seat in range(MAX_SEATS)]
