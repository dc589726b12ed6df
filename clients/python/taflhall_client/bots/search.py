"""Information-set Monte-Carlo tree search, for every game.

:class:`Search` is the bot: it spends its budget on the trees of
:mod:`~taflhall_client.bots.search_tree`, keeps them from one decision to the next, and answers
with the option that was visited most. It sees views only: two worlds that look the same to its
seat get the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Final, NamedTuple

from taflhall_client.bot import Decision
from taflhall_client.bots.knowledge import Knowledge, Option, knowledge_of
from taflhall_client.bots.search_processes import Helpers
from taflhall_client.bots.search_tree import Edge, Grower, Node, find
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.snapshot import load

Clock = Callable[[], float]
CLOCK_EVERY: Final = 4
"""Iterations between two looks at the clock."""
SETTLED: Final = 32
"""A further step of an answer is taken from the tree if it was visited so often."""


class Found(NamedTuple):
    """What a search knows of an option of the seat that searches."""

    option: Option
    visits: int
    expected: float
    """What the seat gets on average, from 0 (lost) to 1 (won alone)."""

    def lead(self, other: Found) -> float:
        """Return by how many standard errors it is expected to be better than *other*.

        The variance of a result is taken to be the largest that its mean allows, so that it is
        rather too large; one result of each kind is added, so that it is never 0.
        """
        if not self.visits or not other.visits:
            return 0.0
        variance = 0.0
        for option in (self, other):
            share = (option.visits * option.expected + 1) / (option.visits + 2)
            variance += share * (1 - share) / option.visits
        return (self.expected - other.expected) / sqrt(variance)


class Search:
    """Searches each decision with a real choice, for a number of iterations or a time.

    The same *seed*, *iterations*, *processes* and sequence of views give the same answers. With
    *seconds* the search ends after that time instead, measured by *clock*. The steps of one
    answer are searched as one. *processes* share the iterations, or search at the same time;
    more than one need a game of :mod:`taflhall_engine.registry`.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        iterations: int = 400,
        seconds: float | None = None,
        processes: int = 1,
        exploration: float | None = None,
        widening: float = 1.5,
        knowledge: Knowledge | None = None,
        clock: Clock = perf_counter,
    ) -> None:
        self._game: Final = game
        self._knowledge: Final = knowledge or knowledge_of(game)
        self._rng: Final = FastChance(seed)
        self._iterations: Final = max(1, iterations // processes)
        self._seconds: Final = seconds
        known = self._knowledge.exploration
        self._exploration: Final = known if exploration is None else exploration
        self._widening: Final = widening
        self._clock: Final = clock
        self._kept: Node | None = None
        """The tree of the last decision."""
        budget = (self._iterations, seconds, self._exploration, widening)
        self._helpers: Final = Helpers(
            _help, [(game.id, game.data_digest, seed + n, *budget) for n in range(1, processes)]
        )

    def choose(self, view: View, decision: Decision) -> Option:
        """Return the option that was visited most, or the knowledge's answer (``certainty``)."""
        legal, step = decision.options, decision.step
        if len(legal) == 1:
            return legal[0]
        if step is not None and not self._knowledge.searches(step):
            return self._usual(view, decision)
        found = self.search(view, decision)
        best = max(found, key=lambda option: option.visits)
        certainty = self._knowledge.certainty
        if not certainty:
            return best.option
        usual = found[legal.index(self._usual(view, decision))]
        return best.option if best.lead(usual) > certainty else usual.option

    def search(self, view: View, decision: Decision) -> list[Found]:
        """Search *decision*; return what was found of its options, in their order."""
        step = decision.step
        kept, self._kept = self._kept, None
        root = self._kept = (kept and find(kept, view)) or Node()
        if step is None or not step.continues_answer or root.visits < SETTLED:
            self._helpers.ask(view)
            self._fill(root, view, decision)
            parts = [_numbers(root, decision), *self._helpers.answers()]
        else:
            parts = [_numbers(root, decision)]
        return _sum(parts, decision.options)

    def compare(
        self, view: View, seat: int, answers: Sequence[Sequence[Option]], times: int
    ) -> list[list[float]]:
        """Return what *seat* gets after each of *answers*, each tried *times* times.

        An answer is the list of its steps, or of the first of them. The answers meet the same
        imagined tables, so their differences are known better than themselves. The tree of the
        last decision has to be that of *view*, and learns from this.
        """
        root = self._kept
        assert root is not None
        grower = self._grower(seat)
        results: list[list[float]] = [[] for _ in answers]
        for _ in range(times):
            first, second = self._rng.below(1 << 31), self._rng.below(1 << 31)
            for result, answer in zip(results, answers, strict=True):
                s = self._game.imagine(view, FastChance(first, 1 + second))
                result.append(grower.grow(root, s, answer))
        return results

    def line(self, seat: int, legal: Sequence[Option]) -> list[Option]:
        """Return the best answer of the last decision, with the further steps that it knows."""
        node = self._kept
        assert node is not None
        steps = [node.best(seat, legal)]
        node = node.edges[seat, steps[0]].child
        while node is not None and node.step is not None and node.step.continues_answer:
            tried = [(edge.visits, option) for (_, option), edge in node.edges.items()]
            visits, option = max(tried, key=lambda pair: pair[0])
            if not visits:
                break
            steps.append(option)
            node = node.edges[seat, option].child
        return steps

    def _fill(self, root: Node, view: View, decision: Decision) -> None:
        """Grow *root* for as long as the budget lasts."""
        if self._knowledge.trusted:
            self._favour(root, view, decision)
        grower = self._grower(decision.seat)
        left = self._budget()
        while left():
            grower.grow(root, self._game.imagine(view, self._chance()))

    def _grower(self, seat: int) -> Grower:
        return Grower(
            self._game, self._knowledge, self._rng, seat, self._exploration, self._widening
        )

    def _usual(self, view: View, decision: Decision) -> Option:
        """Return the answer that the knowledge gives without a search."""
        s = self._game.imagine(view, self._chance())
        return self._knowledge.play(s, decision.seat, decision.options, self._rng)

    def _favour(self, root: Node, view: View, decision: Decision) -> None:
        """Let the answer that the knowledge would give be as likely as all others together."""
        seat, legal = decision.seat, decision.options
        s = self._game.imagine(view, self._chance())
        choice = self._knowledge.play(s, seat, legal, self._rng)
        weights = self._knowledge.prior(s, seat, legal)
        others = sum(weights) - weights[legal.index(choice)]
        for option, weight in zip(legal, weights, strict=True):
            share = 0.5 if option == choice else 0.5 * weight / max(others, 1e-9)
            root.edges.setdefault((seat, option), Edge(share)).prior = share

    def _chance(self) -> FastChance:
        return FastChance(self._rng.below(1 << 31), 1 + self._rng.below(1 << 31))

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


Numbers = list[tuple[int, float]]
"""By option: its visits, and the sum of what its seat got."""


def _numbers(root: Node, decision: Decision) -> Numbers:
    """Return the statistics of the decision's options."""
    edges = [root.edges.get((decision.seat, option)) for option in decision.options]
    return [(edge.visits, edge.total) if edge else (0, 0.0) for edge in edges]


def _sum(parts: Sequence[Numbers], legal: Sequence[Option]) -> list[Found]:
    """Return what several searches of the same decision have found together."""
    found = []
    for number, option in enumerate(legal):
        visits = sum([part[number][0] for part in parts])
        total = sum([part[number][1] for part in parts])
        found.append(Found(option, visits, total / visits if visits else 0.0))
    return found


def _help(
    connection: Connection,
    game_id: str,
    data_digest: str,
    seed: int,
    iterations: int,
    seconds: float | None,
    exploration: float,
    widening: float,
) -> None:
    """Search the decisions whose views come over *connection*, until it closes."""
    game = registry.game(game_id)
    if game.data_digest != data_digest:
        raise ValueError("a search in several processes needs the component data that are shipped")
    search = Search(
        game,
        seed,
        iterations=iterations,
        seconds=seconds,
        exploration=exploration,
        widening=widening,
    )
    types = {**game.types, View.__name__: View}
    while True:
        try:
            view = load(connection.recv(), types)
        except EOFError:
            return
        s = game.imagine(view, FastChance(0))
        top = waiting(s)
        assert top is not None
        decision = Decision.of(view.seat, top, options(s, view.seat))
        found = search.search(view, decision)
        connection.send([(option.visits, option.visits * option.expected) for option in found])
