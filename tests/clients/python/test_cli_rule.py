"""``taflhall rule``: every number is found, however it is spelled and wherever it is named."""

from pathlib import Path

import pytest

from taflhall_client.rule_index import RuleIndex, checkout_folder, find_rule
from taflhall_engine import registry
from taflhall_engine.kernel import COMPILED

ROOT = Path(__file__).parents[3]
GAMES = list(registry.GAMES)


@pytest.mark.skipif(COMPILED, reason="the sources are read")
@pytest.mark.parametrize("name", GAMES)
def test_every_rule_is_found_in_code_tests_or_cases_or_says_why_it_has_none(name):
    game = registry.game(name)
    index = RuleIndex(game, ROOT)
    lost = []
    for number, rule in game.rulebook.rules.items():
        found = index.find(number)
        assert found is not None
        assert found.rule == rule
        if not (found.code or found.tests or found.cases or rule.nothing_to_do):
            lost.append(number)
    assert lost == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("YG-7.2 Midgard", {"YG-7.2"}),
        ("YG-7.2, 7.3 and 7.5", {"YG-7.2", "YG-7.3", "YG-7.5"}),
        ("YG-8.2 to 8.5", {"YG-8.2", "YG-8.3", "YG-8.4", "YG-8.5"}),
        ("YG-8.2-8.3", {"YG-8.2", "YG-8.3"}),
        ("YG-13.1, YG-14.6", {"YG-13.1", "YG-14.6"}),
        ("def test_8_2_vikings_are_spent_before_the_die_is_rolled():", {"YG-8.2"}),
        ("YG-7.22 and YG-99", set()),
        ("def test_2_players_can_play():", set()),
    ],
)
def test_ranges_and_names_of_tests_name_rules(text, numbers):
    assert RuleIndex(registry.game("yggdrasil")).cited(text) == numbers


@pytest.mark.parametrize("spelling", ["CM-3.8", "cm-3.8", "CM 3.8", "cm3.8"])
def test_any_spelling_is_understood(spelling):
    [found] = find_rule(spelling)
    assert found.rule.number == "CM-3.8"


def test_a_rule_that_follows_from_others_is_said_to_have_no_code(taflhall):
    ran = taflhall("rule", "CM-6.7")
    assert ran.lines[1] == "  no code of its own: it follows from other rules, as these show"
    assert any("/cases/" in line for line in ran.lines[2:])


def test_the_command_says_sentence_file_line_and_cases(taflhall):
    ran = taflhall("rule", "yg-8.6")
    assert ran.status == 0
    sentence = registry.game("yggdrasil").rulebook.text("YG-8.6")
    assert ran.lines[0] == f"YG-8.6  {sentence}"
    assert any(
        line.startswith("  engine/taflhall_engine/yggdrasil/rules/battle.py:") for line in ran.lines
    )
    assert any(line.endswith("  case YG-B01") for line in ran.lines)


def test_the_sentence_is_printed_in_german(taflhall):
    sentence = registry.game("champions").rulebook.text("CM-3.8", "de")
    assert taflhall("rule", "CM-3.8", "--language", "de").lines[0] == f"CM-3.8  {sentence}"


def test_a_number_that_two_games_have_is_found_in_both_and_the_games_are_named(taflhall):
    heads = [line for line in taflhall("rule", "A-03").lines if line.startswith("A-03")]
    having = [name for name in GAMES if "A-03" in registry.game(name).rulebook.rules]
    assert [head.partition("  ")[0] for head in heads] == [f"A-03 ({name})" for name in having]


def test_an_unknown_number_is_a_usage_error(taflhall):
    ran = taflhall("rule", "YG-99.9")
    assert (ran.status, ran.err) == (2, "taflhall: no game has a rule YG-99.9\n")


def test_the_checkout_is_found():
    assert checkout_folder() == ROOT
