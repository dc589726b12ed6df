"""The translator of a game: commands, events, decisions, setups and views as messages and back.

:mod:`~taflhall_wire.mapping` does it field by field; here every value gets its envelope.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

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
from taflhall_wire.field_bytes import nested
from taflhall_wire.mapping import NotUnderstood, ValueMapping, WrongGame, or_unset
from taflhall_wire.texts import Texts

_MAX_CACHED: Final = 4096
_OPTIONS: Final = pb.Decision.OPTIONS_FIELD_NUMBER


class Translator:
    """Translates the vocabulary of one game."""

    def __init__(self, game: Game) -> None:
        self.game: Final = game
        self._values: Final = ValueMapping(game)
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
            message = pb.Command(**{self.game.id: self._values.one_of("Command", command)})
            if len(self._commands) < _MAX_CACHED:
                self._commands[command] = message
                self._interned[id(command)] = (command, message)
        return message

    def command_from(self, message: pb.Command) -> Command[Any]:
        """Return the command of *message*, or raise :exc:`NotUnderstood`."""
        command = self._values.from_one_of(self._values.inner(message, "game"))
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
            if len(self._events) < _MAX_CACHED:
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
            return pb.Event(abandoned=pb.AbandonedEvent(seat=or_unset(event.seat)))
        return pb.Event(**{self.game.id: self._values.one_of("Event", event)})

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
            **{self.game.id: self._values.one_of("Decision", step)},
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
        if len(self._wrapped) < _MAX_CACHED:
            self._wrapped[id(command)] = (command, wrapped)
        return wrapped

    def _option_of(self, command: Command[Any]) -> bytes:
        """Return the serialized option of *command* without text."""
        held = self._options.get(id(command))
        if held is not None and held[0] is command:
            return held[1]
        option = self.option_to(command).SerializeToString()
        if len(self._options) < _MAX_CACHED:
            self._options[id(command)] = (command, option)
        return option

    def step_from(self, message: pb.Decision) -> Waiting[Any]:
        """Return the step that waits, or raise :exc:`NotUnderstood`."""
        step = self._values.from_one_of(self._values.inner(message, "game"))
        if not isinstance(step, Waiting):
            raise NotUnderstood("not a decision")
        return step

    # ---------------------------------------------------------------- setups and views

    def setup_to(self, setup: Value) -> pb.Setup:
        """Return the message of a setup."""
        seats = getattr(setup, "seats", None) or 0
        return pb.Setup(game=self.game.id, seats=seats, **{self.game.id: self._values.build(setup)})

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

    def public_to(self, public: Value) -> pb.PublicView:
        """Return the message of the public part of a view."""
        return pb.PublicView(**{self.game.id: self._values.build(public)})

    def private_to(self, private: Value) -> pb.PrivateView:
        """Return the message of the private part of a view."""
        return pb.PrivateView(**{self.game.id: self._values.build(private)})

    def view_to(self, view: View) -> pb.View:
        """Return the message of a view."""
        return pb.View(
            seat=or_unset(view.seat),
            shared=self.public_to(view.public),
            own=self.private_to(view.private),
        )

    def view_from(self, message: pb.View) -> View:
        """Return the view of *message*, or raise :exc:`NotUnderstood`."""
        public = self._values.read(self._values.inner(message.shared, "game"))
        private = self._values.read(self._values.inner(message.own, "game"))
        return View(seat_in(message), public, private)


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
