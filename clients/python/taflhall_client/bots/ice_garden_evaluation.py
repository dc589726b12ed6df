"""The value of a position of The Lord of the Ice Garden to a player, about in victory points.

The parts: points and what regions promise, the individual goal, goods and sheet, reputation
and the Dead Snow. Start at :func:`worth`.
"""

from __future__ import annotations

from typing import Final

from taflhall_engine.ice_garden.effects import release_control, take_vuko_token
from taflhall_engine.ice_garden.ids import (
    CALLO,
    DOMINANCE,
    ENLIGHTENED_ONE,
    FACTION_COUNT,
    FAUN,
    FIGURE_UNIT,
    FIGURES_EACH,
    FJOLLSFINN,
    FREIHOFF,
    GOLD,
    ICE_DRAKKAR,
    KIND_COUNT,
    LEVELS,
    M_FACTOR,
    NIGHTMARE,
    NONE,
    RATLING_MUSICIAN,
    REGION_COUNT,
    STOCK,
    UNITS_EACH,
    VAN_DYKEN,
    VUKO,
)
from taflhall_engine.ice_garden.influence import (
    available,
    better,
    dominance_order,
    human,
    influence,
    is_open,
    stands,
    worst_reputation,
)
from taflhall_engine.ice_garden.rules.visit import destination, here, skipped
from taflhall_engine.ice_garden.table import IceGardenTable

WON: Final = 1000.0
GOAL_STEP: Final = 14.0
"""One tower, absorbed reserve, captured marker, or half a locked region."""
HINDER: Final = 0.6
"""The weight of another player's goal, times the share that is reached."""
GOAL_UNIT: Final = [ENLIGHTENED_ONE, RATLING_MUSICIAN, FAUN, ICE_DRAKKAR]
"""By faction: the unit type that brings the goal forward."""
POPULATION_WORTH: Final = [0.0, 1.0, 1.8, 2.5, 3.0, 3.4, 3.7]
GOLD_WORTH: Final = [0.0, 0.8, 1.5, 1.9, 2.2, 2.4]
IDLE_FACTOR: Final = 0.8
UNIT_WORTH: Final = [2.2, 4.0, 4.5]
"""A figure on the map, by level."""
UNIT_ROUND: Final = 1.5
"""Extra value of one that serves the goal, for each round to come."""
READY: Final = [0.35, 0.45, 0.62, 0.62]
"""The share of a figure's worth that M-factor has on the way to its level."""


def worth(s: IceGardenTable, me: int) -> float:
    """Return the value of the table to faction *me*."""
    if s.reason:
        return WON / len(s.winners) if me in s.winners else -WON
    value = _regions(s, me, _orders(s), False)
    s = visited(s)
    orders = _orders(s)
    value += s.vp[me] + _regions(s, me, orders, True)
    value += GOALS[me](s, orders)
    if s.goals >> me & 1:
        value += WON / 2
    for other in (*s.order, s.options.npc):
        if other not in (me, NONE):
            value -= 0.12 * s.vp[other] + (WON / 4 if s.goals >> other & 1 else 0.0)
            share = progress(s, other) / s.components.goal[other]
            value -= HINDER * share * GOALS[other](s, orders)
    return value + _goods(s, me) + _sheet(s, me) + _standing(s, me)


def _orders(s: IceGardenTable) -> list[list[int]]:
    return [dominance_order(s, r) if is_open(s, r) else [] for r in range(REGION_COUNT)]


def visited(s: IceGardenTable) -> IceGardenTable:
    """Return the table after Vuko's visit of this round, if it is still to come."""
    if s.state >= VUKO or s.round == 0 or skipped(s):
        return s
    s = s.copy()
    release_control(s, "")
    culprit = worst_reputation(s)
    region = destination(s, culprit)
    if region != NONE:
        s.vuko = region
    take_vuko_token(s, "", culprit)
    if not here(s):
        return s
    for figure in range(culprit * FIGURES_EACH, (culprit + 1) * FIGURES_EACH):
        if s.figure_at[figure] == s.vuko:
            s.figure_at[figure] = NONE
            break
    for faction in s.order:
        there = s.influence[faction * REGION_COUNT + s.vuko]
        s.controlled[faction * REGION_COUNT + s.vuko] = min(s.vuko_tokens[faction], there)
    return s


