"""YG-2 Setup: the gods, the deck and the pieces' places."""

from __future__ import annotations

from typing import Final, final

from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Fault
from taflhall_engine.kernel.value import Value
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.ids import (
    BAG_INSPECTIONS,
    CARD_KINDS,
    ENEMY_COUNT,
    FURIOUS,
    GIANT_COUNT,
    GOD_COUNT,
    GOES_ON,
    NONE,
    OPEN,
    RAGNAROK,
    RAGNAROK_COUNT,
    WEAPON_LEVELS,
)
from taflhall_engine.yggdrasil.rules.turn import TURNS
from taflhall_engine.yggdrasil.table import YggdrasilTable


@final
class Setup(Value):
    """YG-2.1 How a match is laid out: either *gods* in seat order, or a number of *seats*.

    *furious* enemies are drawn at random unless *furious_enemies* names them.
    """

    def __init__(
        self,
        gods: list[int] | None = None,
        seats: int | None = None,
        furious: int = 0,
        furious_enemies: list[int] | None = None,
        ragnarok: int = 0,
        spread_evenly: bool = True,
        bag_inspection: int = OPEN,
        thor_without_die: bool = False,
    ) -> None:
        self.gods: Final = [] if gods is None else gods
        self.seats: Final = seats
        self.furious: Final = furious
        self.furious_enemies: Final = [] if furious_enemies is None else furious_enemies
        self.ragnarok: Final = ragnarok
        self.spread_evenly: Final = spread_evenly
        self.bag_inspection: Final = bag_inspection
        self.thor_without_die: Final = thor_without_die


def setup_faults(components: Components, setup: Setup) -> list[Fault]:
    """YG-2.1 Return everything that is wrong with *setup*."""
    found: list[Fault] = []
    if bool(setup.gods) == (setup.seats is not None):
        found.append(GODS_OR_SEATS)
    elif not distinct(setup.gods, GOD_COUNT):
        found.append(WRONG_GODS)
    elif setup.seats is not None and not 1 <= setup.seats <= GOD_COUNT:
        found.append(WRONG_SEATS)
    if not distinct(setup.furious_enemies, ENEMY_COUNT):
        found.append(WRONG_FURIOUS_ENEMIES)
    if not 0 <= setup.furious <= components.furious_max:
        found.append(WRONG_FURIOUS)
    elif setup.furious and setup.furious_enemies and setup.furious != len(setup.furious_enemies):
        found.append(FURIOUS_DIFFER)
    if not 0 <= setup.ragnarok <= components.ragnarok_max:
        found.append(WRONG_RAGNAROK)
    if not 0 <= setup.bag_inspection < len(BAG_INSPECTIONS):
        found.append(WRONG_INSPECTION)
    return found


def distinct(numbers: list[int], limit: int) -> bool:
    """Return whether *numbers* are different and all of ``range(limit)``."""
    seen = 0
    for number in numbers:
        if not 0 <= number < limit or seen >> number & 1:
            return False
        seen |= 1 << number
    return True


GODS_OR_SEATS: Final = Fault("gods", "gods_or_seats")
WRONG_GODS: Final = Fault("gods", "unknown_or_repeated")
WRONG_SEATS: Final = Fault("seats", "out_of_range")
WRONG_FURIOUS_ENEMIES: Final = Fault("furious_enemies", "unknown_or_repeated")
WRONG_FURIOUS: Final = Fault("furious", "out_of_range")
FURIOUS_DIFFER: Final = Fault("furious", "contradiction")
WRONG_RAGNAROK: Final = Fault("ragnarok", "out_of_range")
WRONG_INSPECTION: Final = Fault("bag_inspection", "unknown", "", ", ".join(BAG_INSPECTIONS))


def lay_out(components: Components, setup: Setup, chance: Chance) -> YggdrasilTable:
    """YG-2.2 to YG-2.8 Set up the table for the first turn. YG-13.4 orders the random numbers."""
    gods = setup.gods[:]
    if setup.seats is not None:
        gods = some_of(GOD_COUNT, setup.seats, chance)
    furious = setup.furious_enemies[:]
    if not furious:
        furious = some_of(ENEMY_COUNT, setup.furious, chance)
    ragnarok = some_of(RAGNAROK_COUNT, setup.ragnarok, chance)

    plain: list[int] = []
    for enemy in range(ENEMY_COUNT):
        count = components.plain_cards[enemy] - (1 if enemy in furious else 0)
        plain.extend([enemy] * count)
    specials = [FURIOUS + enemy for enemy in sorted(furious)]
    specials.extend([RAGNAROK + number for number in sorted(ragnarok)])
    composition = [0] * CARD_KINDS
    for card in plain:
        composition[card] += 1
    for card in specials:
        composition[card] += 1
    deck = stack(plain, specials, setup.spread_evenly, chance)
    deck.reverse()
    giants = list(range(GIANT_COUNT))
    chance.shuffle(giants)

    count = len(gods)
    return YggdrasilTable(
        components,
        chance,
        gods,
        setup.bag_inspection,
        setup.thor_without_die,
        composition,
        pile_sizes(len(plain), len(specials), setup.spread_evenly),
        turn=0,
        active=0,
        actions_used=0,
        used=0,
        used_twice=0,
        deck=deck,
        known=0,
        discard=[],
        fenrir_card=NONE,
        enemies=[components.start_space] * ENEMY_COUNT,
        bag_vikings=components.bag_vikings[:],
        bag_giants=components.bag_giants[:],
        helheim=components.start_helheim,
        muspellheim=components.start_muspellheim,
        alfheim=count + components.elves_base,
        vikings=[0] * count,
        elves=[0] * count,
        weapons=[0] * (count * ENEMY_COUNT),
        forge=(1 << (ENEMY_COUNT * WEAPON_LEVELS)) - 1,
        valkyries=components.start_island,
        sunken=components.start_sunken,
        vanir=components.vanir_start,
        daeg=0,
        giant_deck=giants,
        giants_active=[],
        giants_defeated=[],
        hindrance=0,
        die=NONE,
        outcome=GOES_ON,
        reasons=[],
        agenda=[TURNS[0]],
    )


def some_of(limit: int, count: int, chance: Chance) -> list[int]:
    """YG-2.3 Draw *count* different numbers of ``range(limit)``, all equally likely."""
    if not count:
        return []
    numbers = list(range(limit))
    chance.shuffle(numbers)
    return numbers[:count]


def stack(plain: list[int], specials: list[int], spread: bool, chance: Chance) -> list[int]:
    """YG-2.6 Return the enemy deck, top card first: the specials spread evenly, or shuffled in."""
    if not spread or not specials:
        deck = plain + specials
        chance.shuffle(deck)
        return deck
    chance.shuffle(plain)
    chance.shuffle(specials)
    deck = []
    begin = 0
    sizes = pile_sizes(len(plain), len(specials), spread)
    for i in range(len(specials)):
        end = begin + sizes[i] - 1
        pile = plain[begin:end]
        pile.append(specials[i])
        chance.shuffle(pile)
        deck.extend(pile)
        begin = end
    return deck


def pile_sizes(plain: int, specials: int, spread: bool) -> list[int]:
    """YG-2.6 Return how many cards, the special one included, each pile gets, top pile first.

    Without a special card, or if they are not spread, the deck is one pile.
    """
    if not spread or not specials:
        return [plain + specials]
    return [plain // specials + (i < plain % specials) + 1 for i in range(specials)]
