"""Faults have suggestions, the same in the console and in the service."""

from __future__ import annotations

import pytest

from svc_tui.interface.companies.countries import COUNTRIES, region_of
from svc_tui.interface.directory.csv import columns
from svc_tui.interface.directory.csv.checking import Checker
from svc_tui.interface.directory.csv.columns import all_columns


@pytest.mark.parametrize("code", COUNTRIES)
def test_countries_by_two_letters_and_by_name(code: str) -> None:
    assert columns.suggested_country(region_of(code) or "") == code
    assert columns.suggested_country(COUNTRIES[code].upper()) == code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("prt", "PRT"),
        ("Potugal", "PRT"),
        ("U.K.", "GBR"),
        ("España", "ESP"),
        ("Cote d'Ivoire", "CIV"),
        ("Bolivia", "BOL"),
        ("Korea", ""),
        ("XX", ""),
        ("Europe", ""),
        ("Nowhere", ""),
    ],
)
def test_usual_names_of_countries_are_known_and_nothing_is_guessed(written: str, code: str) -> None:
    assert columns.suggested_country(written) == code


@pytest.mark.parametrize(
    ("column", "value", "suggestion"),
    [
        ("country", "PT", "PRT"),
        ("country", "Nowhere", ""),
        ("__action__", "Upsert", "upsert"),
        ("__action__", "remove", "delete"),
        ("__action__", "perhaps", ""),
    ],
)
def test_a_fault_has_a_suggestion(column: str, value: str, suggestion: str) -> None:
    checker = Checker([all_columns()["lastName"], all_columns()[column]])
    (fault,) = checker.check(["Miller", value])
    assert fault.suggestion == suggestion
    assert (f"(did you mean {suggestion}?)" in fault.msg) is bool(suggestion)
    assert not suggestion or checker.check(["Miller", suggestion]) == []
