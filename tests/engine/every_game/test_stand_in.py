"""The stand-in: an option, the same for the same random numbers, from the view alone."""

import pytest

from taflhall_engine.kernel import stand_in
from taflhall_engine.kernel.agenda import apply, asked, options
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.drafts import Draft
from taflhall_engine.kernel.snapshot import dump_table
from tests.engine.every_game import walk
from tests.engine.toy import QUAY, Setup

PLIES = 700


def test_a_stand_in_chooses_an_option_and_changes_nothing(name):
    def law(p):
        for seat in asked(p.s):
            before = dump_table(p.game, p.s)
            legal = options(p.s, seat)
            view = p.game.view(p.s, seat)
            chosen = [
                stand_in.choose(p.game, view, legal, FastChance(p.ply), PLIES) for _ in range(2)
            ]
            assert chosen[0] in legal
            assert chosen[0] == chosen[1]
            assert dump_table(p.game, p.s) == before

    assert walk.hold(name, law, every=97)


def test_a_random_answer_is_whole_and_the_same_for_the_same_random_numbers(name):
    def law(p):
        for seat in asked(p.s):
            before = dump_table(p.game, p.s)
            taken = [stand_in.random_answer(p.s, seat, FastChance(p.ply)) for _ in range(2)]
            assert taken[0] == taken[1]
            draft = Draft(p.s, seat)
            whole = [draft.give(options(draft.table, seat)[number]) for number in taken[0]]
            assert whole == [False] * (len(whole) - 1) + [True]
            assert dump_table(p.game, p.s) == before

    assert walk.hold(name, law, every=97)


def test_a_random_answer_takes_every_option_in_time():
    s = QUAY.new(Setup(2, 1), FastChance(1))
    seat, rng = asked(s)[0], FastChance(2)
    taken = {stand_in.random_answer(s, seat, rng)[0] for _ in range(200)}
    assert taken == set(range(len(options(s, seat))))
    with pytest.raises(ValueError, match="seat 5 has nothing to decide"):
        stand_in.random_answer(s, 5, rng)


def test_a_stand_in_chooses_alike_in_all_worlds_that_look_alike_to_it(name):
    """Two tables that differ in what the seat may not know give the same view and choice."""
    differed = 0

    def law(p):
        nonlocal differed
        for seat in asked(p.s):
            view = p.game.view(p.s, seat)
            other = p.game.imagine(view, p.rng.copy())
            differed += dump_table(p.game, other) != dump_table(p.game, p.s)
            there = p.game.view(other, seat)
            rng = FastChance(p.ply), FastChance(p.ply)
            here = stand_in.choose(p.game, view, options(p.s, seat), rng[0], PLIES)
            assert stand_in.choose(p.game, there, options(other, seat), rng[1], PLIES) == here

    walk.hold(name, law, every=97)
    assert differed


def test_without_work_left_it_is_the_neutral_answer_as_far_as_the_seat_can_know_it(name):
    def law(p):
        for seat in asked(p.s):
            legal, view = options(p.s, seat), p.game.view(p.s, seat)
            chosen = stand_in.choose(p.game, view, legal, FastChance(1), 0)
            tried = list(range(len(legal)))
            rng = FastChance(1)
            rng.shuffle(tried)
            neutral = p.game.neutral(p.game.imagine(view, rng), seat)
            assert len(legal) == 1 or chosen == neutral

    assert walk.hold(name, law, every=11)


def test_it_plays_better_than_at_random():
    """On the toy, whose matches are short: a stand-in wins more than its share of matches."""
    won = 0
    for seed in range(40):
        rng, s = FastChance(seed), QUAY.new(Setup(2, 2), FastChance(seed + 1000))
        while seats := asked(s):
            seat = seats[0]
            legal = options(s, seat)
            if seat == seed % 2:
                choice = stand_in.choose(QUAY, QUAY.view(s, seat), legal, rng, 400)
            else:
                choice = legal[rng.below(len(legal))]
            apply(s, seat, choice)
        end = QUAY.result(s)
        assert end is not None
        won += end.won[seed % 2]
    assert won >= 26
