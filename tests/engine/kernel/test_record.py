"""Records: how a match runs, is written down and replayed; nothing that was changed passes."""

import copy
import json
from collections import deque
from typing import Any

import pytest

from taflhall_engine.kernel import record as records
from taflhall_engine.kernel.agenda import Resigned, asked, options
from taflhall_engine.kernel.chance import FastChance, KeyedChance
from taflhall_engine.kernel.game import Result
from taflhall_engine.kernel.mainline import replay_states
from taflhall_engine.kernel.meta_commands import (
    NO_WITHDRAWALS,
    RESIGN,
    Withdrawals,
    answer,
    pending,
    resign,
    result,
)
from taflhall_engine.kernel.record import secret_digest, write
from taflhall_engine.kernel.replay import (
    OtherData,
    RecordDiffers,
    RecordError,
    RecordTooNew,
    game_of,
    replay,
    replaying,
)
from taflhall_engine.kernel.snapshot import digest
from tests.engine.toy import QUAY, Setup, rules

SECRET = bytes(range(32))
NAMES = ["Ann", "Bob", "Cid"]


def played(withdrawn=(), setup=None, secret=SECRET):
    """The moves of a random match in which ``withdrawn[seat]`` resigns at that ply."""
    setup = setup or Setup()
    rng = FastChance(3)
    s = QUAY.new(setup, KeyedChance(secret))
    moves: list[Any] = []
    left = NO_WITHDRAWALS
    while result(QUAY, s, left) is None:
        leaver = [seat for seat, ply in dict(withdrawn).items() if ply == len(moves)]
        if leaver:
            left = resign(QUAY, s, leaver[0], left)
            moves.append((leaver[0], RESIGN))
            continue
        seat = pending(QUAY, s, left)[0]
        choices = options(s, seat)
        command = choices[rng.below(len(choices))]
        answer(QUAY, s, seat, command, left)
        moves.append((seat, command))
    return moves


@pytest.fixture(scope="module")
def good():
    return write(QUAY, Setup(), NAMES, SECRET, played({1: 6}))


def test_a_record_replays(good):
    found = replay(QUAY, json.loads(json.dumps(good)))
    assert found.moves == played({1: 6})
    assert found.seats == NAMES
    assert found.secret == SECRET
    assert found.withdrawn == Withdrawals((1,))
    assert found.result.reasons[-1] == "resigned"
    assert digest(QUAY, found.table) == good["digests"][-1]
    assert len(found.checked) == 5


def test_a_record_says_everything_in_plain_words(good):
    assert game_of(good) == "quay"
    assert good["setup"] == {"seats": 3, "rounds": 5}
    assert good["secret_digest"] == secret_digest(SECRET)
    assert [1, "resign"] in good["commands"]
    assert len(good["commands"]) == len(good["digests"])


def test_positions_lead_through_a_match(good):
    moves = played({1: 6})
    seen = [
        (p.revision, digest(QUAY, p.table), len(p.events))
        for p in replay_states(QUAY, Setup(), SECRET, moves)
    ]
    assert [d for _, d, _ in seen] == [good["start_digest"], *good["digests"]]
    assert [r for r, _, _ in seen] == list(range(len(moves) + 1))
    assert seen[0][2] == 0
    assert all(events for _, _, events in seen[1:])


def test_an_unfinished_match_has_no_record():
    with pytest.raises(ValueError, match="is not over"):
        write(QUAY, Setup(), NAMES, SECRET, played()[:-1])


# ---------------------------------------------------------------- resigning


def test_a_seat_that_resigned_is_never_asked_again():
    moves = played({1: 6})
    assert all(seat != 1 for seat, command in moves[7:])
    assert moves[6] == (1, RESIGN)


def test_a_resignation_is_the_first_event():
    for position in replay_states(QUAY, Setup(), SECRET, played({1: 6})):
        if position.revision == 7:
            assert position.events[0] == Resigned("", 1)
            assert Resigned("", 1).seen_by(-1) == Resigned("", 1)


def test_a_seat_that_resigned_is_last_and_the_others_move_up():
    s = QUAY.new(Setup(), KeyedChance(SECRET))
    s.agenda.clear()
    s.round = s.rounds
    for seat, coins in enumerate((9, 20, 3)):
        s.players[seat].coins = coins
    full: Any = result(QUAY, s)
    assert full.places == [2, 1, 3]
    assert full.won == [False, True, False]
    less: Any = result(QUAY, s, Withdrawals((1,)))
    assert less.places == [1, 3, 2]
    assert less.won == [True, False, False]
    assert less.scores == full.scores
    assert less.reasons == [*full.reasons, "resigned"]
    last: Any = result(QUAY, s, Withdrawals((2,)))
    assert (last.places, last.won) == ([2, 1, 3], full.won)
    nobody: Any = result(QUAY, s, Withdrawals((2, 0, 1)))
    assert not any(nobody.won)


