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
from taflhall_engine.champions.view import Score
from taflhall_engine.kernel.agenda import SPECTATOR, Command, Step, schedule
from taflhall_engine.kernel.game import Result, ScoreLine

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
    if clan.holds(GIFTS) or clan.holds(WEALTH):
        return True
    return clan.holds(SUCCESS) and len(clan.destinies) > 0


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
        seats = range(len(s.clans))
        for seat in seats:
            for destiny in s.clans[seat].destinies:
                reveal_destiny(s, seat, destiny)
        s.scores = scores_now(s, SPECTATOR)
        if s.journal is not None:
            for seat in seats:
                score = s.scores[seat]
                s.journal.append(
                    Scored(
                        self.RULE,
                        seat,
                        score.glory,
                        score.destinies_score,
                        score.sets,
                        score.runes_score,
                        score.longship,
                        score.favour,
                        score.coins,
                        score.blame,
                        score.total,
                        score.enemies,
                    )
                )


def reveal_destiny(s: ChampionsTable, seat: int, destiny: int) -> None:
    """CM-16.1 Scoring reveals every destiny card."""
    clan = s.clans[seat]
    if not clan.shown >> destiny & 1:
        clan.shown |= 1 << destiny
        if s.journal is not None:
            s.journal.append(DestinyShown("CM-12.2", seat, destiny))


def scores_now(s: ChampionsTable, viewer: int) -> list[Score]:
    """CM-12.9 Return each seat's score if it were counted now.

    Destinies count as far as *viewer* knows them: its own, and those that have been shown.
    """
    seats = range(len(s.clans))
    destinies = [0 for _ in seats]
    for seat in seats:
        clan = s.clans[seat]
        for destiny in clan.destinies:
            if seat == viewer or clan.shown >> destiny & 1:
                given = destiny_scores(s, seat, destiny)
                for other in seats:
                    destinies[other] += given[other]
    return [score_of(s, seat, destinies[seat]) for seat in seats]


def score_of(s: ChampionsTable, seat: int, destinies: int) -> Score:
    """CM-12.9 Return a seat's final score; *destinies* is what its cards brought (CM-12.2)."""
    clan = s.clans[seat]
    components = s.components
    sets = sets_of(clan) * components.set_glory
    runes = 0
    for rune in range(len(RUNES)):
        if (clan.runes | clan.runes_used) >> rune & 1:
            runes += components.rune_points[rune]
    longship = 0 if clan.ship == NONE else components.ship_glory[clan.ship]
    favour = clan.favour
    if components.ability[clan.leader] == FAVOUR_SCORES:
        favour += clan.favour_spent
    favour *= components.favour_glory
    coins = clan.goods[COINS] // components.coins_per_glory
    blame = -components.penalty[min(clan.blame, len(components.penalty) - 1)]
    total = clan.glory + destinies + sets + runes + longship + favour + coins + blame
    return Score(
        clan.glory,
        destinies,
        sets,
        runes,
        longship,
        favour,
        coins,
        blame,
        total,
        enemies_of(clan),
    )


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
    return [lines_of(score) for score in s.scores]


def lines_of(score: Score) -> list[ScoreLine]:
    """Return the parts of a score."""
    return [ScoreLine(part, rule, getattr(score, part)) for part, rule in SCORE_RULES]


def projected_lines(s: ChampionsTable, viewer: int) -> list[list[ScoreLine]]:
    """CM-12 Return the parts of each seat's score if it were counted now, as *viewer* knows it."""
    return [lines_of(score) for score in s.scores or scores_now(s, viewer)]


def result(s: ChampionsTable) -> Result | None:
    """CM-12.9 Return the result, ``None`` before the end; enemy cards break ties."""
    if not s.scores:
        return None
    standings = [(score.total, score.enemies) for score in s.scores]
    places = [1 + sum([1 for other in standings if other > own]) for own in standings]
    totals = [score.total for score in s.scores]
    return Result([place == 1 for place in places], places, totals, [REASON])
