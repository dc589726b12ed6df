"""Information-set Monte-Carlo tree search, for every game.

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012) with priors (PUCT, Rosin 2011) and
progressive widening (Coulom 2007): each iteration imagines a table that the view could be of,
descends one tree of commands through what is legal on it, adds a command, plays on as the
game's :mod:`knowledge <taflhall_client.bots.knowledge>` would, values the table reached and
updates every command on the way. Chance is drawn afresh in each iteration. Where several seats
choose at once each chooses by statistics of its own, and nobody's later choices depend on an
answer that they cannot know.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from math import sqrt
from time import perf_counter
from typing import Any, Final

from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import Knowledge, knowledge_of
from taflhall_engine.kernel.agenda import Command, Table, Waiting, apply, asked, options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View

Option = Command[Any]
Clock = Callable[[], float]
CLOCK_EVERY: Final = 4
"""Iterations between two looks at the clock."""
DOUBT: Final = 0.02
"""How much worse than its node an option counts before its first visit."""


class _Edge:
    """Statistics of one seat's command at a node."""

    __slots__ = ("available", "child", "prior", "total", "visits")

    def __init__(self, prior: float) -> None:
        self.prior = prior
        self.visits = 0
        self.available = 0
        """How often it could have been chosen."""
        self.total = 0.0
        """The sum of what its seat got."""
        self.child: _Node | None = None


class _Node:
    """A decision as far as the searching seat can distinguish it from others."""

    __slots__ = ("edges", "hidden", "step", "total", "visits")

    def __init__(self) -> None:
        self.step: Waiting[Any] | None = None
        self.edges: dict[tuple[int, Option], _Edge] = {}
        self.hidden: _Node | None = None
        """What follows answers that the searching seat cannot know."""
        self.visits = 0
        self.total: list[float] = []
        """By seat, the sum of what it got."""


