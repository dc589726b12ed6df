"""CM-8.7 Who is lost in a combat round, and Healing (CM-14.5)."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import lose_crew, use_rune
from taflhall_engine.champions.ids import HEALING, TYPES
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, WRONG_TOTAL, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.rules.runes import RUNE_UNAVAILABLE
from taflhall_engine.champions.rules.warriors import SPAN, splits
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Refusal

NOT_THERE: Final = Refusal("CM-8.7", "not_owned")


def refuse_losses(
    s: ChampionsTable, total: int, swordsmen: int, spearmen: int, axemen: int
) -> Refusal | None:
    """CM-17.4 Return why the warriors of the present post cannot be lost so."""
    if swordsmen < 0 or spearmen < 0 or axemen < 0:
        return BAD_ARGUMENT
    if swordsmen + spearmen + axemen != total:
        return WRONG_TOTAL
    i = s.post * TYPES
    crew = s.crew
    if swordsmen > crew[i] or spearmen > crew[i + 1] or axemen > crew[i + 2]:
        return NOT_THERE
    return None


@final
class Lose(Command[ChampionsTable]):
    """CM-8.7 These warriors are lost: they go to the supply."""

    RULE = "CM-8.7"

    def __init__(self, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        top = s.agenda[-1]
        assert isinstance(top, Casualties)
        return refuse_losses(s, top.losses, self.swordsmen, self.spearmen, self.axemen)

    def perform(self, s: ChampionsTable, seat: int) -> None:
        lose_crew(s, self.RULE, self.swordsmen, self.spearmen, self.axemen)


@final
class UseHealing(Command[ChampionsTable]):
    """CM-14.5 Healing: all losses of this one combat round are ignored."""

    RULE = "CM-14.5"

    def __init__(self) -> None:
        pass

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        return None if s.clans[seat].holds(HEALING) else RUNE_UNAVAILABLE

    def perform(self, s: ChampionsTable, seat: int) -> None:
        use_rune(s, seat, HEALING, self.RULE)


@final
class Casualties(ChampionsDecision):
    """CM-8.7 Choose which warriors are lost, or use Healing."""

    RULE = "CM-8.7"
    answers_with = (Lose, UseHealing, FreeRune)

    def __init__(self, seat: int, losses: int) -> None:
        super().__init__(seat)
        self.losses: Final = losses

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        found = splits(LOSE, s.crew, s.post * TYPES, self.losses)
        if s.clans[seat].holds(HEALING):
            found.append(USE_HEALING)
        return found


LOSE: Final = [Lose(a, b, c) for a in range(SPAN) for b in range(SPAN) for c in range(SPAN)]
USE_HEALING: Final = UseHealing()
