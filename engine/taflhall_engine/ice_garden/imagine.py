"""A random table that a view could be of: face-down tiles are shuffled (IG-19.2)."""

from __future__ import annotations

from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import (
    ABILITY_COUNT,
    FACTION_COUNT,
    FIGURES_EACH,
    NONE,
    PAIR_COUNT,
    PAIR_FIRST,
    PAIR_SECOND,
    REGION_COUNT,
    STOCK,
)
from taflhall_engine.ice_garden.layout import empty_table
from taflhall_engine.ice_garden.table import IceGardenTable, MatchOptions
from taflhall_engine.ice_garden.view import (
    FACE_DOWN,
    PlayerView,
    PublicView,
)
from taflhall_engine.kernel.chance import Chance


def imagine(components: Components, view: PublicView, chance: Chance) -> IceGardenTable:
    """Return a random table that *view* could be of: face-down tiles are shuffled."""
    seated = [p for p in view.players if p.seat != NONE]
    options = MatchOptions(
        view.edition,
        view.advanced_order_tokens,
        view.vuko_tiles,
        view.solo_level,
        [p.faction for p in sorted(seated, key=_seat)],
        view.npc,
        view.given_layout,
        view.given_sides,
    )
    s = empty_table(components, chance, options, view.turn_order)
    s.state = view.state
    s.round = view.round
    s.initiative = view.initiative[:]
    s.standing = view.reputation
    s.ships = view.ships_reached
    s.factor = view.scoring_factor
    s.stage = view.stage
    s.snow = view.snow
    s.vuko = view.vuko_region
    s.thorn = view.thorn_region
    s.resolving = view.resolving
    s.ranking = view.ranking
    for kind in view.claimed:
        s.claimed |= 1 << kind
    s.reason = view.reason
    s.winners = view.winners
    s.final_reputation = view.final_reputation
    s.agenda = view.agenda[:]
    for player in view.players:
        _imagine_player(s, player)
    _imagine_regions(s, view, chance)
    for field in view.action_fields:
        s.fields[field.field] = field.markers
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


def _imagine_player(s: IceGardenTable, player: PlayerView) -> None:
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
    s.doubles[faction] = sum(1 << stage for stage in player.double_moves)
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
    if player.withdrawn:
        s.withdrawn |= 1 << faction
    for unit in player.units:
        place = unit.unit * ABILITY_COUNT
        s.upgrades[place : place + ABILITY_COUNT] = unit.bought
    if player.spy and player.seat != NONE:
        for pair in range(PAIR_COUNT):
            if sorted(player.spy) == [PAIR_FIRST[pair], PAIR_SECOND[pair]]:
                s.spy = pair
    for figure in player.figures:
        s.figure_at[figure.figure] = figure.region
        s.damage[figure.figure] = figure.damage
        if figure.defeated:
            s.defeated |= 1 << figure.figure
        if figure.steps > 0:
            s.steps[figure.figure % FIGURES_EACH] = figure.steps


def _imagine_regions(s: IceGardenTable, view: PublicView, chance: Chance) -> None:
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
        faces = list(range(1, s.components.tiles[s.options.players] + 1))
        chance.shuffle(faces)
        for region in hidden:
            s.tile[region] = faces.pop()
        s.tile_stack = faces
