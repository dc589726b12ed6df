"""Records of servers and tournaments: the named, the brief, and those of matches under way."""

from __future__ import annotations

import json
from collections import deque
from itertools import product
from typing import Any

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.drafts import Answer
from taflhall_engine.kernel.game import NpcResult, Result
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import RESIGN, MetaCommand, result, undo
from taflhall_engine.kernel.record import write
from taflhall_engine.kernel.replay import (
    RecordDiffers,
    RecordError,
    recording,
    replay,
    replaying,
    resume,
)
from tests.engine.kernel.test_record import NAMES, SECRET, changed, played
from tests.engine.toy import QUAY, QuayGame, Setup, rules


@pytest.fixture(scope="module")
def good():
    return write(QUAY, Setup(), NAMES, SECRET, played({1: 6}))


def test_the_match_of_a_server_is_named_in_its_record(good):
    moves = played({1: 6})
    digests = [good["start_digest"], *good["digests"]]
    end = replay(QUAY, good).result
    named = records.written(QUAY, Setup(), NAMES, SECRET, moves, digests, end, "m1")
    assert named == {**good, "match_id": "m1"}
    assert records.written(QUAY, Setup(), NAMES, SECRET, moves, digests, end) == good


def test_an_answer_is_written_with_its_steps():
    steps: list[Any] = [rules.TakeGood(0), rules.Keep()]
    assert records.action_text(QUAY, Answer(steps)) == "take_good good=amber; keep"
    assert records.action_text(QUAY, steps[1]) == "keep"


def test_the_player_that_the_rules_play_is_part_of_the_result():
    npc = NpcResult("Rival", True, 7)
    data = records.result_data(Result([False], [2], [5], ["lost"], npc))
    assert data == {
        "won": [False],
        "places": [2],
        "scores": [5],
        "reasons": ["lost"],
        "npc": {"name": "Rival", "won": True, "score": 7},
    }
    assert "npc" not in records.result_data(Result([False], [2], [5], ["lost"]))


def test_a_record_is_written_with_names_as_they_are(good):
    text = records.text({**good, "seats": ["Åsa", "Zoë", "Bo"], "commands": [[0, "é"]]})
    assert '"seats": ["Åsa", "Zoë", "Bo"]' in text
    assert '    [0, "é"]\n' in text
    assert json.loads(records.text(good)) == good


# ---------------------------------------------------------------- brief records


def brief(moves):
    """The brief record of a match of *moves*, which may be under way."""
    game = QuayGame()  # of which no deal is known yet
    line = Mainline(game, Setup(), SECRET)
    for seat, action in moves:
        line.push(seat, action)
    end = result(game, line.table, line.withdrawn)
    return records.brief(game, Setup(), NAMES, SECRET, moves, line.table, end)


def test_a_brief_record_has_the_digest_of_the_last_table_and_replays(good):
    short = brief(played({1: 6}))
    assert short == {**good, "digests": good["digests"][-1:]}
    found, whole = replay(QUAY, short), replay(QUAY, good)
    assert (found.moves, found.result) == (whole.moves, whole.result)
    assert found.checked[3] == "the table at the end"
    assert whole.checked[3] == f"the table after each of the {len(whole.moves)} commands"


def test_another_last_table_of_a_brief_record_is_found(good):
    last = len(good["commands"])
    with pytest.raises(RecordDiffers, match=f"ply {last}: the table after"):
        replay(QUAY, {**brief(played({1: 6})), "digests": ["0" * 64]})
    with pytest.raises(RecordError, match="but 2 digests"):
        replay(QUAY, {**brief(played({1: 6})), "digests": good["digests"][-2:]})
    with pytest.raises(RecordError, match="but 0 digests"):
        replay(QUAY, {**brief(played({1: 6})), "digests": []})


def test_a_record_of_one_command_is_a_whole_one():
    only = [(0, RESIGN)]
    game = type(QUAY)()
    game.cooperative = True
    found = replay(game, write(game, Setup(), NAMES, SECRET, only))
    assert found.checked[3] == "the table after each of the 1 commands"


def test_the_last_table_is_always_compared(good):
    last = len(good["digests"])
    wrong = changed(good)
    wrong["digests"][-1] = "0" * 64
    with pytest.raises(RecordDiffers, match=f"ply {last}:"):
        deque(replaying(QUAY, wrong, every=last + 1), maxlen=0)


