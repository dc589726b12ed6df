"""CM-2 The data printed on the components, as lists of small numbers.

One box is shared by all tables that are played with it; nothing ever changes it. It is
made from ``data/components.toml`` by :mod:`components_loader`.
"""

from __future__ import annotations

from typing import final


@final
class Components:
    """The component data. A list is indexed by the number of the thing it is about."""

    def __init__(self) -> None:
        self.dice: list[int] = []
        """CM-3.6 By type of warrior: how many dice there are."""
        self.sides: list[list[int]] = []
        """CM-2.3 By type of warrior: the faces of its die."""
        self.face_hits: list[int] = []
        self.face_shields: list[int] = []

        self.workers: list[int] = []
        """CM-3.10 By number of players: workers in hand at the start."""
        self.military: list[int] = []
        self.economy: list[int] = []
        """CM-3.3 By number of players: how many stall tiles are laid out."""
        self.kit: list[int] = []
        """CM-3.9 Food, wood, coins, favour, blame, glory, then warriors by type."""
        self.dealt = 1
        """CM-3.11 Destiny cards dealt to each seat."""

        self.ability: list[int] = []
        """CM-13 By leader."""
        self.room: list[int] = []
        """CM-5.20 By leader: the warriors it has room for."""
        self.hunt_limit = 6
        self.rune_row = 2
        self.restock: list[int] = []
        """CM-4.2.6 By stocked space: its supply of each round."""

        self.tile_ids: list[str] = []
        self.tile_kinds: list[int] = []
        """By stall tile: 0 military, 1 economy."""
        self.tile_cost: list[list[int]] = []
        """CM-5.12 By stall tile: food, wood, coins."""
        self.tile_gain: list[list[int]] = []
        """Food, wood, coins, favour, then warriors by type."""
        self.tile_swaps: list[int] = []
        """How many warriors may be swapped there; 0 for other tiles."""

        self.merchant_gain: list[list[int]] = []
        """CM-5.7 By merchant ship card: food, wood, coins, favour, then warriors by type."""

        self.public_capacity: list[int] = []
        self.public_fee: list[int] = []
        """CM-5.13 Small, large."""
        self.ship_cost: list[list[int]] = []
        """CM-5.11 By private longship: food, wood, coins."""
        self.ship_capacity: list[int] = []
        self.ship_glory: list[int] = []
        self.ship_players: list[int] = []
        self.ship_fee: list[int] = []
        self.ship_ids: list[str] = []

        self.fed_near = 2
        self.fed_far = 1
        self.near: list[list[int]] = []
        """CM-9.1 By value of ``near_shores``: the near shores."""
        self.leftmost: list[list[int]] = []
        """CM-9.1 By value of ``leftmost_shore``: the player counts with shore 1."""

        self.church: list[int] = []
        """CM-5.15 By coins paid: glory, 0 if there is no such tier."""
        self.church_tiers: list[int] = []
        self.hut_price: list[int] = []

        self.rune_points: list[int] = []
        self.metric: list[int] = []
        self.exclusive: list[int] = []
        self.shared: list[int] = []
        """CM-12.2 By destiny."""
        self.journey_effect: list[int] = []
        self.journey_count: list[int] = []

        self.kind: list[int] = []
        """By enemy, all kinds in one row: trolls, draugr, monsters, then Kraken."""
        self.attack: list[int] = []
        self.defence: list[int] = []
        self.glory: list[int] = []
        self.coins: list[int] = []
        self.favour: list[int] = []
        self.color: list[int] = []
        self.bans: list[int] = []
        """CM-2.4 The banned types, as bits."""
        self.first: list[int] = []
        """By kind of enemy: the first of its kind, so that ``enemy - first`` is its card number."""
        self.ids: list[str] = []
        self.kraken = 0

        self.set_glory = 5
        self.favour_glory = 2
        self.coins_per_glory = 3
        self.penalty: list[int] = []
        """CM-12.8 By blame; the last one is for that much and more."""
