"""CM-9 The distant shores: a ship's journey, its food, and the monster at its end."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import (
    draw_journey,
    lose_crew,
    lose_rations,
    reveal_journey,
    use_rune,
)
from taflhall_engine.champions.ids import (
    EFFECT_AMOUNT,
    EFFECT_TAKES_FOOD,
    EFFECT_TAKES_WARRIORS,
    FIGHT_KRAKEN,
    JOURNEY,
    SHORE_0,
    TYPES,
)
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, WRONG_TOTAL, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.rules.casualties import NOT_THERE, refuse_losses
from taflhall_engine.champions.rules.combat import CombatRound, Fight, banned_crew
from taflhall_engine.champions.rules.runes import RUNE_UNAVAILABLE
from taflhall_engine.champions.rules.warriors import SPAN, splits
from taflhall_engine.champions.table import ChampionsTable, crew_size, near
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

WRONG_KIND: Final = Refusal("CM-9.3", "bad_argument")


MOST_ITEMS: Final = 2
"""CM-9.3 No journey takes more than this."""


@final
class Voyage(Step[ChampionsTable]):
    """CM-9.2 A ship at a shore: A reveal the journey, B feed, C fight the monster.

    A shore without a ship keeps its journey face down and its monster unharmed.
    """

    RULE = "CM-9.2"

    def __init__(self, shore: int) -> None:
        self.shore: Final = shore

    def run(self, s: ChampionsTable) -> None:
        post = SHORE_0 + self.shore
        seat = s.post_seat[post]
        if seat < 0:
            return
        s.post = post
        reveal_journey(s, seat, self.shore, self.RULE)
        steps: list[Step[Any]] = [JourneyEffect(), Feed(), RemoveBanned(), Fight(post)]
        if s.clans[seat].holds(JOURNEY):
            steps.insert(0, JourneyRune(seat))
        schedule(s, steps)


@final
class UseJourneyRune(Command[ChampionsTable]):
    """CM-14.6 Journey: reveal the top card of the deck instead, whatever it is; or not.

    The replaced card is discarded after the new one is drawn.
    """

    RULE = "CM-14.6"

    def __init__(self, use: bool) -> None:
        self.use: Final = use

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.use and not s.clans[seat].holds(JOURNEY):
            return RUNE_UNAVAILABLE
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if not self.use:
            return
        use_rune(s, seat, JOURNEY, self.RULE)
        shore = s.post - SHORE_0
        drawn = draw_journey(s)
        s.journey_discard = [*s.journey_discard, s.journeys[shore - 1]]
        s.journeys[shore - 1] = drawn
        reveal_journey(s, seat, shore, self.RULE)


@final
class JourneyRune(ChampionsDecision):
    """CM-14.6 Whether to replace the journey card just revealed."""

    RULE = "CM-14.6"
    answers_with = (UseJourneyRune, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return USE_JOURNEY[:] if s.clans[seat].holds(JOURNEY) else USE_JOURNEY[:1]


USE_JOURNEY: Final[list[Command[Any]]] = [UseJourneyRune(False), UseJourneyRune(True)]


@final
class JourneyEffect(Step[ChampionsTable]):
    """CM-9.3 Carry out the journey: a loss from this ship, or Kraken (CM-9.6)."""

    RULE = "CM-9.3"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        effect = s.components.journey_effect[s.journeys[s.post - SHORE_0 - 1]]
        if effect == FIGHT_KRAKEN:
            if crew_size(s, s.post):
                s.enemy = s.components.kraken
                s.damage = 0
                s.agenda.append(CombatRound())
        elif EFFECT_AMOUNT[effect]:
            s.agenda.append(JourneyLoss(s.post_seat[s.post], effect))


@final
class LoseOnBoard(Command[ChampionsTable]):
    """CM-9.4 The journey takes this food and these warriors."""

    RULE = "CM-9.4"

    def __init__(self, food: int, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.food: Final = food
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        top = s.agenda[-1]
        assert isinstance(top, JourneyLoss)
        if self.food < 0 or self.swordsmen < 0 or self.spearmen < 0 or self.axemen < 0:
            return BAD_ARGUMENT
        lost = self.swordsmen + self.spearmen + self.axemen
        if (self.food and not EFFECT_TAKES_FOOD[top.loss]) or (
            lost and not EFFECT_TAKES_WARRIORS[top.loss]
        ):
            return WRONG_KIND
        if self.food + lost != top.limits(s)[2]:
            return WRONG_TOTAL
        if self.food > s.rations[s.post]:
            return NOT_THERE
        return refuse_losses(s, lost, self.swordsmen, self.spearmen, self.axemen)

    def perform(self, s: ChampionsTable, seat: int) -> None:
        if self.food:
            lose_rations(s, self.RULE, self.food)
        if self.swordsmen or self.spearmen or self.axemen:
            lose_crew(s, self.RULE, self.swordsmen, self.spearmen, self.axemen)


@final
class JourneyLoss(ChampionsDecision):
    """CM-9.4 Choose what the journey takes of the allowed kinds; all of it if it is too little.

    *loss* is the effect of the card: what kinds it takes, and how many.
    """

    RULE = "CM-9.4"
    answers_with = (LoseOnBoard, FreeRune)

    def __init__(self, seat: int, loss: int) -> None:
        super().__init__(seat)
        self.loss: Final = loss

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        food, crew, total = self.limits(s)
        found: list[Command[Any]] = []
        for lost in range(min(food, total), -1, -1):
            if total - lost <= crew:
                found.extend(splits(LOSE_ON_BOARD[lost], s.crew, s.post * TYPES, total - lost))
        return found if total else []

    def limits(self, s: ChampionsTable) -> tuple[int, int, int]:
        """Return the food and the warriors that may be lost, and how many in all."""
        food = s.rations[s.post] if EFFECT_TAKES_FOOD[self.loss] else 0
        crew = crew_size(s, s.post) if EFFECT_TAKES_WARRIORS[self.loss] else 0
        return food, crew, min(EFFECT_AMOUNT[self.loss], food + crew)


LOSE_ON_BOARD: Final = [
    [LoseOnBoard(food, a, b, c) for a in range(SPAN) for b in range(SPAN) for c in range(SPAN)]
    for food in range(MOST_ITEMS + 1)
]


@final
class Feed(Step[ChampionsTable]):
    """CM-9.5 One food feeds two warriors on the way to a near shore, one to a far shore.

    The rest starves; all food on board is eaten, needed or not.
    """

    RULE = "CM-9.5"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        food = s.rations[s.post]
        fed = food * (s.components.fed_near if near(s, s.post - SHORE_0) else s.components.fed_far)
        hungry = crew_size(s, s.post) - fed
        if food:
            lose_rations(s, self.RULE, food)
        if hungry > 0:
            s.agenda.append(Starvation(s.post_seat[s.post], hungry))


@final
class Starve(Command[ChampionsTable]):
    """CM-9.5 These warriors starve: they go to the supply."""

    RULE = "CM-9.5"

    def __init__(self, swordsmen: int, spearmen: int, axemen: int) -> None:
        self.swordsmen: Final = swordsmen
        self.spearmen: Final = spearmen
        self.axemen: Final = axemen

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        top = s.agenda[-1]
        assert isinstance(top, Starvation)
        return refuse_losses(s, top.hungry, self.swordsmen, self.spearmen, self.axemen)

    def perform(self, s: ChampionsTable, seat: int) -> None:
        lose_crew(s, self.RULE, self.swordsmen, self.spearmen, self.axemen)


@final
class Starvation(ChampionsDecision):
    """CM-9.5 Choose who starves."""

    RULE = "CM-9.5"
    answers_with = (Starve, FreeRune)

    def __init__(self, seat: int, hungry: int) -> None:
        super().__init__(seat)
        self.hungry: Final = hungry

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return splits(STARVE, s.crew, s.post * TYPES, self.hungry)


STARVE: Final = [Starve(a, b, c) for a in range(SPAN) for b in range(SPAN) for c in range(SPAN)]


@final
class RemoveBanned(Step[ChampionsTable]):
    """CM-9.7 Warriors of a type that the monster bans leave before the first combat round."""

    RULE = "CM-9.7"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        banned = banned_crew(s)
        if banned[0] or banned[1] or banned[2]:
            lose_crew(s, self.RULE, banned[0], banned[1], banned[2])
