"""YG-7.5 Niflheim: the partner, then four numbers: Vikings given and taken, elves likewise.

Nothing changes hands before the last number, and a zero is not offered where it would leave
nothing to exchange; so the steps admit exactly the exchanges of the rule (YG-14.9).
"""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Refusal
from taflhall_engine.yggdrasil.effects import exchange
from taflhall_engine.yggdrasil.ids import GOD_COUNT, NIFLHEIM
from taflhall_engine.yggdrasil.rules.amounts import NOTHING_TO_EXCHANGE, Amount, Exchange
from taflhall_engine.yggdrasil.rules.answers import Action, Answer
from taflhall_engine.yggdrasil.rules.battle import NOT_ENOUGH_ELVES
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

INVALID_PARTNER: Final = Refusal("YG-7.5", "invalid_partner")


@final
class Niflheim(Action):
    """YG-7.5 Exchange Vikings and elves with *partner*. The numbers are asked next."""

    RULE = "YG-7.5"

    def __init__(self, partner: int) -> None:
        self.partner: Final = partner

    def malformed(self) -> bool:
        return self.partner < 0

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        reason = barred(s, NIFLHEIM)
        if reason is not None:
            return reason
        if self.partner == seat or self.partner >= len(s.gods):
            return INVALID_PARTNER
        if not owns_anything(s, seat) and not owns_anything(s, self.partner):
            return NOTHING_TO_EXCHANGE
        return None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.append(GiveVikings(seat, self.partner))


def owns_anything(s: YggdrasilTable, seat: int) -> bool:
    """Return whether *seat* holds a Viking or an elf."""
    return s.vikings[seat] + s.elves[seat] > 0


@final
class GiveVikings(Exchange):
    """YG-7.5 How many Vikings the active god gives to *partner*."""

    RULE = "YG-7.5"

    def __init__(self, seat: int, partner: int) -> None:
        super().__init__(seat)
        self.partner: Final = partner

    def owned(self, s: YggdrasilTable) -> int:
        return s.vikings[self.seat]

    def nothing(self, s: YggdrasilTable) -> bool:
        return s.vikings[self.partner] + s.elves[self.seat] + s.elves[self.partner] == 0

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        s.agenda.append(TakeVikings(self.seat, self.partner, count))


@final
class TakeVikings(Exchange):
    """YG-7.5 How many Vikings the active god takes from *partner*."""

    RULE = "YG-7.5"

    def __init__(self, seat: int, partner: int, give_vikings: int) -> None:
        super().__init__(seat)
        self.partner: Final = partner
        self.give_vikings: Final = give_vikings

    def owned(self, s: YggdrasilTable) -> int:
        return s.vikings[self.partner]

    def nothing(self, s: YggdrasilTable) -> bool:
        return self.give_vikings + s.elves[self.seat] + s.elves[self.partner] == 0

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        s.agenda.append(GiveElves(self.seat, self.partner, self.give_vikings, count))


@final
class GiveElves(Exchange):
    """YG-7.5 How many elves the active god gives to *partner*."""

    RULE = "YG-7.5"

    def __init__(self, seat: int, partner: int, give_vikings: int, take_vikings: int) -> None:
        super().__init__(seat)
        self.partner: Final = partner
        self.give_vikings: Final = give_vikings
        self.take_vikings: Final = take_vikings

    def owned(self, s: YggdrasilTable) -> int:
        return s.elves[self.seat]

    def nothing(self, s: YggdrasilTable) -> bool:
        return self.give_vikings + self.take_vikings + s.elves[self.partner] == 0

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        assert isinstance(command, Amount)
        return NOTHING_TO_EXCHANGE if command.count == 0 else NOT_ENOUGH_ELVES

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        s.agenda.append(
            TakeElves(self.seat, self.partner, self.give_vikings, self.take_vikings, count)
        )


@final
class TakeElves(Exchange):
    """YG-7.5 How many elves the active god takes from *partner*; then both hand over.

    With the answer the action counts (YG-6.7).
    """

    RULE = "YG-7.5"

    def __init__(
        self, seat: int, partner: int, give_vikings: int, take_vikings: int, give_elves: int
    ) -> None:
        super().__init__(seat)
        self.partner: Final = partner
        self.give_vikings: Final = give_vikings
        self.take_vikings: Final = take_vikings
        self.give_elves: Final = give_elves

    def owned(self, s: YggdrasilTable) -> int:
        return s.elves[self.partner]

    def nothing(self, s: YggdrasilTable) -> bool:
        return self.give_vikings + self.take_vikings + self.give_elves == 0

    def unfit(self, s: YggdrasilTable, command: Answer) -> Refusal:
        assert isinstance(command, Amount)
        return NOTHING_TO_EXCHANGE if command.count == 0 else NOT_ENOUGH_ELVES

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        use_world(s, NIFLHEIM)
        exchange(
            s,
            self.RULE,
            self.seat,
            self.partner,
            self.give_vikings,
            self.take_vikings,
            self.give_elves,
            count,
        )


NIFLHEIMS: Final = [Niflheim(partner) for partner in range(GOD_COUNT)]
