"""An answer that is given in steps is one move of the match, and a draft until then."""

from collections import Counter
from typing import Any

import pytest

from taflhall_engine.kernel.agenda import IllegalCommand, apply, asked, options
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.drafts import (
    ANSWER_ENDED,
    ANSWER_UNFINISHED,
    Answer,
    Draft,
    check_answer,
    steps_of,
    unfinished,
    whole,
)
from taflhall_engine.kernel.mainline import Mainline, reveals_hidden
from taflhall_engine.kernel.meta_commands import ABANDON, RESIGN, TIMEOUT, Move, undo
from taflhall_engine.kernel.record import action_text, write
from taflhall_engine.kernel.replay import RecordDiffers, replay
from taflhall_engine.kernel.snapshot import digest
from tests.engine.every_game import setups, walk

SPLIT = ["champions", "yggdrasil"]
"""The games that have answers in several steps."""


def given_in_steps(p, seat, rng):
    """Return a random answer of *seat* at *p*, checked step by step."""
    draft = Draft(p.s, seat)
    listed = options(draft.table, seat)
    while True:
        table: Any = draft.table
        drawn = table.chance.draws
        draft.table.journal = []
        complete = draft.give(listed[rng.below(len(listed))])
        if complete:
            return whole(draft.steps)
        assert asked(draft.table) == [seat]
        assert table.chance.draws == drawn
        assert not reveals_hidden(p.game, draft.table.journal)
        assert p.game.result(draft.table) is None
        listed = options(draft.table, seat)


def test_between_the_steps_nobody_else_decides_and_nothing_happens(name):
    split: Counter[str] = Counter()

    def law(p):
        if unfinished(p.s):
            return
        for seat in asked(p.s):
            before = digest(p.game, p.s), [p.game.view(p.s, viewer) for viewer in p.viewers]
            given = given_in_steps(p, seat, p.rng)
            after = digest(p.game, p.s), [p.game.view(p.s, viewer) for viewer in p.viewers]
            assert before == after
            if isinstance(given, Answer):
                split[type(p.top).__name__] += 1
            check_answer(p.s, seat, steps_of(given))

    walk.hold(name, law, rounds=2)
    assert (name in SPLIT) == bool(split)


def test_an_answer_of_several_steps_is_one_revision(name):
    for seed in range(2):
        setup = setups.trial(name).usual[seed]
        game = setups.game(name)
        line = Mainline(game, game.setup_kind(**setup), walk.secret(seed))
        twin = game.new(game.setup_kind(**setup), KeyedChance(walk.secret(seed)))
        rng = FastChance(seed)
        moves: list[Move] = []
        while line.table.agenda and len(moves) < 150:
            seat, given = walk.whole_answer(line.table, rng)
            line.push(seat, given)
            moves.append((seat, given))
            for step in steps_of(given):
                apply(twin, seat, step)
            assert not unfinished(line.table)
            assert line.revision == len(moves)
            assert digest(game, line.table) == digest(game, twin)


@pytest.mark.parametrize("end", [TIMEOUT, RESIGN])
@pytest.mark.parametrize("splitting", SPLIT)
def test_a_seat_that_goes_away_in_the_middle_of_an_answer_has_given_none(splitting, end):
    game, tried = setups.game(splitting), 0
    setup = game.setup_kind(**setups.trial(splitting).usual[0])
    line, rng = Mainline(game, setup, walk.secret(5)), FastChance(5)
    while line.table.agenda and tried < 12:
        seat, given = walk.whole_answer(line.table, rng)
        if isinstance(given, Answer):
            other = line.table.copy()
            Draft(line.table, seat).give(given.steps[0])
            line.push(seat, end)
            assert not unfinished(line.table)
            again = Mainline(game, setup, walk.secret(5))
            again.table = other
            again.push(seat, end)
            assert digest(game, line.table) == digest(game, again.table)
            tried += 1
            if end == RESIGN:
                return
        else:
            line.push(seat, given)
    assert tried


@pytest.mark.parametrize("splitting", SPLIT)
def test_an_answer_is_refused_unless_it_is_whole(splitting):
    game = setups.game(splitting)
    line, rng = (
        Mainline(game, game.setup_kind(**setups.trial(splitting).usual[-1]), walk.secret(1)),
        FastChance(1),
    )
    while True:
        seat, given = walk.whole_answer(line.table, rng)
        if isinstance(given, Answer):
            break
        line.push(seat, given)
    with pytest.raises(IllegalCommand) as error:
        check_answer(line.table, seat, given.steps[:-1])
    assert error.value.refusal == ANSWER_UNFINISHED
    with pytest.raises(IllegalCommand) as error:
        check_answer(line.table, seat, [*given.steps, given.steps[-1]])
    assert error.value.refusal == ANSWER_ENDED
    line.push(seat, given)
    assert action_text(game, given).count("; ") == len(given.steps) - 1
    if line.undoable:
        line.push(seat, undo(1))
        check_answer(line.table, seat, given.steps)


@pytest.mark.parametrize("splitting", SPLIT)
def test_a_record_that_splits_an_answer_is_refused(splitting):
    game = setups.game(splitting)
    secret = walk.secret(2)
    line, rng = Mainline(game, game.setup_kind(seats=2), secret), FastChance(2)
    moves: list[Move] = []
    while line.table.agenda and not any(isinstance(given, Answer) for _, given in moves):
        moves.append(walk.whole_answer(line.table, rng))
        line.push(*moves[-1])
    moves.append((0, ABANDON))
    record = write(game, game.setup_kind(seats=2), ["Ann", "Bob"], secret, moves)
    assert replay(game, record).moves == moves
    place = len(moves) - 2
    record["commands"][place][1] = record["commands"][place][1].split("; ")[0]
    with pytest.raises(RecordDiffers, match="answer_unfinished") as error:
        replay(game, record)
    assert error.value.ply == place + 1