class Search:
    """Searches each decision with a real choice, for a number of iterations or a time.

    The same *seed*, *iterations* and sequence of views give the same answers. With *seconds* the
    search ends after that time instead, measured by *clock*.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        iterations: int = 400,
        seconds: float | None = None,
        exploration: float = 0.6,
        widening: float = 1.5,
        knowledge: Knowledge | None = None,
        clock: Clock = perf_counter,
    ) -> None:
        self._game: Final = game
        self._knowledge: Final = knowledge or knowledge_of(game)
        self._rng: Final = FastChance(seed)
        self._iterations: Final = iterations
        self._seconds: Final = seconds
        self._exploration: Final = exploration
        self._widening: Final = widening
        self._clock: Final = clock
        self._kept: _Node | None = None
        """The subtree of the own last answer."""

    def choose(self, view: View, decision: Decision) -> Option:
        """Return the option that was visited most."""
        legal = decision.options
        if len(legal) == 1:
            return legal[0]
        seat = decision.seat
        if decision.step is not None and not self._knowledge.searches(decision.step):
            self._kept = None
            s = self._game.imagine(view, self._chance())
            return self._knowledge.play(s, seat, legal, self._rng)
        root = self._root(decision)
        if self._knowledge.trusted:
            self._favour(root, view, decision)
        left = self._budget()
        while left():
            self._iterate(root, self._game.imagine(view, self._chance()), seat)
        known = [option for option in legal if (seat, option) in root.edges]
        best = max(known, key=lambda option: root.edges[seat, option].visits)
        self._kept = root.edges[seat, best].child
        return best

    def _favour(self, root: _Node, view: View, decision: Decision) -> None:
        """Let the answer that the knowledge would give be as likely as all others together."""
        seat, legal = decision.seat, decision.options
        s = self._game.imagine(view, self._chance())
        choice = self._knowledge.play(s, seat, legal, self._rng)
        weights = self._knowledge.prior(s, seat, legal)
        others = sum(weights) - weights[legal.index(choice)]
        for option, weight in zip(legal, weights, strict=True):
            share = 0.5 if option == choice else 0.5 * weight / max(others, 1e-9)
            root.edges.setdefault((seat, option), _Edge(share)).prior = share

    def _chance(self) -> FastChance:
        return FastChance(self._rng.below(1 << 31), 1 + self._rng.below(1 << 31))

    def _root(self, decision: Decision) -> _Node:
        """Return the subtree of the last answer if *decision* is what followed it at once."""
        kept, self._kept = self._kept, None
        if kept is not None and kept.step is not None and kept.step == decision.step:
            seat = decision.seat
            if all((seat, option) in kept.edges for option in decision.options):
                return kept
        return _Node()

    def _budget(self) -> Callable[[], bool]:
        """Return a function that says whether another iteration may begin."""
        done = 0
        end = None if self._seconds is None else self._clock() + self._seconds

        def left() -> bool:
            nonlocal done
            done += 1
            if end is None:
                return done <= self._iterations
            return done % CLOCK_EVERY != 1 or done == 1 or self._clock() < end

        return left

    def _iterate(self, root: _Node, s: Table, observer: int) -> None:
        """Descend to a new command, play on, and update every command on the way."""
        path: list[tuple[_Node, list[tuple[int, _Edge]]]] = []
        node: _Node | None = root
        plies = 0
        while node is not None and (top := waiting(s)) is not None:
            chosen, following = self._descend(node, s, top, observer)
            path.append((node, chosen))
            plies += len(chosen)
            node = following
        self._roll(s, plies)
        values = self._knowledge.values(s)
        for passed, edges in path:
            passed.visits += 1
            passed.total = [a + b for a, b in zip_longest(passed.total, values, fillvalue=0.0)]
            for seat, edge in edges:
                edge.visits += 1
                edge.total += values[seat]

    def _descend(
        self, node: _Node, s: Table, top: Waiting[Any], observer: int
    ) -> tuple[list[tuple[int, _Edge]], _Node | None]:
        """Answer *top* for all its seats; return the edges, and the next node if none was new."""
        if node.step is None:
            node.step = top
        seats = top.seats(s)
        chosen: list[tuple[int, _Edge]] = []
        following: _Node | None = None
        fresh = False
        for seat in seats:
            option, edge = self._select(node, s, seat, options(s, seat))
            fresh = fresh or edge.visits == 0
            chosen.append((seat, edge))
            known = seat == observer or (len(seats) == 1 and not top.secret(s))
            apply(s, seat, option)
            if known:
                edge.child = following = edge.child or _Node()
        if following is None:
            node.hidden = following = node.hidden or _Node()
        return chosen, None if fresh else following

    def _roll(self, s: Table, plies: int) -> None:
        """Play on as the knowledge does, until it values the table."""
        knowledge = self._knowledge
        while (seats := asked(s)) and not knowledge.rests(s, plies):
            seat = seats[0]
            apply(s, seat, knowledge.play(s, seat, options(s, seat), self._rng))
            plies += 1

    def _select(
        self, node: _Node, s: Table, seat: int, legal: list[Option]
    ) -> tuple[Option, _Edge]:
        edges = node.edges
        if any((seat, option) not in edges for option in legal):
            weights = self._knowledge.prior(s, seat, legal)
            total = sum(weights)
            for option, weight in zip(legal, weights, strict=True):
                edges.setdefault((seat, option), _Edge(weight / total))
        known = [(option, edges[seat, option]) for option in legal]
        for _, edge in known:
            edge.available += 1
        width = 2 + int(self._widening * sqrt(node.visits))
        if width < len(known):
            known.sort(key=lambda pair: (-pair[1].prior, -pair[1].visits))
            del known[width:]
        unvisited = node.total[seat] / node.visits - DOUBT if node.visits else 0.0

        def bound(pair: tuple[Option, _Edge]) -> float:
            edge = pair[1]
            mean = edge.total / edge.visits if edge.visits else unvisited
            return mean + self._exploration * edge.prior * sqrt(edge.available) / (1 + edge.visits)

        return max(known, key=bound)
