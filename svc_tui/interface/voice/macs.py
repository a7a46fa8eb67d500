"""MAC addresses of devices: read in any common notation, kept and shown in one."""

from __future__ import annotations

import re

_OCTETS = 6
_SEPARATORS = re.compile(r"[:.\-\s]")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_WHOLE = "needs 12 hexadecimal digits"


def mac_address(text: str) -> str:
    """A MAC address as the interface keeps it: six pairs of small letters and digits with colons between.

    Read are pairs with colons, hyphens or blanks, groups of four or six digits, and bare digits: always twelve of
    them, because nobody can tell where a missing one belongs. ValueError, with a sentence, for anything else and for
    addresses that no single device can have.
    """
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if not all(_HEXADECIMAL.fullmatch(part) for part in parts):
        raise ValueError("has characters that no MAC address has")
    digits = "".join(parts)
    if len(digits) != 2 * _OCTETS or len({len(part) for part in parts}) != 1:
        raise ValueError(_WHOLE)
    return _of_one_device(digits.lower())


def _of_one_device(digits: str) -> str:
    if int(digits, 16) == 0:
        raise ValueError("is all zeros, which no device has")
    if int(digits[:2], 16) & 1:
        raise ValueError("is the address of a group, not of one device")
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def mac_part(text: str) -> str:
    """What a part of an address is searched by: its hexadecimal digits; empty when it has other characters."""
    digits = _SEPARATORS.sub("", text).lower()
    return digits if _HEXADECIMAL.fullmatch(digits) else ""
