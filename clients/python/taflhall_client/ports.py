"""Free ports of this machine, for servers that are started, killed and started again."""

from __future__ import annotations

import random
import socket
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"
FIRST: Final = 10_000
RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
USUAL_END: Final = 32_768

_reserved: Final[list[socket.socket]] = []


def free_port(spare: int = 0) -> int:
    """Return a port that nobody uses, and that no process which calls this is given meanwhile.

    It lies below the range from which the system gives ports to connections and to servers that
    ask for any: one of those could take the port of a server that does not listen yet, or is dead
    for a moment. With *spare*, the port that many numbers above it is free too.
    """
    end = int(RANGE.read_text("ascii").split()[0]) if RANGE.exists() else USUAL_END
    rng = random.SystemRandom()
    while True:
        port = rng.randrange(FIRST, end - spare)
        held = [_reserve(number) for number in {port, port + spare}]
        found = [each for each in held if each is not None]
        if len(found) == len(held):
            _reserved.extend(found)
            return port
        for each in found:
            each.close()


def _reserve(port: int) -> socket.socket | None:
    """Reserve a port until this process ends; ``None`` if it is in use or reserved.

    The UDP port of the same number is the reservation: it does not keep a server from listening.
    """
    held = socket.socket(type=socket.SOCK_DGRAM)
    try:
        held.bind((HOST, port))
        with socket.socket() as probe:
            probe.bind((HOST, port))
    except OSError:
        held.close()
        return None
    return held
