"""YG-13, YG-14.6 From a table to its view."""

from __future__ import annotations

from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import (
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
from taflhall_engine.yggdrasil.view import Bag, Holding, PublicView, Weapon


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


def bag_changes(components: Components, bags: list[Bag]) -> list[Bag]:
    """YG-13.3 Return what *bags* have gained or lost since the setup: every draw was seen."""
    return [
        Bag(
            bag.island,
            bag.vikings - components.bag_vikings[bag.island],
            bag.fire_giants - components.bag_giants[bag.island],
        )
        for bag in bags
    ]


def public(s: YggdrasilTable) -> PublicView:
    """Return what everybody may know of *s*."""
    components = s.components
    runes = [0] * len(RUNES)
    for giant in s.giants_defeated:
        runes[components.giant_rune[giant]] += 1
    holdings = [
        Holding(
            s.gods[seat],
            s.vikings[seat],
            s.elves[seat],
            s.weapons[seat * ENEMY_COUNT : (seat + 1) * ENEMY_COUNT],
        )
        for seat in range(len(s.gods))
    ]
    bags = [Bag(i, s.bag_vikings[i], s.bag_giants[i]) for i in components.coloured]
    changes: list[Bag] = []
    if s.bag_inspection == CLOSED:
        changes = bag_changes(components, bags)
        bags = []
    level = components.space_level[s.enemies[FENRIR]]
    if s.enemies[FENRIR] == components.residence:
        level = components.strictest_level
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
        s.pile_sizes[:],
        s.discard[:],
        s.bag_inspection,
        s.thor_without_die,
        bags,
        changes,
        [i for i in components.coloured if s.bag_vikings[i] + s.bag_giants[i] == 0],
        s.helheim,
        s.muspellheim,
        s.alfheim,
        [
            Weapon(enemy, level)
            for enemy in range(ENEMY_COUNT)
            for level in range(1, WEAPON_LEVELS + 1)
            if s.forge >> enemy * WEAPON_LEVELS + level - 1 & 1
        ],
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
