"""Plans the fights of a seat of Champions of Midgard, with their crews.

A plan gives warriors (and food) to the posts that the seat has, or may still take, so that
the fights are worth most. Placing workers and assigning warriors both ask it.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from taflhall_client.bots.champions_odds import Crew, FightOdds, Way
from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import (
    DRAUGR,
    GREY,
    MONSTER,
    NONE,
    POST_LEFT,
    POST_RIGHT,
    POST_TROLL,
    SHIP_PRIVATE,
    SHIP_SMALL,
    SHORE_0,
    TROLL,
)
from taflhall_engine.champions.view import PublicView

COIN: Final = 0.45
FAVOUR: Final = 2.0
FOOD: Final = 0.5
WOOD: Final = 0.5
WARRIORS: Final = (1.3, 1.5, 2.3)
"""Value of a warrior of each type, except in the last round."""
LAST_WORTH: Final = 0.1
"""Share of that value in the last round."""
JOURNEY_RISK: Final = 0.8
"""Share of a monster's reward before the journey is known to be quiet."""
SET: Final = 1.7
"""Value of a card of the rarest colour towards a set."""
MOST_WAYS: Final = 50_000
"""Lists of crews that are remembered at a time."""


class Target(NamedTuple):
    """An enemy at a post, and how many may go there."""

    post: int
    enemy: int
    reward: float
    capacity: int
    """Warriors and food that fit on the ship; 0 at a post without a ship."""
    fed: int
    """Warriors fed by one food."""


class Plan(NamedTuple):
    """The crews by target, with the food that they need."""

    worth: float
    crews: list[Crew]
    food: list[int]


