"""Suggested values in place of invalid ones: countries by their names or two letters, actions by synonyms."""

from __future__ import annotations

import difflib
import unicodedata
from functools import cache, lru_cache

from svc_tui.interface.companies.countries import COUNTRIES
from svc_tui.interface.companies.regions import region_of
from svc_tui.interface.directory.csv.columns import ACTIONS

_OTHER_ACTIONS = {
    **dict.fromkeys(("update", "insert", "create", "add", "new", "modify", "change"), "upsert"),
    **dict.fromkeys(("remove", "del", "erase"), "delete"),
    **dict.fromkeys(("synchronize", "synchronise", "replace"), "sync"),
}
#: Country names besides those of ISO 3166-1: common, native and former names, and codes of sports.
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
    """The text without accents, full stops, upper case and extra spaces."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(sign for sign in parts if not unicodedata.combining(sign)).replace(".", "").split())


@cache
def _names() -> dict[str, str]:
    """Name or code of a country, folded -> its three-letter code."""
    found = {_folded(name): code for code, name in COUNTRIES.items()}
    # `Bolivia, Plurinational State of` is also `Bolivia`, unless two countries have the same text before the comma.
    first = [name.partition(",")[0] for name in COUNTRIES.values()]
    short = {_folded(name): code for code, name in zip(COUNTRIES, first, strict=True) if first.count(name) == 1}
    letters = {region.casefold(): code for code in COUNTRIES if (region := region_of(code))}
    return {**short, **found, **{code.casefold(): code for code in COUNTRIES}, **letters, **_OTHER_NAMES}


@lru_cache(maxsize=8192)
def country(value: str) -> str:
    """The three-letter code of the country in this text. Empty when none is similar."""
    folded, names = _folded(value), _names()
    if folded in names or len(folded) < 5:
        return names.get(folded, "")
    near = difflib.get_close_matches(folded, (name for name in names if len(name) > 3), n=1, cutoff=0.85)
    return names[near[0]] if near else ""


def action(value: str) -> str:
    """The action with this meaning. Empty when it is unknown."""
    word = value.strip().casefold()
    return word if word in ACTIONS else _OTHER_ACTIONS.get(word, "")
