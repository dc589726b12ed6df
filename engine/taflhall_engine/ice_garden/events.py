"""IG-20.5 What happens, told with the rule that caused it. Everything here is public (IG-19.3)."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event

# IG-3 setup


@final
class TileLaid(Event):
    """A tile was put face down into a region."""

    def __init__(self, rule: str, faction: int, region: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region


@final
class ThornPlaced(Event):
    """The Thorn was put up."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class ReservesPlaced(Event):
    """The magical reserves were revealed; *reserves* lists their regions."""

    def __init__(self, rule: str, reserves: list[int]) -> None:
        self.rule: Final = rule
        self.reserves: Final = reserves


@final
class TilesRevealed(Event):
    """The tiles were turned face up: the tile number by region, 0 for none."""

    def __init__(self, rule: str, tiles: list[int]) -> None:
        self.rule: Final = rule
        self.tiles: Final = tiles


@final
class NeutralPlaced(Event):
    """A neutral marker was put into every region in play."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class VukoTilesLaid(Event):
    """The Vuko tiles of stages 1 to 4, by number, and the sides that are up."""

    def __init__(self, rule: str, tiles: list[int], sides: list[int]) -> None:
        self.rule: Final = rule
        self.tiles: Final = tiles
        self.sides: Final = sides


# IG-4 to IG-6 the round


@final
class RoundBegan(Event):
    """A round began."""

    def __init__(self, rule: str, round: int) -> None:
        self.rule: Final = rule
        self.round: Final = round


@final
class HelmReached(Event):
    """An initiative marker moved forward to a helm."""

    def __init__(self, rule: str, faction: int, helm: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.helm: Final = helm


@final
class OrderSet(Event):
    """The turn order of the round and its scoring factor."""

    def __init__(self, rule: str, order: list[int], factor: int) -> None:
        self.rule: Final = rule
        self.order: Final = order
        self.factor: Final = factor


@final
class TileActivated(Event):
    """A Vuko tile became active."""

    def __init__(self, rule: str, tile: int) -> None:
        self.rule: Final = rule
        self.tile: Final = tile


@final
class TilesEnded(Event):
    """The active Vuko tiles with the side of the stage ended."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class TokenLaid(Event):
    """An order token was put on a field."""

    def __init__(self, rule: str, token: int, field: int) -> None:
        self.rule: Final = rule
        self.token: Final = token
        self.field: Final = field


