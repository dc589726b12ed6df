"""YG-7.5 Niflheim: the partner, then four numbers: Vikings given and taken, elves likewise.

Nothing changes hands before the last number, and a zero is not offered where it would leave
nothing to exchange; so the steps admit exactly the exchanges of the rule (YG-14.9).
"""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal
from taflhall_engine.yggdrasil.effects import exchange
from taflhall_engine.yggdrasil.ids import GOD_COUNT, NIFLHEIM
from taflhall_engine.yggdrasil.rules.base import Action, FurtherStep
from taflhall_engine.yggdrasil.rules.use import barred, use_world
from taflhall_engine.yggdrasil.table import YggdrasilTable

INVALID_PARTNER: Final = Refusal("YG-7.5", "invalid_partner")
NOTHING_TO_EXCHANGE: Final = Refusal("YG-7.5", "no_effect")
NOT_ENOUGH_VIKINGS: Final = Refusal("YG-7.5", "not_enough_vikings")
NOT_ENOUGH_ELVES: Final = Refusal("YG-7.5", "not_enough_elves")


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
class Amount(Command[YggdrasilTable]):
    """YG-7.5 That number is handed over."""

    RULE = "YG-7.5"

    def __init__(self, count: int) -> None:
        self.count: Final = count

    def malformed(self) -> bool:
        return self.count < 0

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        pass


AMOUNTS: Final = [Amount(count) for count in range(64)]


class ExchangeStep(FurtherStep):
    """YG-7.5 One of the four numbers of an exchange."""

    answers_with = (Amount,)
    UNAVAILABLE = NOT_ENOUGH_VIKINGS

    def owned(self, s: YggdrasilTable) -> int:
        """Return how many can be handed over."""
        raise NotImplementedError

    def nothing(self, s: YggdrasilTable) -> bool:
        """Return whether a zero would leave nothing to exchange."""
        raise NotImplementedError

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        """Continue with *count* as the answer."""
        raise NotImplementedError

    def not_offered(
        self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]
    ) -> Refusal:
        assert isinstance(command, Amount)
        return self.UNAVAILABLE if command.count else NOTHING_TO_EXCHANGE

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        found: list[Command[YggdrasilTable]] = []
        for count in range(1 if self.nothing(s) else 0, self.owned(s) + 1):
            found.append(AMOUNTS[count] if count < len(AMOUNTS) else Amount(count))
        return found

    def options(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        return self.offers(s, seat)

    def resolve(self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]) -> None:
        assert isinstance(command, Amount)
        self.proceed(s, command.count)


@final
class GiveVikings(ExchangeStep):
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
class TakeVikings(ExchangeStep):
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
class GiveElves(ExchangeStep):
    """YG-7.5 How many elves the active god gives to *partner*."""

    RULE = "YG-7.5"
    UNAVAILABLE = NOT_ENOUGH_ELVES

    def __init__(self, seat: int, partner: int, give_vikings: int, take_vikings: int) -> None:
        super().__init__(seat)
        self.partner: Final = partner
        self.give_vikings: Final = give_vikings
        self.take_vikings: Final = take_vikings

    def owned(self, s: YggdrasilTable) -> int:
        return s.elves[self.seat]

    def nothing(self, s: YggdrasilTable) -> bool:
        return self.give_vikings + self.take_vikings + s.elves[self.partner] == 0

    def proceed(self, s: YggdrasilTable, count: int) -> None:
        s.agenda.append(
            TakeElves(self.seat, self.partner, self.give_vikings, self.take_vikings, count)
        )


@final
class TakeElves(ExchangeStep):
    """YG-7.5 How many elves the active god takes from *partner*; then both hand over.

    With the answer the action counts (YG-6.7).
    """

    RULE = "YG-7.5"
    UNAVAILABLE = NOT_ENOUGH_ELVES

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
