"""IG-7.1 to IG-7.10 Activation: Maker-Spy, ice crossing, speed. IG-16.10, IG-16.11."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import assign_spy, move_influence, move_unit
from taflhall_engine.ice_garden.influence import (
    dominance_order,
    human,
    is_open,
    present,
    symbols,
)
from taflhall_engine.ice_garden.names import (
    ACTIVATION,
    FIGURE_COUNT,
    FIGURE_UNIT,
    FIGURES_EACH,
    FIRST_FIGURE,
    FJOLLSFINN,
    FREIHOFF,
    HARRASIM,
    ICE_DRAKKAR,
    MARKER,
    NONE,
    PAIR_COUNT,
    PAIR_FIRST,
    PAIR_SECOND,
    PIECE_COUNT,
    REGION_COUNT,
    SPEED,
)
from taflhall_engine.ice_garden.rules.answers import DONE, Done
from taflhall_engine.ice_garden.rules.attack import AttackStep
from taflhall_engine.ice_garden.rules.base import CLOSED, SUPPLY_EMPTY, Choice, Phase, refused
from taflhall_engine.ice_garden.rules.moving import move_piece
from taflhall_engine.ice_garden.rules.solo import roll
from taflhall_engine.ice_garden.table import State
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule

SAME_PAIR: Final = refused(
    "IG-7.3", "these symbols lie there already", "diese Symbole liegen schon dort"
)


@final
class ActivationPhase(Phase):
    """IG-7.1 Maker-Spy, ice crossing, speed, attack, removal; each finished for all players."""

    RULE = "IG-7.1"
    STATE = ACTIVATION

    def enter(self, s: State) -> None:
        schedule(s, [MakerSpy(), IceCrossingStep(), SpeedStep(), AttackStep()])


# ---------------------------------------------------------------- Maker-Spy


@final
class MakerSpy(Step[State]):
    """IG-7.2 If the Harrasim is on the map Freihoff may assign two symbols."""

    RULE = "IG-7.2"

    def run(self, s: State) -> None:
        seat = s.terms.seat_of[FREIHOFF]
        if seat != NONE and s.figure_at[FIRST_FIGURE[HARRASIM]] != NONE:
            s.agenda.append(SpyAssign(seat))


@final
class SpyAssign(Choice):
    """IG-7.3 Two different symbols, other than the present pair, or keep it."""

    RULE = "IG-7.3"

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        return SPY[:]


@final
class AssignSpy(Command[State]):
    """IG-7.3, IG-7.4 Lay two symbols on the spy slots; those lying there return first."""

    RULE = "IG-7.3"

    def __init__(self, ability: int, other_ability: int) -> None:
        self.ability: Final = ability
        self.other_ability: Final = other_ability

    def refuse(self, s: State, seat: int) -> Refusal | None:
        if s.spy != NONE and s.spy == self.pair():
            return SAME_PAIR
        if _markers(s, self.ability) == 0 or _markers(s, self.other_ability) == 0:
            return SUPPLY_EMPTY
        return None

    def perform(self, s: State, seat: int) -> None:
        assign_spy(s, "IG-7.4", self.pair())

    def pair(self) -> int:
        """Return the number of the pair."""
        for pair in range(PAIR_COUNT):
            if PAIR_FIRST[pair] == self.ability and PAIR_SECOND[pair] == self.other_ability:
                return pair
        return NONE


def _markers(s: State, ability: int) -> int:
    """IG-7.4 Markers of a kind in the supply once the spy's have returned."""
    returned = s.spy != NONE and ability in (PAIR_FIRST[s.spy], PAIR_SECOND[s.spy])
    return s.upgrade_bank[ability] + (1 if returned else 0)


@final
class KeepSpy(Command[State]):
    """IG-7.3 Keep the present assignment, or none."""

    RULE = "IG-7.3"

    def perform(self, s: State, seat: int) -> None:
        """Nothing happens."""


# ---------------------------------------------------------------- ice crossing


