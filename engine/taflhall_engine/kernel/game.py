"""The interface of a game: the one class that the service, the bots and the suites use.

A game is made from its component data, so two matches may be played with different boxes
(an owner may replace reconstructed numbers by printed ones). It holds no match: every
method takes the table or the view it is about.
"""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Command, Table, waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.rulebook import Rulebook
from taflhall_engine.kernel.value import Value


@final
class Fault(Value):
    """One thing that is wrong with a setup: where, and a stable code; the game has a text for it.

    *found* is the value there, as :mod:`~taflhall_engine.kernel.setups` writes it, *allowed* are
    the valid words, if the fault is that it is not one of them.
    """

    def __init__(self, field: str, code: str, found: str = "", allowed: str = "") -> None:
        self.field: Final = field
        self.code: Final = code
        self.found: Final = found
        self.allowed: Final = allowed

    def __str__(self) -> str:
        found = f", found {self.found}" if self.found else ""
        return f"{self.field}: {self.code}{found}"


class InvalidSetup(Exception):
    """A setup that makes no match of *game*; *faults* names every fault at once."""

    def __init__(self, game: Game, faults: list[Fault]) -> None:
        super().__init__("; ".join([str(fault) for fault in faults]))
        self.game: Final = game
        self.faults: Final = faults


@final
class View(Value):
    """The view of one seat (or a spectator): the public part and the seat's private part."""

    def __init__(self, seat: int, public: Value, private: Value) -> None:
        self.seat: Final = seat
        self.public: Final = public
        self.private: Final = private


@final
class NpcResult(Value):
    """How a match ended for the player that the rules play: it has a name, but no seat."""

    def __init__(self, name: str, won: bool, score: int) -> None:
        self.name: Final = name
        self.won: Final = won
        self.score: Final = score


@final
class Result(Value):
    """How a match ended, seat by seat.

    *places* counts from 1 and ties share a place; a team that loses together shares place 2.
    *scores* is empty in a game without points. *reasons* are stable words of the game. A solo
    game against an automatic opponent names it in *npc*.
    """

    def __init__(
        self,
        won: list[bool],
        places: list[int],
        scores: list[int],
        reasons: list[str],
        npc: NpcResult | None = None,
    ) -> None:
        self.won: Final = won
        self.places: Final = places
        self.scores: Final = scores
        self.reasons: Final = reasons
        self.npc: Final = npc


@final
class ScoreLine(Value):
    """A part of a seat's score: a stable word of the game, the rule that gives it, its points."""

    def __init__(self, id: str, rule: str, points: int) -> None:
        self.id: Final = id
        self.rule: Final = rule
        self.points: Final = points


class Game:
    """A game with its components. Subclasses fill in everything below."""

    id: str
    """Lower-case identifier, the same in engine, contract, command line and data."""
    title: str
    min_seats: int
    max_seats: int
    cooperative: bool
    """All seats win or lose together."""
    version: str
    """Version of the rules: raised when behaviour changes, never for refactoring."""
    setup_kind: type
    """The class of this game's setup: a :class:`Value` whose parameters all have defaults."""
    setup_ranges: dict[str, tuple[int, int]]
    """For each field of the setup that holds plain numbers: the least and the greatest."""
    setup_rules: dict[str, str]
    """For each field of the setup: the number of the rule that explains it."""
    types: dict[str, type]
    """Every class that a snapshot, an agenda, a journal or a view of this game may name."""
    reveals: frozenset[type]
    """Events, and open commands, that reveal hidden information."""
    labels: dict[str, list[str]]
    """For a field that holds a small number with a name: the names, by number."""
    rulebook: Rulebook
    catalog: list[Component]
    """The components of the game, piece by piece, for people to look up."""
    data_digest: str
    """SHA-256 of the component data, in hex: a record names the data it was played with."""

    def new(self, setup: Any, chance: Chance) -> Table:
        """Set up a match and continue to its first decision, or raise :exc:`InvalidSetup`."""
        raise NotImplementedError

    def table(self, chance: Chance, fields: dict[str, Any]) -> Table:
        """Build a table from its fields by name, as a snapshot holds them."""
        raise NotImplementedError

    def seats(self, s: Any) -> int:
        """Return how many seats the table has."""
        raise NotImplementedError

    def public(self, s: Any) -> Value:
        """Return what everybody may know."""
        raise NotImplementedError

    def private(self, s: Any, seat: int) -> Value:
        """Return what only *seat* may know; an empty value for spectators."""
        raise NotImplementedError

    def imagine(self, view: View, chance: Chance) -> Table:
        """Return a random table that agrees with *view*; its random numbers come from *chance*."""
        raise NotImplementedError

    def withdraw(self, s: Any, seat: int) -> None:
        """Note on the table that *seat* no longer plays, where a rule asks for it."""

    def neutral(self, s: Any, seat: int) -> Command[Any]:
        """Return the harmless answer that the rules give for an absent seat."""
        raise NotImplementedError

    def result(self, s: Any) -> Result | None:
        """Return how the match ended, or ``None`` before its end."""
        raise NotImplementedError

    def npc_alone(self, s: Any) -> NpcResult | None:
        """Return the player that the rules play as the winner of a match that all seats have left.

        ``None`` in a game, or a match, without one.
        """
        return None

    def faults(self, s: Any) -> list[str]:
        """Return every broken invariant of the table, in words; an empty list if it is sound."""
        raise NotImplementedError

    def reason_rule(self, reason: str) -> str:
        """Return the number of the rule that ends a match for *reason*; empty if none does."""
        return ""

    def score_lines(self, s: Any) -> list[list[ScoreLine]]:
        """Return what each seat's score is made of; empty where nothing is added up at the end."""
        return []

    def projected_lines(self, view: View) -> list[list[ScoreLine]]:
        """Return what each seat's score would be made of if the match ended now.

        Cards that the reader of *view* does not know count nothing. Empty in a game without points.
        """
        return []

    def details(self, value: Value, view: View | None) -> dict[str, Any]:
        """Return the details for a text about *value* beyond its fields, by name.

        Numbers, truth values, components, lists of them, and amounts by kind; *view* is the
        reader's view, if the text is about an option or a decision.
        """
        return {}

    def view(self, s: Any, seat: int) -> View:
        """Return what *seat* (or a spectator) may know."""
        return View(seat, self.public(s), self.private(s, seat))

    def over(self, s: Table) -> bool:
        """Return whether the match has ended."""
        return waiting(s) is None
