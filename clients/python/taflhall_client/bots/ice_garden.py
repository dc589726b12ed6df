"""A bot that plays The Lord of the Ice Garden for its individual goal, and points on the way.

It imagines the table from its view, tries each option and chooses the one of highest value
(:mod:`ice_garden_evaluation`); options that pay off later are tried some choices ahead. Only
the planning of action markers follows rules of thumb (:meth:`Heuristic._plan`).
"""

from __future__ import annotations

from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.ice_garden_evaluation import GOAL_UNIT, worth
from taflhall_engine.ice_garden.ids import (
    CALLO,
    FIELDS,
    GOLD,
    INFLUENCE,
    M_FACTOR,
    MAKING,
    MOUNTAIN,
    MOVE,
    NIGHTMARE,
    NONE,
    POPULATION,
    RAVEN_SHADOW,
    STOCK,
    VIPER_GORGE,
)
from taflhall_engine.ice_garden.influence import available, stock_of
from taflhall_engine.ice_garden.rules.answers import Done, Forgo
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View

Option = Command[Any]

AHEAD: Final = {
    "MakingMenu": 12,
    "MStep": 2,
    "SummonChoice": 4,
    "MountainRoute": 4,
    "MountainPiece": 1,
    "AttackDeclare": 4,
    "MoveStep": 2,
    "InfluencePlace": 1,
}
"""By decision: how many further choices of the same action are tried, each the best at once."""

MARGIN: Final = {"MakingMenu": 0.8, "MountainRoute": 1.0, "AttackDeclare": 0.2}
"""By decision: how much better than doing nothing an option must be."""


