"""Arguments of a pattern: the fields of a value, as numbers or as the names that they denote.

A number with a name is an argument with two faces: a pattern selects by its id
(``{ $rune -> [none] ... }``) and shows its name (``{ $rune }``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from babel import Locale
from fluent.runtime.types import FluentInt, FluentType

from taflhall_engine.kernel.components import Component, by_kind
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.value import Value, field_names
from taflhall_wire.texts.localization import Localization, name_of

MAX_TEXT: Final = 2000
"""Fluent refuses arguments that are much longer."""

NONE: Final = "none"
"""The id of no card, no seat, an empty list."""

Convert = Callable[[Any], Any]


class Named(FluentType):
    """An id that is shown by its name."""

    __slots__ = ("id", "name")

    def __init__(self, id: str, name: str) -> None:
        self.id: Final = id
        self.name: Final = name

    def __eq__(self, other: object) -> bool:
        """Return whether a variant's key, or another name, is that of this id."""
        return (other.id if isinstance(other, Named) else other) == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def format(self, locale: Locale) -> str:
        return self.name


class Count(FluentInt):
    """A number that chooses the plural form, and is shown in plain digits."""

    def format(self, locale: Locale) -> str:
        return str(int(self))


@lru_cache(1024)
def count(number: int) -> Count:
    """Return *number* as an argument."""
    return Count(number)


