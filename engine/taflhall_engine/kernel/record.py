"""Records: how a match runs, is written down, and is replayed with nothing but the engine.

The service and the replay share the steps of a match, so that they cannot differ:

* :func:`answer` carries out a command, :func:`resign` gives a match up for a seat;
* :func:`pending` says who has to decide, :func:`result` how the match ended.

A seat that has resigned is answered for with :meth:`Game.neutral`, within the same revision,
until a seat that still plays has to decide. In a cooperative game a resignation ends the
match. *resigned* is the list of such seats in the order in which they resigned; it belongs
to the match, not to the table, and whoever keeps the table keeps it too.

A record is plain data (JSON)::

    {"format": 1, "game": "yggdrasil", "rules_version": "1", "data_digest": "...",
     "setup": {"gods": ["odin"], "furious": 3}, "seats": ["Ann", "Bob"],
     "secret": "...", "secret_digest": "...", "start_digest": "...",
     "commands": [[0, "asgard enemy=hel vikings=3"], [1, "resign"]],
     "digests": ["...", "..."],
     "result": {"won": [...], "places": [...], "scores": [...], "reasons": [...]}}

:func:`write` makes one, :func:`replay` checks one, :func:`positions` goes through a match.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import (
    Command,
    Event,
    IllegalCommand,
    Resigned,
    Table,
    apply,
    asked,
    check,
    tell,
)
from taflhall_engine.kernel.chance import SECRET_BYTES, KeyedChance
from taflhall_engine.kernel.game import Game, InvalidSetup, Result
from taflhall_engine.kernel.kinds import commands_of
from taflhall_engine.kernel.snapshot import digest

FORMAT: Final = 1
"""The number of the form in which records are written."""

RESIGN: Final = "resign"
"""What a record says in place of a command when a seat resigned."""

RESIGNED: Final = "resigned"
"""The reason that a result names when a seat has resigned."""


# ---------------------------------------------------------------- the steps of a match


def answer(
    game: Game, s: Table, seat: int, command: Command[Any], resigned: Sequence[int] = ()
) -> None:
    """Answer for *seat* with a legal *command*, then for those who have resigned."""
    apply(s, seat, command)
    _answer_for(game, s, resigned)


def resign(game: Game, s: Table, seat: int, resigned: Sequence[int] = ()) -> list[int]:
    """Give the match up for *seat* and tell it; return who has resigned now.

    The caller makes sure that the match is not over and *seat* has not resigned yet.
    """
    if s.journal is not None:
        tell(s, Resigned("", seat))
    gone = [*resigned, seat]
    if not game.cooperative:
        _answer_for(game, s, gone)
    return gone


def pending(game: Game, s: Table, resigned: Sequence[int] = ()) -> list[int]:
    """Return the seats that have to decide, lowest first; empty when the match is over."""
    return [] if game.cooperative and resigned else asked(s)


def result(game: Game, s: Table, resigned: Sequence[int] = ()) -> Result | None:
    """Return how the match ended, or ``None`` while it goes on.

    Who resigned does not win and shares the last place; the others move up. A cooperative
    team loses. ``resigned`` is then among the reasons.
    """
    if game.cooperative and resigned:
        seats = range(game.seats(s))
        return Result([False for _ in seats], [2 for _ in seats], [], [RESIGNED])
    played = game.result(s)
    if played is None or not resigned:
        return played
    stay = [seat for seat in range(len(played.won)) if seat not in resigned]
    places = [len(stay) + 1] * len(played.won)
    for seat in stay:
        places[seat] = 1 + sum(played.places[other] < played.places[seat] for other in stay)
    won = [seat in stay and played.won[seat] for seat in range(len(played.won))]
    if not any(won):
        won = [seat in stay and places[seat] == 1 for seat in range(len(won))]
    return Result(won, places, list(played.scores), [*played.reasons, RESIGNED])


def _answer_for(game: Game, s: Table, resigned: Sequence[int]) -> None:
    while resigned:
        absent = [seat for seat in asked(s) if seat in resigned]
        if not absent:
            return
        apply(s, absent[0], game.neutral(s, absent[0]))


# ---------------------------------------------------------------- going through a match


class Position(NamedTuple):
    """A match after one of its commands."""

    revision: int
    """How many commands have been given."""
    table: Table
    """The table; it goes on with the iteration, so copy it to keep it."""
    resigned: list[int]
    events: list[Event]
    """What the command told, for those who may know everything."""


Move = tuple[int, Command[Any] | None]
"""A seat and its command; ``None`` if it resigned."""


def positions(game: Game, setup: Any, secret: bytes, moves: Sequence[Move]) -> Iterator[Position]:
    """Yield the match as it was laid out (revision 0), then after each of *moves*.

    The moves are trusted: they were legal when they were made. Raise
    :exc:`InvalidSetup` if *setup* makes no match.
    """
    s = game.new(setup, KeyedChance(secret))
    resigned: list[int] = []
    yield Position(0, s, resigned, [])
    for revision, (seat, command) in enumerate(moves, 1):
        events: list[Event] = []
        s.journal = events
        if command is None:
            resigned = resign(game, s, seat, resigned)
        else:
            answer(game, s, seat, command, resigned)
        s.journal = None
        yield Position(revision, s, resigned, events)


def write(
    game: Game, setup: Any, seats: Sequence[str], secret: bytes, moves: Sequence[Move]
) -> dict[str, Any]:
    """Return the record of a match that is over; *seats* are the names in seat order."""
    digests: list[str] = []
    end: Result | None = None
    for position in positions(game, setup, secret, moves):
        digests.append(digest(game, position.table))
        end = result(game, position.table, position.resigned)
    if end is None:
        raise ValueError("a match that goes on has no record")
    return {
        "format": FORMAT,
        "game": game.id,
        "rules_version": game.version,
        "data_digest": game.data_digest,
        "setup": setups.to_data(game, setup),
        "seats": list(seats),
        "secret": secret.hex(),
        "secret_digest": secret_digest(secret),
        "start_digest": digests[0],
        "commands": [
            [seat, RESIGN if command is None else notation.write(command, game.words)]
            for seat, command in moves
        ],
        "digests": digests[1:],
        "result": _result_data(end),
    }


def secret_digest(secret: bytes) -> str:
    """Return the SHA-256 of a match's secret in hex: what is published at its start."""
    return hashlib.sha256(secret).hexdigest()


