"""The tree of an information-set search, which grows by one command with each iteration.

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012) with priors (PUCT, Rosin 2011) and
progressive widening (Coulom 2007). An iteration descends the tree through what is legal on an
imagined table, adds a command, plays on as the game's
:mod:`knowledge <taflhall_client.bots.knowledge>` would, values the table reached and updates
every command on the way. Chance is drawn afresh in each iteration. Where several seats choose at
once each chooses by statistics of its own, and nobody's later choices depend on an answer that
they cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from math import sqrt
from typing import Any, Final

from taflhall_client.bots.knowledge import Knowledge, Option
from taflhall_engine.kernel.agenda import Table, Waiting, apply, asked, options, waiting
from taflhall_engine.kernel.chance import Chance
from taflhall_engine.kernel.game import Game, View

DOUBT: Final = 0.02
"""How much worse than its node an option counts before its first visit."""


class Edge:
    """Statistics of one seat's command at a node."""

    __slots__ = ("available", "child", "prior", "total", "visits")

    def __init__(self, prior: float) -> None:
        self.prior = prior
        self.visits = 0
        self.available = 0
        """How often it could have been chosen."""
        self.total = 0.0
        """The sum of what its seat got."""
        self.child: Node | None = None

    @property
    def mean(self) -> float:
        """What its seat got on average; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0


class Node:
    """A decision as far as the searching seat can distinguish it from others."""

    __slots__ = ("edges", "hidden", "step", "total", "view", "visits")

    def __init__(self) -> None:
        self.step: Waiting[Any] | None = None
        self.view: View | None = None
        """The view with which the searching seat came here first, if it is the one to decide."""
        self.edges: dict[tuple[int, Option], Edge] = {}
        self.hidden: Node | None = None
        """What follows answers that the searching seat cannot know."""
        self.visits = 0
        self.total: list[float] = []
        """By seat, the sum of what it got."""

    def best(self, seat: int, legal: Sequence[Option]) -> Option:
        """Return the option of *legal* that *seat* took most often."""

        def visits(option: Option) -> int:
            edge = self.edges.get((seat, option))
            return -1 if edge is None else edge.visits

        return max(legal, key=visits)

    def children(self) -> Iterator[Node]:
        """Yield the nodes that follow."""
        for edge in self.edges.values():
            if edge.child is not None:
                yield edge.child
        if self.hidden is not None:
            yield self.hidden


class Grower:
    """Grows trees for the seat *observer*.

    *exploration* weighs the prior against what was found; a node of n visits chooses among about
    *widening* times the root of n options.
    """

    def __init__(
        self,
        game: Game,
        knowledge: Knowledge,
        rng: Chance,
        observer: int,
        exploration: float,
        widening: float,
    ) -> None:
        self._game: Final = game
        self._knowledge: Final = knowledge
        self._rng: Final = rng
        self._observer: Final = observer
        self._exploration: Final = exploration
        self._widening: Final = widening

    def grow(self, root: Node, s: Table, given: Sequence[Option] = ()) -> float:
        """Play *s* from *root* to a new command and on; return what the observer gets.

        The observer's first commands are those *given*.
        """
        since = waiting(s)
        assert since is not None
        path: list[tuple[Node, list[tuple[int, Edge]]]] = []
        forced = iter(given)
        node: Node | None = root
        plies = 0
        while node is not None and (top := waiting(s)) is not None:
            chosen, following = self._descend(node, s, top, forced)
            path.append((node, chosen))
            plies += len(chosen)
            node = following
        for option in forced:
            apply(s, self._observer, option)
        self._roll(s, since, plies)
        values = self._knowledge.values(s)
        for passed, edges in path:
            passed.visits += 1
            passed.total = [a + b for a, b in zip_longest(passed.total, values, fillvalue=0.0)]
            for seat, edge in edges:
                edge.visits += 1
                edge.total += values[seat]
        return values[self._observer]

    def _descend(
        self, node: Node, s: Table, top: Waiting[Any], forced: Iterator[Option]
    ) -> tuple[list[tuple[int, Edge]], Node | None]:
        """Answer *top* for all its seats; return the edges, and the next node if none was new."""
        observer = self._observer
        seats = top.seats(s)
        if node.step is None:
            node.step = top
            if observer in seats:
                node.view = self._game.view(s, observer)
        chosen: list[tuple[int, Edge]] = []
        following: Node | None = None
        fresh = False
        for seat in seats:
            legal = options(s, seat)
            if not legal:  # the seat before it has further steps of its answer to give
                break
            given = next(forced, None) if seat == observer else None
            option, edge = self._select(node, s, seat, legal, given)
            fresh = fresh or edge.visits == 0
            chosen.append((seat, edge))
            known = seat == observer or (len(seats) == 1 and not top.secret(s))
            apply(s, seat, option)
            if known:
                edge.child = following = edge.child or Node()
        if following is None:
            node.hidden = following = node.hidden or Node()
        return chosen, None if fresh else following

    def _roll(self, s: Table, since: Waiting[Any], plies: int) -> None:
        """Play on as the knowledge does, until it values the table."""
        knowledge = self._knowledge
        while (seats := asked(s)) and not knowledge.rests(s, since, plies):
            seat = seats[0]
            apply(s, seat, knowledge.play(s, seat, options(s, seat), self._rng))
            plies += 1

    def _select(
        self, node: Node, s: Table, seat: int, legal: list[Option], given: Option | None
    ) -> tuple[Option, Edge]:
        """Return the option that *seat* takes, *given* if that is one, and its edge."""
        edges = node.edges
        if any((seat, option) not in edges for option in legal):
            weights = self._knowledge.prior(s, seat, legal)
            total = sum(weights)
            for option, weight in zip(legal, weights, strict=True):
                edges.setdefault((seat, option), Edge(weight / total))
        known = [(option, edges[seat, option]) for option in legal]
        for _, edge in known:
            edge.available += 1
        if given is not None:
            return given, edges[seat, given]
        width = 2 + int(self._widening * sqrt(node.visits))
        if width < len(known):
            known.sort(key=lambda pair: (-pair[1].prior, -pair[1].visits))
            del known[width:]
        unvisited = node.total[seat] / node.visits - DOUBT if node.visits else 0.0

        def bound(pair: tuple[Option, Edge]) -> float:
            edge = pair[1]
            mean = edge.mean if edge.visits else unvisited
            return mean + self._exploration * edge.prior * sqrt(edge.available) / (1 + edge.visits)

        return max(known, key=bound)


def find(root: Node, view: View) -> Node | None:
    """Return the most visited node below *root*, or itself, with that view of its seat."""
    best: Node | None = None
    below = [root]
    while below:
        node = below.pop()
        if node.view == view and (best is None or node.visits > best.visits):
            best = node
        below.extend(node.children())
    return best
