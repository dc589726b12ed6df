"""YG-8 Battles against enemies (YG-7.1) and giants (YG-7.8)."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.yggdrasil.effects import (
    lay_aside_giant,
    move_enemy,
    spend_elves,
    spend_vikings,
)
from taflhall_engine.yggdrasil.events import BattleFought
from taflhall_engine.yggdrasil.ids import (
    ASGARD,
    ENEMY_COUNT,
    FIRST_GIANT,
    HIDDEN,
    JOTUNHEIM,
    NO_DIE,
    PLUS_SHIFT,
    THOR,
    VALUE,
)
from taflhall_engine.yggdrasil.rules.base import FurtherStep, YggdrasilDecision, has_power
from taflhall_engine.yggdrasil.rules.dice import roll
from taflhall_engine.yggdrasil.rules.giants import count_rune
from taflhall_engine.yggdrasil.rules.use import use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

NOT_ENOUGH_VIKINGS: Final = Refusal("YG-8.2", "not_enough_vikings")
NOT_ENOUGH_ELVES: Final = Refusal("YG-8.6", "not_enough_elves")


def enemy_strength(s: YggdrasilTable, enemy: int) -> int:
    """YG-8.1 Return the strength of *enemy* in battle, 0 if it cannot be attacked."""
    strength = s.components.space_strength[s.enemies[enemy]]
    if strength and s.hindrance >> (PLUS_SHIFT + enemy) & 1:
        strength += 1
    return strength


def opponent_strength(s: YggdrasilTable, opponent: int) -> int:
    """YG-8.1 Return the strength of an enemy or of a giant, which is always the same."""
    return enemy_strength(s, opponent) if opponent < FIRST_GIANT else s.components.giant_strength


@final
class SendVikings(Command[YggdrasilTable]):
    """YG-8.2 Send a number of Vikings into the battle; they go to Helheim, win or lose."""

    RULE = "YG-8.2"

    def __init__(self, vikings: int) -> None:
        self.vikings: Final = vikings

    def malformed(self) -> bool:
        return self.vikings < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        spend_vikings(s, self.RULE, seat, self.vikings)


@final
class BattleVikings(FurtherStep):
    """YG-8.2 How many Vikings go into the battle. With the answer the action counts (YG-6.7)."""

    RULE = "YG-8.2"
    answers_with = (SendVikings,)
    UNAVAILABLE = NOT_ENOUGH_VIKINGS

    def __init__(self, seat: int, opponent: int) -> None:
        super().__init__(seat)
        self.opponent: Final = opponent

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        found: list[Command[YggdrasilTable]] = []
        for vikings in range(s.vikings[seat] + 1):
            found.append(
                SEND_VIKINGS[vikings] if vikings < len(SEND_VIKINGS) else SendVikings(vikings)
            )
        return found

    def options(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return self.offers(s, seat)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, SendVikings)
        use_world(s, ASGARD if self.opponent < FIRST_GIANT else JOTUNHEIM)
        command.perform(s, seat)
        s.agenda.append(Fight(seat, self.opponent, command.vikings))
        if not s.hindrance & NO_DIE:
            roll(s, "YG-8.2", seat, VALUE)


@final
class Fight(Step[YggdrasilTable]):
    """YG-8.3 Vikings, die, the own weapon against this enemy and Thor's bonus make the total.

    YG-8.5 Without the die Thor's bonus counts only if the match was laid out so.
    """

    RULE = "YG-8.3"

    def __init__(self, seat: int, opponent: int, vikings: int) -> None:
        self.seat: Final = seat
        self.opponent: Final = opponent
        self.vikings: Final = vikings

    def run(self, s: YggdrasilTable) -> None:
        total = self.vikings
        dieless = (s.hindrance & NO_DIE) != 0
        if not dieless:
            total += s.components.face_value[s.die]
        if self.opponent < FIRST_GIANT:
            total += s.weapons[self.seat * ENEMY_COUNT + self.opponent]
        if has_power(s, self.seat, THOR) and (not dieless or s.thor_without_die):
            total += s.components.thor_bonus
        strength = opponent_strength(s, self.opponent)
        s.agenda.append(BattleElves(self.seat, self.opponent, total, strength))


@final
class CommitElves(Command[YggdrasilTable]):
    """YG-8.6 Commit a number of elves; they return to Alfheim, win or lose."""

    RULE = "YG-8.6"

    def __init__(self, elves: int) -> None:
        self.elves: Final = elves

    def malformed(self) -> bool:
        return self.elves < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        spend_elves(s, self.RULE, seat, self.elves)


@final
class BattleElves(YggdrasilDecision):
    """YG-8.6 How many elves help, now that the die is known. YG-8.7 Then the battle is decided.

    *total* is the own strength without elves, *strength* the opponent's.
    """

    RULE = "YG-8.6"
    answers_with = (CommitElves,)
    UNAVAILABLE = NOT_ENOUGH_ELVES

    def __init__(self, seat: int, opponent: int, total: int, strength: int) -> None:
        super().__init__(seat)
        self.opponent: Final = opponent
        self.total: Final = total
        self.strength: Final = strength

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        found: list[Command[YggdrasilTable]] = []
        for elves in range(s.elves[seat] + 1):
            found.append(COMMIT_ELVES[elves] if elves < len(COMMIT_ELVES) else CommitElves(elves))
        return found

    def options(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return self.offers(s, seat)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, CommitElves)
        command.perform(s, seat)
        total = self.total + command.elves
        won = total >= self.strength
        if s.journal is not None:
            s.journal.append(BattleFought("YG-8.7", seat, self.opponent, total, self.strength, won))
        if won:
            win(s, seat, self.opponent)


def win(s: YggdrasilTable, seat: int, opponent: int) -> None:
    """YG-8.8 A beaten enemy moves one space back; a beaten giant is defeated (YG-9.4)."""
    if opponent < FIRST_GIANT:
        move_enemy(s, "YG-8.8", opponent, -1)
        return
    giant = s.giant_deck[-1] if opponent == HIDDEN else opponent - FIRST_GIANT
    lay_aside_giant(s, "YG-9.4", giant)
    count_rune(s, seat, giant)


SEND_VIKINGS: Final = [SendVikings(vikings) for vikings in range(64)]
COMMIT_ELVES: Final = [CommitElves(elves) for elves in range(16)]
