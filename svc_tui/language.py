"""The language of the texts of a process, which is fixed at its start.

A text is written in English in `_("…")` and is the key of its translation in `svc_tui/locale`. Labels and help texts of
declarations (fields, operations, columns, actions) are translated by their declarations. In English no catalogue is
read and nothing is imported. Answers of the service, names of the API, logs and output for programs stay English.
"""

from __future__ import annotations

import datetime
import decimal
import gettext
import re
import struct
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal
    from gettext import NullTranslations

FOLDER = Path(__file__).parent / "locale"
ENGLISH = "en"
#: The context of the forms of dates and numbers, which are no words.
FORMS = "form"
#: Forms of English, and the keys of those of other languages.
DAY, SHORT_DAY, MOMENT, DECIMAL_SIGN, GROUP_SIGN = "%Y-%m-%d", "%m-%d", "%Y-%m-%d %H:%M", ".", ","

_texts: NullTranslations | None = None
_language = ENGLISH


def _(text: str) -> str:
    """A text in the language of the process; the text itself in English, and where it is not translated."""
    if _texts is None or not text:
        return text
    found = _texts.gettext(text)
    # A noun that has a plural in the catalogue: gettext of Python 3.11 does not find it.
    return _texts.ngettext(text, text, 1) if found == text else found


def plural(number: int, one: str, several: str) -> str:
    """The noun for a number of things, without the number."""
    if _texts is None:
        return one if number == 1 else several
    return _texts.ngettext(one, several, number)


def number_text(value: float | Decimal, spec: str = ",") -> str:
    """A number with the separators of the language: `12,345`, `12.345`. `spec` is a format with a comma or a point."""
    text = format(value, spec)
    if _texts is None:
        return text
    return text.translate({ord(","): form(GROUP_SIGN), ord("."): form(DECIMAL_SIGN)})


def read_number(text: str) -> Decimal | None:
    """The number that a user of the language writes: `12,345.6`, in German `12.345,6`; None for any other text.

    The signs of another language are no number, so that `1.5` is not read as fifteen: digits are grouped by three.
    """
    point, group = re.escape(form(DECIMAL_SIGN)), f"[{re.escape(form(GROUP_SIGN))}\u00a0\u202f]"
    found = re.fullmatch(rf"([+-]?)(\d{{1,3}}(?:{group}\d{{3}})+|\d+)(?:{point}(\d+))?", text.strip())
    if found is None:
        return None
    sign, whole, part = found.groups()
    return decimal.Decimal(f"{sign}{re.sub(group, '', whole)}.{part or 0}")


def order(text: str) -> str:
    """The key that sorts texts for readers: without regard to case and accents, as `Österreich` beside `Oman`."""
    plain = (char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
    return "".join(plain)


def day_text(iso: str) -> str:
    """An ISO 8601 day, or the local day of a time, in the form of the language: `2026-11-20`, `20.11.2026`.

    A day is the same in every time zone. A time that stands for a day is passed without its time: `iso[:10]`.
    """
    try:
        if (local := local_moment(iso)) is not None:
            iso = local.date().isoformat()
        return iso[:10] if _texts is None else datetime.date.fromisoformat(iso[:10]).strftime(form(DAY))
    except ValueError:
        return iso[:10]


def local_moment(iso: str) -> datetime.datetime | None:
    """An ISO 8601 time in the zone of the user; None for a day and for another text.

    None too for the last moment of the calendar, which means never: zones east of UTC cannot represent it.
    """
    if len(iso) < 20 or iso[4] != "-" or iso[10] != "T":
        return None
    try:
        return datetime.datetime.fromisoformat(iso).astimezone()
    except (ValueError, OverflowError):
        return None


def typed_dates(shown: str) -> str:
    """A shown text with its dates as they are typed in every language: `2026-11-20 09:30` for `20.11.2026 09:30`."""
    if _texts is None:
        return shown
    parts = {"%d": r"(?P<d>\d\d)", "%m": r"(?P<m>\d\d)", "%Y": r"(?P<Y>\d{4})"}
    day = re.sub("%[dmY]|[^%]", lambda found: parts.get(found[0]) or re.escape(found[0]), form(DAY))
    return re.sub(rf"(?<!\d){day}(?!\d)", r"\g<Y>-\g<m>-\g<d>", shown)


def short_day_text(iso: str) -> str:
    """The day of an ISO 8601 day or time without its year: `11-20`, `20.11.`."""
    try:
        return datetime.date.fromisoformat(iso[:10]).strftime(form(SHORT_DAY))
    except ValueError:
        return iso[5:10]


def form(name: str) -> str:
    """The form of dates (for `strftime`) or numbers in the language."""
    return name if _texts is None else _texts.pgettext(FORMS, name)


def translated(record: object, *names: str) -> None:
    """Translate these fields of a declaration that was just made, which may be frozen."""
    if _texts is not None:
        for name in names:
            object.__setattr__(record, name, _(getattr(record, name)))


def current() -> str:
    """The language of the process, such as `de`."""
    return _language


def languages() -> tuple[str, ...]:
    """The languages that there are: English and those with a catalogue."""
    return (ENGLISH, *sorted(file.parent.parent.name for file in FOLDER.glob("*/LC_MESSAGES/svc_tui.mo")))


def use(name: str) -> None:
    """Let the process speak this language: before any declaration is imported, because texts are translated then."""
    global _texts, _language
    _language, _texts = name, None
    if name != ENGLISH:
        try:
            _texts = gettext.translation("svc_tui", FOLDER, [name])
        except (OSError, ValueError, struct.error):
            # A catalogue that is missing or damaged, as between two steps of a merge: the texts are English.
            _language = ENGLISH


def known(locale: str) -> str:
    """The language with a catalogue for a locale such as `de_AT.UTF-8`; empty when there is none."""
    name = locale.partition(".")[0].partition("@")[0].partition("_")[0].partition("-")[0].lower()
    return name if name and (name == ENGLISH or (FOLDER / name / "LC_MESSAGES" / "svc_tui.mo").exists()) else ""
