"""A gRPC server: every method of the contract, admission, health and reflection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final
from weakref import WeakValueDictionary

import grpc
from google.protobuf.descriptor import MethodDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from taflhall.tournament.v1 import tournament_service_pb2
from taflhall.v1 import (
    catalog_service_pb2,
    engine_service_pb2,
    lobby_service_pb2,
    match_service_pb2,
)
from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.jobs.drain import stop_clocks
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.ports.analyst import Analyst, NoAnalyst
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.app.tournaments.tournaments import Tournaments
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.admission import AdmissionControl
from taflhall_service.rpc.call import Call, CallHandlers
from taflhall_service.rpc.catalog_service import CatalogService
from taflhall_service.rpc.command_groups import CommandGroups
from taflhall_service.rpc.engine_service import EngineService
from taflhall_service.rpc.lobby_service import LobbyService
from taflhall_service.rpc.lobby_stream import watch_lobby
from taflhall_service.rpc.match_service import MatchService
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.play_all_stream import play_all
from taflhall_service.rpc.play_stream import play
from taflhall_service.rpc.player import Players
from taflhall_service.rpc.tournament_service import TournamentService
from taflhall_service.rpc.tournament_stream import watch_tournament
from taflhall_service.rpc.watch_stream import follow

CUT_SECONDS: Final = 0.5
"""How long calls that a drain has cut may take to end."""

LIVE: Final = "live"
READY: Final = "ready"

OPTIONS: Final = (
    # a connection that is silent, or stops during the handshake, is closed
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.http2.settings_timeout", 5_000),
    # a peer that has died is found within 40 seconds
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.min_ping_interval_without_data_ms", 20_000),
    ("grpc.http2.max_ping_strikes", 2),
    # streams that are opened and reset at once (CVE-2023-44487) cost others little
    ("grpc.http.overload_protection", 1),
    ("grpc.http2.max_requests_per_read", 2),
    ("grpc.server.max_pending_requests", 2_000),
    ("grpc.server.max_pending_requests_hard_limit", 4_000),
    ("grpc.compression_enabled_algorithms_bitset", 1),
)
"""Channel arguments; gzip is off, since messages are small and CPU is dear."""


@dataclass(frozen=True, slots=True)
class ServedMethod:
    """A method of the contract, and what answers it."""

    descriptor: MethodDescriptor
    handler: grpc.RpcMethodHandler[Any, Any]


class Server:
    """The services over one port."""

    def __init__(
        self,
        spectators: Spectators,
        limits: Limits,
        meter: Meter,
        *,
        reflect: bool,
        share_port: bool,
        accounts: Accounts | None = None,
        proxied: bool = False,
        analyst: Analyst | None = None,
    ) -> None:
        self._spectators = spectators
        self._analyst = analyst or NoAnalyst()
        self._matches = matches = spectators.matches
        self._meter = meter
        self.accounts = accounts or Accounts(matches.store.accounts, limits, matches.store.now)
        admission = AdmissionControl(limits, self.accounts, proxied=proxied)
        self.calls = CallHandlers(limits, meter, admission, matches.tracer)
        self.command_groups: Final = CommandGroups(limits.group_delay_seconds)
        meter.gauge_from(
            "stream_lag_events", "Commands that the slowest watcher lacks", lambda: self.calls.lag
        )
        self.health = HealthServicer()
        self._store_answers = self._draining = False
        options = [
            *OPTIONS,
            ("grpc.so_reuseport", int(share_port)),
            ("grpc.max_concurrent_streams", limits.connection_calls),
            ("grpc.max_receive_message_length", 4 * limits.request_bytes),
            ("grpc.max_send_message_length", limits.response_bytes),
        ]
        self.server = grpc.aio.server(options=options)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        self.methods: Final = tuple(self._methods())
        """Every method of the contract, for other ways to call it than gRPC."""
        for service in _SERVICES:
            handlers = {
                method.descriptor.name: method.handler
                for method in self.methods
                if method.descriptor.containing_service is service
            }
            handler = grpc.method_handlers_generic_handler(service.full_name, handlers)
            self.server.add_generic_rpc_handlers((handler,))
        if reflect:
            names = [service.full_name for service in _SERVICES]
            names += [health_pb2.DESCRIPTOR.services_by_name["Health"].full_name]
            names += [reflection.SERVICE_NAME]
            reflection.enable_server_reflection(names, self.server)

    def _methods(self) -> Iterable[ServedMethod]:
        writer = Writer(self._matches.server_key, self._matches.store_clock)
        limits = self.calls.limits
        service = MatchService(self._spectators, writer, self._meter, self.command_groups)
        players: Players = WeakValueDictionary()

        async def watch(call: Call) -> None:
            await follow(self._spectators, writer, call)

        async def bots(call: Call) -> None:
            await play(self._matches, writer, self._meter, players, call)

        async def lobby(call: Call) -> None:
            await watch_lobby(self._spectators, writer, call)

        async def play_many(call: Call) -> None:
            await play_all(self._matches, writer, self._meter, players, call)

        tournaments = Tournaments(self._matches)

        async def tournament(call: Call) -> None:
            await watch_tournament(self._matches, tournaments, call)

        streams = {
            "WatchMatch": watch,
            "Play": bots,
            "WatchLobby": lobby,
            "WatchTournament": tournament,
            "PlayAll": play_many,
        }
        parts = (
            service,
            LobbyService(self._spectators, writer, self.accounts),
            EngineService(limits, self._matches.server_key, self._analyst),
            CatalogService(limits),
            TournamentService(self._matches, tournaments),
        )
        for descriptor, part in zip(_SERVICES, parts, strict=True):
            for method in descriptor.methods:
                yield ServedMethod(
                    method,
                    self.calls.streaming(method, streams[method.name])
                    if method.server_streaming
                    else self.calls.unary(method, getattr(part, method.name)),
                )

    async def start(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Listen at *address*, in the clear without *credentials*, and return the port."""
        port = listen(self.server, address, credentials)
        await self.server.start()
        self._store_answers = True
        for name in ("", LIVE, READY):
            await self.health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def drain(self, drain_delay: float, grace: float) -> None:
        """Shut down: refuse new calls, end streams with a hint, finish the calls under way."""
        self._draining = True
        self._meter.draining.set(1)
        await self.health.set(READY, health_pb2.HealthCheckResponse.NOT_SERVING)
        await self.health.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
        await asyncio.sleep(drain_delay)  # routers notice
        self.calls.closing = True
        self.calls.admission.release()
        end = monotonic() + grace
        await stop_clocks(self._matches, grace / 2)
        self._matches.hub.drain()
        await self.calls.finish(end - monotonic())
        self.calls.cut()
        await self._matches.idle(grace)
        await self.server.stop(CUT_SECONDS)
        await self.accounts.stop()

    @property
    def is_ready(self) -> bool:
        """Whether new calls are accepted, as the health service reports."""
        return self._store_answers and not self._draining

    async def ready(self, yes: bool) -> None:
        """Set whether the store answers, which readiness depends on."""
        self._store_answers = yes
        serving = health_pb2.HealthCheckResponse
        if not self.calls.closing:
            await self.health.set(READY, serving.SERVING if yes else serving.NOT_SERVING)


def listen(
    server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None
) -> int:
    """Open *address* for a server, in the clear without *credentials*, and return the port."""
    if credentials is None:
        return server.add_insecure_port(address)
    return server.add_secure_port(address, credentials)


_SERVICES: Final = (
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    lobby_service_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    engine_service_pb2.DESCRIPTOR.services_by_name["EngineService"],
    catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"],
    tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"],
)
