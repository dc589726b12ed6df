"""YG-7.5 The numbers of an exchange."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.yggdrasil.rules.answers import Answer, Ask
from taflhall_engine.yggdrasil.rules.battle import NOT_ENOUGH_VIKINGS
from taflhall_engine.yggdrasil.table import YggdrasilTable

NOTHING_TO_EXCHANGE: Final = Refusal("YG-7.5", "no_effect")


@final
class Amount(Answer):
    """YG-7.5 So many are handed over."""

    RULE = "YG-7.5"

    def __init__(self, count: int) -> None:
        self.count: Final = count

    def malformed(self) -> bool:
        return self.count < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


AMOUNTS: Final = [Amount(count) for count in range(64)]


def amounts(owned: int, nothing: bool) -> list[Command[YggdrasilTable]]:
    """Return the numbers up to *owned*, from 1 if it would otherwise come to *nothing*."""
    found: list[Command[YggdrasilTable]] = []
    for count in range(1 if nothing else 0, owned + 1):
        found.append(AMOUNTS[count] if count < len(AMOUNTS) else Amount(count))
    return found


class Exchange(Ask):
    """YG-7.5 One of the four numbers of an exchange."""

    def fits(self, command: Answer) -> bool:
        return isinstance(command, Amount)

    def owned(self, s: YggdrasilTable) -> int:
        """Return how many can be handed over."""
        raise NotImplementedError

    def nothing(self, s: YggdrasilTable) -> bool:
        """Return whether a zero would leave nothing to exchange."""
        raise NotImplementedError

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        """Go on with *count* as the answer."""
        raise NotImplementedError

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        assert isinstance(command, Amount)
        return NOTHING_TO_EXCHANGE if command.count == 0 else NOT_ENOUGH_VIKINGS

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return amounts(self.owned(s), self.nothing(s))

    def options(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return amounts(self.owned(s), self.nothing(s))

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, Amount)
        self.proceed(s, command.count)
