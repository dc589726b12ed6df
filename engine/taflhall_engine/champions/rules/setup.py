"""CM-3.8 to 3.12 The steps of the setup: leaders, starting kits and destinies."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.champions.effects import enlist, gain
from taflhall_engine.champions.events import DestinyDealt, LeaderJoined
from taflhall_engine.champions.ids import LEADERS, TYPES
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT, FreeRune
from taflhall_engine.champions.rules.base import ChampionsDecision
from taflhall_engine.champions.table import ChampionsTable, turn_order
from taflhall_engine.kernel.agenda import Command, Refusal, Step

LEADER_TAKEN: Final = Refusal("CM-3.8", "not_eligible")


@final
class TakeLeader(Command[ChampionsTable]):
    """CM-3.8 Take this leader, publicly."""

    RULE = "CM-3.8"

    def __init__(self, leader: int) -> None:
        self.leader: Final = leader

    def refuse(self, s: ChampionsTable, seat: int) -> Refusal | None:
        if not 0 <= self.leader < len(LEADERS):
            return BAD_ARGUMENT
        for clan in s.clans:
            if clan.leader == self.leader:
                return LEADER_TAKEN
        return None

    def perform(self, s: ChampionsTable, seat: int) -> None:
        s.clans[seat].leader = self.leader
        if s.journal is not None:
            s.journal.append(LeaderJoined(self.RULE, seat, self.leader))


@final
class ChooseLeader(ChampionsDecision):
    """CM-3.8 Choose one of the leaders not yet taken; always asked (CM-4.3)."""

    RULE = "CM-3.8"
    answers_with = (TakeLeader, FreeRune)

    def answers(self, s: ChampionsTable, seat: int) -> list[Command[Any]]:
        taken = [clan.leader for clan in s.clans]
        found: list[Command[Any]] = []
        for leader in range(len(LEADERS)):
            if leader not in taken:
                found.append(TAKE_LEADER[leader])
        return found

    def forced(self, s: ChampionsTable, legal: list[Command[Any]]) -> bool:
        return False


TAKE_LEADER: Final = [TakeLeader(leader) for leader in range(len(LEADERS))]


@final
class StartingKit(Step[ChampionsTable]):
    """CM-3.9 The starting kit, the same for every seat; CM-3.10 the workers in hand."""

    RULE = "CM-3.9"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        kit = s.components.kit
        for seat in range(len(s.clans)):
            s.clans[seat].workers = s.components.workers[len(s.clans)]
            gain(s, seat, self.RULE, kit[0], kit[1], kit[2], kit[3], kit[4], kit[5])
            for warrior in range(TYPES):
                s.supply[warrior] -= kit[6 + warrior]
            enlist(s, seat, self.RULE, kit[6], kit[7], kit[8])


@final
class DealDestinies(Step[ChampionsTable]):
    """CM-3.11 Deal a destiny card to each seat, in turn order, secret to its owner."""

    RULE = "CM-3.11"

    def __init__(self) -> None:
        pass

    def run(self, s: ChampionsTable) -> None:
        for _ in range(s.components.dealt):
            for seat in turn_order(s):
                clan = s.clans[seat]
                destiny = s.destiny_deck[0]
                s.destiny_deck = s.destiny_deck[1:]
                clan.destinies = [*clan.destinies, destiny]
                if s.journal is not None:
                    s.journal.append(DestinyDealt(self.RULE, seat, destiny))
