"""YG-15 The invariants of every table."""

from __future__ import annotations

from taflhall_engine.kernel.agenda import Decision, waiting
from taflhall_engine.yggdrasil.ids import (
    CARD_KINDS,
    DAEG,
    ENEMY_COUNT,
    FENRIR,
    FREY,
    FURIOUS,
    GIANT_COUNT,
    GOES_ON,
    ISLAND_COUNT,
    NONE,
    WEAPON_LEVELS,
)
from taflhall_engine.yggdrasil.imagine import resolving
from taflhall_engine.yggdrasil.rules.base import has_power
from taflhall_engine.yggdrasil.rules.turn import OdinChoice, OdinDraw
from taflhall_engine.yggdrasil.rules.use import actions_left
from taflhall_engine.yggdrasil.table import YggdrasilTable


def faults(s: YggdrasilTable) -> list[str]:
    """Return every broken invariant of *s*, in words that begin with its number."""
    found: list[str] = []
    totals(s, found)
    weapons(s, found)
    giants(s, found)
    positions(s, found)
    cards(s, found)
    decision(s, found)
    length(s, found)
    return found


def totals(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.1, YG-1.10 The totals hold; no stock is negative."""
    vikings = sum(s.bag_vikings) + s.helheim + sum(s.vikings)
    if vikings != s.components.vikings:
        found.append(f"YG-15.1: {vikings} Vikings instead of {s.components.vikings}")
    fire_giants = sum(s.bag_giants) + s.muspellheim
    if fire_giants != s.components.fire_giants:
        found.append(f"YG-15.1: {fire_giants} fire giants instead of {s.components.fire_giants}")
    elves = s.alfheim + sum(s.elves)
    if elves != len(s.gods) + s.components.elves_base:
        found.append(f"YG-15.1: {elves} elves with {len(s.gods)} gods")
    stocks = [*s.bag_vikings, *s.bag_giants, *s.vikings, *s.elves]
    stocks.extend([s.helheim, s.muspellheim, s.alfheim, s.daeg, s.actions_used])
    if min(stocks) < 0:
        found.append("YG-15.1: a stock is negative")
    for island in range(ISLAND_COUNT):
        if island not in s.components.coloured and s.bag_vikings[island] + s.bag_giants[island]:
            found.append(f"YG-15.1: island {island} has no bag, but tokens")


def weapons(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.1, YG-1.10 Each weapon card is in the forge or with one god."""
    for enemy in range(ENEMY_COUNT):
        for level in range(1, WEAPON_LEVELS + 1):
            copies = s.forge >> (enemy * WEAPON_LEVELS + level - 1) & 1
            for seat in range(len(s.gods)):
                if s.weapons[seat * ENEMY_COUNT + enemy] == level:
                    copies += 1
            if copies != 1:
                found.append(f"YG-15.1: {copies} weapons of level {level} against enemy {enemy}")


def giants(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.1, YG-9.1 Each giant is in one zone; the active ones hinder as they should."""
    if sorted(s.giant_deck + s.giants_active + s.giants_defeated) != list(range(GIANT_COUNT)):
        found.append("YG-15.1: a giant is missing or twice there")
        return
    hindrance = 0
    for giant in s.giants_active:
        hindrance |= s.components.giant_bits[giant]
    if hindrance != s.hindrance:
        found.append(f"YG-9.2: the active giants do {hindrance:#x}, not {s.hindrance:#x}")


def positions(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.2 Enemies, Vanir, Valkyries and the submerged tile are where they can be."""
    if min(s.enemies) < s.components.start_space or max(s.enemies) > s.components.residence:
        found.append(f"YG-15.2: the enemies stand on {s.enemies}")
    if not 1 <= s.vanir <= s.components.vanir_spaces:
        found.append(f"YG-15.2: the Vanir stands on {s.vanir}")
    if not 0 <= s.valkyries < ISLAND_COUNT:
        found.append(f"YG-15.2: the Valkyries stand on {s.valkyries}")
    if s.sunken not in s.components.coloured:
        found.append(f"YG-15.2: the submerged tile lies on {s.sunken}")


def cards(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.3 Every card of the setup is in the deck, discarded, face up or being resolved."""
    count = [0] * CARD_KINDS
    out = [card for card in (s.fenrir_card, resolving(s.agenda)) if card != NONE]
    for card in s.deck + s.discard + out:
        count[card] += 1
    if count != s.composition:
        found.append(f"YG-15.3: the cards are {count}, at setup {s.composition}")
    if s.fenrir_card not in (NONE, FENRIR, FURIOUS + FENRIR):
        found.append(f"YG-15.3: card {s.fenrir_card} lies face up as Fenrir's")
    if s.known >> len(s.deck):
        found.append("YG-13.7: more cards are known than the deck has")
    piles(s, found)


def piles(s: YggdrasilTable, found: list[str]) -> None:
    """YG-2.6 A pile that nobody has seen holds one special card; the next one may hold it yet."""
    if sum(s.pile_sizes) != sum(s.composition):
        found.append(f"YG-2.6: piles of {s.pile_sizes} for {sum(s.composition)} cards")
    if len(s.pile_sizes) < 2:
        return
    unseen = [s.deck[i] for i in range(len(s.deck)) if not s.known >> i & 1]
    for size in s.pile_sizes[::-1]:
        pile, unseen = unseen[:size], unseen[size:]
        specials = sum(card >= FURIOUS for card in pile)
        if specials > 1 or (specials < 1 and len(pile) == size):
            found.append(f"YG-2.6: the pile {pile} holds {specials} special cards")


def decision(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.4 One decision of the active god is pending, unless the match is over."""
    top = waiting(s)
    if (top is None) != (s.outcome != GOES_ON):
        found.append(f"YG-15.4: outcome {s.outcome}, but pending is {top!r}")
    if top is not None and (not isinstance(top, Decision) or top.seat != s.active):
        found.append(f"YG-15.4: {top!r} is not the decision of seat {s.active}")
    allowance = s.components.frey_actions if has_power(s, s.active, FREY) else s.components.actions
    if s.actions_used > allowance:
        found.append(f"YG-15.4: {s.actions_used} of {allowance} actions are used")
    if top is not None and type(top).__name__ == "ChooseAction" and not actions_left(s):
        found.append("YG-15.4: an action is asked for, but none is left")


def length(s: YggdrasilTable, found: list[str]) -> None:
    """YG-15.5 A turn for each card that has left the deck and for each that Daeg spared."""
    drawn = sum(s.composition) - len(s.deck)
    runes = [s.components.giant_rune[giant] for giant in s.giants_defeated]
    complete = runes.count(DAEG) >= s.components.rune_needs[DAEG]
    spared = (s.components.daeg_turns if complete else 0) - s.daeg
    if s.agenda and isinstance(s.agenda[-1], OdinDraw | OdinChoice):
        drawn += 1
    if s.turn != drawn + spared:
        found.append(f"YG-15.5: turn {s.turn}, {drawn} cards drawn, {spared} turns without")
