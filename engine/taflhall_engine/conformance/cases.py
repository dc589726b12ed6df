"""Conformance cases: TOML files of the rules' required behaviour, run against the engine.

A file names its game and holds ``[[case]]`` tables; the game's runner reads them
(:func:`~taflhall_engine.conformance.run_case`). An unread key is a failure, never skipped.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from taflhall_engine.conformance import run_case
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command, Table, Waiting, asked, options, waiting
from taflhall_engine.kernel.game import Game


class CaseError(Exception):
    """A case that cannot be run: an unknown key or unit, a value out of place."""


class Outcome(NamedTuple):
    """One case that was run."""

    case: str
    title: str
    differences: list[str]
    """The differences between expected and found values; empty if the case passed."""


class Keys:
    """A mapping of a case that remembers which keys were read.

    >>> keys = Keys("given", {"deck": ["hel"], "dice": []})
    >>> keys.take("deck")
    ['hel']
    >>> keys.unread()
    ['given.dice']
    """

    def __init__(self, place: str, data: Mapping[str, Any]) -> None:
        if not isinstance(data, Mapping):
            raise CaseError(f"{place} should be a table, found {data!r}")
        self._place = place
        self._data = dict(data)
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def take(self, key: str, default: Any = None) -> Any:
        """Return the value of *key*, or *default*; it counts as read."""
        self._read.add(key)
        return self._data.get(key, default)

    def need(self, key: str) -> Any:
        """Return the value of *key*, or raise :exc:`CaseError`."""
        if key not in self._data:
            raise CaseError(f"{self._place} lacks {key!r}")
        return self.take(key)

    def unread(self) -> list[str]:
        """Return the unread keys, with their places."""
        return [f"{self._place}.{key}" for key in self._data if key not in self._read]

    def finish(self) -> None:
        """Raise :exc:`CaseError` if a key has not been read."""
        if self.unread():
            raise CaseError(f"unknown key {', '.join(self.unread())}")


def differ(what: str, expected: Any, found: Any) -> list[str]:
    """Return one line of difference, or nothing if *expected* equals *found*."""
    return [] if expected == found else [f"{what}: expected {expected!r}, found {found!r}"]


def check_listing(s: Table, decision: Waiting[Any], seat: int, legal: list[Command[Any]]) -> None:
    """Raise :exc:`CaseError` unless exactly the commands that are not options are refused."""
    for command in decision.offers(s, seat):
        refusal = decision.refusal(s, seat, command)
        if (refusal is None) != (command in legal):
            reason = "not refused" if refusal is None else f"refused with {refusal.code}"
            listed = "listed" if command in legal else "not listed"
            raise CaseError(f"{command} is {listed}, but {reason}")


def check_step(s: Table) -> None:
    """Do as :func:`check_listing` for every seat that has to decide; call it at each step."""
    top = waiting(s)
    for seat in asked(s):
        assert top is not None
        check_listing(s, top, seat, options(s, seat))


def whole_list(s: Table, stated: Sequence[str], labels: Mapping[str, Sequence[str]]) -> list[str]:
    """Compare all options of the pending decision, in the notation, with those *stated*."""
    listed = [notation.write(command, labels) for seat in asked(s) for command in options(s, seat)]
    return differ("options", sorted(stated), sorted(listed))


def read_cases(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """Return the game (``game``, or in ``[meta]``) and the cases of a file.

    Raise :exc:`CaseError` if one of them is missing.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CaseError(f"{path}: {error}") from None
    cases = data.get("case")
    meta = data.get("meta")
    game = data.get("game", meta.get("game") if isinstance(meta, dict) else None)
    if not isinstance(cases, list) or not isinstance(game, str):
        raise CaseError(f"{path} names no game or holds no [[case]]")
    return game, cases


def run_cases(game: Game, cases: list[dict[str, Any]]) -> Iterator[Outcome]:
    """Run *cases* of *game* one after the other."""
    for case in cases:
        name = str(case.get("id", "(without id)"))
        title = str(case.get("title", ""))
        try:
            differences = run_case(game, case)
        except Exception as error:
            differences = [f"cannot be run: {type(error).__name__}: {error}"]
        yield Outcome(name, title, differences)
