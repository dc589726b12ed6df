"""Details for texts beyond the fields of a value: the costs and gains of an option.

Details that depend on the map need a view and are ``None`` without one.
"""

from __future__ import annotations

from typing import Any

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.events.laying_out import VukoTilesLaid
from taflhall_engine.ice_garden.events.round import TileActivated
from taflhall_engine.ice_garden.events.tracks import ReputationMoved
from taflhall_engine.ice_garden.ids import ABILITY_COUNT, KINDS
from taflhall_engine.ice_garden.rules.domination import Claim, ResourceChoice
from taflhall_engine.ice_garden.rules.gorge import Trade
from taflhall_engine.ice_garden.rules.making import Upgrade
from taflhall_engine.ice_garden.rules.summoning import Summon
from taflhall_engine.ice_garden.view import PublicView
from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.game import View
from taflhall_engine.kernel.value import Value


def details(
    components: Components, tiles: list[Component], value: Value, view: View | None
) -> dict[str, Any]:
    """Return the details for a text about *value*; *tiles* are the Vuko tiles, number 1 first."""
    if isinstance(value, Upgrade):
        first = (value.unit * ABILITY_COUNT + value.ability) * len(KINDS)
        return {"cost": dict(zip(KINDS, components.price[first:], strict=False))}
    if isinstance(value, Summon):
        return {"level": components.level[value.unit]}
    if isinstance(value, Trade):
        given = [value.kind, value.other_kind]
        return {"given": {name: given.count(kind) for kind, name in enumerate(KINDS)}}
    if isinstance(value, Claim):
        return {"amount": _amount(value.kind, view)}
    if isinstance(value, ReputationMoved):
        return {"reputation": components.reputation[value.place]}
    if isinstance(value, TileActivated):
        return {"tile": tiles[value.tile - 1]}
    if isinstance(value, VukoTilesLaid):
        return {"tiles": [tiles[tile - 1] for tile in value.tiles]}
    return {}


def _amount(kind: int, view: View | None) -> int | None:
    """IG-9.12 Return how much of *kind* is printed on the tile of the region in question."""
    v = view.public if view is not None else None
    if not isinstance(v, PublicView) or not v.agenda:
        return None
    step = v.agenda[-1]
    if not isinstance(step, ResourceChoice):
        return None
    region = v.regions[step.region]
    return (region.population, region.gold, region.m_factor)[kind]
