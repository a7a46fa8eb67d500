"""Words for choices: every value that does not explain itself has one, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from svc_tui.interface import catalogue
from svc_tui.interface.applications.records import ApplicationUpdate
from svc_tui.interface.companies.records import CompanyUpdate
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.records import Record
from svc_tui.interface.value_words import WORDS, word


def models(base: type[Record] = Record) -> Iterator[type[Record]]:
    for each in base.__subclasses__():
        yield each
        yield from models(each)


def chosen() -> list[FieldSpec]:
    """All declared fields. Records of the service and of plug-ins, which other tests load, are none of them."""
    list(catalogue.operations())
    return [
        spec
        for model in models()
        if model.__module__.startswith("svc_tui.interface.") and model.__name__ != "Flat"
        for spec in fields_of(model)
    ]


def test_every_choice_has_words_or_is_the_name_of_something() -> None:
    fields = chosen()
    assert any(spec.words for spec in fields)
    for spec in fields:
        wordless = [choice for choice in spec.choices if choice not in spec.words]
        if spec.wire in ("roles", "adminType"):
            # Roles have their names of the specification everywhere.
            continue
        # Abbreviations and names of formats, models and methods are the same in every language.
        assert not [each for each in wordless if not re.fullmatch(r"[A-Z_0-9]+|json|csv", each)], spec.wire


@pytest.mark.parametrize("text", WORDS.values())
def test_words_are_no_names_of_the_api(text: str) -> None:
    assert not re.search(r"_|[a-z][A-Z]{1}[a-z]", text)


def test_a_field_can_have_words_of_its_own() -> None:
    assert field_by_wire(ApplicationUpdate)["activity"].worded("J") == "Information, communication"
    status = field_by_wire(CompanyUpdate)["status"]
    assert (status.worded("hold"), status.worded("of a newer service")) == ("On hold", "Of a newer service")
    # The service has values that cannot be set.
    assert field_by_wire(ApplicationUpdate)["kpi"].worded("same_than_company") == "As the company"
    assert "on hold" in status.constraint_in_words
    assert "one of initializing, active, alerting, hold" in status.constraint
    assert (word("same_than_company"), word("x")) == ("as the company", "x")