class Arguments:
    """Turns values of one game into arguments, with names in one language."""

    def __init__(self, game: Game, localization: Localization, seats: Sequence[str]) -> None:
        self._game: Final = game
        self._localization: Final = localization
        self._seats: Final = seats
        self._plans: Final[dict[type, list[tuple[str, Convert]]]] = {}
        self._groups: Final[dict[type, list[tuple[str, list[str]]]]] = {}
        self._converters: Final[dict[str, Convert]] = {}
        self._none: Final = Named(NONE, localization.format("none", {}))
        self._nothing: Final = Named(NONE, localization.format("nothing", {}))
        self._truth: Final = [Named(word, localization.format(word, {})) for word in ("no", "yes")]
        self._names: Final[dict[str, list[Named]]] = {}

    def of(self, value: Value, details: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of *value* and what *details* adds to them."""
        kind = type(value)
        plan = self._plans.get(kind)
        if plan is None:
            plan = self._plan(kind)
        arguments = {name: convert(getattr(value, name)) for name, convert in plan}
        for group, fields in self._groups[kind]:
            amounts = {field: getattr(value, field) for field in fields}
            arguments[group] = self.amounts(amounts)
            arguments[f"{group}_lost"] = self.amounts({k: -n for k, n in amounts.items()})
        for name, detail in details.items():
            arguments[name] = self.one(name, detail)
        return arguments

    def one(self, name: str, value: Any) -> Any:
        """Return *value* as an argument called *name*."""
        return self._converter(name)(value)

    def names(self, field: str) -> list[Named]:
        """Return the names that *field* counts; raise ``KeyError`` if it holds mere numbers."""
        names = self._names.get(field)
        if names is None:
            names = self._names[field] = self._find(field)
        return names

    def seat(self, seat: int | None) -> Named:
        """Return the player at *seat*."""
        if seat is None or seat < 0:
            return self._none
        if seat < len(self._seats) and self._seats[seat]:
            return Named(str(seat), self._seats[seat])
        return Named(str(seat), self._localization.format("seat", {"number": count(seat)}))

    def text(self, text: str) -> Named:
        """Return *text*, cut to :data:`MAX_TEXT` characters; none if it is empty."""
        shown = text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
        return Named(text, shown) if text else self._none

    def amounts(self, counts: Mapping[str, int]) -> Named:
        """Return the positive ones of *counts* as a list in words."""
        found = [
            self._localization.format(f"amount.{name}", {"count": count(n)})
            for name, n in counts.items()
            if n > 0
        ]
        return Named("some", ", ".join(found)) if found else self._nothing

    def printed(self, component: Component) -> dict[str, Any]:
        """Return what is printed on *component* as arguments, by property.

        What only others of its kind have is none.
        """
        kind = by_kind(self._game.catalog)[component.kind]
        found: dict[str, Any] = {name: self._none for one in kind for name in one.properties}
        return found | {n: self._printed(n, text) for n, text in component.properties.items()}

    def _printed(self, name: str, text: str) -> Any:
        """Return a number, an amount of things, one id or several ids with their names."""
        if text.lstrip("-").isdigit():
            return count(int(text))
        words = text.split(", ") if text else []
        pairs = [word.partition("=") for word in words]
        if pairs and all(number.isdigit() for _, _, number in pairs):
            names = self._localization.file.names
            return self.amounts({names.get(kind, kind): int(n) for kind, _, n in pairs})
        shown = ", ".join([self._name_of_id(name, word) for word in words])
        return Named(text, shown) if words else self._none

    def _name_of_id(self, kind: str, id: str) -> str:
        """Return the name of the component *id*, if there are several of *kind*, else the id."""
        found = [component for component in self._game.catalog if component.id == id]
        found.sort(key=lambda component: component.kind != kind)
        return name_of(found[0], self._localization.languages) if found else id

    def _plan(self, kind: type) -> list[tuple[str, Convert]]:
        fields = [name for name in field_names(kind) if name != "rule"]
        plan = self._plans[kind] = [(name, self._converter(name)) for name in fields]
        self._groups[kind] = [
            (group, parts)
            for group, parts in self._localization.file.amounts.items()
            if all(part in fields for part in parts)
        ]
        return plan

    def _converter(self, field: str) -> Convert:
        convert = self._converters.get(field)
        if convert is None:
            vocabulary = self._localization.file.names.get(field, field)
            convert = self.seat if vocabulary == "seat" else self._by_name(field)
            convert = self._converters[field] = self._whole(convert)
        return convert

    def _whole(self, convert: Convert) -> Convert:
        """Return *convert* made fit for lists, amounts, components, text and nothing at all."""

        def whole(value: Any) -> Any:
            if isinstance(value, bool):
                return self._truth[value]
            if isinstance(value, int):
                return convert(value)
            if isinstance(value, list):
                return self._listed([whole(one) for one in value])
            if isinstance(value, dict):
                return self.amounts(value)
            if isinstance(value, Component):
                return Named(value.id, name_of(value, self._localization.languages))
            return self._none if value is None else self.text(value)

        return whole

    def _by_name(self, field: str) -> Convert:
        try:
            names = self.names(field)
        except KeyError:
            return count
        none = self._none
        return lambda value: names[value] if 0 <= value < len(names) else none

    def _listed(self, items: list[Any]) -> Named:
        if not items:
            return self._none
        shown = [item.name if isinstance(item, Named) else str(int(item)) for item in items]
        return Named("some", ", ".join(shown))

    def _find(self, field: str) -> list[Named]:
        """Return the names of *field*: those of labels or, where a label has no text, components.

        A field that the game counts without labels bears the name of a kind of components.
        """
        vocabulary = self._localization.file.names.get(field, field)
        kinds = by_kind(self._game.catalog)
        languages = self._localization.languages
        labels = self._game.labels
        ids = labels.get(field) or labels.get(vocabulary)
        if ids is None:
            return [Named(c.id, name_of(c, languages)) for c in kinds[vocabulary]]
        if vocabulary == field:
            vocabulary = next(name for name, known in labels.items() if known == ids)
        known = {one.rpartition("-")[0] or one for one in ids}
        best = max(kinds, key=lambda kind: len({c.id for c in kinds[kind]} & known))
        own = kinds.get(vocabulary, kinds[best])
        by_id = {component.id: name_of(component, languages) for component in own}
        return [Named(one, self._label(vocabulary, one, by_id)) for one in ids]

    def _label(self, vocabulary: str, id: str, names: Mapping[str, str]) -> str:
        """Return the text of a label; copies of one component are numbered: ``crab-2``."""
        for key in (f"label.{vocabulary}.{id}", f"{vocabulary}.{id}"):
            if key in self._localization:
                return self._localization.format(key, {})
        one, _, number = id.rpartition("-")
        return f"{names[one]} {number}" if one in names else names.get(id, id)
