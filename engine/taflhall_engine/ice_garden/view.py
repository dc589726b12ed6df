"""IG-19 The shape of what may be known; :mod:`observe` fills it, :mod:`imagine` goes back."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.value import Value

FACE_DOWN: Final = -1


@final
class RegionView(Value):
    """A region. *tile* is 0 without a tile, -1 if it lies face down; lists are by faction.

    *population*, *gold*, *m_factor* and *points* are printed on the tile.
    """

    def __init__(
        self,
        tile: int,
        population: int,
        gold: int,
        m_factor: int,
        points: list[int],
        neutral: int,
        influence: list[int],
        controlled: list[int],
        reserves_up: int,
        reserves_down: int,
        nightmare_tokens: int,
        tower: bool,
        locked: bool,
        attack: int,
    ) -> None:
        self.tile: Final = tile
        self.population: Final = population
        self.gold: Final = gold
        self.m_factor: Final = m_factor
        self.points: Final = points
        self.neutral: Final = neutral
        self.influence: Final = influence
        self.controlled: Final = controlled
        self.reserves_up: Final = reserves_up
        self.reserves_down: Final = reserves_down
        self.nightmare_tokens: Final = nightmare_tokens
        self.tower: Final = tower
        self.locked: Final = locked
        self.attack: Final = attack


@final
class FigureView(Value):
    """A figure: its region (none: with its owner), damage, speed steps left, on its side."""

    def __init__(self, figure: int, region: int, damage: int, steps: int, defeated: bool) -> None:
        self.figure: Final = figure
        self.region: Final = region
        self.damage: Final = damage
        self.steps: Final = steps
        self.defeated: Final = defeated


@final
class UnitView(Value):
    """A unit type on the sheet: printed symbols, bought markers, free slots left."""

    def __init__(
        self, unit: int, level: int, printed: list[int], bought: list[int], free_slots: int
    ) -> None:
        self.unit: Final = unit
        self.level: Final = level
        self.printed: Final = printed
        self.bought: Final = bought
        self.free_slots: Final = free_slots


@final
class PlayerView(Value):
    """A player, the NPC without a seat (-1). *m_factor* is by level; *goal* of *goal_target*."""

    def __init__(
        self,
        faction: int,
        seat: int,
        population: int,
        gold: int,
        m_factor: list[int],
        vuko_tokens: int,
        vp: int,
        influence_supply: int,
        action_markers: int,
        viper: int,
        captured: int,
        goal: int,
        goal_target: int,
        goal_fulfilled: bool,
        helm: int,
        double_moves: list[int],
        reputation: int,
        summoned: bool,
        units: list[UnitView],
        spy: list[int],
        figures: list[FigureView],
        withdrawn: bool,
    ) -> None:
        self.faction: Final = faction
        self.seat: Final = seat
        self.population: Final = population
        self.gold: Final = gold
        self.m_factor: Final = m_factor
        self.vuko_tokens: Final = vuko_tokens
        self.vp: Final = vp
        self.influence_supply: Final = influence_supply
        self.action_markers: Final = action_markers
        self.viper: Final = viper
        self.captured: Final = captured
        self.goal: Final = goal
        self.goal_target: Final = goal_target
        self.goal_fulfilled: Final = goal_fulfilled
        self.helm: Final = helm
        self.double_moves: Final = double_moves
        self.reputation: Final = reputation
        self.summoned: Final = summoned
        self.units: Final = units
        self.spy: Final = spy
        self.figures: Final = figures
        self.withdrawn: Final = withdrawn


@final
class FieldView(Value):
    """An action field: the owners of its markers, slot 1 first; order token; how many slots."""

    def __init__(self, field: int, token: int, slots: int, markers: list[int]) -> None:
        self.field: Final = field
        self.token: Final = token
        self.slots: Final = slots
        self.markers: Final = markers


@final
class VukoTileView(Value):
    """A Vuko tile on the box of a stage."""

    def __init__(self, tile: int, side: int, active: bool) -> None:
        self.tile: Final = tile
        self.side: Final = side
        self.active: Final = active


@final
class SupplyView(Value):
    """The common supply; upgrade markers by kind."""

    def __init__(
        self,
        population: int,
        gold: int,
        m_factor: int,
        vuko_tokens: int,
        nightmare_tokens: int,
        lock_tokens: int,
        red_towers: int,
        upgrades: list[int],
    ) -> None:
        self.population: Final = population
        self.gold: Final = gold
        self.m_factor: Final = m_factor
        self.vuko_tokens: Final = vuko_tokens
        self.nightmare_tokens: Final = nightmare_tokens
        self.lock_tokens: Final = lock_tokens
        self.red_towers: Final = red_towers
        self.upgrades: Final = upgrades


@final
class PublicView(Value):
    """The public view. Stacks of factions are written top first."""

    def __init__(
        self,
        edition: int,
        advanced_order_tokens: bool,
        vuko_tiles: int,
        solo_level: int,
        given_layout: list[int],
        given_sides: list[int],
        npc: int,
        state: int,
        round: int,
        turn_order: list[int],
        initiative: list[int],
        reputation: list[int],
        ships_reached: int,
        scoring_factor: int,
        stage: int,
        snow: int,
        snow_limit: int,
        vuko_region: int,
        thorn_region: int,
        tiles_left: int,
        regions: list[RegionView],
        players: list[PlayerView],
        action_fields: list[FieldView],
        tiles: list[VukoTileView],
        supply: SupplyView,
        resolving: int,
        ranking: list[int],
        claimed: list[int],
        reason: int,
        winners: list[int],
        final_reputation: list[int],
        agenda: list[Step[Any]],
    ) -> None:
        self.edition: Final = edition
        self.advanced_order_tokens: Final = advanced_order_tokens
        self.vuko_tiles: Final = vuko_tiles
        self.solo_level: Final = solo_level
        self.given_layout: Final = given_layout
        self.given_sides: Final = given_sides
        self.npc: Final = npc
        self.state: Final = state
        self.round: Final = round
        self.turn_order: Final = turn_order
        self.initiative: Final = initiative
        self.reputation: Final = reputation
        self.ships_reached: Final = ships_reached
        self.scoring_factor: Final = scoring_factor
        self.stage: Final = stage
        self.snow: Final = snow
        self.snow_limit: Final = snow_limit
        self.vuko_region: Final = vuko_region
        self.thorn_region: Final = thorn_region
        self.tiles_left: Final = tiles_left
        self.regions: Final = regions
        self.players: Final = players
        self.action_fields: Final = action_fields
        self.tiles: Final = tiles
        self.supply: Final = supply
        self.resolving: Final = resolving
        self.ranking: Final = ranking
        self.claimed: Final = claimed
        self.reason: Final = reason
        self.winners: Final = winners
        self.final_reputation: Final = final_reputation
        self.agenda: Final = agenda


@final
class PrivateView(Value):
    """IG-19.3 What only one seat may know: nothing."""

    def __init__(self) -> None:
        pass


NOTHING_PRIVATE: Final = PrivateView()
