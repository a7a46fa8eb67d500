"""Texts, whatever they are about: counts with their noun, names of files, signs that are seen, patterns and their
descriptions, MAC addresses, cells of tables, UTF-8, and what users paste."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from svc_tui.language import _, number_text, plural


def counted(number: int, one: str, several: str = "") -> str:
    """`1 row`, `12,345 rows`; `several` for a plural that does not only add an s."""
    return f"{number_text(number)} {plural(number, one, several or one + 's')}"


#: Stands for a slash, and for nothing else: INV/1 and INV-1 are two files.
_SLASH = "~"
#: Most characters of a name without its ending, and most bytes: file systems take 255 of them.
_MOST_CHARACTERS, _MOST_BYTES = 120, 200
#: Names of devices of Windows, with any ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)


def file_name(name: object, ending: str = "") -> str:
    """A harmless file name from the whole of a name: in one folder, visible, without control characters.

    Of a name that is a path out of its folder, the last part. The ending is added if the name does not have it.
    """
    parts = str(name or "").replace("\\", "/").strip("/").split("/")
    whole = parts[-1] if ".." in parts else _SLASH.join(parts)
    plain = re.sub(rf"[^\w .@+(){_SLASH}-]", "_", whole).lstrip(f". -{_SLASH}").rstrip(f". {_SLASH}")
    stem = plain[: -len(ending)] if ending and plain.lower().endswith(ending) else plain
    if _DEVICE.fullmatch(stem):
        stem = f"_{stem}"
    stem = stem[:_MOST_CHARACTERS].encode()[:_MOST_BYTES].decode(errors="ignore")
    return f"{stem or 'file'}{ending}"


#: Letters and symbols that are drawn as nothing: fillers, and the empty Braille pattern.
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def is_seen(text: str) -> bool:
    """Whether a text has a letter, a digit or another sign that is seen, not only spaces and invisible characters."""
    return any(unicodedata.category(char)[0] in "LNPS" and char not in _BLANK for char in text)


def seen(text: str) -> str:
    """The text itself. ValueError for one that shows nothing."""
    if not is_seen(text):
        raise ValueError(_("needs a character that is seen"))
    return text


VERSION = r"^[0-9]+(\.[0-9]+){0,3}$"
DIGITS = r"^[0-9]+$"
SIP_PASSWORD = r"^[a-z0-9*#]+$"
#: A header of a protocol: a line end would start another one.
ONE_LINE = r"^[^\x00-\x1f\x7f]*$"

#: Pattern -> its description after `must be`.
IN_WORDS = {
    VERSION: _("digits and dots, such as 1.75.0"),
    DIGITS: _("digits only"),
    ONE_LINE: _("one line without control characters"),
    SIP_PASSWORD: _("small letters, digits, * and # only"),
}


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


#: UTF-32 before UTF-16: its byte order mark begins with the one of UTF-16.
_OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_MARK = "\ufeff"


class NotUtf8(ValueError):
    """Bytes that are not UTF-8 text. The text names what they are, `line` the place: 0 for all of them."""

    def __init__(self, found: str, line: int = 0) -> None:
        super().__init__(found)
        self.line = line


def cell_text(value: Any) -> str:
    """A value as a cell of a copied row, a table or CSV: a text unchanged, nothing for null, lists as `user, admin`.

    Objects, lists of them, numbers, true and false are JSON.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple | set | frozenset) and not any(
        isinstance(each, Mapping | list) for each in value
    ):
        return ", ".join(map(cell_text, value))
    return json.dumps(value, ensure_ascii=False, default=str)


def text_of(content: bytes) -> str:
    """The text of bytes in UTF-8, without a byte order mark. NotUtf8 for UTF-16, UTF-32 and all others."""
    other = next((name for mark, name in _OTHER_MARKS if content.startswith(mark)), "")
    zeros = content[:256].count(0) / max(len(content[:256]), 1)
    if not other and zeros > 0.2:
        # Without a mark: every second byte of Latin text is zero, or three of four.
        other = "UTF-16" if zeros < 0.6 else "UTF-32"
    if other:
        raise NotUtf8(_("{encoding} text. Save it as UTF-8").format(encoding=other))
    try:
        return content.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise NotUtf8(_("not UTF-8 text"), line) from None


#: Categories of characters that are not seen: controls, formats (also byte order marks), and lone surrogates.
_UNSEEN = ("Cc", "Cf", "Cs")
#: Joiners within words of some scripts and within emoji.
_JOINERS = "\u200c\u200d"
_SPACES = re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
#: Marks that stand around a text; their ends.
_PAIRS = {
    "<": ">",
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "„": "“",
    "‘": "’",
    "‚": "‘",
    "«": "»",
    "‹": "›",
    "»": "«",
    "(": ")",
    "[": "]",
}
_LINK = re.compile(r"(tel|mailto|sips?|callto|sms|xmpp):(//)?", re.IGNORECASE)
#: A name before an address, as mail programs copy it.
_NAMED = re.compile(r"[^<>@]*<([^<>\s]+)>")


def pasted_line(text: str) -> str:
    """The first line that is not empty, without characters that are not seen. Other spaces become plain ones.

    Spaces at its ends stay: they can join it to what is already typed.
    """
    lines = (_seen(line) for line in text.splitlines())
    return next((line for line in lines if line.strip()), "")


def _seen(line: str) -> str:
    line = _SPACES.sub(" ", line)
    return "".join(
        char
        for place, char in enumerate(line)
        if unicodedata.category(char) not in _UNSEEN
        or (
            char in _JOINERS
            and not line[max(place - 1, 0) : place].isascii()
            and not line[place + 1 : place + 2].isascii()
        )
    )


def bare(text: str) -> str:
    """What a copied text is about: without `tel:`, `mailto:` and other schemes, and without marks around it.

    The address of `Ana Silva <ana@example.com>`, too. Any other text stays as it is, but for spaces around it.
    """
    found = text.strip()
    while (inner := _unwrapped(found)) != found:
        found = inner
    return found


def _unwrapped(text: str) -> str:
    """The text without its outermost mark, or without its scheme."""
    if len(text) > 2 and _PAIRS.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return text[1:-1].strip()
    if len(text) > 3 and text[-1] in ",;." and (text[0] in _PAIRS or _LINK.match(text)):
        return text[:-1].strip()
    if link := _LINK.match(text):
        # Parameters such as `;ext=12`, and the subject of a message.
        return unquote(re.split(r"[;?]", text[link.end() :])[0]).strip() or text
    if (named := _NAMED.fullmatch(text)) and ("@" in named[1] or _LINK.match(named[1])):
        return named[1]
    return text
