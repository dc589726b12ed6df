"""A typed line as a wish."""

import pytest

from taflhall_client.terminal.play.typed import Typed, rule_number, understand


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("3", Typed("number", "3")),
        ("why 3", Typed("why", "3")),
        ("? 3", Typed("why", "3")),
        ("?", Typed("help")),
        ("warum helheim island=white", Typed("why", "helheim island=white")),
        ("rule cm-3.8", Typed("rule", "cm-3.8")),
        ("y", Typed("yes")),
        ("nein", Typed("no")),
        ("resign", Typed("resign")),
        ("helheim island=white", Typed("command", "helheim island=white")),
        ("\u0661", Typed("command", "\u0661")),
    ],
)
def test_a_line_is_understood(line, meant):
    assert understand(line) == meant


@pytest.mark.parametrize("text", ["CM-3.8", "cm-3.8", "cm 3.8", "3.8", "CM-3.8."])
def test_a_rule_is_found_by_any_spelling(text):
    assert rule_number(text, ["CM-3.8", "CM-3.80"]) == "CM-3.8"


def test_a_number_without_a_rule_is_not_found():
    assert rule_number("9.9", ["CM-3.8"]) == ""
