"""IG-19 What may be known: everything but the faces of tiles that are still face down."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.ice_garden.components import Box
from taflhall_engine.ice_garden.layout import empty_table
from taflhall_engine.ice_garden.names import (
    ABILITY_COUNT,
    CHOSEN_FIELDS,
    FACTION_COUNT,
    FIGURES_EACH,
    KIND_COUNT,
    NONE,
    PAIR_COUNT,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    STOCK,
    UNITS_EACH,
)
from taflhall_engine.ice_garden.table import State, Terms
from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.chance import Chance
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

    def __init__(self, figure: int, region: int, damage: int, steps: int, fallen: bool) -> None:
        self.figure: Final = figure
        self.region: Final = region
        self.damage: Final = damage
        self.steps: Final = steps
        self.fallen: Final = fallen


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
        double_moves: int,
        reputation: int,
        summoned: bool,
        units: list[UnitView],
        spy: list[int],
        figures: list[FigureView],
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
    """What everybody may know. Stacks are written top first; *stacks* of factions."""

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


def public_view(s: State) -> PublicView:
    """Return what everybody may know of *s*."""
    box = s.box
    players = [_player(s, faction) for faction in s.terms.factions]
    if s.terms.npc != NONE:
        players.append(_player(s, s.terms.npc))
    slots = box.slots[s.terms.players]
    return PublicView(
        s.terms.edition,
        s.terms.order_tokens,
        s.terms.vuko_tiles,
        s.terms.solo_level,
        s.terms.layout[:],
        s.terms.sides[:],
        s.terms.npc,
        s.state,
        s.round,
        s.order[:],
        s.initiative[:],
        s.standing[:],
        s.ships,
        s.factor,
        s.stage,
        s.snow,
        box.snow_limit[s.terms.players],
        s.vuko,
        s.thorn,
        len(s.tile_stack),
        [_region(s, region) for region in range(REGION_COUNT)],
        players,
        [
            FieldView(f, s.tokens[f - 1] if f > 0 else 0, slots[f], s.fields[f][:])
            for f in range(CHOSEN_FIELDS)
        ],
        [
            VukoTileView(s.layout[n], s.sides[n], s.active >> s.layout[n] & 1 == 1)
            for n in range(len(s.layout))
        ],
        SupplyView(
            s.bank[0],
            s.bank[1],
            s.bank[2],
            s.bank[3],
            s.bank[4],
            s.bank[5],
            s.bank[6],
            s.upgrade_bank[:],
        ),
        s.resolving,
        s.ranking[:],
        [kind for kind in range(KIND_COUNT) if s.claimed >> kind & 1],
        s.reason,
        s.winners[:],
        s.final_reputation[:],
        s.agenda[:],
    )


def _region(s: State, region: int) -> RegionView:
    tile = s.tile[region]
    goods = [0, 0, 0]
    points: list[int] = []
    if tile != 0 and s.revealed:
        goods = s.box.goods[s.terms.players][tile * KIND_COUNT : (tile + 1) * KIND_COUNT]
        points = s.box.points[s.terms.players][tile][:]
    places = range(region, FACTION_COUNT * REGION_COUNT, REGION_COUNT)
    return RegionView(
        tile if tile == 0 or s.revealed else FACE_DOWN,
        goods[0],
        goods[1],
        goods[2],
        points,
        s.neutral[region],
        [s.influence[place] for place in places],
        [s.controlled[place] for place in places],
        s.reserves_up[region],
        s.reserves_down[region],
        s.nightmares[region],
        s.tower[region] == 1,
        s.locked[region] == 1,
        s.attack[region],
    )


def _player(s: State, faction: int) -> PlayerView:
    stock = faction * STOCK
    progress = [s.towers, s.absorbed, s.locks, sum(s.ice_garden)]
    spy: list[int] = []
    if faction == 0 and s.spy != NONE:
        spy = [PAIR_FIRST[s.spy], PAIR_SECOND[s.spy]]
    return PlayerView(
        faction,
        s.terms.seat_of[faction],
        s.stock[stock],
        s.stock[stock + 1],
        s.stock[stock + 2 : stock + STOCK],
        s.vuko_tokens[faction],
        s.vp[faction],
        s.supply[faction],
        s.markers[faction],
        s.viper[faction],
        s.ice_garden[faction],
        progress[faction],
        s.box.goal[faction],
        s.goals >> faction & 1 == 1,
        s.helm[faction],
        s.doubles[faction],
        s.reputation[faction],
        s.summoned >> faction & 1 == 1,
        [_unit(s, u) for u in range(faction * UNITS_EACH, (faction + 1) * UNITS_EACH)],
        spy,
        [
            FigureView(f, s.figure_at[f], s.damage[f], _steps(s, f), s.fallen >> f & 1 == 1)
            for f in range(faction * FIGURES_EACH, (faction + 1) * FIGURES_EACH)
        ],
    )


def _steps(s: State, figure: int) -> int:
    """Return the speed steps left to a figure: only the moving player's have any."""
    if not s.agenda or not s.steps:
        return 0
    seat = getattr(s.agenda[-1], "seat", NONE)
    if seat == NONE or s.terms.factions[seat] != figure // FIGURES_EACH:
        return 0
    return s.steps[figure % FIGURES_EACH]