def test_the_last_one_left_has_won_at_once():
    moves = played({0: 3, 1: 4})
    assert len(moves) == 5
    found = replay(QUAY, write(QUAY, Setup(), NAMES, SECRET, moves))
    assert found.withdrawn.seats == (0, 1)
    assert found.result == Result([False, False, True], [3, 2, 1], [], ["resigned"])


def test_a_team_loses_at_once_when_one_resigns():
    game = type(QUAY)()
    game.cooperative = True
    s = QUAY.new(Setup(), KeyedChance(SECRET))
    before = digest(QUAY, s)
    assert pending(game, s) == asked(s) == [0, 1, 2]
    withdrawn = resign(game, s, 2)
    assert withdrawn == Withdrawals((2,))
    assert pending(game, s, withdrawn) == []
    assert result(game, s, withdrawn) == Result([False] * 3, [2] * 3, [], ["resigned"])
    assert digest(QUAY, s) == before


# ---------------------------------------------------------------- what does not pass


def changed(record, **fields):
    return {**copy.deepcopy(record), **fields}


@pytest.mark.parametrize(
    "record",
    [None, [], "x", 3, {}, {"format": "1"}, {"format": True}, {"format": 0}, {"format": 1}],
)
def test_invalid_records_are_refused(record):
    with pytest.raises(RecordError):
        replay(QUAY, record)


@pytest.mark.parametrize("name", sorted(records.write(QUAY, Setup(), NAMES, SECRET, played())))
def test_a_field_that_is_missing_or_of_another_kind_is_named(good, name):
    less = changed(good)
    del less[name]
    for wrong in (less, changed(good, **{name: None})):
        with pytest.raises(RecordError, match=name):
            replay(QUAY, wrong)


def test_a_field_that_no_record_has_is_refused(good):
    with pytest.raises(RecordError, match="no colour"):
        replay(QUAY, changed(good, colour="red"))


@pytest.mark.parametrize("name", [None, 3, ["Ann"], "\x1b[2JAnn", "Ann\nverified: Bo"])
def test_names_that_would_deceive_a_reader_are_refused(good, name):
    with pytest.raises(RecordError, match="printable names"):
        replay(QUAY, changed(good, seats=[name, *NAMES[1:]]))


def test_a_record_may_name_the_match_that_a_server_hosted(good):
    assert replay(QUAY, changed(good, match_id="m1")).moves == replay(QUAY, good).moves
    with pytest.raises(RecordError, match="match_id should be text"):
        replay(QUAY, changed(good, match_id=1))


def test_a_newer_record_is_refused_as_such(good):
    with pytest.raises(RecordTooNew, match="format 2 is newer than 1"):
        replay(QUAY, changed(good, format=2))
    with pytest.raises(RecordTooNew):
        replay(QUAY, changed(good, rules_version="99"))


def test_a_record_of_another_game_or_of_other_data_is_refused_as_such(good):
    with pytest.raises(RecordError, match="chess"):
        replay(QUAY, changed(good, game="chess"))
    with pytest.raises(OtherData) as e:
        replay(QUAY, changed(good, data_digest="0123456789abcdef" * 4))
    assert str(e.value) == (
        f"it was played with component data 0123456789ab, these are {good['data_digest'][:12]}"
    )


@pytest.mark.parametrize("secret", ["", "zz", "00" * 31])
def test_a_secret_that_is_none_is_refused(good, secret):
    with pytest.raises(RecordError, match="secret"):
        replay(QUAY, changed(good, secret=secret))


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": "11" * 32},
        {"secret": "11" * 32, "secret_digest": secret_digest(b"\x11" * 32)},
        {"secret_digest": "0" * 64},
        {"start_digest": "0" * 64},
        {"setup": {"seats": 3, "rounds": 6}},
        {"setup": {"seats": 9}},
        {"setup": {"seats": "many", "colour": 1}},
        {"seats": ["Ann", "Bob"]},
    ],
)
def test_what_was_changed_before_the_first_command_is_found(good, fields):
    with pytest.raises(RecordDiffers) as e:
        replay(QUAY, changed(good, **fields))
    assert e.value.ply == 0