class Heuristic:
    """Weighs the options; the same view always gives the same answer."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self._game: Final = game
        self._seed: Final = seed

    def choose(self, view: View, decision: Decision) -> Option:
        """Return the option that is worth most."""
        options = decision.options
        if len(options) == 1:
            return options[0]
        s = self._game.imagine(view, FastChance(self._seed + 1))
        assert isinstance(s, IceGardenTable)
        name = type(decision.step).__name__
        if name == "PlanMarker":
            return self._plan(s, decision.seat, options)
        if name == "InitiativeMove":
            return _advance(s, decision.seat, options)
        if name == "UseAbility":
            return options[0]
        if name in ("OrderToken", "SetupTile"):
            return options[0]
        return _best(s, decision.seat, name, options)

    # ---------------------------------------------------------------- planning

    def _plan(self, s: IceGardenTable, seat: int, options: list[Option]) -> Option:
        """Return the field that is needed most, given what has been planned already."""
        me = s.options.factions[seat]
        best, most = options[0], -1.0
        for option in options:
            field: int = option.field  # type: ignore[attr-defined]
            value = _need(s, me, field, [slots.count(me) for slots in s.fields])
            if value > most:
                best, most = option, value
        return best


def _need(s: IceGardenTable, me: int, field: int, planned: list[int]) -> float:
    stock = me * STOCK
    factor = stock_of(s, me, M_FACTOR) + planned[VIPER_GORGE]
    population = s.stock[stock + POPULATION] - 2 * planned[INFLUENCE] - 2 * planned[MOUNTAIN]
    gold = s.stock[stock + GOLD] - 2 * planned[MOVE]
    if field == MAKING:
        if s.options.npc != NONE:  # the NPC moves the snow before each of these markers
            steps = s.components.npc_snow + s.components.making_snow
            if s.snow + steps * (planned[MAKING] + 1) >= s.components.snow_limit[s.options.players]:
                return 0.0
        wanted = available(s, GOAL_UNIT[me])
        if me == CALLO:
            wanted += 2 * available(s, NIGHTMARE)
        useful = factor - 2 * planned[MAKING]
        if useful <= 0:
            return 0.2
        return (9.0 if wanted else 3.0) if planned[MAKING] == 0 else 2.0
    if field == INFLUENCE:
        room = min(population, 2, s.supply[me])
        return 2.4 * room if room > 0 else 0.1
    if field == MOVE:
        return 2.0 * min(gold, 2) - 0.4 * planned[MOVE] if gold > 0 else 0.1
    if field == RAVEN_SHADOW:
        depth = s.reputation[me] - 1 - 2 * planned[RAVEN_SHADOW]
        tokens = min(s.vuko_tokens[me], s.stock[stock + M_FACTOR])
        if s.options.npc != NONE:
            depth = 0
        return max(1.1 * depth - 0.5 if depth > 1 else 0.0, 1.5 * tokens - planned[field])
    if field == MOUNTAIN:
        return 2.2 if population >= 4 and planned[MOUNTAIN] == 0 else 0.15
    assert FIELDS[field] == "viper_gorge"
    hungry = 2.0 if factor < available(s, GOAL_UNIT[me]) else 0.0
    return (
        4.2
        + hungry
        - 1.6 * planned[VIPER_GORGE]
        - 0.2 * factor
        - (2.0 if s.supply[me] < 6 else 0.0)
    )


def _advance(s: IceGardenTable, seat: int, options: list[Option]) -> Option:
    """Prefer more action markers; a double move only where it brings some."""
    me = s.options.factions[seat]
    return max(options, key=lambda o: _helm_worth(s, me, o))


def _helm_worth(s: IceGardenTable, me: int, option: Option) -> float:
    helms: int = option.helms  # type: ignore[attr-defined]
    helm = s.helm[me] + helms
    leads = all(s.vp[me] > s.vp[other] for other in s.order if other != me)
    value = s.components.cubes[helm] - 0.4 * helms
    if helm == s.components.helms:
        value += 3.0 if leads else -3.0
    return value


# ---------------------------------------------------------------- looking ahead


def _best(s: IceGardenTable, seat: int, name: str, options: list[Option]) -> Option:
    """Return the option that leads to the best table; doing nothing keeps the current value."""
    me = s.options.factions[seat]
    best, most = options[0], -1e9
    ahead = AHEAD.get(name, 0)
    for option in options:
        t = _try(s, seat, option)
        value = worth(t, me)
        if isinstance(option, Done | Forgo):
            value += MARGIN.get(name, 0.05)
        elif ahead:
            value = _greedy(t, seat, me, ahead, value)
        if value > most:
            best, most = option, value
    return best


def _try(s: IceGardenTable, seat: int, option: Option) -> IceGardenTable:
    """Return the table after *option*, before anything else happens."""
    t = s.copy()
    top = t.agenda.pop()
    assert isinstance(top, Waiting)
    top.resolve(t, seat, option)
    return t


def _greedy(s: IceGardenTable, seat: int, me: int, left: int, value: float) -> float:
    """Return the best worth on the way of the best further choices of this seat's action."""
    best = value
    while left > 0 and not s.reason:
        top = _next(s, seat)
        if top is None:
            return best
        found, most = None, -1e9
        for option in top.options(s, seat):
            if not isinstance(option, Done | Forgo):
                t = _try(s, seat, option)
                reached = worth(t, me)
                if reached >= most:
                    found, most = t, reached
        if found is None:
            return best
        s = found
        best = max(best, most)
        left -= 1
    return best


def _next(s: IceGardenTable, seat: int) -> Waiting[Any] | None:
    """Return the next decision, if it belongs to the same action."""
    while s.agenda:
        top = s.agenda[-1]
        if isinstance(top, Waiting):
            same = type(top).__name__ in SAME_ACTION and top.seats(s) == [seat]
            return top if same else None
        if type(top).__name__ != "NextSummoned":
            return None
        s.agenda.pop()
        top.run(s)
    return None


SAME_ACTION: Final = frozenset(
    {
        "MakingMenu",
        "MStep",
        "UpgradeChoice",
        "SummonChoice",
        "SummonPlace",
        "MountainPiece",
        "AttackHit",
        "MoveStep",
        "InfluencePlace",
    }
)
