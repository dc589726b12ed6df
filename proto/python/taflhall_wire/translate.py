"""The translator of a game: commands, events, decisions, setups and views as messages and back.

:mod:`~taflhall_wire.encoder` writes values field by field and :mod:`~taflhall_wire.mapping` reads
them; here every value gets its envelope.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from google.protobuf.message import Message

from taflhall.v1 import match_pb2
from taflhall.v1 import table_pb2 as pb
from taflhall_engine.kernel.agenda import (
    SPECTATOR,
    Abandoned,
    Answered,
    Command,
    Event,
    Resigned,
    TimedOut,
    Undone,
    Waiting,
)
from taflhall_engine.kernel.game import Game, View
from taflhall_engine.kernel.value import Value
from taflhall_wire.encoder import Encode, IdentityMemo, ValueEncoder
from taflhall_wire.field_bytes import NumberField, TextField, nested, text
from taflhall_wire.mapping import NotUnderstood, ValueReader, WrongGame
from taflhall_wire.texts import Texts

_OPTIONS: Final = pb.Decision.OPTIONS_FIELD_NUMBER
_ID: Final = pb.Decision.ID_FIELD_NUMBER
_TEXT: Final = pb.Decision.TEXT_FIELD_NUMBER
_DECIDES: Final = NumberField(pb.Decision.SEAT_FIELD_NUMBER)
_DECISION_RULE: Final = TextField(pb.Decision.RULE_FIELD_NUMBER)
_COMMAND: Final = pb.Option.COMMAND_FIELD_NUMBER
_OPTION_RULE: Final = TextField(pb.Option.RULE_FIELD_NUMBER)
_OPTION_TEXT: Final = pb.Option.TEXT_FIELD_NUMBER
_ANSWERED: Final = pb.Event.ANSWERED_FIELD_NUMBER
_ANSWERED_RULE: Final = TextField(pb.AnsweredEvent.RULE_FIELD_NUMBER)
_ANSWERED_BY: Final = NumberField(pb.AnsweredEvent.SEAT_FIELD_NUMBER)
_ANSWERED_COMMAND: Final = pb.AnsweredEvent.COMMAND_FIELD_NUMBER
_FORCED: Final = NumberField(pb.AnsweredEvent.FORCED_FIELD_NUMBER)
_SECRET: Final = NumberField(pb.AnsweredEvent.SECRET_FIELD_NUMBER)
_EVENT_TEXT: Final = pb.Event.TEXT_FIELD_NUMBER
_VIEWER: Final = NumberField(pb.View.SEAT_FIELD_NUMBER, absent=SPECTATOR)
_SHARED: Final = pb.View.SHARED_FIELD_NUMBER
_OWN: Final = pb.View.OWN_FIELD_NUMBER


class Translator:
    """Translates the vocabulary of one game.

    ``..._bytes`` returns a message serialized, which costs least; ``..._to`` as an object.
    """

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        self._values: Final = ValueReader(game)
        self._encoder: Final = ValueEncoder(game, self._values.messages)
        commands = self._encoder.one_of("Command", self._in(pb.Command))
        self._command: Final = IdentityMemo[Command[Any]](lambda one: commands[type(one)](one))
        self._steps: Final = self._encoder.one_of("Decision", self._in(pb.Decision))
        self._events: Final = self._encoder.one_of("Event", self._in(pb.Event))
        of_the_kernel: dict[type, Encode] = {
            Answered: self._answered,
            Resigned: _resigned,
            TimedOut: _timed_out,
            Undone: _undone,
            Abandoned: _abandoned,
        }
        self._events.update(of_the_kernel)
        self._in_public: Final = self._in(pb.PublicView)
        self._in_private: Final = self._in(pb.PrivateView)
        self._option_bytes: Final = IdentityMemo(self._option)
        self._listed_option: Final = IdentityMemo(self._as_listed)

    def _in(self, message: type[Message]) -> int:
        """Return the number of the game's field in a message that has one for every game."""
        number: int = message.DESCRIPTOR.fields_by_name[self.game.id].number
        return number

    # ---------------------------------------------------------------- commands

    def command_to(self, command: Command[Any]) -> pb.Command:
        """Return the message of *command*."""
        return pb.Command.FromString(self.command_bytes(command))

    def command_bytes(self, command: Command[Any]) -> bytes:
        """Return *command*, serialized."""
        return self._command(command)

    def command_from(self, message: pb.Command) -> Command[Any]:
        """Return the command of *message*, or raise :exc:`NotUnderstood`."""
        command = self._values.from_one_of(self._values.inner(message, "game"))
        if not isinstance(command, Command):
            raise NotUnderstood("not a command")
        return command

    # ---------------------------------------------------------------- events

    def event_to(self, event: Event, texts: Texts | None = None) -> pb.Event:
        """Return the message of an event of the game or of the kernel."""
        return pb.Event.FromString(self.event_bytes(event, texts))

    def event_bytes(self, event: Event, texts: Texts | None = None) -> bytes:
        """Return an event of the game or of the kernel, serialized; with *texts*, with its text."""
        written = self._events[type(event)](event)
        return written if texts is None else written + text(_EVENT_TEXT, texts.event(event))

    def _answered(self, event: Answered) -> bytes:
        command = event.command
        parts = (
            _ANSWERED_RULE[event.rule],
            _ANSWERED_BY[event.seat],
            b"" if command is None else nested(_ANSWERED_COMMAND, self._command(command)),
            _FORCED[event.forced],
            _SECRET[event.secret],
        )
        return nested(_ANSWERED, b"".join(parts))

    def event_from(self, message: pb.Event) -> Event:
        """Return the event of *message*, or raise :exc:`NotUnderstood`."""
        kind = message.WhichOneof("kind")
        if kind == "answered":
            answered = message.answered
            return Answered(
                answered.rule,
                answered.seat,
                self.command_from(answered.command) if answered.HasField("command") else None,
                answered.forced,
                answered.secret,
            )
        if kind == "resigned":
            return Resigned("", message.resigned.seat)
        if kind == "timed_out":
            return TimedOut("", message.timed_out.seat)
        if kind == "undone":
            return Undone("", message.undone.seat, message.undone.answers_undone)
        if kind == "abandoned":
            return Abandoned("", seat_in(message.abandoned))
        event = self._values.from_one_of(self._values.inner(message, "kind"))
        if not isinstance(event, Event):
            raise NotUnderstood("not an event")
        return event

    # ---------------------------------------------------------------- decisions

    def decision_to(
        self,
        step: Waiting[Any],
        seat: int,
        decision_id: str,
        options: Sequence[Command[Any]] | None,
        texts: Texts | None = None,
        view: View | None = None,
    ) -> pb.Decision:
        """Return the message that :meth:`decision_bytes` writes."""
        written = self.decision_bytes(step, seat, decision_id, options, texts, view)
        return pb.Decision.FromString(written)

    def decision_bytes(
        self,
        step: Waiting[Any],
        seat: int,
        decision_id: str,
        options: Sequence[Command[Any]] | None,
        texts: Texts | None = None,
        view: View | None = None,
    ) -> bytes:
        """Return a pending decision, serialized, with *options* if they are given.

        With *texts* everything has a text; *view* is that of the seat, for what options cost.
        """
        parts = [
            text(_ID, decision_id),
            _DECIDES[seat],
            _DECISION_RULE[step.RULE],
            self._steps[type(step)](step),
        ]
        if texts is None:
            parts += self._listed_option.each(options or ())
            return b"".join(parts)
        parts.append(text(_TEXT, texts.decision(step, view)))
        for command in options or ():
            named = text(_OPTION_TEXT, texts.option(command, view))
            parts.append(nested(_OPTIONS, self._option_bytes(command) + named))
        return b"".join(parts)

    def _option(self, command: Command[Any]) -> bytes:
        """Return an option without text, serialized."""
        return nested(_COMMAND, self._command(command)) + _OPTION_RULE[command.RULE]

    def _as_listed(self, command: Command[Any]) -> bytes:
        """Return an option without text as a field of a decision."""
        return nested(_OPTIONS, self._option_bytes(command))

    def step_from(self, message: pb.Decision) -> Waiting[Any]:
        """Return the step that waits, or raise :exc:`NotUnderstood`."""
        step = self._values.from_one_of(self._values.inner(message, "game"))
        if not isinstance(step, Waiting):
            raise NotUnderstood("not a decision")
        return step

    # ---------------------------------------------------------------- setups and views

    def setup_to(self, setup: Value) -> pb.Setup:
        """Return the message of a setup."""
        message = pb.Setup(game=self.game.id, seats=getattr(setup, "seats", None) or 0)
        message.MergeFromString(nested(self._in(pb.Setup), self._encoder.encode(setup)))
        return message

    def setup_from(self, message: pb.Setup) -> Any:
        """Return the setup of *message*; fields it leaves out take their defaults."""
        found = message.WhichOneof("options") or self.game.id
        for name in (found, message.game or found):
            if name != self.game.id:
                raise WrongGame(self.game.id, name)
        fields, _ = self._values.fields_of(self._values.messages["Setup"], self.game.setup_kind)
        options = getattr(message, found)
        left_out = {field.name for field in options.DESCRIPTOR.fields if field.enum_type}
        left_out -= {field.name for field, _ in options.ListFields()}
        given = {n: value for n, value in fields(options).items() if n not in left_out}
        if message.seats:
            given["seats"] = message.seats
        return self.game.setup_kind(**given)

    def public_bytes(self, public: Value) -> bytes:
        """Return the public part of a view, serialized."""
        return nested(self._in_public, self._encoder.encode(public))

    def private_bytes(self, private: Value) -> bytes:
        """Return the private part of a view, serialized."""
        return nested(self._in_private, self._encoder.encode(private))

    def view_to(self, view: View) -> pb.View:
        """Return the message of a view."""
        return pb.View.FromString(self.view_bytes(view))

    def view_bytes(self, view: View) -> bytes:
        """Return a view, serialized."""
        own = self.private_bytes(view.private)
        return join_view(view.seat, self.public_bytes(view.public), own)

    def view_from(self, message: pb.View) -> View:
        """Return the view of *message*, or raise :exc:`NotUnderstood`."""
        public = self._values.read(self._values.inner(message.shared, "game"))
        private = self._values.read(self._values.inner(message.own, "game"))
        return View(seat_in(message), public, private)


