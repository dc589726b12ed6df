"""Bots that are programs of any language: JSON lines over standard input and output.

Version 1. Every line is one JSON object; the program answers each ``decide`` with one line and may
write anything to standard error. To the program::

    {"taflhall": 1, "type": "start", "game": "champions", "seat": 0, "setup": {...},
     "seconds": 10.0, "version": "..."}
    {"type": "decide", "id": 7, "seat": 0, "rule": "CM-5.1", "decision": "place_worker",
     "seconds": 10.0, "view": {...},
     "options": [{"command": "sail shore=2 ...", "rule": "CM-5.4"}, ...]}
    {"type": "end", "places": [1, 2], "won": [true, false], "scores": [61, 48]}

From the program::

    {"type": "ready"}                      after start; "view": false spares the views
    {"id": 7, "option": 3}                 or {"id": 7, "command": "sail shore=2 ..."}
    {"id": 7, "resign": true}

``view`` holds the fields of the game's ``PublicView`` and ``PrivateView`` as ``public`` and
``private``; commands are in the notation of records. Unknown fields, and messages of an unknown
type, are to be ignored. A program that closes its output, writes something else, or is silent
beyond its time has failed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from taflhall_client.bot import Decision, Resign
from taflhall_client.tournament.description import Limits
from taflhall_client.tournament.line_program import BotEnded, BotSilent, LineProgram, ProtocolError
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.game import Game, Result, View
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names, fields_of

VERSION: Final = 1

_PLAIN: Final = frozenset({int, str, bool, float, type(None)})
"""Most of what a view holds; asking for the type costs less than a call."""


class LineBot:
    """A program as a bot. Enter it as a context to start the program and to end it."""

    def __init__(
        self,
        command: Sequence[str],
        game: Game,
        seat: int,
        setup: Mapping[str, Any],
        limits: Limits,
        time_left: Callable[[], float] | None = None,
    ) -> None:
        self.program: Final = LineProgram(command, limits)
        self._game: Final = game
        self._start: Final = start_message(game, seat, setup, limits.decision_seconds)
        self._limits: Final = limits
        self._time_left: Final = time_left or (lambda: limits.decision_seconds)
        self._views = True
        self._number = 0

    def __enter__(self) -> Self:
        self.program.__enter__()
        try:
            self.program.send(self._start, self._limits.start_seconds)
            ready = self.program.receive(self._limits.start_seconds)
            if ready.get("type") != "ready":
                raise ProtocolError(f'after start comes {{"type": "ready"}}, not {ready}')
            self._views = ready.get("view", True) is not False
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.program.__exit__(kind, error, trace)

    def choose(self, view: View, decision: Decision) -> Command[Any]:
        """Return the program's answer.

        Raise :exc:`ProtocolError`, :exc:`BotSilent`, :exc:`BotEnded`, or :exc:`Resign`.
        """
        self._number += 1
        left = self._time_left()
        shown = view if self._views else None
        message = decide_message(self._game, self._number, shown, decision, left)
        self.program.send(message, left)
        index = chosen(self.program.receive(left), message)
        return decision.options[index]

    def end(self, result: Result) -> None:
        """Send how the match ended; ignore a program that has ended, or does not read."""
        with contextlib.suppress(BotEnded, BotSilent):
            self.program.send(end_message(result))


def start_message(
    game: Game, seat: int, setup: Mapping[str, Any], seconds: float
) -> dict[str, Any]:
    """Return the first message to a program."""
    return {
        "taflhall": VERSION,
        "type": "start",
        "game": game.id,
        "version": game.version,
        "seat": seat,
        "setup": dict(setup),
        "seconds": seconds,
    }


def decide_message(
    game: Game, number: int, view: View | None, decision: Decision, seconds: float
) -> dict[str, Any]:
    """Return the message that asks for a decision."""
    message: dict[str, Any] = {
        "type": "decide",
        "id": number,
        "seat": decision.seat,
        "rule": decision.rule,
        "decision": snake(type(decision.step).__name__),
        "seconds": round(seconds, 3),
    }
    if view is not None:
        message["view"] = {"public": plain(view.public), "private": plain(view.private)}
    message["options"] = [
        {"command": notation.write(option, game.labels), "rule": option.RULE}
        for option in decision.options
    ]
    return message


def end_message(result: Result) -> dict[str, Any]:
    """Return the message that says how the match ended."""
    return {
        "type": "end",
        "places": result.places,
        "won": result.won,
        "scores": result.scores,
    }


def chosen(answer: dict[str, Any], asked: dict[str, Any]) -> int:
    """Return the index of the option that *answer* names.

    *asked* is the message that it answers. Raise :exc:`ProtocolError`, or :exc:`Resign`.
    """
    if answer.get("id") != asked["id"]:
        raise ProtocolError(f"an answer has id {asked['id']}, not {answer.get('id')!r}")
    if answer.get("resign") is True:
        raise Resign
    offered = asked["options"]
    index = answer.get("option")
    if isinstance(index, int) and not isinstance(index, bool):
        if 0 <= index < len(offered):
            return index
        raise ProtocolError(f"option is from 0 to {len(offered) - 1}, not {index}")
    for index, option in enumerate(offered):
        if option["command"] == answer.get("command"):
            return index
    raise ProtocolError(f"neither an option nor a command that is offered: {answer}")


def plain(value: Any) -> Any:
    """Return *value* as JSON data: the fields of a value by name."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list or kind is tuple:
        return [item if type(item) in _PLAIN else plain(item) for item in value]
    if isinstance(value, Value):
        fields = zip(field_names(kind), fields_of(value), strict=True)
        return {name: item if type(item) in _PLAIN else plain(item) for name, item in fields}
    return value
