"""The values that a field chooses from: names in the language of the console, in its order."""

from __future__ import annotations

import subprocess
import sys

import pytest

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.value_sources import told_apart, value_source
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import field_by_wire

#: Countries as the service lists them: by code, with English names.
SCRIPT = """
from svc_tui.language import use
use("{language}")
from svc_tui.console.areas.companies.area import SOURCES
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


def test_choices_with_equal_names_differ_by_their_values() -> None:
    choices = [Choice("1", "HQ"), Choice("2", "HQ"), Choice("3", "Lab", "old"), Choice("4", "Lab", "new")]
    assert [each.detail for each in told_apart(choices)] == ["1", "2", "old", "new"]


@pytest.mark.parametrize(
    ("operation", "wire", "edited", "query", "awaits"),
    [
        ("create_cloudpbx", "siteId", {"companyId": "c"}, {"companyId": "c"}, ""),
        ("create_cloudpbx", "siteId", {}, {}, "companyId"),
        ("create_cloudpbx", "bpId", {}, {"isBP": True}, ""),
        ("create_welcome_service", "externalNumberId", {}, {"isAssigned": False}, ""),
        # The service takes every trunk that it lists for the caller.
        ("update_cloudpbx", "externalTrunkId", {"companyId": "c"}, {}, ""),
    ],
)
def test_a_reference_offers_what_the_service_would_take(
    operation: str, wire: str, edited: dict[str, str], query: dict[str, object], awaits: str
) -> None:
    source = value_source(field_by_wire(body_of(operation))[wire], BY_NAME)
    assert source is not None
    assert source.query_for(edited, "") == query
    assert source.awaits(edited) == awaits
