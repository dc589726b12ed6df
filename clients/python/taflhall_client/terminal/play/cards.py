"""Component cards: what is printed on the things that an offer is about, and their rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import Value, field_names
from taflhall_wire.texts import Texts


@dataclass(frozen=True, slots=True)
class Card:
    """A component for people: its name, its values in words, and the rules about it."""

    name: str
    text: str
    """What is printed on it; empty if its rules say it all."""
    rules: list[tuple[str, str]]
    """The numbers and texts of the rules about it, the most telling one first."""


def card_of(texts: Texts, component: Component) -> Card:
    """Return the card of a component."""
    rules = [(number, texts.rule(number)) for number in texts.card_rules(component)]
    return Card(texts.component(component), texts.card(component), rules)


def cards_of(texts: Texts, value: Value, view: View | None) -> list[Card]:
    """Return the cards of the components that *value* names, each once."""
    found: dict[tuple[str, str], Component] = {}
    named = {name: getattr(value, name) for name in field_names(type(value))}
    for field, number in {**named, **texts.game.details(value, view)}.items():
        for component in _components(texts.game, field, number):
            found.setdefault((component.kind, component.id), component)
    cards = [card_of(texts, component) for component in found.values()]
    return [card for card in cards if card.text or card.rules]


def find(texts: Texts, name: str) -> list[Card]:
    """Return the cards of the components that are called *name*, or whose names begin so."""
    wanted = name.casefold()
    known = [(texts.component(component).casefold(), component) for component in texts.game.catalog]
    exact = [component for called, component in known if called == wanted]
    begin = [component for called, component in known if called.startswith(wanted)]
    cards = [card_of(texts, component) for component in exact or begin]
    return [card for card in cards if card.text or card.rules]


def _components(game: Game, field: str, value: Any) -> Iterable[Component]:
    if isinstance(value, Component):
        return [value]
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return []
    ids = game.labels.get(field)
    if ids is None:
        return [c for c in game.catalog if c.kind == field and c.number == value]
    if value >= len(ids):
        return []
    one = ids[value]
    same = {one, one.rpartition("-")[0]}
    return [c for c in game.catalog if c.id in same and (c.kind == field or _only(game, c))]


def _only(game: Game, component: Component) -> bool:
    """Return whether no component of another kind has the same id."""
    return sum(other.id == component.id for other in game.catalog) == 1
