"""A match with all meta commands: live play, record and replay agree.

The live match is kept here by hand: one table for each answer that may be taken back. The line,
the record and its replay must lead to the same table at every revision.
"""

import json
from functools import cache
from typing import Any

import pytest

from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.agenda import Abandoned, Resigned, TimedOut, Undone, options
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.mainline import Mainline, draws_of, replay_states
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    ABANDONED,
    FORFEIT,
    FORFEITED,
    MAX_BACK,
    NO_WITHDRAWALS,
    RESIGN,
    TIMEOUT,
    apply_move,
    pending,
    read_meta_command,
    result,
    undo,
    write_meta_command,
)
from taflhall_engine.kernel.replay import RecordDiffers, replay
from taflhall_engine.kernel.snapshot import digest, dump, load
from tests.engine.every_game import setups, walk

PLIES = 160
EVENT_OF = {RESIGN: Resigned, TIMEOUT: TimedOut, FORFEIT: TimedOut, ABANDON: Abandoned}


class Live:
    """A match as it is played, with every table that may be wanted again."""

    def __init__(self, name, seed):
        self.game = setups.game(name)
        usual = setups.trial(name).usual
        self.setup = self.game.setup_kind(**usual[seed % len(usual)])
        self.secret = walk.secret(seed)
        self.table: Any = self.game.new(self.setup, KeyedChance(self.secret))
        self.withdrawn = NO_WITHDRAWALS
        self.before = []
        self.moves = []
        self.digests = [digest(self.game, self.table)]
        self.goners = [NO_WITHDRAWALS]

    @property
    def seats(self):
        return pending(self.game, self.table, self.withdrawn)

    @property
    def drawn(self):
        return self.table.chance.draws

    @property
    def end(self) -> Any:
        return result(self.game, self.table, self.withdrawn)

    def go(self, seat, action):
        if action in EVENT_OF or not hasattr(action, "back"):
            self.before.append((self.table.copy(), self.withdrawn))
            self.withdrawn = apply_move(self.game, self.table, seat, action, self.withdrawn)
        else:
            self.table, self.withdrawn = self.before[-action.back]
            del self.before[-action.back :]
        self.moves.append((seat, action))
        self.digests.append(digest(self.game, self.table))
        self.goners.append(self.withdrawn)

    def record(self):
        names = [f"Ann {seat}" for seat in range(self.game.seats(self.table))]
        return records.written(
            self.game, self.setup, names, self.secret, self.moves, self.digests, self.end
        )


@cache
def lived(name, seed, quit_at=PLIES // 2, end=ABANDON):
    """A random match in which everything is done that a seat can do."""
    rng, live = FastChance(seed), Live(name, seed)
    line = Mainline(live.game, live.setup, live.secret)
    undone = 0
    while live.seats:
        seat = live.seats[rng.below(len(live.seats))]
        ply, what = len(live.moves), rng.below(12)
        team = live.game.cooperative or len(live.seats) + len(live.withdrawn.seats) < 2
        if ply >= PLIES:
            action = end
        elif what < 4 and line.undoable:
            action = undo(1 + rng.below(line.undoable))
            undone += 1
        elif what == 4:
            action = TIMEOUT
        elif ply == quit_at and not team:
            action = RESIGN if seed % 2 else FORFEIT
        else:
            seat, action = walk.whole_answer(live.table, rng)
        if action in EVENT_OF or not hasattr(action, "back"):
            assert line.push(seat, action)
        else:
            assert line.push(seat, action) == [Undone("", seat, action.back)]
        live.go(seat, action)
        assert digest(line.game, line.table) == live.digests[-1]
        assert draws_of(line.table) == live.drawn
    return live, undone


@pytest.fixture(params=[0, 1])
def match(name, request):
    return lived(name, request.param)


def test_every_way_through_a_match_leads_to_the_same_tables(match):
    live, undone = match
    assert undone
    walk_through = replay_states(live.game, live.setup, live.secret, live.moves)
    walked = [(digest(live.game, p.table), p.withdrawn) for p in walk_through]
    assert walked == list(zip(live.digests, live.goners, strict=True))
    record = json.loads(json.dumps(live.record()))
    found = replay(live.game, record)
    assert found.moves == live.moves
    assert found.withdrawn == live.withdrawn
    names = record["seats"]
    assert records.write(live.game, live.setup, names, live.secret, live.moves) == record


def test_every_meta_command_emits_its_event(match):
    live, _ = match
    actions = set()
    for position in replay_states(live.game, live.setup, live.secret, live.moves):
        if not position.revision:
            continue
        seat, action = live.moves[position.revision - 1]
        if action in EVENT_OF:
            assert position.events[0] == EVENT_OF[action]("", seat)
            assert position.events[0].seen_by(-1) == position.events[0]
            actions.add(action.name)
        assert load(dump(position.events), live.game.types) == position.events
    assert {"timeout", "abandon"} <= actions or not live.table.agenda


def test_deeds_are_written_and_read(name):
    kinds = setups.game(name).types
    for action in (RESIGN, TIMEOUT, FORFEIT, ABANDON, undo(1), undo(MAX_BACK)):
        assert read_meta_command(write_meta_command(action)) == action
        assert load(dump(action), kinds) == action
    for text in ("undo", "undo 0", "undo 65", "undo 01", "undo  1", "undo -1", "Resign", ""):
        assert read_meta_command(text) is None


def test_nobody_wins_a_match_that_was_given_up(name):
    live = Live(name, 1)
    live.go(-1, ABANDON)
    end = live.end
    assert not any(end.won)
    assert len(end.won) == live.game.seats(live.table)
    assert (end.places, end.scores, end.reasons) == ([], [], [ABANDONED])
    assert pending(live.game, live.table, live.withdrawn) == []
    assert replay(live.game, live.record()).withdrawn.abandoned


def test_a_seat_whose_time_runs_out_may_lose(name):
    live = Live(name, 0)
    seat = live.seats[0]
    live.go(seat, FORFEIT)
    if live.game.cooperative:
        end = live.end
        assert end.reasons == [FORFEITED]
        assert not any(end.won)
    assert live.withdrawn.forfeited == (seat,)
    assert seat not in live.seats


@pytest.mark.parametrize(
    ("seat", "action", "why"),
    [
        (0, "undo 1", "only 0 answers"),
        (-1, "timeout", "no seat -1"),
        (9, "abandon", "no seat 9"),
        (0, "undo 65", "is not a command|has no"),
    ],
)
def test_an_action_that_nobody_could_do_is_found(name, seat, action, why):
    live = Live(name, 2)
    live.go(-1, ABANDON)
    record = live.record()
    record["commands"].insert(0, [seat, action])
    record["digests"].insert(0, record["start_digest"])
    with pytest.raises(RecordDiffers) as e:
        replay(live.game, record)
    assert e.value.ply == 1


def test_no_more_is_taken_back_than_may_be(name):
    live = Live(name, 3)
    line = Mainline(live.game, live.setup, live.secret)
    rng = FastChance(3)
    while not line.undoable:
        seat = live.seats[0]
        listed = options(live.table, seat)
        action = listed[rng.below(len(listed))]
        line.push(seat, action)
        live.go(seat, action)
    more = undo(line.undoable + 1)
    assert line.why_not(0, undo(line.undoable)) == ""
    assert line.why_not(0, more) == f"only {line.undoable} answers could be taken back"
