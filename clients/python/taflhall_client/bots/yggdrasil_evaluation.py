"""The value of a table of Yggdrasil to the gods: danger, battles, tokens. Used by the bot.

Everything is counted in one currency: about 1 for five Vikings, 2 or 3 for an enemy pushed
back where it matters, 100 for the match. :mod:`yggdrasil_weights` says how much counts what.
"""

from __future__ import annotations

import math
from typing import Final

from taflhall_engine.yggdrasil import ids
from taflhall_engine.yggdrasil.components import Components
from taflhall_engine.yggdrasil.imagine import unseen_cards
from taflhall_engine.yggdrasil.view import PublicView

LOST: Final = 100.0
USUAL_STEPS: Final = 3.5
"""Steps of an enemy to come at which its place, or a weapon against it, counts in full."""
NIDHOGG_CARDS: Final = (ids.NIDHOGG, ids.FURIOUS + ids.NIDHOGG)
"""Cards that pull another enemy too."""


VIKING_SHAPE: Final = [
    min(count, 6) + 0.6 * max(0, min(count, 12) - 6) + 0.25 * max(0, count - 12)
    for count in range(256)
]
"""Value of that many Vikings in one hand, in Vikings: each one less than the one before."""


class Scale:
    """What does not change during a match: the box and how much everything counts."""

    def __init__(self, components: Components, weights: dict[str, float]) -> None:
        self.components: Final = components
        self.w: Final = weights
        self._viking_worths: Final[dict[float, list[float]]] = {}
        self.height: Final = [
            0.0,
            0.0,
            *[weights[f"space_{min(space, 8)}"] for space in range(2, components.residence + 1)],
        ]
        """Penalty at the end of the match for an enemy on a space."""
        self.power: Final = [
            [
                self._power(enemy, min(space + 1, components.residence))
                for space in range(len(self.height))
            ]
            for enemy in range(ids.ENEMY_COUNT)
        ]
        """How bad it is that the power of an enemy will work from there, for each card."""

    def viking_worths(self, late: float) -> list[float]:
        """Return what that many Vikings in one hand are worth with that weight of the future."""
        known = self._viking_worths.get(late)
        if known is None:
            viking = self.w["viking"] * late
            known = [viking * shape for shape in VIKING_SHAPE[: self.components.vikings + 8]]
            self._viking_worths[late] = known
        return known

    def _power(self, enemy: int, space: int) -> float:
        level = self.components.space_level[space]
        if not level:
            return 0.0
        if enemy == ids.FENRIR:
            calming = self.components.calming[level]
            good = sum([calming >> colour & 1 for colour in self.components.face_colour])
            return self.w["fenrir_power"] * len(self.components.face_colour) / max(1, good)
        if enemy == ids.LOKI:
            return self.w["loki_power"] * level
        if enemy in (ids.HEL, ids.SURT):
            return self.w["bag_power"] * level
        return 0.0


