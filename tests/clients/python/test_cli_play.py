"""``taflhall play --local``: a person at the terminal against bots."""

import pytest

HERE = ("play", "--local", "quay", "--bot", "random")


def test_options_are_numbered_and_a_number_takes_one(taflhall, quay):
    ran = taflhall(*HERE, typed=("3",))
    assert ran.status == 0
    assert "1 bid 0 coins" in ran.out
    assert "you (0): bid 2 coins  (Q-2.2)" in ran.out
    assert "you (0) decides, rule Q-2.2: " in ran.out
    assert "bot 1 has decided" in ran.out
    assert ran.lines[-1].endswith("you have left the table")


def test_a_command_may_be_typed(taflhall, quay):
    assert "you (0): bid 4 coins" in taflhall(*HERE, typed=("bid coins=4",)).out


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("bid coins=9", "not allowed, rule Q-2.2: you have fewer coins"),
        ("why bid coins=9", "not allowed, rule Q-2.2: you have fewer coins"),
        ("why bid coins=3", "that is allowed"),
        ("nonsense", "'nonsense' is not a command"),
        ("99", "there is no option 99"),
        ("\u0661", "'\u0661' is not a command"),
        ("?", "take that option"),
        ("rule Q-3", "points"),
        ("rule Q-99", "there is no rule Q-99"),
    ],
)
def test_everything_is_explained(taflhall, quay, typed, says):
    ran = taflhall(*HERE, typed=(typed,))
    assert says in ran.out
    assert "you (0): bid" not in ran.out


def test_a_refusal_quotes_the_rule(taflhall, quay):
    ran = taflhall(*HERE, typed=("bid coins=9",))
    assert f"the rule says: {quay.rulebook.text('Q-2.2')}" in ran.out
    german = taflhall(*HERE, "--language", "de", typed=("bid coins=9",))
    assert "nicht erlaubt, Regel Q-2.2: du hast weniger Münzen" in german.out
    assert quay.rulebook.text("Q-2.2", "de") in german.out


def test_table_and_options_are_shown_again(taflhall, quay):
    ran = taflhall(*HERE, typed=("t", "o", "q"))
    assert ran.out.count("sealed_bids") == 2
    assert ran.out.count("1 bid 0 coins") == 2


def test_a_person_may_resign(taflhall, quay):
    ran = taflhall(*HERE, typed=("resign", "yes"))
    assert ran.status == 0
    assert "you (0) resigns" in ran.out
    assert "you (0) loses (rank 3" in ran.out
    assert "resigned" in ran.lines[-1]


def test_a_whole_match_can_be_played(taflhall, quay):
    ran = taflhall(*HERE, "--setup", "rounds=2", "--seats", "2", typed=("1",) * 50)
    assert ran.status == 0
    assert "wins (rank 1" in ran.out
    assert ran.lines[-1] == "reason: the last round is over"


def test_two_people_share_a_screen_without_seeing_each_others_secrets(taflhall, quay):
    ran = taflhall(*HERE, "--seat", "0", "--seat", "1", typed=("", "3", "", "2", ""))
    assert "you (0), press Enter when only you look" in ran.out
    assert "you (1), press Enter when only you look" in ran.out
    assert "you (0) has decided" in ran.out
    assert "bid 2 coins  (Q-2.2)" not in ran.out


def test_a_game_without_secrets_never_asks_players_to_swap(taflhall):
    ran = taflhall("play", "--local", "yggdrasil", "--seats", "2", "--seat", "0", "--seat", "1")
    assert ran.status == 0
    assert "press Enter" not in ran.out


# ---------------------------------------------------------------- as at a hosted table


def test_a_person_may_abandon_a_local_match(taflhall, quay):
    ran = taflhall(*HERE, typed=("abandon",))
    assert ran.status == 0
    assert "The match is abandoned" in ran.out


def test_a_bot_may_play_on_for_the_person(taflhall, quay):
    ran = taflhall(*HERE, typed=("bot random",))
    assert ran.status == 0
    assert "plays for you; Ctrl-C takes the seat back" in ran.out
    assert "reason: " in ran.lines[-1]


def test_ctrl_c_takes_the_seat_back_from_the_bot(taflhall, quay, tmp_path, monkeypatch):
    (tmp_path / "pressing.py").write_text(PRESSES_CTRL_C, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ran = taflhall(*HERE, typed=("bot pressing:Presses", "q"))
    assert ran.status == 0
    assert "you play again yourself" in ran.out
    assert ran.lines[-1].endswith("you have left the table")


PRESSES_CTRL_C = """
import os, signal

class Presses:
    def __init__(self, game, seed=0):
        pass

    def choose(self, view, decision):
        os.kill(os.getpid(), signal.SIGINT)
        return decision.options[0]
"""


def test_an_unknown_bot_is_named_and_the_person_plays_on(taflhall, quay):
    ran = taflhall(*HERE, typed=("bot nobody", "q"))
    assert "a bot is random, heuristic, search or module:Class" in ran.out
    assert ran.status == 0


def test_the_same_seed_gives_the_same_match(taflhall, quay, tmp_path):
    records: list[str] = []
    for seed in (5, 5, 6):
        file = tmp_path / f"{len(records)}.json"
        taflhall(*HERE, "--seed", seed, "--out", file, typed=("bot random",))
        records.append(file.read_text("utf-8"))
    assert records[0] == records[1] != records[2]


def test_the_record_of_a_local_match_is_verified(taflhall, quay, tmp_path):
    file = tmp_path / "record.json"
    ran = taflhall(*HERE, "--out", file, typed=("bid coins=1", "bot random"))
    assert ran.lines[-1] == f"written to {file}"
    assert taflhall("verify", file).lines[-1].startswith("verified: Quay")


def test_a_saved_match_resumes_where_it_was(taflhall, quay, tmp_path):
    file = tmp_path / "saved.json"
    first = taflhall(*HERE, "--seed", "3", typed=("bid coins=1", f"save {file}", "q"))
    assert f"to continue later: taflhall play --resume {file}" in first.out
    again = taflhall("play", "--resume", file, "--bot", "random", typed=("q",))
    assert again.status == 0
    assert "you (0) decides" in again.out
    shown = [line for line in first.lines if "decides" in line]
    assert shown[-1] in again.lines
    out = tmp_path / "record.json"
    taflhall("play", "--resume", file, "--bot", "random", "--out", out, typed=("bot random",))
    assert '[0, "bid coins=1"]' in out.read_text("utf-8")
    assert taflhall("verify", out).status == 0


def test_a_match_saved_before_its_end_is_not_a_record(taflhall, quay, tmp_path):
    file = tmp_path / "saved.json"
    taflhall(*HERE, typed=(f"save {file}", "q"))
    ran = taflhall("verify", file)
    assert ran.status == 1
    assert "the record ends before the match does" in ran.out
