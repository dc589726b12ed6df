"""YG-0.4 The data printed on the components, as lists of small numbers.

One box is shared by all tables that are played with it; nothing ever changes it. It is
made from ``data/components.toml`` by :mod:`components_loader`.
"""

from __future__ import annotations

from typing import final

from taflhall_engine.yggdrasil.ids import ENEMY_COUNT, GIANT_COUNT, RUNES


@final
class Components:
    """The component data of YG-1. A list is indexed by the number of the thing it is about."""

    def __init__(self) -> None:
        self.space_level: list[int] = []
        """YG-4.7 By space, from 0 (not a space): the level of a power there."""
        self.space_strength: list[int] = []
        """YG-1.3 By space: the strength of an enemy there, 0 if it cannot be attacked."""
        self.start_space = 1
        self.residence = 8
        self.wall_from = 4
        self.gate_from = 6
        self.wall_limit = 5
        self.gate_limit = 3
        self.residence_limit = 1

        self.plain_cards: list[int] = [0] * ENEMY_COUNT
        self.card_enemies: list[list[int]] = []
        """YG-1.5 By card: whom it moves."""
        self.card_steps: list[int] = []
        """By card: how far."""
        self.face_value: list[int] = []
        self.face_colour: list[int] = []
        """YG-1.6 By face of the die."""
        self.calming: list[int] = []
        """YG-5.7 By level: the colours that calm Fenrir, as bits."""
        self.strictest_level = 3

        self.neighbours: list[list[int]] = []
        """YG-1.7 By island: the islands next to it."""
        self.coloured: list[int] = []
        """The islands that own a bag."""
        self.bag_vikings: list[int] = []
        self.bag_giants: list[int] = []
        self.start_island = 0
        self.start_sunken = 4

        self.vikings = 0
        self.fire_giants = 0
        self.elves = 0
        self.start_helheim = 0
        self.start_muspellheim = 0
        self.elves_base = 1
        self.furious_max = 6
        self.ragnarok_max = 4

        self.actions = 3
        self.frey_actions = 4
        self.search_tokens = 3
        self.heimdall_tokens = 4
        self.odin_cards = 2
        self.tyr_rolls = 2
        self.thor_bonus = 1
        self.freyja_uses = 2
        self.muspellheim_tokens = 5
        self.helheim_vikings = 5
        self.giant_strength = 3
        self.peek_cards = 6
        self.vanir_vikings = 2

        self.giant_rune: list[int] = [0] * GIANT_COUNT
        self.giant_bits: list[int] = [0] * GIANT_COUNT
        """YG-9.3 By giant: its effects while active, as bits."""
        self.rune_needs: list[int] = [0] * len(RUNES)
        self.sigel_vikings = 15
        self.daeg_turns = 3
        self.mann_steps = 3
        self.tiwaz_enemies = 3
        self.tiwaz_steps = 1

        self.vanir_spaces = 5
        self.vanir_start = 1
        self.effect_space: list[int] = []
        """YG-7.9 By effect: its space on the Vanir's track."""
