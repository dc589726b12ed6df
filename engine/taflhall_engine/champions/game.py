"""The game class of Champions of Midgard: all that the rest of the world asks of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, final

from taflhall_engine.champions import (
    describe,
    destinies,
    events,
    imagine,
    invariants,
    neutral,
    observe,
    rules,
    setup,
    table,
    view,
)
from taflhall_engine.champions.components_loader import read_components
from taflhall_engine.champions.ids import LABELS, MAX_SEATS, MIN_SEATS
from taflhall_engine.champions.rules import ending
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command, advance
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.components import by_kind, catalog, read_data
from taflhall_engine.kernel.game import Game, Result, ScoreLine, View
from taflhall_engine.kernel.rulebook import read_rulebook
from taflhall_engine.kernel.value import Value
from taflhall_engine.kernel.vocabulary import types_of

PACKAGE: Final = "taflhall_engine.champions"

REVEALS: Final = (
    # cards are turned up
    "EnemyAppeared",
    "MerchantArrived",
    "RuneTurnedUp",
    "RuneDrawn",
    "JourneyRevealed",
    # a seat looks at cards
    "DestinyDealt",
    "DestiniesDrawn",
    "JourneySeen",
    # a hidden destiny is played from, or scored
    "ActivateSuccess",
    "DestinyShown",
)
"""Events and commands that show what was hidden."""


@final
class Champions(Game):
    """Champions of Midgard with its box; *data* is an owner's folder with components.toml."""

    def __init__(self, data: Path | None = None) -> None:
        read = read_data(PACKAGE, data)
        self.tables = read.tables
        self.components = read.components(read_components)
        self.id = "champions"
        self.title = "Champions of Midgard"
        self.min_seats = MIN_SEATS
        self.max_seats = MAX_SEATS
        self.cooperative = False
        self.version = "1"
        self.setup_kind = setup.Setup
        self.setup_ranges = {"seats": (2, 4), "start_seat": (0, 3)}
        self.setup_rules = {
            "seats": "CM-3.1",
            "start_seat": "CM-3.1",
            "near_shores": "CM-9.1",
            "leftmost_shore": "CM-9.1",
            "hunting_workers": "CM-5.17",
            "destiny_ties": "CM-12.2",
        }
        self.types = types_of(table, events, *rules.MODULES, destinies, view)
        self.reveals = frozenset([self.types[name] for name in REVEALS])
        self.labels = {**LABELS, "ship": self.components.ship_ids}
        self.rulebook = read_rulebook(PACKAGE)
        self.catalog = catalog(read.tables)
        self.data_digest = read.digest
        self._kinds = by_kind(self.catalog)

    def new(self, setup_: Any, chance: Chance) -> ChampionsTable:
        faults = setup.faults_of(setup_)
        setups.refuse(self, setup_, faults)
        s = setup.lay_out(self.components, chance, setup_)
        advance(s)
        return s

    def table(self, chance: Chance, fields: dict[str, Any]) -> ChampionsTable:
        return ChampionsTable(self.components, chance, **fields)

    def seats(self, s: Any) -> int:
        return len(s.clans)

    def public(self, s: Any) -> Value:
        return observe.public(s)

    def private(self, s: Any, seat: int) -> Value:
        return observe.private(s, seat)

    def imagine(self, view_: View, chance: Chance) -> ChampionsTable:
        return imagine.imagine(self.components, view_, chance)

    def neutral(self, s: Any, seat: int) -> Command[Any]:
        return neutral.neutral(s, seat)

    def result(self, s: Any) -> Result | None:
        return ending.result(s)

    def reason_rule(self, reason: str) -> str:
        return "CM-12.9" if reason == ending.REASON else ""

    def score_lines(self, s: Any) -> list[list[ScoreLine]]:
        return ending.score_lines(s)

    def projected_lines(self, view: View) -> list[list[ScoreLine]]:
        return ending.projected_lines(self.imagine(view, FastChance(0)), view.seat)

    def faults(self, s: Any) -> list[str]:
        return invariants.faults_of(s)

    def details(self, value: Value, view: View | None) -> dict[str, Any]:
        return describe.details(self.components, self._kinds, value, view)
