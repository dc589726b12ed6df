"""The judgement of every answer of a finished match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from taflhall_client.analysis.judgement import Grade, judge
from taflhall_client.bots.knowledge import Knowledge, Option, knowledge_of
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Table, options, waiting
from taflhall_engine.kernel.drafts import steps_of
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.mainline import replay_states
from taflhall_engine.kernel.meta_commands import MetaCommand
from taflhall_engine.kernel.record import STEP_BREAK
from taflhall_engine.kernel.replay import Replay

SEED_STEP: Final = 1_000_003
"""Between the seeds of two analyses, so that they share none of their decisions' seeds."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The work spent on each decision; it decides the analysis together with the seed."""

    iterations: int = 200
    """Iterations of its search."""
    trials: int = 50
    """Trials of the best answer and of the one that was given."""


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision of a match. The expected results run from 0 (lost) to 1 (won alone)."""

    revision: int
    """That of the answer: the first command of a match has revision 1."""
    seat: int
    decision: str
    """The kind of the decision."""
    rule: str
    chosen: str
    """The answer that was given, in notation."""
    best: str
    """The best answer that was found."""
    before: float
    """What the seat could expect with the best answer."""
    after: float
    """What it could expect with its own."""
    error: float
    """The standard error of the difference."""
    grade: str

    @property
    def loss(self) -> float:
        """What the answer gave away."""
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision of a match that is to be judged."""

    revision: int
    table: Table
    """The table before the answer; it changes when the next decision is asked for."""
    seat: int
    answer: list[Option]


def pending(replay: Replay, knowledge: Knowledge) -> Iterator[Pending]:
    """Yield the decisions with a choice that *knowledge* says are worth a search."""
    states = replay_states(replay.game, replay.setup, replay.secret, replay.moves)
    for state, (seat, action) in zip(states, replay.moves, strict=False):
        if isinstance(action, MetaCommand):
            continue
        answer, top = steps_of(action), waiting(state.table)
        assert top is not None
        choice = len(answer) > 1 or len(options(state.table, seat)) > 1
        if choice and knowledge.searches(top):
            yield Pending(state.revision + 1, state.table, seat, answer)


def analyse(
    replay: Replay, effort: Effort, seed: int = 0, *, part: int = 0, parts: int = 1
) -> Iterator[JudgedDecision]:
    """Yield the judgement of each searched decision of a match, in order.

    The same *effort* and *seed* give the same judgements, whether all are asked for or only every
    *parts*-th from number *part* on.
    """
    game = replay.game
    knowledge = knowledge_of(game)
    for number, asked in enumerate(pending(replay, knowledge)):
        if number % parts == part:
            yield judge_pending(game, knowledge, asked, effort, seed)


def judge_pending(
    game: Game, knowledge: Knowledge, asked: Pending, effort: Effort, seed: int
) -> JudgedDecision:
    """Return the judgement of a decision of a match."""
    found = judge(
        game,
        knowledge,
        game.view(asked.table, asked.seat),
        asked.answer,
        iterations=effort.iterations,
        trials=effort.trials,
        seed=seed * SEED_STEP + asked.revision,
    )
    top = waiting(asked.table)
    assert top is not None
    return JudgedDecision(
        asked.revision,
        asked.seat,
        notation.snake(type(top).__name__),
        top.RULE,
        text_of(game, asked.answer),
        text_of(game, found.best),
        found.before,
        found.after,
        found.error,
        "" if found.grade is Grade.SOUND else found.grade.name.lower(),
    )


def text_of(game: Game, steps: Sequence[Option]) -> str:
    """Return an answer in notation."""
    return STEP_BREAK.join([notation.write(step, game.labels) for step in steps])
