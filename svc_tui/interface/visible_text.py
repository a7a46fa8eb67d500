"""Texts that a reader must be able to see, such as a name."""

from __future__ import annotations

import unicodedata

from svc_tui.language import _

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
