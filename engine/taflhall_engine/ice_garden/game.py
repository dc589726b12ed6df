"""The Lord of the Ice Garden, as the service, the bots and the suites see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, final

from taflhall_engine.ice_garden import describe, rules, setup, table, view
from taflhall_engine.ice_garden.components import Components
from taflhall_engine.ice_garden.components_loader import read_components
from taflhall_engine.ice_garden.events import laying_out, pieces, tracks
from taflhall_engine.ice_garden.events import round as event_round
from taflhall_engine.ice_garden.ids import (
    ABILITIES,
    DEAD_SNOW,
    FACTIONS,
    FIELDS,
    FIGURES,
    KINDS,
    NONE,
    PIECES,
    POINTS,
    POWERS,
    REASONS,
    REGIONS,
    SIDES,
    SOLO_LEVELS,
    STATES,
    TARGETS,
    TILE_SETS,
    UNDECIDED,
    UNITS,
)
from taflhall_engine.ice_garden.imagine import imagine
from taflhall_engine.ice_garden.invariants import broken
from taflhall_engine.ice_garden.layout import start_table
from taflhall_engine.ice_garden.neutral import neutral
from taflhall_engine.ice_garden.observe import public
from taflhall_engine.ice_garden.rules import ending
from taflhall_engine.ice_garden.rules.ending import last_helm
from taflhall_engine.ice_garden.rules.setup import begin_setup
from taflhall_engine.ice_garden.setup import Setup, faults_of, options_of, order_of
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.ice_garden.view import PublicView
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.agenda import Command, Table, advance
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.components import by_kind, catalog, read_data
from taflhall_engine.kernel.game import Game, NpcResult, Result, ScoreLine, View
from taflhall_engine.kernel.rulebook import read_rulebook
from taflhall_engine.kernel.value import Value
from taflhall_engine.kernel.vocabulary import types_of

PACKAGE: Final = "taflhall_engine.ice_garden"

REVEALS: Final = ("TilesRevealed", "ThornPlaced")
"""Events that show what was hidden."""

LABELS: Final[dict[str, list[str]]] = {
    "faction": FACTIONS,
    "factions": FACTIONS,
    "npc": FACTIONS,
    "order": FACTIONS,
    "victim": FACTIONS,
    "winners": FACTIONS,
    "region": REGIONS,
    "reserves": REGIONS,
    "other_region": REGIONS,
    "to": REGIONS,
    "kind": KINDS,
    "other_kind": KINDS,
    "gained": KINDS,
    "ability": ABILITIES,
    "other_ability": ABILITIES,
    "replaced": ABILITIES,
    "power": POWERS,
    "unit": UNITS,
    "crossed": FIGURES,
    "figure": FIGURES,
    "piece": PIECES,
    "target": TARGETS,
    "field": FIELDS,
    "vuko_tiles": TILE_SETS,
    "vuko_sides": SIDES,
    "sides": SIDES,
    "state": STATES,
    "reason": REASONS,
    "solo_level": SOLO_LEVELS,
}


@final
class IceGarden(Game):
    """The Lord of the Ice Garden with the component data of one box."""

    def __init__(self, folder: Path | None = None) -> None:
        data = read_data(PACKAGE, folder)
        self.tables: Final[dict[str, Any]] = data.tables
        self.components: Final[Components] = data.components(read_components)
        self.id = "ice_garden"
        self.title = "The Lord of the Ice Garden"
        self.min_seats = 1
        self.max_seats = 4
        self.cooperative = False
        self.version = "2"
        self.setup_kind = Setup
        last_tile = max([max(tiles, default=0) for tiles in self.components.tile_sets])
        self.setup_ranges = {
            "seats": (1, 4),
            "edition": (1, 2),
            "vuko_layout": (0, last_tile),
            "start_order": (0, 3),
        }
        self.setup_rules = {
            "seats": "IG-1.5",
            "edition": "IG-1.1",
            "advanced_order_tokens": "IG-5.2",
            "vuko_tiles": "IG-15.1",
            "vuko_layout": "IG-3.11",
            "vuko_sides": "IG-3.11",
            "start_order": "IG-3.3",
            "factions": "IG-3.1",
            "solo_level": "IG-16.3",
            "npc": "IG-16.1",
        }
        self.types = types_of(
            setup, table, view, laying_out, pieces, event_round, tracks, *rules.MODULES
        )
        self.reveals = frozenset([self.types[name] for name in REVEALS])
        self.labels = LABELS
        self.rulebook = read_rulebook(PACKAGE)
        self.catalog = catalog(data.tables)
        self._vuko_tiles: Final = by_kind(self.catalog)["vuko_tile"]
        self.data_digest = data.digest

    def new(self, setup: Any, chance: Chance) -> Table:
        """IG-3 Set up a match; raise :exc:`InvalidSetup` with all faults (IG-1.14)."""
        assert isinstance(setup, Setup)
        faults = faults_of(self.components, setup)
        setups.refuse(self, setup, faults)
        options = options_of(self.components, setup, chance)
        order = order_of(setup, options, chance)
        s = start_table(self.components, chance, options, order)
        begin_setup(s)
        advance(s)
        return s

    def table(self, chance: Chance, fields: dict[str, Any]) -> Table:
        return IceGardenTable(self.components, chance, **fields)

    def seats(self, s: Any) -> int:
        assert isinstance(s, IceGardenTable)
        return len(s.options.factions)

    def public(self, s: Any) -> Value:
        assert isinstance(s, IceGardenTable)
        return public(s)

    def private(self, s: Any, seat: int) -> Value:
        return view.NOTHING_PRIVATE

    def imagine(self, view: View, chance: Chance) -> Table:
        assert isinstance(view.public, PublicView)
        return imagine(self.components, view.public, chance)

    def withdraw(self, s: Any, seat: int) -> None:
        """IG-13.7 A player who has resigned gets no bonus."""
        assert isinstance(s, IceGardenTable)
        s.withdrawn |= 1 << s.options.factions[seat]

    def neutral(self, s: Any, seat: int) -> Command[Any]:
        assert isinstance(s, IceGardenTable)
        return neutral(s, seat)

    def result(self, s: Any) -> Result | None:
        """IG-14.6 The winners share place 1; the others follow by what decided."""
        assert isinstance(s, IceGardenTable)
        if s.reason == UNDECIDED:
            return None
        values = s.final_reputation if s.reason == DEAD_SNOW and s.final_reputation else s.vp
        won = [faction in s.winners for faction in s.options.factions]
        places = []
        for seat, faction in enumerate(s.options.factions):
            ahead = len(s.winners)
            for other in s.options.factions:
                if other not in s.winners and values[other] > values[faction]:
                    ahead += 1
            places.append(1 if won[seat] else ahead + 1)
        reasons = [REASONS[s.reason]]
        if s.reason == POINTS and last_helm(s):
            reasons.append("last_helm")
        scores = [s.vp[faction] for faction in s.options.factions]
        return Result(won, places, scores, reasons, _npc(s, s.options.npc in s.winners))

    def npc_alone(self, s: Any) -> NpcResult | None:
        assert isinstance(s, IceGardenTable)
        return _npc(s, won=True)

    def reason_rule(self, reason: str) -> str:
        return ending.REASON_RULES.get(reason, "")

    def score_lines(self, s: Any) -> list[list[ScoreLine]]:
        assert isinstance(s, IceGardenTable)
        return ending.score_lines(s)

    def projected_lines(self, view: View) -> list[list[ScoreLine]]:
        s = self.imagine(view, FastChance(0))
        assert isinstance(s, IceGardenTable)
        return ending.projected_lines(s)

    def faults(self, s: Any) -> list[str]:
        assert isinstance(s, IceGardenTable)
        return broken(s)

    def details(self, value: Value, view: View | None) -> dict[str, Any]:
        return describe.details(self.components, self._vuko_tiles, value, view)


def _npc(s: IceGardenTable, won: bool) -> NpcResult | None:
    """IG-14.6 The points of the NPC belong to the result."""
    npc = s.options.npc
    return None if npc == NONE else NpcResult(FACTIONS[npc], won, s.vp[npc])
