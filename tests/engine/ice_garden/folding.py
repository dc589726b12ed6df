"""The view of Ice Garden as its events alone change it: what a client that folds events shows.

What serves only the pending decision comes with the decision and is left out (:data:`BOOKMARKS`):
the agenda and what its steps keep on the table while they run.
"""

from collections.abc import Callable
from types import SimpleNamespace as Thing
from typing import Any

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.ids import (
    CALLO,
    FIGURES_EACH,
    FREIHOFF,
    KIND_COUNT,
    KINDS,
    NONE,
    STAGE,
    UNITS_EACH,
    VAN_DYKEN,
)
from taflhall_engine.ice_garden.view import FACE_DOWN, PublicView
from taflhall_engine.kernel.agenda import Answered, Event, Resigned, TimedOut
from taflhall_engine.kernel.value import Value, field_names

BOOKMARKS = {
    PublicView: {"agenda", "state", "resolving", "ranking", "claimed"},
    "RegionView": {"attack"},
    "FigureView": {"steps"},
}


def thawed(value: Any) -> Any:
    """Return a view as things that can be changed, without the bookmarks."""
    if isinstance(value, list):
        return [thawed(item) for item in value]
    if not isinstance(value, Value):
        return value
    left_out = BOOKMARKS.get(type(value), BOOKMARKS.get(type(value).__name__, set()))
    names = [name for name in field_names(type(value)) if name not in left_out]
    return Thing(**{name: thawed(getattr(value, name)) for name in names})


