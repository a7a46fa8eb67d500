"""Addresses of clients: those that one client can choose from are one."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address


def group_of(address: str) -> str:
    """The address as limits count it: of IPv6 the network of 64 bits, within which a client is free."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False))
