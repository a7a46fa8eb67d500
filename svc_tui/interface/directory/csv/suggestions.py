"""Suggested values in place of invalid ones: countries by their names or two letters, actions by synonyms."""

from __future__ import annotations

import difflib
from functools import lru_cache

from svc_tui.interface.companies.country_names import folded, names
from svc_tui.interface.directory.csv.columns import ACTIONS

_OTHER_ACTIONS = {
    **dict.fromkeys(("update", "insert", "create", "add", "new", "modify", "change"), "upsert"),
    **dict.fromkeys(("remove", "del", "erase"), "delete"),
    **dict.fromkeys(("synchronize", "synchronise", "replace"), "sync"),
}


@lru_cache(maxsize=8192)
def country(value: str) -> str:
    """The three-letter code of the country in this text. Empty when none is similar."""
    text, known = folded(value), names()
    if text in known or len(text) < 5:
        return known.get(text, "")
    near = difflib.get_close_matches(text, (name for name in known if len(name) > 3), n=1, cutoff=0.85)
    return known[near[0]] if near else ""


def action(value: str) -> str:
    """The action with this meaning. Empty when it is unknown."""
    word = value.strip().casefold()
    return word if word in ACTIONS else _OTHER_ACTIONS.get(word, "")
