"""The real server, in processes of its own, over an embedded store."""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from taflhall_client.ports import free_port
from taflhall_client.processes import Children

_STARTED_SECONDS: Final = 60.0
_COUNTED: Final = re.compile(
    r'^taflhall_rpc_requests_total\{method="([^"]+)".*\} ([\d.e+]+)$', re.MULTILINE
)


class RealServer:
    """A server with an administrators' port; it can be killed and started again."""

    def __init__(self, children: Children, folder: Path) -> None:
        self.address: Final = f"127.0.0.1:{free_port()}"
        self.admin: Final = f"127.0.0.1:{free_port()}"
        self.called: Final[Counter[str]] = Counter()
        """How often each method was called, up to :meth:`count`."""
        self._metrics = free_port()
        self._children = children
        self._store = f"embedded:{folder / 'store'}"
        self._log = folder / "log"
        self.admin_key: Final = self._new_admin()
        self._process = self._start()

    def _new_admin(self) -> str:
        program = [sys.executable, "-m", "taflhall_service.main", "admin", "create-account", "kit"]
        made = subprocess.run(
            [*program, "--role", "admin", "--store", self._store],
            check=True,
            capture_output=True,
            text=True,
        )
        found = re.search(r"tfk_\S+", made.stdout)
        assert found is not None, made.stdout
        return found[0]

    def _start(self) -> subprocess.Popen[bytes]:
        arguments = ["--listen", self.address, "--admin", self.admin, "--store", self._store]
        arguments += ["--metrics", str(self._metrics), "--grace", "0.2", "--heartbeat", "2"]
        with self._log.open("ab") as log:
            return self._children.start("taflhall_service.main", *arguments, log=log)

    async def ready(self) -> None:
        """Wait until the server listens; raise ``RuntimeError`` if it does not start."""
        end = asyncio.get_running_loop().time() + _STARTED_SECONDS
        for address in (self.address, self.admin):
            host, _, port = address.rpartition(":")
            while True:
                if self._process.poll() is not None or asyncio.get_running_loop().time() > end:
                    raise RuntimeError(f"the server did not start:\n{self._log.read_text('utf-8')}")
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_connection(host, int(port))
                    writer.close()
                    break
                await asyncio.sleep(0.05)

    async def restart(self) -> None:
        """Kill the server and start it again at the same addresses."""
        await self.count()
        self._process.kill()
        self._process.wait()
        self._process = self._start()
        await self.ready()

    async def count(self) -> None:
        """Add the calls that the server has counted since it started to :attr:`called`."""
        where = f"http://127.0.0.1:{self._metrics}/metrics"

        def read() -> str:
            with urllib.request.urlopen(where, timeout=10) as reply:
                text: str = reply.read().decode()
                return text

        for method, times in _COUNTED.findall(await asyncio.to_thread(read)):
            self.called[method] += int(float(times))


@contextmanager
def real_server() -> Iterator[RealServer]:
    """Start a real server; it ends with the ``with`` block."""
    with TemporaryDirectory(prefix="taflhall-") as folder, Children() as children:
        yield RealServer(children, Path(folder))
