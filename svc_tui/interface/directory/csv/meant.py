"""What a wrong value was probably meant to be: countries by two letters or by name, actions in other words."""

from __future__ import annotations

import difflib
import unicodedata
from functools import cache, lru_cache

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.directory.csv.columns import ACTIONS
from svc_tui.interface.voice.regions import region_of

_OTHER_ACTIONS = {
    **dict.fromkeys(("update", "insert", "create", "add", "new", "modify", "change"), "upsert"),
    **dict.fromkeys(("remove", "del", "erase"), "delete"),
    **dict.fromkeys(("synchronize", "synchronise", "replace"), "sync"),
}
#: What people write besides the names of ISO 3166-1: names of their own, of sports, and of former days.
_OTHER_NAMES = {
    "uk": "GBR",
    "great britain": "GBR",
    "england": "GBR",
    "scotland": "GBR",
    "usa": "USA",
    "united states": "USA",
    "america": "USA",
    "uae": "ARE",
    "holland": "NLD",
    "deutschland": "DEU",
    "ger": "DEU",
    "osterreich": "AUT",
    "schweiz": "CHE",
    "suisse": "CHE",
    "svizzera": "CHE",
    "sui": "CHE",
    "espana": "ESP",
    "italia": "ITA",
    "brasil": "BRA",
    "belgique": "BEL",
    "belgie": "BEL",
    "nederland": "NLD",
    "danmark": "DNK",
    "sverige": "SWE",
    "norge": "NOR",
    "suomi": "FIN",
    "polska": "POL",
    "por": "PRT",
    "czech republic": "CZE",
    "turkey": "TUR",
    "vietnam": "VNM",
    "south korea": "KOR",
    "north korea": "PRK",
    "russia": "RUS",
    "ivory coast": "CIV",
    "macedonia": "MKD",
    "swaziland": "SWZ",
}


def _folded(text: str) -> str:
    """Without accents, capital letters and needless blanks."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(sign for sign in parts if not unicodedata.combining(sign)).replace(".", "").split())


@cache
def _names() -> dict[str, str]:
    """Codes of three letters by everything that people write for a country."""
    found = {_folded(name): code for code, name in COUNTRIES.items()}
    # `Bolivia, Plurinational State of` is called by what stands before the comma, where that is one country alone.
    first = [name.partition(",")[0] for name in COUNTRIES.values()]
    short = {_folded(name): code for code, name in zip(COUNTRIES, first, strict=True) if first.count(name) == 1}
    letters = {region.casefold(): code for code in COUNTRIES if (region := region_of(code))}
    return {**short, **found, **{code.casefold(): code for code in COUNTRIES}, **letters, **_OTHER_NAMES}


@lru_cache(maxsize=8192)
def country(value: str) -> str:
    """The code of three letters that was probably meant; empty where nobody can tell."""
    folded, names = _folded(value), _names()
    if folded in names or len(folded) < 5:
        return names.get(folded, "")
    near = difflib.get_close_matches(folded, (name for name in names if len(name) > 3), n=1, cutoff=0.85)
    return names[near[0]] if near else ""


def action(value: str) -> str:
    """The word for what a row does that was probably meant; empty where nobody can tell."""
    word = value.strip().casefold()
    return word if word in ACTIONS else _OTHER_ACTIONS.get(word, "")
