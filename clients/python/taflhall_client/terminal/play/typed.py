"""What the player types: a line as a wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NUMBER: Final = "number"
COMMAND: Final = "command"
WORDS: Final = {
    "?": "help",
    "h": "help",
    "hilfe": "help",
    "help": "help",
    "why": "why",
    "warum": "why",
    "rule": "rule",
    "regel": "rule",
    "rules": "rules",
    "regeln": "rules",
    "card": "card",
    "karte": "card",
    "score": "score",
    "punkte": "score",
    "again": "again",
    "nochmal": "again",
    "undo": "undo",
    "abandon": "abandon",
    "resign": "resign",
    "bot": "bot",
    "back": "back",
    "save": "save",
    "say": "say",
    "now": "now",
    "q": "quit",
    "quit": "quit",
}
"""The words of the terminal, English and German, by what they ask for."""

YES: Final = frozenset({"y", "yes", "j", "ja"})
NO: Final = frozenset({"n", "no", "nein"})


@dataclass(frozen=True, slots=True)
class Typed:
    """A line: the word it begins with, as in :data:`WORDS`, and what follows."""

    word: str
    rest: str = ""


def understand(line: str) -> Typed:
    """Return what *line* asks for; any other line is a command in notation."""
    first, _, rest = line.partition(" ")
    rest = rest.strip()
    if line.isascii() and line.isdecimal():
        return Typed(NUMBER, line)
    if first == "?" and rest:
        return Typed("why", rest)
    if first in YES | NO and not rest:
        return Typed("yes" if first in YES else "no")
    return Typed(WORDS[first], rest) if first in WORDS else Typed(COMMAND, line)


def rule_number(text: str, known: list[str]) -> str:
    """Return the number of *known* that *text* means: ``cm-3.8``, ``CM 3.8`` and ``3.8`` alike.

    Empty if there is none.
    """
    wanted = text.strip().upper().replace(" ", "-").rstrip(".")
    for number in known:
        if wanted in (number.upper(), number.upper().partition("-")[2]):
            return number
    return ""
