"""Shared by the commands: exit codes, options, error reports."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from taflhall_client.printable import literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from taflhall_client import async_client
    from taflhall_client.results import Status
    from taflhall_client.sync import Client
    from taflhall_client.tls import TLS
    from taflhall_engine.kernel.game import Game

C = TypeVar("C")

FAILED: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
UNREACHABLE: Final = 4

_OF_SETUP: Final = re.compile(r"setup\.(?!seats$)[a-z_]+\.|setup\.(?=seats$)")
"""What the path of a field has before the name that a setup of the engine has for it."""

USUAL_SEATS: Final = 2
"""Seats of a match whose setup leaves their number open."""

Address = Annotated[
    str, typer.Argument(envvar="TAFLHALL_ADDRESS", help="The server, as HOST:PORT.")
]
MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The match's id.")]
Secret = Annotated[
    str | None,
    typer.Option(envvar="TAFLHALL_SECRET", help="What proves your seat; shown by join."),
]
SetupWords = Annotated[
    list[str] | None,
    typer.Option("--setup", metavar="FIELD=VALUE", help="A field of the setup; repeatable."),
]
DataFolder = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Component data of your own for the game."),
]
Language = Annotated[str, typer.Option("--language", envvar="TAFLHALL_LANGUAGE", help="en or de.")]
GameName = Annotated[str, typer.Argument(help="The game's id; see `taflhall games`.")]
GameFilter = Annotated[str, typer.Option(help="Only matches of this game.")]
LARGEST = 2**31 - 1
"""The largest number that a field of a request takes."""

FreeSeat = Annotated[
    int | None, typer.Option(max=LARGEST, help="The seat; the lowest free one if left out.")
]
SeatCount = Annotated[int | None, typer.Option(max=LARGEST, help="How many play.")]
PlayerName = Annotated[str, typer.Option(help="Your name at the table.")]
JoinName = Annotated[str | None, typer.Option(help="Take a seat under this name.")]
BotSeed = Annotated[int, typer.Option(help="Seed of the bots' random numbers.")]
Processes = Annotated[int, typer.Option(min=1, max=256, help="How many processes.")]
ProposalReply = Annotated[
    str, typer.Option(help="What to say to proposals: agree, refuse or leave.")
]


@dataclass(slots=True)
class Link:
    """How every command of this run reaches its server: the options before the command."""

    secure: bool = False
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None
    api_key: str | None = None

    def tls(self) -> TLS | None:
        """Return how to speak TLS; ``None``: in the clear."""
        from taflhall_client.tls import TLS

        if (self.cert is None) != (self.key is None):
            raise UsageError("--cert needs --key, and --key needs --cert")
        if not (self.secure or self.ca or self.cert):
            return None
        return TLS(self.ca, self.cert, self.key)


LINK: Final = Link()


class UsageError(Exception):
    """The command line asks for something that makes no sense."""


def require_one_of(option: str, value: str, *known: str) -> None:
    """Raise :exc:`UsageError` unless the value of an option is *known*."""
    if value not in known:
        raise UsageError(f"{option} is {', '.join(known[:-1])} or {known[-1]}")


def make_game(name: str, data: Path | None = None) -> Game:
    """Return the game called *name*, with the component data of the folder *data*."""
    from taflhall_engine import registry

    return registry.game(name, None if data is None else data.resolve())


def connect(address: str, data: Path | None = None, deadline: float = 5.0) -> Client:
    """Return a connection to the server at *address*."""
    from taflhall_client import sync

    return _connected(sync.Client, address, data, deadline)


def connect_async(
    address: str, data: Path | None = None, deadline: float = 5.0
) -> async_client.Client:
    """Return a connection to the server at *address* for the running event loop."""
    from taflhall_client import async_client

    return _connected(async_client.Client, address, data, deadline)


def _connected(kind: Callable[..., C], address: str, data: Path | None, deadline: float) -> C:
    made: Callable[[str], Game] = partial(make_game, data=data)
    tls = LINK.tls()
    try:
        return kind(
            address,
            deadline=deadline,
            connect_deadline=2.0,
            key=LINK.api_key,
            tls=tls,
            game=made,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


class _Speech:
    """The language of this process's error messages."""

    language = "en"


def language_of(language: str) -> str:
    """Return *language* if it is supported; errors are reported in it from now on."""
    if language not in ("en", "de"):
        raise UsageError(f"--language is en or de, not {language!r}")
    _Speech.language = language
    return language


