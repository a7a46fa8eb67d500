"""The country that a name or a code in a contact file means: names in five languages, and codes."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.regions import region_of

#: Languages of the generated names, as codes of the CLDR.
LANGUAGES = ("en", "de", "fr", "es", "pt", "pt_PT")
#: Three-letter code -> names, also common and former ones (`python -m docs.making.countries`).
TABLE = Path(__file__).with_name("country_names.json")
_NO_LETTER = re.compile(r"[\W_]+")


def folded(text: str) -> str:
    """The text without accents, upper case, invisible signs and punctuation, its words separated by single spaces."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    signs = "".join(sign for sign in parts if not unicodedata.combining(sign) and unicodedata.category(sign) != "Cf")
    # `U.S.A.` is one word.
    return _NO_LETTER.sub(" ", signs.replace(".", "")).strip()


@cache
def names() -> dict[str, str]:
    """Name or code of a country, folded -> its three-letter code."""
    generated: dict[str, list[str]] = json.loads(TABLE.read_text(encoding="utf-8"))
    translated = {folded(name): code for code, several in generated.items() for name in several}
    found = {folded(name): code for code, name in COUNTRIES.items()}
    # `Bolivia, Plurinational State of` is also `Bolivia`, unless two countries have the same text before the comma.
    first = [name.partition(",")[0] for name in COUNTRIES.values()]
    short = {folded(name): code for code, name in zip(COUNTRIES, first, strict=True) if first.count(name) == 1}
    letters = {region.casefold(): code for code in COUNTRIES if (region := region_of(code))}
    codes = {code.casefold(): code for code in COUNTRIES}
    return {**short, **found, **codes, **letters, **translated}


@lru_cache(maxsize=8192)
def country_of(text: str) -> str:
    """The three-letter code of the country that this text names. Empty when it names none."""
    return names().get(folded(text), "")
