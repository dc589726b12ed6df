"""The administrators' port: its own gRPC server, with nothing on it but AdminService."""

from __future__ import annotations

from typing import Final

import grpc

from taflhall.admin.v1 import admin_service_pb2
from taflhall_service.app.access.accounts import Accounts
from taflhall_service.app.model.limits import Limits
from taflhall_service.app.spectating.spectators import Spectators
from taflhall_service.observability.metrics import Meter
from taflhall_service.rpc.admin_service import AdminService
from taflhall_service.rpc.admission import AdmissionControl
from taflhall_service.rpc.call import CallHandlers
from taflhall_service.rpc.messages import Writer
from taflhall_service.rpc.server import CUT_SECONDS, OPTIONS, listen

SERVICE: Final = admin_service_pb2.DESCRIPTOR.services_by_name["AdminService"]


class AdminServer:
    """AdminService over one port."""

    def __init__(
        self, spectators: Spectators, accounts: Accounts, limits: Limits, meter: Meter
    ) -> None:
        matches = spectators.matches
        admission = AdmissionControl(limits, accounts, secrets=False)
        self.calls = CallHandlers(limits, meter, admission, matches.tracer)
        writer = Writer(matches.server_key, matches.store_clock)
        service = AdminService(spectators, accounts, writer)
        handlers = {
            method.name: self.calls.unary(method, getattr(service, method.name))
            for method in SERVICE.methods
        }
        options = [
            *OPTIONS,
            ("grpc.so_reuseport", 0),
            ("grpc.max_concurrent_streams", limits.connection_calls),
            ("grpc.max_receive_message_length", 4 * limits.request_bytes),
            ("grpc.max_send_message_length", limits.response_bytes),
        ]
        self.server = grpc.aio.server(options=options)
        handler = grpc.method_handlers_generic_handler(SERVICE.full_name, handlers)
        self.server.add_generic_rpc_handlers((handler,))

    async def start(self, address: str, credentials: grpc.ServerCredentials | None = None) -> int:
        """Listen at *address* and return the port."""
        port = listen(self.server, address, credentials)
        await self.server.start()
        return port

    async def stop(self, grace: float) -> None:
        """Refuse new calls, finish those under way within *grace* seconds."""
        self.calls.closing = True
        await self.calls.finish(grace)
        self.calls.cut()
        await self.server.stop(CUT_SECONDS)
