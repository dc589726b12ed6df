"""CM-17.2, CM-17.3 The arguments of an answer, as a case writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from taflhall_engine.champions.ids import LOCATIONS, WARRIORS
from taflhall_engine.champions.rules.answers import BAD_ARGUMENT
from taflhall_engine.conformance.cases import CaseError, Keys
from taflhall_engine.kernel.agenda import Refusal


class Refused(Exception):
    """An answer that the rules refuse."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.code)
        self.reason: Final = reason


ARGUMENTS: Final = [
    "location",
    "give",
    "take",
    "peek_shore",
    "ship",
    "coins",
    "shore",
    "leader",
    "keep",
    "use",
    "card",
    "groups",
    "action",
    "dice",
    "lose",
    "healing",
    "discard",
    "target",
    "food",
    "wood",
    "warriors",
    "rune",
    "destiny",
]


class Arguments:
    """The arguments of an answer; a missing or malformed one is ``BAD_ARGUMENT``."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def __contains__(self, name: str) -> bool:
        return name in self._keys

    def number(self, name: str) -> int:
        value = self._keys.take(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise Refused(BAD_ARGUMENT)
        return value

    def flag(self, name: str) -> bool:
        value = self._keys.take(name)
        if not isinstance(value, bool):
            raise Refused(BAD_ARGUMENT)
        return value

    def word(self, name: str, words: Sequence[str], unknown: Refusal = BAD_ARGUMENT) -> int:
        value = self._keys.take(name)
        if not isinstance(value, str):
            raise Refused(BAD_ARGUMENT)
        if value not in words:
            raise Refused(unknown)
        return list(words).index(value)

    def counts(self, name: str, words: Sequence[str], least: int = 0) -> list[int]:
        return counts_of(self._keys.take(name), words, least)

    def numbers(self, name: str) -> list[int]:
        value = self._keys.take(name)
        if not isinstance(value, list):
            raise Refused(BAD_ARGUMENT)
        if not all(isinstance(v, int) and not isinstance(v, bool) for v in value):
            raise Refused(BAD_ARGUMENT)
        return value

    def groups(self) -> dict[int, list[int]]:
        value = self._keys.take("groups")
        if not isinstance(value, dict):
            raise Refused(BAD_ARGUMENT)
        found = {}
        for name, group in value.items():
            if name not in LOCATIONS:
                raise Refused(BAD_ARGUMENT)
            found[LOCATIONS.index(name)] = counts_of(group, [*WARRIORS, "food"])
        return found


def counts_of(value: Any, words: Sequence[str], least: int = 0) -> list[int]:
    if not isinstance(value, dict):
        raise Refused(BAD_ARGUMENT)
    for name, count in value.items():
        if name not in words or not isinstance(count, int) or isinstance(count, bool):
            raise Refused(BAD_ARGUMENT)
        if count < least:
            raise Refused(BAD_ARGUMENT)
    return [value.get(name, 0) for name in words]


def faces_of(keys: Keys, words: Sequence[str]) -> list[int]:
    """Return the faces of a fixed roll as numbers."""
    found = []
    for face in keys.need("faces"):
        if face not in words:
            raise CaseError(f"unknown face {face!r}")
        found.append(list(words).index(face))
    return found
