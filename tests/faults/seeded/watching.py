"""Faults in how a match is watched, resumed and left (G6, G11)."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from taflhall_service.app.matches import transaction
from taflhall_service.app.ports.match_store import Version, change_id_of
from taflhall_service.app.watching import channels as hub
from taflhall_service.app.watching import cursor as watch
from taflhall_service.rpc import messages, server
from tests.faults.seeded import exchange


def resumed_one_too_early() -> None:
    """A resumed watch repeats the last command that was sent."""

    def make(resumed: Any) -> Any:
        async def early(self: Any, match: Any, at: Any) -> Any:
            entries = await resumed(self, match, at)
            return entries if isinstance(entries, watch.SnapshotCause) else [*entries[:1], *entries]

        return early

    exchange(watch.Cursor, "_resumed", make)


def resumed_one_too_late() -> None:
    """A resume token is followed from the command after the next."""

    def make(resumed: Any) -> Any:
        async def late(self: Any, match: Any, at: Any) -> Any:
            entries = await resumed(self, match, at)
            return entries if isinstance(entries, watch.SnapshotCause) else entries[1:]

        return late

    exchange(watch.Cursor, "_resumed", make)


def token_passed_over() -> None:
    """A resume token is taken, and a snapshot given without a word."""

    def make(opened: Any) -> Any:
        async def anew(self: Any, token: str) -> Any:
            return await opened(self, "")

        return anew

    exchange(watch.Cursor, "open", make)


def read_before_listening() -> None:
    """A watch reads the match, then begins to listen: what happens in between is lost."""

    def make(opened: Any) -> Any:
        async def gap(self: Any, token: str) -> Any:
            updates = await opened(self, token)
            await asyncio.sleep(0.05)
            if self._channel is not None:
                self._version = self._channel.version
            return updates

        return gap

    exchange(watch.Cursor, "open", make)


def no_poll() -> None:
    """Nobody asks the store: who missed a hint never learns."""

    async def never(self: Any) -> None:
        await asyncio.Event().wait()

    exchange(hub.Hub, "_poll", lambda _: never)


def hint_taken_for_truth() -> None:
    """What a hint says is taken for what has been read."""

    def hinted(self: Any, match_id: str, revision: int, changes: int) -> None:
        channel = self._channels.get(match_id)
        if channel is not None and channel.version.revision < revision:
            channel.version = channel.version._replace(revision=revision)
            channel.wake()

    exchange(hub.Hub, "_hinted", lambda _: hinted)


def sent_before_stored() -> None:
    """Watchers get a command before it is stored, even if it never is."""

    def make(commit: Any) -> Any:
        async def early(at: Any, match: Any, act: Any, key: str, change: Any, now: Any) -> Any:
            at.hub.committed(match.version, change.match, change.entries)
            return await commit(at, match, act, key, change, now)

        return early

    exchange(transaction, "_commit", make)


def event_left_out() -> None:
    """The last of a command's several events is not sent."""

    def make(events: Any) -> Any:
        def fewer(self: Any, game: Any, entry: Any, viewer: int, language: str = "") -> Any:
            sent = events(self, game, entry, viewer, language)
            return sent[:-1] if len(sent) > 1 else sent

        return fewer

    exchange(messages.Writer, "events", make)


def bookmark_ahead() -> None:
    """A heartbeat names a revision that has not been sent yet."""

    class Ahead(watch.Heartbeat):
        def __new__(cls, at: Version, match: Any = None) -> Any:
            return super().__new__(cls, at._replace(revision=at.revision + 1), match)

    exchange(watch, "Heartbeat", lambda _: Ahead)


def view_of_an_earlier_revision() -> None:
    """A view is built once for a match instead of once for a revision."""
    kept: dict[tuple[str, int], Any] = {}

    def make(view: Any) -> Any:
        def once(self: Any, match: Any, seat: int) -> Any:
            return kept.setdefault((match.id, seat), view(self, match, seat))

        return once

    exchange(messages.Writer, "view", make)


def token_not_tied_to_history() -> None:
    """A resume token counts by its number alone."""
    exchange(watch, "matches_history", lambda _: lambda *args: True)


def seats_counted_only() -> None:
    """Changes of the seats are only counted, so two histories look the same."""

    def counted(self: Version) -> Version:
        return self._replace(change_id=change_id_of(self.change_count + 1, 0))

    exchange(Version, "changed", lambda _: counted)


def rewind_not_sent() -> None:
    """An open watch does not learn that the history was rewound."""

    def quietly(self: Any, channel: Any, version: Any) -> None:
        channel.entries.clear()
        channel.version = version

    exchange(hub.Hub, "_rewind", lambda _: quietly)


def drain_without_end() -> None:
    """A server that is to go waits for its streams as long as they like."""

    def make(drain: Any) -> Any:
        async def patiently(self: Any, pause: float, grace: float) -> None:
            await drain(self, pause, 60.0)

        return patiently

    exchange(server.Server, "drain", make)
    drain_without_goodbye()


def drain_without_goodbye() -> None:
    """A server that is to go leaves its streams to the end of the grace."""
    exchange(hub.Hub, "drain", lambda _: lambda self: None)


def watch_moves_past_its_match() -> None:
    """A watch takes in entries that are newer than the match it shows with them."""

    def make(_: Any) -> Any:
        def past(self: Any, entries: Any, match: Any, shown: Any) -> Any:
            updates: list[Any] = []
            for entry in entries:
                newest = shown is not None and shown.revision == entry.revision
                change_id = self._version.change_id
                updates.append(watch.EntryAdded(entry, change_id, shown if newest else None))
                self._version = Version(entry.revision, entry.head, change_id)
            if match is not None and match.over and self._version.revision == match.revision:
                updates.append(watch.End(watch.EndCause.FINISHED, match))
            return updates

        return past

    exchange(watch.Cursor, "_changes", make)


SEEDS: Final = [
    (watch_moves_past_its_match, "cut streams", "G6 cut streams"),
    (resumed_one_too_early, "calm", "G6 unique"),
    (resumed_one_too_late, "calm", "G6 reliable"),
    (token_passed_over, "calm", "G6 resumable"),
    (read_before_listening, "calm", "G6 reliable"),
    (no_poll, "hints", "G6 reliable"),
    (hint_taken_for_truth, "calm", "G6"),
    (sent_before_stored, "calm", "G6"),
    (event_left_out, "calm", "G6 atomic"),
    (bookmark_ahead, "calm", "G6 bookmarkable"),
    (view_of_an_earlier_revision, "calm", "G6 snapshot"),
    (token_not_tied_to_history, "rewind", "G6"),
    (rewind_not_sent, "rewind", "G6"),
    (seats_counted_only, "rewind", "G6"),
    (drain_without_end, "drain", "G11"),
    (drain_without_goodbye, "drain", "G11"),
]
