"""Replay: checks a record with nothing but the engine.

:func:`replay` sets up the table from the record's setup and secret, gives every command again
and compares the outcome with the record. :func:`recording` writes a record and replays it at once.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import SPECTATOR, IllegalCommand, Table
from taflhall_engine.kernel.chance import SECRET_BYTES
from taflhall_engine.kernel.drafts import whole
from taflhall_engine.kernel.game import Game, InvalidSetup, Result
from taflhall_engine.kernel.mainline import Mainline
from taflhall_engine.kernel.meta_commands import (
    ABANDON,
    UNDO,
    Action,
    MetaCommand,
    Move,
    Withdrawals,
    read_meta_command,
    result,
)
from taflhall_engine.kernel.record import (
    FORMAT,
    STEP_BREAK,
    result_data,
    secret_digest,
    text,
    written,
)
from taflhall_engine.kernel.snapshot import digest
from taflhall_engine.kernel.vocabulary import commands_of


class RecordError(Exception):
    """Data that is not a record: truncated, or not of the form described above."""


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
    withdrawn: Withdrawals
    result: Result
    checked: list[str]
    """The checks that were made, in words."""


def game_of(record: Any) -> str:
    """Return the id of the game that *record* is of.

    Raise :exc:`RecordTooNew` or :exc:`RecordError` if it is not a record of this form.
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
    if not all(isinstance(name, str) and name.isprintable() for name in record["seats"]):
        raise RecordError("the record's seats should be printable names")
    if not isinstance(record.get("match_id", ""), str):
        raise RecordError("the record's match_id should be text")
    extra = [str(name) for name in record if name not in _FORM and name != "match_id"]
    if extra:
        raise RecordError(f"a record has no {', '.join(extra)}")
    return str(record["game"])


def replay(game: Game, record: Any) -> Replay:
    """Replay *record* of *game* and compare everything it says with what happens.

    Raise :exc:`RecordError` (or :exc:`RecordTooNew`, :exc:`OtherData`) if there is nothing
    to replay, :exc:`RecordDiffers` at the first thing that is not as the record says.
    """
    steps = replaying(game, record)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Replay = end.value
            return found


def replaying(game: Game, record: Any, every: int = 1) -> Generator[int, None, Replay]:
    """Do as :func:`replay`, but yield after each command, so that the caller can do other work.

    The table is compared after every command whose number *every* divides, and after the last.
    """
    setup, secret, line = _begin(game, record)
    moves = yield from _replay_commands(line, record, every)
    end = result(game, line.table, line.withdrawn)
    if end is None:
        raise RecordDiffers(len(moves), "the record ends before the match does")
    if result_data(end) != record["result"]:
        raise RecordDiffers(
            len(moves), f"the match ended {result_data(end)}, the record says {record['result']}"
        )
    checked = [
        "the secret is the one whose digest was published before the match",
        "the setup lays out the table that the match began with",
        f"all {len(moves)} commands were legal when they were given",
        "the table at the end"
        if _is_brief(record)
        else f"the table after each of the {len(moves)} commands",
        "the result",
    ]
    seated = record["seats"]
    return Replay(game, setup, seated, secret, moves, line.table, line.withdrawn, end, checked)


def recording(
    game: Game,
    setup: Any,
    seats: Sequence[str],
    secret: bytes,
    moves: Sequence[Move],
    match_id: str = "",
) -> Generator[str, None, dict[str, Any]]:
    """Write the record of a match that is over, by a replay of what the record says.

    The record is the same as that of :func:`.record.write`, but *moves* are not trusted. What is
    carried out is read from the text of the record: it has to be what was given, and legal. So the
    record replays. Yield the digest of the table as it is laid out and after each command, so that
    the caller can compare it or do other work. Raise as :func:`replay` does.
    """
    record = written(game, setup, seats, secret, moves, [""], None, match_id)
    said = json.loads(text(record))
    found_setup, found_secret, line = _lay_out(game, said)
    if (found_setup, found_secret) != (setup, secret):
        raise RecordDiffers(0, "setup or secret read otherwise than they were written")
    record["start_digest"] = start = digest(game, line.table)
    yield start
    digests: list[str] = record["digests"]
    for move in _moves(line, said["commands"]):
        if move != moves[len(digests)]:
            what = f"{said['commands'][len(digests)]} reads otherwise than it was given"
            raise RecordDiffers(len(digests) + 1, what)
        digests.append(digest(game, line.table))
        yield digests[-1]
    end = result(game, line.table, line.withdrawn)
    if end is None:
        raise RecordDiffers(len(digests), "the moves end before the match does")
    record["result"] = result_data(end)
    return record


def resume(game: Game, record: Any) -> tuple[Any, bytes, list[Move]]:
    """Return setup, secret and moves of a match that :func:`.record.save` wrote.

    Raise :exc:`RecordError` as :func:`replay` does.
    """
    setup, secret, line = _begin(game, record)
    steps = _replay_commands(line, record)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return setup, secret, end.value


