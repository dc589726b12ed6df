"""More than one store: a primary with a copy, Sentinels over them, a Cluster. All on loopback."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import redis.asyncio
import redis.exceptions
from redis.asyncio.cluster import ClusterNode, RedisCluster

from taflhall_client.ports import HOST, free_port
from tests.faults.control.children import Child, Children
from tests.faults.control.store import Store, program

NAME: Final = "server"
"""What the Sentinels call the primary."""

SLOTS: Final = 16384
SECONDS: Final = 60.0


class Copies:
    """A primary and a store that copies it."""

    def __init__(self, children: Children, folder: Path) -> None:
        self.children: Final = children
        self.folder: Final = folder
        settings = {"repl-diskless-sync-delay": "0", "repl-ping-replica-period": "1"}
        self.primary = Store(children, folder / "one", settings)
        follow = settings | {"replicaof": f"{HOST} {self.primary.port}"}
        self.copy = Store(children, folder / "two", follow)

    async def start(self) -> None:
        """Start both and return when the copy is in step."""
        await self.primary.start()
        await self.copy.start()
        await self.in_step(self.primary)

    async def in_step(self, primary: Store) -> None:
        """Return when *primary* has a copy that is in step."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if await _has_copy(primary):
                return
            await asyncio.sleep(0.05)
        raise TimeoutError("the copy does not come into step")


