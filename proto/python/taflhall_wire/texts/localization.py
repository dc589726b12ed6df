"""The messages of a file of texts in one language, compiled when they are first needed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.resolver import CurrentEnvironment, Pattern, ResolverEnvironment
from fluent.syntax import ast

from taflhall_engine.kernel.components import Component
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.texts import DEFAULT_LANGUAGE, KERNEL, TextFile, read_texts

SHARED: Final = "part."
"""Messages with keys that begin like this may be used in others: ``{ part-goods }``."""


class MissingArgument(ValueError):
    """A pattern asks for something that it was not given."""


class Localization:
    """Formats the messages of *file* in *language* or, where that lacks one, in English.

    The names of the components in *catalog* may be used in them.
    """

    def __init__(self, file: TextFile, language: str, catalog: Sequence[Component] = ()) -> None:
        self.file: Final = file
        self.languages: Final = list(dict.fromkeys([language, DEFAULT_LANGUAGE]))
        self._patterns: Final[dict[str, tuple[FluentBundle, Pattern]]] = {}
        self._bundles: Final = {tag: _bundle(catalog, file.patterns, tag) for tag in self.languages}

    def __contains__(self, key: str) -> bool:
        return key in self.file.patterns

    def format(self, key: str, arguments: Mapping[str, Any], *, strict: bool = False) -> str:
        """Return the text of *key*; raise ``KeyError`` if no language has it.

        An argument that is missing is replaced by its name or, if *strict*, raises
        :exc:`MissingArgument`.
        """
        found = self._patterns.get(key)
        if found is None:
            found = self._patterns[key] = self._compiled(key)
        bundle, pattern = found
        errors: list[Exception] = []
        environment = ResolverEnvironment(
            context=bundle, errors=errors, current=CurrentEnvironment(args=dict(arguments))
        )
        text = str(pattern(environment))
        if errors and strict:
            raise MissingArgument(f"{key}: {errors[0]}")
        return text

    def _compiled(self, key: str) -> tuple[FluentBundle, Pattern]:
        texts = self.file.patterns[key]
        for tag in self.languages:
            if tag in texts:
                bundle = self._bundles[tag]
                bundle.add_resource(FluentResource(_source(key, texts[tag])))
                pattern = bundle.get_message(_identifier(key)).value
                if pattern is not None:
                    return bundle, pattern
        raise KeyError(key)


@cache
def text_file(game: Game) -> TextFile:
    """Return the texts of *game* with those that all games share."""
    shared = read_texts(KERNEL)
    own = read_texts(type(game).__module__.rpartition(".")[0])
    return TextFile(
        {**shared.patterns, **own.patterns},
        {**shared.names, **own.names},
        {**shared.amounts, **own.amounts},
        own.card_rules,
    )


def lookup(language: str, known: Collection[str]) -> str:
    """Return the tag of *known* that serves *language* best, as RFC 4647 looks it up."""
    by_folded = {tag.casefold(): tag for tag in known}
    parts = language.casefold().split("-")
    while parts:
        found = by_folded.get("-".join(parts))
        if found is not None:
            return found
        parts.pop()
    return DEFAULT_LANGUAGE


@cache
def languages_of(game: Game) -> frozenset[str]:
    """Return the tags of the languages in which *game* has texts."""
    return frozenset(tag for texts in text_file(game).patterns.values() for tag in texts)


def name_of(component: Component, languages: Iterable[str]) -> str:
    """Return what *component* is called in the first of *languages* in which it has a name."""
    for tag in languages:
        if tag in component.names:
            return component.names[tag]
    return component.name


def _bundle(
    catalog: Sequence[Component], patterns: Mapping[str, Mapping[str, str]], tag: str
) -> FluentBundle:
    """Return a bundle with the names of all components as terms, and the shared messages."""
    bundle = FluentBundle([tag], use_isolating=False)
    bundle.add_resource(ast.Resource([_term(component, tag) for component in catalog]))
    for key, texts in patterns.items():
        if key.startswith(SHARED):
            text = texts.get(tag, texts[DEFAULT_LANGUAGE])
            bundle.add_resource(FluentResource(_source(key, text)))
    return bundle


def _term(component: Component, tag: str) -> ast.Term:
    name = ast.Pattern([ast.TextElement(name_of(component, [tag]))])
    return ast.Term(ast.Identifier(_identifier(f"{component.kind}.{component.id}")), name)


def _source(key: str, pattern: str) -> str:
    lines = "\n    ".join(pattern.strip().splitlines())
    return f"{_identifier(key)} =\n    {lines}\n"


def _identifier(key: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", key)
