"""The translator of a game: values to messages and back, by the names of both.

A class and its message have the same name and the same fields. A field is translated by its
declaration in the message:

* an enum is the engine's number plus one; UNSPECIFIED means none (-1);
* a message is an object of the class of that name, unset for ``None``;
* a string that denotes a step is the step's notation;
* an optional number is unset for none (-1);
* everything else is copied, lists element by element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from taflhall.v1 import match_pb2
from taflhall.v1 import table_pb2 as pb
from taflhall_engine.kernel import notation
from taflhall_engine.kernel.agenda import (
    Abandoned,
    Answered,
    Command,
    Event,
    Refusal,
    Resigned,
    TimedOut,
    Undone,
    Waiting,
)
from taflhall_engine.kernel.game import Game, NpcResult, Result, ScoreLine, View
from taflhall_engine.kernel.meta_commands import MetaCommand, undo
from taflhall_engine.kernel.notation import snake
from taflhall_engine.kernel.value import Value, field_names
from taflhall_wire.field_bytes import nested
from taflhall_wire.texts import Texts

Convert = Callable[[Any], Any]


class NotUnderstood(ValueError):
    """A message that is empty, or not of the game's vocabulary."""


class WrongGame(NotUnderstood):
    """A message of another game than the one it is for."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected something of {expected}, found something of {found}")
        self.expected: Final = expected
        self.found: Final = found


class Translator:
    """Translates the vocabulary of one game."""

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        module = import_module(f"taflhall.{game.id}.v1.{game.id}_pb2")
        self._messages: Final = module.DESCRIPTOR.message_types_by_name
        self._builders: Final[dict[str, Convert]] = {}
        self._readers: Final[dict[str, Convert]] = {}
        self._commands: Final[dict[Command[Any], pb.Command]] = {}
        self._events: Final[dict[Event, pb.Event]] = {}
        self._options: Final[dict[int, tuple[Command[Any], bytes]]] = {}
        self._wrapped: Final[dict[int, tuple[Command[Any], bytes]]] = {}
        self._interned: Final[dict[int, tuple[Command[Any], pb.Command]]] = {}

    # ---------------------------------------------------------------- commands

    def command_to(self, command: Command[Any]) -> pb.Command:
        """Return the message of *command*. It is shared: do not change it."""
        held = self._interned.get(id(command))
        if held is not None and held[0] is command:
            return held[1]
        message = self._commands.get(command)
        if message is None:
            message = pb.Command(**{self.game.id: self._one_of("Command", command)})
            if len(self._commands) < _KEPT:
                self._commands[command] = message
                self._interned[id(command)] = (command, message)
        return message

    def command_from(self, message: pb.Command) -> Command[Any]:
        """Return the command of *message*, or raise :exc:`NotUnderstood`."""
        command = self._from_one_of(self._inner(message, "game"))
        if not isinstance(command, Command):
            raise NotUnderstood("not a command")
        return command

    # ---------------------------------------------------------------- events

    def event_to(self, event: Event) -> pb.Event:
        """Return the message of an event of the game or of the kernel.

        It is shared: do not change it.
        """
        try:
            message = self._events.get(event)
        except TypeError:  # it holds a list
            return self._event_to(event)
        if message is None:
            message = self._event_to(event)
            if len(self._events) < _KEPT:
                self._events[event] = message
        return message

    def event_with_text(self, event: Event, texts: Texts) -> pb.Event:
        """Return the message of an event with its text."""
        message = pb.Event(text=texts.event(event))
        message.MergeFrom(self.event_to(event))
        return message

    def _event_to(self, event: Event) -> pb.Event:
        if isinstance(event, Answered):
            command = None if event.command is None else self.command_to(event.command)
            return pb.Event(
                answered=pb.AnsweredEvent(
                    rule=event.rule,
                    seat=event.seat,
                    command=command,
                    forced=event.forced,
                    secret=event.secret,
                )
            )
        if isinstance(event, Resigned):
            return pb.Event(resigned=pb.ResignedEvent(seat=event.seat))
        if isinstance(event, TimedOut):
            return pb.Event(timed_out=pb.TimedOutEvent(seat=event.seat))
        if isinstance(event, Undone):
            return pb.Event(undone=pb.UndoneEvent(seat=event.seat, answers_undone=event.back))
        if isinstance(event, Abandoned):
            return pb.Event(abandoned=pb.AbandonedEvent(seat=_or_unset(event.seat)))
        return pb.Event(**{self.game.id: self._one_of("Event", event)})

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
        event = self._from_one_of(self._inner(message, "kind"))
        if not isinstance(event, Event):
            raise NotUnderstood("not an event")
        return event

    # ---------------------------------------------------------------- decisions

    def decision_to(
        self,
        step: Waiting[Any],
        seat: int,
        decision_id: str,
        options: list[Command[Any]] | None,
        texts: Texts | None = None,
        view: View | None = None,
    ) -> pb.Decision:
        """Return the message of a pending decision, with *options* if they are given.

        With *texts* everything has a text; *view* is that of the seat, for what options cost.
        """
        return pb.Decision(
            id=decision_id,
            seat=seat,
            rule=step.RULE,
            options=[self.option_to(c, texts, view) for c in options or ()],
            text="" if texts is None else texts.decision(step, view),
            **{self.game.id: self._one_of("Decision", step)},
        )

    def option_to(
        self, command: Command[Any], texts: Texts | None = None, view: View | None = None
    ) -> pb.Option:
        """Return the message of an option."""
        text = "" if texts is None else texts.option(command, view)
        return pb.Option(command=self.command_to(command), rule=command.RULE, text=text)

    def decision_bytes(
        self,
        step: Waiting[Any],
        seat: int,
        decision_id: str,
        options: list[Command[Any]],
        texts: Texts | None = None,
        view: View | None = None,
    ) -> bytes:
        """Return the serialized message of a pending decision with its options.

        The same as :meth:`decision_to` serialized, but no option is copied: each command is
        serialized once for all the decisions that offer it.
        """
        message = self.decision_to(step, seat, decision_id, None, texts, view).SerializeToString()
        if texts is None:
            return b"".join([message, *[self._option_bytes(command) for command in options]])
        parts = [message]
        for command in options:
            text = pb.Option(text=texts.option(command, view)).SerializeToString()
            parts.append(nested(_OPTIONS, self._option_of(command) + text))
        return b"".join(parts)

    def _option_bytes(self, command: Command[Any]) -> bytes:
        """Return *command* without text as a field of a serialized decision."""
        held = self._wrapped.get(id(command))
        if held is not None and held[0] is command:
            return held[1]
        wrapped = nested(_OPTIONS, self._option_of(command))
        if len(self._wrapped) < _KEPT:
            self._wrapped[id(command)] = (command, wrapped)
        return wrapped

    def _option_of(self, command: Command[Any]) -> bytes:
        """Return the serialized option of *command* without text."""
        held = self._options.get(id(command))
        if held is not None and held[0] is command:
            return held[1]
        option = self.option_to(command).SerializeToString()
        if len(self._options) < _KEPT:
            self._options[id(command)] = (command, option)
        return option

    def step_from(self, message: pb.Decision) -> Waiting[Any]:
        """Return the step that waits, or raise :exc:`NotUnderstood`."""
        step = self._from_one_of(self._inner(message, "game"))
        if not isinstance(step, Waiting):
            raise NotUnderstood("not a decision")
        return step

    # ---------------------------------------------------------------- setups and views

    def setup_to(self, setup: Value) -> pb.Setup:
        """Return the message of a setup."""
        seats = getattr(setup, "seats", None) or 0
        return pb.Setup(game=self.game.id, seats=seats, **{self.game.id: self._build(setup)})

    def setup_from(self, message: pb.Setup) -> Any:
        """Return the setup of *message*; fields it leaves out take their defaults."""
        found = message.WhichOneof("options") or self.game.id
        for name in (found, message.game or found):
            if name != self.game.id:
                raise WrongGame(self.game.id, name)
        fields, _ = self._fields_of(self._messages["Setup"], self.game.setup_kind)
        options = getattr(message, found)
        left_out = {field.name for field in options.DESCRIPTOR.fields if field.enum_type}
        left_out -= {field.name for field, _ in options.ListFields()}
        given = {n: value for n, value in fields(options).items() if n not in left_out}
        if message.seats:
            given["seats"] = message.seats
        return self.game.setup_kind(**given)

    def public_to(self, public: Value) -> pb.PublicView:
        """Return the message of the public part of a view."""
        return pb.PublicView(**{self.game.id: self._build(public)})

    def private_to(self, private: Value) -> pb.PrivateView:
        """Return the message of the private part of a view."""
        return pb.PrivateView(**{self.game.id: self._build(private)})

    def view_to(self, view: View) -> pb.View:
        """Return the message of a view."""
        return pb.View(
            seat=_or_unset(view.seat),
            shared=self.public_to(view.public),
            own=self.private_to(view.private),
        )

    def view_from(self, message: pb.View) -> View:
        """Return the view of *message*, or raise :exc:`NotUnderstood`."""
        public = self._read(self._inner(message.shared, "game"))
        private = self._read(self._inner(message.own, "game"))
        return View(seat_in(message), public, private)

    # ---------------------------------------------------------------- the mapping

    def _inner(self, message: Any, group: str) -> Any:
        found = message.WhichOneof(group)
        if found is None:
            raise NotUnderstood(f"the oneof {group!r} of {type(message).__name__} is empty")
        if found != self.game.id:
            raise WrongGame(self.game.id, found)
        return getattr(message, found)

    def _one_of(self, group: str, value: Value) -> Any:
        make: Any = GetMessageClass(self._messages[group])
        return make(**{snake(type(value).__name__): self._build(value)})

    def _from_one_of(self, message: Any) -> Any:
        found = message.WhichOneof("kind")
        if found is None:
            raise NotUnderstood(f"{type(message).__name__} is empty")
        return self._read(getattr(message, found))

    def _build(self, value: Any) -> Any:
        name = type(value).__name__
        build = self._builders.get(name)
        if build is None:
            build = self._builders[name] = self._builder(self._messages[name])
        return build(value)

    def _read(self, message: Any) -> Any:
        name = message.DESCRIPTOR.name
        read = self._readers.get(name)
        if read is None:
            read = self._readers[name] = self._reader(message.DESCRIPTOR)
        return read(message)

    def _builder(self, descriptor: Descriptor) -> Convert:
        make: Any = GetMessageClass(descriptor)
        plan = [(field.name, self._to_field(field)) for field in descriptor.fields]

        def build(value: Any) -> Any:
            return make(**{name: convert(getattr(value, name)) for name, convert in plan})

        return build

    def _reader(self, descriptor: Descriptor) -> Convert:
        kind = self.game.types.get(descriptor.name)
        if kind is None:
            raise NotUnderstood(f"{descriptor.name} is not in the vocabulary of {self.game.id}")
        fields, optional = self._fields_of(descriptor, kind)
        numbers = {f.name for f in descriptor.fields if f.type == FieldDescriptor.TYPE_INT32}
        absent = {name: _NONE if name in numbers else None for name in optional}

        def read(message: Any) -> Any:
            return kind(**(absent | fields(message)))

        return read

    def _fields_of(self, descriptor: Descriptor, kind: type) -> tuple[Convert, frozenset[str]]:
        """Return what reads the fields of *kind* that a message has, and which may be unset."""
        by_name = {field.name: field for field in descriptor.fields}
        plan = [(n, self._from_field(by_name[n])) for n in field_names(kind) if n in by_name]
        optional = frozenset(n for n, _ in plan if by_name[n].has_presence)

        def fields(message: Any) -> dict[str, Any]:
            return {
                name: convert(getattr(message, name))
                for name, convert in plan
                if name not in optional or message.HasField(name)
            }

        return fields, optional

    def _to_field(self, field: FieldDescriptor) -> Convert:
        one: Convert
        if field.enum_type is not None:
            one = _plus_one
        elif field.message_type is not None:
            one = self._build_or_none
        elif field.type == FieldDescriptor.TYPE_STRING:
            one = self._text_of
        elif field.has_presence and field.type == FieldDescriptor.TYPE_INT32:
            return _or_unset
        else:
            return _same
        return _each(one) if field.is_repeated else one

    def _from_field(self, field: FieldDescriptor) -> Convert:
        one: Convert
        if field.enum_type is not None:
            one = _minus_one
        elif field.message_type is not None:
            one = self._read
        elif field.type == FieldDescriptor.TYPE_STRING and field.name in _STEPS:
            one = self._step_of
        else:
            return list if field.is_repeated else _same
        return _each(one) if field.is_repeated else one

    def _build_or_none(self, value: Any) -> Any:
        return None if value is None else self._build(value)

    def _text_of(self, value: Any) -> Any:
        return notation.write(value, self.game.labels) if isinstance(value, Value) else value

    def _step_of(self, text: str) -> Any:
        try:
            return notation.read(text, self.game.types, self.game.labels)
        except ValueError as error:
            raise NotUnderstood(str(error)) from None


_KEPT: Final = 4096
_NONE: Final = -1
_OPTIONS: Final = pb.Decision.OPTIONS_FIELD_NUMBER
_STEPS: Final = frozenset({"agenda"})


def _same(value: Any) -> Any:
    return value


def _or_unset(value: int | None) -> int | None:
    return None if value == _NONE else value


def _plus_one(value: int) -> int:
    return value + 1


def _minus_one(value: int) -> int:
    return value - 1


def _each(one: Convert) -> Convert:
    return lambda values: [one(v) for v in values]


@cache
def translator(game: Game) -> Translator:
    """Return the translator of *game*; there is one for each game object."""
    return Translator(game)


def seat_in(message: pb.View | pb.AbandonedEvent | match_pb2.RecordedCommand) -> int:
    """Return the seat of *message*; -1, a spectator's or the server's, if it has none."""
    return message.seat if message.HasField("seat") else _NONE


def game_of(message: Any) -> str:
    """Return the game that a command or view message is of, or raise."""
    found: str | None = message.WhichOneof("game")
    if found is None:
        raise NotUnderstood(f"{type(message).__name__} names no game")
    return found


def refusal_to(refusal: Refusal, texts: Texts | None = None) -> pb.Refusal:
    """Return the message of a refusal, with its text if *texts* are given."""
    text = "" if texts is None else texts.refusal(refusal)
    return pb.Refusal(rule=refusal.rule, code=refusal.code, text=text)


def refusal_from(message: pb.Refusal) -> Refusal:
    """Return the refusal of *message*."""
    return Refusal(message.rule, message.code)


def deed_to(deed: MetaCommand) -> match_pb2.MetaCommand.ValueType:
    """Return the number of a meta command; an undo's target is a separate field."""
    return match_pb2.MetaCommand.Value(f"META_COMMAND_{deed.name.upper()}")


