"""Texts that users copy elsewhere: a line without signs that are not seen, and what a link or a quotation is about."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

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