@pytest.mark.parametrize("ply", [1, 5, 7, 12])
def test_the_first_digest_that_differs_is_named(good, ply):
    wrong = changed(good)
    wrong["digests"][ply - 1] = "0" * 64
    with pytest.raises(RecordDiffers, match=f"ply {ply}:") as e:
        replay(QUAY, wrong)
    assert e.value.ply == ply


def test_the_table_may_be_compared_after_some_commands_only(good):
    last = len(good["digests"])
    for ply, compared in ((1, False), (2, True), (3, False), (last, True)):
        wrong = changed(good)
        wrong["digests"][ply - 1] = "0" * 64
        if compared:
            with pytest.raises(RecordDiffers, match=f"ply {ply}:"):
                deque(replaying(QUAY, wrong, every=2), maxlen=0)
        else:
            deque(replaying(QUAY, wrong, every=2), maxlen=0)


@pytest.mark.parametrize(
    "entry",
    [
        [0, "bid coins=9"],
        [0, "bid coins=1,2"],
        [0, "bid coins=-5"],
        [0, "take_good good=amber"],
        [0, "round"],
        [0, "nonsense"],
        [0, ""],
        [9, "bid coins=0"],
        [-1, "bid coins=0"],
    ],
)
def test_the_first_command_that_is_illegal_is_named(good, entry):
    wrong = changed(good)
    wrong["commands"][0] = entry
    with pytest.raises(RecordDiffers) as e:
        replay(QUAY, wrong)
    assert e.value.ply == 1


def test_a_legal_command_that_was_not_given_is_found(good):
    wrong = changed(good)
    seat, text = wrong["commands"][0]
    other = "bid coins=1" if text != "bid coins=1" else "bid coins=2"
    wrong["commands"][0] = [seat, other]
    with pytest.raises(RecordDiffers, match=f"ply 1: the table after '{other}' of seat {seat} "):
        replay(QUAY, wrong)


@pytest.mark.parametrize("entry", [None, [], [0], ["0", "x"], [0, 1], "bid", {"seat": 0}])
def test_an_entry_of_another_form_is_refused(good, entry):
    wrong = changed(good)
    wrong["commands"][2] = entry
    with pytest.raises(RecordError, match="command 3"):
        replay(QUAY, wrong)


def test_what_is_found_in_the_place_of_a_command_is_shown_in_part(good):
    wrong = changed(good)
    wrong["commands"][2] = "x" * 100
    with pytest.raises(RecordError) as e:
        replay(QUAY, wrong)
    assert str(e.value) == f"command 3 should be [seat, text], found {'x' * 60}"


def test_a_digest_that_differs_is_shown_in_part(good):
    with pytest.raises(RecordDiffers) as e:
        replay(QUAY, changed(good, start_digest="0123456789abcdef" * 4))
    found = good["start_digest"][:16]
    assert e.value.reason == (
        f"the table as it was laid out has the digest {found}, the record says 0123456789abcdef"
    )


def test_two_digests_that_begin_alike_are_shown_whole(good):
    found = good["start_digest"]
    for said in (found[:-1], found[:-1] + ("0" if found[-1] != "0" else "1")):
        with pytest.raises(RecordDiffers) as e:
            replay(QUAY, changed(good, start_digest=said))
        assert e.value.reason == (
            f"the table as it was laid out has the digest {found}, the record says {said}"
        )


def test_nobody_resigns_twice_or_after_the_end(good):
    for at, ply in ((7, 8), (len(good["commands"]), len(good["commands"]) + 1)):
        wrong = changed(good)
        wrong["commands"].insert(at, [1, "resign"])
        wrong["digests"].insert(at, wrong["digests"][at - 1])
        with pytest.raises(RecordDiffers) as e:
            replay(QUAY, wrong)
        assert e.value.ply == ply


def test_a_record_that_was_cut_off_is_found(good):
    short = changed(good)
    short["commands"].pop()
    with pytest.raises(RecordError, match="digests"):
        replay(QUAY, short)
    short["digests"].pop()
    with pytest.raises(RecordDiffers, match="ends before the match does"):
        replay(QUAY, short)


def test_another_result_is_found(good):
    wrong = changed(good)
    wrong["result"]["won"] = [True, True, True]
    with pytest.raises(RecordDiffers, match="the match ended"):
        replay(QUAY, wrong)


def test_an_illegal_command_is_reported_with_its_rule(good):
    wrong = changed(good)
    wrong["commands"][0] = [0, "bid coins=9"]
    with pytest.raises(RecordDiffers, match=rules.TOO_DEAR.rule):
        replay(QUAY, wrong)