def _begin(game: Game, record: Any) -> tuple[Any, bytes, Mainline]:
    """Return setup, secret and the table as it was laid out, compared with the record."""
    setup, secret, line = _lay_out(game, record)
    _compare(0, "the table as it was laid out", record["start_digest"], digest(game, line.table))
    return setup, secret, line


def _lay_out(game: Game, record: Any) -> tuple[Any, bytes, Mainline]:
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
        line = Mainline(game, setup, secret, _has_undo(record))
    except InvalidSetup as error:
        raise RecordDiffers(0, f"the setup makes no match: {error}") from None
    seats = game.seats(line.table)
    if seats != len(record["seats"]):
        raise RecordDiffers(
            0, f"the setup has {seats} seats, the record names {len(record['seats'])}"
        )
    return setup, secret, line


def _has_undo(record: Any) -> bool:
    return UNDO in str(record["commands"])


def _is_brief(record: Any) -> bool:
    """Return whether *record* has the digest of the last table alone."""
    return len(record["digests"]) == 1 < len(record["commands"])


def _replay_commands(
    line: Mainline, record: Any, every: int = 1
) -> Generator[int, None, list[Move]]:
    game = line.game
    texts, digests = record["commands"], record["digests"]
    brief = _is_brief(record)
    if len(texts) != len(digests) and not brief:
        raise RecordError(f"the record has {len(texts)} commands, but {len(digests)} digests")
    moves: list[Move] = []
    for ply, (seat, action) in enumerate(_moves(line, texts), 1):
        moves.append((seat, action))
        if ply == len(texts) or (ply % every == 0 and not brief):
            what = f"the table after {texts[ply - 1][1]!r} of seat {seat}"
            _compare(ply, what, digests[-1 if brief else ply - 1], digest(game, line.table))
        yield ply
    return moves


def _moves(line: Mainline, entries: list[Any]) -> Iterator[Move]:
    """Read the moves of a record, carry each out on *line* and yield it."""
    game = line.game
    kinds = commands_of(game.types)
    known: dict[str, Action] = {}
    for ply, entry in enumerate(entries, 1):
        seat, given = _entry(ply, entry, game.seats(line.table))
        if result(game, line.table, line.withdrawn) is not None:
            raise RecordDiffers(ply, "the match was over before this command")
        action = known.get(given)
        if action is None:
            action = known[given] = _read(ply, game, given, kinds)
        if isinstance(action, MetaCommand):
            reason = line.why_not(seat, action)
            if reason:
                raise RecordDiffers(ply, f"{given!r} of seat {seat}: {reason}")
            line.push(seat, action)
        else:
            _answer(ply, line, seat, action, given)
        yield seat, action


def _read(ply: int, game: Game, given: str, kinds: Any) -> Action:
    action = read_meta_command(given)
    if action is not None:
        return action
    try:
        return whole([notation.read(step, kinds, game.labels) for step in given.split(STEP_BREAK)])
    except notation.NotationError as error:
        raise RecordDiffers(ply, str(error)) from None
    except Exception as error:
        raise RecordDiffers(ply, f"{given!r} is not a command: {error}") from None


def _answer(ply: int, line: Mainline, seat: int, action: Action, given: str) -> None:
    try:
        line.push_checked(seat, action)
    except IllegalCommand as error:
        raise RecordDiffers(ply, f"{given!r} of seat {seat} is illegal: {error}") from None
    except Exception as error:
        raise RecordDiffers(ply, f"{given!r} is not a command: {error}") from None


def _entry(ply: int, entry: Any, seats: int) -> tuple[int, str]:
    if (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and isinstance(entry[1], str)
    ):
        by_server = entry == [SPECTATOR, ABANDON.name]
        if not 0 <= entry[0] < seats and not by_server:
            raise RecordDiffers(ply, f"there is no seat {entry[0]}")
        return entry[0], entry[1]
    raise RecordError(f"command {ply} should be [seat, text], found {str(entry)[:60]}")


def _secret(record: Any) -> bytes:
    try:
        secret = bytes.fromhex(record["secret"])
    except ValueError:
        raise RecordError("the secret is not a hexadecimal number") from None
    if len(secret) != SECRET_BYTES:
        raise RecordError(f"the secret has {len(secret)} bytes instead of {SECRET_BYTES}")
    _compare(0, "the secret", record["secret_digest"], secret_digest(secret))
    return secret


def _compare(ply: int, what: str, expected: Any, found: str) -> None:
    if expected != found:
        said, short = str(expected), 16
        if said[:short] == found[:short]:
            short = max(len(said), len(found))
        raise RecordDiffers(
            ply, f"{what} has the digest {found[:short]}, the record says {said[:short]}"
        )


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