# ---------------------------------------------------------------- regions


def _regions(s: IceGardenTable, me: int, orders: list[list[int]], now: bool) -> float:
    """Return what places in the regions promise: this round's goods and points, or later points.

    Later rounds count the regions without Vuko, whose control lasts for one round.
    """
    value = 0.0
    scoring = float(s.factor) if now else 0.45 * (s.components.red_ship_count - s.ships)
    for region, order in enumerate(orders):
        if not is_open(s, region):
            if s.locked[region] and me == CALLO:
                value += s.components.points[s.options.players][s.tile[region]][0] * scoring
            continue
        own = influence(s, me, region)
        if me not in order:
            value += min(own, 2) * 0.12
            continue
        place = order.index(me)
        points = s.components.points[s.options.players][s.tile[region]]
        if place < len(points):
            value += points[place] * scoring
        value += _income(s, region, place) * 0.5
        if place == 0:
            second = influence(s, order[1], region) if len(order) > 1 else s.neutral[region]
            value += 0.2 * min(own - second, 3) + 0.7 * s.reserves_up[region]
    return value


def _income(s: IceGardenTable, region: int, place: int) -> float:
    goods = s.components.goods[s.options.players]
    start = s.tile[region] * KIND_COUNT
    kinds = [goods[start] * 0.8, goods[start + 1] * 0.7, goods[start + 2] * 1.6]
    kinds.sort(reverse=True)
    return kinds[place] if place < KIND_COUNT else 0.0


# ---------------------------------------------------------------- goals


def _leads(orders: list[list[int]], region: int, me: int) -> bool:
    return bool(orders[region]) and orders[region][0] == me


def _towers(s: IceGardenTable, orders: list[list[int]]) -> float:
    value = GOAL_STEP * s.towers
    for region in range(REGION_COUNT):
        if stands(s, ENLIGHTENED_ONE, region) and s.tower[region] == 0:
            value += 8.0 if _leads(orders, region, FREIHOFF) else 2.0
    return value


def _reserves(s: IceGardenTable, orders: list[list[int]]) -> float:
    value = GOAL_STEP * s.absorbed
    for region in range(REGION_COUNT):
        count = s.reserves_up[region] + s.reserves_down[region]
        if region == s.thorn:
            value += 6.0 * count
            if _leads(orders, region, VAN_DYKEN):
                value += 5.0 * s.reserves_up[region] + 1.5
        elif stands(s, RATLING_MUSICIAN, region) and count:
            value += 7.0 * count if _leads(orders, region, VAN_DYKEN) else 2.5
    return value


def _locks(s: IceGardenTable, orders: list[list[int]]) -> float:
    value = GOAL_STEP * 2 * s.locks
    for region in range(REGION_COUNT):
        if region == s.thorn or not is_open(s, region):
            continue
        tokens = s.nightmares[region]
        value += (0.0, 7.0, 15.0)[min(tokens, 2)]
        leads = _leads(orders, region, CALLO)
        coming = tokens
        if stands(s, NIGHTMARE, region) and tokens < s.components.tokens_to_lock:
            coming += 1 if leads else 0
            value += 6.0 if leads else 1.5
            value += 2.0 * tokens
        if stands(s, FAUN, region) and coming >= s.components.tokens_to_lock:
            value += 9.0 if leads else 2.0
    return value


def _captives(s: IceGardenTable, orders: list[list[int]]) -> float:
    value = GOAL_STEP * sum(s.ice_garden)
    for region in range(REGION_COUNT):
        if not stands(s, ICE_DRAKKAR, region):
            continue
        prey = 0
        for other in range(FACTION_COUNT):
            if other != FJOLLSFINN:
                prey += s.influence[other * REGION_COUNT + region]
        if prey:
            value += 8.0 + min(prey, 3) * 0.4 if _leads(orders, region, FJOLLSFINN) else 2.0
    return value


def progress(s: IceGardenTable, faction: int) -> int:
    """Return how far a faction's goal has been reached."""
    return [s.towers, s.absorbed, s.locks, sum(s.ice_garden)][faction]


