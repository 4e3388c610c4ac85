"""Addresses of callers: networks that count as one caller, and lists of networks."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

_NETWORK_BITS = 64
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def network_of(stated: str) -> str:
    """Return an IPv4 address itself, of an IPv6 address the network: one machine may have all of it."""
    address = _parsed(stated)
    if address is None:
        return stated
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), _NETWORK_BITS), strict=False))


def is_among(stated: str, networks: Sequence[str]) -> bool:
    """Tell whether an address lies in one of ``networks``, each an address or a network."""
    address = _parsed(stated)
    return address is not None and any(address in ipaddress.ip_network(network) for network in networks)


def _parsed(stated: str) -> Address | None:
    """Return the address, an IPv4 address that is written as IPv6 as itself; None for any other text."""
    try:
        address = ipaddress.ip_address(stated)
    except ValueError:
        return None
    return (address.ipv4_mapped if address.version == 6 else None) or address