class Folding:
    """A view that follows the events of a match."""

    def __init__(self, components: Components, view: PublicView) -> None:
        self.components = components
        self.v = thawed(view)

    def follow(self, event: Event) -> None:
        """Change the view as *event* says; every kind of event must be known."""
        HANDLERS[type(event)](self, event)

    def player(self, faction: int) -> Any:
        return next(player for player in self.v.players if player.faction == faction)

    def figure(self, figure: int) -> Any:
        return self.player(figure // FIGURES_EACH).figures[figure % FIGURES_EACH]

    def unit(self, unit: int) -> Any:
        return self.player(unit // UNITS_EACH).units[unit % UNITS_EACH]

    def goods(self, faction: int, kind: int, level: int, count: int) -> None:
        """Add to a player's stock; a negative *count* takes away."""
        player = self.player(faction)
        if kind == len(KINDS) - 1:
            player.m_factor[level] += count
        else:
            setattr(player, KINDS[kind], getattr(player, KINDS[kind]) + count)

    def bank(self, name: str, count: int) -> None:
        setattr(self.v.supply, name, getattr(self.v.supply, name) + count)

    def leave(self, faction: int, region: int, count: int, controlled: int) -> None:
        self.v.regions[region].influence[faction] -= count
        self.v.regions[region].controlled[faction] -= controlled


def nothing(f: Folding, e: Any) -> None:
    """Change nothing in the view."""


def answered(f: Folding, e: Answered) -> None:
    """Other events say what an answer does."""


def withdrawn(f: Folding, e: Any) -> None:
    for player in f.v.players:
        if player.seat == e.seat:
            player.withdrawn = True


def tile_laid(f: Folding, e: Any) -> None:
    f.v.regions[e.region].tile = FACE_DOWN
    f.v.tiles_left -= 1


def thorn_placed(f: Folding, e: Any) -> None:
    f.v.thorn_region = e.region


def reserves_placed(f: Folding, e: Any) -> None:
    for region in e.reserves:
        f.v.regions[region].reserves_up += 1


def tiles_revealed(f: Folding, e: Any) -> None:
    players = len(f.v.players)
    for region, tile in zip(f.v.regions, e.tiles, strict=True):
        region.tile = tile
        if tile:
            goods = f.components.goods[players][tile * KIND_COUNT :]
            region.population, region.gold, region.m_factor = goods[:KIND_COUNT]
            region.points = f.components.points[players][tile][:]


def neutral_placed(f: Folding, e: Any) -> None:
    for region in f.v.regions:
        region.neutral = f.components.start_neutral if region.tile else 0


def vuko_tiles_laid(f: Folding, e: Any) -> None:
    f.v.tiles = [
        Thing(tile=tile, side=side, active=False)
        for tile, side in zip(e.tiles, e.sides, strict=True)
    ]


def round_began(f: Folding, e: Any) -> None:
    f.v.round = e.round
    for player in f.v.players:
        player.summoned = False


def helm_reached(f: Folding, e: Any) -> None:
    player = f.player(e.faction)
    if e.helm > player.helm + 1:
        player.double_moves.append(f.components.stage[player.helm])
    player.helm = e.helm
    f.v.initiative.remove(e.faction)
    f.v.initiative.insert(0, e.faction)


def order_set(f: Folding, e: Any) -> None:
    f.v.turn_order = list(e.order)
    f.v.scoring_factor = e.factor
    f.v.ships_reached += e.factor
    for faction in e.order:
        player = f.player(faction)
        player.action_markers = f.components.cubes[player.helm]
    f.v.stage = f.components.stage[max(player.helm for player in f.v.players)]


def tile_activated(f: Folding, e: Any) -> None:
    for tile in f.v.tiles:
        tile.active = tile.active or tile.tile == e.tile


def tiles_ended(f: Folding, e: Any) -> None:
    for tile in f.v.tiles:
        tile.active = tile.active and tile.side != STAGE


def tokens_taken_off(f: Folding, e: Any) -> None:
    for field in f.v.action_fields:
        field.token = 0


def token_laid(f: Folding, e: Any) -> None:
    f.v.action_fields[e.field].token = e.token


def marker_planned(f: Folding, e: Any) -> None:
    f.player(e.faction).action_markers -= 1
    f.v.action_fields[e.field].markers.append(e.faction)


def markers_forfeited(f: Folding, e: Any) -> None:
    f.player(e.faction).action_markers -= e.count


def marker_resolved(f: Folding, e: Any) -> None:
    """IG-6.2 The highest slot first; Viper Gorge has no slots."""
    markers = f.v.action_fields[e.field].markers
    if e.field == 0:
        markers.remove(e.faction)
    else:
        assert markers.pop() == e.faction


def gained(f: Folding, e: Any) -> None:
    f.goods(e.faction, e.kind, 0, e.count)
    f.bank(KINDS[e.kind], -e.count)


def spent(f: Folding, e: Any) -> None:
    f.goods(e.faction, e.kind, e.level, -e.count)
    f.bank(KINDS[e.kind], e.count)


def plundered(f: Folding, e: Any) -> None:
    f.goods(e.victim, e.kind, e.level, -1)
    f.goods(e.faction, e.kind, 0, 1)


def factor_shifted(f: Folding, e: Any) -> None:
    f.player(e.faction).m_factor[e.level] -= 1
    f.player(e.faction).m_factor[e.to_level] += 1


def influence_placed(f: Folding, e: Any) -> None:
    f.player(e.faction).influence_supply -= 1
    f.v.regions[e.region].influence[e.faction] += 1


def influence_moved(f: Folding, e: Any) -> None:
    f.leave(e.faction, e.region, 1, int(e.controlled))
    f.v.regions[e.to].influence[e.faction] += 1


def influence_returned(f: Folding, e: Any) -> None:
    f.leave(e.faction, e.region, e.count, e.controlled)
    f.player(e.faction).influence_supply += e.count


def influence_captured(f: Folding, e: Any) -> None:
    f.leave(e.faction, e.region, 1, int(e.controlled))
    f.player(e.faction).captured += 1
    for player in f.v.players:
        if player.faction not in (FREIHOFF, VAN_DYKEN, CALLO):
            player.goal += 1


def gorge_fed(f: Folding, e: Any) -> None:
    f.player(e.faction).influence_supply -= f.components.gorge_markers
    f.player(e.faction).viper += f.components.gorge_markers


def neutral_left(f: Folding, e: Any) -> None:
    f.v.regions[e.region].neutral -= e.count


def neutral_moved(f: Folding, e: Any) -> None:
    f.v.regions[e.region].neutral -= e.count
    f.v.regions[e.to].neutral += e.count


def unit_placed(f: Folding, e: Any) -> None:
    f.figure(e.figure).region = e.region
    if e.rule == "IG-6.24":
        f.player(e.figure // FIGURES_EACH).summoned = True


def unit_moved(f: Folding, e: Any) -> None:
    assert f.figure(e.figure).region == e.region
    f.figure(e.figure).region = e.to


def unit_returned(f: Folding, e: Any) -> None:
    figure = f.figure(e.figure)
    figure.region, figure.damage, figure.defeated = NONE, 0, False


def unit_damaged(f: Folding, e: Any) -> None:
    f.figure(e.figure).damage = e.count


def unit_defeated(f: Folding, e: Any) -> None:
    f.figure(e.figure).defeated = True


def damage_removed(f: Folding, e: Any) -> None:
    for player in f.v.players:
        for figure in player.figures:
            figure.damage = 0


def upgrade_laid(f: Folding, e: Any) -> None:
    unit = f.unit(e.unit)
    unit.bought[e.ability] += 1
    f.v.supply.upgrades[e.ability] -= 1
    if e.replaced == NONE:
        unit.free_slots -= 1
    else:
        unit.bought[e.replaced] -= 1
        f.v.supply.upgrades[e.replaced] += 1


def spy_assigned(f: Folding, e: Any) -> None:
    player = f.player(FREIHOFF)
    for ability in player.spy:
        f.v.supply.upgrades[ability] += 1
    player.spy = [e.ability, e.other_ability]
    for ability in player.spy:
        f.v.supply.upgrades[ability] -= 1


def scored(f: Folding, e: Any) -> None:
    f.player(e.faction).vp += e.count


def snow_fell(f: Folding, e: Any) -> None:
    f.v.snow = e.snow


def reputation_moved(f: Folding, e: Any) -> None:
    """IG-11.3, IG-11.4 A marker that goes down lands on top, one that goes up at the bottom."""
    player = f.player(e.faction)
    f.v.reputation.remove(e.faction)
    up = e.place < player.reputation
    f.v.reputation.insert(len(f.v.reputation) if up else 0, e.faction)
    player.reputation = e.place


def vuko_moved(f: Folding, e: Any) -> None:
    f.v.vuko_region = e.region


def vuko_token_taken(f: Folding, e: Any) -> None:
    f.player(e.faction).vuko_tokens += 1
    f.bank("vuko_tokens", -1)


def vuko_tokens_returned(f: Folding, e: Any) -> None:
    f.player(e.faction).vuko_tokens -= e.count
    f.bank("vuko_tokens", e.count)


def control_taken(f: Folding, e: Any) -> None:
    f.v.regions[e.region].controlled[e.faction] = e.count


def control_released(f: Folding, e: Any) -> None:
    f.v.regions[e.region].controlled = [0] * len(f.v.regions[e.region].controlled)


def reserves_absorbed(f: Folding, e: Any) -> None:
    f.v.regions[f.v.thorn_region].reserves_up -= e.count
    f.player(VAN_DYKEN).goal += e.count


def reserves_moved(f: Folding, e: Any) -> None:
    """IG-9.11 All of a region go face down; IG-10.15 one goes, face up, a face-up one first."""
    origin, target = f.v.regions[e.region], f.v.regions[e.to]
    up = min(origin.reserves_up, e.count)
    origin.reserves_up -= up
    origin.reserves_down -= e.count - up
    if e.face_up:
        target.reserves_up += e.count
    else:
        target.reserves_down += e.count


def reserves_revealed(f: Folding, e: Any) -> None:
    for region in f.v.regions:
        region.reserves_up += region.reserves_down
        region.reserves_down = 0


def nightmare_laid(f: Folding, e: Any) -> None:
    f.v.regions[e.region].nightmare_tokens += 1
    f.bank("nightmare_tokens", -1)


def region_locked(f: Folding, e: Any) -> None:
    region = f.v.regions[e.region]
    f.bank("nightmare_tokens", region.nightmare_tokens)
    f.bank("lock_tokens", -1)
    region.nightmare_tokens = 0
    region.locked = True
    f.player(CALLO).goal += 1


def tower_built(f: Folding, e: Any) -> None:
    f.v.regions[e.region].tower = True
    f.bank("red_towers", -1)
    f.player(FREIHOFF).goal += 1


def goal_fulfilled(f: Folding, e: Any) -> None:
    f.player(e.faction).goal_fulfilled = True


def match_ended(f: Folding, e: Any) -> None:
    f.v.reason = e.reason
    f.v.winners = list(e.winners)
    f.v.final_reputation = list(e.final_reputation)


HANDLERS: dict[type, Callable[[Folding, Any], None]] = {
    Answered: answered,
    Resigned: withdrawn,
    TimedOut: nothing,
    events.RegionRanked: nothing,
    events.DieRolled: nothing,
    events.TileLaid: tile_laid,
    events.ThornPlaced: thorn_placed,
    events.ReservesPlaced: reserves_placed,
    events.TilesRevealed: tiles_revealed,
    events.NeutralPlaced: neutral_placed,
    events.VukoTilesLaid: vuko_tiles_laid,
    events.RoundBegan: round_began,
    events.HelmReached: helm_reached,
    events.OrderSet: order_set,
    events.TileActivated: tile_activated,
    events.TilesEnded: tiles_ended,
    events.TokensTakenOff: tokens_taken_off,
    events.TokenLaid: token_laid,
    events.MarkerPlanned: marker_planned,
    events.MarkersForfeited: markers_forfeited,
    events.MarkerResolved: marker_resolved,
    events.Gained: gained,
    events.Spent: spent,
    events.Plundered: plundered,
    events.FactorShifted: factor_shifted,
    events.InfluencePlaced: influence_placed,
    events.InfluenceMoved: influence_moved,
    events.InfluenceReturned: influence_returned,
    events.InfluenceCaptured: influence_captured,
    events.GorgeFed: gorge_fed,
    events.NeutralLeft: neutral_left,
    events.NeutralMoved: neutral_moved,
    events.UnitPlaced: unit_placed,
    events.UnitMoved: unit_moved,
    events.UnitReturned: unit_returned,
    events.UnitDamaged: unit_damaged,
    events.UnitDefeated: unit_defeated,
    events.DamageRemoved: damage_removed,
    events.UpgradeLaid: upgrade_laid,
    events.SpyAssigned: spy_assigned,
    events.Scored: scored,
    events.SnowFell: snow_fell,
    events.ReputationMoved: reputation_moved,
    events.VukoMoved: vuko_moved,
    events.VukoTokenTaken: vuko_token_taken,
    events.VukoTokensReturned: vuko_tokens_returned,
    events.ControlTaken: control_taken,
    events.ControlReleased: control_released,
    events.ReservesAbsorbed: reserves_absorbed,
    events.ReservesMoved: reserves_moved,
    events.ReservesRevealed: reserves_revealed,
    events.NightmareLaid: nightmare_laid,
    events.RegionLocked: region_locked,
    events.TowerBuilt: tower_built,
    events.GoalFulfilled: goal_fulfilled,
    events.MatchEnded: match_ended,
}
