"""Information-set Monte-Carlo tree search, for every game.

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012): each iteration imagines a table
that the view could be of, descends one tree of commands through what is legal on it, adds a
command, plays the rest of the match at random and updates every command on the way.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from taflhall_client.bot import Decision
from taflhall_engine.kernel.agenda import Command, Table, apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.rollout import rollout

Move = tuple[int, Command[Any]]


class _Node:
    """Statistics of one command at its node of the tree."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        """How often it could have been chosen."""
        self.total = 0.0
        """The sum of what its seat got."""
        self.children: dict[Move, _Node] = {}


class Search:
    """Searches *iterations* imagined matches for each decision with a real choice."""

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        iterations: int = 100,
        plies: int = 2000,
        exploration: float = 0.7,
    ) -> None:
        self._game = game
        self._rng = FastChance(seed)
        self._iterations = iterations
        self._plies = plies
        self._exploration = exploration

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the option that was visited most."""
        if len(decision.options) == 1:
            return decision.options[0]
        root = _Node()
        for _ in range(self._iterations):
            rng = FastChance(self._rng.below(1 << 31), 1 + self._rng.below(1 << 31))
            self._iterate(root, self._game.imagine(view, rng))
        children = root.children
        known = [c for c in decision.options if (decision.seat, c) in children]
        return max(known, key=lambda c: children[decision.seat, c].visits)

    def _iterate(self, root: _Node, s: Table) -> None:
        path: list[tuple[int, _Node]] = []
        node = root
        while seats := asked(s):
            seat = seats[0]
            legal = [(seat, command) for command in options(s, seat)]
            new = [move for move in legal if move not in node.children]
            if new:
                move = new[self._rng.below(len(new))]
                node.children[move] = _Node()
            else:
                move = self._select(node, legal)
            for other in legal:
                if other in node.children:
                    node.children[other].available += 1
            node = node.children[move]
            path.append((seat, node))
            apply(s, seat, move[1])
            if new:
                break
        plies = len(path) + rollout(s, self._rng, self._plies)
        gains = _gains(self._game.result(s), self._game.seats(s), plies)
        for seat, passed in path:
            passed.visits += 1
            passed.total += gains[seat]

    def _select(self, node: _Node, legal: list[Move]) -> Move:
        best, best_value = legal[0], -1.0
        for move in legal:
            child = node.children[move]
            value = child.total / child.visits
            value += self._exploration * sqrt(log(child.available + 1) / child.visits)
            if value > best_value:
                best, best_value = move, value
        return best


def _gains(result: Result | None, seats: int, plies: int) -> list[float]:
    """Return the value of the end to each seat: half for winning, half for its place.

    A team that loses gets the more the longer it held out, up to 0.4.
    """
    if result is None:
        return [0.25] * seats
    if len(set(result.places)) == 1 and not any(result.won):
        return [0.4 * plies / (plies + 100)] * seats
    last = max(2, seats)
    return [
        0.5 * won + 0.5 * (last - place) / (last - 1)
        for won, place in zip(result.won, result.places, strict=True)
    ]
