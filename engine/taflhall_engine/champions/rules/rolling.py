"""CM-8.3 A roll: its hits and shields, and the window after it."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import gain, reroll_dice, use_rune
from taflhall_engine.champions.ids import (
    BLANK,
    CLASSES,
    FACE_KINDS,
    FACES,
    POTENTIAL,
    REACTION,
    SHIELD,
    SWORD_PLUS_ONE,
    SWORDSMAN,
    TYPES,
)
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, AfterRoll, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision, FurtherStep
from taflhall_engine.champions.rules.runes import RUNE_UNAVAILABLE, WRONG_WINDOW
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

NO_DIE: Final = Refusal("CM-8.3", "bad_argument")
NO_FAVOUR: Final = Refusal("CM-8.3", "cannot_pay")


# ---------------------------------------------------------------- the result of a roll


def hits_of(s: ChampionsTable, seat: int) -> int:
    """CM-8.4 Return the hits of the present roll, with Reaction and Svanhildr (CM-13.4)."""
    components = s.components
    roll = s.roll
    better = components.ability[s.clans[seat].leader] == SWORD_PLUS_ONE
    total = 0
    for face in range(FACE_KINDS):
        hits = components.face_hits[face]
        if s.reaction:
            hits += components.face_shields[face]
        if hits:
            total += hits * (roll[face] + roll[FACE_KINDS + face] + roll[2 * FACE_KINDS + face])
            if better:
                total += roll[SWORDSMAN * FACE_KINDS + face]
    return total


def shields_of(s: ChampionsTable) -> int:
    """CM-8.6 Return the shields that the present roll shows."""
    total = 0
    for face in range(FACE_KINDS):
        shields = s.components.face_shields[face]
        if shields:
            total += shields * shown(s, face)
    return total


def shown(s: ChampionsTable, face: int) -> int:
    """Return how many dice of the present roll show *face*."""
    roll = s.roll
    return roll[face] + roll[FACE_KINDS + face] + roll[2 * FACE_KINDS + face]


# ---------------------------------------------------------------- the window


@final
class Stand(Command[ChampionsTable]):
    """CM-8.3 End the window: these faces count."""

    RULE = "CM-8.3"

    def __init__(self) -> None:
        pass

    def perform(self, s: ChampionsTable, seat: int) -> None:
        pass


@final
class PickDie(AfterRoll):
    """CM-8.3 Choose one more die to reroll, by its type and face."""

    RULE = "CM-8.3"
    SECRET = True

    def __init__(self, warrior: int, face: int) -> None:
        self.warrior: Final = warrior
        self.face: Final = face

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not (0 <= self.warrior < TYPES and 0 <= self.face < len(FACES)):
            return BAD_ARGUMENT
        k = self.warrior * FACE_KINDS + self.face
        draft = s.draft
        if s.roll[k] <= draft.count(k) or (draft and k < draft[-1]):
            return BAD_ARGUMENT
        return None if s.clans[seat].favour else NO_FAVOUR

    def perform(self, s: ChampionsTable, seat: int) -> None:
        s.draft.append(self.warrior * FACE_KINDS + self.face)
        s.agenda.append(PickFurther(seat))


@final
class Reroll(AfterRoll):
    """CM-8.3 Spend 1 favour and reroll the chosen dice."""

    RULE = "CM-8.3"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not s.draft:
            return NO_DIE
        return None if s.clans[seat].favour else NO_FAVOUR

    def perform(self, s: ChampionsTable, seat: int) -> None:
        gain(s, seat, self.RULE, favour=-1)
        s.clans[seat].favour_spent += 1
        chosen = [0] * CLASSES
        for k in s.draft:
            chosen[k] += 1
        s.draft.clear()
        reroll_dice(s, seat, self.RULE, chosen)


@final
class UsePotential(AfterRoll):
    """CM-14.8 Potential: reroll every die of the roll that shows a blank."""

    RULE = "CM-14.8"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not s.clans[seat].holds(POTENTIAL):
            return RUNE_UNAVAILABLE
        return None if shown(s, BLANK) else WRONG_WINDOW

    def perform(self, s: ChampionsTable, seat: int) -> None:
        use_rune(s, seat, POTENTIAL, self.RULE)
        chosen = [0] * CLASSES
        for warrior in range(TYPES):
            k = warrior * FACE_KINDS + BLANK
            chosen[k] = s.roll[k]
        reroll_dice(s, seat, self.RULE, chosen)


@final
class UseReaction(AfterRoll):
    """CM-14.9 Reaction: in this roll every shield also counts as a hit."""

    RULE = "CM-14.9"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not s.clans[seat].holds(REACTION):
            return RUNE_UNAVAILABLE
        return None if shown(s, SHIELD) else WRONG_WINDOW

    def perform(self, s: ChampionsTable, seat: int) -> None:
        use_rune(s, seat, REACTION, self.RULE)
        s.reaction = True


@final
class PostRoll(ChampionsDecision):
    """CM-8.3 After a roll: spend favour on rerolls, use Potential or Reaction, or stand.

    The dice to reroll are chosen one by one among the distinguishable ones, then the
    choice is confirmed (CM-17.6).
    """

    RULE = "CM-8.3"
    answers_with = (Stand, PickDie, Reroll, UsePotential, UseReaction, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        clan = s.clans[seat]
        found: list[Command[Any]] = [STAND]
        if clan.favour:
            add_dice(s, found)
        if clan.holds(POTENTIAL) and shown(s, BLANK):
            found.append(USE_POTENTIAL)
        if clan.holds(REACTION) and shown(s, SHIELD):
            found.append(USE_REACTION)
        return found

    def resolve(self, s: ChampionsTable, seat: int, command: Command[Any]) -> None:
        if isinstance(command, AfterRoll):
            s.agenda.append(self)
        super().resolve(s, seat, command)


@final
class PickFurther(FurtherStep):
    """CM-8.3 Choose further dice, or spend the favour on those chosen so far."""

    RULE = "CM-8.3"
    answers_with = (PickDie, Reroll)

    def offers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        found: list[Command[Any]] = [REROLL]
        add_dice(s, found)
        return found


def add_dice(s: ChampionsTable, found: list[Command[Any]]) -> None:
    """Append the dice that may be chosen next: each choice of dice has one order only."""
    draft = s.draft
    last = draft[-1] if draft else 0
    for k in range(last, CLASSES):
        if s.roll[k] > draft.count(k):
            found.append(PICK_DIE[k])


STAND: Final = Stand()
REROLL: Final = Reroll()
USE_POTENTIAL: Final = UsePotential()
USE_REACTION: Final = UseReaction()
PICK_DIE: Final = [PickDie(k // FACE_KINDS, k % FACE_KINDS) for k in range(CLASSES)]