# ---------------------------------------------------------------- checking a record


class RecordError(Exception):
    """Data that is no record: truncated, or not of the form described above."""


class RecordTooNew(RecordError):
    """A record of a newer form, or of rules that this engine does not know."""


class OtherData(RecordError):
    """A record of a match that was played with other component data than the game at hand."""


class RecordDiffers(RecordError):
    """A record that does not replay: tampered with, or of an engine that played otherwise."""

    def __init__(self, ply: int, reason: str) -> None:
        super().__init__(f"ply {ply}: {reason}" if ply else reason)
        self.ply: Final = ply
        """The first command that differs, from 1; 0 if the match differs before it."""
        self.reason: Final = reason


class Replay(NamedTuple):
    """A record that replays: everything it says is true."""

    game: Game
    setup: Any
    seats: list[str]
    secret: bytes
    moves: list[Move]
    table: Table
    """The table at the end."""
    resigned: list[int]
    result: Result
    checked: list[str]
    """What was checked, in words."""


def game_of(record: Any) -> str:
    """Return the id of the game that *record* is of.

    Raise :exc:`RecordTooNew` or :exc:`RecordError` if it is no record of this form.
    """
    if not isinstance(record, dict):
        raise RecordError("a record is an object with the key 'format'")
    form = record.get("format")
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        raise RecordError("a record names its format: a number from 1")
    if form > FORMAT:
        raise RecordTooNew(f"the record's format {form} is newer than {FORMAT}")
    missing = [name for name in _FORM if name not in record]
    if missing:
        raise RecordError(f"the record lacks {', '.join(missing)}")
    for name, kind in _FORM.items():
        if not isinstance(record[name], kind):
            raise RecordError(f"the record's {name} should be {_KINDS[kind]}")
    extra = [str(name) for name in record if name not in _FORM]
    if extra:
        raise RecordError(f"a record has no {', '.join(extra)}")
    return str(record["game"])


