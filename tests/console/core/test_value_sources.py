"""The values that a field chooses from: names in the language of the console, in its order."""

from __future__ import annotations

import subprocess
import sys

#: Countries as the service lists them: by code, with English names.
SCRIPT = """
from svc_tui.language import use
use("{language}")
from svc_tui.console.areas.companies.value_sources import SOURCES
rows = [{{"isoAlpha3Code": code, "fullname": name}} for code, name in (
    ("AUT", "Austria"), ("DEU", "Germany"), ("OMN", "Oman"), ("POL", "Poland"), ("ALA", "Åland Islands"),
)]
countries = SOURCES["countries"]
print(", ".join(countries.choice(row, []).label for row in countries.in_order(rows, "{typed}")))
"""


def listed(language: str, typed: str = "") -> str:
    script = SCRIPT.format(language=language, typed=typed)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def test_countries_are_in_the_order_of_the_language() -> None:
    assert listed("en") == "Åland Islands, Austria, Germany, Oman, Poland"
    assert listed("de") == "Ålandinseln, Deutschland, Oman, Österreich, Polen"


def test_countries_are_found_by_their_name_without_its_accents() -> None:
    assert listed("de", "oster") == "Österreich"
    assert listed("en", "land") == "Poland, Åland Islands"
