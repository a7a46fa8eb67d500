"""What a typed text can be: an e-mail address, a number, a MAC address, an identifier, a name. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from svc_tui.interface.telephone_text import cleaned, digits_of
from svc_tui.interface.texts import mac_part
from svc_tui.language import _
from svc_tui.workspace.kinds.search_rule import Meaning

#: Fewer letters would find nearly everything.
SHORTEST = 2
_EMAIL = re.compile(r"[^\s@]*@[^\s@]*")
_SHORTEST_NUMBER, _LONGEST_NUMBER = 5, 18
_EXTENSION = re.compile(r"[*#]?\d{2,8}")
#: Two pairs or groups of hexadecimal digits, or all twelve digits.
_MAC = re.compile(
    r"[0-9a-f]{2}([:\- ][0-9a-f]{2}){1,5}|[0-9a-f]{4}([.:\-][0-9a-f]{4}){1,2}|[0-9a-f]{6}-[0-9a-f]{6}", re.I
)
_MAC_DIGITS = 12
_ID = re.compile(r"[0-9a-f]{24}", re.I)
_UUID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.I)
_REFERENCE = re.compile(r"(?=.*\d)[\w./#-]{4,}")


def meanings(text: str) -> Mapping[Meaning, str]:
    """Everything that a text can be, with the text as it is searched for. Empty for a text that is too short."""
    text = " ".join(text.split())
    if len(text) < SHORTEST:
        return {}
    if _UUID.fullmatch(text):
        return {"uuid": text.lower(), "reference": text}
    if _ID.fullmatch(text):
        return {"id": text.lower(), "reference": text}
    if "@" in text:
        return {"email": text} if _EMAIL.fullmatch(text) else {"name": text}
    found: dict[Meaning, str] = {}
    if is_mac := _is_mac(text):
        found["mac"] = mac_part(text)
    if _SHORTEST_NUMBER <= len(digits_of(cleaned(text)).lstrip("+")) <= _LONGEST_NUMBER:
        found["number"] = text
    if _EXTENSION.fullmatch(text):
        found["extension"] = text
    if is_mac:
        return found
    if _REFERENCE.fullmatch(text) and not text.startswith("00"):
        found["reference"] = text
    if any(character.isalpha() for character in text):
        found["name"] = text
        if " " not in text:
            found["word"] = text
    return found


def _is_mac(text: str) -> bool:
    """A complete address in any notation, or at least two of its groups."""
    return bool(_MAC.fullmatch(text)) or (len(text) == _MAC_DIGITS and len(mac_part(text)) == _MAC_DIGITS)


def in_words(found: Mapping[Meaning, str]) -> str:
    """What a text was taken for: `telephone number, extension`."""
    return ", ".join(WORDS[meaning] for meaning in WORDS if meaning in found)


#: The meanings in the words of users. A single word is searched as a part of a login too.
WORDS: Mapping[Meaning, str] = {
    "email": _("e-mail address"),
    "number": _("telephone number"),
    "extension": "extension",
    "mac": _("MAC address"),
    "id": "identifier",
    "uuid": "UUID",
    "name": "name",
    "word": "login",
    "reference": "reference",
}
