"""The kind of a telephone number by its label, as `Work`, `* Mobile`, `CELL` or `Privat`."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from svc_tui.interface.companies.country_names import folded

OTHER = "otherPhoneNumber"
_TABLES = Path(__file__).with_name("headings.toml")
_NO_LABEL = re.compile(r"[*:]+")


@cache
def tables() -> dict[str, dict[str, Any]]:
    """The tables of headings and labels, by their names."""
    return tomllib.loads(_TABLES.read_text(encoding="utf-8"))


@lru_cache(maxsize=1024)
def kind_of_number(label: str) -> str:
    """The target of a number with this label: other numbers for those of the home, and for unknown labels."""
    words = folded(_NO_LABEL.sub(" ", label)).split()
    return next((kind for kind, known in tables()["labels"].items() if not set(known).isdisjoint(words)), OTHER)
