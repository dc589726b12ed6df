"""What a search knows about Yggdrasil: how to play, and chances fitted to matches.

It plays as the heuristic bot does, with weights of its own, which were tuned by far more matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import preferred
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.bots.yggdrasil_chances import chance
from taflhall_client.bots.yggdrasil_evaluation import Scale, Sense
from taflhall_client.bots.yggdrasil_plan import Plan
from taflhall_client.bots.yggdrasil_weights import TUNED, WEIGHTS
from taflhall_engine.kernel.agenda import Command, Waiting, waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.table import YggdrasilTable
from taflhall_engine.yggdrasil.view import PublicView

Option = Command[Any]

WARMTH: Final = 0.6
"""By how much better an action must seem to be e times as likely."""
AHEAD: Final = 1
"""Commands that a rollout takes at least, before it ends with a turn."""
LAST_TURNS: Final = 6
"""While at most this many turns follow, a rollout continues to the end of the match."""


class Knowledge:
    """Searches actions and choices; its rollouts end with a turn, the last ones with the match."""

    trusted = True
    exploration = 0.12
    certainty = 2.0

    def __init__(self, game: Game) -> None:
        self._game: Final = game
        self._bot: Final = Heuristic(game, weights=TUNED)
        components: Components = game.components  # type: ignore[attr-defined]
        self._scale: Final = Scale(components, TUNED)
        self._chances_scale: Final = Scale(components, WEIGHTS)
        """With the weights to which the chances were fitted."""

    def searches(self, step: Waiting[Any]) -> bool:
        return True

    def prior(self, s: YggdrasilTable, seat: int, legal: Sequence[Option]) -> list[float]:
        if type(waiting(s)).__name__ != "ChooseAction":
            return preferred(legal, self.play(s, seat, legal, s.chance), 0.6)
        plan = Plan(self._sense(self._scale, s, seat))
        worths = [plan.worth(option) for option in legal]
        most = max(worths)
        return [exp(max(-6.0, (worth - most) / WARMTH)) + 0.01 for worth in worths]

    def play(self, s: YggdrasilTable, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        top = waiting(s)
        assert top is not None
        return self._bot.choose(self._game.view(s, seat), Decision.of(seat, top, list(legal)))

    def rests(self, s: YggdrasilTable, since: Waiting[Any], plies: int) -> bool:
        if plies < AHEAD or s.actions_used or len(s.deck) + s.daeg <= LAST_TURNS:
            return False
        return type(waiting(s)).__name__ == "ChooseAction"

    def values(self, s: YggdrasilTable) -> list[float]:
        seats = len(s.gods)
        result = self._game.result(s)
        if result is not None:
            return [float(won) for won in result.won]
        return [chance(self._sense(self._chances_scale, s, s.active))] * seats

    def _sense(self, scale: Scale, s: YggdrasilTable, seat: int) -> Sense:
        public = self._game.public(s)
        assert isinstance(public, PublicView)
        return Sense(scale, public, seat)
