"""``taflhall cases``: what passes, what fails, and what is a failure too."""

import pytest

HEAD = 'game = "quay"\n'
PASSES = """
[[case]]
id = "Q-01"
title = "The higher bid takes the lot"
setup = { seats = 2, rounds = 1 }
luck = { draws = [[1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 0]], orders = [[0, 1]] }
play = ["0: bid coins=1", "1: bid coins=2"]
expect = { coins = [5, 3], asked = [1] }
"""
FAILS = PASSES.replace("Q-01", "Q-02").replace("[5, 3]", "[5, 4]")


def test_cases_that_pass(taflhall, quay, cases_file):
    ran = taflhall("cases", cases_file(HEAD + PASSES + PASSES))
    assert ran.status == 0
    assert ran.out == "2 passed, 0 failed\n"


def test_conformance_is_another_name_for_cases(taflhall, quay, cases_file):
    file = cases_file(HEAD + PASSES + FAILS)
    assert taflhall("conformance", file) == taflhall("cases", file)


def test_a_failure_says_what_was_expected_and_found(taflhall, quay, cases_file):
    ran = taflhall("cases", cases_file(HEAD + PASSES + FAILS + PASSES))
    assert ran.status == 1
    assert ran.lines == [
        "FAILED Q-02 The higher bid takes the lot",
        "    coins: expected [5, 4], found [5, 3]",
        "2 passed, 1 failed",
    ]


def test_several_files_make_one_sum(taflhall, quay, cases_file):
    first = cases_file(HEAD + PASSES, "first.toml")
    second = cases_file(HEAD + FAILS, "second.toml")
    assert taflhall("cases", first, second).lines[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + PASSES.replace("asked =", "ask ="), "unknown key expect.ask"),
        (HEAD + PASSES.replace("coins=2", "silver=2"), "NotationError"),
        (HEAD + "colour = 3\n" + PASSES, "unknown key colour"),
        (HEAD + "format_version = 9\n" + PASSES, "format_version 9"),
        (HEAD, "holds no [[case]]"),
        (HEAD + "case = 3", "holds no [[case]]"),
        (HEAD + "case = [1]", "holds no [[case]]"),
        ('game = "chess"\n' + PASSES, "unknown game 'chess'"),
        ("game = [", "cannot be read"),
        (PASSES.replace("Q-01", "X-01"), "names no game"),
    ],
)
def test_a_case_that_cannot_be_run_is_a_failure(taflhall, quay, cases_file, text, says):
    ran = taflhall("cases", cases_file(text))
    assert ran.status == 1
    assert says in ran.out
    assert ran.lines[-1].endswith("1 failed")
    assert not ran.err


def test_a_missing_or_binary_file_is_a_failure(taflhall, quay, tmp_path, cases_file):
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    ran = taflhall("cases", tmp_path / "nothing.toml", binary, cases_file(HEAD + PASSES))
    assert ran.status == 1
    assert ran.lines[-1] == "1 passed, 2 failed"


def test_a_file_may_name_its_game_by_the_numbers_of_its_rules(taflhall, quay, cases_file):
    meta = '[meta]\ngame = "quay"\n'
    for text in (PASSES, meta + PASSES):
        assert taflhall("cases", cases_file(text)).out == "1 passed, 0 failed\n"
