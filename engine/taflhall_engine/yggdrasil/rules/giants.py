"""YG-9 Defeating giants and the runes."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.yggdrasil.effects import move_enemy, take_vikings
from taflhall_engine.yggdrasil.events import RuneCompleted
from taflhall_engine.yggdrasil.ids import ENEMY_COUNT, GOD_COUNT, NONE
from taflhall_engine.yggdrasil.rules.answers import Answer, Ask
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
            s.agenda.append(SigelDistribute(self.seat, most, []))


SIGEL_TOO_MANY: Final = Refusal("YG-9.5", "invalid_allocation")


@final
class Distribute(Answer):
    """YG-9.5 The next god gets *vikings* from Helheim."""

    RULE = "YG-9.5"

    def __init__(self, vikings: int) -> None:
        self.vikings: Final = vikings

    def malformed(self) -> bool:
        return self.vikings < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


@final
class SigelDistribute(Ask):
    """YG-9.5 How many Vikings the next god gets: seat by seat, *left* at most.

    *given* are the shares of the seats before; they are handed out with the last one.
    """

    RULE = "YG-9.5"

    def __init__(self, seat: int, left: int, given: list[int]) -> None:
        super().__init__(seat)
        self.left: Final = left
        self.given: Final = given

    def fits(self, command: Answer) -> bool:
        return isinstance(command, Distribute)

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        return SIGEL_TOO_MANY

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return [Distribute(vikings) for vikings in range(self.left + 1)]

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, Distribute)
        given = [*self.given, command.vikings]
        if len(given) < len(s.gods):
            s.agenda.append(SigelDistribute(self.seat, self.left - command.vikings, given))
            return
        for receiver in range(len(given)):
            take_vikings(s, self.RULE, receiver, given[receiver])


# ---------------------------------------------------------------- Daeg


@final
class Daeg(Step[YggdrasilTable]):
    """YG-9.6 Daeg: the next three turns have no enemy card."""

    RULE = "YG-9.6"

    def run(self, s: YggdrasilTable) -> None:
        s.daeg += s.components.daeg_turns


# ---------------------------------------------------------------- Mann


@final
class ChooseMann(Answer):
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
class MannTarget(Ask):
    """YG-9.7, YG-12.1 Mann: one enemy that can move back is picked; without one, nothing."""

    RULE = "YG-9.7"

    def fits(self, command: Answer) -> bool:
        return isinstance(command, ChooseMann)

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
            s.agenda.append(TiwazTargets(self.seat, NONE, NONE))
            return
        for enemy in targets:
            move_enemy(s, self.RULE, enemy, -s.components.tiwaz_steps)


@final
class ChooseTiwaz(Answer):
    """YG-9.8 *enemy* is one of the three that move back."""

    RULE = "YG-9.8"

    def __init__(self, enemy: int) -> None:
        self.enemy: Final = enemy

    def malformed(self) -> bool:
        return self.enemy < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


CHOOSE_TIWAZ: Final = [ChooseTiwaz(enemy) for enemy in range(ENEMY_COUNT)]


@final
class TiwazTargets(Ask):
    """YG-9.8, YG-12.1 Three enemies are picked, in the order of YG-1.4; then they move."""

    RULE = "YG-9.8"

    def __init__(self, seat: int, first_enemy: int, second_enemy: int) -> None:
        super().__init__(seat)
        self.first_enemy: Final = first_enemy
        self.second_enemy: Final = second_enemy

    def fits(self, command: Answer) -> bool:
        return isinstance(command, ChooseTiwaz)

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        last = max(self.first_enemy, self.second_enemy)
        picked = (self.first_enemy >= 0) + (self.second_enemy >= 0)
        later = [enemy for enemy in movable(s) if enemy > last]
        choices = len(later) - (s.components.tiwaz_enemies - picked - 1)
        return [CHOOSE_TIWAZ[later[i]] for i in range(choices)]

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, ChooseTiwaz)
        if self.first_enemy < 0:
            s.agenda.append(TiwazTargets(self.seat, command.enemy, NONE))
        elif self.second_enemy < 0:
            s.agenda.append(TiwazTargets(self.seat, self.first_enemy, command.enemy))
        else:
            for enemy in (self.first_enemy, self.second_enemy, command.enemy):
                move_enemy(s, self.RULE, enemy, -s.components.tiwaz_steps)


RUNE_STEPS: Final[list[list[Step[Any]]]] = [
    [Sigel(seat) for seat in range(GOD_COUNT)],
    [Daeg()] * GOD_COUNT,
    [MannTarget(seat) for seat in range(GOD_COUNT)],
    [Tiwaz(seat) for seat in range(GOD_COUNT)],
]
"""By rune and seat: the step that is the effect."""
