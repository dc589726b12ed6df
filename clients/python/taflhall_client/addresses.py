"""Addresses of servers: ``host:port``, a gRPC target, or several ``IP:port`` with commas."""

from __future__ import annotations

import ipaddress
from typing import Final

_LOCAL: Final = ("unix:", "unix-abstract:")
_SCHEMES: Final = ("dns:", "ipv4:", "ipv6:")
_MAX_PORT: Final = 65535


def target_of(address: str) -> str:
    """Return the gRPC target of *address*.

    Several addresses are replicas of one service: calls and streams go to those that answer. gRPC
    takes only IP addresses of one version there; raise ``ValueError`` for others.
    """
    if "," not in address or address.startswith((*_LOCAL, *_SCHEMES)):
        return address
    try:
        versions = {ipaddress.ip_address(host).version for host, _ in hosts_and_ports(address)}
    except ValueError:
        versions = set()
    if len(versions) != 1:
        raise ValueError(f"several addresses have to be all IPv4 or all IPv6: {address}")
    return f"ipv{versions.pop()}:{address.replace(' ', '')}"


def hosts_and_ports(address: str) -> list[tuple[str, str]]:
    """Return the two parts of each ``host:port``, or of those of a gRPC target."""
    name = address.rpartition("/")[2]
    for scheme in _SCHEMES:
        name = name.removeprefix(scheme)
    parts = [part.strip().rpartition(":") for part in name.split(",")]
    return [(host.strip("[]"), port) for host, _, port in parts]


def endpoint(address: str) -> tuple[str, int] | None:
    """Return host and port of *address*; ``None`` if there are several, or it has no port."""
    found = hosts_and_ports(address)
    host, port = found[0]
    if len(found) > 1 or not (port.isascii() and port.isdigit()) or int(port[:6]) > _MAX_PORT:
        return None
    return host, int(port)


def is_loopback(address: str) -> bool:
    """Return whether *address* is on this machine; of several, whether all are."""
    if address.startswith(_LOCAL):
        return True
    return all(_is_loopback(host.lower()) for host, _ in hosts_and_ports(address))


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