@pytest.mark.parametrize("plies", [0, 1, 5])
def test_a_match_that_was_saved_under_way_goes_on(plies):
    moves = played()[:plies]
    saved = records.save(QUAY, Setup(), NAMES, SECRET, moves)
    short = brief(moves)
    assert (saved["result"], short["result"]) == ({}, {})
    assert short["digests"] == saved["digests"][-1:]
    for record in (saved, short):
        assert resume(QUAY, record) == (Setup(), SECRET, moves)


# ---------------------------------------------------------------- records that are proved


def recorded(moves, game=QUAY, names=NAMES, setup=None):
    """The proved record of a match of *moves*, and the digests that were yielded."""
    steps = recording(game, setup or Setup(), names, SECRET, moves, "m1")
    digests = []
    while True:
        try:
            digests.append(next(steps))
        except StopIteration as end:
            return end.value, digests


def test_a_proved_record_is_the_one_that_is_written(good):
    found, digests = recorded(played({1: 6}))
    assert found == {**good, "match_id": "m1"}
    assert list(found) == list(records.written(QUAY, Setup(), NAMES, SECRET, [], [""], None, "m1"))
    assert digests == [good["start_digest"], *good["digests"]]


def moves_with_undone_answers(game: QuayGame) -> list[Any]:
    line = Mainline(game, Setup(), SECRET)
    moves: list[Any] = []
    for seat, action in played():
        undoable = line.undoable
        line.push(seat, action)
        moves.append((seat, action))
        if line.undoable > undoable:
            for again in ((seat, undo(1)), (seat, action)):
                line.push(*again)
                moves.append(again)
    assert sum(isinstance(action, MetaCommand) for _, action in moves) > 1
    return moves


def test_undone_answers_are_part_of_a_proved_record():
    game = QuayGame()
    moves = moves_with_undone_answers(game)
    found, _ = recorded(moves, game)
    assert found == {**write(game, Setup(), NAMES, SECRET, moves), "match_id": "m1"}


def test_a_command_that_was_not_legal_is_found_in_a_match_with_undone_answers():
    moves = moves_with_undone_answers(QUAY)
    with pytest.raises(RecordDiffers) as e:
        recorded([(moves[0][0], rules.Bid(99)), *moves[1:]])
    assert e.value.ply == 1


@pytest.mark.parametrize("wrong", [(0, rules.Bid(99)), (1, rules.Keep()), (0, undo(2))])
def test_a_command_that_was_not_legal_has_no_proved_record(wrong):
    moves = played()
    with pytest.raises(RecordDiffers) as e:
        recorded([moves[0], wrong, *moves[1:]])
    assert e.value.ply == 2


def test_a_match_that_is_not_over_or_goes_on_after_its_end_has_no_proved_record():
    moves = played()
    with pytest.raises(RecordDiffers, match="end before the match"):
        recorded(moves[:-1])
    with pytest.raises(RecordDiffers, match="was over before"):
        recorded([*moves, moves[-1]])


def test_what_cannot_be_read_back_as_it_was_given_has_no_proved_record():
    game = QuayGame()
    goods = [*game.labels["good"]]
    moves = played()
    found = []
    for other, name in product(range(len(goods)), goods):
        game.labels = {**game.labels, "good": [*goods[:other], name, *goods[other + 1 :]]}
        try:
            recorded(moves, game)
        except RecordDiffers as error:
            if "reads otherwise than it was given" in error.reason:
                found.append((max(other, goods.index(name)), error.ply))
    assert found
    named = [getattr(action, "good", None) for _, action in moves]
    assert all(named.index(good) == ply - 1 for good, ply in found)
    with pytest.raises(RecordError, match="printable"):
        recorded(moves, names=["Ann", "Bob", "C\x07d"])


class Shortened:
    """A setup that is read with a round less than it was written with."""

    def __init__(self, seats: int = 3, rounds: int = 5) -> None:
        self.seats = seats
        self.rounds = rounds - 1


@pytest.mark.skipif(COMPILED, reason="compiled code takes no stand-in of a setup")
def test_a_setup_that_reads_otherwise_than_it_was_given_has_no_proved_record():
    game = QuayGame()
    game.setup_kind = Shortened
    with pytest.raises(RecordDiffers, match="read otherwise") as e:
        recorded(played(), game, setup=Shortened())
    assert e.value.ply == 0
