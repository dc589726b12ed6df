"""IG-2 The data printed on the components, as lists of small numbers.

One box is shared by all tables that are played with it; nothing ever changes it. It is
made from ``data/components.toml`` by :mod:`components_loader`.
"""

from __future__ import annotations

from typing import final


@final
class Components:
    """The component data of IG-2. A list is indexed by the number of the thing it is about."""

    def __init__(self) -> None:
        self.adjacent: list[list[int]] = []
        """IG-2.3 By region: its neighbours."""
        self.goods: list[list[int]] = [[], [], [], [], []]
        """IG-2.4 By player count: amount of each kind on tile n at ``n * 3 + kind``."""
        self.points: list[list[list[int]]] = [[], [], [], [], []]
        """IG-2.4 By player count and tile: the white numbers, first place first."""
        self.tiles: list[int] = [0, 0, 0, 0, 0]
        """IG-3.4 By player count: how many regions are in play."""
        self.snow_limit: list[int] = [0, 0, 0, 0, 0]
        """IG-12.2 By player count."""
        self.slots: list[list[int]] = [[], [], [], [], []]
        """IG-2.6 By player count and field 0 to 5: how many markers it takes."""

        self.helms = 0
        self.ship: list[int] = [0]
        self.cubes: list[int] = [0]
        self.red_ships: list[int] = [0]
        """IG-2.5 By helm, from 1: how many red ships lie at or before it."""
        self.stage: list[int] = [0]
        """IG-2.5 By helm, from 1: its stage, from 1."""
        self.red_ship_count = 0
        self.max_step = 2
        self.doubles_per_stage = 1

        self.bank: list[int] = []
        """IG-2.1 The supplies at the start, in the order of ``ids.SUPPLIES``."""
        self.upgrades: list[int] = []
        """IG-2.1 By ability: upgrade markers."""
        self.markers = 0
        """IG-2.1 Influence markers of a player."""
        self.reserves = 0

        self.level: list[int] = []
        self.printed_on: list[list[int]] = []
        """IG-2.7 By unit and ability: printed symbols; *printed*: by ``unit * 4 + ability``."""
        self.printed: list[int] = []
        self.free_slots: list[int] = []
        self.duplicates: list[int] = []
        self.extra_reputation: list[int] = []
        self.price: list[int] = []
        """IG-2.8 By ``(unit * 4 + ability) * 3 + kind``."""
        self.goal: list[int] = []
        """IG-10.1 By faction: the target."""

        self.start: list[int] = []
        """IG-3.2 By kind: start goods."""
        self.start_markers = 2
        self.start_neutral = 1
        self.start_helm = 1
        self.start_vuko_tokens = 0
        self.start_points = 0

        self.influence_cost = 1
        self.influence_markers = 2
        self.move_cost = 1
        self.move_steps = 2
        self.mountain_cost = 2
        self.mountain_cost_whisperers = 3
        self.token_cost = 1
        self.raven_steps = 2
        self.raven_cost: list[int] = [0, 1, 0]
        """IG-6.14 By edition: M-factor for two fields of reputation."""
        self.making_snow = 1
        self.move_m_points = 5
        self.move_m_reputation = 1
        self.upgrade_reputation = 1
        self.attack_cost = 2
        self.gorge_markers = 1

        self.reputation: list[int] = []
        """IG-12.4 By field of the track: its value."""
        self.reputation_per_token = 2

        self.points_to_end = 50
        self.gorge_bonus = 5
        self.marker_points = 1
        self.neutral_points = 1
        self.catch_up_markers = 2
        self.catch_up_population = 2
        self.tokens_to_lock = 2

        self.tile_sets: list[list[int]] = [[], [], []]
        """IG-15.1 By option: the numbers of the Vuko tiles to draw from."""

        self.die = 6
        self.npc_markers = 2
        self.npc_snow = 2
        self.npc_spy: list[int] = []
        self.npc_fill: list[int] = []
        """IG-16.3 The kinds of upgrades that fill the NPC's slots, in order."""
        self.npc_pillage: list[int] = []
        """IG-16.14 By result of the die, from 1: the kind."""
        self.npc_lower: list[int] = []
        """IG-16.11 Results of the die that lead to the lower tile number."""
        self.solo_tiles: list[bool] = []
        self.solo_figure: list[bool] = []
        self.solo_upgrades: list[bool] = []
        """IG-16.3 By solo level: its additions."""
