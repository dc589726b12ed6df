"""The types of each game for editors: all of its commands, views that say what they hold."""

from importlib import import_module
from typing import get_args

import pytest

from taflhall_client.bot import Decision
from taflhall_client.games import yggdrasil
from taflhall_engine import registry
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.vocabulary import commands_of

GAMES = list(registry.GAMES)


def view_of(name):
    game = registry.game(name)
    return game.view(game.new(game.setup_kind(seats=2), FastChance(0)), 0)


@pytest.mark.parametrize("name", GAMES)
def test_the_type_of_commands_has_every_command_of_the_game(name):
    module = import_module(f"taflhall_client.games.{name}")
    commands = set(commands_of(registry.game(name).types).values())
    assert set(get_args(module.Command)) == commands
    assert all(getattr(module, kind.__name__) is kind for kind in commands)
    assert set(module.__all__) >= {kind.__name__ for kind in commands}
    assert get_args(module.Decision) == (module.Command,)
    assert module.Decision.__origin__ is Decision


@pytest.mark.parametrize("name", GAMES)
def test_a_view_keeps_its_identity_and_is_refused_by_other_games(name):
    view = view_of(name)
    module = import_module(f"taflhall_client.games.{name}")
    assert module.typed(view) is view
    for other in set(GAMES) - {name}:
        with pytest.raises(TypeError, match=f"expected a view of taflhall_engine.{name}.view"):
            module.typed(view_of(other))


def test_values_show_their_fields_by_name():
    assert repr(yggdrasil.SendVikings(3)) == "SendVikings(vikings=3)"
    view = view_of("yggdrasil")
    assert repr(view).startswith("View(seat=0, public=PublicView(turn=")


@pytest.mark.parametrize("name", GAMES)
def test_the_vocabulary_lists_every_class_with_its_fields(taflhall, name):
    ran = taflhall("vocabulary", name)
    assert ran.status == 0
    for kind in commands_of(registry.game(name).types).values():
        assert any(line.startswith(f"  {kind.__name__}") for line in ran.lines)
    assert ran.lines.count("Views") == 1


def test_one_class_is_described_with_types_and_rule(taflhall):
    ran = taflhall("vocabulary", "yggdrasil", "SendVikings")
    assert ran.lines[0].startswith("  SendVikings  (YG-")
    assert taflhall("vocabulary", "yggdrasil", "Nonsense").status == 2
    assert "      deck: list[int]" in taflhall("vocabulary", "yggdrasil", "PublicView").lines
