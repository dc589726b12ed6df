"""The host that a call comes from."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final
from urllib.parse import unquote

SITE_BITS: Final = 64
"""Prefix length of the IPv6 network of one subscriber, which counts as one host."""


@lru_cache(maxsize=4096)
def host_of_peer(peer: str) -> str:
    """Return the host in a peer's name as gRPC gives it, such as ``ipv6:%5B::1%5D:50412``."""
    address = unquote(peer).partition(":")[2] if peer.startswith(("ipv4:", "ipv6:")) else ""
    return host_of_address(address.rpartition(":")[0] or address) if address else peer


@lru_cache(4096)
def host_of_address(text: str) -> str:
    """Return the host that an address counts for: of IPv6 its /64, of any other text itself."""
    try:
        address = ipaddress.ip_address(text.strip().strip("[]").partition("%")[0])
    except ValueError:
        return text.strip()[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((address, SITE_BITS), strict=False))
