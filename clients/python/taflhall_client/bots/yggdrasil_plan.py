"""The values of the actions of a turn of Yggdrasil. Used by the bot.

An attack is kept for the end of the turn, when Vikings, weapons and elves have been gathered;
so an action that helps the attack to come is worth so much more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from taflhall_client.bots.yggdrasil_evaluation import USUAL_STEPS, Sense
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.yggdrasil import ids


class Plan:
    """Values of the actions now, given the number of actions left."""

    def __init__(self, sense: Sense) -> None:
        self.sense: Final = sense
        v = sense.v
        self.v: Final = v
        self.w: Final = sense.w
        own = v.holdings[sense.seat]
        self.vikings: Final = own.vikings
        self.elves: Final = own.elves
        self.weapons: Final = own.weapons
        now = sense.danger(v.enemies)
        self.prize: Final = [0.0] * ids.ENEMY_COUNT
        """Value of pushing each enemy back one space."""
        for enemy, space in enumerate(v.enemies):
            if space > 1:
                spaces = v.enemies[:]
                spaces[enemy] -= 1
                self.prize[enemy] = now - sense.danger(spaces)
        self.last: Final = v.actions_left <= 1
        self.attacks: Final[dict[tuple[int, int, int], float]] = {}
        used = ids.ASGARD in v.worlds_used and not self._may_repeat()
        self.attack: Final = 0.0 if used else self.best_attack(self.vikings, self.elves)
        """Value of the best attack now; 0 without an attack."""
        self.can_attack: Final = not used

    def _may_repeat(self) -> bool:
        sense = self.sense
        used = self.v.worlds_used
        return sense.god == ids.FREYJA and self.v.powers_active and len(set(used)) == len(used)

    def best_attack(self, vikings: int, elves: int, forged: int = ids.NONE) -> float:
        """Return the value of the best attack with these forces, one weapon better *forged*."""
        key = (vikings, elves, forged)
        best = self.attacks.get(key)
        if best is None:
            best = 0.0
            for enemy, prize in enumerate(self.prize):
                if prize > best:
                    weapon = self.weapons[enemy] + (enemy == forged)
                    strength = self.v.strengths[enemy]
                    worth, _ = self.sense.battle(strength, prize, vikings, elves, weapon)
                    best = max(best, worth)
            self.attacks[key] = best
        return best

    def helped(self, vikings: int, elves: int, forged: int = ids.NONE) -> float:
        """Return how much better the attack of this turn gets with these forces."""
        if not self.can_attack or self.last:
            return 0.0
        return self.best_attack(vikings, elves, forged) - self.attack

    def worth(self, option: Command[Any]) -> float:
        """Return what *option* is worth."""
        name = type(option).__name__
        worth: Callable[[Plan, Any], float] = WORTHS[name]
        return worth(self, option)

    # ---------------------------------------------------------------- worlds

    def asgard(self, option: Any) -> float:
        enemy: int = option.enemy
        worth, _ = self.sense.battle(
            self.v.strengths[enemy],
            self.prize[enemy],
            self.vikings,
            self.elves,
            self.weapons[enemy],
        )
        if self.last or self._may_repeat():
            return worth
        return worth * 0.1

    def midgard(self, option: Any) -> float:
        sense = self.sense
        there = option.move_to if option.move_to >= 0 else self.v.valkyries
        gain = 0.0
        if option.search:
            found = self.search(there)
            gain = sense.vikings_worth(self.vikings + found) - sense.vikings_worth(self.vikings)
            gain += self.helped(self.vikings + int(found + 0.35), self.elves)
        return gain + 0.35 * (self.prospect(there) - self.prospect(self.v.valkyries))

    def search(self, island: int) -> float:
        """Return how many Vikings a search on *island* finds on average."""
        for bag in self.v.bags:
            if bag.island == island:
                size = bag.vikings + bag.fire_giants
                tokens = min(self.tokens(), size)
                return tokens * bag.vikings / size if size else 0.0
        return 0.5 * self.tokens()

    def tokens(self) -> int:
        heimdall = self.sense.god == ids.HEIMDALL and self.v.powers_active
        return (
            self.sense.components.heimdall_tokens
            if heimdall
            else self.sense.components.search_tokens
        )

    def prospect(self, island: int) -> float:
        """Return the value of the next search from *island*."""
        best = 0.0
        for other in [island, *self.sense.components.neighbours[island]]:
            if other != self.v.sunken and other in self.sense.components.coloured:
                best = max(best, self.search(other))
        return best * self.w["viking"] * self.sense.late

    def nidavellir(self, option: Any) -> float:
        enemy: int = option.enemy
        sense, w = self.sense, self.w
        level = self.weapons[enemy]
        own_turns = sense.turns / math.pow(sense.seats, w["weapon_seats"])
        use = own_turns / 6.0 * min(1.5, 0.4 + 0.6 * sense.advances[enemy] / USUAL_STEPS)
        worth = w["weapon"] * use * (1.0 + w["weapon_level"] * level)
        for seat, holding in enumerate(self.v.holdings):
            if seat != sense.seat and holding.weapons[enemy] > level:
                worth *= w["weapon_shared"]
        return worth + self.helped(self.vikings, self.elves, enemy)

    def alfheim(self, option: Any) -> float:
        wanted = self.w["elf_first"] * math.pow(self.w["elf_more"], self.elves)
        return self.sense.elf_worth * wanted + self.helped(self.vikings, self.elves + 1)

    def niflheim(self, option: Any) -> float:
        gives = exchange(self.sense, option.partner)
        vikings = self.vikings - gives[0] + gives[1]
        elves = self.elves - gives[2] + gives[3]
        return self.helped(vikings, elves) - 0.05

    def helheim(self, option: Any) -> float:
        added = min(self.sense.components.helheim_vikings, self.v.helheim)
        return self.bag_gain(option.island, added, 0.0)

    def muspellheim(self, option: Any) -> float:
        for bag in self.v.bags:
            if bag.island == option.island:
                size = bag.vikings + bag.fire_giants
                drawn = min(self.sense.components.muspellheim_tokens, size) * bag.fire_giants / size
                return self.bag_gain(option.island, 0, drawn)
        return 0.3 * self.sense.late

    def bag_gain(self, island: int, vikings: int, giants: float) -> float:
        """Return the value of improving the bag of *island*."""
        for bag in self.v.bags:
            if bag.island == island:
                size = bag.vikings + bag.fire_giants
                before = bag.vikings / size if size else 0.0
                after = (bag.vikings + vikings) / max(1.0, size + vikings - giants)
                here = self.sense.v.valkyries
                near = abs(island - here)
                share = (0.9, 0.8, 0.4, 0.2, 0.1)[near]
                if island == self.v.sunken:
                    share *= 0.3
                searches = min(8.0, self.sense.turns * 0.7) * share
                return self.w["bag"] * 3.0 * (after - before) * searches * self.w["viking"] * 1.5
        return 0.3 * self.sense.late

    # ---------------------------------------------------------------- giants

    def giant_worth(self, giant: int) -> float:
        """Return the value of defeating *giant*: its effect and its rune."""
        bits = self.sense.components.giant_bits[giant] if giant in self.v.giants_active else 0
        return self.effect_worth(bits) + self.rune_worth(self.sense.components.giant_rune[giant])

    def effect_worth(self, bits: int) -> float:
        w, late = self.w, self.sense.late
        if bits & ids.NO_POWERS:
            return w["no_powers"] * late
        if bits & ids.NO_DIE:
            return w["no_die"] * late
        if bits >> ids.PLUS_SHIFT & 63:
            return w["plus"] * late
        if bits >> ids.NIDAVELLIR & 1:
            return w["block_nidavellir"] * late
        if bits >> ids.VANAHEIM & 1:
            return w["block_vanaheim"] * late
        return w["block_other"] * late if bits else 0.0

    def rune_worth(self, rune: int) -> float:
        count = self.v.runes[rune]
        if count == 3:
            return self.w[ids.RUNES[rune]] * (1.0 if rune == ids.DAEG else self.sense.late)
        return self.w[f"rune_{count + 1}"] * self.sense.late

    def jotunheim(self, option: Any) -> float:
        return self.giant_battle(self.giant_worth(option.giant))

    def jotunheim_hidden(self, option: Any) -> float:
        return self.giant_battle(self.hidden_worth())

    def hidden_worth(self) -> float:
        """Return the average value of the top giant of the deck: runes count, and calm."""
        out = [*self.v.giants_active, *self.v.giants_defeated]
        left = [giant for giant in range(ids.GIANT_COUNT) if giant not in out]
        total = 0.0
        for giant in left:
            total += self.rune_worth(self.sense.components.giant_rune[giant])
            effect = self.effect_worth(self.sense.components.giant_bits[giant])
            total += self.w["hidden_effect"] * effect
        return total / len(left)

    def giant_battle(self, prize: float) -> float:
        worth, _ = self.sense.battle(
            self.sense.components.giant_strength, prize, self.vikings, self.elves, 0
        )
        return worth

    # ---------------------------------------------------------------- Vanir

    def vanir_worth(self, space: int) -> float:
        return self.w[f"vanir_{space}"] * self.sense.late if space > 1 else 0.0

    def vanir_spent(self) -> float:
        return self.vanir_worth(self.v.vanir)

    def vanir_advance(self, option: Any) -> float:
        return self.vanir_worth(self.v.vanir + 1) - self.vanir_worth(self.v.vanir)

    def vanir_move_valkyries(self, option: Any) -> float:
        better = self.prospect(option.move_to) - self.prospect(self.v.valkyries)
        return better - self.vanir_spent()

    def vanir_take_vikings(self, option: Any) -> float:
        count = min(self.sense.components.vanir_vikings, self.v.helheim)
        worth = self.sense.vikings_worth(self.vikings + count)
        worth -= self.sense.vikings_worth(self.vikings)
        return worth + self.helped(self.vikings + count, self.elves) - self.vanir_spent()

    def vanir_peek(self, option: Any) -> float:
        return 0.2 - self.vanir_spent()

    def vanir_push_enemy(self, option: Any) -> float:
        enemy: int = option.enemy
        return self.prize[enemy] - self.vanir_spent()

    def vanir_discard_giant(self, option: Any) -> float:
        return self.giant_worth(option.giant) - self.vanir_spent()

    def nothing(self, option: Any) -> float:
        return 0.0


WORTHS: Final[dict[str, Callable[[Plan, Any], float]]] = {
    "Asgard": Plan.asgard,
    "Midgard": Plan.midgard,
    "Nidavellir": Plan.nidavellir,
    "Alfheim": Plan.alfheim,
    "Niflheim": Plan.niflheim,
    "Helheim": Plan.helheim,
    "Muspellheim": Plan.muspellheim,
    "Jotunheim": Plan.jotunheim,
    "JotunheimHidden": Plan.jotunheim_hidden,
    "VanirAdvance": Plan.vanir_advance,
    "VanirMoveValkyries": Plan.vanir_move_valkyries,
    "VanirTakeVikings": Plan.vanir_take_vikings,
    "VanirPeek": Plan.vanir_peek,
    "VanirPushEnemy": Plan.vanir_push_enemy,
    "VanirDiscardGiant": Plan.vanir_discard_giant,
    "Appease": Plan.nothing,
    "EndTurn": Plan.nothing,
}


def exchange(sense: Sense, partner: int) -> tuple[int, int, int, int]:
    """Return the exchange to make: Vikings given and taken, elves given and taken."""
    other = sense.v.holdings[partner]
    return 0, other.vikings, 0, other.elves
