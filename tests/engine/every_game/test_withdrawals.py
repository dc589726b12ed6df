"""The consequences of withdrawals: the table of docs/rules.md, for all games and seat counts."""

from typing import Any

import pytest

from taflhall_engine.kernel.agenda import asked
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    FORFEIT,
    NO_WITHDRAWALS,
    RESIGN,
    Withdrawals,
    answer,
    apply_move,
    pending,
    result,
)
from tests.engine.every_game import setups, walk


def tables(name):
    """Yield a match in the middle for each usual setup, with random numbers for what follows."""
    game = setups.game(name)
    for seed, setup in enumerate(setups.trial(name).usual):
        s = game.new(game.setup_kind(**setup), KeyedChance(walk.secret(seed)))
        rng = FastChance(seed)
        for _ in range(10):
            seat, given = walk.whole_answer(s, rng)
            answer(game, s, seat, given)
        yield game, s, rng


def leave(game, s, rng, withdrawn):
    """Withdraw a random seat that still plays; return it and the withdrawals."""
    playing = [seat for seat in range(game.seats(s)) if seat not in withdrawn.seats]
    seat = playing[rng.below(len(playing))]
    action = RESIGN if seat not in asked(s) or rng.below(2) else FORFEIT
    return seat, apply_move(game, s, seat, action, withdrawn)


def test_a_seat_that_goes_has_lost_and_the_last_one_left_has_won(name):
    for game, s, rng in tables(name):
        seats, order, withdrawn = game.seats(s), [], NO_WITHDRAWALS
        while pending(game, s, withdrawn):
            seat, withdrawn = leave(game, s, rng, withdrawn)
            order.append(seat)
            assert withdrawn.seats == tuple(order)
            assert not set(pending(game, s, withdrawn)) & set(order)
        end: Any = result(game, s, withdrawn)
        left = [seat for seat in range(seats) if seat not in order]
        if game.cooperative:
            assert len(order) == 1
            assert end.places == [2] * seats
            assert end.won == [False] * seats
        else:
            assert len(left) == (1 if seats > 1 else 0)
            assert end.won == [seat in left for seat in range(seats)]
            assert [end.places[seat] for seat in order] == [
                max(2, seats - k) for k in range(len(order))
            ]
            assert all(end.places[seat] == 1 for seat in left)
        assert end.scores == []
        assert set(end.reasons) == {
            "forfeited" if seat in withdrawn.forfeited else "resigned" for seat in order
        }


def test_the_others_play_on_and_move_up(name):
    for game, s, rng in tables(name):
        if game.cooperative or game.seats(s) < 3:
            continue
        gone, withdrawn = leave(game, s, rng, NO_WITHDRAWALS)
        for _ in range(setups.trial(name).plies):
            seats = pending(game, s, withdrawn)
            if not seats:
                break
            seat, given = walk.whole_answer(s, rng)
            assert seat != gone
            answer(game, s, seat, given, withdrawn)
        end: Any = result(game, s, withdrawn)
        assert end.places[gone] == game.seats(s)
        assert not end.won[gone]
        assert 1 in end.places
        assert any(end.won)
        assert end.reasons[-1] in ("resigned", "forfeited")
        assert len(end.reasons) > 1
        assert len(end.scores) in (0, game.seats(s))


def test_a_match_that_all_gave_up_has_no_winner(name):
    for game, s, _ in tables(name):
        withdrawn = apply_move(game, s, -1, ABANDON, NO_WITHDRAWALS)
        assert pending(game, s, withdrawn) == []
        end: Any = result(game, s, withdrawn)
        assert (end.won, end.places, end.scores) == ([False] * game.seats(s), [], [])
        assert end.reasons == ["abandoned"]


@pytest.mark.parametrize(
    ("withdrawn", "resigned", "reasons"),
    [
        (Withdrawals((2, 0)), (2, 0), ["resigned"]),
        (Withdrawals((2, 0), (2,)), (0,), ["resigned", "forfeited"]),
        (Withdrawals((1,), (1,)), (), ["forfeited"]),
    ],
)
def test_the_reasons_are_those_of_who_went(withdrawn, resigned, reasons):
    assert withdrawn.resigned == resigned
    assert withdrawn.reasons == reasons


def test_ig_14_6_a_player_of_the_rules_has_won_when_the_only_seat_goes():
    game = setups.game("ice_garden")
    for action in (RESIGN, FORFEIT):
        for npc in range(3):
            setup = game.setup_kind(seats=1, solo_level=2, npc=npc, factions=[3])
            s: Any = game.new(setup, KeyedChance(walk.secret(npc)))
            end: Any = result(game, s, apply_move(game, s, 0, action, NO_WITHDRAWALS))
            assert (end.won, end.places) == ([False], [2])
            assert (end.npc.name, end.npc.won) == (game.labels["faction"][npc], True)
            assert end.npc.score == s.vp[npc]
            given_up: Any = result(game, s, Withdrawals(abandoned=True))
            assert given_up.npc is None