def _resigned(event: Resigned) -> bytes:
    return pb.Event(resigned=pb.ResignedEvent(seat=event.seat)).SerializeToString()


def _timed_out(event: TimedOut) -> bytes:
    return pb.Event(timed_out=pb.TimedOutEvent(seat=event.seat)).SerializeToString()


def _undone(event: Undone) -> bytes:
    undone = pb.UndoneEvent(seat=event.seat, answers_undone=event.back)
    return pb.Event(undone=undone).SerializeToString()


def _abandoned(event: Abandoned) -> bytes:
    abandoned = pb.AbandonedEvent(seat=None if event.seat == SPECTATOR else event.seat)
    return pb.Event(abandoned=abandoned).SerializeToString()


def join_view(seat: int, public: bytes, private: bytes) -> bytes:
    """Return the view of *seat* (or the spectator), serialized like its two parts."""
    return _VIEWER[seat] + nested(_SHARED, public) + nested(_OWN, private)


@cache
def translator(game: Game) -> Translator:
    """Return the translator of *game*; there is one for each game object."""
    return Translator(game)


def seat_in(message: pb.View | pb.AbandonedEvent | match_pb2.RecordedCommand) -> int:
    """Return the seat of *message*; -1, a spectator's or the server's, if it has none."""
    return message.seat if message.HasField("seat") else SPECTATOR


def game_of(message: Any) -> str:
    """Return the game that a command or view message is of, or raise."""
    found: str | None = message.WhichOneof("game")
    if found is None:
        raise NotUnderstood(f"{type(message).__name__} names no game")
    return found