@final
class IceCrossingStep(Step[State]):
    """IG-7.6 Exactly when both Ice Drakkars are on the map in two different open regions."""

    RULE = "IG-7.6"

    def run(self, s: State) -> None:
        one = s.figure_at[FIRST_FIGURE[ICE_DRAKKAR]]
        other = s.figure_at[FIRST_FIGURE[ICE_DRAKKAR] + 1]
        if one in (NONE, other) or other == NONE:
            return
        if not is_open(s, one) or not is_open(s, other):
            return
        seat = s.terms.seat_of[FJOLLSFINN]
        if seat == NONE:
            _npc_crosses(s, one, other)
            return
        from_one = s.influence[FJOLLSFINN * REGION_COUNT + one]
        from_other = s.influence[FJOLLSFINN * REGION_COUNT + other]
        s.agenda.append(IceCrossing(seat, one, other, from_one, from_other, 0))


def _npc_crosses(s: State, one: int, other: int) -> None:
    """IG-16.11 All NPC markers and units go where the human is, or where the die says."""
    if _dominates(s, one) and _dominates(s, other):
        return
    at_one = present(s, human(s), one)
    at_other = present(s, human(s), other)
    if not at_one and not at_other:
        return
    if at_one and at_other:
        lower = one if s.tile[one] < s.tile[other] else other
        higher = one + other - lower
        to = lower if roll(s) in s.box.npc_lower else higher
    else:
        to = one if at_one else other
    region = one + other - to
    while s.influence[FJOLLSFINN * REGION_COUNT + region] > 0:
        move_influence(s, "IG-16.11", FJOLLSFINN, region, to)
    for figure in range(FJOLLSFINN * FIGURES_EACH, (FJOLLSFINN + 1) * FIGURES_EACH):
        if s.figure_at[figure] == region and FIGURE_UNIT[figure] != ICE_DRAKKAR:
            move_unit(s, "IG-16.11", figure, to)


def _dominates(s: State, region: int) -> bool:
    ranking = dominance_order(s, region)
    return len(ranking) > 0 and ranking[0] == s.terms.npc


@final
class IceCrossing(Choice):
    """IG-7.7 Move any number of pieces between two regions, each at most once.

    *from_one* and *from_other* count the markers that may still leave a region; *moved*
    holds the figures that have crossed, as bits.
    """

    RULE = "IG-7.7"

    def __init__(
        self,
        seat: int,
        region: int,
        other_region: int,
        from_one: int,
        from_other: int,
        moved: int,
    ) -> None:
        super().__init__(seat)
        self.region: Final = region
        self.other_region: Final = other_region
        self.from_one: Final = from_one
        self.from_other: Final = from_other
        self.moved: Final = moved

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        offers: list[Command[State]] = []
        self._pieces(s, self.region, self.from_one, offers)
        self._pieces(s, self.other_region, self.from_other, offers)
        offers.append(DONE)
        return offers

    def _pieces(self, s: State, region: int, markers: int, offers: list[Command[State]]) -> None:
        if markers > 0:
            offers.append(CROSS[MARKER * REGION_COUNT + region])
        last = NONE
        for figure in range(FJOLLSFINN * FIGURES_EACH, (FJOLLSFINN + 1) * FIGURES_EACH):
            unit = FIGURE_UNIT[figure]
            if (
                s.figure_at[figure] == region
                and unit not in (ICE_DRAKKAR, last)
                and not self.moved >> figure & 1
            ):
                last = unit
                offers.append(CROSS[(figure + 1) * REGION_COUNT + region])

    def resolve(self, s: State, seat: int, command: Command[State]) -> None:
        if not isinstance(command, Cross):
            return
        region = command.region
        to = self.region + self.other_region - region
        move_piece(s, "IG-7.7", FJOLLSFINN, command.piece, region, to)
        from_one = self.from_one
        from_other = self.from_other
        moved = self.moved
        if command.piece != MARKER:
            moved |= 1 << command.piece - 1
        elif region == self.region:
            from_one -= 1
        else:
            from_other -= 1
        s.agenda.append(
            IceCrossing(seat, self.region, self.other_region, from_one, from_other, moved)
        )


