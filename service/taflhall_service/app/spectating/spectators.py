"""What spectators see of a match: all of it, all of it with a delay, or nothing.

Every call that shows a match asks here which :class:`Match` to show. Holders, deputies and the
creator see the current match; for all others its spectator settings decide.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final
from weakref import WeakKeyDictionary

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import (
    Action,
    Caller,
    caller_or_spectator,
    require_status,
)
from taflhall_service.app.errors import NoFreeSeat, SpectatorsNotAllowed
from taflhall_service.app.matches.join import JoinMatch
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import OPEN, Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.model.tokens import read_token
from taflhall_service.app.ports.match_store import StoredEntry, Version
from taflhall_service.app.spectating.delayed_match import (
    LINGER_SECONDS,
    MARGIN_MS,
    DelayedMatch,
)
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.cursor import WatchSource

DELAYED_VIEWER: Final = -2
"""The viewer in the tokens of delayed spectators, which other viewers cannot use."""

MAX_IDLE: Final = 64
"""Delayed matches that no stream follows and that are kept all the same."""

PATIENCE: Final = 40
"""How often to wait for a state that the viewer has already seen on a server that was ahead."""

PAUSE_SECONDS: Final = 0.05


class Spectators:
    """Decides what each caller sees of a match."""

    def __init__(self, matches: Matches, linger: float = LINGER_SECONDS) -> None:
        self.matches: Final = matches
        self._linger = linger
        self._delayed_matches: OrderedDict[str, DelayedMatch] = OrderedDict()
        self._changed: WeakKeyDictionary[Match, int] = WeakKeyDictionary()
        """When each match was last changed."""

    @property
    def delayed_matches(self) -> list[DelayedMatch]:
        """The delayed matches that are kept, the one that was used longest ago first."""
        return list(self._delayed_matches.values())

    async def seen_by(self, identity: Identity, match_id: str) -> Match:
        """Return the current match, or an earlier state for a caller who may see only that."""
        return await self.peek(match_id, identity) or await self.matches.current(match_id)

    async def see(self, match: Match, caller: Caller) -> Match:
        """Return *match* as *caller* may see it, or raise ``SpectatorsNotAllowed``."""
        if match.as_of or not _is_delayed(match, caller) or await self._fully_visible(match):
            return match
        return await self.delayed(match).advance(match)

    async def visible_or_none(self, match: Match, identity: Identity) -> Match | None:
        """Return *match* as the caller may see it, ``None`` if not at all."""
        try:
            return await self.see(match, caller_or_spectator(identity, match))
        except SpectatorsNotAllowed:
            return None

    async def shown(self, match: Match | None, match_id: str, identity: Identity) -> Match | None:
        """Return *match* after a request; if that was answered before, as the caller may see it.

        A caller who repeats a request may have had a seat only when it was first answered.
        """
        if match is not None:
            return match
        return await self.visible_or_none(await self.matches.current(match_id), identity)

    async def peek(self, match_id: str, identity: Identity) -> Match | None:
        """Return a match as a caller without a secret or key may see it.

        It is ``None`` unless it is followed late here: then nothing is done whose duration could
        depend on what may not be seen yet.
        """
        if not identity.nobody:
            return None
        delayed = self._delayed_matches.get(match_id)
        if delayed is None or not delayed.following or delayed.channel.deleted:
            return None
        return await delayed.look()

    async def refuse_late_join(self, match: Match, request: JoinMatch) -> None:
        """Raise a less revealing refusal for a caller who may see *match* only with a delay.

        For a caller who may not see that the match has started, its seats are taken.
        """
        caller = caller_or_spectator(request.identity, match)
        policy = match.origin.spectators.policy
        if policy == SpectatorPolicy.PUBLIC or not caller.is_spectator:
            return
        if policy == SpectatorPolicy.DELAYED:
            seen = await self.see(match, caller)
            if seen.status != OPEN:
                require_status(Action.JOIN_MATCH, seen)
        request.choose(match)
        raise NoFreeSeat(match_id=match.id)

    def source(self, match: Match, caller: Caller, token: str) -> WatchSource:
        """Return where *caller* may watch *match* from, or raise ``SpectatorsNotAllowed``.

        *token* is where they resume; raise ``Malformed`` if it is not theirs.
        """
        if not _is_delayed(match, caller):
            return self.matches
        least = 0
        if token:
            key = self.matches.server_key
            least = read_token(key, match.id, DELAYED_VIEWER, token).revision
        return DelayedSource(self.matches, self.delayed(match), least)

    def token_owner(self, match: Match, caller: Caller, seat: int) -> int:
        """Return the viewer in the tokens of *caller*, who views *match* from *seat*."""
        return DELAYED_VIEWER if _is_delayed(match, caller) else seat

    def delayed(self, match: Match) -> DelayedMatch:
        """Return the delayed form of *match*, which all delayed spectators share."""
        known = self._delayed_matches
        delayed = known.get(match.id)
        if delayed is not None and not delayed.is_of(match):
            delayed.end()
            delayed = None
        if delayed is None:
            delayed = known[match.id] = DelayedMatch(self.matches, match, self._linger)
            idle = [name for name, other in known.items() if not other.users]
            for name in idle[: max(0, len(idle) - MAX_IDLE)]:
                known.pop(name).stop()
        known.move_to_end(match.id)
        return delayed

    async def _fully_visible(self, match: Match) -> bool:
        """Return whether everybody may see how it is: all is old enough, and no clock runs."""
        if match.clocks is not None and not match.over:
            return False
        changed = self._changed.get(match)
        if changed is None:
            changed = match.origin.created_ms
            if match.visible_states:
                changed = match.visible_states[-1].at_ms
            if match.revision:
                number = match.revision
                for entry in await self.matches.store.entries(match.id, number, number):
                    found = decode_entry(match.game, match.origin, entry)
                    changed = max(changed, found.at_ms)
            self._changed[match] = changed
        now = await self.matches.store.now()
        return changed + match.origin.spectators.delay_ms + MARGIN_MS <= now


class DelayedSource:
    """What a cursor of a delayed spectator reads.

    It waits a little until the delayed match has come to revision *least*, which its viewer has
    seen already, on a server that was a moment ahead.
    """

    def __init__(
        self,
        matches: Matches,
        delayed: DelayedMatch,
        least: int,
        pause_seconds: float = PAUSE_SECONDS,
    ) -> None:
        self._matches = matches
        self._delayed = delayed
        self._least = least
        self._pause_seconds = pause_seconds
        self.server_key: Final = matches.server_key
        self.hub: Final = self
        self.store: Final = self

    def open(self, match: Match) -> Channel:
        return self._delayed.join()

    async def listen(self, channel: Channel) -> None:
        await self.current(channel.match.id)

    def observed(self, channel: Channel, version: Version) -> None:
        return  # the delayed match advances by itself

    def close(self, channel: Channel) -> None:
        self._delayed.leave()

    @property
    def draining(self) -> bool:
        return self._matches.hub.draining

    async def current(self, match_id: str) -> Match:
        patience = PATIENCE
        while True:
            if self._delayed.following:
                match = await self._delayed.look()
            else:
                match = await self._delayed.advance(await self._matches.current(match_id))
            patience -= 1
            if not patience or not match.revision < self._least <= self._delayed.known.revision:
                return match
            await asyncio.sleep(self._pause_seconds)

    async def watched(self, channel: Channel) -> Match:
        return self._delayed.match

    async def fresh(self, match_id: str) -> Match:
        return self._delayed.match

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        newest = self._delayed.match.revision
        if first > newest:
            return []
        last = newest if last is None else min(last, newest)
        return await self._matches.store.entries(match_id, first, last)


def _is_delayed(match: Match, caller: Caller) -> bool:
    """Return whether *caller* sees *match* late, or raise ``SpectatorsNotAllowed``."""
    policy = match.origin.spectators.policy
    if policy == SpectatorPolicy.PUBLIC or not caller.is_spectator:
        return False
    if policy == SpectatorPolicy.NONE:
        raise SpectatorsNotAllowed(match_id=match.id)
    return True