def replay(game: Game, record: Any) -> Replay:
    """Replay *record* of *game* and compare everything it says with what happens.

    Raise :exc:`RecordError` (or :exc:`RecordTooNew`, :exc:`OtherData`) if there is nothing
    to replay, :exc:`RecordDiffers` at the first thing that is not as the record says.
    """
    if game_of(record) != game.id:
        raise RecordError(f"this is a record of {record['game']!r}, not of {game.id!r}")
    if record["rules_version"] != game.version:
        raise RecordTooNew(
            f"it was played by rules {record['rules_version']!r}, these are {game.version!r}"
        )
    if record["data_digest"] != game.data_digest:
        raise OtherData(
            f"it was played with component data {record['data_digest'][:12]}, "
            f"these are {game.data_digest[:12]}"
        )
    secret = _secret(record)
    try:
        setup = setups.from_data(game, record["setup"])
        s = game.new(setup, KeyedChance(secret))
    except InvalidSetup as error:
        raise RecordDiffers(0, f"the setup makes no match: {error}") from None
    if game.seats(s) != len(record["seats"]):
        raise RecordDiffers(
            0, f"the setup has {game.seats(s)} seats, the record names {len(record['seats'])}"
        )
    _compare(0, "the table as it was laid out", record["start_digest"], digest(game, s))
    moves, resigned = _replay_commands(game, record, s)
    end = result(game, s, resigned)
    if end is None:
        raise RecordDiffers(len(moves), "the record ends before the match does")
    if _result_data(end) != record["result"]:
        raise RecordDiffers(
            len(moves), f"the match ended {_result_data(end)}, the record says {record['result']}"
        )
    checked = [
        "the secret is the one whose digest was published before the match",
        "the setup lays out the table that the match began with",
        f"all {len(moves)} commands were legal when they were given",
        f"the table after each of the {len(moves)} commands",
        "the result",
    ]
    seats = [str(name) for name in record["seats"]]
    return Replay(game, setup, seats, secret, moves, s, resigned, end, checked)


def _replay_commands(game: Game, record: Any, s: Table) -> tuple[list[Move], list[int]]:
    texts, digests = record["commands"], record["digests"]
    if len(texts) != len(digests):
        raise RecordError(f"the record has {len(texts)} commands, but {len(digests)} digests")
    kinds = commands_of(game.kinds)
    moves: list[Move] = []
    resigned: list[int] = []
    for ply, (entry, expected) in enumerate(zip(texts, digests, strict=True), 1):
        seat, text = _entry(ply, entry, game.seats(s))
        if result(game, s, resigned) is not None:
            raise RecordDiffers(ply, "the match was over before this command")
        if text == RESIGN:
            if seat in resigned:
                raise RecordDiffers(ply, f"seat {seat} has resigned already")
            resigned = resign(game, s, seat, resigned)
            moves.append((seat, None))
        else:
            command = _command(ply, game, s, seat, text, kinds)
            answer(game, s, seat, command, resigned)
            moves.append((seat, command))
        _compare(ply, f"the table after {text!r} of seat {seat}", expected, digest(game, s))
    return moves, resigned


def _command(ply: int, game: Game, s: Table, seat: int, text: str, kinds: Any) -> Command[Any]:
    try:
        command: Command[Any] = notation.read(text, kinds, game.words)
        check(s, seat, command)
    except notation.NotationError as error:
        raise RecordDiffers(ply, str(error)) from None
    except IllegalCommand as error:
        raise RecordDiffers(ply, f"{text!r} of seat {seat} is illegal: {error}") from None
    except Exception as error:
        raise RecordDiffers(ply, f"{text!r} is no command: {error}") from None
    return command


def _entry(ply: int, entry: Any, seats: int) -> tuple[int, str]:
    if (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and isinstance(entry[1], str)
    ):
        if not 0 <= entry[0] < seats:
            raise RecordDiffers(ply, f"there is no seat {entry[0]}")
        return entry[0], entry[1]
    raise RecordError(f"command {ply} should be [seat, text], found {str(entry)[:60]}")


def _secret(record: Any) -> bytes:
    try:
        secret = bytes.fromhex(record["secret"])
    except ValueError:
        raise RecordError("the secret is no hexadecimal number") from None
    if len(secret) != SECRET_BYTES:
        raise RecordError(f"the secret has {len(secret)} bytes instead of {SECRET_BYTES}")
    _compare(0, "the secret", record["secret_digest"], secret_digest(secret))
    return secret


def _compare(ply: int, what: str, expected: Any, found: str) -> None:
    if expected != found:
        raise RecordDiffers(
            ply, f"{what} has the digest {found[:16]}, the record says {str(expected)[:16]}"
        )


def _result_data(end: Result) -> dict[str, Any]:
    return {
        "won": list(end.won),
        "places": list(end.places),
        "scores": list(end.scores),
        "reasons": list(end.reasons),
    }


_FORM: Final = {
    "format": int,
    "game": str,
    "rules_version": str,
    "data_digest": str,
    "setup": dict,
    "seats": list,
    "secret": str,
    "secret_digest": str,
    "start_digest": str,
    "commands": list,
    "digests": list,
    "result": dict,
}
_KINDS: Final = {int: "a number", str: "text", dict: "an object", list: "a list"}
