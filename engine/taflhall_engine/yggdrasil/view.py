"""YG-13, YG-14.6 What may be known of a table."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.value import Value
from taflhall_engine.yggdrasil.names import (
    CLOSED,
    ENEMY_COUNT,
    FENRIR,
    NO_DIE,
    NO_POWERS,
    NONE,
    RUNES,
    WEAPON_LEVELS,
    WHIRLPOOL,
    WORLDS,
)
from taflhall_engine.yggdrasil.rules.battle import enemy_strength
from taflhall_engine.yggdrasil.rules.use import actions_left
from taflhall_engine.yggdrasil.table import YggdrasilTable


@final
class Holding(Value):
    """What the god of a seat holds; *weapons* are the levels, 0 for none, by enemy."""

    def __init__(self, god: int, vikings: int, elves: int, weapons: list[int]) -> None:
        self.god: Final = god
        self.vikings: Final = vikings
        self.elves: Final = elves
        self.weapons: Final = weapons


@final
class Bag(Value):
    """What is in the bag of *island*."""

    def __init__(self, island: int, vikings: int, fire_giants: int) -> None:
        self.island: Final = island
        self.vikings: Final = vikings
        self.fire_giants: Final = fire_giants


@final
class PublicView(Value):
    """What everybody may know: all but the order of the decks and, if closed, the bags.

    *deck* has a place for each card from the top, -1 where nobody has seen it (YG-13.7).
    *bags* is empty with closed bags (YG-13.3); *empty_bags* are the islands whose bag holds
    nothing, which the options tell anyway. *forge* says for each enemy and level whether the
    weapon is in the forge.
    """

    def __init__(
        self,
        turn: int,
        active: int,
        actions_left: int,
        actions_used: int,
        worlds_used: list[int],
        holdings: list[Holding],
        enemies: list[int],
        strengths: list[int],
        fenrir_card: int,
        fenrir_level: int,
        deck: list[int],
        composition: list[int],
        discard: list[int],
        bag_inspection: int,
        thor_without_die: bool,
        bags: list[Bag],
        empty_bags: list[int],
        helheim: int,
        muspellheim: int,
        alfheim: int,
        forge: list[bool],
        vanir: int,
        valkyries: int,
        sunken: int,
        whirlpool: bool,
        giants_active: list[int],
        giants_defeated: list[int],
        giants_deck: int,
        runes: list[int],
        blocked_worlds: list[int],
        powers_active: bool,
        die_blocked: bool,
        daeg: int,
        die: int,
        outcome: int,
        reasons: list[int],
        agenda: list[Step[Any]],
    ) -> None:
        self.turn: Final = turn
        self.active: Final = active
        self.actions_left: Final = actions_left
        self.actions_used: Final = actions_used
        self.worlds_used: Final = worlds_used
        self.holdings: Final = holdings
        self.enemies: Final = enemies
        self.strengths: Final = strengths
        self.fenrir_card: Final = fenrir_card
        self.fenrir_level: Final = fenrir_level
        self.deck: Final = deck
        self.composition: Final = composition
        self.discard: Final = discard
        self.bag_inspection: Final = bag_inspection
        self.thor_without_die: Final = thor_without_die
        self.bags: Final = bags
        self.empty_bags: Final = empty_bags
        self.helheim: Final = helheim
        self.muspellheim: Final = muspellheim
        self.alfheim: Final = alfheim
        self.forge: Final = forge
        self.vanir: Final = vanir
        self.valkyries: Final = valkyries
        self.sunken: Final = sunken
        self.whirlpool: Final = whirlpool
        self.giants_active: Final = giants_active
        self.giants_defeated: Final = giants_defeated
        self.giants_deck: Final = giants_deck
        self.runes: Final = runes
        self.blocked_worlds: Final = blocked_worlds
        self.powers_active: Final = powers_active
        self.die_blocked: Final = die_blocked
        self.daeg: Final = daeg
        self.die: Final = die
        self.outcome: Final = outcome
        self.reasons: Final = reasons
        self.agenda: Final = agenda


@final
class PrivateView(Value):
    """YG-13.2 Nobody has private information."""


PRIVATE: Final = PrivateView()


def bits(mask: int, limit: int) -> list[int]:
    """Return the numbers of ``range(limit)`` whose bit is set in *mask*."""
    return [number for number in range(limit) if mask >> number & 1]


def worlds_used(s: YggdrasilTable) -> list[int]:
    """YG-3.6 Return the worlds used this turn, in canonical order, twice used ones twice."""
    return sorted(bits(s.used, len(WORLDS)) + bits(s.used_twice, len(WORLDS)))


def known_deck(s: YggdrasilTable) -> list[int]:
    """YG-13.7 Return the deck from the top, -1 where nobody has seen the card."""
    size = len(s.deck)
    return [s.deck[place] if s.known >> place & 1 else NONE for place in range(size - 1, -1, -1)]


def public(s: YggdrasilTable) -> PublicView:
    """Return what everybody may know of *s*."""
    box = s.box
    runes = [0] * len(RUNES)
    for giant in s.giants_defeated:
        runes[box.giant_rune[giant]] += 1
    holdings = [
        Holding(
            s.gods[seat],
            s.vikings[seat],
            s.elves[seat],
            s.weapons[seat * ENEMY_COUNT : (seat + 1) * ENEMY_COUNT],
        )
        for seat in range(len(s.gods))
    ]
    bags: list[Bag] = []
    if s.bag_inspection != CLOSED:
        bags = [Bag(i, s.bag_vikings[i], s.bag_giants[i]) for i in box.coloured]
    level = box.space_level[s.enemies[FENRIR]]
    if s.enemies[FENRIR] == box.residence:
        level = box.strictest_level
    return PublicView(
        s.turn,
        s.active,
        actions_left(s),
        s.actions_used,
        worlds_used(s),
        holdings,
        s.enemies[:],
        [enemy_strength(s, enemy) for enemy in range(ENEMY_COUNT)],
        s.fenrir_card,
        level,
        known_deck(s),
        s.composition[:],
        s.discard[:],
        s.bag_inspection,
        s.thor_without_die,
        bags,
        [i for i in box.coloured if s.bag_vikings[i] + s.bag_giants[i] == 0],
        s.helheim,
        s.muspellheim,
        s.alfheim,
        [s.forge >> i & 1 == 1 for i in range(ENEMY_COUNT * WEAPON_LEVELS)],
        s.vanir,
        s.valkyries,
        s.sunken,
        s.hindrance & WHIRLPOOL != 0,
        s.giants_active[:],
        s.giants_defeated[:],
        len(s.giant_deck),
        runes,
        bits(s.hindrance, len(WORLDS)),
        s.hindrance & NO_POWERS == 0,
        s.hindrance & NO_DIE != 0,
        s.daeg,
        s.die,
        s.outcome,
        s.reasons[:],
        s.agenda[:],
    )
