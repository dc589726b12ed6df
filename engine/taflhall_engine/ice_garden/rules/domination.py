"""IG-9 Domination: region by region, steps 0 to 6, then the reserves are revealed."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden import events
from taflhall_engine.ice_garden.effects import fulfil, gain, score
from taflhall_engine.ice_garden.ids import (
    CALLO,
    CYPHRAL,
    DOMINATION,
    KIND_COUNT,
    M_FACTOR,
    NONE,
    REGION_COUNT,
    VAN_DYKEN,
)
from taflhall_engine.ice_garden.influence import dominance_order, region_of
from taflhall_engine.ice_garden.rules.abilities import Events, Power
from taflhall_engine.ice_garden.rules.base import SUPPLY_EMPTY, Choice, Phase
from taflhall_engine.ice_garden.rules.powers import powers_of
from taflhall_engine.ice_garden.rules.tiles import is_active, vuko_is_away
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

NOT_ON_TILE: Final = Refusal("IG-9.12", "not_on_tile")
CLAIMED: Final = Refusal("IG-9.12", "claimed")
CYPHRAL_TAKES: Final = Refusal("IG-15.9", "cyphral_takes")
ONLY_ONES: Final = Refusal("IG-16.13", "only_ones")


@final
class DominationPhase(Phase):
    """IG-9.1 Regions in play one after another by ascending tile number."""

    RULE = "IG-9.1"
    STATE = DOMINATION

    def enter(self, s: IceGardenTable) -> None:
        steps: list[Step[IceGardenTable]] = []
        for tile in range(1, s.components.tiles[s.options.players] + 1):
            region = region_of(s, tile)
            if region != NONE:
                steps.append(Dominate(region))
        steps.append(RevealReserves())
        schedule(s, steps)


@final
class Dominate(Step[IceGardenTable]):
    """IG-9.1 One region, finished completely before the next."""

    RULE = "IG-9.1"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        region = self.region
        s.resolving = region
        if s.locked[region]:
            schedule(s, [Award(region), RegionEnd(region)])
            return
        s.ranking = dominance_order(s, region)
        if s.journal is not None:
            s.journal.append(events.RegionRanked("IG-9.3", region, s.ranking[:]))
        if not s.ranking:
            s.agenda.append(RegionEnd(region))
            return
        dominator = s.ranking[0]
        if dominator == VAN_DYKEN and region == s.thorn:
            absorb(s)
        steps: list[Step[IceGardenTable]] = []
        for power in powers_of(s, dominator, region):
            steps.append(Power(dominator, power, region))
        steps.append(Events(dominator, region))
        steps.append(Resources(region))
        steps.append(Reserves(dominator, region))
        steps.append(Award(region))
        steps.append(RegionEnd(region))
        schedule(s, steps)


@final
class RegionEnd(Step[IceGardenTable]):
    """IG-9.1 The region is finished."""

    RULE = "IG-9.1"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        s.resolving = NONE
        s.ranking = []
        s.claimed = 0


def absorb(s: IceGardenTable) -> None:
    """IG-9.4 Every face-up reserve in the Thorn's region is absorbed, several at once."""
    count = s.reserves_up[s.thorn]
    if count > 0:
        s.reserves_up[s.thorn] = 0
        s.absorbed += count
        if s.journal is not None:
            s.journal.append(events.ReservesAbsorbed("IG-9.4", count))
        if s.absorbed >= s.components.goal[VAN_DYKEN]:
            fulfil(s, "IG-10.5", VAN_DYKEN)


# ---------------------------------------------------------------- step 4


@final
class Resources(Step[IceGardenTable]):
    """IG-9.12 In the recomputed order (edition 1: the first order) each player claims one kind."""

    RULE = "IG-9.12"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        if s.locked[self.region]:
            return
        if not s.options.first_edition:
            s.ranking = dominance_order(s, self.region)
            if s.journal is not None:
                s.journal.append(events.RegionRanked("IG-9.12", self.region, s.ranking[:]))
        steps: list[Step[IceGardenTable]] = []
        for place in range(len(s.ranking)):
            if s.ranking[place] != s.options.npc:
                seat = s.options.seat_of[s.ranking[place]]
                steps.append(ResourceChoice(seat, self.region))
        schedule(s, steps)


