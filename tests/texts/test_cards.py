"""Each component has a card: what is printed on it in words, and the rules about it."""

from __future__ import annotations

import pytest

from taflhall_engine import registry
from taflhall_engine.kernel.components import Component
from taflhall_wire.texts import Texts
from taflhall_wire.texts.localization import text_file


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", registry.GAMES)
def test_each_component_has_a_card_with_rules_that_exist(name: str, language: str) -> None:
    game = registry.game(name)
    texts = Texts(game, language, strict=True)
    for component in game.catalog:
        rules = texts.card_rules(component)
        assert rules, component
        assert all(texts.rule(number) for number in rules), component
        shown = texts.card(component)
        assert not set("_{=") & set(shown), shown


@pytest.mark.parametrize(
    ("game", "component", "language", "card"),
    [
        ("champions", "sellsword_tent", "en", "Pay 1 coin, gain 2 swordsmen."),
        ("champions", "woodcutter", "de", "2 Holz ohne Zahlung erhalten."),
        ("champions", "troll_04", "en", "Damage 1, defence 3; reward: 3 glory; banned: Axeman."),
        ("champions", "prepared", "de", "Am meisten Nahrung: 5 Ruhm; bei Gleichstand 2."),
        ("yggdrasil", "bergelmir", "en", "While it is active: blocks Helheim. Rune: Sigel."),
        ("ice_garden", "attack", "en", "Price: 2 M-factor, 1 gold."),
        ("ice_garden", "crab", "de", "Stufe 1; 3 Figuren; aufgedruckt: Angriff; freie Felder: 2."),
    ],
)
def test_a_card_says_what_is_printed(game: str, component: str, language: str, card: str) -> None:
    assert Texts(registry.game(game), language).card(found(game, component)) == card


def test_every_text_of_a_card_is_that_of_a_component() -> None:
    for name in registry.GAMES:
        game = registry.game(name)
        cards = {key for key in text_file(game).patterns if key.startswith("card.")}
        assert cards <= {f"card.{component.kind}" for component in game.catalog}


def found(game: str, component: str) -> Component:
    return next(one for one in registry.game(game).catalog if one.id == component)
