"""The description of a tournament: a TOML file, read once and checked as a whole."""

from __future__ import annotations

import hashlib
import shlex
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from taflhall_client.bots import NAMES
from taflhall_engine import registry
from taflhall_engine.kernel import setups
from taflhall_engine.kernel.chance import FastChance
from taflhall_engine.kernel.game import Game, InvalidSetup

FORMATS: Final = ("round_robin", "free_for_all", "gauntlet", "swiss", "knockout", "ladder")
"""Formats of competitive games; a cooperative game is always played team against scenario."""
TEAM_FORMATS: Final = ("round_robin", "free_for_all", "gauntlet")
"""Formats in which entrants of one team need not meet."""
MAX_ENTRANTS: Final = 1000
MAX_ROUNDS: Final = 1_000_000
MAX_LIMIT: Final = 1_000_000_000
"""The greatest number that a limit may have."""


class DescriptionError(Exception):
    """The description makes no tournament; *problems* lists everything that is wrong with it."""

    def __init__(self, where: str, problems: list[str]) -> None:
        super().__init__(f"{where}: {'; '.join(problems)}")
        self.where: Final = where
        self.problems: Final = problems


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part: a Python bot by its name, or a program by its command line."""

    name: str
    bot: str = ""
    """``random``, ``heuristic``, ``search`` or ``module:Class``."""
    command: tuple[str, ...] = ()
    """A program that speaks the line protocol."""
    options: tuple[tuple[str, Any], ...] = ()
    """Keyword arguments of the bot's class."""
    team: str = ""
    """The team that it scores for in a team event; entrants of one team never meet."""
    members: tuple[str, ...] = ()
    """In a cooperative game, instead of a bot: the entrants that take its seats in turn."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A setup with a name, for a cooperative game."""

    name: str
    setup: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may use, and when a match ends early."""

    decision_seconds: float = 10.0
    """Time for each decision."""
    match_seconds: float = 0.0
    """Time for all decisions of a match together; 0: any."""
    increment_seconds: float = 0.0
    """What each decision adds to the time for the match."""
    start_seconds: float = 20.0
    """Time to start: to be constructed, or to say that it is ready."""
    grace_seconds: float = 3.0
    """How long a bot that cannot be interrupted may be over its time before it is killed."""
    memory_mib: int = 1024
    """Address space of a program, in MiB."""
    cpu_seconds: int = 3600
    """Processor time of a program in one match."""
    processes: int = 64
    """Processes and threads of a program, where the system can count them."""
    commands: int = 100_000
    """A match that takes more commands is adjudicated or set aside."""
    adjudicate: bool = False
    """Whether the game's own bot then plays all seats to the end, instead of that the match is set
    aside."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as its file describes it."""

    name: str
    game: str
    format: str
    seats: int
    rounds: int
    """Blocks per pairing or rounds, depending on the format; blocks of a ladder (0: no end)."""
    seed: int
    entrants: tuple[Entrant, ...]
    setup: Mapping[str, Any] = field(default_factory=dict)
    scenarios: tuple[Scenario, ...] = ()
    limits: Limits = Limits()
    data: str = ""
    """A folder with component data of one's own."""
    digest: str = ""
    """SHA-256 of the file, in hex."""

    def make_game(self) -> Game:
        """Return the game, or raise what the registry raises."""
        return registry.game(self.game, Path(self.data) if self.data else None)

    def entrant(self, name: str) -> Entrant:
        """Return the entrant called *name*."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def player(self, name: str, seat: int) -> Entrant:
        """Return whose bot plays at *seat* for the entrant called *name*: itself or a member."""
        entrant = self.entrant(name)
        members = entrant.members
        return self.entrant(members[seat % len(members)]) if members else entrant

    def words(self, scenario: str = "") -> dict[str, Any]:
        """Return the setup, of *scenario* in a cooperative game, as data."""
        extra = next((s.setup for s in self.scenarios if s.name == scenario), {})
        return {**self.setup, **extra}


def read(file: Path) -> Tournament:
    """Return the tournament that *file* describes; raise :exc:`DescriptionError` or ``OSError``."""
    raw = file.read_bytes()
    try:
        data = tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DescriptionError(str(file), [f"not TOML: {error}"]) from None
    reader = _Reader(data)
    tournament = reader.tournament(hashlib.sha256(raw).hexdigest())
    if tournament is None or reader.problems:
        raise DescriptionError(str(file), reader.problems)
    return tournament


class _Reader:
    """Reads one description; collects what is wrong."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.problems: list[str] = []

    def tournament(self, digest: str) -> Tournament | None:
        data = self.data
        known = {"name", "game", "format", "seats", "rounds", "seed", "data", "setup"}
        self._only(data, known | {"limits", "entrants", "scenarios"}, "")
        name = self._text(data, "name", "tournament")
        game_id = self._text(data, "game", "")
        folder = self._text(data, "data", "")
        try:
            game = registry.game(game_id, Path(folder) if folder else None)
        except Exception as error:  # a wrong id or wrong data: the registry says which
            self.problems.append(f"game: {error}")
            return None
        usual = "cooperative" if game.cooperative else "round_robin"
        form = self._text(data, "format", usual)
        allowed = ("cooperative",) if game.cooperative else FORMATS
        if form not in allowed:
            self.problems.append(f"format: is one of {', '.join(allowed)}, not {form!r}")
        entrants = self._entrants()
        scenarios = self._scenarios(game)
        setup = self._table(data, "setup")
        if "seats" in data and "seats" in setups.defaults(game):
            setup.setdefault("seats", data["seats"])
        seats = self._seats(game, setup, scenarios)
        if form != "cooperative" and 0 < len(entrants) < seats:
            self.problems.append(
                f"entrants: {len(entrants)}, but a match of {seats} seats needs at least {seats}"
            )
        self._teams(form, seats, entrants)
        return Tournament(
            name,
            game_id,
            form,
            seats,
            self._number(data, "rounds", 0 if form == "ladder" else 1, MAX_ROUNDS, 1),
            self._number(data, "seed", 0, 2**63, 0),
            entrants,
            setup,
            scenarios,
            self._limits(),
            folder,
            digest,
        )

    def _entrants(self) -> tuple[Entrant, ...]:
        listed = self.data.get("entrants", [])
        if not isinstance(listed, list) or not 1 <= len(listed) <= MAX_ENTRANTS:
            self.problems.append(f"entrants: a list of 1 to {MAX_ENTRANTS} tables [[entrants]]")
            return ()
        found: list[Entrant] = []
        for number, given in enumerate(listed):
            where = f"entrants[{number}]"
            if not isinstance(given, dict):
                self.problems.append(f"{where}: is a table")
                continue
            self._only(given, set(Entrant.__dataclass_fields__), f"{where}.")
            entrant = Entrant(
                self._text(given, "name", "", f"{where}."),
                self._text(given, "bot", "", f"{where}."),
                self._command(given, where),
                tuple(sorted(self._table(given, "options", f"{where}.").items())),
                self._text(given, "team", "", f"{where}."),
                self._words(given, "members", where),
            )
            if not entrant.name or len(entrant.name) > 60 or not entrant.name.isprintable():
                self.problems.append(f"{where}.name: 1 to 60 printable characters")
            if [bool(entrant.bot), bool(entrant.command), bool(entrant.members)].count(True) != 1:
                self.problems.append(f"{where}: has one of bot, command and members")
            elif entrant.bot and entrant.bot not in NAMES and ":" not in entrant.bot:
                known = ", ".join(NAMES)
                self.problems.append(f"{where}.bot: {known} or module:Class, not {entrant.bot!r}")
            if entrant.options and not entrant.bot:
                self.problems.append(f"{where}.options: are for a bot of Python")
            found.append(entrant)
        names = [entrant.name for entrant in found]
        self.problems += [
            f"entrants: two are called {name!r}; each has a name of its own"
            for name in sorted(set(names))
            if names.count(name) > 1
        ]
        return tuple(found)

    def _teams(self, form: str, seats: int, entrants: Sequence[Entrant]) -> None:
        """Look at the teams of a team event, and at the members of cooperative teams."""
        players = {entrant.name for entrant in entrants if not entrant.members}
        for entrant in entrants:
            if entrant.members and form != "cooperative":
                self.problems.append(f"members of {entrant.name!r}: are for cooperative games")
            for name in set(entrant.members) - players:
                self.problems.append(f"members of {entrant.name!r}: {name!r} has no bot or command")
        teams = {entrant.team for entrant in entrants if entrant.team}
        if teams and form not in TEAM_FORMATS:
            self.problems.append(f"team: is for the formats {', '.join(TEAM_FORMATS)}")
        elif teams:
            self.problems += [
                f"entrants[{number}].team: is missing; in a team event all have one"
                for number, entrant in enumerate(entrants)
                if not entrant.team
            ]
            if len(teams) < seats:
                self.problems.append(f"team: {len(teams)} in all, but a match has {seats} seats")

    def _scenarios(self, game: Game) -> tuple[Scenario, ...]:
        listed = self.data.get("scenarios", [])
        if not isinstance(listed, list) or not all(isinstance(s, dict) for s in listed):
            self.problems.append("scenarios: a list of tables [[scenarios]]")
            listed = []
        if listed and not game.cooperative:
            self.problems.append("scenarios: are for cooperative games")
        found: list[Scenario] = []
        for number, given in enumerate(listed):
            where = f"scenarios[{number}]."
            self._only(given, set(Scenario.__dataclass_fields__), where)
            found.append(
                Scenario(self._text(given, "name", "", where), self._table(given, "setup", where))
            )
        names = [scenario.name for scenario in found]
        self.problems += [
            f"scenarios: two are called {name!r}; each has a name of its own"
            for name in sorted(set(names))
            if names.count(name) > 1
        ]
        return tuple(found) or ((Scenario("standard"),) if game.cooperative else ())

    def _seats(self, game: Game, setup: Mapping[str, Any], scenarios: Iterable[Scenario]) -> int:
        """Return the seats of a match, in every scenario the same."""
        given = self._number(self.data, "seats", 0, 64, 0)
        counts: set[int] = set()
        for extra in [s.setup for s in scenarios] or [{}]:
            try:
                made = setups.from_data(game, {**setup, **extra})
                counts.add(game.seats(game.new(made, FastChance(0))))
            except InvalidSetup as error:
                from taflhall_wire.texts import texts_for  # which those who play do not need

                texts = texts_for(game, "en")
                faults = [f"setup.{fault.field}: {texts.fault(fault)}" for fault in error.faults]
                self.problems += [fault for fault in faults if fault not in self.problems]
                return 1
        if len(counts) > 1:
            found = ", ".join(map(str, sorted(counts)))
            self.problems.append(f"scenarios: all have the same number of seats, found {found}")
        elif given and counts != {given}:
            self.problems.append(f"seats: {given}, but [setup] makes a match of {max(counts)}")
        return max(counts)

    def _limits(self) -> Limits:
        given = self._table(self.data, "limits")
        self._only(given, set(Limits.__dataclass_fields__), "limits.")
        usual = Limits()
        found: dict[str, Any] = {}
        for name in Limits.__dataclass_fields__:
            value = given.get(name, getattr(usual, name))
            kind = type(getattr(usual, name))
            if kind is bool:
                if not isinstance(value, bool):
                    self.problems.append(f"limits.{name}: is true or false")
            elif kind is int and (not isinstance(value, int) or isinstance(value, bool)):
                self.problems.append(f"limits.{name}: is a whole number")
                continue
            elif isinstance(value, bool) or not isinstance(value, int | float):
                self.problems.append(f"limits.{name}: is a number")
                continue
            elif not 0 <= value <= MAX_LIMIT:  # and not nan
                self.problems.append(f"limits.{name}: is from 0 to {MAX_LIMIT}")
                continue
            elif value == 0 != getattr(usual, name):
                self.problems.append(f"limits.{name}: is a number above 0")
                continue
            found[name] = kind(value)
        return Limits(**found)

    # ---------------------------------------------------------------- values

    def _only(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in sorted(set(table) - known):
            self.problems.append(f"{where}{key}: is unknown; known are {', '.join(sorted(known))}")

    def _text(self, table: Mapping[str, Any], key: str, usual: str, where: str = "") -> str:
        value = table.get(key, usual)
        if isinstance(value, str):
            return value
        self.problems.append(f"{where}{key}: is a text")
        return usual

    def _number(self, table: Mapping[str, Any], key: str, low: int, high: int, usual: int) -> int:
        value = table.get(key, usual)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.problems.append(f"{key}: is a whole number from {low} to {high}")
        return max(usual, low)

    def _table(self, table: Mapping[str, Any], key: str, where: str = "") -> dict[str, Any]:
        value = table.get(key, {})
        if isinstance(value, dict):
            return value
        self.problems.append(f"{where}{key}: is a table")
        return {}

    def _command(self, given: Mapping[str, Any], where: str) -> tuple[str, ...]:
        if isinstance(line := given.get("command"), str):
            try:
                return tuple(shlex.split(line))
            except ValueError as error:
                self.problems.append(f"{where}.command: {error}")
                return ()
        return self._words(given, "command", where)

    def _words(self, given: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
        value = given.get(key, [])
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return tuple(value)
        self.problems.append(f"{where}.{key}: is a list of texts")
        return ()
