"""Faults in how commands are stored and answered (G1, G2, G5, G12)."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from taflhall_service.app.access import permissions as access
from taflhall_service.app.matches import submit
from taflhall_service.app.matches.transaction import NO_FINGERPRINT
from taflhall_service.app.model import codec as stored
from taflhall_service.app.ports.match_store import CommitResult, CommitStatus, Durability
from taflhall_service.rpc import match_service
from taflhall_service.store.redis import batcher, durability, transports
from taflhall_service.store.redis import store as redis
from tests.faults.seeded import edit, exchange


def request_ids_forgotten() -> None:
    """A request id is never looked up, so a repetition is a new request."""
    edit(redis, "_COMMIT", "if seen then", "if false then")
    request_ids_not_looked_up_when_refused()


def request_ids_not_looked_up_when_refused() -> None:
    """A repetition is judged by the rules before its id is looked up."""

    def make(peek: Any) -> Any:
        async def peeked(self: Any, match_id: str, key: str) -> Any:
            return (await peek(self, match_id, key))._replace(remembered=None)

        return peeked

    exchange(redis.RedisStore, "peek", make)


def request_ids_of_all_seats_in_one() -> None:
    """A request id counts for the match, not for who calls: others get the stored answer."""
    exchange(access.Caller, "scope", lambda _: property(lambda self: "all"))


def bodies_not_compared() -> None:
    """Another body under a known request id gets the first one's answer."""
    exchange(match_service, "fingerprint", lambda _: lambda method, message: NO_FINGERPRINT)


def repetitions_answered_anew() -> None:
    """A repetition gets the current state of the match instead of the first response."""

    def make(match_after: Any) -> Any:
        async def as_it_is(all_matches: Any, match: Any, first: int, last: int, _: int) -> Any:
            newest, change_id = match.revision, match.version.change_id
            return await match_after(all_matches, match, first, newest, change_id)

        return as_it_is

    exchange(submit, "match_after", make)


def acknowledged_before_stored() -> None:
    """The answer goes out while the commit is still on its way."""
    under_way = set()

    def make(commit: Any) -> Any:
        async def later(self: Any, change: Any) -> Any:
            await asyncio.sleep(0.05)
            return await commit(self, change)

        async def at_once(self: Any, change: Any) -> CommitResult:
            if not change.entries:
                return await commit(self, change)  # type: ignore[no-any-return]
            task = asyncio.ensure_future(later(self, change))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            return CommitResult(CommitStatus.COMMITTED)

        return at_once

    exchange(redis.RedisStore, "commit", make)


def conflicts_taken_for_success() -> None:
    """A commit that lost to another one is acknowledged."""

    def make(commit: Any) -> Any:
        async def always(self: Any, change: Any) -> CommitResult:
            outcome: CommitResult = await commit(self, change)
            lost = outcome.status is CommitStatus.CONFLICT and change.entries
            return CommitResult(CommitStatus.COMMITTED) if lost else outcome

        return always

    exchange(redis.RedisStore, "commit", make)


def head_not_compared() -> None:
    """The store compares the revision but not the history."""
    edit(redis, "_COMMIT", "if now[2] ~= ARGV[2] then", "if false then")


def last_entry_left_out() -> None:
    """Of several commands of one request the last is not written to the history."""

    def make(commit: Any) -> Any:
        async def shorter(self: Any, change: Any) -> Any:
            if len(change.entries) > 3:
                change = change._replace(entries=change.entries[:-1])
            return await commit(self, change)

        return shorter

    exchange(redis.RedisStore, "commit", make)


def written_in_two_steps() -> None:
    """The match is written first and its entries afterwards."""

    def make(commit: Any) -> Any:
        async def two_steps(self: Any, change: Any) -> Any:
            outcome = await commit(self, change._replace(entries=()))
            if outcome.status is CommitStatus.COMMITTED:
                await asyncio.sleep(0.03)
                for entry in change.entries:
                    place = f"taflhall:{{{change.match_id}}}:e"
                    parts = (f"{entry.revision}-0", "head", entry.head, "body", entry.body)
                    await self._client.execute_command("XADD", place, *parts)
            return outcome

        return two_steps

    exchange(redis.RedisStore, "commit", make)


def answers_mixed_up() -> None:
    """Now and then the answers of one round trip go to the wrong callers."""
    trips = 0

    def make(send: Any) -> Any:
        async def turned(self: Any, batch: list[Any]) -> Any:
            nonlocal trips
            reads = [pending for pending in batch if not pending.write]
            trips += len(reads) > 1
            if len(reads) > 1 and trips % 5 == 0:
                replies = [pending.reply for pending in reads]
                for pending, reply in zip(reads, replies[1:] + replies[:1], strict=True):
                    pending.reply = reply
            return await send(self, batch)

        return turned

    exchange(batcher.CommandBatcher, "_send", make)


def every_second_taken_for_always() -> None:
    """A store that writes its file now and then passes for one that fsyncs."""

    exchange(durability, "level_of", lambda _: lambda settings: (Durability.DISK, ""))


def copies_not_waited_for() -> None:
    """The level says copies, but nobody waits for them."""

    def make(init: Any) -> Any:
        def without(
            self: Any, transport: Any, replicas: int = 0, *more: Any, **others: Any
        ) -> None:
            init(self, transport, 0, *more, **others)

        return without

    exchange(batcher.CommandBatcher, "__init__", make)


def waited_for_on_another_connection() -> None:
    """WAIT on a connection that has written nothing waits for nothing."""

    async def elsewhere(self: Any, commands: Any, replicas: int, timeout_ms: int) -> Any:
        answers = await self.exchange(commands)
        other = self._pool.make_connection()
        try:
            await other.connect()
            await other.send_command("WAIT", replicas, timeout_ms)
            reached = await other.read_response()
        finally:
            await other.disconnect()
        return [(answer, reached >= replicas) for answer in answers]

    exchange(transports.SingleNodeTransport, "exchange_replicated", lambda _: elsewhere)


def newer_schema_read() -> None:
    """A match that a newer release stored is read and written as if it were ours."""
    exchange(stored, "SCHEMA", lambda _: 10**6)


SEEDS: Final = [
    (request_ids_forgotten, "calm", "G2|G3"),
    (request_ids_not_looked_up_when_refused, "calm", "G2"),
    (request_ids_of_all_seats_in_one, "calm", "G2|G5"),
    (bodies_not_compared, "calm", "G2"),
    (repetitions_answered_anew, "calm", "G2"),
    (acknowledged_before_stored, "calm", "G1|G5"),
    (conflicts_taken_for_success, "calm", "G1|G5"),
    (head_not_compared, "rewind", "G5|G6"),
    (last_entry_left_out, "calm", "G5"),
    (written_in_two_steps, "kills", "G5"),
    (answers_mixed_up, "calm", "no INTERNAL|G1|G2|G5|G6"),
    (every_second_taken_for_always, "stores", "G5 declared level"),
    (copies_not_waited_for, "stores", "G5 confirmed by copies"),
    (waited_for_on_another_connection, "stores", "G5 confirmed by copies"),
    (newer_schema_read, "stores", "G12"),
]
