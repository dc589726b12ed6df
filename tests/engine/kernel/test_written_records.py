"""Records of servers and tournaments: the named, the brief, and those of matches under way."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

import pytest

from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.drafts import Answer
from taflhall_engine.kernel.game import NpcResult, Result
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import RESIGN, result
from taflhall_engine.kernel.record import write
from taflhall_engine.kernel.replay import (
    RecordDiffers,
    RecordError,
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
