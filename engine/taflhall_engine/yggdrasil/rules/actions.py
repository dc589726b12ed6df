"""YG-6 The action phase: which action, until none is left or the god stops."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.agenda import Command, Refusal, Step
from taflhall_engine.yggdrasil.ids import (
    ALFHEIM,
    ASGARD,
    DISCARD_GIANT,
    ENEMY_COUNT,
    GOD_COUNT,
    HELHEIM,
    JOTUNHEIM,
    MIDGARD,
    MOVE_VALKYRIES,
    MUSPELLHEIM,
    NIDAVELLIR,
    NIFLHEIM,
    PEEK_DECK,
    PUSH_ENEMY,
    TAKE_VIKINGS,
    VANAHEIM,
    WEAPON_LEVELS,
    WHIRLPOOL,
)
from taflhall_engine.yggdrasil.rules.base import INVALID_TARGET, Action, YggdrasilDecision
from taflhall_engine.yggdrasil.rules.exchange import NIFLHEIMS, owns_anything
from taflhall_engine.yggdrasil.rules.midgard import MIDGARDS, has_tokens
from taflhall_engine.yggdrasil.rules.peek import VANIR_PEEK
from taflhall_engine.yggdrasil.rules.powers import APPEASE
from taflhall_engine.yggdrasil.rules.use import MUST_APPEASE, actions_left, spent_worlds
from taflhall_engine.yggdrasil.rules.vanaheim import (
    VANIR_ADVANCE,
    VANIR_DISCARDS,
    VANIR_MOVES,
    VANIR_PUSHES,
    VANIR_VIKINGS,
)
from taflhall_engine.yggdrasil.rules.worlds import (
    ALFHEIM_ACTION,
    ASGARDS,
    HELHEIMS,
    JOTUNHEIM_HIDDEN,
    JOTUNHEIMS,
    MUSPELLHEIMS,
    NIDAVELLIRS,
)
from taflhall_engine.yggdrasil.table import YggdrasilTable


@final
class EndTurn(Action):
    """YG-6.6 Stop early; unused actions are lost."""

    RULE = "YG-6.6"

    def refuse(self, s: YggdrasilTable, seat: int) -> Refusal | None:
        return MUST_APPEASE if s.fenrir_card >= 0 else None

    def perform(self, s: YggdrasilTable, seat: int) -> None:
        s.agenda.pop()


END_TURN: Final = EndTurn()


@final
class Actions(Step[YggdrasilTable]):
    """YG-3.4 While actions are left, the active god is asked for one."""

    RULE = "YG-3.4"

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat

    def run(self, s: YggdrasilTable) -> None:
        if actions_left(s) > 0:
            s.agenda.append(self)
            s.agenda.append(CHOOSE_ACTION[self.seat])


@final
class ChooseAction(YggdrasilDecision):
    """YG-3.2, YG-14.2 The active god takes an action of a world, appeases, or ends the turn."""

    RULE = "YG-3.2"
    answers_with = (Action,)

    def forced(self, s: YggdrasilTable, legal: list[Command[YggdrasilTable]]) -> bool:
        """YG-3.5 This decision is asked even if there is no choice."""
        return False

    def not_offered(
        self, s: YggdrasilTable, seat: int, command: Command[YggdrasilTable]
    ) -> Refusal:
        """YG-6.8 An action says itself what is wrong with it."""
        return command.refuse(s, seat) or INVALID_TARGET

    def offers(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        found: list[Command[YggdrasilTable]] = [APPEASE]
        found.extend(ASGARDS)
        found.extend(MIDGARDS)
        found.extend(NIDAVELLIRS)
        found.append(ALFHEIM_ACTION)
        for partner in range(len(s.gods)):
            found.append(NIFLHEIMS[partner])
        found.extend(HELHEIMS)
        found.extend(MUSPELLHEIMS)
        found.extend(JOTUNHEIMS)
        found.append(JOTUNHEIM_HIDDEN)
        found.append(VANIR_ADVANCE)
        found.extend(VANIR_MOVES)
        found.append(VANIR_VIKINGS)
        found.append(VANIR_PEEK)
        found.extend(VANIR_PUSHES)
        found.extend(VANIR_DISCARDS)
        found.append(END_TURN)
        return found

    def options(self, s: YggdrasilTable, seat: int) -> list[Command[YggdrasilTable]]:
        """Return the same as asking every offer, but world by world and much faster."""
        if s.fenrir_card >= 0:
            return [APPEASE]
        found: list[Command[YggdrasilTable]] = []
        shut = s.hindrance | spent_worlds(s)
        if not shut >> ASGARD & 1:
            add_asgard(s, found)
        if not shut >> MIDGARD & 1:
            add_midgard(s, found)
        if not shut >> NIDAVELLIR & 1:
            add_nidavellir(s, seat, found)
        if s.alfheim and not shut >> ALFHEIM & 1:
            found.append(ALFHEIM_ACTION)
        if not shut >> NIFLHEIM & 1:
            add_niflheim(s, seat, found)
        if s.helheim and not shut >> HELHEIM & 1:
            for island in s.components.coloured:
                found.append(HELHEIMS[island])
        if not shut >> MUSPELLHEIM & 1:
            add_muspellheim(s, found)
        if not shut >> JOTUNHEIM & 1:
            add_jotunheim(s, found)
        if not shut >> VANAHEIM & 1:
            add_vanaheim(s, found)
        found.append(END_TURN)
        return found


def add_asgard(s: YggdrasilTable, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.1 Add the enemies that can be attacked."""
    for enemy in range(ENEMY_COUNT):
        if s.enemies[enemy] > s.components.start_space:
            found.append(ASGARDS[enemy])


