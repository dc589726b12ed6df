"""IG-8 Vuko Drakkainen (field 7), with the Vuko tiles of IG-15 that act there."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.ice_garden.effects import (
    move_neutral,
    move_unit,
    move_vuko,
    release_control,
    return_influence,
    return_unit,
    return_vuko_tokens,
    take_control,
    take_vuko_token,
)
from taflhall_engine.ice_garden.ids import (
    BOTH_BEARS,
    FIGURE_COUNT,
    FIGURES_EACH,
    FIRE_PEOPLE,
    NIGHTWALKER,
    NONE,
    REGION_COUNT,
    SAFE,
    SNAKE_FIGHT,
    VUKO,
)
from taflhall_engine.ice_garden.influence import (
    acting,
    distinct_figures,
    has_unit,
    influence,
    is_open,
    lowest_tile,
    open_neighbours,
    worst_reputation,
)
from taflhall_engine.ice_garden.rules.base import CLOSED, Choice, Phase
from taflhall_engine.ice_garden.rules.ending import fall_snow
from taflhall_engine.ice_garden.rules.tiles import is_active, vuko_is_away
from taflhall_engine.ice_garden.table import IceGardenTable
from taflhall_engine.kernel.agenda import Command, Refusal, Step, schedule


@final
class VukoPhase(Phase):
    """IG-8.1 to IG-8.10 Vuko visits the player with the lowest reputation."""

    RULE = "IG-8.1"
    STATE = VUKO

    def enter(self, s: IceGardenTable) -> None:
        if skipped(s):
            return
        release_control(s, "IG-8.2")
        culprit = worst_reputation(s)
        region = destination(s, culprit)
        if region != NONE:
            _travel(s, region)
        take_vuko_token(s, "IG-8.7", culprit)
        steps: list[Step[IceGardenTable]] = []
        if here(s):
            if has_unit(s, culprit, s.vuko):
                steps.append(VukoKill(s.options.seat_of[culprit]))
            steps.append(VukoControl())
            if is_active(s, NIGHTWALKER):
                steps.append(Nightwalker())
        if is_active(s, BOTH_BEARS):
            steps.append(BothBears())
        if is_active(s, SNAKE_FIGHT) and here(s):
            steps.append(SnakeFight())
        schedule(s, steps)


def skipped(s: IceGardenTable) -> bool:
    """IG-8.1, IG-15.11, IG-16.12 Return whether field 7 is skipped completely."""
    if vuko_is_away(s):
        return True
    if s.options.npc != NONE:
        return s.round == 1 and s.summoned == 0
    return all(s.reputation[faction] == SAFE for faction in s.order)


def here(s: IceGardenTable) -> bool:
    """IG-8.12 Return whether Vuko stands in an open region."""
    return s.vuko != NONE and is_open(s, s.vuko)


def destination(s: IceGardenTable, culprit: int) -> int:
    """IG-8.4 to IG-8.6 The culprit's strongest other open region, ``NONE`` if there is none.

    Ties go to the lowest tile number.
    """
    best = NONE
    most = 0
    for region in range(REGION_COUNT):
        if region == s.vuko or not is_open(s, region):
            continue
        value = influence(s, culprit, region)
        if value > most or (value == most and best != NONE and s.tile[region] < s.tile[best]):
            best = region
            most = value
    return best


def _travel(s: IceGardenTable, region: int) -> None:
    """IG-15.5 The Fire People follow Vuko from an open region to the next."""
    origin = s.vuko
    followed = here(s) and is_active(s, FIRE_PEOPLE)
    move_vuko(s, "IG-8.4", region)
    if followed:
        move_neutral(s, "IG-15.5", origin, region)


@final
class YieldUnit(Command[IceGardenTable]):
    """IG-8.8 The unit returns to its owner at once; no victory points."""

    RULE = "IG-8.8"

    def __init__(self, figure: int) -> None:
        self.figure: Final = figure

    def perform(self, s: IceGardenTable, seat: int) -> None:
        return_unit(s, "IG-8.8", self.figure)


@final
class VukoKill(Choice):
    """IG-8.8 The culprit chooses which of their units in Vuko's region is killed."""

    RULE = "IG-8.8"
    answers_with = (YieldUnit,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for figure in distinct_figures(s, s.options.factions[seat], s.vuko):
            offers.append(YIELD[figure])
        return offers


@final
class VukoControl(Step[IceGardenTable]):
    """IG-8.9 Every player puts as many markers there behind Vuko as they own tokens."""

    RULE = "IG-8.9"

    def run(self, s: IceGardenTable) -> None:
        for faction in s.order:
            there = s.influence[faction * REGION_COUNT + s.vuko]
            take_control(s, "IG-8.9", faction, s.vuko, min(s.vuko_tokens[faction], there))


@final
class Nightwalker(Step[IceGardenTable]):
    """IG-15.7 In Vuko's region markers and as many tokens go back, controlled ones first."""

    RULE = "IG-15.7"

    def run(self, s: IceGardenTable) -> None:
        for faction in s.order:
            there = s.influence[faction * REGION_COUNT + s.vuko]
            count = min(s.vuko_tokens[faction], there)
            if count > 0:
                return_influence(s, "IG-15.7", faction, s.vuko, count)
                return_vuko_tokens(s, "IG-15.7", faction, count)


@final
class BothBears(Step[IceGardenTable]):
    """IG-15.8 The Dead Snow marker moves 1; if that ends the match, no token is taken."""

    RULE = "IG-15.8"

    def run(self, s: IceGardenTable) -> None:
        fall_snow(s, "IG-15.8", 1, NONE)


@final
class SnakeFight(Step[IceGardenTable]):
    """IG-15.10, IG-16.20 In turn order all players move their units out of Vuko's region."""

    RULE = "IG-15.10"

    def run(self, s: IceGardenTable) -> None:
        turns: list[Step[IceGardenTable]] = [SnakeTurn(faction) for faction in acting(s)]
        schedule(s, turns)


@final
class SnakeTurn(Step[IceGardenTable]):
    """IG-15.10 A player's units leave; without an adjacent open region they stay."""

    RULE = "IG-15.10"

    def __init__(self, faction: int) -> None:
        self.faction: Final = faction

    def run(self, s: IceGardenTable) -> None:
        if self.faction != s.options.npc:
            if has_unit(s, self.faction, s.vuko):
                s.agenda.append(SnakeFightMove(s.options.seat_of[self.faction]))
            return
        to = lowest_tile(s, open_neighbours(s, s.vuko))
        if to == NONE:
            return
        for figure in range(self.faction * FIGURES_EACH, (self.faction + 1) * FIGURES_EACH):
            if s.figure_at[figure] == s.vuko:
                move_unit(s, "IG-16.20", figure, to)


@final
class Flee(Command[IceGardenTable]):
    """IG-15.10 A unit leaves Vuko's region."""

    RULE = "IG-15.10"

    def __init__(self, figure: int, to: int) -> None:
        self.figure: Final = figure
        self.to: Final = to

    def refuse(self, s: IceGardenTable, seat: int) -> Refusal | None:
        return None if is_open(s, self.to) else CLOSED

    def perform(self, s: IceGardenTable, seat: int) -> None:
        move_unit(s, "IG-15.10", self.figure, self.to)


@final
class SnakeFightMove(Choice):
    """IG-15.10 Choose a unit and an adjacent open region for it, until none is left."""

    RULE = "IG-15.10"
    answers_with = (Flee,)

    def offers(self, s: IceGardenTable, seat: int) -> list[Command[IceGardenTable]]:
        offers: list[Command[IceGardenTable]] = []
        for figure in distinct_figures(s, s.options.factions[seat], s.vuko):
            for to in s.components.adjacent[s.vuko]:
                if s.tile[to] != 0:
                    offers.append(FLEE[figure * REGION_COUNT + to])
        return offers

    def resolve(self, s: IceGardenTable, seat: int, command: Command[IceGardenTable]) -> None:
        command.perform(s, seat)
        if has_unit(s, s.options.factions[seat], s.vuko):
            s.agenda.append(SnakeFightMove(seat))


YIELD: Final[list[Command[IceGardenTable]]] = [YieldUnit(figure) for figure in range(FIGURE_COUNT)]
FLEE: Final[list[Command[IceGardenTable]]] = [
    Flee(figure, to) for figure in range(FIGURE_COUNT) for to in range(REGION_COUNT)
]
