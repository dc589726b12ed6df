"""A watch of the lobby that reconnects: the loop behind ``Client.watch_lobby``."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Any

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client.messages import match_info
from taflhall_client.results import MatchInfo
from taflhall_client.resuming import updates


@dataclass(frozen=True, slots=True)
class LobbyUpdate:
    """Something new in the lobby; if all is empty, news were lost: list the matches again."""

    match: MatchInfo | None = None
    """A match that passes the filter, as it is now."""
    gone_match_id: str = ""
    """The id of a match that does not pass the filter, or no longer."""


def watch_lobby(
    client: Any, wanted: rpc.ListMatchesRequest, patience: float
) -> AsyncGenerator[LobbyUpdate, None]:
    """Yield what changes among the matches that *wanted* asks for, until the caller stops."""
    return updates(client, _LobbySource(client, wanted), patience)


class _LobbySource:
    over = False

    def __init__(self, client: Any, wanted: rpc.ListMatchesRequest) -> None:
        self._client = client
        self._request = lobby.WatchLobbyRequest(filter=wanted)

    async def open(self) -> Any:
        return self._client.open(self._client.lobby_stub.WatchLobby, self._request)

    def take(self, message: lobby.WatchLobbyResponse) -> Iterator[LobbyUpdate]:
        for update in message.updates:
            yield self._update(update)
        self._request.resume_token = message.resume_token

    def _update(self, update: lobby.LobbyUpdate) -> LobbyUpdate:
        if update.HasField("match"):
            game = self._client.game_or_none(update.match.game)
            return LobbyUpdate(match_info(update.match, game))
        return LobbyUpdate(gone_match_id=update.gone_match_id)
