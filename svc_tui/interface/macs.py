"""MAC addresses of devices: read in any common notation, stored and shown in one."""

from __future__ import annotations

import re

from svc_tui.language import _

_OCTETS = 6
_SEPARATORS = re.compile(r"[:.\-\s]")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]+")
_WHOLE = _("needs 12 hexadecimal digits")


def mac_address(text: str) -> str:
    """A MAC address in the stored notation: six pairs of lowercase hexadecimal digits, separated by colons.

    Accepts pairs with colons, hyphens or spaces, groups of four or six digits, and plain digits. There must be twelve
    digits, because the place of a missing one is unknown. ValueError, with the reason, for any other text and for
    addresses that no single device can have.
    """
    parts = [part for part in _SEPARATORS.split(text.strip()) if part]
    if wrong := next((sign for part in parts for sign in part if not _HEXADECIMAL.fullmatch(sign)), ""):
        raise ValueError(_("has “{sign}”, which is no hexadecimal digit").format(sign=wrong))
    digits = "".join(parts)
    if len(digits) != 2 * _OCTETS or len({len(part) for part in parts}) != 1:
        raise ValueError(_WHOLE)
    return _of_one_device(digits.lower())


def _of_one_device(digits: str) -> str:
    if int(digits, 16) == 0:
        raise ValueError(_("must not be all zeros"))
    if int(digits[:2], 16) & 1:
        raise ValueError(_("is a multicast address"))
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def mac_part(text: str) -> str:
    """The search text for a part of an address: its hexadecimal digits; empty when it has other characters."""
    digits = _SEPARATORS.sub("", text).lower()
    return digits if _HEXADECIMAL.fullmatch(digits) else ""
