"""YG-6.8, YG-14.4 What all decisions and commands of Yggdrasil share: the order of checks."""

from __future__ import annotations

from typing import ClassVar, Final

from taflhall_engine.kernel.agenda import Command, Decision, Refusal
from taflhall_engine.yggdrasil.ids import NO_POWERS
from taflhall_engine.yggdrasil.table import YggdrasilTable

BAD_REQUEST: Final = Refusal("YG-6.8", "bad_request")
WRONG_DECISION: Final = Refusal("YG-6.8", "wrong_decision")
INVALID_TARGET: Final = Refusal("YG-14.1", "invalid_target")


class Action(Command[YggdrasilTable]):
    """A command that is an action or ends the turn (YG-14.2); it refuses every fault."""


class YggdrasilDecision(Decision[YggdrasilTable]):
    """A decision of Yggdrasil; it always belongs to the active god (YG-3.1)."""

    MALFORMED = BAD_REQUEST
    WRONG_KIND = WRONG_DECISION
    UNAVAILABLE: ClassVar[Refusal] = INVALID_TARGET
    """Why a command of the right kind is not among the offers."""

    def not_offered(
        self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]
    ) -> Refusal:
        return self.UNAVAILABLE


class FurtherStep(YggdrasilDecision):
    """YG-14.9 A further step of an answer; a half-given answer counts for nothing."""

    continues_answer = True


def powers_active(s: YggdrasilTable) -> bool:
    """YG-10.7 Whether the gods may use their powers."""
    return not s.hindrance & NO_POWERS


def has_power(s: YggdrasilTable, seat: int, god: int) -> bool:
    """YG-10.7 Whether *seat* is *god* and may use the god's power now."""
    return s.gods[seat] == god and not s.hindrance & NO_POWERS
