"""The table of a match of Yggdrasil."""

from __future__ import annotations

from typing import Any, final

from taflhall_engine.kernel.agenda import Command, Event, Step, Table
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.yggdrasil.components import Components


@final
class YggdrasilTable(Table):
    """A match of Yggdrasil. Enemies, islands, giants and gods are the numbers of ``names``."""

    def __init__(
        self,
        components: Components,
        chance: Chance,
        gods: list[int],
        bag_inspection: int,
        thor_without_die: bool,
        composition: list[int],
        pile_sizes: list[int],
        turn: int,
        active: int,
        actions_used: int,
        used: int,
        used_twice: int,
        deck: list[int],
        known: int,
        discard: list[int],
        fenrir_card: int,
        enemies: list[int],
        bag_vikings: list[int],
        bag_giants: list[int],
        helheim: int,
        muspellheim: int,
        alfheim: int,
        vikings: list[int],
        elves: list[int],
        weapons: list[int],
        forge: int,
        valkyries: int,
        sunken: int,
        vanir: int,
        daeg: int,
        giant_deck: list[int],
        giants_active: list[int],
        giants_defeated: list[int],
        hindrance: int,
        die: int,
        outcome: int,
        reasons: list[int],
        agenda: list[Step[Any]],
    ) -> None:
        self.components = components
        self.chance = chance
        self.gods = gods
        """YG-2.2 The god of each seat."""
        self.bag_inspection = bag_inspection
        self.thor_without_die = thor_without_die
        self.composition = composition
        """YG-2.5 How many cards of each kind the enemy deck had at setup."""
        self.pile_sizes = pile_sizes
        """YG-2.6 The piles it was stacked from, the top one first: one if nothing was spread."""
        self.turn = turn
        """The number of the turn, from 1."""
        self.active = active
        """YG-3.1 The seat of the active god."""
        self.actions_used = actions_used
        self.used = used
        """YG-3.6 The worlds used this turn, as bits; *used_twice*: those used twice."""
        self.used_twice = used_twice
        self.deck = deck
        """The enemy deck, top card last."""
        self.known = known
        """YG-13.7 Bit *i*: everybody has seen ``deck[i]``."""
        self.discard = discard
        self.fenrir_card = fenrir_card
        """YG-5.6 Fenrir's card that lies face up while he is angry, or none (-1)."""
        self.enemies = enemies
        """The space of each enemy."""
        self.bag_vikings = bag_vikings
        """For each island the Vikings in its bag; *bag_giants*: the fire giants."""
        self.bag_giants = bag_giants
        self.helheim = helheim
        self.muspellheim = muspellheim
        self.alfheim = alfheim
        self.vikings = vikings
        """For each seat."""
        self.elves = elves
        """For each seat."""
        self.weapons = weapons
        """The level, or 0, of the weapon of *seat* against *enemy*, at ``seat * 6 + enemy``."""
        self.forge = forge
        """Bit ``enemy * 3 + level - 1``: that weapon lies in the forge."""
        self.valkyries = valkyries
        self.sunken = sunken
        self.vanir = vanir
        self.daeg = daeg
        """YG-9.6 How many turns without an enemy card are to come."""
        self.giant_deck = giant_deck
        """The giant deck, top card last."""
        self.giants_active = giants_active
        self.giants_defeated = giants_defeated
        self.hindrance = hindrance
        """YG-9.3 The combined effects of the active giants, as bits."""
        self.die = die
        """The face the die shows, -1 before the first roll."""
        self.outcome = outcome
        self.reasons = reasons
        """YG-11.2 Why the match was lost."""
        self.agenda = agenda
        self.journal: list[Event] | None = None
        self.legal: list[Command[Any]] | None = None

    def copy(self) -> YggdrasilTable:
        """Return an independent copy with the same random numbers to come and no journal."""
        twin = YggdrasilTable(
            self.components,
            self.chance.copy(),
            self.gods[:],
            self.bag_inspection,
            self.thor_without_die,
            self.composition[:],
            self.pile_sizes[:],
            self.turn,
            self.active,
            self.actions_used,
            self.used,
            self.used_twice,
            self.deck[:],
            self.known,
            self.discard[:],
            self.fenrir_card,
            self.enemies[:],
            self.bag_vikings[:],
            self.bag_giants[:],
            self.helheim,
            self.muspellheim,
            self.alfheim,
            self.vikings[:],
            self.elves[:],
            self.weapons[:],
            self.forge,
            self.valkyries,
            self.sunken,
            self.vanir,
            self.daeg,
            self.giant_deck[:],
            self.giants_active[:],
            self.giants_defeated[:],
            self.hindrance,
            self.die,
            self.outcome,
            self.reasons[:],
            self.agenda[:],
        )
        twin.legal = self.legal
        return twin
