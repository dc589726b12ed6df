"""What those see of a match who hold no part in it: all of it, all of it late, or nothing.

Every call that tells of a match asks here which :class:`Match` to tell of. Who holds a seat, acts
for one or has created the match sees it as it is; for all others its audience decides.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from taflhall_service.app.access.credentials import Identity
from taflhall_service.app.access.permissions import Caller, caller_or_spectator
from taflhall_service.app.errors import SpectatorsNotAllowed
from taflhall_service.app.model.codec import decode_entry
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import SpectatorPolicy
from taflhall_service.app.model.tokens import read_token
from taflhall_service.app.ports.match_store import StoredEntry, Version
from taflhall_service.app.spectating.delayed_match import MARGIN_MS, DelayedMatch
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.cursor import WatchSource

if TYPE_CHECKING:
    from taflhall_service.app.matches.repository import Matches

DELAYED_VIEWER: Final = -2
"""The viewer of the tokens of those who see a match late; they fit nobody else's."""

IDLE: Final = 64
"""Trails that no stream follows and that are kept all the same."""

PATIENCE: Final = 40
"""How often to wait for what the viewer has seen already, on a server that was ahead."""

PAUSE_SECONDS: Final = 0.05


class Spectators:
    """The trails of this process."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._delayed_matches: OrderedDict[str, DelayedMatch] = OrderedDict()

    async def see(self, match: Match, caller: Caller) -> Match:
        """Return *match* as *caller* may see it, or raise ``SpectatorsNotAllowed``."""
        if match.as_of or not _is_delayed(match, caller) or await self._fully_visible(match):
            return match
        return await self.delayed(match).advance(match)

    async def visible_or_none_by_id(self, match_id: str, identity: Identity) -> Match | None:
        """Return a match for an answer that is given again; ``None`` if the caller sees none.

        Whoever makes the call may have had a part in the match only when it was first answered.
        """
        return await self.visible_or_none(await self._matches.current(match_id), identity)

    async def visible_or_none(self, match: Match, identity: Identity) -> Match | None:
        """Return *match* as the caller may see it, ``None`` if not at all."""
        try:
            return await self.see(match, caller_or_spectator(identity, match))
        except SpectatorsNotAllowed:
            return None

    async def peek(self, match_id: str, identity: Identity) -> Match | None:
        """Return a match as somebody may see it who says nothing of himself.

        It is ``None`` unless a trail of it goes on here: then nothing is done that would take
        longer or less long because of what may not be seen yet.
        """
        if not identity.nobody:
            return None
        delayed = self._delayed_matches.get(match_id)
        if delayed is None or not delayed.following or delayed.channel.deleted:
            return None
        return await delayed.look()

    def source(self, match: Match, caller: Caller, token: str) -> WatchSource:
        """Return where *caller* may watch *match* from, or raise ``SpectatorsNotAllowed``.

        *token* is where he goes on; raise ``Malformed`` if it is none of his.
        """
        if not _is_delayed(match, caller):
            return self._matches
        least = 0
        if token:
            least = read_token(self._matches.server_key, match.id, DELAYED_VIEWER, token).revision
        return DelayedSource(self._matches, self.delayed(match), least)

    def token_owner(self, match: Match, caller: Caller, seat: int) -> int:
        """Return whose tokens *caller* gets who looks at *match* from *seat*."""
        return DELAYED_VIEWER if _is_delayed(match, caller) else seat

    def delayed(self, match: Match) -> DelayedMatch:
        """Return the trail of *match*; there is one for all."""
        delayed = self._delayed_matches.get(match.id)
        if delayed is not None and not delayed.is_of(match):
            delayed.end()
            delayed = None
        if delayed is None:
            delayed = self._delayed_matches[match.id] = DelayedMatch(self._matches, match)
            idle = [name for name, other in self._delayed_matches.items() if not other.users]
            for name in idle[: max(0, len(idle) - IDLE)]:
                self._delayed_matches.pop(name).stop()
        self._delayed_matches.move_to_end(match.id)
        return delayed

    async def _fully_visible(self, match: Match) -> bool:
        """Return whether everybody may see how it is: all is old enough, and no clock runs."""
        if match.clocks is not None and not match.over:
            return False
        changed: int | None = match.kept.get("changed")
        if changed is None:
            changed = (
                match.visible_states[-1].at_ms if match.visible_states else match.origin.created_ms
            )
            if match.revision:
                number = match.revision
                for entry in await self._matches.store.entries(match.id, number, number):
                    found = decode_entry(match.game, match.origin, entry)
                    changed = max(changed, found.at_ms)
            match.kept["changed"] = changed
        now = await self._matches.store.now()
        return changed + match.origin.spectators.delay_ms + MARGIN_MS <= now


class DelayedSource:
    """Where a match is watched from by those who see it late: a trail in the place of all.

    It waits a little until the trail has come to revision *least*, which its viewer has seen
    already, on a server that was a moment ahead.
    """

    def __init__(self, matches: Matches, delayed: DelayedMatch, least: int) -> None:
        self._matches = matches
        self._delayed = delayed
        self._least = least
        self.server_key: Final = matches.server_key
        self.hub: Final = self
        self.store: Final = self

    def open(self, match: Match) -> Channel:
        return self._delayed.join()

    async def listen(self, channel: Channel) -> None:
        await self.current(channel.match.id)

    def observed(self, channel: Channel, version: Version) -> None:
        return  # the trail goes on by itself

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
            await asyncio.sleep(PAUSE_SECONDS)

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
