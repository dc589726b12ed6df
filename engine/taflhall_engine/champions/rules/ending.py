"""CM-12 The end of the match: the final window for free runes, then the scoring."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.events import DestinyShown, Scored
from taflhall_engine.champions.ids import (
    COINS,
    FAVOUR_SCORES,
    GIFTS,
    NONE,
    RUNES,
    SUCCESS,
    WEALTH,
)
from taflhall_engine.champions.rules.answers import FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.scoring import destiny_scores, enemies_of, sets_of
from taflhall_engine.champions.table import ChampionsTable, turn_order
from taflhall_engine.kernel.agenda import Command, Step, schedule
from taflhall_engine.kernel.game import Result, ScoreLine

PARTS: Final = 10
"""Glory on the track, destinies, sets, runes, longship, favour, coins, blame, total, and the
enemy cards that break ties."""
PART_DESTINIES: Final = 1
PART_TOTAL: Final = 8
PART_ENEMIES: Final = 9

REASON: Final = "last_round"


@final
class FinalWindow(Step[ChampionsTable]):
    """CM-12.1 In turn order, every seat with an unused Gifts, Wealth or usable Success."""

    RULE = "CM-12.1"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        steps: list[Step[Any]] = []
        for seat in turn_order(s):
            if opens_window(s, seat):
                steps.append(FinalRunes(seat))
        schedule(s, steps)


def opens_window(s: ChampionsTable, seat: int) -> bool:
    """CM-12.1 Return whether *seat* holds a rune that opens the window and keeps it open."""
    clan = s.clans[seat]
    if clan.runes >> GIFTS & 1 or clan.runes >> WEALTH & 1:
        return True
    return clan.runes >> SUCCESS & 1 == 1 and len(clan.destinies) > 0


@final
class FinishRunes(Command[ChampionsTable]):
    """CM-12.1 Use no further rune."""

    RULE = "CM-12.1"

    def __init__(self) -> None:
        pass

    def perform(self, s: ChampionsTable, seat: int) -> None:
        pass


@final
class FinalRunes(ChampionsDecision):
    """CM-12.1 Use any number of free runes, then be done."""

    RULE = "CM-12.1"
    answers_with = (FinishRunes, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return [FINISH_RUNES]

    def forced(self, s: ChampionsTable, legal: list[Command[Any]]) -> bool:
        return not opens_window(s, self.seat)


FINISH_RUNES: Final = FinishRunes()


@final
class FinalScoring(Step[ChampionsTable]):
    """CM-12.9 Score destinies, sets, runes, longship, favour, coins and blame (CM-12.2 to 12.8)."""

    RULE = "CM-12.9"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        scores: list[int] = []
        for seat in range(len(s.clans)):
            scores.extend(score_parts(s, seat))
        for seat in range(len(s.clans)):
            for destiny in s.clans[seat].destinies:
                reveal_destiny(s, seat, destiny)
                given = destiny_scores(s, seat, destiny)
                for other in range(len(given)):
                    scores[other * PARTS + PART_DESTINIES] += given[other]
        s.scores = scores
        for seat in range(len(s.clans)):
            parts = scores[seat * PARTS : (seat + 1) * PARTS]
            total = sum(parts[:PART_TOTAL])
            scores[seat * PARTS + PART_TOTAL] = total
            if s.journal is not None:
                s.journal.append(
                    Scored(
                        self.RULE,
                        seat,
                        parts[0],
                        parts[1],
                        parts[2],
                        parts[3],
                        parts[4],
                        parts[5],
                        parts[6],
                        parts[7],
                        total,
                        parts[9],
                    )
                )


def reveal_destiny(s: ChampionsTable, seat: int, destiny: int) -> None:
    """CM-16.1 Scoring reveals every destiny card."""
    clan = s.clans[seat]
    if not clan.shown >> destiny & 1:
        clan.shown |= 1 << destiny
        if s.journal is not None:
            s.journal.append(DestinyShown("CM-12.2", seat, destiny))


def score_parts(s: ChampionsTable, seat: int) -> list[int]:
    """Return the parts of a seat's final score, still without destinies and total."""
    clan = s.clans[seat]
    components = s.components
    runes = 0
    for rune in range(len(RUNES)):
        if (clan.runes | clan.runes_used) >> rune & 1:
            runes += components.rune_points[rune]
    favour = clan.favour
    if components.ability[clan.leader] == FAVOUR_SCORES:
        favour += clan.favour_spent
    return [
        clan.glory,
        0,
        sets_of(clan) * components.set_glory,
        runes,
        0 if clan.ship == NONE else components.ship_glory[clan.ship],
        favour * components.favour_glory,
        clan.goods[COINS] // components.coins_per_glory,
        -components.penalty[min(clan.blame, len(components.penalty) - 1)],
        0,
        enemies_of(clan),
    ]


SCORE_RULES: Final = (
    ("glory", "CM-12.9"),
    ("destinies_score", "CM-12.2"),
    ("sets", "CM-12.3"),
    ("runes_score", "CM-12.4"),
    ("longship", "CM-12.5"),
    ("favour", "CM-12.6"),
    ("coins", "CM-12.7"),
    ("blame", "CM-12.8"),
)
"""The parts that make up a total, in their order, and the rule of each."""


def score_lines(s: ChampionsTable) -> list[list[ScoreLine]]:
    """CM-12.9 Return the parts of each seat's final score; empty before the end."""
    return [
        [
            ScoreLine(part, rule, points)
            for (part, rule), points in zip(SCORE_RULES, s.scores[base:], strict=False)
        ]
        for base in range(0, len(s.scores), PARTS)
    ]


def standing(s: ChampionsTable, seat: int) -> tuple[int, int]:
    """CM-12.9 Return what decides the order of the seats at the end."""
    base = seat * PARTS
    return s.scores[base + PART_TOTAL], s.scores[base + PART_ENEMIES]


def result(s: ChampionsTable) -> Result | None:
    """CM-12.9 Return how the match ended, ``None`` while it goes on."""
    if not s.scores:
        return None
    seats = range(len(s.clans))
    standings = [standing(s, seat) for seat in seats]
    places = [1 + sum([1 for other in standings if other > own]) for own in standings]
    totals = [s.scores[seat * PARTS + PART_TOTAL] for seat in seats]
    return Result([place == 1 for place in places], places, totals, [REASON])
