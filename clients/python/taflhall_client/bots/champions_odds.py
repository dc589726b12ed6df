"""Exact odds of a fight in Champions of Midgard, by rules CM-8.2 to CM-8.11."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from taflhall_engine.champions.components import Components
from taflhall_engine.champions.ids import SWORD_PLUS_ONE, SWORDSMAN

Crew = tuple[int, int, int]
Spread = dict[tuple[int, int], float]
"""Probability by hits and shields."""

Way = tuple[float, Crew, int]
"""A crew for an enemy: its worth, itself, its food."""

MOST_HITS: Final = 24


class Odds(NamedTuple):
    """The expected result of a fight."""

    win: float
    """Probability that the enemy is defeated."""
    lost: tuple[float, float, float]
    """Warriors lost, by type, on average."""


class FightOdds:
    """Odds of fights with the dice of one box and the ability of one leader."""

    def __init__(self, components: Components, leader: int) -> None:
        better = leader >= 0 and components.ability[leader] == SWORD_PLUS_ONE
        self._dice: Final = [
            _spread_of_die(components, warrior, 1 if better and warrior == SWORDSMAN else 0)
            for warrior in range(3)
        ]
        self._rolls: Final[dict[Crew, Spread]] = {(0, 0, 0): {(0, 0): 1.0}}
        self._fights: Final[dict[tuple[Crew, int, int], Odds]] = {}
        self.ways: Final[dict[tuple[Any, ...], list[Way]]] = {}
        """The crews for a target, remembered by the planner."""

    def roll(self, crew: Crew) -> Spread:
        """Return the hits and shields of one roll of *crew*."""
        found = self._rolls.get(crew)
        if found is None:
            warrior = 0 if crew[0] else 1 if crew[1] else 2
            found = convolve(self.roll(_less(crew, warrior)), self._dice[warrior])
            self._rolls[crew] = found
        return found

    def fight(self, crew: Crew, attack: int, defence: int) -> Odds:
        """Return the odds of *crew* against an enemy that still needs *defence* damage."""
        if defence <= 0:
            return Odds(1.0, (0.0, 0.0, 0.0))
        if sum(crew) == 0:
            return Odds(0.0, (0.0, 0.0, 0.0))
        key = (crew, attack, defence)
        found = self._fights.get(key)
        if found is None:
            found = self._fights[key] = self._fight(crew, attack, defence)
        return found

    def _fight(self, crew: Crew, attack: int, defence: int) -> Odds:
        again = 0.0
        win, lost = 0.0, [0.0, 0.0, 0.0]
        for (hits, shields), chance in self.roll(crew).items():
            dead = casualties(crew, attack - shields)
            if hits == 0 and sum(dead) == 0:
                again += chance
                continue
            left: Crew = (crew[0] - dead[0], crew[1] - dead[1], crew[2] - dead[2])
            then = self.fight(left, attack, defence - hits)
            win += chance * then.win
            for k in range(3):
                lost[k] += chance * (dead[k] + then.lost[k])
        once = 1.0 - again
        if once <= 0.0:
            return Odds(0.0, (0.0, 0.0, 0.0))
        return Odds(win / once, (lost[0] / once, lost[1] / once, lost[2] / once))


def casualties(crew: Crew, losses: int) -> Crew:
    """Return whom a sensible owner gives up: swordsmen, then spearmen, then axemen."""
    left = max(0, min(losses, sum(crew)))
    dead = [0, 0, 0]
    for warrior in range(3):
        dead[warrior] = min(crew[warrior], left)
        left -= dead[warrior]
    return (dead[0], dead[1], dead[2])


def convolve(one: Spread, other: Spread) -> Spread:
    """Return the spread of the sum of two independent rolls."""
    found: Spread = {}
    for (hits, shields), chance in one.items():
        for (more, further), other_chance in other.items():
            key = (min(hits + more, MOST_HITS), shields + further)
            found[key] = found.get(key, 0.0) + chance * other_chance
    return found


def _spread_of_die(components: Components, warrior: int, bonus: int) -> Spread:
    found: Spread = {}
    sides = components.sides[warrior]
    for face in sides:
        hits = components.face_hits[face]
        key = (hits + bonus if hits else 0, components.face_shields[face])
        found[key] = found.get(key, 0.0) + 1 / len(sides)
    return found


def _less(crew: Crew, warrior: int) -> Crew:
    left = [*crew]
    left[warrior] -= 1
    return (left[0], left[1], left[2])
