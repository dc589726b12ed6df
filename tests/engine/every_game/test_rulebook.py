"""Rule numbers: those that the engine cites are in the rulebook, in both languages."""

import pytest

from taflhall_engine.kernel import COMPILED
from taflhall_engine.kernel.agenda import Command, Step
from tests.engine.every_game import setups, walk


def test_every_command_and_step_cites_a_rule(name):
    game = setups.game(name)
    silent = {
        kind.__name__: kind.RULE
        for kind in game.types.values()
        if issubclass(kind, Command | Step) and kind.RULE not in game.rulebook.rules
    }
    assert not silent


@pytest.mark.skipif(COMPILED, reason="docstrings are not compiled")
def test_a_docstring_begins_with_the_number_of_the_rule(name):
    game = setups.game(name)
    other = {
        kind.__name__: (kind.RULE, (kind.__doc__ or "").split("\n")[0])
        for kind in game.types.values()
        if issubclass(kind, Command | Step)
        and (kind.__doc__ or "").replace(":", " ").replace(",", " ").split()[:1] != [kind.RULE]
    }
    assert not other


def test_every_event_cites_a_rule(name):
    def law(p):
        for event in p.events:
            assert event.fields()[0] in p.game.rulebook.rules, event

    walk.hold(name, law, rounds=3)


def test_every_rule_has_an_english_and_a_german_text(name):
    rules = setups.game(name).rulebook.rules
    assert len(rules) > 5
    for rule in rules.values():
        assert set(rule.texts) == {"en", "de"}
        assert all(text.strip() for text in rule.texts.values())
        assert rule.texts["en"] != rule.texts["de"]


def test_every_component_has_names_and_a_provenance(name):
    game = setups.game(name)
    assert game.catalog
    for component in game.catalog:
        assert component.id
        assert all(component.names.values())
    assert len(game.data_digest) == 64
