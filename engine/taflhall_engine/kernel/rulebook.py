"""The index of a game's rules: every number, with one sentence in English and German."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final, NamedTuple


class Rule(NamedTuple):
    """One numbered rule."""

    number: str
    en: str
    de: str
    nothing_to_do: str
    """Why no code carries this rule out; empty if some does."""


class Rulebook:
    """The rules of a game by number, in the specification's order."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules: Final = {rule.number: rule for rule in rules}

    def text(self, number: str, language: str = "en") -> str:
        """Return what rule *number* says in ``en`` or ``de``; empty if there is none."""
        rule = self.rules.get(number)
        if rule is None:
            return ""
        return rule.de if language == "de" else rule.en


def read_rulebook(package: str) -> Rulebook:
    """Read ``data/rulebook.toml`` of *package*: ``[[rule]]`` with number, en, de."""
    text = (files(package) / "data" / "rulebook.toml").read_text("utf-8")
    return Rulebook(
        [
            Rule(r["number"], r["en"], r["de"], r.get("nothing_to_do", ""))
            for r in tomllib.loads(text)["rule"]
        ]
    )
