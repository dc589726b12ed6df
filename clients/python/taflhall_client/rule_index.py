"""Index of the numbered rules: each one's sentence, code, tests and cases.

The sources are read as text, so every reference is found: ``YG-7.2``, a range (``YG-7.2 to
7.5``, ``CM-5.11, 5.13``) and the name of a test (``test_7_2_a_viking_goes_home``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from taflhall_engine import registry
from taflhall_engine.kernel.game import Game
from taflhall_engine.kernel.rulebook import Rule

_NUMBER = r"\d+(?:\.\d+)*[a-z]?\b"
_MORE: Final = re.compile(rf"\s*(,?\s*and|,|/|to|-|–)\s*(?:[A-Z]+-)?({_NUMBER})")
_TEST: Final = re.compile(r"def test_(\d+(?:_\d+)*[a-z]?)(?=_[a-z])")
_CASE: Final = re.compile(r'^id = "([^"]+)"')


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source that names a rule."""

    file: Path
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class RulePlaces:
    """A rule and everything that names it."""

    game: Game
    rule: Rule
    code: list[Place]
    tests: list[Place]
    cases: dict[str, Place]
    """The conformance cases that name the rule, by their ids."""


class RuleIndex:
    """The places of every rule of *game*.

    *checkout* is the folder of the repository, whose tests and cases are read too, or ``None``.
    """

    def __init__(self, game: Game, checkout: Path | None = None) -> None:
        self._game = game
        self._numbers = list(game.rulebook.rules)
        self._at = {number: at for at, number in enumerate(self._numbers)}
        prefixes = sorted({number.partition("-")[0] for number in self._numbers})
        self._first = re.compile(rf"\b({'|'.join(prefixes)})-({_NUMBER})")
        self._main = self._numbers[0].partition("-")[0] if self._numbers else ""
        self._code: dict[str, list[Place]] = {}
        self._tests: dict[str, list[Place]] = {}
        self._cases: dict[str, dict[str, Place]] = {}
        for folder in _code_folders(game):
            self._read_code(folder, self._code)
        if checkout is not None:
            self._read_code(checkout / "tests" / "engine" / game.id, self._tests)
            self._read_cases(checkout / "tests" / "engine" / game.id)

    def find(self, number: str) -> RulePlaces | None:
        """Return the rule of that number in any spelling; ``None`` if it does not exist."""
        wanted = spelled(number)
        for name, rule in self._game.rulebook.rules.items():
            if wanted in (spelled(name), spelled(name.partition("-")[2])):
                places = (self._code.get(name, []), self._tests.get(name, []))
                return RulePlaces(self._game, rule, *places, self._cases.get(name, {}))
        return None

    def cited(self, text: str) -> set[str]:
        """Return the numbers that *text* names, also within ranges."""
        found: set[str] = set()
        for match in self._first.finditer(text):
            prefix, last = match[1], match[2]
            found |= {f"{prefix}-{last}"}
            end = match.end()
            while more := _MORE.match(text, end):
                number = more[2]
                if more[1] in ("to", "-", "–"):
                    found |= self._between(f"{prefix}-{last}", f"{prefix}-{number}")
                found |= {f"{prefix}-{number}"}
                last, end = number, more.end()
        for match in _TEST.finditer(text):
            found |= {f"{self._main}-{match[1].replace('_', '.')}"}
        return {number for number in found if number in self._at}

    def _between(self, first: str, last: str) -> set[str]:
        begin, end = self._at.get(first), self._at.get(last)
        return set() if begin is None or end is None else set(self._numbers[begin : end + 1])

    def _read_code(self, folder: Path, index: dict[str, list[Place]]) -> None:
        files = [file for file in folder.rglob("*.py") if file.name != "__init__.py"]
        for place in _lines(sorted(files)):
            for number in self.cited(place.text):
                index.setdefault(number, []).append(place)

    def _read_cases(self, folder: Path) -> None:
        case, at = "", None
        for place in _lines(sorted(folder.rglob("*.toml"))):
            if named := _CASE.match(place.text):
                case, at = named[1], place
            if at is None or at.file != place.file:
                continue
            for number in self.cited(place.text):
                self._cases.setdefault(number, {}).setdefault(case, at)


def find_rule(number: str, checkout: Path | None = None) -> list[RulePlaces]:
    """Return the rule *number* of every game that has it; several have an ``A-01``."""
    found = []
    for name in registry.GAMES:
        game = registry.game(name)
        if any(spelled(number) in _spellings(known) for known in game.rulebook.rules):
            places = RuleIndex(game, checkout).find(number)
            if places is not None:
                found.append(places)
    return found


def checkout_folder() -> Path | None:
    """Return the folder of the repository that this runs from; ``None`` if it is installed."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "tests" / "engine").is_dir() and (folder / "pyproject.toml").is_file():
            return folder
    return None


def spelled(number: str) -> str:
    """Return one spelling for ``CM-3.8``, ``cm 3.8`` and ``Cm3.8``."""
    return re.sub(r"[\s_-]+", "", number).upper()


def _spellings(number: str) -> tuple[str, str]:
    return spelled(number), spelled(number.partition("-")[2])


def _code_folders(game: Game) -> Iterator[Path]:
    package = type(game).__module__.partition(".game")[0]
    for name in (package, f"taflhall_engine.conformance.{game.id}"):
        try:
            spec = find_spec(name)
        except ModuleNotFoundError:
            continue
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            yield Path(folder)


def _lines(files: Iterable[Path]) -> Iterator[Place]:
    for file in files:
        for line, text in enumerate(file.read_text("utf-8").splitlines(), 1):
            yield Place(file, line, text.strip())
