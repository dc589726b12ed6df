"""Yggdrasil as a :class:`Game`, for the service, the bots and the suites."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, final

from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command, advance, options
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.components import catalog, read_data
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.rulebook import read_rulebook
from taflhall_engine.kernel.value import Value
from taflhall_engine.kernel.vocabulary import types_of
from taflhall_engine.yggdrasil import describe, events, invariants, observe, setup, view
from taflhall_engine.yggdrasil.components_loader import read_components
from taflhall_engine.yggdrasil.ids import GOD_COUNT, GOES_ON, LABELS, REASONS, VICTORY
from taflhall_engine.yggdrasil.imagine import imagine
from taflhall_engine.yggdrasil.rules import MODULES
from taflhall_engine.yggdrasil.rules.actions import END_TURN, ChooseAction
from taflhall_engine.yggdrasil.rules.powers import APPEASE
from taflhall_engine.yggdrasil.setup import Setup, lay_out, setup_faults
from taflhall_engine.yggdrasil.table import YggdrasilTable

PACKAGE = "taflhall_engine.yggdrasil"

REVEALS: Final = (
    "CardDrawn",
    "CardsShown",
    "GiantRevealed",
    "GiantDefeated",
    "BagSearched",
    "BagCleaned",
    "VikingsLost",
)
"""Events that show what was hidden."""


@final
class Yggdrasil(Game):
    """Yggdrasil with its own component data, or with that of the folder *data*."""

    def __init__(self, data: Path | None = None) -> None:
        read = read_data(PACKAGE, data)
        self.id = "yggdrasil"
        self.title = "Yggdrasil"
        self.min_seats = 1
        self.max_seats = GOD_COUNT
        self.cooperative = True
        self.version = "3"
        self.setup_kind = Setup
        self.setup_ranges = {"seats": (1, 6), "furious": (0, 6), "ragnarok": (0, 4)}
        self.setup_rules = {
            "gods": "YG-2.1",
            "seats": "YG-2.1",
            "furious": "YG-2.5",
            "furious_enemies": "YG-2.5",
            "ragnarok": "YG-2.5",
            "spread_evenly": "YG-2.6",
            "bag_inspection": "YG-13.3",
            "thor_without_die": "YG-16.11",
        }
        self.types = types_of(*MODULES, events, setup, view)
        self.reveals = frozenset([self.types[name] for name in REVEALS])
        self.labels = LABELS
        self.rulebook = read_rulebook(PACKAGE)
        self.catalog = catalog(read.tables)
        self.data_digest = read.digest
        self.components = read.components(read_components)

    def new(self, setup: Any, chance: Chance) -> YggdrasilTable:
        faults = setup_faults(self.components, setup)
        setups.refuse(self, setup, faults)
        s = lay_out(self.components, setup, chance)
        advance(s)
        return s

    def table(self, chance: Chance, fields: dict[str, Any]) -> YggdrasilTable:
        return YggdrasilTable(components=self.components, chance=chance, **fields)

    def seats(self, s: Any) -> int:
        return len(s.gods)

    def public(self, s: Any) -> Value:
        return observe.public(s)

    def private(self, s: Any, seat: int) -> Value:
        return view.PRIVATE

    def imagine(self, v: View, chance: Chance) -> YggdrasilTable:
        assert isinstance(v.public, view.PublicView)
        return imagine(self.components, v.public, chance)

    def neutral(self, s: Any, seat: int) -> Command[Any]:
        """YG-14.8 Appease or end the turn; anywhere else the first option."""
        if isinstance(s.agenda[-1], ChooseAction):
            return APPEASE if s.fenrir_card >= 0 else END_TURN
        return options(s, seat)[0]

    def result(self, s: Any) -> Result | None:
        """YG-11 The gods win or lose together; there is no score (YG-11.6)."""
        if s.outcome == GOES_ON:
            return None
        won = s.outcome == VICTORY
        seats = len(s.gods)
        place = 1 if won else 2
        return Result([won] * seats, [place] * seats, [], [REASONS[reason] for reason in s.reasons])

    def reason_rule(self, reason: str) -> str:
        return "YG-11.2" if reason in REASONS else ""

    def faults(self, s: Any) -> list[str]:
        return invariants.faults(s)

    def details(self, value: Value, view: View | None) -> dict[str, Any]:
        return describe.details(self.components, value, view)
