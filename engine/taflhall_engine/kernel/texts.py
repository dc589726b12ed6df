"""The texts for people: every game ships one file of them, the kernel one for what games share.

``data/texts.toml`` of a package maps keys to patterns by language (a BCP 47 tag)::

    [option.TakeLeader]
    en = "take { $leader }"
    de = "{ $leader } nehmen"

Patterns are Fluent (https://projectfluent.org). The engine only reads them; ``taflhall_wire.texts``
renders them. ``docs/texts.md`` lists the sections.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

DEFAULT_LANGUAGE: Final = "en"
"""Every key has a text in this language."""

KERNEL: Final = "taflhall_engine.kernel"


class TextFile(NamedTuple):
    """The contents of one file."""

    patterns: dict[str, dict[str, str]]
    """By key, such as ``option.TakeLeader``: the pattern in each language."""
    names: dict[str, str]
    """For a field that holds numbers with names: which names, if not those of the field itself."""
    amounts: dict[str, list[str]]
    """For an argument that lists amounts: the fields that it is made of."""
    card_rules: dict[str, list[str] | dict[str, list[str]]]
    """For a kind of components the rules of all, or by id the rules of each."""


@cache
def read_texts(package: str) -> TextFile:
    """Read ``data/texts.toml`` of *package*."""
    raw = tomllib.loads((files(package) / "data" / "texts.toml").read_text("utf-8"))
    names: dict[str, str] = raw.pop("names", {})
    amounts: dict[str, list[str]] = raw.pop("amounts", {})
    card_rules: dict[str, list[str] | dict[str, list[str]]] = raw.pop("card_rules", {})
    patterns: dict[str, dict[str, str]] = {}
    _flatten("", raw, patterns)
    return TextFile(patterns, names, amounts, card_rules)


def _flatten(key: str, table: dict[str, Any], patterns: dict[str, dict[str, str]]) -> None:
    for name, value in table.items():
        if isinstance(value, dict):
            _flatten(f"{key}.{name}" if key else name, value, patterns)
        else:
            patterns.setdefault(key, {})[name] = value
