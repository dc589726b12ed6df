"""What a search knows about The Lord of the Ice Garden: the heuristic bot's plans and values."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.ice_garden import MARGIN, Heuristic
from taflhall_client.bots.ice_garden_evaluation import worth
from taflhall_client.bots.knowledge import shares, values_of
from taflhall_engine.ice_garden.ids import NONE
from taflhall_engine.ice_garden.influence import human
from taflhall_engine.ice_garden.rules.answers import Done, Forgo
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Waiting, waiting
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.game import Game

Option = Command[Any]

PLANNED: Final = frozenset(
    {"PlanMarker", "InitiativeMove", "UseAbility", "OrderToken", "SetupTile"}
)
"""Decisions that the bot's rules of thumb answer."""
UNFINISHED: Final = frozenset(
    {"MStep", "UpgradeChoice", "SummonChoice", "SummonPlace", "MountainPiece", "AttackHit"}
)
"""Decisions at which something has been paid that brings its worth only later."""
WARMTH: Final = 1.5
"""By how much better an option must seem at once to be e times as likely."""
LEAD: Final = 12.0
"""The lead in worth that makes a seat e times as likely to win."""
TRIED: Final = 1
"""The seed of the chance with which options are tried."""


class Knowledge:
    """Searches actions; planning and initiative are the bot's."""

    trusted = True
    exploration = 0.12
    certainty = 0.0

    def __init__(self, game: Game) -> None:
        self._game: Final = game
        self._bot: Final = Heuristic(game)

    def searches(self, step: Waiting[Any]) -> bool:
        return type(step).__name__ not in PLANNED

    def prior(self, s: IceGardenTable, seat: int, legal: Sequence[Option]) -> list[float]:
        name = type(waiting(s)).__name__
        if name in PLANNED:
            choice = self.play(s, seat, legal, s.chance)
            return [1.0 if option == choice else 0.05 for option in legal]
        worths = self._worths(s, seat, legal)
        most = max(worths)
        return [exp(max(-8.0, (value - most) / WARMTH)) + 0.02 for value in worths]

    def _worths(self, s: IceGardenTable, seat: int, legal: Sequence[Option]) -> list[float]:
        """Return what the table is worth to *seat* right after each option."""
        me, name = s.options.factions[seat], type(waiting(s)).__name__
        worths = []
        for option in legal:
            value = worth(tried(s, seat, option), me)
            if isinstance(option, Done | Forgo):
                value += MARGIN.get(name, 0.05)
            worths.append(value)
        return worths

    def play(self, s: IceGardenTable, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        top = waiting(s)
        assert top is not None
        if type(top).__name__ in UNFINISHED:
            worths = self._worths(s, seat, legal)
            return legal[worths.index(max(worths))]
        return self._bot.choose(self._game.view(s, seat), Decision.of(seat, top, list(legal)))

    def rests(self, s: IceGardenTable, since: Waiting[Any], plies: int) -> bool:
        """Rest between actions: in the midst of one its price counts, but not what it brings."""
        name = type(waiting(s)).__name__
        return (name not in PLANNED and name not in UNFINISHED) or plies > 24

    def values(self, s: IceGardenTable) -> list[float]:
        factions = s.options.factions
        if s.options.npc != NONE:
            return [1.0 / (1.0 + exp(-worth(s, human(s)) / 30.0))]
        if s.reason:
            return values_of(self._game.result(s), len(factions))
        return shares([worth(s, faction) for faction in factions], LEAD)


def tried(s: IceGardenTable, seat: int, option: Option) -> IceGardenTable:
    """Return the table after *option*, before anything else happens, with another chance."""
    t = s.copy()
    t.chance = FastChance(TRIED)
    top = t.agenda.pop()
    assert isinstance(top, Waiting)
    top.resolve(t, seat, option)
    return t
