"""A match that is played step by step from outside."""

from __future__ import annotations

from typing import Any, Final

from taflhall_client.adapters.encoding import returns_of
from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import Command, Table, options, waiting
from taflhall_engine.kernel.chance import Chance, FastChance
from taflhall_engine.kernel.drafts import Draft
from taflhall_engine.kernel.game import Game, View


class Stepping:
    """A match of *game* that rests at *table*."""

    def __init__(self, game: Game, table: Table, plies: int = 0) -> None:
        self.game: Final = game
        self.plies = plies
        """How many options have been taken."""
        self._table = table
        self._draft: Draft | None = None

    @classmethod
    def begin(cls, game: Game, setup: Any, seed: int) -> Stepping:
        """Return a new match with the random numbers of *seed*, or raise ``InvalidSetup``."""
        return cls(game, game.new(setup, FastChance(seed)))

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.game.seats(self._table)

    @property
    def seat(self) -> int:
        """The seat that decides; -1 when the match is over."""
        step = waiting(self._table)
        return -1 if step is None else step.seats(self._table)[0]

    def decision(self) -> Decision:
        """Return the decision that waits, or raise ``ValueError`` when the match is over."""
        seat = self.seat
        table = self._seen_by(seat)
        step = waiting(table)
        if step is None:
            raise ValueError("the match is over")
        return Decision.of(seat, step, list(options(table, seat)))

    def view(self, seat: int) -> View:
        """Return what *seat* may know; it alone sees its half-given answer."""
        return self.game.view(self._seen_by(seat), seat)

    def take(self, option: Command[Any]) -> None:
        """Take an option of the decision that waits, or raise ``IllegalCommand``."""
        draft = self._draft or Draft(self._table, self.seat)
        if draft.give(option):
            self._table, self._draft = draft.table, None
        else:
            self._draft = draft
        self.plies += 1

    def returns(self) -> list[float] | None:
        """Return what each seat gained, -1 to 1; ``None`` before the end."""
        end = self.game.result(self._table)
        if end is None:
            return None
        return returns_of(end.places, end.won, cooperative=self.game.cooperative)

    def copy(self) -> Stepping:
        """Return an independent copy with the same random numbers to come."""
        twin = Stepping(self.game, self._table.copy(), self.plies)
        if self._draft is not None:
            twin._draft = Draft(twin._table, self._draft.seat)
            for step in self._draft.steps:
                twin._draft.give(step)
        return twin

    def imagine(self, seat: int, chance: Chance) -> Stepping:
        """Return a random match that *seat* cannot tell from this one."""
        return Stepping(self.game, self.game.imagine(self.view(seat), chance), self.plies)

    def _seen_by(self, seat: int) -> Table:
        draft = self._draft
        return draft.table if draft is not None and draft.seat == seat else self._table