def setup_of(game: Game, words: list[str] | None, seats: int | None = None) -> Any:
    """Return the setup of ``field=value`` words, for *seats* seats if they do not say it.

    A setup that makes a match only with a number of seats gets :data:`USUAL_SEATS`.
    """
    from taflhall_engine.kernel import setups
    from taflhall_engine.kernel.chance import FastChance
    from taflhall_engine.kernel.game import InvalidSetup

    given = list(words or [])
    if seats is not None and not any(word.startswith("seats=") for word in given):
        if "seats" not in setups.defaults(game):
            raise UsageError(f"{game.id} has no number of seats in its setup; use --setup")
        given.append(f"seats={seats}")
    setup = setups.from_text(game, given)
    if seats is None and getattr(setup, "seats", USUAL_SEATS) is None:
        with_seats = setups.from_text(game, [*given, f"seats={USUAL_SEATS}"])
        try:
            game.new(with_seats, FastChance(0))
        except InvalidSetup:
            return setup  # its own faults are those to report
        return with_seats
    return setup


def labels_of(words: list[str] | None) -> dict[str, str]:
    """Return labels given as ``key=value``."""
    pairs = [word.partition("=") for word in words or []]
    if not all(equals for _, equals, _ in pairs):
        raise UsageError("--label is key=value")
    return {key: value for key, _, value in pairs}


def status_of(name: str) -> Status:
    """Return the status of matches that an option names; the unknown one if it is left out."""
    from taflhall_client.results import Status

    by_name = {status.name.lower(): status for status in Status} | {"": Status.UNKNOWN}
    if name not in by_name:
        raise UsageError("--status is open, playing, finished or abandoned")
    return by_name[name]


def report_error(error: Exception) -> int | None:
    """Print *error* in a line or two; return the exit code, ``None`` for an unexpected error."""
    found = _explain(error)
    if found is None:
        return None
    status, lines = found
    for line in lines:
        print(f"taflhall: {literal(line)}", file=sys.stderr)
    return status


def _explain(error: Exception) -> tuple[int, list[str]] | None:
    from taflhall_client.bots import UnknownBot
    from taflhall_client.extras import ExtraMissing
    from taflhall_engine.kernel.components import InvalidData
    from taflhall_engine.kernel.game import InvalidSetup
    from taflhall_engine.kernel.notation import NotationError
    from taflhall_engine.kernel.replay import RecordError
    from taflhall_engine.registry import UnknownGame
    from taflhall_wire.texts import texts_for

    if isinstance(error, InvalidSetup):
        texts = texts_for(error.game, _Speech.language)
        return REFUSED, [f"setup: {f.field}: {texts.fault(f)}" for f in error.faults]
    if isinstance(error, InvalidData):
        return REFUSED, [f"data: {fault.place}: {fault.reason}" for fault in error.faults]
    if isinstance(error, RecordError):
        return FAILED, [str(error)]
    if isinstance(error, UsageError | UnknownGame | UnknownBot | NotationError | ExtraMissing):
        return USAGE, [str(error)]
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return USAGE, [f"{where}{error.strerror or error}"]
    if "taflhall_client.tournament" in sys.modules:
        from taflhall_client.tournament.description import DescriptionError
        from taflhall_client.tournament.journal import JournalError
        from taflhall_client.tournament.replays import HostFailed

        if isinstance(error, DescriptionError):
            return USAGE, [f"{error.where}: {problem}" for problem in error.problems]
        if isinstance(error, JournalError):
            return USAGE, [str(error)]
        if isinstance(error, HostFailed):
            return FAILED, [str(error)]
    if "taflhall_client.load.run" in sys.modules:
        from taflhall_client.load.run import GeneratorFailed

        if isinstance(error, GeneratorFailed):
            return FAILED, [str(error)]
    if "taflhall_client.errors" in sys.modules:
        return _explain_call(error)
    return None


def _explain_call(error: Exception) -> tuple[int, list[str]] | None:
    from taflhall_client import errors
    from taflhall_wire.mapping import NotUnderstood

    language = _Speech.language
    if isinstance(error, errors.InvalidSetup) and error.violations:
        faults = [(_OF_SETUP.sub("", v.field), v.text(language)) for v in error.violations]
        return REFUSED, [f"setup: {field}: {text}" for field, text in faults]
    if isinstance(error, errors.IllegalCommand):
        rule = f"{'Regel' if language == 'de' else 'rule'} {error.rule}"
        return REFUSED, [f"{rule}: {error.text(language)} ({error.refusal})"]
    if isinstance(error, errors.TlsFailed):
        return UNREACHABLE, [error.message]
    if isinstance(error, errors.Uncertain):
        return UNREACHABLE, [f"{error.text(language)} ({error.reason})"]
    if isinstance(error, errors.TaflhallError):
        return REFUSED, [f"{error.text(language)} ({error.reason})"]
    if isinstance(error, NotUnderstood):
        return REFUSED, [f"the server speaks of what this client does not know: {error}"]
    return None
