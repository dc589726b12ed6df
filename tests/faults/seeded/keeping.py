"""Faults that reveal hidden information (G7)."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from typing import Any, Final

import structlog

from taflhall.v1 import table_pb2
from taflhall_engine.kernel.snapshot import dump_table
from taflhall_service.app import errors
from taflhall_service.app.matches import history, past
from taflhall_service.app.matches import table_update as turn
from taflhall_service.app.model import match
from taflhall_service.app.model.match import FINISHED
from taflhall_service.app.spectating import queries
from taflhall_service.rpc import admission, messages
from taflhall_wire.translate import translator
from tests.faults.seeded import exchange


def _fingerprint(game: Any, table: Any) -> bytes:
    """Return a digest of everything on a table, hidden or not."""
    return blake2b(repr(dump_table(game, table)).encode(), digest_size=8).digest()


def secret_shown_before_the_end() -> None:
    """The secret of the random numbers is public from the start."""

    def make(original: Any) -> Any:
        def all_of_it(self: Any, match: Any, language: str) -> Any:
            message = original(self, match, language)
            message.secret = match.origin.secret
            return message

        return all_of_it

    exchange(messages.Writer, "_match", make)


def record_before_the_end() -> None:
    """A record is returned before the match is over."""

    async def at_once(spectators: Any, match_id: str, _: Any) -> Any:
        over = replace(await spectators.matches.current(match_id), status=FINISHED)
        return await history.record_of(spectators.matches.store, over, past.yield_to_others)

    exchange(queries, "record", lambda _: at_once)


def secret_in_an_error() -> None:
    """An error names what it should not."""

    def make(record: Any) -> Any:
        async def telling(spectators: Any, match_id: str, identity: Any) -> Any:
            found = await spectators.matches.current(match_id)
            if not found.over:
                raise errors.NotFinished(match_id=match_id, rng=found.origin.secret.hex())
            return await record(spectators, match_id, identity)

        return telling

    exchange(queries, "record", make)


def seat_secrets_in_the_log() -> None:
    """Every call is logged with the secret it carries."""

    def make(secret_of: Any) -> Any:
        def loudly(context: Any) -> Any:
            secret = secret_of(context)
            structlog.get_logger("rpc").info("call", by=secret)
            return secret

        return loudly

    exchange(admission, "secret_of", make)


def options_in_hidden_order() -> None:
    """Options are listed in an order that hangs on what is hidden."""

    def make(options: Any) -> Any:
        def ordered(self: Any, seat: int) -> Any:
            listed = options(self, seat)
            if self.table is None or len(listed) < 2:
                return listed
            turn_by = _fingerprint(self.game, self.table)[0] % len(listed)
            return listed[turn_by:] + listed[:turn_by]

        return ordered

    exchange(match.Match, "options", make)


def token_from_the_table() -> None:
    """A resume token is made from a digest of the whole table."""

    def make(token_now: Any) -> Any:
        def plain(self: Any, match: Any, seat: int) -> Any:
            if match.table is None:
                return token_now(self, match, seat)
            fingerprint = _fingerprint(match.game, match.table)
            return self.token(match.id, seat, match.version._replace(head=fingerprint))

        return plain

    exchange(messages.Writer, "token_now", make)


def events_unfiltered() -> None:
    """Every viewer gets the events unfiltered."""

    def everything(game: Any, events: Any, viewer: int, language: str = "") -> Any:
        return [translator(game).event_bytes(event) for event in events]

    exchange(messages, "events_seen", lambda _: everything)


def revealing_refusals() -> None:
    """How a command is refused hangs on what is hidden."""

    def make(refusal_of: Any) -> Any:
        def telling(table: Any, seat: int, command: Any) -> Any:
            refusal = refusal_of(table, seat, command)
            odd = blake2b(repr(getattr(table, "deck", "")).encode()).digest()[0] % 2
            kind = type(refusal)
            return kind(refusal.rule, refusal.code + "!" * odd)

        return telling

    exchange(turn, "refusal_of", make)


def size_of_what_is_hidden() -> None:
    """The length of an id hangs on what is hidden."""

    def stretched(fields: Any) -> Any:
        def longer(self: Any, found: Any, seat: int, *how: Any) -> Any:
            message = table_pb2.Decision.FromString(fields(self, found, seat, *how))
            message.id += "=" * (_fingerprint(found.game, found.table)[0] % 3)
            return message.SerializeToString()

        return longer

    exchange(messages.Writer, "decision", stretched)


SEEDS: Final = [
    (secret_shown_before_the_end, "leaks", "G7 canaries"),
    (record_before_the_end, "leaks", "G7"),
    (secret_in_an_error, "leaks", "G7 canaries"),
    (seat_secrets_in_the_log, "leaks", "G7 canaries"),
    (options_in_hidden_order, "leaks", "G7 two worlds"),
    (token_from_the_table, "leaks", "G7 two worlds"),
    (events_unfiltered, "leaks of Champions", "G7 two worlds"),
    (revealing_refusals, "leaks", "G7 two worlds"),
    (size_of_what_is_hidden, "leaks", "G7 two worlds"),
]
