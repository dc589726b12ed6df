"""A watch of the lobby that reconnects: the loop behind ``Client.watch_lobby``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import grpc

from taflhall.v1 import lobby_service_pb2 as lobby
from taflhall.v1 import match_service_pb2 as rpc
from taflhall_client import errors
from taflhall_client.messages import match_info
from taflhall_client.results import MatchInfo
from taflhall_client.watch_loop import Patience


@dataclass(frozen=True, slots=True)
class LobbyUpdate:
    """Something new in the lobby; if all is empty, news were lost: list the matches again."""

    match: MatchInfo | None = None
    """A match that passes the filter, as it is now."""
    gone_match_id: str = ""
    """The id of a match that does not pass the filter, or no longer."""


async def watch_lobby(
    client: Any, wanted: rpc.ListMatchesRequest, patience: float
) -> AsyncGenerator[LobbyUpdate, None]:
    """Yield what changes among the matches that *wanted* asks for, until the caller stops."""
    waiting = Patience(patience, client)
    token = ""
    while True:
        request = lobby.WatchLobbyRequest(filter=wanted, resume_token=token)
        call = client.open(client.lobby_stub.WatchLobby, request)
        failure: errors.TaflhallError = errors.Unreachable("the stream ended")
        try:
            while True:
                async with asyncio.timeout(client.timing.silence):
                    message = await call.read()
                if message is grpc.aio.EOF:
                    break
                waiting.heard()
                for update in message.updates:
                    yield _update(client, update)
                token = message.resume_token
        except grpc.aio.AioRpcError as error:
            failure = await client.failure(error)
        except TimeoutError:
            failure = errors.Unreachable("the stream fell silent")
        finally:
            call.cancel()
        await waiting.wait(failure)


def _update(client: Any, update: lobby.LobbyUpdate) -> LobbyUpdate:
    if update.HasField("match"):
        return LobbyUpdate(match_info(update.match, client.game_or_none(update.match.game)))
    return LobbyUpdate(gone_match_id=update.gone_match_id)
