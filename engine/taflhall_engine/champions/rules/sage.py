"""CM-5.10 The Sage's Hut: look at a journey, draw destinies, keep one."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.destinies import kept_in
from taflhall_engine.champions.effects import look_at_journey, place_worker, use_rune
from taflhall_engine.champions.events import DestiniesDrawn, DestinyKept
from taflhall_engine.champions.ids import (
    DESTINIES,
    EXTRA_DESTINY,
    NONE,
    SAGES_HUT,
    SHORES,
    TRUE_VISION,
)
from taflhall_engine.champions.rules.answers import (
    BAD_ARGUMENT,
    SPACE_OCCUPIED,
    FreeRune,
    Placing,
    taken,
)
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.rules.runes import RUNE_UNAVAILABLE
from taflhall_engine.champions.rules.ships import NO_SUCH_SHORE
from taflhall_engine.champions.table import ChampionsTable, in_play
from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.kernel.shared_lists import without

NOT_DRAWN: Final = Refusal("CM-5.10", "bad_argument")


VISION_CARDS: Final = 2


@final
class VisitSagesHut(Placing):
    """CM-5.10 Look at the face-down journey card of a shore, then draw a destiny card."""

    RULE = "CM-5.10"

    def __init__(self, shore: int) -> None:
        self.shore: Final = shore

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 1 <= self.shore <= SHORES or not in_play(s, self.shore):
            return NO_SUCH_SHORE
        return SPACE_OCCUPIED if taken(s, SAGES_HUT) else None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        place_worker(s, seat, SAGES_HUT, self.RULE)
        look_at_journey(s, seat, self.shore, self.RULE)
        count = cards_drawn(s, seat)
        vision = s.clans[seat].holds(TRUE_VISION) and len(s.destiny_deck) > count
        s.agenda.append(TrueVision(seat) if vision else DrawDestinies(seat, count))


def cards_drawn(s: ChampionsTable, seat: int) -> int:
    """CM-5.10 Return how many destinies *seat* draws: 1, and 1 more for Dagrun (CM-13.2)."""
    return 2 if s.components.ability[s.clans[seat].leader] == EXTRA_DESTINY else 1


@final
class UseTrueVision(Command[ChampionsTable]):
    """CM-14.11 True Vision: draw two destiny cards more, still keep only one; or not."""

    RULE = "CM-14.11"

    def __init__(self, use: bool) -> None:
        self.use: Final = use

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if self.use and not s.clans[seat].holds(TRUE_VISION):
            return RUNE_UNAVAILABLE
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        count = cards_drawn(s, seat)
        if self.use:
            use_rune(s, seat, TRUE_VISION, self.RULE)
            count += VISION_CARDS
        s.agenda.append(DrawDestinies(seat, count))


@final
class TrueVision(ChampionsDecision):
    """CM-14.11 Whether to draw two destiny cards more in this visit."""

    RULE = "CM-14.11"
    answers_with = (UseTrueVision, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return USE_TRUE_VISION[:] if s.clans[seat].holds(TRUE_VISION) else USE_TRUE_VISION[:1]


USE_TRUE_VISION: Final[list[Command[Any]]] = [UseTrueVision(False), UseTrueVision(True)]


@final
class DrawDestinies(Step[ChampionsTable]):
    """CM-5.10 (c) Draw destiny cards, but no more than the deck has."""

    RULE = "CM-5.10"

    def __init__(self, seat: int, count: int) -> None:
        self.seat: Final = seat
        self.count: Final = count

    def run(self, s: ChampionsTable) -> None:
        count = min(self.count, len(s.destiny_deck))
        if count == 0:
            return
        s.drawn = s.destiny_deck[:count]
        s.destiny_deck = s.destiny_deck[count:]
        s.destiny_log = [*s.destiny_log, self.seat, count, *s.drawn, NONE]
        if s.journal is not None:
            s.journal.append(DestiniesDrawn(self.RULE, self.seat, count, s.drawn[:]))
        s.agenda.append(KeepDestiny(self.seat))


@final
class KeepCard(Command[ChampionsTable]):
    """CM-5.10 Keep this destiny card; nobody else learns which it is."""

    RULE = "CM-5.10"
    SECRET = True

    def __init__(self, destiny: int) -> None:
        self.destiny: Final = destiny

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 0 <= self.destiny < len(DESTINIES):
            return BAD_ARGUMENT
        return None if self.destiny in s.drawn else NOT_DRAWN

    def perform(self, s: ChampionsTable, seat: int) -> None:
        clan = s.clans[seat]
        clan.destinies = [*clan.destinies, self.destiny]
        returned = without(s.drawn, self.destiny)
        s.destiny_deck = s.destiny_deck + returned
        s.drawn = []
        s.destiny_log = kept_in(s.destiny_log, self.destiny)
        if s.journal is not None:
            s.journal.append(DestinyKept(self.RULE, seat, self.destiny, len(returned)))


@final
class KeepDestiny(ChampionsDecision):
    """CM-5.10 (d) Keep one of the cards drawn; the others go under the deck as drawn."""

    RULE = "CM-5.10"
    answers_with = (KeepCard, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        return [KEEP_CARD[destiny] for destiny in s.drawn]


KEEP_CARD: Final = [KeepCard(destiny) for destiny in range(len(DESTINIES))]
