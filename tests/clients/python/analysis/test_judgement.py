"""What an answer was worth, and how a match is gone through."""

from dataclasses import replace
from typing import Any

import pytest

from taflhall_client.analysis.judgement import Grade, Judgement, judge
from taflhall_client.analysis.match import Effort, analyse, pending
from taflhall_client.bots.knowledge import NoKnowledge, knowledge_of
from taflhall_client.bots.random import Random
from taflhall_client.local import play
from taflhall_engine import registry
from taflhall_engine.kernel.agenda import options, waiting
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.replay import replay
from tests.engine.toy import QUAY, Setup

EFFORT = Effort(iterations=30, trials=12)


@pytest.fixture(scope="module")
def quay() -> Any:
    bots = [Random(QUAY, seed) for seed in range(2)]
    return replay(QUAY, play(QUAY, bots, Setup(seats=2), secret=bytes(32)).record(["A", "B"]))


def test_every_answer_with_a_choice_is_judged_in_order(quay):
    judged = list(analyse(quay, EFFORT))
    assert [d.revision for d in judged] == [p.revision for p in pending(quay, NoKnowledge(QUAY))]
    assert len(judged) > 5
    for decision in judged:
        assert 0 <= decision.after <= decision.before <= 1
        assert quay.moves[decision.revision - 1][0] == decision.seat
        assert (decision.best == decision.chosen) == (decision.loss == 0)


def test_the_same_seed_gives_the_same_analysis_whole_or_in_parts(quay):
    whole = list(analyse(quay, EFFORT, 3))
    parts = [d for part in range(3) for d in analyse(quay, EFFORT, 3, part=part, parts=3)]
    assert sorted(parts, key=lambda d: d.revision) == whole
    assert list(analyse(quay, EFFORT, 4)) != whole


def test_an_answer_is_judged_from_the_view_of_its_seat_alone(quay):
    asked = next(iter(pending(quay, NoKnowledge(QUAY))))
    view = QUAY.view(asked.table, asked.seat)
    judgements = [
        judge(
            QUAY,
            NoKnowledge(QUAY),
            QUAY.view(QUAY.imagine(view, FastChance(seed)), view.seat),
            asked.answer,
            iterations=20,
            trials=8,
            seed=1,
        )
        for seed in range(2)
    ]
    assert judgements[0] == judgements[1]


def test_giving_away_a_certain_win_is_a_blunder():
    game = QUAY
    worst = 0.0
    bots = [Random(game, 1), Random(game, 2)]
    found = replay(game, play(game, bots, Setup(seats=2), secret=bytes(32)).record(["A", "B"]))
    for asked in pending(found, NoKnowledge(game)):
        legal = list(options(asked.table, asked.seat))
        for option in (legal[0], legal[-1]):
            judgement = judge(
                game,
                NoKnowledge(game),
                game.view(asked.table, asked.seat),
                [option],
                iterations=60,
                trials=30,
                seed=2,
            )
            worst = max(worst, judgement.loss)
            if judgement.grade is Grade.BLUNDER:
                return
    raise AssertionError(f"the greatest loss is {worst}")


@pytest.mark.parametrize(
    ("after", "error", "grade"),
    [
        (0.50, 0.00, Grade.SOUND),
        (0.46, 0.01, Grade.SOUND),
        (0.44, 0.01, Grade.INACCURACY),
        (0.39, 0.01, Grade.MISTAKE),
        (0.30, 0.01, Grade.BLUNDER),
        (0.30, 0.15, Grade.SOUND),
    ],
)
def test_a_grade_needs_a_loss_that_is_beyond_doubt(after, error, grade):
    judgement = Judgement((), 0.5, 0.5, 0.0)
    assert replace(judgement, after=after, error=error).grade is grade


@pytest.mark.parametrize("name", ["champions", "ice_garden", "yggdrasil"])
def test_each_game_is_analysed_with_what_is_known_of_it(name):
    game = registry.game(name)
    setup = game.setup_kind(seats=2) if name != "ice_garden" else game.setup_kind()
    seats = game.seats(game.new(setup, FastChance(1)))
    bots = [Random(game, seed) for seed in range(seats)]
    made = play(game, bots, setup, secret=bytes(32)).record([f"p{n}" for n in range(seats)])
    found = replay(game, made)
    some = list(analyse(found, Effort(4, 2), part=1, parts=12))
    assert some
    for asked in pending(found, knowledge_of(game)):
        assert waiting(asked.table) is not None
    assert all(0 <= d.after <= d.before <= 1 for d in some)