@final
class MarkerPlanned(Event):
    """An action marker was put on a field."""

    def __init__(self, rule: str, faction: int, field: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.field: Final = field


@final
class MarkersForfeited(Event):
    """The remaining action markers found no field."""

    def __init__(self, rule: str, faction: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.count: Final = count


@final
class MarkerResolved(Event):
    """An action marker was taken off a field to be resolved."""

    def __init__(self, rule: str, faction: int, field: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.field: Final = field


@final
class DieRolled(Event):
    """The NPC's die showed a result."""

    def __init__(self, rule: str, result: int) -> None:
        self.rule: Final = rule
        self.result: Final = result


# goods and pieces


@final
class Gained(Event):
    """Resources came from the supply; M-factor to level 0."""

    def __init__(self, rule: str, faction: int, kind: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.kind: Final = kind
        self.count: Final = count


@final
class Spent(Event):
    """Resources went to the supply, M-factor from *level*."""

    def __init__(self, rule: str, faction: int, kind: int, level: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.kind: Final = kind
        self.level: Final = level
        self.count: Final = count


@final
class Plundered(Event):
    """A resource went from one player to another."""

    def __init__(self, rule: str, faction: int, victim: int, kind: int, level: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.victim: Final = victim
        self.kind: Final = kind
        self.level: Final = level


@final
class FactorShifted(Event):
    """An M-factor moved between levels of a sheet."""

    def __init__(self, rule: str, faction: int, level: int, to_level: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.level: Final = level
        self.to_level: Final = to_level


@final
class InfluencePlaced(Event):
    """An influence marker came from its owner's supply."""

    def __init__(self, rule: str, faction: int, region: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region


@final
class InfluenceMoved(Event):
    """An influence marker moved to another region."""

    def __init__(self, rule: str, faction: int, region: int, to: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.to: Final = to


@final
class InfluenceReturned(Event):
    """Influence markers went back to their owner's supply."""

    def __init__(self, rule: str, faction: int, region: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.count: Final = count


@final
class InfluenceCaptured(Event):
    """An influence marker went to the Ice Garden."""

    def __init__(self, rule: str, faction: int, region: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region


@final
class GorgeFed(Event):
    """An influence marker was laid on Viper Gorge for the rest of the game."""

    def __init__(self, rule: str, faction: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction


@final
class NeutralLeft(Event):
    """Neutral markers left the game."""

    def __init__(self, rule: str, region: int, count: int) -> None:
        self.rule: Final = rule
        self.region: Final = region
        self.count: Final = count


@final
class NeutralMoved(Event):
    """Neutral markers moved with Vuko."""

    def __init__(self, rule: str, region: int, to: int, count: int) -> None:
        self.rule: Final = rule
        self.region: Final = region
        self.to: Final = to
        self.count: Final = count


@final
class UnitPlaced(Event):
    """A figure came onto the map."""

    def __init__(self, rule: str, figure: int, region: int) -> None:
        self.rule: Final = rule
        self.figure: Final = figure
        self.region: Final = region


@final
class UnitMoved(Event):
    """A figure moved to another region."""

    def __init__(self, rule: str, figure: int, region: int, to: int) -> None:
        self.rule: Final = rule
        self.figure: Final = figure
        self.region: Final = region
        self.to: Final = to


@final
class UnitReturned(Event):
    """A figure went back to its owner."""

    def __init__(self, rule: str, figure: int, region: int) -> None:
        self.rule: Final = rule
        self.figure: Final = figure
        self.region: Final = region


@final
class UnitDamaged(Event):
    """A figure took a point of damage; *count* lie on it."""

    def __init__(self, rule: str, figure: int, count: int) -> None:
        self.rule: Final = rule
        self.figure: Final = figure
        self.count: Final = count


@final
class UnitDefeated(Event):
    """A figure was laid on its side."""

    def __init__(self, rule: str, figure: int, faction: int) -> None:
        self.rule: Final = rule
        self.figure: Final = figure
        self.faction: Final = faction


@final
class UpgradeLaid(Event):
    """An upgrade marker was laid on a sheet; *replaced* went back, if any."""

    def __init__(self, rule: str, unit: int, ability: int, replaced: int) -> None:
        self.rule: Final = rule
        self.unit: Final = unit
        self.ability: Final = ability
        self.replaced: Final = replaced


@final
class SpyAssigned(Event):
    """Two symbols were laid on the spy slots."""

    def __init__(self, rule: str, ability: int, other_ability: int) -> None:
        self.rule: Final = rule
        self.ability: Final = ability
        self.other_ability: Final = other_ability


# tracks, Vuko, goals


@final
class Scored(Event):
    """Victory points were scored."""

    def __init__(self, rule: str, faction: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.count: Final = count


@final
class SnowFell(Event):
    """The Dead Snow marker reached a field."""

    def __init__(self, rule: str, snow: int) -> None:
        self.rule: Final = rule
        self.snow: Final = snow


@final
class ReputationMoved(Event):
    """A reputation marker reached a field: 0 the safe area, 1 for 0, 10 for -9."""

    def __init__(self, rule: str, faction: int, place: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.place: Final = place


@final
class VukoMoved(Event):
    """Vuko reached a region, or left the map."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class VukoTokenTaken(Event):
    """A player took a Vuko token."""

    def __init__(self, rule: str, faction: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction


@final
class VukoTokensReturned(Event):
    """Vuko tokens went back to the supply."""

    def __init__(self, rule: str, faction: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.count: Final = count


@final
class ControlTaken(Event):
    """Influence markers were put behind Vuko."""

    def __init__(self, rule: str, faction: int, region: int, count: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.count: Final = count


@final
class ControlReleased(Event):
    """All markers behind Vuko are free again."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class RegionRanked(Event):
    """The dominance order of a region, the dominator first."""

    def __init__(self, rule: str, region: int, order: list[int]) -> None:
        self.rule: Final = rule
        self.region: Final = region
        self.order: Final = order


@final
class ReservesAbsorbed(Event):
    """The Thorn absorbed reserves."""

    def __init__(self, rule: str, count: int) -> None:
        self.rule: Final = rule
        self.count: Final = count


@final
class ReservesMoved(Event):
    """Reserves moved to another region, face down if a musician plays."""

    def __init__(self, rule: str, region: int, to: int, count: int) -> None:
        self.rule: Final = rule
        self.region: Final = region
        self.to: Final = to
        self.count: Final = count


@final
class ReservesRevealed(Event):
    """All face-down reserves were turned face up."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


@final
class NightmareLaid(Event):
    """A nightmare token was laid into a region."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class RegionLocked(Event):
    """A region was locked."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class TowerBuilt(Event):
    """A red tower was built."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


@final
class GoalFulfilled(Event):
    """A player fulfilled the individual goal."""

    def __init__(self, rule: str, faction: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction


@final
class MatchEnded(Event):
    """The match ended; *winners* are factions."""

    def __init__(self, rule: str, reason: int, winners: list[int]) -> None:
        self.rule: Final = rule
        self.reason: Final = reason
        self.winners: Final = winners
