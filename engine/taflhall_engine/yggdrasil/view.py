"""YG-13, YG-14.6 The values of a view; :mod:`observe` fills them in, :mod:`imagine` reads them."""

from __future__ import annotations

from typing import Any, Final, final

from taflhall_engine.kernel.agenda import Step
from taflhall_engine.kernel.value import Value


@final
class Holding(Value):
    """The pieces of a seat's god; *weapons* are the levels, 0 for none, by enemy."""

    def __init__(self, god: int, vikings: int, elves: int, weapons: list[int]) -> None:
        self.god: Final = god
        self.vikings: Final = vikings
        self.elves: Final = elves
        self.weapons: Final = weapons


@final
class Weapon(Value):
    """A weapon card, by the enemy against whom it helps and its level from 1 to 3."""

    def __init__(self, enemy: int, level: int) -> None:
        self.enemy: Final = enemy
        self.level: Final = level


@final
class Bag(Value):
    """The contents of the bag of *island*, or its gains (less than 0: losses)."""

    def __init__(self, island: int, vikings: int, fire_giants: int) -> None:
        self.island: Final = island
        self.vikings: Final = vikings
        self.fire_giants: Final = fire_giants


@final
class PublicView(Value):
    """The public information: all but the order of the decks and, if closed, the bags.

    *deck* has a place for each card from the top, -1 where nobody has seen it (YG-13.7).
    *pile_sizes* are the piles the deck was stacked from, the top one first: each holds one
    special card if there are two or more (YG-2.6). *bags* is empty with closed bags (YG-13.3);
    *bag_changes* is then what each bag has gained or lost since the setup, as everybody saw, and
    *empty_bags* are the islands whose bag holds nothing, which the options show anyway. *forge*
    has the weapons in the forge, by enemy and level.
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
        pile_sizes: list[int],
        discard: list[int],
        bag_inspection: int,
        thor_without_die: bool,
        bags: list[Bag],
        bag_changes: list[Bag],
        empty_bags: list[int],
        helheim: int,
        muspellheim: int,
        alfheim: int,
        forge: list[Weapon],
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
        self.pile_sizes: Final = pile_sizes
        self.discard: Final = discard
        self.bag_inspection: Final = bag_inspection
        self.thor_without_die: Final = thor_without_die
        self.bags: Final = bags
        self.bag_changes: Final = bag_changes
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