GOALS: Final = [_towers, _reserves, _locks, _captives]


# ---------------------------------------------------------------- goods and sheet


def _goods(s: IceGardenTable, me: int) -> float:
    stock = me * STOCK
    value = _steps(POPULATION_WORTH, s.stock[stock], 0.2)
    value += _steps(GOLD_WORTH, s.stock[stock + GOLD], 0.1)
    value += _factor(s, me)
    on_map = 0
    for region in range(REGION_COUNT):
        if is_open(s, region):
            on_map += s.influence[me * REGION_COUNT + region]
    return value + 0.4 * on_map + 0.03 * s.supply[me]


def _factor(s: IceGardenTable, me: int) -> float:
    """Return what M-factor is worth: on its level for a figure to come, below it on its way."""
    value = 0.0
    place = me * STOCK + M_FACTOR
    spare = s.stock[place]
    missing = 0
    best = 0.0
    for level in range(1, LEVELS):
        count = s.stock[place + level]
        wanted = available(s, me * UNITS_EACH + level - 1)
        each = unit_worth(s, me, level)
        ready = min(count, wanted)
        value += ready * each * READY[level] + (count - ready) * IDLE_FACTOR
        if serves_goal(me, level):
            missing += wanted - ready
            best = max(best, each)
    coming = min(spare, missing)
    return value + coming * max(best * READY[0], 1.2) + _steps([0, 1.2, 2.2], spare - coming, 0.8)


def serves_goal(me: int, level: int) -> bool:
    """Return whether figures of that level bring the faction's goal forward."""
    return level == 2 or (level == LEVELS - 1 and me == CALLO)


def unit_worth(s: IceGardenTable, me: int, level: int) -> float:
    """Return the value of a figure on the map, including the rounds to come."""
    value = UNIT_WORTH[level - 1]
    if serves_goal(me, level) and not s.goals >> me & 1:
        value += UNIT_ROUND * rounds_left(s)
    return value


def rounds_left(s: IceGardenTable) -> float:
    """Return how many rounds are likely to come after this one."""
    return 0.75 * (s.components.helms - max(s.helm))


def _steps(table: list[float], count: int, more: float) -> float:
    return table[min(count, len(table) - 1)] + max(0, count - len(table) + 1) * more


def _sheet(s: IceGardenTable, me: int) -> float:
    value = 0.0
    for figure in range(me * FIGURES_EACH, (me + 1) * FIGURES_EACH):
        region = s.figure_at[figure]
        if region != NONE and not s.defeated >> figure & 1 and not s.locked[region]:
            value += unit_worth(s, me, s.components.level[FIGURE_UNIT[figure]])
    for unit in range(me * UNITS_EACH, (me + 1) * UNITS_EACH):
        for ability in range(4):
            bought = s.upgrades[unit * 4 + ability]
            value += bought * (2.4 if ability == DOMINANCE and unit == GOAL_UNIT[me] else 1.0)
    return value


# ---------------------------------------------------------------- reputation and snow


def _standing(s: IceGardenTable, me: int) -> float:
    """Return what reputation is worth: Vuko's visits now, the Dead Snow in the end."""
    value = -1.6 * s.vuko_tokens[me]
    limit = s.components.snow_limit[s.options.players]
    near = max(0.0, (s.snow / limit - 0.55) / 0.45)
    if s.options.npc != NONE:
        return value - (60.0 * near * near if me == human(s) else 0.0)
    value -= 0.3 * s.reputation[me]
    if worst_reputation(s) == me:
        value -= 0.8
    mine = final(s, me)
    ahead = 0
    for other in s.order:
        theirs = final(s, other)
        if theirs > mine or (theirs == mine and other != me and better(s, other, me)):
            ahead += 1
    return value + near * near * (12.0 if ahead == 0 else -6.0 - 4.0 * ahead)


def final(s: IceGardenTable, faction: int) -> int:
    """Return the final reputation if the Dead Snow fell now (IG-12.4)."""
    tokens = s.components.reputation_per_token * s.vuko_tokens[faction]
    return s.components.reputation[s.reputation[faction]] - tokens
