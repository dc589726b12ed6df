"""IG-4 to IG-6 Events of the round: order, planning, dice."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Event


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
class TokensTakenOff(Event):
    """All order tokens were taken off the fields."""

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
