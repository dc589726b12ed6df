"""A match is sound at every decision, and comes to its end."""

import contextlib

import pytest

from taflhall_engine.kernel.agenda import apply, asked
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.game import InvalidSetup
from taflhall_engine.kernel.value import field_names
from taflhall_testing import laws
from tests.engine.every_game import setups, walk


def test_every_registered_game_is_tried(name):
    trial = setups.trial(name)
    assert trial.usual
    game = setups.game(name)
    assert game.id == name
    assert game.types
    assert 1 <= game.min_seats <= game.max_seats


def test_the_setup_of_all_defaults_makes_a_match_or_says_what_is_missing(name):
    game = setups.game(name)
    with contextlib.suppress(InvalidSetup):
        assert asked(game.new(game.setup_kind(), KeyedChance(walk.secret(0))))


def test_every_number_of_seats_is_tried(name):
    game, trial = setups.game(name), setups.trial(name)
    usual = {seats_of(game, fields) for fields in trial.usual}
    other = {seats_of(game, trial.other(FastChance(seed))) for seed in range(100)}
    assert {game.min_seats, game.max_seats} <= usual
    assert usual | other == set(range(game.min_seats, game.max_seats + 1))


def seats_of(game, fields):
    return game.seats(game.new(game.setup_kind(**fields), KeyedChance(walk.secret(0))))


def test_every_match_ends_and_no_invariant_is_ever_broken(name):
    walk.hold(name, laws.every_match_ends_and_no_invariant_is_ever_broken)


def test_the_neutral_answer_is_legal(name):
    walk.hold(name, laws.the_neutral_answer_is_legal)


def test_a_table_that_everybody_left_comes_to_its_end(name):
    trial, game = setups.trial(name), setups.game(name)
    for seed, setup in enumerate(trial.usual):
        s = game.new(game.setup_kind(**setup), KeyedChance(walk.secret(seed)))
        plies = 0
        while s.agenda:
            seat = asked(s)[-1]
            apply(s, seat, game.neutral(s, seat))
            plies += 1
            assert plies <= trial.plies
        assert game.faults(s) == []
        assert game.result(s) is not None


@pytest.mark.parametrize("value", [-1, 99, 10**9])
def test_a_setup_that_makes_no_match_is_refused(name, value):
    game = setups.game(name)
    numbers = [
        field
        for field in field_names(game.setup_kind)
        if type(getattr(game.setup_kind(), field)) is int
        and getattr(game.setup_kind(), field) != value
    ]
    for field in numbers:
        with pytest.raises(InvalidSetup) as error:
            game.new(game.setup_kind(**{field: value}), KeyedChance(walk.secret(0)))
        for fault in error.value.faults:
            assert fault.code
            assert str(fault) in str(error.value)