@final
class Claim(Command[IceGardenTable]):
    """IG-9.12 Take the printed amount, cut by the supply; solo second place: amount 1 only."""

    RULE = "IG-9.12"

    def __init__(self, kind: int) -> None:
        self.kind: Final = kind

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        amount = amount_of(s, s.resolving, self.kind)
        if amount == 0:
            return NOT_ON_TILE
        if s.claimed >> self.kind & 1:
            return CLAIMED
        if self.kind == M_FACTOR and cyphral_in(s, s.resolving):
            return CYPHRAL_TAKES
        if amount != 1 and s.ranking[0] == s.options.npc:
            return ONLY_ONES
        return SUPPLY_EMPTY if s.bank[self.kind] == 0 else None

    def perform(self, s: IceGardenTable, seat: int) -> None:
        s.claimed |= 1 << self.kind
        amount = amount_of(s, s.resolving, self.kind)
        gain(s, "IG-9.12", s.options.factions[seat], self.kind, amount)


@final
class ResourceChoice(Choice):
    """IG-9.12 Choose an unclaimed kind on the tile; mandatory."""

    RULE = "IG-9.12"
    answers_with = (Claim,)

    def __init__(self, seat: int, region: int) -> None:
        super().__init__(seat)
        self.region: Final = region

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        return CLAIM


def amount_of(s: IceGardenTable, region: int, kind: int) -> int:
    """IG-2.4 The amount of a kind printed on the region's tile."""
    return s.components.goods[s.options.players][s.tile[region] * KIND_COUNT + kind]


def cyphral_in(s: IceGardenTable, region: int) -> bool:
    """IG-15.9 Return whether an active Cyphral keeps the M-factor of this region."""
    return region == s.vuko and is_active(s, CYPHRAL) and not vuko_is_away(s)


# ---------------------------------------------------------------- steps 5 to 7


@final
class Reserves(Step[IceGardenTable]):
    """IG-9.13 The dominator gets 1 M-factor for every face-up reserve (edition 1: 1 in all)."""

    RULE = "IG-9.13"

    def __init__(self, faction: int, region: int) -> None:
        self.faction: Final = faction
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        count = s.reserves_up[self.region]
        if (
            count == 0
            or s.locked[self.region]
            or self.faction == s.options.npc
            or cyphral_in(s, self.region)
        ):
            return
        gain(s, "IG-9.13", self.faction, M_FACTOR, 1 if s.options.first_edition else count)


@final
class Award(Step[IceGardenTable]):
    """IG-9.14, IG-13.2, IG-13.5 In a scoring round the white numbers; Callo for a locked region."""

    RULE = "IG-9.14"

    def __init__(self, region: int) -> None:
        self.region: Final = region

    def run(self, s: IceGardenTable) -> None:
        if s.factor == 0:
            return
        points = s.components.points[s.options.players][s.tile[self.region]]
        if s.locked[self.region]:
            score(s, "IG-13.5", CALLO, points[0] * s.factor)
            return
        for place in range(min(len(s.ranking), len(points))):
            score(s, "IG-13.2", s.ranking[place], points[place] * s.factor)


@final
class RevealReserves(Step[IceGardenTable]):
    """IG-9.15 After all regions the face-down reserves are turned face up."""

    RULE = "IG-9.15"

    def run(self, s: IceGardenTable) -> None:
        found = False
        for region in range(REGION_COUNT):
            if s.reserves_down[region] > 0:
                s.reserves_up[region] += s.reserves_down[region]
                s.reserves_down[region] = 0
                found = True
        if found and s.journal is not None:
            s.journal.append(events.ReservesRevealed("IG-9.15"))


CLAIM: Final[list[Command[IceGardenTable]]] = [Claim(kind) for kind in range(KIND_COUNT)]
