"""Details for texts beyond the fields of a value: the costs and gains of an option.

Details that depend on the table need a view and are ``None`` without one.
"""

from __future__ import annotations

from typing import Any

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.events import (
    DestinyDealt,
    DestinyKept,
    DestinyShown,
    EnemyAppeared,
    FightEnded,
    MerchantArrived,
    Rolled,
)
from taflhall_engine.champions.ids import (
    ABILITIES,
    COINS,
    DRAUGR,
    DRAUGR_LEFT,
    FACES,
    FOOD,
    FREE_MERCHANT,
    KRAKEN,
    METRICS,
    MONSTER,
    NONE,
    SMOKEHOUSE,
    STALL_1,
    TROLL,
    TROLL_SPACE,
    TYPES,
    WOOD,
)
from taflhall_engine.champions.rules.market import ExchangeGoods
from taflhall_engine.champions.rules.runes import ActivateSuccess
from taflhall_engine.champions.rules.sage import KeepCard
from taflhall_engine.champions.rules.setup import TakeLeader
from taflhall_engine.champions.rules.ships import Sail, VisitShipwright
from taflhall_engine.champions.rules.spaces import (
    ReserveFight,
    TakeStock,
    VisitMerchantShip,
    VisitRunesmith,
    VisitStaveChurch,
    VisitWorkerHuts,
)
from taflhall_engine.champions.rules.stalls import SwapWarriors, VisitStall
from taflhall_engine.champions.view import PublicView
from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import Value

Kinds = dict[str, list[Component]]

KIND_NAMES = ("troll", "draugr", "monster")
GOOD_NAMES = ("food", "wood", "coins")
GAIN_NAMES = ("food", "wood", "coins", "favour", "swordsmen", "spearmen", "axemen")


def details(
    components: Components, kinds: Kinds, value: Value, view: View | None
) -> dict[str, Any]:
    """Return the details for a text about *value*; *kinds* are the components by kind."""
    v = view.public if view is not None else None
    known = v if isinstance(v, PublicView) else None
    if isinstance(value, (EnemyAppeared, FightEnded)):
        return _enemy(components, kinds, value.kind, value.card)
    if isinstance(value, (DestinyDealt, DestinyKept, DestinyShown, KeepCard, ActivateSuccess)):
        return _destiny(components, value.destiny)
    if isinstance(value, MerchantArrived):
        return {"gain": _amounts(GAIN_NAMES, components.merchant_gain[value.merchant])}
    if isinstance(value, Rolled):
        return {"dice": {name: value.faces.count(face) for face, name in enumerate(FACES)}}
    if isinstance(value, TakeLeader):
        return {"ability": ABILITIES[components.ability[value.leader]]}
    return _placing(components, kinds, value, known)


def _placing(
    components: Components, kinds: Kinds, value: Value, v: PublicView | None
) -> dict[str, Any]:
    if isinstance(value, TakeStock):
        return {"gain": None if v is None else _stock(v, value.location)}
    if isinstance(value, VisitMerchantShip):
        return {"gain": None} if v is None or v.merchant == NONE else _merchant(components, v)
    if isinstance(value, VisitRunesmith):
        return {"points": 0 if value.rune == NONE else components.rune_points[value.rune]}
    if isinstance(value, VisitShipwright):
        return {
            "cost": _amounts(GOOD_NAMES, components.ship_cost[value.ship]),
            "capacity": components.ship_capacity[value.ship],
            "glory": components.ship_glory[value.ship],
        }
    if isinstance(value, VisitStaveChurch):
        return {
            "glory": components.church[value.coins] if value.coins < len(components.church) else 0
        }
    if isinstance(value, VisitWorkerHuts):
        return {"cost": {} if v is None else {"coins": _hut_price(components, v.huts_sold)}}
    if isinstance(value, (VisitStall, SwapWarriors)):
        return _stall(components, v, value.location)
    if isinstance(value, ReserveFight):
        return _fight(components, kinds, v, value.location)
    if isinstance(value, Sail):
        card = NONE if v is None else v.monsters[value.shore - 1]
        coins = 0 if v is None else v.bounties[value.shore - 1]
        return _enemy(components, kinds, MONSTER, card, coins)
    if isinstance(value, ExchangeGoods):
        good = GOOD_NAMES[value.good]
        return {"taken": {good: value.amount}, "given": {good: -value.amount}}
    return {}


