"""Translates requests into the values of the use cases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from taflhall.v1 import match_pb2, match_service_pb2, table_pb2
from taflhall_engine import registry
from taflhall_engine.kernel import record, setups
from taflhall_engine.kernel.agenda import Command
from taflhall_engine.kernel.drafts import whole
from taflhall_engine.kernel.game import Game
from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.errors import Malformed, UnknownGame, WrongGame
from taflhall_service.app.matches.indexes import words_of
from taflhall_service.app.matches.table_update import Answer, CommandAnswer
from taflhall_service.app.model.clocks import TimeControl, TimeoutPolicy
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.model.spectator_policy import (
    MAX_DELAY_MS,
    MIN_DELAY_MS,
    SpectatorPolicy,
    SpectatorSettings,
)
from taflhall_service.app.ports.match_store import FINGERPRINT_BYTES
from taflhall_service.app.spectating.match_list import MatchFilter, resolve_account
from taflhall_service.rpc.messages import STATUSES
from taflhall_wire import mapping, translate
from taflhall_wire.mapping import NotUnderstood
from taflhall_wire.outcomes import meta_command_from, result_from
from taflhall_wire.texts import languages_of, lookup
from taflhall_wire.translate import translator

_STATUS_NAMES: Final = {number: name for name, number in STATUSES.items()}

MAX_LANGUAGE_TAG: Final = 35
"""Characters of a language tag; RFC 5646 wants room for as many."""


def game_named(name: str, field: str = "game") -> Game:
    """Return the game called *name*, or raise ``UnknownGame``; *field* is where it was named."""
    if not name:
        raise Malformed(field=field, expected=f"one of {', '.join(registry.GAMES)}")
    try:
        return registry.game(name)
    except registry.UnknownGame:
        raise UnknownGame(game=name[:64], games=",".join(registry.GAMES)) from None


def game_of(message: Any, field: str) -> Game:
    """Return the game that a setup, command or view is of."""
    try:
        return game_named(translate.game_of(message))
    except NotUnderstood:
        raise Malformed(field=field, expected=f"one of {', '.join(registry.GAMES)}") from None


def setup_of(message: table_pb2.Setup) -> tuple[Game, Any]:
    """Return the game and the setup that a message describes."""
    game = game_named(message.game or message.WhichOneof("options") or "", "setup.game")
    try:
        return game, translator(game).setup_from(message)
    except mapping.WrongGame as error:
        raise WrongGame(game=error.expected, found=error.found) from None
    except (NotUnderstood, TypeError):
        raise Malformed(field="setup", expected=f"a setup of {game.id}") from None


def command_of(message: table_pb2.Command, field: str) -> CommandAnswer:
    """Return the command that a message says in full; of a game not played here, its name."""
    name = message.WhichOneof("game")
    if name is not None and name not in registry.GAMES:
        return CommandAnswer(name, Command())
    game = game_of(message, field)
    try:
        return CommandAnswer(game.id, translator(game).command_from(message))
    except (NotUnderstood, TypeError):
        raise Malformed(field=field, expected=f"a command of {game.id}") from None


def record_of(message: match_pb2.MatchRecord) -> tuple[Game, dict[str, Any]]:
    """Return the game and the record that a message says, unverified."""
    game, setup = setup_of(message.match.setup)
    words, match = translator(game), message.match
    try:
        commands = [
            [
                translate.seat_in(entry),
                record.action_text(
                    game,
                    meta_command_from(entry)
                    if entry.meta_command
                    else whole([words.command_from(step) for step in entry.commands]),
                ),
            ]
            for entry in message.commands
        ]
        result = record.result_data(result_from(match.result))
        laid_out = setups.to_data(game, setup)
    except (NotUnderstood, TypeError, ValueError, IndexError):
        raise Malformed(field="record", expected=f"a record of {game.id}") from None
    return game, {
        "format": record.FORMAT,
        "game": game.id,
        "rules_version": match.rules_version,
        "data_digest": match.data_digest.hex(),
        "setup": laid_out,
        "seats": [seat.name for seat in match.seats],
        "secret": match.secret.hex(),
        "secret_digest": match.secret_digest.hex(),
        "start_digest": message.start_digest.hex(),
        "commands": commands,
        "digests": [entry.digest.hex() for entry in message.commands],
        "result": result,
    }


def time_control_of(message: match_pb2.TimeControl) -> TimeControl:
    """Return the clock settings that a message says; the use case judges them."""
    try:
        policy = TimeoutPolicy(message.on_timeout or match_pb2.TIMEOUT_POLICY_NEUTRAL)
    except ValueError:
        raise Malformed(field="time_control.on_timeout", expected="a TimeoutPolicy") from None
    base, increment, free = (
        _ms(getattr(message, name), f"time_control.{name}")
        for name in ("base", "increment", "per_decision")
    )
    return TimeControl(base, increment, free, policy)


def _ms(length: Duration, field: str) -> int:
    """Return a length of time in milliseconds."""
    seconds, nanos = length.seconds, length.nanos
    if abs(nanos) >= 10**9 or seconds * nanos < 0:
        expected = "nanos of the sign of seconds, and less than a second of them"
        raise Malformed(field=field, expected=expected)
    return length.ToMilliseconds()


def spectators_of(message: match_pb2.SpectatorSettings) -> SpectatorSettings:
    """Return the spectators that a message describes."""
    try:
        policy = SpectatorPolicy(message.policy or match_pb2.SPECTATOR_POLICY_PUBLIC)
    except ValueError:
        names = ", ".join(match_pb2.SpectatorPolicy.keys())
        raise Malformed(field="spectators.policy", expected=names) from None
    delay = _ms(message.delay, "spectators.delay")
    if policy != SpectatorPolicy.DELAYED:
        if message.HasField("delay"):
            raise Malformed(field="spectators.delay", expected="no delay with this policy")
    elif not MIN_DELAY_MS <= delay <= MAX_DELAY_MS:
        raise Malformed(field="spectators.delay", expected="1 second to 1 hour")
    return SpectatorSettings(policy, delay)


def match_filter_of(
    message: match_service_pb2.ListMatchesRequest, identity: Identity
) -> MatchFilter:
    """Return the filter that a message describes, or raise why it is invalid."""
    status = _STATUS_NAMES.get(message.status, "")
    if message.status and not status:
        raise Malformed(field="status", expected=", ".join(match_pb2.MatchStatus.keys()))
    if message.game:
        game_named(message.game)
    if message.seat not in match_service_pb2.SeatFilter.values():
        raise Malformed(field="seat", expected="a SeatFilter")
    if message.order not in match_service_pb2.MatchOrder.values():
        raise Malformed(field="order", expected="a MatchOrder")
    to_decide = message.seat == match_service_pb2.SEAT_FILTER_TO_DECIDE
    invited = message.seat == match_service_pb2.SEAT_FILTER_INVITED
    if (to_decide or invited) and not message.account_id:
        raise Malformed(field="account_id", expected="an account, for this SeatFilter")
    return MatchFilter(
        message.game,
        status,
        resolve_account(identity, message.account_id),
        resolve_account(identity, message.creator_account_id),
        message.seat == match_service_pb2.SEAT_FILTER_FREE,
        to_decide,
        invited,
        tuple(sorted(message.labels.items())),
        tuple(words_of(message.text)),
        message.order == match_service_pb2.MATCH_ORDER_OLDEST_FIRST,
    )


def answers_of(
    messages: Sequence[match_service_pb2.DecisionAnswer], limits: Limits | None = None
) -> list[Answer]:
    """Return the answers of a request; there is at least one, and not too many."""
    most = limits.answers if limits is not None else len(messages)
    if not 0 < len(messages) <= most:
        raise Malformed(field="answers", expected=f"1 to {most} answers")
    found: list[Answer] = []
    for index, message in enumerate(messages):
        kind = message.WhichOneof("answer")
        if kind == "option":
            found.append(message.option)
        elif kind == "command":
            found.append(command_of(message.command, f"answers[{index}].command"))
        else:
            raise Malformed(field=f"answers[{index}]", expected="an option or a command")
    return found


def view_of(game: Game, message: table_pb2.View) -> Any:
    """Return the view that a message says."""
    try:
        return translator(game).view_from(message)
    except mapping.WrongGame as error:
        raise WrongGame(game=error.expected, found=error.found) from None
    except (NotUnderstood, TypeError):
        raise Malformed(field="view", expected=f"a view of {game.id}") from None


def language_of(message: Any) -> str:
    """Return the language of the texts that a request asks for; empty for none.

    It is one of the languages in which there are texts, so caches by language stay small.
    """
    tag: str = message.language
    if len(tag) > MAX_LANGUAGE_TAG:
        raise Malformed(field="language", expected=f"0 to {MAX_LANGUAGE_TAG} characters")
    return lookup(tag, _languages()) if tag else ""


@cache
def _languages() -> frozenset[str]:
    return frozenset[str]().union(*[languages_of(registry.game(name)) for name in registry.GAMES])


def kind_of(kind: int) -> int:
    """Return *kind* if it is a SeatKind."""
    if kind not in match_pb2.SeatKind.values():
        raise Malformed(field="kind", expected=", ".join(match_pb2.SeatKind.keys()))
    return kind


def seat_of(message: Any) -> int | None:
    """Return the seat that a request names, if it does."""
    return message.seat if message.HasField("seat") else None


def fingerprint(method: str, message: Message) -> bytes:
    """Return what distinguishes this request from another one with the same id.

    It goes by meaning: the order of fields, defaults that were written out and fields of a newer
    client do not count. The unknown fields of *message* are dropped.
    """
    message.DiscardUnknownFields()
    body = method.encode() + b"\0" + message.SerializeToString(deterministic=True)
    return blake2b(body, digest_size=FINGERPRINT_BYTES).digest()
