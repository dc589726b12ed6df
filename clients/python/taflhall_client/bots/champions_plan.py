"""Plans the fights of a seat of Champions of Midgard, with their crews.

A plan gives warriors (and food) to the posts that the seat has, or may still take, so that
the fights are worth most. Placing workers and assigning warriors both ask it.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from taflhall_client.bots.champions_odds import Crew, FightOdds, splits
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
MANY_WAYS: Final = 3000


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
        """Return the best way to give warriors and food to *targets*."""
        if not targets or not any(self.warriors):
            return Plan(0.0, [(0, 0, 0)] * len(targets), [0] * len(targets))
        ways = [splits(count, len(targets)) for count in self.warriors]
        if len(ways[0]) * len(ways[1]) * len(ways[2]) > MANY_WAYS:
            return self._one_after_the_other(targets)
        best: Plan | None = None
        for a, b, c in product(*ways):
            crews: list[Crew] = list(zip(a, b, c, strict=True))
            plan = self._plan(targets, crews)
            if plan is not None and (best is None or plan.worth > best.worth + 1e-9):
                best = plan
        assert best is not None
        return best

    def _plan(self, targets: list[Target], crews: list[Crew]) -> Plan | None:
        worth, foods, left = 0.0, [], self.own.food
        for target, crew in zip(targets, crews, strict=True):
            size = sum(crew)
            food = 0
            if target.capacity:
                food = -(-size // target.fed)
                left -= food
                if size + food > target.capacity or left < 0:
                    return None
            worth += self.worth(target, crew) - FOOD * food
            foods.append(food)
        return Plan(worth, crews, foods)

    def _one_after_the_other(self, targets: list[Target]) -> Plan:
        """Give each target, the most rewarding first, the best crew for it alone."""
        crews: list[Crew] = [(0, 0, 0)] * len(targets)
        order = sorted(range(len(targets)), key=lambda k: -targets[k].reward)
        left, food = self.warriors, self.own.food
        foods, worth = [0] * len(targets), 0.0
        for k in order:
            target = targets[k]
            best, best_crew, best_food = 0.0, (0, 0, 0), 0
            for crew in product(range(left[0] + 1), range(left[1] + 1), range(left[2] + 1)):
                size = sum(crew)
                eaten = -(-size // target.fed) if target.capacity else 0
                if target.capacity and (size + eaten > target.capacity or eaten > food):
                    continue
                value = self.worth(target, crew) - FOOD * eaten
                if value > best + 1e-9:
                    best, best_crew, best_food = value, crew, eaten
            crews[k], foods[k] = best_crew, best_food
            left = (left[0] - best_crew[0], left[1] - best_crew[1], left[2] - best_crew[2])
            food -= best_food
            worth += best
        return Plan(worth, crews, foods)

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