def _amounts(names: tuple[str, ...], counts: list[int]) -> dict[str, int]:
    return dict(zip(names, counts, strict=False))


def _destiny(components: Components, destiny: int) -> dict[str, Any]:
    """CM-12.2 The metric and score of a destiny; nothing of an unseen one."""
    if destiny == NONE:
        return {}
    return {
        "metric": METRICS[components.metric[destiny]],
        "exclusive": components.exclusive[destiny],
        "shared": components.shared[destiny],
    }


def _enemy(
    components: Components, kinds: Kinds, kind: int, card: int, bounty: int = 0
) -> dict[str, Any]:
    """CM-2.4 The data printed on an enemy, with the coins on it."""
    if kind == KRAKEN:
        return {"enemy": kinds["journey"][1]}
    if card == NONE:
        return {"enemy": None}
    enemy = components.first[kind] + card
    return {
        "enemy": kinds[KIND_NAMES[kind]][card],
        "attack": components.attack[enemy],
        "defence": components.defence[enemy],
        "reward": {
            "glory": components.glory[enemy],
            "coins": components.coins[enemy] + bounty,
            "favour": components.favour[enemy],
        },
        "bans": [warrior for warrior in range(TYPES) if components.bans[enemy] >> warrior & 1],
    }


def _fight(
    components: Components, kinds: Kinds, v: PublicView | None, location: int
) -> dict[str, Any]:
    if v is None or location < TROLL_SPACE:
        return {"enemy": None}
    if location == TROLL_SPACE:
        return _enemy(components, kinds, TROLL, v.troll)
    return _enemy(components, kinds, DRAUGR, v.draugr[location - DRAUGR_LEFT])


def _hut_price(components: Components, sold: int) -> int:
    """CM-5.16 Return the cost of the next worker."""
    return components.hut_price[sold] if sold < len(components.hut_price) else 0


def _stock(v: PublicView, location: int) -> dict[str, int]:
    """CM-5.5 The stock of a smith or of the Smokehouse."""
    if location == SMOKEHOUSE:
        return {"food": v.smoked_food}
    dice = (v.stock.swordsmen, v.stock.spearmen, v.stock.axemen)
    return {GAIN_NAMES[4 + location]: dice[location]}


def _merchant(components: Components, v: PublicView) -> dict[str, Any]:
    """CM-5.7 The cost of the Merchant Ship to the deciding seat, and its goods."""
    leader = v.seats[getattr(v.agenda[-1], "seat", 0)].leader if v.agenda else NONE
    free = leader != NONE and components.ability[leader] == FREE_MERCHANT
    return {
        "cost": {"coins": 0 if free else 1},
        "gain": _amounts(GAIN_NAMES, components.merchant_gain[v.merchant]),
    }


def _stall(components: Components, v: PublicView | None, location: int) -> dict[str, Any]:
    """CM-5.12 The tile at a stall, with its costs and gains."""
    tile = NONE
    if v is not None and 0 <= location - STALL_1 < len(v.stalls):
        tile = v.stalls[location - STALL_1]
    if tile == NONE:
        return {"stall": None, "gain": None}
    cost = components.tile_cost[tile]
    return {
        "stall": tile,
        "cost": {"food": cost[FOOD], "wood": cost[WOOD], "coins": cost[COINS]},
        "gain": _amounts(GAIN_NAMES, components.tile_gain[tile]),
    }
