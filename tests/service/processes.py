"""The server as a process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from tempfile import TemporaryFile
from typing import Any

import grpc


class Process:
    """A ``taflhall-server``. Its log is a file: a pipe that nobody reads would stop it."""

    def __init__(self, *flags: str) -> None:
        self._log = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  (it stays open)
        self.child = subprocess.Popen(
            [sys.executable, "-m", "taflhall_service.main", "--listen", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        assert line.startswith("listening on 127.0.0.1:"), "\n".join([line, *self._logged()])
        self.port = int(line.rpartition(":")[2])

    def channel(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(
            f"127.0.0.1:{self.port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )

    def end(self, number: int = signal.SIGTERM, seconds: float = 60.0) -> tuple[int, list[Any]]:
        """Send a signal; return the exit status and what was logged, line by line."""
        self.child.send_signal(number)
        self.child.communicate(timeout=seconds)
        return self.child.returncode, [json.loads(line) for line in self._logged()]

    def _logged(self) -> list[str]:
        self._log.seek(0)
        return self._log.read().splitlines()
