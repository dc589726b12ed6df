"""The health report sees what is odd."""

from taflhall_engine.kernel.chance import FastChance
from tests.benchmarks import champions_dice, health
from tests.engine.toy import QuayGame


def test_matches_ends_and_scores_are_counted():
    seen = health.whole("quay", 30, 1, 0, 1)
    assert seen.matches == sum(seen.played.values()) == 30
    assert seen.wrong_count == 0
    text = "\n".join(health.report("quay", seen, 1.0))
    assert "30 random matches" in text
    assert "exceptions and broken invariants: 0" in text
    assert "seats, scores: least" in text


def test_broken_invariants_and_exceptions_are_reported(monkeypatch):
    monkeypatch.setattr(QuayGame, "faults", lambda self, s: ["a coin is missing"])
    seen = health.whole("quay", 2, 1, 0, 1)
    assert any("a coin is missing" in line for line in seen.wrong)
    monkeypatch.setattr(QuayGame, "faults", lambda self, s: 1 // 0)
    seen = health.whole("quay", 2, 1, 0, 1)
    assert seen.wrong_count == 2
    assert "ZeroDivisionError" in seen.wrong[0]


def test_chi_square_knows_true_dice_from_loaded_ones():
    true = champions_dice.chi_square([500, 168, 166, 166], [500, 1000 / 6, 1000 / 6, 1000 / 6])
    loaded = champions_dice.chi_square([600, 130, 135, 135], [500, 1000 / 6, 1000 / 6, 1000 / 6])
    assert champions_dice.tail(true, 3) > 0.9
    assert champions_dice.tail(loaded, 3) < 0.001


def test_a_match_of_one_seat_is_not_one_chain_of_decisions():
    seen = health.Health()
    setup = {"seats": 1}
    health.match(seen, "yggdrasil", 3, setup, FastChance(3), 1000)
    assert 3 <= seen.chain[0] < seen.plies[0] / 2
