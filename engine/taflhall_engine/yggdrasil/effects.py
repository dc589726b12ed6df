"""The verbs of Yggdrasil: each changes the table and emits an event, without a decision."""

from __future__ import annotations

from taflhall_engine.yggdrasil.events import (
    ActionTaken,
    BagCleaned,
    BagFilled,
    BagSearched,
    CardDiscarded,
    CardDrawn,
    CardPutUnder,
    CardsReordered,
    CardsShown,
    DrawsSuspended,
    ElfTaken,
    ElvesSpent,
    EnemyMoved,
    Exchanged,
    FenrirAngered,
    FenrirCalmed,
    FireGiantsSent,
    GiantDefeated,
    GiantRevealed,
    GiantsShuffled,
    IslandSunk,
    ValkyriesMoved,
    VanirMoved,
    VikingsLost,
    VikingsSpent,
    VikingsTaken,
    WeaponForged,
)
from taflhall_engine.yggdrasil.ids import ENEMY_COUNT, NONE, WEAPON_LEVELS
from taflhall_engine.yggdrasil.table import YggdrasilTable

# ---------------------------------------------------------------- cards


def draw_card(s: YggdrasilTable, rule: str, seat: int) -> int:
    """Take the top card off the enemy deck and return it."""
    card = s.deck.pop()
    s.known &= (1 << len(s.deck)) - 1
    if s.journal is not None:
        s.journal.append(CardDrawn(rule, seat, card))
    return card


def show_cards(s: YggdrasilTable, rule: str, seat: int, count: int) -> None:
    """Show everybody the top *count* cards of the enemy deck; they stay known."""
    size = len(s.deck)
    s.known |= (1 << size) - (1 << (size - count))
    if s.journal is not None:
        s.journal.append(CardsShown(rule, seat, s.deck[: -count - 1 : -1]))


def put_under(s: YggdrasilTable, rule: str, index: int) -> None:
    """Put one of the cards that have just been shown, 0 being the top one, under the deck."""
    place = len(s.deck) - 1 - index
    card = s.deck.pop(place)
    s.deck.insert(0, card)
    low = s.known & ((1 << place) - 1)
    s.known = (low | s.known >> (place + 1) << place) << 1 | 1
    if s.journal is not None:
        s.journal.append(CardPutUnder(rule, card))


def reorder_cards(s: YggdrasilTable, rule: str, seat: int, cards: list[int]) -> None:
    """Put *cards*, the new top one first, in the place of as many top cards."""
    size = len(s.deck)
    for i in range(len(cards)):
        s.deck[size - 1 - i] = cards[i]
    if s.journal is not None:
        s.journal.append(CardsReordered(rule, seat, cards[:]))


def discard_card(s: YggdrasilTable, rule: str, card: int) -> None:
    s.discard.append(card)
    if s.journal is not None:
        s.journal.append(CardDiscarded(rule, card))


# ---------------------------------------------------------------- enemies


def move_enemy(s: YggdrasilTable, rule: str, enemy: int, steps: int) -> None:
    """Move *enemy* forward, or back if *steps* is negative; it stops at the ends of the track."""
    origin = s.enemies[enemy]
    space = origin + steps
    if space > s.components.residence:
        space = s.components.residence
    elif space < s.components.start_space:
        space = s.components.start_space
    s.enemies[enemy] = space
    if s.journal is not None:
        s.journal.append(EnemyMoved(rule, enemy, origin, space))


def anger_fenrir(s: YggdrasilTable, rule: str, card: int) -> None:
    s.fenrir_card = card
    if s.journal is not None:
        s.journal.append(FenrirAngered(rule, card))


def calm_fenrir(s: YggdrasilTable, rule: str, seat: int) -> None:
    """Calm Fenrir and discard his card."""
    card = s.fenrir_card
    s.fenrir_card = NONE
    if s.journal is not None:
        s.journal.append(FenrirCalmed(rule, seat))
    discard_card(s, rule, card)


# ---------------------------------------------------------------- Vikings, elves, weapons, bags


def lose_vikings(s: YggdrasilTable, rule: str, island: int, count: int) -> None:
    """Move Vikings from a bag to Helheim."""
    s.bag_vikings[island] -= count
    s.helheim += count
    if s.journal is not None:
        s.journal.append(VikingsLost(rule, island, count))


def send_fire_giants(s: YggdrasilTable, rule: str, island: int, count: int) -> None:
    """Move fire giants from Muspellheim into a bag."""
    s.muspellheim -= count
    s.bag_giants[island] += count
    if s.journal is not None:
        s.journal.append(FireGiantsSent(rule, island, count))


def draw_tokens(s: YggdrasilTable, island: int, count: int) -> list[int]:
    """Draw at most *count* tokens from a bag; return the Vikings and the fire giants drawn."""
    bag = [s.bag_vikings[island], s.bag_giants[island]]
    size = bag[0] + bag[1]
    return s.chance.draw(bag, min(size, count))


def search_bag(s: YggdrasilTable, rule: str, seat: int, island: int, count: int) -> None:
    """Draw tokens: the Vikings go to *seat*, the fire giants back."""
    drawn = draw_tokens(s, island, count)
    s.bag_vikings[island] -= drawn[0]
    s.vikings[seat] += drawn[0]
    if s.journal is not None:
        s.journal.append(BagSearched(rule, seat, island, drawn[0], drawn[1]))


