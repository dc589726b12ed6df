"""Addresses of servers: ``host:port``, a gRPC target, or several ``IP:port`` with commas."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from taflhall_client.errors import ApiKeyInvalid, InvalidAddress

_LOCAL: Final = ("unix:", "unix-abstract:")
_SCHEMES: Final = ("dns:", "ipv4:", "ipv6:")
_MAX_PORT: Final = 65535
_HOST_AND_PORT: Final = re.compile(r"(?:\[[0-9A-Fa-f:.%]+\]|[^\s/@:\[\]]+):[0-9]{1,5}")
_KEY_PREFIX: Final = "tfk_"


def target_of(address: str) -> str:
    """Return the gRPC target of *address*.

    Several addresses are replicas of one service: calls and streams go to those that answer. gRPC
    takes only IP addresses of one version there. Raise
    :exc:`~taflhall_client.errors.InvalidAddress` for what is not an address.
    """
    if address.startswith((*_LOCAL, *_SCHEMES)):
        return address
    for one in address.split(","):
        if not _is_address(one.strip()):
            raise InvalidAddress(
                f'"{one.strip()}" is not an address: write HOST:PORT, such as localhost:50051',
                message_de=f"„{one.strip()}“ ist keine Adresse: HOST:PORT, etwa localhost:50051",
            )
    if "," not in address:
        return address
    try:
        versions = {ipaddress.ip_address(host).version for host, _ in hosts_and_ports(address)}
    except ValueError:
        versions = set()
    if len(versions) != 1:
        raise InvalidAddress(
            f"several addresses have to be all IPv4 or all IPv6: {address}",
            message_de=f"mehrere Adressen müssen alle IPv4 oder alle IPv6 sein: {address}",
        )
    return f"ipv{versions.pop()}:{address.replace(' ', '')}"


def _is_address(text: str) -> bool:
    found = _HOST_AND_PORT.fullmatch(text)
    return found is not None and 0 < int(text.rpartition(":")[2]) <= _MAX_PORT


def check_key(key: str | None) -> None:
    """Raise :exc:`~taflhall_client.errors.ApiKeyInvalid` if no account can have *key*."""
    if key and not key.startswith(_KEY_PREFIX):
        raise ApiKeyInvalid(
            f"that is not an API key: one reads {_KEY_PREFIX}..., and is not the secret of a seat",
            message_de=f"das ist kein API-Schlüssel: er lautet {_KEY_PREFIX}... und ist nicht das "
            "Geheimnis eines Platzes",
        )


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
