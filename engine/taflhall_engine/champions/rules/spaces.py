"""CM-5.5 to 5.7, 5.9, 5.12, 5.15 to 5.19 The spaces whose effect is done at once."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.effects import (
    gain,
    move_marker,
    place_beside,
    place_worker,
)
from taflhall_engine.champions.events import RuneDrawn, RuneTaken
from taflhall_engine.champions.ids import (
    AXEMAN,
    BEG,
    COINS,
    DRAUGR_LEFT,
    DRAUGR_RIGHT,
    FOOD,
    FREE_MERCHANT,
    HUNTING_GROUNDS,
    LONGHOUSE,
    MERCHANT_SHIP,
    NONE,
    ONE_PER_SEAT,
    RUNES,
    RUNESMITH,
    SMOKEHOUSE,
    SPEARMAN,
    STAVE_CHURCH,
    SWORDSMAN,
    SWORDSMITH,
    TROLL_SPACE,
    TYPES,
    WOOD,
    WORKER_HUTS,
)
from taflhall_engine.champions.rules.answers import (
    BAD_ARGUMENT,
    CANNOT_PAY,
    SPACE_NOT_IN_PLAY,
    SPACE_OCCUPIED,
    Placing,
    taken,
)
from taflhall_engine.champions.rules.warriors import offer_from_supply, offer_warriors
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Event, Refusal
from taflhall_engine.kernel.shared_lists import without

NOT_IN_THE_ROW: Final = Refusal("CM-5.9", "bad_argument")
NO_TIER: Final = Refusal("CM-5.15", "bad_argument")
HUT_USED: Final = Refusal("CM-5.16", "not_eligible")
ONE_HUNTER: Final = Refusal("CM-5.17", "not_eligible")
STOCK_EMPTY: Final = Refusal("CM-5.5", "stock_empty")
DECK_EMPTY: Final = Refusal("CM-5.9", "stock_empty")


@final
class TakeStock(Placing):
    """CM-5.5 Take all dice of a smith, or all food of the Smokehouse."""

    RULE = "CM-5.5"

    def __init__(self, location: int) -> None:
        self.location: Final = location

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not SWORDSMITH <= self.location <= SMOKEHOUSE:
            return SPACE_NOT_IN_PLAY
        if taken(s, self.location):
            return SPACE_OCCUPIED
        return None if s.stock[self.location] else STOCK_EMPTY

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, self.location, self.RULE)
        count = s.stock[self.location]
        s.stock[self.location] = 0
        if self.location == SMOKEHOUSE:
            gain(s, seat, self.RULE, food=count)
            return
        dice = [0] * TYPES
        dice[self.location] = count
        offer_warriors(s, seat, dice[SWORDSMAN], dice[SPEARMAN], dice[AXEMAN], self.RULE)


@final
class VisitLonghouse(Placing):
    """CM-5.6 Take 1 swordsman from the supply, then the start-player marker.

    Its holder gives it to the left neighbour.
    """

    RULE = "CM-5.6"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        return SPACE_OCCUPIED if taken(s, LONGHOUSE) else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, LONGHOUSE, self.RULE)
        move_marker(s, (seat + 1) % len(s.clans) if s.marker == seat else seat, self.RULE)
        offer_from_supply(s, seat, 1, 0, 0, self.RULE)


@final
class VisitMerchantShip(Placing):
    """CM-5.7 Pay 1 coin (Gylfir: nothing, CM-13.3) and take what the current card shows."""

    RULE = "CM-5.7"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if taken(s, MERCHANT_SHIP):
            return SPACE_OCCUPIED
        return CANNOT_PAY if s.clans[seat].goods[COINS] < merchant_fee(s, seat) else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, MERCHANT_SHIP, self.RULE)
        fee = merchant_fee(s, seat)
        if fee:
            gain(s, seat, self.RULE, coins=-fee)
        if s.merchant != NONE:
            take_gain(s, seat, s.components.merchant_gain[s.merchant], self.RULE)


def merchant_fee(s: ChampionsTable, seat: int) -> int:
    """CM-13.3 Return what *seat* pays at the Merchant Ship."""
    return 0 if s.components.ability[s.clans[seat].leader] == FREE_MERCHANT else 1


def take_gain(s: ChampionsTable, seat: int, given: list[int], rule: str) -> None:
    """CM-4.6 Take goods and favour first, warriors last."""
    if given[0] or given[1] or given[2] or given[3]:
        gain(s, seat, rule, food=given[0], wood=given[1], coins=given[2], favour=given[3])
    offer_from_supply(s, seat, given[4], given[5], given[6], rule)


@final
class VisitRunesmith(Placing):
    """CM-5.9 Pay 1 wood and take a rune of the row, or the unseen top card (none, -1)."""

    RULE = "CM-5.9"

    def __init__(self, rune: int) -> None:
        self.rune: Final = rune

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not NONE <= self.rune < len(RUNES):
            return BAD_ARGUMENT
        if self.rune != NONE and self.rune not in s.rune_row:
            return NOT_IN_THE_ROW
        if taken(s, RUNESMITH):
            return SPACE_OCCUPIED
        if self.rune == NONE and not s.rune_deck:
            return DECK_EMPTY
        return None if s.clans[seat].goods[WOOD] else CANNOT_PAY

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, RUNESMITH, self.RULE)
        gain(s, seat, self.RULE, wood=-1)
        rune = self.rune
        if rune == NONE:
            rune = s.rune_deck[0]
            s.rune_deck = s.rune_deck[1:]
            event: Event = RuneDrawn(self.RULE, seat, rune)
        else:
            s.rune_row = without(s.rune_row, rune)
            event = RuneTaken(self.RULE, seat, rune)
        s.clans[seat].runes |= 1 << rune
        if s.journal is not None:
            s.journal.append(event)


def can_pay(goods: list[int], cost: list[int]) -> bool:
    return affords(goods[FOOD], goods[WOOD], goods[COINS], cost)


def affords(food: int, wood: int, coins: int, cost: list[int]) -> bool:
    return coins >= cost[COINS] and wood >= cost[WOOD] and food >= cost[FOOD]


def pay_cost(s: ChampionsTable, seat: int, cost: list[int], rule: str) -> None:
    if cost[FOOD] or cost[WOOD] or cost[COINS]:
        gain(s, seat, rule, food=-cost[FOOD], wood=-cost[WOOD], coins=-cost[COINS])


@final
class VisitStaveChurch(Placing):
    """CM-5.15 Pay exactly 1, 3, 6 or 10 coins for 1, 2, 3 or 4 glory."""

    RULE = "CM-5.15"

    def __init__(self, coins: int) -> None:
        self.coins: Final = coins

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.coins not in s.components.church_tiers:
            return NO_TIER
        if taken(s, STAVE_CHURCH):
            return SPACE_OCCUPIED
        return CANNOT_PAY if s.clans[seat].goods[COINS] < self.coins else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, STAVE_CHURCH, self.RULE)
        gain(s, seat, self.RULE, coins=-self.coins)
        gain(s, seat, self.RULE, glory=s.components.church[self.coins])


@final
class VisitWorkerHuts(Placing):
    """CM-5.16 Pay the current price and take the waiting worker into hand."""

    RULE = "CM-5.16"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if s.clans[seat].hut:
            return HUT_USED
        if taken(s, WORKER_HUTS):
            return SPACE_OCCUPIED
        return CANNOT_PAY if s.clans[seat].goods[COINS] < hut_price(s) else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, WORKER_HUTS, self.RULE)
        gain(s, seat, self.RULE, coins=-hut_price(s))
        clan = s.clans[seat]
        clan.hut = True
        clan.workers += 1
        s.huts_sold += 1


def hut_price(s: ChampionsTable) -> int:
    """CM-5.16 Return the price of the next worker, by order of purchase in the match."""
    prices = s.components.hut_price
    return prices[min(s.huts_sold, len(prices) - 1)]


@final
class VisitHuntingGrounds(Placing):
    """CM-5.17 The seat will hunt; any number of workers of any number of seats."""

    RULE = "CM-5.17"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if s.hunting_workers == ONE_PER_SEAT and s.clans[seat].hunters:
            return ONE_HUNTER
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        s.clans[seat].hunters += 1
        place_beside(s, seat, HUNTING_GROUNDS, self.RULE)


@final
class ReserveFight(Placing):
    """CM-5.18 Reserve the fight with the troll or a draugr; no warriors are needed yet."""

    RULE = "CM-5.18"

    def __init__(self, location: int) -> None:
        self.location: Final = location

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not TROLL_SPACE <= self.location <= DRAUGR_RIGHT:
            return SPACE_NOT_IN_PLAY
        return SPACE_OCCUPIED if taken(s, self.location) else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, self.location, self.RULE)
        s.post_seat[self.location - TROLL_SPACE] = seat


@final
class Beg(Placing):
    """CM-5.19 Beg: take 1 food and 1 blame; always possible, any number of times."""

    RULE = "CM-5.19"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        s.clans[seat].beggars += 1
        place_beside(s, seat, BEG, self.RULE)
        gain(s, seat, self.RULE, food=1, blame=1)


TAKE_STOCK: Final = [TakeStock(location) for location in range(SWORDSMITH, SMOKEHOUSE + 1)]
VISIT_LONGHOUSE: Final = VisitLonghouse()
VISIT_MERCHANT_SHIP: Final = VisitMerchantShip()
VISIT_RUNESMITH: Final = [VisitRunesmith(rune) for rune in range(len(RUNES))]
VISIT_RUNESMITH_BLIND: Final = VisitRunesmith(NONE)
VISIT_WORKER_HUTS: Final = VisitWorkerHuts()
VISIT_HUNTING_GROUNDS: Final = VisitHuntingGrounds()
RESERVE_FIGHT: Final = [
    ReserveFight(location) for location in (TROLL_SPACE, DRAUGR_LEFT, DRAUGR_RIGHT)
]
BEG_COMMAND: Final = Beg()

VISIT_STAVE_CHURCH: Final[list[VisitStaveChurch]] = [VisitStaveChurch(n) for n in range(61)]
"""By coins: the tiers of the component data."""
