"""Records: how a match runs and how it is written down.

The service and the replay (:mod:`~taflhall_engine.kernel.replay`) share the steps of a
match, so that they cannot differ:

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

:func:`write` makes one and :func:`text` writes it down, :func:`positions` goes through a match;
:mod:`replay` checks a record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from taflhall_engine.kernel import notation, setups
from taflhall_engine.kernel.agenda import (
    Command,
    Event,
    Resigned,
    Table,
    apply,
    asked,
    tell,
)
from taflhall_engine.kernel.chance import KeyedChance
from taflhall_engine.kernel.game import Game, Result
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


def positions(game: Game, setup: Any, secret: bytes, moves: Iterable[Move]) -> Iterator[Position]:
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
    return written(game, setup, seats, secret, moves, digests, end)


def written(
    game: Game,
    setup: Any,
    seats: Sequence[str],
    secret: bytes,
    moves: Sequence[Move],
    digests: Sequence[str],
    end: Result,
) -> dict[str, Any]:
    """Return the record of a match that ended so; *digests* of the table at each revision."""
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
        "digests": list(digests[1:]),
        "result": result_data(end),
    }


def text(record: dict[str, Any]) -> str:
    """Return a record as JSON, one command and one digest a line."""
    lines = []
    for key, value in record.items():
        if key in ("commands", "digests"):
            items = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value)
            lines.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def secret_digest(secret: bytes) -> str:
    """Return the SHA-256 of a match's secret in hex: what is published at its start."""
    return hashlib.sha256(secret).hexdigest()


def result_data(end: Result) -> dict[str, Any]:
    """Return *end* as it stands in a record."""
    return {
        "won": list(end.won),
        "places": list(end.places),
        "scores": list(end.scores),
        "reasons": list(end.reasons),
    }
