"""Free ports of 127.0.0.1, for servers that are killed and come back at the same port.

They lie below the range from which the system gives ports to connections and to servers that
ask for any: one of those could take the port of a server that is dead for a moment.
"""

from __future__ import annotations

import random
import socket
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"
FIRST: Final = 10_000
RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
USUAL_END: Final = 32_768

_given: set[int] = set()


def free_port(spare: int = 0) -> int:
    """Return a port that nobody uses and that was not given before.

    With *spare*, the port that many numbers above it is free too (a cluster's bus).
    """
    end = int(RANGE.read_text("ascii").split()[0]) if RANGE.exists() else USUAL_END
    rng = random.SystemRandom()
    while True:
        port = rng.randrange(FIRST, end - spare)
        wanted = {port, port + spare}
        if not wanted & _given and all(map(_is_free, wanted)):
            _given.update(wanted)
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        try:
            one.bind((HOST, port))
        except OSError:
            return False
    return True
