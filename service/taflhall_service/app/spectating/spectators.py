"""What those see of a match who hold no part in it: all of it, all of it late, or nothing.

Every call that tells of a match asks here which :class:`Match` to tell of. Who holds a seat, acts
for one or has created the match sees it as it is; for all others its audience decides.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from taflhall_service.app.access.permissions import Caller, Identity, onlooker
from taflhall_service.app.errors import SpectatorsNotAllowed
from taflhall_service.app.model.codec import read_entry
from taflhall_service.app.model.history_chain import read_token
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.spectator_policy import Policy
from taflhall_service.app.ports.match_store import StoredEntry, Version
from taflhall_service.app.spectating.delayed_match import MARGIN_MS, Trail
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.cursor import Source

if TYPE_CHECKING:
    from taflhall_service.app.matches.repository import Matches

LATE: Final = -2
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
        self._trails: OrderedDict[str, Trail] = OrderedDict()

    async def seen(self, match: Match, caller: Caller) -> Match:
        """Return *match* as *caller* may see it, or raise ``SpectatorsNotAllowed``."""
        if match.as_of or not _late(match, caller) or await self._settled(match):
            return match
        return await self.trail(match).advance(match)

    async def again(self, match_id: str, identity: Identity) -> Match | None:
        """Return a match for an answer that is given again; ``None`` if the caller sees none.

        Whoever makes the call may have had a part in the match only when it was first answered.
        """
        return await self.told(await self._matches.current(match_id), identity)

    async def told(self, match: Match, identity: Identity) -> Match | None:
        """Return *match* as the caller may see it, ``None`` if not at all."""
        try:
            return await self.seen(match, onlooker(identity, match))
        except SpectatorsNotAllowed:
            return None

    async def glance(self, match_id: str, identity: Identity) -> Match | None:
        """Return a match as somebody may see it who says nothing of himself.

        It is ``None`` unless a trail of it goes on here: then nothing is done that would take
        longer or less long because of what may not be seen yet.
        """
        if not identity.nobody:
            return None
        trail = self._trails.get(match_id)
        if trail is None or not trail.following or trail.channel.gone:
            return None
        return await trail.look()

    def source(self, match: Match, caller: Caller, token: str) -> Source:
        """Return where *caller* may watch *match* from, or raise ``SpectatorsNotAllowed``.

        *token* is where he goes on; raise ``Malformed`` if it is none of his.
        """
        if not _late(match, caller):
            return self._matches
        least = 0
        if token:
            least = read_token(self._matches.server_key, match.id, LATE, token).revision
        return Late(self._matches, self.trail(match), least)

    def viewer(self, match: Match, caller: Caller, seat: int) -> int:
        """Return whose tokens *caller* gets who looks at *match* from *seat*."""
        return LATE if _late(match, caller) else seat

    def trail(self, match: Match) -> Trail:
        """Return the trail of *match*; there is one for all."""
        trail = self._trails.get(match.id)
        if trail is not None and not trail.leads_to(match):
            trail.end()
            trail = None
        if trail is None:
            trail = self._trails[match.id] = Trail(self._matches, match)
            idle = [name for name, other in self._trails.items() if not other.users]
            for name in idle[: max(0, len(idle) - IDLE)]:
                self._trails.pop(name).stop()
        self._trails.move_to_end(match.id)
        return trail

    async def _settled(self, match: Match) -> bool:
        """Return whether everybody may see how it is: all is old enough, and no clock runs."""
        if match.clocks is not None and not match.over:
            return False
        changed: int | None = match.kept.get("changed")
        if changed is None:
            changed = match.faces[-1].at_ms if match.faces else match.origin.created_ms
            if match.revision:
                number = match.revision
                for entry in await self._matches.store.entries(match.id, number, number):
                    found = read_entry(match.game, match.origin, entry)
                    changed = max(changed, found.at_ms)
            match.kept["changed"] = changed
        now = await self._matches.store.now()
        return changed + match.origin.audience.delay + MARGIN_MS <= now


class Late:
    """Where a match is watched from by those who see it late: a trail in the place of all.

    It waits a little until the trail has come to revision *least*, which its viewer has seen
    already, on a server that was a moment ahead.
    """

    def __init__(self, matches: Matches, trail: Trail, least: int) -> None:
        self._matches = matches
        self._trail = trail
        self._least = least
        self.server_key: Final = matches.server_key
        self.hub: Final = self
        self.store: Final = self

    def open(self, match: Match) -> Channel:
        return self._trail.join()

    async def listen(self, channel: Channel) -> None:
        await self.current(channel.match.id)

    def told(self, channel: Channel, version: Version) -> None:
        return  # the trail goes on by itself

    def close(self, channel: Channel) -> None:
        self._trail.leave()

    @property
    def draining(self) -> bool:
        return self._matches.hub.draining

    async def current(self, match_id: str) -> Match:
        patience = PATIENCE
        while True:
            if self._trail.following:
                match = await self._trail.look()
            else:
                match = await self._trail.advance(await self._matches.current(match_id))
            patience -= 1
            if not patience or not match.revision < self._least <= self._trail.known.revision:
                return match
            await asyncio.sleep(PAUSE_SECONDS)

    async def watched(self, channel: Channel) -> Match:
        return self._trail.match

    async def fresh(self, match_id: str) -> Match:
        return self._trail.match

    async def entries(self, match_id: str, first: int, last: int | None) -> list[StoredEntry]:
        newest = self._trail.match.revision
        if first > newest:
            return []
        last = newest if last is None else min(last, newest)
        return await self._matches.store.entries(match_id, first, last)


def _late(match: Match, caller: Caller) -> bool:
    """Return whether *caller* sees *match* late, or raise ``SpectatorsNotAllowed``."""
    policy = match.origin.audience.policy
    if policy == Policy.PUBLIC or not caller.looks_on:
        return False
    if policy == Policy.NONE:
        raise SpectatorsNotAllowed(match_id=match.id)
    return True