class Sense:
    """One view, looked at from the seat that decides."""

    def __init__(self, scale: Scale, v: PublicView, seat: int) -> None:
        components, weights = scale.components, scale.w
        self.components: Final = components
        self.v: Final = v
        self.seat: Final = seat
        self.w: Final = weights
        self.god: Final = v.holdings[seat].god
        self.seats: Final = len(v.holdings)
        self.turns: Final = len(v.deck) + v.daeg
        """How many turns follow this one."""
        self.late: Final = min(1.0, self.turns / weights["late"])
        """Weight of the future: 1, decreasing in the last turns."""
        unseen = unseen_cards(v)
        self.coming: Final = [0] * ids.CARD_KINDS
        for card in unseen:
            self.coming[card] += 1
        self.next_cards: Final = self._next_cards(len(unseen))
        for card in v.deck:
            if card >= 0:
                self.coming[card] += 1
        self.advances: Final = [0.0] * ids.ENEMY_COUNT
        """How far each enemy will be moved by the cards that are still in the deck."""
        for card, count in enumerate(self.coming):
            if count:
                for enemy in components.card_enemies[card]:
                    self.advances[enemy] += count * components.card_steps[card]
        self.height: Final = scale.height
        share = weights["cards"]
        self.harm: Final = []
        for powers, to_come in zip(scale.power, self.advances, strict=True):
            full = 1.0 - share + share * min(2.0, to_come / USUAL_STEPS)
            cards = min(4.0, to_come)
            self.harm.append(
                [
                    height * full + power * cards
                    for height, power in zip(scale.height, powers, strict=True)
                ]
            )
        """Penalty for an enemy on a space, given the cards to come."""
        self.odds: Final = self.rolls(self.god == ids.TYR)
        """The possible values of the own die in battle, with their probabilities."""
        self.viking_worth: Final = scale.viking_worths(self.late)
        share = math.pow(self.seats, weights["elf_seats"])
        self.elf_worth: Final = weights["elf"] * self.late / share
        self.bonus: Final = self._bonus()
        self.rescue: Final = (seat + 1) % self.seats
        """The god who has to repair a setback now."""
        self.dangers: Final[dict[tuple[int, ...], float]] = {}

    # ---------------------------------------------------------------- the enemies

    def _next_cards(self, unseen: int) -> list[tuple[int, float]]:
        """Return which cards may come next, and how likely each is."""
        if self.v.daeg or not self.v.deck:
            return []
        if self.v.deck[0] >= 0:
            return [(self.v.deck[0], 1.0)]
        return [(card, count / unseen) for card, count in enumerate(self.coming) if count]

    def after_card(self, spaces: list[int], card: int) -> list[int]:
        """Return the spaces after *card*, Nidhogg's pull included."""
        end = self.components.residence
        moved = spaces[:]
        for enemy in self.components.card_enemies[card]:
            moved[enemy] = min(end, moved[enemy] + self.components.card_steps[card])
        if card in NIDHOGG_CARDS and moved[ids.NIDHOGG] < end:
            pulled = self.best_pull(moved)
            if pulled >= 0:
                moved[pulled] += 1
        return moved

    def best_pull(self, spaces: list[int]) -> int:
        """Return the leftmost enemy that does least harm when it is pulled."""
        low = min(spaces)
        if low >= self.components.residence:
            return -1
        leftmost = [enemy for enemy, space in enumerate(spaces) if space == low]
        return min(leftmost, key=lambda enemy: self.advances[enemy])

    def lost(self, spaces: list[int]) -> bool:
        """Return whether a turn may not end so."""
        components = self.components
        wall = gate = inside = 0
        for space in spaces:
            if space >= components.wall_from:
                wall += 1
                if space >= components.gate_from:
                    gate += 1
                    if space >= components.residence:
                        inside += 1
        return (
            wall >= components.wall_limit
            or gate >= components.gate_limit
            or inside >= components.residence_limit
        )

    def danger(self, spaces: list[int]) -> float:
        """Return how bad it is to end the turn with the enemies on *spaces*."""
        key = tuple(spaces)
        known = self.dangers.get(key)
        if known is None:
            known = self.dangers[key] = self._danger(spaces)
        return known

    def _danger(self, spaces: list[int]) -> float:
        if self.lost(spaces):
            return LOST + sum([self.height[space] for space in spaces])
        if not self.turns:
            return 0.0
        w = self.w
        soft = 0.0
        wall = gate = 0
        for enemy, space in enumerate(spaces):
            soft += self.harm[enemy][space]
            wall += space >= self.components.wall_from
            gate += space >= self.components.gate_from
        if wall >= 3:
            soft += w["wall_3"] if wall == 3 else w["wall_4"]
        if gate:
            soft += w["gate_1"] if gate == 1 else w["gate_2"]
        threat = 0.0
        for card, chance in self.next_cards:
            if self._is_harmless(card, spaces, wall, gate):
                continue
            moved = self.after_card(spaces, card)
            if self.lost(moved):
                threat += chance * (1.0 - self.rescued(moved))
        return soft * (0.3 + 0.7 * self.late) + w["threat"] * threat

    def _is_harmless(self, card: int, spaces: list[int], wall: int, gate: int) -> bool:
        """Return whether *card* certainly leaves the match open.

        *wall* and *gate* are the numbers of enemies beyond them, and nobody is in the residence.
        """
        components = self.components
        if card in NIDHOGG_CARDS:
            return False
        steps = components.card_steps[card]
        for enemy in components.card_enemies[card]:
            space = spaces[enemy]
            there = space + steps
            if there >= components.residence:
                return False
            wall += space < components.wall_from <= there
            gate += space < components.gate_from <= there
        return wall < components.wall_limit and gate < components.gate_limit

    def rescued(self, spaces: list[int]) -> float:
        """Return the probability that the next god can push an enemy back in time."""
        best = 0.0
        free_push = (
            self.v.vanir >= self.components.effect_space[ids.PUSH_ENEMY]
            and ids.VANAHEIM not in self.v.blocked_worlds
        )
        for enemy, space in enumerate(spaces):
            if space >= self.components.wall_from:
                spaces[enemy] -= 1
                if not self.lost(spaces):
                    chance = 1.0 if free_push else self.might(self.rescue, enemy, space)
                    best = max(best, chance)
                spaces[enemy] += 1
        return best * self.w["angry_rescue"] if self.v.fenrir_card >= 0 else best

    def might(self, seat: int, enemy: int, space: int) -> float:
        """Return how likely *seat* wins against *enemy* on *space*, with a search before."""
        holding = self.v.holdings[seat]
        own = holding.vikings + holding.elves + holding.weapons[enemy] + 1
        if self.seats > 1 and ids.NIFLHEIM not in self.v.blocked_worlds:
            own += max(h.vikings + h.elves for i, h in enumerate(self.v.holdings) if i != seat)
        own += holding.god == ids.THOR and self.v.powers_active
        need = self.strength(enemy, space) - own
        return self.reach(need, holding.god == ids.TYR)

    def strength(self, enemy: int, space: int) -> int:
        """Return the strength of *enemy* on *space*."""
        plus = self.v.strengths[enemy] - self.components.space_strength[self.v.enemies[enemy]]
        return self.components.space_strength[space] + (plus if self.v.strengths[enemy] else 0)

    # ---------------------------------------------------------------- battles

    def rolls(self, tyr: bool) -> list[tuple[int, float]]:
        """Return the values a roll may count for, and how likely each is."""
        if self.v.die_blocked:
            return [(0, 1.0)]
        values = self.components.face_value
        counted = values
        if tyr and self.v.powers_active:
            counted = [max(one, two) for one in values for two in values]
        return [(value, counted.count(value) / len(counted)) for value in sorted(set(counted))]

    def reach(self, need: int, tyr: bool) -> float:
        """Return how likely the die shows at least *need*."""
        if need <= 0:
            return 1.0
        return sum([chance for value, chance in self.rolls(tyr) if value >= need])

    def vikings_worth(self, count: float) -> float:
        """Return what *count* Vikings in one hand are worth: each one less than the one before."""
        whole = int(count)
        worth = self.viking_worth[whole]
        if whole == count:
            return worth
        return worth + (count - whole) * (self.viking_worth[whole + 1] - worth)

    def _bonus(self) -> int:
        """Return Thor's bonus, if it counts."""
        if self.god != ids.THOR or not self.v.powers_active:
            return 0
        if self.v.die_blocked and not self.v.thor_without_die:
            return 0
        return self.components.thor_bonus

    def battle(
        self, strength: int, prize: float, vikings: int, elves: int, weapon: int
    ) -> tuple[float, int]:
        """Return the value of a battle, and the best number of Vikings for it."""
        best, sent = 0.0, 0
        base = strength - weapon - self.bonus
        owned = self.viking_worth[vikings]
        elf = self.elf_worth
        for count in range(min(vikings, max(0, base)) + 1):
            worth = self.viking_worth[vikings - count] - owned
            for value, chance in self.odds:
                need = base - count - value
                if need <= 0:
                    worth += chance * prize
                elif need <= elves and need * elf < prize:
                    worth += chance * (prize - need * elf)
            if worth > best + 1e-9:
                best, sent = worth, count
        return best, sent
