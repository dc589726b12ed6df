"""YG-6.8, YG-14.4 What all decisions and commands of Yggdrasil share: the order of checks."""

from __future__ import annotations

from typing import Final

from taflhall_engine.kernel.agenda import NOT_OFFERED, Command, Decision, Refusal
from taflhall_engine.yggdrasil.ids import NO_POWERS
from taflhall_engine.yggdrasil.table import YggdrasilTable

BAD_REQUEST: Final = Refusal("YG-6.8", "bad_request")
WRONG_DECISION: Final = Refusal("YG-6.8", "wrong_decision")
INVALID_TARGET: Final = Refusal("YG-14.1", "invalid_target")


class Answer(Command[YggdrasilTable]):
    """A command of Yggdrasil."""

    def malformed(self) -> bool:
        """Return whether a field that is needed is missing or a number is negative."""
        return False


class Action(Answer):
    """A command that is an action or ends the turn (YG-14.2); it refuses whatever is wrong."""


class Ask(Decision[YggdrasilTable]):
    """A decision of Yggdrasil; it always belongs to the active god (YG-3.1)."""

    def fits(self, command: Answer) -> bool:
        """Return whether *command* is of a kind that answers this decision."""
        raise NotImplementedError

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        """Return why *command*, though of the right kind, is not among the offers."""
        return INVALID_TARGET

    def refusal(
        self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]
    ) -> Refusal | None:
        """YG-6.8 Malformed, then not fitting the decision, then what the rule forbids."""
        if not isinstance(command, Answer):
            return NOT_OFFERED
        if command.malformed():
            return BAD_REQUEST
        if not self.fits(command):
            return WRONG_DECISION
        if command not in self.offers(s, seat):
            return self.unfit(s, command)
        return command.refuse(s, seat)


def powers_active(s: YggdrasilTable) -> bool:
    """YG-10.7 Whether the gods may use their powers."""
    return not s.hindrance & NO_POWERS


def has_power(s: YggdrasilTable, seat: int, god: int) -> bool:
    """YG-10.7 Whether *seat* is *god* and may use the god's power now."""
    return s.gods[seat] == god and not s.hindrance & NO_POWERS
