"""YG-13.2 The tables that agree with a view: unseen cards and tokens are dealt at random."""

from __future__ import annotations

from typing import Any

from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import CARD_KINDS, FURIOUS, GIANT_COUNT, NONE, WEAPON_LEVELS
from taflhall_engine.yggdrasil.rules.turn import PutAway
from taflhall_engine.yggdrasil.table import YggdrasilTable
from taflhall_engine.yggdrasil.view import PublicView


def imagine(components: Components, v: PublicView, chance: Chance) -> YggdrasilTable:
    """Return a random table that *v* could be of: unseen cards, giants and bags are dealt."""
    hindrance = 0
    for giant in v.giants_active:
        hindrance |= components.giant_bits[giant]
    forge = 0
    for weapon in v.forge:
        forge |= 1 << weapon.enemy * WEAPON_LEVELS + weapon.level - 1
    used = 0
    used_twice = 0
    for world in v.worlds_used:
        used_twice |= used & 1 << world
        used |= 1 << world
    known = 0
    size = len(v.deck)
    for i in range(size):
        if v.deck[i] != NONE:
            known |= 1 << (size - 1 - i)
    bag_vikings, bag_giants = imagined_bags(components, v)
    weapons: list[int] = []
    for holding in v.holdings:
        weapons.extend(holding.weapons)
    return YggdrasilTable(
        components,
        chance,
        [holding.god for holding in v.holdings],
        v.bag_inspection,
        v.thor_without_die,
        v.composition[:],
        v.pile_sizes[:],
        v.turn,
        v.active,
        v.actions_used,
        used,
        used_twice,
        imagined_deck(v, chance),
        known,
        v.discard[:],
        v.fenrir_card,
        v.enemies[:],
        bag_vikings,
        bag_giants,
        v.helheim,
        v.muspellheim,
        v.alfheim,
        [holding.vikings for holding in v.holdings],
        [holding.elves for holding in v.holdings],
        weapons,
        forge,
        v.valkyries,
        v.sunken,
        v.vanir,
        v.daeg,
        imagined_giants(v, chance),
        v.giants_active[:],
        v.giants_defeated[:],
        hindrance,
        v.die,
        v.outcome,
        v.reasons[:],
        v.agenda[:],
    )


def resolving(agenda: list[Step[Any]]) -> int:
    """YG-15.3 Return the card that is being resolved, or none (-1)."""
    for step in agenda:
        if isinstance(step, PutAway):
            return step.card
    return NONE


def unseen_cards(v: PublicView) -> list[int]:
    """Return the unseen cards of the deck, in canonical order."""
    left = v.composition[:]
    for card in v.discard:
        left[card] -= 1
    for card in v.deck:
        if card != NONE:
            left[card] -= 1
    for card in (v.fenrir_card, resolving(v.agenda)):
        if card != NONE:
            left[card] -= 1
    found: list[int] = []
    for card in range(CARD_KINDS):
        found.extend([card] * left[card])
    return found


def imagined_deck(v: PublicView, chance: Chance) -> list[int]:
    """Return an enemy deck, top card last, with the unseen cards in random places."""
    unseen = imagined_cards(v, chance)
    return [unseen.pop() if card == NONE else card for card in v.deck[::-1]]


def imagined_cards(v: PublicView, chance: Chance) -> list[int]:
    """Return the unseen cards in a random order, the top one first.

    Cards are seen from the top only and those that stay unseen keep their order: they are the
    bottom cards of the stack that was made at setup.
    """
    unseen = unseen_cards(v)
    if len(v.pile_sizes) < 2:
        chance.shuffle(unseen)
        return unseen
    plain = [card for card in unseen if card < FURIOUS]
    special = [card for card in unseen if card >= FURIOUS]
    chance.shuffle(plain)
    chance.shuffle(special)
    return spread(unseen_of_piles(v, len(unseen)), plain, special, chance)


def unseen_of_piles(v: PublicView, unseen: int) -> list[int]:
    """YG-2.6 Return the number of unseen cards of each pile that is not seen completely."""
    found: list[int] = []
    for size in v.pile_sizes[::-1]:
        if unseen > 0:
            found.append(min(size, unseen))
        unseen -= size
    found.reverse()
    return found


def spread(sizes: list[int], plain: list[int], special: list[int], chance: Chance) -> list[int]:
    """YG-2.6 Return piles of *sizes*, one upon the other, with a special card in each.

    Of the first one a part has been seen; if its special card was there, one is lacking.
    """
    cards: list[int] = []
    for place in range(len(sizes)):
        size = sizes[place]
        at = chance.below(size) if len(sizes) - place <= len(special) else size
        for i in range(size):
            cards.append(special.pop() if i == at else plain.pop())
    return cards


def imagined_giants(v: PublicView, chance: Chance) -> list[int]:
    """Return a giant deck in random order."""
    out = v.giants_active + v.giants_defeated
    giants = [giant for giant in range(GIANT_COUNT) if giant not in out]
    chance.shuffle(giants)
    return giants


def imagined_bags(components: Components, v: PublicView) -> tuple[list[int], list[int]]:
    """YG-13.3 Return the Vikings and the fire giants of each bag: closed ones can be reckoned."""
    vikings = [0] * len(components.bag_vikings)
    giants = [0] * len(components.bag_giants)
    for bag in v.bags:
        vikings[bag.island] = bag.vikings
        giants[bag.island] = bag.fire_giants
    for change in v.bag_changes:
        vikings[change.island] = components.bag_vikings[change.island] + change.vikings
        giants[change.island] = components.bag_giants[change.island] + change.fire_giants
    return vikings, giants