class Sentinels(Copies):
    """Three Sentinels that watch a primary and its copy."""

    def __init__(self, children: Children, folder: Path) -> None:
        super().__init__(children, folder)
        self.ports: Final = [free_port() for _ in range(3)]

    @property
    def address(self) -> str:
        places = ",".join(f"{HOST}:{port}" for port in self.ports)
        return f"redis+sentinel://{places}/{NAME}"

    async def start(self) -> None:
        """Start all; return when every Sentinel knows the others and the copy."""
        await super().start()
        for number, port in enumerate(self.ports):
            self._sentinel(number, port)
        for port in self.ports:
            await self._knows(port)

    async def failed_over(self) -> None:
        """Return when the Sentinels name another primary, and make it :attr:`primary`."""
        before = self.primary
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if await self._agree() and self.primary is not before:
                return
            await asyncio.sleep(0.05)
        raise TimeoutError("the Sentinels do not fail over")

    async def settled(self) -> None:
        """Return when all Sentinels name the same primary and it has a copy that is in step.

        A store that syncs each write to a busy disk can seem dead to them: then they fail over
        once more, to the store that has just come back.
        """
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if await self._agree() and await _has_copy(self.primary):
                return
            await asyncio.sleep(0.05)
        raise TimeoutError("the copy does not come into step")

    async def _agree(self) -> bool:
        """Return whether all Sentinels name the same primary, and make it :attr:`primary`."""
        named = set()
        for port in self.ports:
            try:
                found = await _ask(port, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
            except (redis.exceptions.RedisError, OSError):
                return False
            named.add(int(found[1]))
        if named == {self.copy.port}:
            self.primary, self.copy = self.copy, self.primary
        return named == {self.primary.port}

    def _sentinel(self, number: int, port: int) -> Child:
        folder = self.folder / f"sentinel{number}"
        folder.mkdir(parents=True)
        file = folder / "sentinel.conf"
        file.write_text(
            f"port {port}\nbind {HOST}\ndir {folder}\nprotected-mode no\n"
            f"sentinel monitor {NAME} {HOST} {self.primary.port} 2\n"
            f"sentinel down-after-milliseconds {NAME} 2000\n"
            f"sentinel failover-timeout {NAME} 3000\nsentinel parallel-syncs {NAME} 1\n",
            "utf-8",
        )
        return self.children.execute([program(), str(file), "--sentinel"], folder / "log")

    async def _knows(self, port: int) -> None:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with suppress(redis.exceptions.RedisError, OSError):
                info = await _ask(port, "SENTINEL", "MASTER", NAME)
                if isinstance(info, dict):
                    known = {_str(name): _str(value) for name, value in info.items()}
                else:
                    known = dict(zip(map(_str, info[::2]), map(_str, info[1::2]), strict=False))
                if known.get("num-slaves") == "1" and known.get("num-other-sentinels") == "2":
                    return
            await asyncio.sleep(0.05)
        raise TimeoutError("the Sentinels do not find each other")


class Cluster:
    """A Cluster of three primaries."""

    def __init__(self, children: Children, folder: Path) -> None:
        settings = {
            "cluster-enabled": "yes",
            "cluster-node-timeout": "2000",
            "cluster-require-full-coverage": "no",
        }
        self.nodes: Final = [
            Store(children, folder / f"node{number}", settings, spare=10_000) for number in range(3)
        ]

    @property
    def address(self) -> str:
        return "redis+cluster://" + ",".join(f"{HOST}:{node.port}" for node in self.nodes)

    async def start(self) -> None:
        """Start the nodes, give each a third of the slots, and return when all agree."""
        await asyncio.gather(*[node.start() for node in self.nodes])
        first, *others = self.nodes
        share = -(-SLOTS // len(self.nodes))
        for number, node in enumerate(self.nodes):
            top = min(SLOTS, (number + 1) * share) - 1
            await node.ask("CLUSTER", "ADDSLOTSRANGE", number * share, top)
            await node.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in others:
            await first.ask("CLUSTER", "MEET", HOST, node.port)
        for node in self.nodes:
            await self.agrees(node)

    async def agrees(self, node: Store) -> None:
        """Return when *node* sees a whole cluster."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with suppress(redis.exceptions.RedisError, OSError):
                info = str(await node.ask("CLUSTER", "INFO"))
                if "ok" in info.partition("cluster_slots")[0] and f"{SLOTS}" in info:
                    return
            await asyncio.sleep(0.05)
        raise TimeoutError("the cluster does not come together")

    async def open_slot(self, slot: int, source: Store, target: Store) -> None:
        """Begin to move a slot: from now on *source* hands its keys over to *target*."""
        await target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", await _id_of(source))
        await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", await _id_of(target))

    async def move_keys(self, slot: int, source: Store, target: Store, most: int = 10) -> bool:
        """Move at most *most* keys of an open slot; return whether it had any."""
        keys = await source.ask("CLUSTER", "GETKEYSINSLOT", slot, most)
        if keys:
            await source.ask("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)
        return bool(keys)

    async def move_slot(self, slot: int, target: Store) -> None:
        """Move a slot from the node that has it, as ``redis-cli --cluster reshard`` does."""
        source = await self.owner(slot)
        if source is target:
            return
        await self.open_slot(slot, source, target)
        while await self.move_keys(slot, source, target):
            pass
        name = await _id_of(target)
        for node in (target, *[node for node in self.nodes if node is not target]):
            await node.ask("CLUSTER", "SETSLOT", slot, "NODE", name)

    async def owner(self, slot: int) -> Store:
        """Return the node that has a slot."""
        for first, last, (_, port, *_), *_ in await self.nodes[0].ask("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                return next(node for node in self.nodes if node.port == port)
        raise LookupError(f"no node has slot {slot}")

    def client(self) -> RedisCluster:
        """Return a client that reads everything; close it."""
        return RedisCluster(startup_nodes=[ClusterNode(HOST, node.port) for node in self.nodes])


async def _id_of(node: Store) -> str:
    return _str(await node.ask("CLUSTER", "MYID"))


async def _has_copy(primary: Store) -> bool:
    with suppress(redis.exceptions.RedisError, OSError):
        info = await primary.ask("INFO", "replication")
        return isinstance(info, dict) and "online" in str(info.get("slave0", ""))
    return False


async def _ask(port: int, *command: Any) -> Any:
    client = redis.asyncio.Redis(host=HOST, port=port, socket_timeout=2)
    try:
        return await client.execute_command(*command)
    finally:
        await client.aclose()


def _str(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
