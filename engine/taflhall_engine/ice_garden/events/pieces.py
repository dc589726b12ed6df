"""Events of goods, markers, figures and sheets."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event


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
    """An influence marker moved to another region, where it is free."""

    def __init__(self, rule: str, faction: int, region: int, to: int, controlled: bool) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.to: Final = to
        self.controlled: Final = controlled


@final
class InfluenceReturned(Event):
    """Influence markers went back to their owner's supply; Vuko controlled some of them."""

    def __init__(self, rule: str, faction: int, region: int, count: int, controlled: int) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.count: Final = count
        self.controlled: Final = controlled


@final
class InfluenceCaptured(Event):
    """An influence marker went to the Ice Garden."""

    def __init__(self, rule: str, faction: int, region: int, controlled: bool) -> None:
        self.rule: Final = rule
        self.faction: Final = faction
        self.region: Final = region
        self.controlled: Final = controlled


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
class DamageRemoved(Event):
    """All damage was removed from the figures."""

    def __init__(self, rule: str) -> None:
        self.rule: Final = rule


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