class Planner:
    """Looks for the best plan of a seat."""

    def __init__(self, components: Components, p: PublicView, seat: int, odds: FightOdds) -> None:
        self.components: Final = components
        self.p: Final = p
        self.seat: Final = seat
        self.own: Final = p.seats[seat]
        self.odds: Final = odds
        owned = self.own.owned
        self.warriors: Final[Crew] = (owned.swordsmen, owned.spearmen, owned.axemen)
        left = (8 - p.round) / 7
        self.values: Final = [v * (LAST_WORTH + (1 - LAST_WORTH) * left) for v in WARRIORS]
        self._worths: Final[dict[tuple[Crew, int], float]] = {}

    # ---------------------------------------------------------------- targets

    def own_targets(self) -> list[Target]:
        """Return the fights that the seat has reserved and the ships that it has sent."""
        found = []
        for post, there in enumerate(self.p.posts):
            if there.seat == self.seat:
                capacity = self.capacity(there.location) if post > POST_RIGHT else 0
                target = self.target(post, capacity)
                if target is not None:
                    found.append(target)
        return found

    def target(self, post: int, capacity: int) -> Target | None:
        """Return the enemy at *post* as a target, ``None`` if the post is empty."""
        enemy = self.enemy(post)
        if enemy == NONE:
            return None
        fed = 0
        if post > POST_RIGHT:
            shore = post - SHORE_0
            near = shore in self.components.near[self.p.near_shores]
            fed = self.components.fed_near if near else self.components.fed_far
        return Target(post, enemy, self.reward(post, enemy), capacity, fed)

    def enemy(self, post: int) -> int:
        """Return the enemy at *post* by its number in the box."""
        if post == POST_TROLL:
            card, kind = self.p.troll, TROLL
        elif post <= POST_RIGHT:
            card, kind = self.p.draugr[post - POST_LEFT], DRAUGR
        else:
            card, kind = self.p.monsters[post - SHORE_0 - 1], MONSTER
        return NONE if card == NONE else card + self.components.first[kind]

    def capacity(self, location: int) -> int:
        if location == SHIP_PRIVATE:
            return self.components.ship_capacity[self.own.ship]
        return self.components.public_capacity[location - SHIP_SMALL]

    def reward(self, post: int, enemy: int) -> float:
        """Return what defeating *enemy* is worth."""
        components = self.components
        worth = (
            components.glory[enemy]
            + COIN * components.coins[enemy]
            + FAVOUR * components.favour[enemy]
        )
        color = components.color[enemy]
        if color != GREY:
            counts = self.colors()
            worth += SET if counts[color] == min(counts) else SET / 4
        if post > POST_RIGHT:
            worth = (worth + COIN * self.p.bounties[post - SHORE_0 - 1]) * JOURNEY_RISK
        if post == POST_TROLL:
            worth += self.blame_cost(1) + 1.0
            if self.own.blame:
                worth += self.blame_cost(0)
        return worth

    def colors(self) -> list[int]:
        d, m = self.own.draugr, self.own.monsters
        return [d.yellow + m.yellow, d.red + m.red, d.blue + m.blue]

    def blame_cost(self, more: int) -> float:
        """Return the final cost of one more blame (or, with 0, of the last one)."""
        penalty = self.components.penalty
        top = len(penalty) - 1
        blame = self.own.blame - 1 + more
        return float(penalty[min(blame + 1, top)] - penalty[min(max(blame, 0), top)])

    # ---------------------------------------------------------------- plans

    def best(self, targets: list[Target]) -> Plan:
        """Return the best way to give warriors and food to *targets*: branch and bound."""
        if not targets or not any(self.warriors):
            return Plan(0.0, [(0, 0, 0)] * len(targets), [0] * len(targets))
        ways = [self._ways(target) for target in targets]
        bounds = [0.0]
        for options in reversed(ways):
            bounds.append(bounds[-1] + options[0][0])
        bounds.reverse()
        chosen: list[Way] = []
        best = Plan(-1e9, [], [])

        def give(at: int, left: Crew, food: int, worth: float) -> None:
            nonlocal best
            if at == len(ways):
                best = Plan(worth, [way[1] for way in chosen], [way[2] for way in chosen])
                return
            for way in ways[at]:
                if worth + way[0] + bounds[at + 1] <= best.worth + 1e-9:
                    return
                _, (a, b, c), eaten = way
                if a <= left[0] and b <= left[1] and c <= left[2] and eaten <= food:
                    chosen.append(way)
                    rest: Crew = (left[0] - a, left[1] - b, left[2] - c)
                    give(at + 1, rest, food - eaten, worth + way[0])
                    chosen.pop()

        give(0, self.warriors, self.own.food, 0.0)
        return best

    def _ways(self, target: Target) -> list[Way]:
        """Return every crew for *target* with its worth and food, the best first."""
        key = (self.warriors, self.own.food, self.p.round, *target)
        known = self.odds.ways.get(key)
        if known is not None:
            return known
        ways: list[Way] = []
        a, b, c = self.warriors
        for crew in product(range(a + 1), range(b + 1), range(c + 1)):
            size = sum(crew)
            eaten = -(-size // target.fed) if target.capacity else 0
            if target.capacity and (size + eaten > target.capacity or eaten > self.own.food):
                continue
            ways.append((self.worth(target, crew) - FOOD * eaten, crew, eaten))
        ways.sort(key=lambda way: -way[0])
        if len(self.odds.ways) >= MOST_WAYS:
            self.odds.ways.clear()
        self.odds.ways[key] = ways
        return ways

    def worth(self, target: Target, crew: Crew) -> float:
        """Return what sending *crew* to *target* is worth: reward less losses."""
        key = (crew, target.enemy)
        found = self._worths.get(key)
        if found is None:
            found = self._worths[key] = self._worth(target, crew)
        return found

    def _worth(self, target: Target, crew: Crew) -> float:
        bans = self.components.bans[target.enemy]
        fighting: Crew = (
            0 if bans & 1 else crew[0],
            0 if bans & 2 else crew[1],
            0 if bans & 4 else crew[2],
        )
        if target.capacity == 0 and fighting != crew:
            return -1000.0
        components = self.components
        odds = self.odds.fight(
            fighting, components.attack[target.enemy], components.defence[target.enemy]
        )
        worth = odds.win * target.reward
        for k in range(3):
            worth -= self.values[k] * (odds.lost[k] + crew[k] - fighting[k])
        return worth
