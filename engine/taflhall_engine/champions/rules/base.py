"""CM-14.2, CM-17.6 What decisions share: free runes, and answers given in several steps."""

from __future__ import annotations

from typing import Any, Final

from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, FreeRune
from taflhall_engine.champions.rules.runes import add_free_runes
from taflhall_engine.champions.table import ChampionsTable
from taflhall_engine.kernel.agenda import Command, Decision, Refusal

NOT_PENDING: Final = Refusal("CM-17.1", "not_pending")


class ChampionsDecision(Decision[ChampionsTable]):
    """CM-14.2 A decision at which its seat may also use free runes."""

    WRONG_KIND = NOT_PENDING

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        """Return the answers that the rule mentions, in its order; none if it has none."""
        raise NotImplementedError

    def offers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        offers = self.answers(s, seat)
        if offers:
            add_free_runes(s, seat, offers)
        return offers

    def options(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        """Return the offers: a rule mentions what is legal; only PlaceWorker mentions more."""
        return self.offers(s, seat)

    def not_offered(self, s: ChampionsTable, seat: int, command: Command[Any]) -> Refusal:
        """CM-17.4 The rule of the command says why, for all arguments."""
        return command.refuse(s, seat) or BAD_ARGUMENT

    def forced(self, s: ChampionsTable, legal: list[Command[Any]]) -> bool:
        """CM-4.3 Free runes never make a decision pending: they are last in the list."""
        return len(legal) < 2 or isinstance(legal[1], FreeRune)

    def resolve(self, s: ChampionsTable, seat: int, command: Command[Any]) -> None:
        if isinstance(command, FreeRune):
            s.agenda.append(self)
        command.perform(s, seat)


class FurtherStep(Decision[ChampionsTable]):
    """CM-17.6 A further step of an answer; free runes were offered before the first."""

    WRONG_KIND = NOT_PENDING
    continues_answer = True

    def not_offered(self, s: ChampionsTable, seat: int, command: Command[Any]) -> Refusal:
        """CM-17.4 The rule of the command says why, for all arguments."""
        return command.refuse(s, seat) or BAD_ARGUMENT
