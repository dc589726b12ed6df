"""Conformance cases: read from TOML, run by the game, no key skipped."""

import pytest

from taflhall_engine.conformance.cases import CaseError, Keys, differ, read_cases, run_cases
from tests.engine.toy import QUAY

FILE = """
game = "quay"

[[case]]
id = "Q-01"
title = "The higher bid takes the lot"
rules = ["Q-2.3"]
setup = { seats = 2, rounds = 1 }
luck = { draws = [[1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 0]], orders = [[0, 1]] }
play = ["0: bid coins=1", "1: bid coins=2"]
expect = { coins = [5, 3], asked = [1], pending = "choose_good seat=1" }

[[case]]
id = "Q-02"
title = "Nobody bids more than they have"
setup = { seats = 2 }
luck = { draws = [[1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 0]] }
play = ["0: bid coins=6"]
expect = { refusal = "too_dear", asked = [0, 1] }
"""


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "cases.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def run(file, text):
    game, cases = read_cases(file(text))
    assert game == "quay"
    return list(run_cases(QUAY, cases))


def test_cases_pass(file):
    outcomes = run(file, FILE)
    assert [(o.case, o.differences) for o in outcomes] == [("Q-01", []), ("Q-02", [])]
    assert outcomes[0].title == "The higher bid takes the lot"


def test_a_difference_says_what_was_expected_and_found(file):
    [first, _] = run(file, FILE.replace("coins = [5, 3]", "coins = [5, 4]"))
    assert first.differences == ["coins: expected [5, 4], found [5, 3]"]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('rules = ["Q-2.3"]', 'rule = ["Q-2.3"]', "case.rule"),
        ("orders = [[0, 1]]", "order = [[0, 1]]", "luck.order"),
        ("asked = [1]", "ask = [1]", "expect.ask"),
    ],
)
def test_an_unknown_key_is_a_failure(file, old, new, place):
    [first, second] = run(file, FILE.replace(old, new))
    assert first.differences == [f"cannot be run: CaseError: unknown key {place}"]
    assert not second.differences


def test_a_case_that_cannot_be_run_does_not_stop_the_others(file):
    [first, second] = run(file, FILE.replace("1: bid coins=2", "1: bid silver=2"))
    assert "cannot be run: NotationError" in first.differences[0]
    assert not second.differences


def test_luck_that_is_missing_is_a_failure(file):
    [first, _] = run(file, FILE.replace(", [1, 0, 1, 0]], orders", "], orders"))
    assert "ChanceExhausted" in first.differences[0]


@pytest.mark.parametrize(
    "text", ["", 'game = "quay"', "[[case]]\nid = 1", "game = 3\n[[case]]", "game = ", "case = 3"]
)
def test_a_file_without_cases_is_an_error(file, text):
    with pytest.raises(CaseError):
        read_cases(file(text))


def test_a_file_that_is_no_text_is_an_error(tmp_path):
    path = tmp_path / "cases.toml"
    with pytest.raises(CaseError, match=r"cases\.toml"):
        read_cases(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CaseError, match=r"cases\.toml"):
        read_cases(path)


def test_a_missing_key_is_an_error():
    keys = Keys("given", {"deck": []})
    assert keys.need("deck") == []
    with pytest.raises(CaseError, match="given lacks 'dice'"):
        keys.need("dice")


def test_keys_know_what_nobody_read():
    keys = Keys("given", {"deck": [], "dice": [], "bag": 1})
    assert "dice" in keys
    assert "coins" not in keys
    assert keys.take("coins", 7) == 7
    assert keys.take("deck") == []
    assert keys.unread() == ["given.dice", "given.bag"]
    with pytest.raises(CaseError, match=r"unknown key given\.dice, given\.bag"):
        keys.finish()
    keys.take("dice")
    keys.take("bag")
    keys.finish()


def test_keys_of_what_is_no_table_are_an_error():
    with pytest.raises(CaseError, match="given should be a table"):
        Keys("given", [1])  # type: ignore[arg-type]


def test_equal_values_do_not_differ():
    assert differ("coins", [1], [1]) == []
    assert differ("coins", 1, 2) == ["coins: expected 1, found 2"]
