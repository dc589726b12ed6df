"""IG-15 Vuko tiles: which are active."""

from __future__ import annotations

from taflhall_engine.ice_garden.ids import FOOLS_SPEAR
from taflhall_engine.ice_garden.table import IceGardenTable


def is_active(s: IceGardenTable, tile: int) -> bool:
    """IG-15.4 Return whether a Vuko tile is active."""
    return s.active >> tile & 1 == 1


def vuko_is_away(s: IceGardenTable) -> bool:
    """IG-15.11, IG-15.13 Return whether Fool's Spear keeps Vuko and the Vuko tiles from acting."""
    return is_active(s, FOOLS_SPEAR)
