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
        ("nonsense", "'nonsense' is no command"),
        ("99", "there is no option 99"),
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
    ran = taflhall(*HERE, typed=("resign",))
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


def test_a_game_without_secrets_needs_no_handing_over(taflhall):
    ran = taflhall("play", "--local", "yggdrasil", "--seats", "2", "--seat", "0", "--seat", "1")
    assert ran.status == 0
    assert "press Enter" not in ran.out
