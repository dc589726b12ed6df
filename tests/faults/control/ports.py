"""Free ports of 127.0.0.1."""

from __future__ import annotations

import socket
from typing import Final

HOST: Final = "127.0.0.1"

_given: set[int] = set()


def free_port(spare: int = 0) -> int:
    """Return a port that nobody uses and that was not given before.

    With *spare*, the port that many numbers above it is free too (a cluster's bus).
    """
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind((HOST, 0))
            port: int = one.getsockname()[1]
            if port in _given:
                continue
            if spare:
                if port + spare > 65535:
                    continue
                try:
                    other.bind((HOST, port + spare))
                except OSError:
                    continue
            _given.add(port)
            return port