def clean_bag(s: YggdrasilTable, rule: str, seat: int, island: int, count: int) -> None:
    """Draw tokens: the fire giants go to Muspellheim, the Vikings back."""
    drawn = draw_tokens(s, island, count)
    s.bag_giants[island] -= drawn[1]
    s.muspellheim += drawn[1]
    if s.journal is not None:
        s.journal.append(BagCleaned(rule, seat, island, drawn[0], drawn[1]))


def fill_bag(s: YggdrasilTable, rule: str, island: int, count: int) -> None:
    """Move Vikings from Helheim into a bag."""
    s.helheim -= count
    s.bag_vikings[island] += count
    if s.journal is not None:
        s.journal.append(BagFilled(rule, island, count))


def spend_vikings(s: YggdrasilTable, rule: str, seat: int, count: int) -> None:
    s.vikings[seat] -= count
    s.helheim += count
    if s.journal is not None and count:
        s.journal.append(VikingsSpent(rule, seat, count))


def take_vikings(s: YggdrasilTable, rule: str, seat: int, count: int) -> None:
    """Move Vikings from Helheim to *seat*."""
    s.helheim -= count
    s.vikings[seat] += count
    if s.journal is not None and count:
        s.journal.append(VikingsTaken(rule, seat, count))


def spend_elves(s: YggdrasilTable, rule: str, seat: int, count: int) -> None:
    s.elves[seat] -= count
    s.alfheim += count
    if s.journal is not None and count:
        s.journal.append(ElvesSpent(rule, seat, count))


def take_elf(s: YggdrasilTable, rule: str, seat: int) -> None:
    s.alfheim -= 1
    s.elves[seat] += 1
    if s.journal is not None:
        s.journal.append(ElfTaken(rule, seat))


def forge_weapon(s: YggdrasilTable, rule: str, seat: int, enemy: int) -> None:
    """Return the weapon *seat* holds against *enemy*, if any, and take the next level."""
    place = seat * ENEMY_COUNT + enemy
    level = s.weapons[place]
    first = enemy * WEAPON_LEVELS
    if level:
        s.forge |= 1 << (first + level - 1)
    s.forge &= ~(1 << (first + level))
    s.weapons[place] = level + 1
    if s.journal is not None:
        s.journal.append(WeaponForged(rule, seat, enemy, level + 1))


def exchange(
    s: YggdrasilTable,
    rule: str,
    seat: int,
    partner: int,
    give_vikings: int,
    take_vikings: int,
    give_elves: int,
    take_elves: int,
) -> None:
    """Hand over Vikings and elves, both ways together."""
    s.vikings[seat] += take_vikings - give_vikings
    s.vikings[partner] += give_vikings - take_vikings
    s.elves[seat] += take_elves - give_elves
    s.elves[partner] += give_elves - take_elves
    if s.journal is not None:
        s.journal.append(
            Exchanged(rule, seat, partner, give_vikings, take_vikings, give_elves, take_elves)
        )


# ---------------------------------------------------------------- Midgard, Vanir


def move_valkyries(s: YggdrasilTable, rule: str, island: int) -> None:
    s.valkyries = island
    if s.journal is not None:
        s.journal.append(ValkyriesMoved(rule, island))


def sink_island(s: YggdrasilTable, rule: str, island: int) -> None:
    s.sunken = island
    if s.journal is not None:
        s.journal.append(IslandSunk(rule, island))


def move_vanir(s: YggdrasilTable, rule: str, space: int) -> None:
    s.vanir = space
    if s.journal is not None:
        s.journal.append(VanirMoved(rule, space))


# ---------------------------------------------------------------- actions and turns


def use_action(s: YggdrasilTable, rule: str, seat: int, world: int) -> None:
    """Count an action, and that *world* is used unless it is none."""
    s.actions_used += 1
    if world >= 0:
        bit = 1 << world
        s.used_twice |= s.used & bit
        s.used |= bit
    if s.journal is not None:
        s.journal.append(ActionTaken(rule, seat, world))


def suspend_draws(s: YggdrasilTable, rule: str, turns: int) -> None:
    s.daeg += turns
    if s.journal is not None:
        s.journal.append(DrawsSuspended(rule, s.daeg))


# ---------------------------------------------------------------- giants


def reveal_giant(s: YggdrasilTable, rule: str) -> None:
    """Turn up the top giant: it becomes active at once."""
    giant = s.giant_deck.pop()
    s.giants_active.append(giant)
    s.hindrance |= s.components.giant_bits[giant]
    if s.journal is not None:
        s.journal.append(GiantRevealed(rule, giant))


def lay_aside_giant(s: YggdrasilTable, rule: str, giant: int) -> None:
    """Move an active giant or one of the deck to the defeated; its effect ends."""
    if giant in s.giants_active:
        s.giants_active.remove(giant)
        hindrance = 0
        for other in s.giants_active:
            hindrance |= s.components.giant_bits[other]
        s.hindrance = hindrance
    else:
        s.giant_deck.remove(giant)
    s.giants_defeated.append(giant)
    if s.journal is not None:
        s.journal.append(GiantDefeated(rule, giant))


def shuffle_giants(s: YggdrasilTable, rule: str) -> None:
    s.chance.shuffle(s.giant_deck)
    if s.journal is not None:
        s.journal.append(GiantsShuffled(rule))
