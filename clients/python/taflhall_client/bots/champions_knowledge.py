"""What a search knows about Champions of Midgard: the heuristic bot's plans and values."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.champions import Heuristic
from taflhall_client.bots.champions_evaluation import (
    ROUNDS,
    RUNE,
    WORKER,
    Places,
)
from taflhall_client.bots.champions_odds import FightOdds
from taflhall_client.bots.champions_plan import COIN, FAVOUR, FOOD, WOOD
from taflhall_client.bots.champions_position import Position
from taflhall_client.bots.knowledge import preferred, shares, values_of
from taflhall_engine.champions.ids import COINS, NONE
from taflhall_engine.champions.ids import FOOD as FOOD_INDEX
from taflhall_engine.champions.ids import WOOD as WOOD_INDEX
from taflhall_engine.champions.rules.ending import score_of
from taflhall_engine.champions.scoring import bits, destiny_scores
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Waiting, waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game

Option = Command[Any]

PLACING: Final = frozenset({"PlaceWorker"})
SEARCHED: Final = frozenset({"PlaceWorker", "KeepDestiny", "ChooseLeader", "KeepWarriors"})
WARMTH: Final = 1.2
"""By how much better a placement must seem to be e times as likely."""
LEAD: Final = 3.0
LEAD_ROUND: Final = 2.0
"""The lead in points that makes a seat e times as likely to win: at the end, and each round."""


class Knowledge:
    """Searches placements and cards; plans of fights and casualties are the bot's."""

    trusted = False
    exploration = 0.6
    certainty = 0.0

    def __init__(self, game: Game) -> None:
        self._game: Final = game
        self._components: Final = game.components  # type: ignore[attr-defined]
        self._bot: Final = Heuristic(game)
        self._odds: Final[dict[int, FightOdds]] = {}

    def searches(self, step: Waiting[Any]) -> bool:
        return type(step).__name__ in SEARCHED

    def prior(self, s: ChampionsTable, seat: int, legal: Sequence[Option]) -> list[float]:
        top = waiting(s)
        if type(top).__name__ not in PLACING:
            return preferred(legal, self.play(s, seat, legal, s.chance), 0.8)
        places = Places(self._position(s, seat))
        worths = [max(-20.0, places.worth(option)) for option in legal]
        most = max(worths)
        return [exp((worth - most) / WARMTH) + 0.002 for worth in worths]

    def play(self, s: ChampionsTable, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        top = waiting(s)
        assert top is not None
        return self._bot.choose(self._game.view(s, seat), Decision.of(seat, top, list(legal)))

    def rests(self, s: ChampionsTable, since: Waiting[Any], plies: int) -> bool:
        return type(waiting(s)).__name__ not in PLACING or plies >= 24

    def values(self, s: ChampionsTable) -> list[float]:
        seats = range(len(s.clans))
        if s.scores:
            return values_of(self._game.result(s), len(s.clans))
        potentials = [self._potential(s, seat) for seat in seats]
        return shares(potentials, LEAD + LEAD_ROUND * (ROUNDS - s.round))

    def _position(self, s: ChampionsTable, seat: int) -> Position:
        leader = s.clans[seat].leader
        odds = self._odds.get(leader)
        if odds is None:
            odds = self._odds[leader] = FightOdds(self._components, leader)
        return Position(self._components, self._game.view(s, seat), seat, waiting(s), odds)

    def _potential(self, s: ChampionsTable, seat: int) -> float:
        """Return the score that *seat* may expect, but for what all seats expect alike."""
        clan = s.clans[seat]
        components = self._components
        left = ROUNDS - s.round
        destinies = 0.0
        for destiny in clan.destinies:
            destinies += destiny_scores(s, seat, destiny)[seat]
        worth = float(score_of(s, seat, 0).total) + destinies * (1.0 - 0.08 * left)
        places = Places(self._position(s, seat))
        planner = places.at.planner
        worth += places.base
        for kind in range(3):
            worth += planner.values[kind] * clan.warriors[kind]
        late = 0.2 if left == 0 else 1.0
        worth += late * FOOD * min(clan.goods[FOOD_INDEX], 5) + late * WOOD * clan.goods[WOOD_INDEX]
        worth += (COIN if left else 0.0) * clan.goods[COINS]
        worth += (FAVOUR - components.favour_glory) * late * 0.5 * clan.favour
        worth += WORKER * left * (clan.workers + clan.hut)
        worth += RUNE * min(1.0, left / 4) * bits(clan.runes)
        worth += 0.3 * left * (clan.ship != NONE)
        return float(worth)
