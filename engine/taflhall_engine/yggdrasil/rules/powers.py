"""YG-5 The powers of the six enemies, and appeasing Fenrir."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.yggdrasil.effects import (
    calm_fenrir,
    lose_vikings,
    move_enemy,
    move_valkyries,
    reveal_giant,
    send_fire_giants,
    sink_island,
    use_action,
)
from taflhall_engine.yggdrasil.ids import (
    COLOUR,
    ENEMY_COUNT,
    FENRIR,
    GOD_COUNT,
    HEL,
    LOKI,
    NONE,
    SURT,
)
from taflhall_engine.yggdrasil.rules.base import Action, YggdrasilDecision
from taflhall_engine.yggdrasil.rules.dice import roll
from taflhall_engine.yggdrasil.table import YggdrasilTable


def level_of(s: YggdrasilTable, enemy: int) -> int:
    """YG-4.7 Return the level of *enemy*'s power on the space where it stands."""
    return s.components.space_level[s.enemies[enemy]]


@final
class HelPower(Step[YggdrasilTable]):
    """YG-5.1 Hel: roll for the bag from which she takes Vikings."""

    RULE = "YG-5.1"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        s.agenda.append(HEL_TAKES)
        roll(s, self.RULE, self.seat, COLOUR)


@final
class HelTakes(Step[YggdrasilTable]):
    """YG-5.1 As many Vikings as her level go from that bag to Helheim, or all of them."""

    RULE = "YG-5.1"

    def run(self, s: YggdrasilTable) -> None:
        island = s.components.face_colour[s.die]
        count = min(level_of(s, HEL), s.bag_vikings[island])
        lose_vikings(s, self.RULE, island, count)


@final
class SurtPower(Step[YggdrasilTable]):
    """YG-5.2 Surt: roll for the bag into which he sends fire giants."""

    RULE = "YG-5.2"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        s.agenda.append(SURT_SENDS)
        roll(s, self.RULE, self.seat, COLOUR)


@final
class SurtSends(Step[YggdrasilTable]):
    """YG-5.2 As many fire giants as his level go from Muspellheim into that bag, or all."""

    RULE = "YG-5.2"

    def run(self, s: YggdrasilTable) -> None:
        island = s.components.face_colour[s.die]
        count = min(level_of(s, SURT), s.muspellheim)
        send_fire_giants(s, self.RULE, island, count)


@final
class JormungandPower(Step[YggdrasilTable]):
    """YG-5.3 Jormungand: roll for the island that he sinks."""

    RULE = "YG-5.3"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        s.agenda.append(JORMUNGAND_SINKS)
        roll(s, self.RULE, self.seat, COLOUR)


@final
class JormungandSinks(Step[YggdrasilTable]):
    """YG-5.3 The submerged tile moves to that island, the Valkyries to rainbow."""

    RULE = "YG-5.3"

    def run(self, s: YggdrasilTable) -> None:
        sink_island(s, self.RULE, s.components.face_colour[s.die])
        move_valkyries(s, self.RULE, s.components.start_island)


@final
class LokiPower(Step[YggdrasilTable]):
    """YG-5.4 Loki reveals as many giants as his level, or all that are left."""

    RULE = "YG-5.4"

    def run(self, s: YggdrasilTable) -> None:
        for _ in range(min(level_of(s, LOKI), len(s.giant_deck))):
            reveal_giant(s, self.RULE)


@final
class NidhoggPower(Step[YggdrasilTable]):
    """YG-5.5 Nidhogg pulls one of the enemies that stand leftmost; none from the residence."""

    RULE = "YG-5.5"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        if min(s.enemies) < s.components.residence:
            s.agenda.append(NidhoggPull(self.seat))


@final
class ChoosePulled(Command[YggdrasilTable]):
    """YG-5.5 *enemy* advances one space without using its power."""

    RULE = "YG-5.5"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        move_enemy(s, self.RULE, self.enemy, 1)


CHOOSE_PULLED: Final = [ChoosePulled(enemy) for enemy in range(ENEMY_COUNT)]


@final
class NidhoggPull(YggdrasilDecision):
    """YG-5.5, YG-12.1 The active god picks which of the leftmost enemies is pulled."""

    RULE = "YG-5.5"
    answers_with = (ChoosePulled,)

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        lowest = min(s.enemies)
        found: list[Command[YggdrasilTable]] = []
        for enemy in range(ENEMY_COUNT):
            if s.enemies[enemy] == lowest:
                found.append(CHOOSE_PULLED[enemy])
        return found


FENRIR_CALM: Final = Refusal("YG-6.5", "no_effect")


@final
class Appease(Action):
    """YG-5.7 Try to calm Fenrir: costs an action, uses no world (YG-16.4)."""

    RULE = "YG-5.7"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        return FENRIR_CALM if s.fenrir_card < 0 else None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        use_action(s, self.RULE, seat, NONE)
        s.agenda.append(FENRIR_LISTENS[seat])
        roll(s, self.RULE, seat, COLOUR)


@final
class FenrirListens(Step[YggdrasilTable]):
    """YG-5.7 A colour that his level accepts calms Fenrir; on space 8 level 3 counts."""

    RULE = "YG-5.7"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        level = level_of(s, FENRIR)
        if s.enemies[FENRIR] == s.components.residence:
            level = s.components.strictest_level
        if s.components.calming[level] >> s.components.face_colour[s.die] & 1:
            calm_fenrir(s, self.RULE, self.seat)


APPEASE: Final = Appease()
FENRIR_LISTENS: Final = [FenrirListens(seat) for seat in range(GOD_COUNT)]
HEL_TAKES: Final = HelTakes()
SURT_SENDS: Final = SurtSends()
JORMUNGAND_SINKS: Final = JormungandSinks()
LOKI_POWER: Final = LokiPower()


POWERS: Final[list[list[Step[Any]]]] = [
    [],
    [HelPower(seat) for seat in range(GOD_COUNT)],
    [JormungandPower(seat) for seat in range(GOD_COUNT)],
    [LOKI_POWER] * GOD_COUNT,
    [NidhoggPower(seat) for seat in range(GOD_COUNT)],
    [SurtPower(seat) for seat in range(GOD_COUNT)],
]
"""By enemy and seat: the step that is the power. Fenrir's is his anger, which needs no step."""
