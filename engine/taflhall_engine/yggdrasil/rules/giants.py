"""YG-9 Defeating giants and the runes."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.yggdrasil.effects import move_enemy, suspend_draws, take_vikings
from taflhall_engine.yggdrasil.events import RuneCompleted
from taflhall_engine.yggdrasil.ids import ENEMY_COUNT, GOD_COUNT
from taflhall_engine.yggdrasil.rules.base import FurtherStep, YggdrasilDecision
from taflhall_engine.yggdrasil.table import YggdrasilTable


def count_rune(s: YggdrasilTable, seat: int, giant: int) -> None:
    """YG-9.4 If *giant*, just defeated, is the fourth of its rune, the rune works at once."""
    rune = s.components.giant_rune[giant]
    count = 0
    for other in s.giants_defeated:
        if s.components.giant_rune[other] == rune:
            count += 1
    if count == s.components.rune_needs[rune]:
        if s.journal is not None:
            s.journal.append(RuneCompleted("YG-9.4", rune))
        s.agenda.append(RUNE_STEPS[rune][seat])


def movable(s: YggdrasilTable) -> list[int]:
    """YG-9 Return the enemies that can be moved back."""
    start = s.components.start_space
    return [enemy for enemy in range(ENEMY_COUNT) if s.enemies[enemy] > start]


# ---------------------------------------------------------------- Sigel


@final
class Sigel(Step[YggdrasilTable]):
    """YG-9.5 Sigel: up to 15 Vikings go from Helheim to the gods as the active god likes."""

    RULE = "YG-9.5"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        most = min(s.components.sigel_vikings, s.helheim)
        if most:
            s.agenda.append(SigelDistribute(self.seat, most))


SIGEL_TOO_MANY: Final = Refusal("YG-9.5", "invalid_allocation")


@final
class Distribute(Command[YggdrasilTable]):
    """YG-9.5 The god who is next gets *vikings* from Helheim."""

    RULE = "YG-9.5"

    def __init__(self, vikings: int) -> None:
        self.vikings: Final = vikings

    def malformed(self) -> bool:
        return self.vikings < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


def shares(most: int) -> list[Command[YggdrasilTable]]:
    """Return the shares that a god can get of *most* Vikings."""
    return [Distribute(vikings) for vikings in range(most + 1)]


def give_share(s: YggdrasilTable, seat: int, left: int, given: list[int], share: int) -> None:
    """YG-9.5 Continue with the next god; with the last share all are handed out."""
    given = [*given, share]
    if len(given) < len(s.gods):
        s.agenda.append(SigelFurther(seat, left - share, given))
        return
    for receiver in range(len(given)):
        take_vikings(s, "YG-9.5", receiver, given[receiver])


@final
class SigelDistribute(YggdrasilDecision):
    """YG-9.5, YG-12.1 How many Vikings seat 0 gets, *left* at most; the others are asked next."""

    RULE = "YG-9.5"
    answers_with = (Distribute,)
    UNAVAILABLE = SIGEL_TOO_MANY

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(seat)
        self.left: Final = left

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return shares(self.left)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, Distribute)
        give_share(s, seat, self.left, [], command.vikings)


@final
class SigelFurther(FurtherStep):
    """YG-9.5 How many Vikings the next seat gets, *left* at most; *given* are the shares so far."""

    RULE = "YG-9.5"
    answers_with = (Distribute,)
    UNAVAILABLE = SIGEL_TOO_MANY

    def __init__(self, seat: int, left: int, given: list[int]) -> None:
        super().__init__(seat)
        self.left: Final = left
        self.given: Final = given

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return shares(self.left)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, Distribute)
        give_share(s, seat, self.left, self.given, command.vikings)


# ---------------------------------------------------------------- Daeg


@final
class Daeg(Step[YggdrasilTable]):
    """YG-9.6 Daeg: the next three turns have no enemy card."""

    RULE = "YG-9.6"

    def run(self, s: YggdrasilTable) -> None:
        suspend_draws(s, self.RULE, s.components.daeg_turns)


# ---------------------------------------------------------------- Mann


@final
class ChooseMann(Command[YggdrasilTable]):
    """YG-9.7 *enemy* moves three spaces back, not below space 1."""

    RULE = "YG-9.7"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        move_enemy(s, self.RULE, self.enemy, -s.components.mann_steps)


CHOOSE_MANN: Final = [ChooseMann(enemy) for enemy in range(ENEMY_COUNT)]


@final
class MannTarget(YggdrasilDecision):
    """YG-9.7, YG-12.1 Mann: one enemy that can move back is picked; without one, nothing."""

    RULE = "YG-9.7"
    answers_with = (ChooseMann,)

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return [CHOOSE_MANN[enemy] for enemy in movable(s)]


# ---------------------------------------------------------------- Tiwaz


@final
class Tiwaz(Step[YggdrasilTable]):
    """YG-9.8 Tiwaz: three enemies move one space back each; if three or fewer can, all do."""

    RULE = "YG-9.8"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        targets = movable(s)
        if len(targets) > s.components.tiwaz_enemies:
            s.agenda.append(TiwazTargets(self.seat))
            return
        for enemy in targets:
            move_enemy(s, self.RULE, enemy, -s.components.tiwaz_steps)


@final
class ChooseTiwaz(Command[YggdrasilTable]):
    """YG-9.8 *enemy* is one of the three that move back."""

    RULE = "YG-9.8"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


CHOOSE_TIWAZ: Final = [ChooseTiwaz(enemy) for enemy in range(ENEMY_COUNT)]


def pickable(s: YggdrasilTable, picked: list[int]) -> list[Command[YggdrasilTable]]:
    """YG-9.8 Return the enemies that can be picked next, in the order of YG-1.4.

    Picking in this order allows each set of three in one way only: a pick comes after those
    *picked* before and leaves enough enemies after it for the missing picks.
    """
    later = [enemy for enemy in movable(s) if not picked or enemy > picked[-1]]
    missing_after = s.components.tiwaz_enemies - len(picked) - 1
    return [CHOOSE_TIWAZ[enemy] for enemy in later[: len(later) - missing_after]]


def pick(s: YggdrasilTable, seat: int, picked: list[int]) -> None:
    """YG-9.8 Continue with the next enemy; with the last one all that are *picked* move."""
    if len(picked) < s.components.tiwaz_enemies:
        s.agenda.append(TiwazFurther(seat, picked))
        return
    for enemy in picked:
        move_enemy(s, "YG-9.8", enemy, -s.components.tiwaz_steps)


@final
class TiwazTargets(YggdrasilDecision):
    """YG-9.8, YG-12.1 The first of three enemies that move back; the others are asked next."""

    RULE = "YG-9.8"
    answers_with = (ChooseTiwaz,)

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return pickable(s, [])

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, ChooseTiwaz)
        pick(s, seat, [command.enemy])


@final
class TiwazFurther(FurtherStep):
    """YG-9.8 The next of three enemies, after those *picked* so far; with the last all move."""

    RULE = "YG-9.8"
    answers_with = (ChooseTiwaz,)

    def __init__(self, seat: int, picked: list[int]) -> None:
        super().__init__(seat)
        self.picked: Final = picked

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return pickable(s, self.picked)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, ChooseTiwaz)
        pick(s, seat, [*self.picked, command.enemy])


RUNE_STEPS: Final[list[list[Step[Any]]]] = [
    [Sigel(seat) for seat in range(GOD_COUNT)],
    [Daeg()] * GOD_COUNT,
    [MannTarget(seat) for seat in range(GOD_COUNT)],
    [Tiwaz(seat) for seat in range(GOD_COUNT)],
]
"""By rune and seat: the step that is the effect."""