def add_midgard(s: YggdrasilTable, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.2 Add what the Valkyries may do."""
    coloured = s.components.coloured
    whirlpool = (s.hindrance & WHIRLPOOL) != 0
    here = s.valkyries
    if here != s.sunken and here in coloured and has_tokens(s, here):
        found.append(MIDGARDS[1])
    for island in s.components.neighbours[here]:
        if island == s.sunken:
            if not whirlpool:
                found.append(MIDGARDS[island * 2 + 2])
            continue
        found.append(MIDGARDS[island * 2 + 2])
        if island in coloured and has_tokens(s, island):
            found.append(MIDGARDS[island * 2 + 3])


def add_nidavellir(s: YggdrasilTable, seat: int, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.3 Add the weapons that can be had."""
    for enemy in range(ENEMY_COUNT):
        level = s.weapons[seat * ENEMY_COUNT + enemy]
        if level < WEAPON_LEVELS and s.forge >> (enemy * WEAPON_LEVELS + level) & 1:
            found.append(NIDAVELLIRS[enemy])


def add_niflheim(s: YggdrasilTable, seat: int, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.5 Add the gods with whom something can be exchanged."""
    rich = owns_anything(s, seat)
    for partner in range(len(s.gods)):
        if partner != seat and (rich or owns_anything(s, partner)):
            found.append(NIFLHEIMS[partner])


def add_muspellheim(s: YggdrasilTable, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.7 Add the bags that are not empty."""
    for island in s.components.coloured:
        if has_tokens(s, island):
            found.append(MUSPELLHEIMS[island])


def add_jotunheim(s: YggdrasilTable, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.8 Add the giants that can be fought."""
    active = s.giants_active
    if len(active) > 1:
        active = sorted(active)
    for giant in active:
        found.append(JOTUNHEIMS[giant])
    if s.giant_deck:
        found.append(JOTUNHEIM_HIDDEN)


def add_vanaheim(s: YggdrasilTable, found: list[Command[YggdrasilTable]]) -> None:
    """YG-7.9 Add what the Vanir may do."""
    components = s.components
    vanir = s.vanir
    if vanir < components.vanir_spaces:
        found.append(VANIR_ADVANCE)
    if components.effect_space[MOVE_VALKYRIES] <= vanir:
        for island in components.neighbours[s.valkyries]:
            if island != s.sunken or not s.hindrance & WHIRLPOOL:
                found.append(VANIR_MOVES[island])
    if s.helheim and components.effect_space[TAKE_VIKINGS] <= vanir:
        found.append(VANIR_VIKINGS)
    if s.deck and components.effect_space[PEEK_DECK] <= vanir:
        found.append(VANIR_PEEK)
    if components.effect_space[PUSH_ENEMY] <= vanir:
        for enemy in range(ENEMY_COUNT):
            if s.enemies[enemy] > components.start_space:
                found.append(VANIR_PUSHES[enemy])
    if components.effect_space[DISCARD_GIANT] <= vanir:
        for giant in range(len(VANIR_DISCARDS)):
            if giant in s.giants_active or giant in s.giant_deck:
                found.append(VANIR_DISCARDS[giant])


CHOOSE_ACTION: Final = [ChooseAction(seat) for seat in range(GOD_COUNT)]
ACTIONS: Final = [Actions(seat) for seat in range(GOD_COUNT)]
