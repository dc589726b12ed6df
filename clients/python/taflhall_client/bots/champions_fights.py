"""How the bot fights in Champions of Midgard: rerolls, runes, losses and blame."""

from __future__ import annotations

from typing import Any, Final

from taflhall_client.bots.champions_odds import Crew, Spread, convolve
from taflhall_client.bots.champions_odds import casualties as given_up
from taflhall_client.bots.champions_position import Position
from taflhall_engine.champions.ids import (
    BLANK,
    FAVOUR_SCORES,
    KRAKEN,
    NONE,
    SHIELD,
    SHORE_0,
    SWORD_PLUS_ONE,
    SWORDSMAN,
)

FAVOUR_COST: Final = 2.0
EXCESS: Final = 0.3
"""A reroll should be worth so much more than it costs."""
GLORY_RUNE_FROM: Final = 8
"""The least printed glory for which Glory is used before the last rounds."""
HEALING_FROM: Final = 2


class Fights:
    """Answers the decisions during fights and voyages."""

    def __init__(self, position: Position) -> None:
        self.at: Final = position

    def post_roll(self, options: list[Any]) -> Any:
        """Reroll blanks or use a rune if that promises more than it costs; otherwise stand."""
        by_kind: dict[str, list[Any]] = {}
        for option in options:
            by_kind.setdefault(type(option).__name__, []).append(option)
        blanks = [o for o in by_kind.get("PickDie", []) if o.face == BLANK]
        if "Reroll" in by_kind:
            picked: Any = blanks[0] if blanks else by_kind["Reroll"][0]
            return picked
        stand: Any = by_kind["Stand"][0]
        if self.at.p.kind == NONE:
            return stand
        now = self.promise(False, False)
        if "UseReaction" in by_kind:
            with_shields = self.promise(False, True)
            if with_shields > now + 1.5:
                reaction: Any = by_kind["UseReaction"][0]
                return reaction
        if not any(die.face == BLANK for die in self.at.p.dice):
            return stand
        rerolled = self.promise(True, self.at.p.reaction)
        if "UsePotential" in by_kind and rerolled > now + 1.0:
            potential: Any = by_kind["UsePotential"][0]
            return potential
        free = self.at.components.ability[self.at.own.leader] == FAVOUR_SCORES
        cost = 0.0 if free else FAVOUR_COST
        if blanks and rerolled > now + cost + EXCESS:
            first: Any = blanks[0]
            return first
        return stand

    def enemy_of(self) -> int:
        """Return the enemy being fought, by its number in the box."""
        p = self.at.p
        if p.kind == KRAKEN:
            return self.at.components.kraken
        return self.at.planner.enemy(p.post)

    def reward_of(self, enemy: int) -> float:
        if self.at.p.kind == KRAKEN:
            ahead = self.at.planner.enemy(self.at.p.post)
            more = self.at.planner.reward(self.at.p.post, ahead) / 2 if ahead != NONE else 0.0
            return float(self.at.components.glory[enemy]) + more
        return self.at.planner.reward(self.at.p.post, enemy)

    def promise(self, reroll: bool, reaction: bool) -> float:
        """Return the expected value of this roll, with its blanks rerolled or not."""
        components, p = self.at.components, self.at.p
        enemy = self.enemy_of()
        crew_now = p.posts[p.post].crew
        crew: Crew = (crew_now.swordsmen, crew_now.spearmen, crew_now.axemen)
        better = components.ability[self.at.own.leader] == SWORD_PLUS_ONE
        hits = shields = 0
        spread: Spread = {(0, 0): 1.0}
        for die in p.dice:
            if reroll and die.face == BLANK:
                one: Crew = (int(die.warrior == 0), int(die.warrior == 1), int(die.warrior == 2))
                spread = convolve(spread, self.at.odds.roll(one))
                continue
            worth = components.face_hits[die.face]
            if (reaction or p.reaction) and die.face == SHIELD:
                worth += 1
            if worth and better and die.warrior == SWORDSMAN:
                worth += 1
            hits += worth
            shields += components.face_shields[die.face]
        reward = self.reward_of(enemy)
        need = components.defence[enemy] - p.damage - hits
        total = 0.0
        for (more, further), chance in spread.items():
            dead = given_up(crew, components.attack[enemy] - shields - further)
            after: Crew = (crew[0] - dead[0], crew[1] - dead[1], crew[2] - dead[2])
            odds = self.at.odds.fight(after, components.attack[enemy], need - more)
            value = odds.win * reward
            for k in range(3):
                value -= self.at.planner.values[k] * (dead[k] + odds.lost[k])
            total += chance * value
        return total

    def casualties(self, options: list[Any]) -> Any:
        """Give up whom the bot needs least; heal if several would be lost, or the last one."""
        losses = [o for o in options if type(o).__name__ == "Lose"]
        best = max(losses, key=self._left)
        healing = [o for o in options if type(o).__name__ == "UseHealing"]
        enemy = self.enemy_of()
        won = self.at.p.damage >= self.at.components.defence[enemy]
        if healing and (
            self.at.step.losses > HEALING_FROM or (not won and self.at.step.losses == self._size())
        ):
            heal: Any = healing[0]
            return heal
        return best

    def _size(self) -> int:
        crew = self.at.p.posts[self.at.p.post].crew
        return crew.swordsmen + crew.spearmen + crew.axemen

    def _left(self, option: Any) -> float:
        """Return the expected value after these losses."""
        components, p = self.at.components, self.at.p
        crew = p.posts[p.post].crew
        left: Crew = (
            crew.swordsmen - option.swordsmen,
            crew.spearmen - option.spearmen,
            crew.axemen - option.axemen,
        )
        values = self.at.planner.values
        kept = sum(left[k] * values[k] for k in range(3))
        enemy = self.enemy_of()
        odds = self.at.odds.fight(
            left, components.attack[enemy], components.defence[enemy] - p.damage
        )
        return kept + odds.win * self.reward_of(enemy)

    def glory_rune(self, options: list[Any]) -> Any:
        """Use Glory on a great enemy, or near the end on any."""
        glory = self.at.components.glory[self.enemy_of()]
        return options[1 if glory >= GLORY_RUNE_FROM or self.at.p.round >= 7 else 0]

    def blame(self, options: list[Any]) -> Any:
        """Put back own blame and accuse the strongest other seat."""

        def standing(seat: int) -> float:
            other = self.at.p.seats[seat]
            top = len(self.at.components.penalty) - 1
            return other.glory + other.coins / 3 - self.at.components.penalty[min(other.blame, top)]

        blames = [o for o in options if type(o).__name__ == "Blame"]
        best: Any = max(
            blames, key=lambda o: (o.discard, o.target != NONE, standing(max(o.target, 0)))
        )
        return best

    def journey_rune(self, options: list[Any]) -> Any:
        """Replace a journey that takes two things, or Kraken."""
        journey = self.at.p.journey_spaces[self.at.p.post - SHORE_0 - 1].journey
        harmful = journey in (1, 2)
        return options[1 if harmful else 0]

    def journey_loss(self, options: list[Any]) -> Any:
        """Lose what leaves the most and best fed warriors."""
        losses = [o for o in options if type(o).__name__ == "LoseOnBoard"]
        return max(losses, key=self._landed)

    def _landed(self, option: Any) -> float:
        p = self.at.p
        there = p.posts[p.post]
        left = [
            there.crew.swordsmen - option.swordsmen,
            there.crew.spearmen - option.spearmen,
            there.crew.axemen - option.axemen,
        ]
        near = p.post - SHORE_0 in self.at.components.near[p.near_shores]
        fed = (there.food - option.food) * (
            self.at.components.fed_near if near else self.at.components.fed_far
        )
        starving = max(0, sum(left) - fed)
        values = self.at.planner.values
        dead = given_up((left[0], left[1], left[2]), starving)
        return float(sum((left[k] - dead[k]) * values[k] for k in range(3)))

    def starvation(self, options: list[Any]) -> Any:
        """Let those starve whom the monster would not let fight anyway, then the cheapest."""
        enemy = self.at.planner.enemy(self.at.p.post)
        bans = 0 if enemy == NONE else self.at.components.bans[enemy]
        values = [0.0 if bans >> k & 1 else self.at.planner.values[k] for k in range(3)]

        def cost(option: Any) -> float:
            dead = [option.swordsmen, option.spearmen, option.axemen]
            return float(sum(values[k] * dead[k] for k in range(3)))

        deaths = [o for o in options if type(o).__name__ == "Starve"]
        return min(deaths, key=cost)
