"""The value of each worker space of Champions of Midgard to the bot."""

from __future__ import annotations

from typing import Any, Final

from taflhall_client.bots.champions_plan import COIN, FAVOUR, FOOD, WOOD
from taflhall_client.bots.champions_position import Position
from taflhall_engine.champions.ids import NONE, SHORE_0, STALL_1, TROLL_SPACE
from taflhall_engine.kernel.notation import snake

ROUNDS: Final = 8
WORKER: Final = 2.2
"""Value of a further worker in each round still to come."""
RUNE: Final = 1.5
"""Value of using a rune, without its points."""
DESTINY: Final = 2.2
"""Value of drawing a destiny."""
LOOK: Final = 0.2
LAST_COIN: Final = 0.34
HUNTED: Final = (0.5, 0.5, 1.0)
"""Food that a hunter of each type brings on average."""


NEVER: Final = -500.0


class Places:
    """Weighs the worker spaces for a seat; each kind of placement has a method of its name."""

    def __init__(self, position: Position) -> None:
        self.at: Final = position
        self.base: Final = position.planner.best(position.planner.own_targets()).worth
        """Value of the fights that the seat has already reserved."""

    def worth(self, option: Any) -> float:
        """Return the value of *option*; one that is not a placement is never chosen here."""
        weigh = getattr(self, snake(type(option).__name__), None)
        return NEVER if weigh is None else float(weigh(option))

    def place(self, options: list[Any]) -> Any:
        """Return the space that is worth most."""
        best, most = options[-1], -1000.0
        for option in options:
            value = self.worth(option)
            if value > most + 1e-9:
                best, most = option, value
        return best

    def left(self) -> int:
        """Return the rounds still to come after this one."""
        return ROUNDS - self.at.p.round

    def warriors_worth(self, counts: list[int]) -> float:
        """Return what these warriors are worth, as far as there is room for them."""
        owned = sum(self.at.planner.warriors)
        room = self.at.components.room[self.at.own.leader] - owned
        worth = 0.0
        early = 0.6 if self.at.own.workers > 1 else 0.0
        for warrior in (2, 1, 0):
            count = min(counts[warrior], room)
            room -= count
            worth += count * (self.at.planner.values[warrior] + early)
        return worth

    def gain_worth(self, gain: list[int]) -> float:
        """Return what food, wood, coins, favour and warriors are worth."""
        goods = FOOD * gain[0] + WOOD * gain[1] + COIN * gain[2] + FAVOUR * gain[3]
        return goods + self.warriors_worth(gain[4:])

    def take_stock(self, option: Any) -> float:
        stock = self.at.p.stock
        if option.location == 3:
            return FOOD * self.at.p.smoked_food
        counts = [0, 0, 0]
        amounts = [stock.swordsmen, stock.spearmen, stock.axemen]
        counts[option.location] = amounts[option.location]
        return self.warriors_worth(counts)

    def visit_longhouse(self, option: Any) -> float:
        return self.warriors_worth([1, 0, 0]) + 0.3

    def visit_merchant_ship(self, option: Any) -> float:
        gain = self.at.components.merchant_gain[self.at.p.merchant]
        fee = 0.0 if self.at.components.ability[self.at.own.leader] == 2 else COIN
        return self.gain_worth(gain) - fee

    def visit_runesmith(self, option: Any) -> float:
        points = self.at.components.rune_points
        known = points[option.rune] if option.rune != NONE else 2
        return float(known) + RUNE * min(1.0, self.left() / 4) - WOOD

    def visit_sages_hut(self, option: Any) -> float:
        return (DESTINY if self.at.p.destiny_deck_size else 0.0) + LOOK

    def visit_shipwright(self, option: Any) -> float:
        cost = self.at.components.ship_cost[option.ship]
        price = FOOD * cost[0] + WOOD * cost[1] + COIN * cost[2]
        glory = float(self.at.components.ship_glory[option.ship])
        return glory - float(price) + 0.3 * self.left()

    def visit_stall(self, option: Any) -> float:
        tile = self.at.p.stalls[option.location - STALL_1]
        cost = self.at.components.tile_cost[tile]
        price = FOOD * cost[0] + WOOD * cost[1] + COIN * cost[2]
        return self.gain_worth(self.at.components.tile_gain[tile]) - float(price)

    def swap_warriors(self, option: Any) -> float:
        values = self.at.planner.values
        counts = [option.swordsmen, option.spearmen, option.axemen]
        return float(sum([values[k] * counts[k] for k in range(3)]))

    def visit_stave_church(self, option: Any) -> float:
        coin = COIN if self.left() else LAST_COIN
        return float(self.at.components.church[option.coins] - coin * option.coins)

    def visit_worker_huts(self, option: Any) -> float:
        return WORKER * (self.left() + 0.5) - COIN * 5

    def visit_hunting_grounds(self, option: Any) -> float:
        if self.at.own.hunters:
            return -1.0
        plan = self.at.planner.best(self.at.planner.own_targets())
        food = 0.0
        for k in range(3):
            idle = self.at.planner.warriors[k] - sum(crew[k] for crew in plan.crews)
            food += idle * HUNTED[k]
        wanted = 0.6 if self.at.own.food < 4 and self.left() else 0.2
        return min(food, 6.0) * wanted

    def reserve_fight(self, option: Any) -> float:
        target = self.at.planner.target(option.location - TROLL_SPACE, 0)
        if target is None:
            return -1.0
        targets = [*self.at.planner.own_targets(), target]
        return self.at.planner.best(targets).worth - self.base

    def sail(self, option: Any) -> float:
        planner = self.at.planner
        target = planner.target(SHORE_0 + option.shore, planner.capacity(option.location))
        if target is None:
            return -1.0
        fee = self.at.components.ship_fee[self.at.own.ship] if option.location == 18 else 1
        return planner.best([*planner.own_targets(), target]).worth - self.base - COIN * fee

    def beg(self, option: Any) -> float:
        return FOOD - self.at.planner.blame_cost(1) - 0.5

    def visit_market(self, option: Any) -> float:
        return -100.0

    def keep_warriors(self, options: list[Any]) -> Any:
        """Keep axemen before spearmen before swordsmen."""
        kept = [o for o in options if type(o).__name__ == "Keep"]
        return max(kept, key=lambda o: (o.axemen, o.spearmen))

    def keep_destiny(self, options: list[Any]) -> Any:
        """Keep the destiny that is nearest to be fulfilled."""
        cards = [o for o in options if type(o).__name__ == "KeepCard"]
        return max(cards, key=lambda o: self.destiny_worth(o.destiny))

    def destiny_worth(self, destiny: int) -> float:
        """Return the current score of a destiny, plus a little for being near to it."""
        components = self.at.components
        amounts = [metric(seat, components.metric[destiny]) for seat in self.at.p.seats]
        own = amounts[self.at.seat]
        others = max(amounts[k] for k in range(len(amounts)) if k != self.at.seat)
        if own > others:
            return float(components.exclusive[destiny]) + 0.1 * (own - others)
        if own == others and own:
            return float(components.shared[destiny])
        return -0.5 * (others - own)


def metric(seat: Any, kind: int) -> int:
    """Return a seat's amount of a metric (CM-12.2)."""
    counts: list[int] = [
        seat.draugr.yellow + seat.monsters.yellow,
        seat.draugr.red + seat.monsters.red,
        seat.draugr.blue + seat.monsters.blue,
        seat.food,
        seat.wood,
        seat.coins,
        seat.favour,
        seat.owned.swordsmen + seat.owned.spearmen + seat.owned.axemen,
        len(seat.runes) + len(seat.runes_used),
        seat.trolls,
        seat.draugr.yellow + seat.draugr.red + seat.draugr.blue,
        seat.monsters.yellow + seat.monsters.red + seat.monsters.blue,
    ]
    return counts[kind]
