"""Events of the tracks, Vuko, regions and goals."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event


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
    """The markers behind Vuko in a region are free again."""

    def __init__(self, rule: str, region: int) -> None:
        self.rule: Final = rule
        self.region: Final = region


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

    def __init__(self, rule: str, region: int, to: int, count: int, face_up: bool) -> None:
        self.rule: Final = rule
        self.region: Final = region
        self.to: Final = to
        self.count: Final = count
        self.face_up: Final = face_up


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
    """The match ended; *winners* are factions.

    *final_reputation* is by faction, and empty unless the Dead Snow fell.
    """

    def __init__(
        self, rule: str, reason: int, winners: list[int], final_reputation: list[int]
    ) -> None:
        self.rule: Final = rule
        self.reason: Final = reason
        self.winners: Final = winners
        self.final_reputation: Final = final_reputation
