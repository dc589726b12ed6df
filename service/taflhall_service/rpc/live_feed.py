"""What a stream sends of a match apart from its history: presence and reactions, if requested."""

from __future__ import annotations

from collections.abc import Sequence

from taflhall.v1 import match_pb2
from taflhall_service.app.matches.repository import Matches
from taflhall_service.app.model.match import Match
from taflhall_service.app.model.signals import PRESENCE, read_reaction
from taflhall_service.app.watching.channels import Channel
from taflhall_service.app.watching.presence import SeatPresence
from taflhall_service.rpc.messages import timestamp

LiveMessage = match_pb2.MatchPresence | match_pb2.SeatReaction


class LiveFeed:
    """The presence and the reactions of a match, for one stream. Close it when done."""

    def __init__(
        self, matches: Matches, channel: Channel, *, with_presence: bool, with_reactions: bool
    ) -> None:
        self._matches = matches
        self._channel = channel
        self._with_presence = with_presence
        self._with_reactions = with_reactions
        self._seen = channel.signal_count
        """How many of the channel's signals have been looked at."""
        self._connected: list[bool] | None = None
        """Which seats were connected when the stream was last sent it."""
        if with_presence:
            matches.presence.follow(channel)

    @property
    def is_behind(self) -> bool:
        """Whether :meth:`news` has something to look at."""
        first = self._with_presence and self._connected is None
        return first or self._channel.signal_count != self._seen

    def close(self) -> None:
        """Follow the match no longer."""
        if self._with_presence:
            self._matches.presence.unfollow(self._channel)

    async def news(self, match: Match) -> Sequence[LiveMessage]:
        """Return what is new since the last call; the presence of all seats in the first.

        *match* is the match as it is now.
        """
        signals = self._channel.signals_after(self._seen)
        self._seen = self._channel.signal_count
        found: list[LiveMessage] = []
        if self._with_presence and (self._connected is None or PRESENCE in signals):
            presence = await self._matches.presence.of(match)
            connected = [seat.connected for seat in presence]
            if connected != self._connected:
                self._connected = connected
                found.append(presence_message(presence))
        if self._with_reactions:
            for reaction in filter(None, map(read_reaction, signals)):
                number = match_pb2.Reaction.ValueType(reaction.reaction)
                found.append(match_pb2.SeatReaction(seat=reaction.seat, reaction=number))
        return found


def presence_message(presence: Sequence[SeatPresence]) -> match_pb2.MatchPresence:
    """Return the presence of all seats of a match."""
    message = match_pb2.MatchPresence()
    for seat, state in enumerate(presence):
        message.seats.add(
            seat=seat, connected=state.connected, last_seen_time=timestamp(state.seen_ms)
        )
    return message
