"""CM-14.2 The base of every decision: its seat may also use free runes."""

from __future__ import annotations

from typing import Any

from taflhall_engine.champions.refusals import NOT_PENDING
from taflhall_engine.champions.rules.answers import FreeRune
from taflhall_engine.champions.rules.runes import add_free_runes
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Decision, Refusal


class Asking(Decision[ChampionsTable]):
    """CM-14.2 A decision at which its seat may also use free runes.

    Subclasses say what the answers are (:meth:`answers`) and which commands are of their
    kind (:meth:`takes`).
    """

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        """Return the answers that the rule mentions, in its order; none if it has none."""
        raise NotImplementedError

    def takes(self, s: ChampionsTable, command: Command[Any]) -> bool:
        """Return whether *command* is an answer of this kind, legal or not."""
        raise NotImplementedError

    def offers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        offers = self.answers(s, seat)
        if offers and not s.draft:
            add_free_runes(s, seat, offers)
        return offers

    def refusal(self, s: ChampionsTable, seat: int, command: Command[Any]) -> Refusal | None:
        if not self.takes(s, command) and (s.draft or not isinstance(command, FreeRune)):
            return NOT_PENDING
        return command.refuse(s, seat)

    def forced(self, s: ChampionsTable, legal: list[Command[Any]]) -> bool:
        """CM-4.3 Free runes never make a decision pending: they stand last in the list."""
        return len(legal) < 2 or isinstance(legal[1], FreeRune)

    def resolve(self, s: ChampionsTable, seat: int, command: Command[Any]) -> None:
        if isinstance(command, FreeRune):
            s.agenda.append(self)
        command.perform(s, seat)