@final
class Cross(Command[State]):
    """IG-7.7 A piece crosses the ice from this region to the other."""

    RULE = "IG-7.7"

    def __init__(self, piece: int, region: int) -> None:
        self.piece: Final = piece
        self.region: Final = region

    def perform(self, s: State, seat: int) -> None:
        """The decision knows where the piece goes."""


# ---------------------------------------------------------------- speed


@final
class SpeedStep(Step[State]):
    """IG-7.9 In turn order; each player finishes before the next. The NPC never uses it."""

    RULE = "IG-7.9"

    def run(self, s: State) -> None:
        turns: list[Step[State]] = [SpeedTurn(s.terms.seat_of[f]) for f in s.order]
        schedule(s, turns)


@final
class SpeedTurn(Step[State]):
    """IG-7.9 Each unit in an open region has as many steps as speed symbols."""

    RULE = "IG-7.9"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: State) -> None:
        first = s.terms.factions[self.seat] * FIGURES_EACH
        for figure in range(first, first + FIGURES_EACH):
            region = s.figure_at[figure]
            steps = 0
            if region != NONE and is_open(s, region):
                steps = symbols(s, FIGURE_UNIT[figure], SPEED)
            s.steps[figure - first] = steps
        s.agenda.append(SpeedEnd())
        s.agenda.append(SpeedMove(self.seat))


@final
class SpeedEnd(Step[State]):
    """IG-7.9 Steps that are left are lost."""

    RULE = "IG-7.9"

    def run(self, s: State) -> None:
        for index in range(FIGURES_EACH):
            s.steps[index] = 0


@final
class SpeedMove(Choice):
    """IG-7.10 Move a unit one step, or stop; steps of units may be interleaved."""

    RULE = "IG-7.10"

    def offers(self, s: State, seat: int) -> list[Command[State]]:
        offers: list[Command[State]] = []
        first = s.terms.factions[seat] * FIGURES_EACH
        for index in range(FIGURES_EACH):
            if s.steps[index] > 0 and not _listed(s, first, index):
                for to in s.box.adjacent[s.figure_at[first + index]]:
                    if s.tile[to] != 0:
                        offers.append(RUN[(first + index) * REGION_COUNT + to])
        offers.append(DONE)
        return offers

    def resolve(self, s: State, seat: int, command: Command[State]) -> None:
        command.perform(s, seat)
        if not isinstance(command, Done):
            s.agenda.append(SpeedMove(seat))


def _listed(s: State, first: int, index: int) -> bool:
    """IG-20 Return whether a lower figure of the type stands there with as many steps."""
    for lower in range(index):
        if (
            FIGURE_UNIT[first + lower] == FIGURE_UNIT[first + index]
            and s.figure_at[first + lower] == s.figure_at[first + index]
            and s.steps[lower] == s.steps[index]
        ):
            return True
    return False


@final
class Run(Command[State]):
    """IG-7.9 A unit steps into an adjacent open region."""

    RULE = "IG-7.9"

    def __init__(self, figure: int, to: int) -> None:
        self.figure: Final = figure
        self.to: Final = to

    def refuse(self, s: State, seat: int) -> Refusal | None:
        return None if is_open(s, self.to) else CLOSED

    def perform(self, s: State, seat: int) -> None:
        s.steps[self.figure % FIGURES_EACH] -= 1
        move_unit(s, "IG-7.9", self.figure, self.to)


SPY: Final[list[Command[State]]] = [
    AssignSpy(PAIR_FIRST[pair], PAIR_SECOND[pair]) for pair in range(PAIR_COUNT)
]
SPY.append(KeepSpy())
CROSS: Final[list[Command[State]]] = [
    Cross(piece, region) for piece in range(PIECE_COUNT) for region in range(REGION_COUNT)
]
RUN: Final[list[Command[State]]] = [
    Run(figure, to) for figure in range(FIGURE_COUNT) for to in range(REGION_COUNT)
]