def _unit(s: State, unit: int) -> UnitView:
    place = unit * ABILITY_COUNT
    bought = s.upgrades[place : place + ABILITY_COUNT]
    return UnitView(
        unit,
        s.box.level[unit],
        s.box.printed[place : place + ABILITY_COUNT],
        bought,
        s.box.free_slots[unit] - sum(bought),
    )


def imagined(box: Box, view: PublicView, chance: Chance) -> State:
    """Return a random table that *view* could be of: face-down tiles are shuffled."""
    seated = [p for p in view.players if p.seat != NONE]
    terms = Terms(
        view.edition,
        view.advanced_order_tokens,
        view.vuko_tiles,
        view.solo_level,
        [p.faction for p in sorted(seated, key=_seat)],
        view.npc,
        view.given_layout[:],
        view.given_sides[:],
    )
    s = empty_table(box, chance, terms, view.turn_order)
    s.state = view.state
    s.round = view.round
    s.initiative = view.initiative[:]
    s.standing = view.reputation[:]
    s.ships = view.ships_reached
    s.factor = view.scoring_factor
    s.stage = view.stage
    s.snow = view.snow
    s.vuko = view.vuko_region
    s.thorn = view.thorn_region
    s.resolving = view.resolving
    s.ranking = view.ranking[:]
    for kind in view.claimed:
        s.claimed |= 1 << kind
    s.reason = view.reason
    s.winners = view.winners[:]
    s.final_reputation = view.final_reputation[:]
    s.agenda = view.agenda[:]
    for player in view.players:
        _imagine_player(s, player)
    _imagine_regions(s, view, chance)
    for field in view.action_fields:
        s.fields[field.field] = field.markers[:]
        if field.field > 0:
            s.tokens[field.field - 1] = field.token
    for tile in view.tiles:
        s.layout.append(tile.tile)
        s.sides.append(tile.side)
        if tile.active:
            s.active |= 1 << tile.tile
            if tile.side == 1:
                s.passing |= 1 << tile.tile
    supply = view.supply
    s.bank = [
        supply.population,
        supply.gold,
        supply.m_factor,
        supply.vuko_tokens,
        supply.nightmare_tokens,
        supply.lock_tokens,
        supply.red_towers,
    ]
    s.upgrade_bank = supply.upgrades[:]
    return s


def _seat(player: PlayerView) -> int:
    return player.seat


def _imagine_player(s: State, player: PlayerView) -> None:
    faction = player.faction
    stock = faction * STOCK
    s.stock[stock : stock + STOCK] = [player.population, player.gold, *player.m_factor]
    s.vuko_tokens[faction] = player.vuko_tokens
    s.vp[faction] = player.vp
    s.supply[faction] = player.influence_supply
    s.markers[faction] = player.action_markers
    s.viper[faction] = player.viper
    s.ice_garden[faction] = player.captured
    s.helm[faction] = player.helm
    s.doubles[faction] = player.double_moves
    s.reputation[faction] = player.reputation
    if faction == 0:
        s.towers = player.goal
    elif faction == 1:
        s.absorbed = player.goal
    elif faction == 2:
        s.locks = player.goal
    if player.goal_fulfilled:
        s.goals |= 1 << faction
    if player.summoned:
        s.summoned |= 1 << faction
    for unit in player.units:
        place = unit.unit * ABILITY_COUNT
        s.upgrades[place : place + ABILITY_COUNT] = unit.bought
    if player.spy:
        for pair in range(PAIR_COUNT):
            if sorted(player.spy) == [PAIR_FIRST[pair], PAIR_SECOND[pair]]:
                s.spy = pair
    for figure in player.figures:
        s.figure_at[figure.figure] = figure.region
        s.damage[figure.figure] = figure.damage
        if figure.fallen:
            s.fallen |= 1 << figure.figure
        if figure.steps > 0:
            s.steps[figure.figure % FIGURES_EACH] = figure.steps


def _imagine_regions(s: State, view: PublicView, chance: Chance) -> None:
    hidden = []
    for region, seen in enumerate(view.regions):
        s.tile[region] = seen.tile
        if seen.tile == FACE_DOWN:
            hidden.append(region)
        s.neutral[region] = seen.neutral
        s.reserves_up[region] = seen.reserves_up
        s.reserves_down[region] = seen.reserves_down
        s.nightmares[region] = seen.nightmare_tokens
        s.tower[region] = 1 if seen.tower else 0
        s.locked[region] = 1 if seen.locked else 0
        s.attack[region] = seen.attack
        for faction in range(FACTION_COUNT):
            s.influence[faction * REGION_COUNT + region] = seen.influence[faction]
            s.controlled[faction * REGION_COUNT + region] = seen.controlled[faction]
    s.revealed = not hidden and view.tiles_left == 0
    if not s.revealed:
        faces = list(range(1, s.box.tiles[s.terms.players] + 1))
        chance.shuffle(faces)
        for region in hidden:
            s.tile[region] = faces.pop()
        s.tile_stack = faces
