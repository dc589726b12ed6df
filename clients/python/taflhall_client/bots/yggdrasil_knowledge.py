"""What a search knows about Yggdrasil: the heuristic bot's play, and chances fitted to matches.

The value of a table is the chance that the gods win when the heuristic bot plays on: a logistic
regression over 64,000 turns of 1,500 of its matches (one to five gods, with and without furious
enemies and Ragnarok cards), which explains a quarter of the variance of the outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import preferred
from taflhall_client.bots.yggdrasil import Heuristic
from taflhall_client.bots.yggdrasil_evaluation import WEIGHTS, Scale, Sense
from taflhall_client.bots.yggdrasil_plan import Plan
from taflhall_engine.kernel.agenda import Command, Waiting, waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game
from taflhall_engine.yggdrasil.table import YggdrasilTable
from taflhall_engine.yggdrasil.view import PublicView

Option = Command[Any]

WARMTH: Final = 0.6
"""By how much better an action must seem to be e times as likely."""
RUNE_SET: Final = 4
"""Runes of a kind that have an effect together."""
AHEAD: Final = 1
"""Commands that a rollout takes at least, before it ends with a turn."""
NEVER_MIND: Final = 40.0
"""Danger beyond this makes no difference."""

CHANCES: Final[dict[str, tuple[float, float, float]]] = {
    "one": (1.0, 2.005, 0.691),
    "steps": (40.0, -0.329, 0.249),
    "height": (30.0, -0.761, 0.0),
    "danger": (20.0, -1.251, -0.923),
    "gate": (1.0, -0.123, 0.0),
    "wall": (4.0, -0.593, 0.0),
    "strength": (40.0, -0.209, -0.502),
    "vikings": (8.0, 0.583, 0.177),
    "elves": (5.0, 1.411, 0.302),
    "weapons": (6.0, 0.261, -0.109),
    "best_weapons": (6.0, 0.255, 0.0),
    "vanir": (5.0, 0.77, 0.0),
    "runes": (10.0, 2.152, 0.721),
    "rune_sets": (2.0, -0.096, 0.0),
    "giants": (5.0, -0.06, -0.013),
    "no_powers": (1.0, -0.077, 0.0),
    "no_die": (1.0, -0.676, 0.0),
    "blocked": (2.0, -0.291, 0.0),
    "fenrir_angry": (1.0, -0.042, 0.0),
    "seats": (5.0, -0.969, -1.044),
    "squares": (150.0, -0.863, -0.564),
}
"""By feature: its unit, its weight, and the weight of its product with the turns left over 60."""


class Knowledge:
    """Searches actions and choices; its rollouts end with a turn."""

    trusted = True
    exploration = 0.12

    def __init__(self, game: Game) -> None:
        self._game: Final = game
        self._bot: Final = Heuristic(game)
        self._scale: Final = Scale(game.components, WEIGHTS)  # type: ignore[attr-defined]

    def searches(self, step: Waiting[Any]) -> bool:
        return True

    def prior(self, s: YggdrasilTable, seat: int, legal: Sequence[Option]) -> list[float]:
        if type(waiting(s)).__name__ != "ChooseAction":
            return preferred(legal, self.play(s, seat, legal, s.chance), 0.6)
        plan = Plan(self._sense(s, seat))
        worths = [plan.worth(option) for option in legal]
        most = max(worths)
        return [exp(max(-6.0, (worth - most) / WARMTH)) + 0.01 for worth in worths]

    def play(self, s: YggdrasilTable, seat: int, legal: Sequence[Option], rng: Chance) -> Option:
        top = waiting(s)
        assert top is not None
        return self._bot.choose(self._game.view(s, seat), Decision.of(seat, top, list(legal)))

    def rests(self, s: YggdrasilTable, since: Waiting[Any], plies: int) -> bool:
        top = waiting(s)
        return plies >= AHEAD and type(top).__name__ == "ChooseAction" and s.actions_used == 0

    def values(self, s: YggdrasilTable) -> list[float]:
        seats = len(s.gods)
        result = self._game.result(s)
        if result is not None:
            return [float(won) for won in result.won]
        return [chance(self._sense(s, s.active))] * seats

    def _sense(self, s: YggdrasilTable, seat: int) -> Sense:
        public = self._game.public(s)
        assert isinstance(public, PublicView)
        return Sense(self._scale, public, seat)


def chance(sense: Sense) -> float:
    """Return how likely the gods win from the beginning of a turn."""
    left = sense.turns / 60
    total = 0.0
    for name, value in features(sense).items():
        unit, weight, early = CHANCES[name]
        total += value / unit * (weight + early * left)
    return 1.0 / (1.0 + exp(-total))


def features(sense: Sense) -> dict[str, float]:
    """Return what the value of a table is made of."""
    v, components = sense.v, sense.components
    holdings = v.holdings
    seats = len(holdings)
    weapons = [holding.weapons for holding in holdings]
    return {
        "one": 1.0,
        "steps": sum(sense.advances),
        "height": sum([sense.height[space] for space in v.enemies]),
        "danger": min(NEVER_MIND, sense.danger(v.enemies)),
        "gate": sum([space >= components.gate_from for space in v.enemies]),
        "wall": sum([space >= components.wall_from for space in v.enemies]),
        "strength": sum(v.strengths),
        "vikings": sum([holding.vikings for holding in holdings]) / seats,
        "elves": sum([holding.elves for holding in holdings]) / seats,
        "weapons": sum([sum(own) for own in weapons]) / seats,
        "best_weapons": sum([max(own) for own in zip(*weapons, strict=True)]),
        "vanir": v.vanir,
        "runes": sum(v.runes),
        "rune_sets": sum([count >= RUNE_SET for count in v.runes]),
        "giants": len(v.giants_active),
        "no_powers": not v.powers_active,
        "no_die": v.die_blocked,
        "blocked": len(v.blocked_worlds),
        "fenrir_angry": v.fenrir_card >= 0,
        "seats": seats,
        "squares": sum([space * space for space in v.enemies]),
    }
