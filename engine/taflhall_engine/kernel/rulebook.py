"""The index of a game's rules: every number, with one sentence in each language."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """One numbered rule."""

    number: str
    texts: dict[str, str]
    """Its text by language."""
    nothing_to_do: str
    """Why no code carries this rule out; empty if some does."""


class Rulebook:
    """The rules of a game by number, in the specification's order."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules: Final = {rule.number: rule for rule in rules}

    def text(self, number: str, language: str = "en") -> str:
        """Return what rule *number* says, in English if not in *language*; empty without one."""
        rule = self.rules.get(number)
        if rule is None:
            return ""
        return rule.texts.get(language) or rule.texts["en"]


def read_rulebook(package: str) -> Rulebook:
    """Read ``data/rulebook.toml`` of *package*: each rule with its number and texts."""
    text = (files(package) / "data" / "rulebook.toml").read_text("utf-8")
    rules = []
    for entry in tomllib.loads(text)["rule"]:
        number, nothing_to_do = entry.pop("number"), entry.pop("nothing_to_do", "")
        rules.append(Rule(number, entry, nothing_to_do))
    return Rulebook(rules)
