"""``taflhall-server``: the entry. It reads the settings and runs a server or an operator's tool.

:mod:`~taflhall_service.process` is one serving process, :mod:`~taflhall_service.supervisor`
runs several.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from taflhall_engine import registry
from taflhall_engine.kernel.components import InvalidData
from taflhall_service.app.errors import Refused
from taflhall_service.observability.logging import configure_logs
from taflhall_service.operate.command import TOOLS, run_tool
from taflhall_service.process import serve_process
from taflhall_service.rpc.tls import BadCertificate
from taflhall_service.settings import Settings, read_settings
from taflhall_service.store.address import (
    STORES,
    BadAddress,
    without_credentials,
)
from taflhall_service.store.embedded import EmbeddedStoreError
from taflhall_service.store.redis.durability import DurabilityTooLow
from taflhall_service.supervisor import supervise, worker_settings


def main() -> None:
    """Run the server until a signal ends it, or one of the operator's tools."""
    if sys.argv[1:2] and sys.argv[1] in TOOLS:
        configure_logs("error")
        sys.exit(run_tool(sys.argv[1:]))
    settings = worker_settings()
    is_worker = settings is not None
    if settings is None:
        settings = read_settings(epilog=_epilog())
    configure_logs(settings.log_level)
    try:
        registry.use_data(Path(settings.data).resolve() if settings.data else None)
    except InvalidData as error:
        sys.exit(_report(str(error)))
    work = supervise(settings) if settings.workers > 1 else serve_process(settings, is_worker)
    status = _run(settings, work)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # a library that hangs must not keep the process


def _run(settings: Settings, work: Coroutine[Any, Any, int]) -> int:
    """Run *work* to its exit status; report what no server can start with."""
    store = without_credentials(settings.store)
    try:
        return _run_loop(work)
    except (BadAddress, BadCertificate, EmbeddedStoreError, DurabilityTooLow) as error:
        return _report(str(error))
    except Refused:
        return _report(f"the store {store} does not answer")
    except OSError as error:
        return _report(f"{error.filename or store}: {error.strerror}")
    except KeyboardInterrupt:
        return 130


def _run_loop(work: Coroutine[Any, Any, int]) -> int:
    if sys.platform == "win32":
        import asyncio

        return asyncio.run(work)
    import uvloop

    return uvloop.run(work)


def _report(what: str) -> int:
    print(f"taflhall-server: {what}", file=sys.stderr)  # noqa: T201
    return 1


def _epilog() -> str:
    stores = "".join(f"  {address:<36}{meaning}\n" for address, meaning in STORES.items())
    tools = "".join(f"  taflhall-server {name:<14}{what}\n" for name, what in TOOLS.items())
    return f"stores:\n{stores}\ntools, each with --help of its own:\n{tools}"


if __name__ == "__main__":
    main()
