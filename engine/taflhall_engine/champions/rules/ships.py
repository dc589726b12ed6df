"""CM-5.11, 5.13, 5.14 The Shipwright and the longships."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.champions.effects import gain, place_beside, place_worker
from taflhall_engine.champions.events import ShipBought
from taflhall_engine.champions.ids import (
    COINS,
    NONE,
    SHIP_LARGE,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHIPWRIGHT,
    SHORE_0,
    SHORES,
)
from taflhall_engine.champions.rules.answers import (
    CANNOT_PAY,
    SPACE_NOT_IN_PLAY,
    SPACE_OCCUPIED,
    Placing,
    taken,
)
from taflhall_engine.champions.rules.spaces import can_pay, pay_cost
from taflhall_engine.champions.table import ChampionsTable, in_play
from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.kernel.shared_lists import without

NO_SUCH_SHORE: Final = Refusal("CM-9.1", "bad_argument")
NOT_ON_OFFER: Final = Refusal("CM-5.11", "bad_argument")
HAS_SHIP: Final = Refusal("CM-5.11", "not_eligible")
HAS_NO_SHIP: Final = Refusal("CM-5.14", "not_eligible")
NO_HARBOUR: Final = Refusal("CM-9.1", "no_harbour")


MAX_SHIPS: Final = 4


@final
class VisitShipwright(Placing):
    """CM-5.11 Pay the wood and coins of a private longship on offer, and keep it."""

    RULE = "CM-5.11"

    def __init__(self, ship: int) -> None:
        self.ship: Final = ship

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.ship not in s.ships:
            return NOT_ON_OFFER
        if s.clans[seat].ship != NONE:
            return HAS_SHIP
        if taken(s, SHIPWRIGHT):
            return SPACE_OCCUPIED
        cost = s.components.ship_cost[self.ship]
        return None if can_pay(s.clans[seat].goods, cost) else CANNOT_PAY

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, SHIPWRIGHT, self.RULE)
        pay_cost(s, seat, s.components.ship_cost[self.ship], self.RULE)
        s.ships = without(s.ships, self.ship)
        s.clans[seat].ship = self.ship
        if s.journal is not None:
            s.journal.append(ShipBought(self.RULE, seat, self.ship))


@final
class Sail(Placing):
    """CM-5.13 Pay the longship's fee and put it into the free harbour of a shore in play.

    CM-5.14 The private longship is open to its owner only.
    """

    RULE = "CM-5.13"

    def __init__(self, location: int, shore: int) -> None:
        self.location: Final = location
        self.shore: Final = shore

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 1 <= self.shore <= SHORES or not in_play(s, self.shore):
            return NO_SUCH_SHORE
        if not SHIP_SMALL <= self.location <= SHIP_PRIVATE:
            return SPACE_NOT_IN_PLAY
        if self.location == SHIP_PRIVATE:
            if s.clans[seat].ship == NONE:
                return HAS_NO_SHIP
            if private_sails(s, seat):
                return SPACE_OCCUPIED
        elif taken(s, self.location):
            return SPACE_OCCUPIED
        if s.clans[seat].goods[COINS] < fee_of(s, seat, self.location):
            return CANNOT_PAY
        return NO_HARBOUR if s.post_ship[SHORE_0 + self.shore] != NONE else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        rule = self.RULE
        if self.location == SHIP_PRIVATE:
            rule = "CM-5.14"
            place_beside(s, seat, self.location, rule, self.shore)
        else:
            place_worker(s, seat, self.location, rule, self.shore)
        fee = fee_of(s, seat, self.location)
        if fee:
            gain(s, seat, rule, coins=-fee)
        s.post_seat[SHORE_0 + self.shore] = seat
        s.post_ship[SHORE_0 + self.shore] = self.location


def private_sails(s: ChampionsTable, seat: int) -> bool:
    """CM-5.3 Return whether the private longship of *seat* holds its worker already."""
    for shore in range(1, SHORES + 1):
        if s.post_ship[SHORE_0 + shore] == SHIP_PRIVATE and s.post_seat[SHORE_0 + shore] == seat:
            return True
    return False


def free_harbours(s: ChampionsTable, first: int) -> int:
    """CM-9.1 Return the shores from *first* on with a free harbour, as bits."""
    free = 0
    for shore in range(first, SHORES + 1):
        if s.post_ship[SHORE_0 + shore] == NONE:
            free |= 1 << shore
    return free


def fee_of(s: ChampionsTable, seat: int, location: int) -> int:
    """CM-5.13 Return the coins that *seat* pays for sailing with this longship."""
    if location == SHIP_PRIVATE:
        return s.components.ship_fee[s.clans[seat].ship]
    return s.components.public_fee[location - SHIP_SMALL]


def capacity_of(s: ChampionsTable, post: int) -> int:
    """CM-5.13 Return how many warriors and food the longship at *post* carries."""
    location = s.post_ship[post]
    if location == SHIP_PRIVATE:
        return s.components.ship_capacity[s.clans[s.post_seat[post]].ship]
    return s.components.public_capacity[location - SHIP_SMALL]


VISIT_SHIPWRIGHT: Final = [VisitShipwright(ship) for ship in range(MAX_SHIPS)]
SAIL: Final = [
    [Sail(location, shore) for shore in range(SHORES + 1)]
    for location in (SHIP_SMALL, SHIP_LARGE, SHIP_PRIVATE)
]
"""By longship and shore; shore 0 means none and is never offered."""

SAIL_TO: Final = [
    [[way for way in ways if free >> way.shore & 1] for free in range(2 << SHORES)] for ways in SAIL
]
"""By longship and the shores with a free harbour, as bits."""