def deed_from(message: match_pb2.RecordedCommand) -> MetaCommand:
    """Return the deed of *message*, or raise :exc:`NotUnderstood` if it is an answer."""
    if message.meta_command not in match_pb2.MetaCommand.values() or not message.meta_command:
        raise NotUnderstood("not a meta command")
    name = match_pb2.MetaCommand.Name(message.meta_command).removeprefix("META_COMMAND_").lower()
    return undo(message.answers_undone) if message.answers_undone else MetaCommand(name)


def result_to(
    game: Game,
    result: Result,
    lines: Sequence[Sequence[ScoreLine]] = (),
    texts: Texts | None = None,
) -> pb.GameResult:
    """Return the message of a result; *lines* are those of each seat's score.

    With *texts* every reason, seat and line has a text.
    """
    message = pb.GameResult()
    for reason in result.reasons:
        text = "" if texts is None else texts.result_reason(reason)
        message.reasons.add(id=reason, text=text, rule=game.reason_rule(reason))
    for seat, won in enumerate(result.won):
        own = message.seats.add(seat=seat, won=won)
        if result.places:
            own.place = result.places[seat]
        if result.scores:
            own.score = result.scores[seat]
        if texts is not None:
            own.text = texts.result_line(result, seat)
        for line in lines[seat] if lines else ():
            text = "" if texts is None else texts.score_line(line.id, line.points)
            own.lines.add(id=line.id, rule=line.rule, points=line.points, text=text)
    npc = result.npc
    if npc is not None:
        text = "" if texts is None else texts.npc_line(npc)
        message.npc.CopyFrom(pb.NpcResult(name=npc.name, won=npc.won, score=npc.score, text=text))
    return message


def result_from(message: pb.GameResult) -> Result:
    """Return the result of *message*."""
    seats, npc = message.seats, message.npc
    return Result(
        [seat.won for seat in seats],
        [seat.place for seat in seats if seat.place],
        [seat.score for seat in seats if seat.HasField("score")],
        [reason.id for reason in message.reasons],
        NpcResult(npc.name, npc.won, npc.score) if message.HasField("npc") else None,
    )
