"""Objects inside records: their fields have labels, whatever the depth; the names of pairs are data."""

from __future__ import annotations

import re
from typing import Any

import pytest

from svc_tui.console.core.changes import field_changes
from svc_tui.console.core.form import Form
from svc_tui.console.core.nested_labels import value_text
from svc_tui.console.core.record_lines import record_lines
from svc_tui.console.shell.resources import ALL
from svc_tui.interface.authentication.users import User
from svc_tui.interface.catalogue import body_of, record_of
from svc_tui.interface.companies.records import CompanyUpdate
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.records import Record

_NAME = re.compile(r"\b[a-z]+[A-Z]\w*|\b[a-z]+_\w+")


def example(spec: FieldSpec) -> Any:
    """A value with every declared field at every depth."""
    model = spec.record
    if model is None:
        return "x"
    value = {each.wire: example(each) for each in fields_of(model)}
    return [value] if spec.kind == "objects" else value


def nested() -> dict[str, FieldSpec]:
    """The fields of resources and of their bodies that contain declared records."""
    found = {}
    for resource in ALL:
        bodies = [body_of(name) for name in (resource.create, resource.update) if name]
        records: list[type[Record]] = [record] if (record := record_of(resource.kind.get)) else []
        for model in (*records, *bodies):
            found |= {f"{model.__name__}.{spec.wire}": spec for spec in fields_of(model) if spec.record}
    return found


NESTED = nested()


@pytest.mark.parametrize("name", NESTED)
def test_fields_of_declared_records_have_labels(name: str) -> None:
    text = value_text(example(NESTED[name]), NESTED[name])
    model = NESTED[name].record
    assert model is not None
    assert all(spec.label in text for spec in fields_of(model))
    assert _NAME.findall(text) == []


@pytest.mark.parametrize("name", NESTED)
def test_detail_views_show_no_names_of_the_api(name: str) -> None:
    spec = NESTED[name]
    lines = record_lines({spec.wire: example(spec)}, (spec,), 400, empty=False)
    assert _NAME.findall(" ".join(line.value for line in lines)) == []


def test_a_detail_view_a_form_and_a_preview_show_the_same_labels() -> None:
    settings = {"isDefault": True, "admin": {"loginEmail": "ida@demo.example"}}
    text = "Default yes · Admin Login ida@demo.example"
    spec = field_by_wire(CompanyUpdate)["businessData"]
    (line,) = (each for each in record_lines({spec.wire: settings}, (spec,), 400) if each.key == spec.wire)
    assert line.value == text
    assert Form(CompanyUpdate, frozenset(), {spec.wire: settings}).drawn(spec.wire) == text
    (change,) = field_changes("update_company", {spec.wire: settings}, {spec.wire: {"isDefault": False}})
    assert (change.old, change.new) == (text, "Default no")


def test_choices_are_in_words_also_inside_records() -> None:
    spec = field_by_wire(User)["phoneNumbers"]
    text = value_text([{"deviceType": "landline", "type": "work"}], spec)
    assert re.search(r" Landline · \w+ Work$", text)


def test_names_of_pairs_and_names_that_the_api_does_not_have_are_unchanged() -> None:
    specs = field_by_wire(CompanyUpdate)
    assert value_text({"costCentre": "7"}, specs["customData"]) == "costCentre 7"
    assert value_text({"5f3a": 1, "Some Name": {"isBP": True}}, specs["businessData"]) == "5f3a 1 · Some Name BP yes"


def test_before_the_declaration_is_loaded_names_are_unchanged() -> None:
    assert value_text({"isBP": True}, None) == "isBP yes"


def test_codes_of_countries_and_languages_have_their_names_also_inside_objects() -> None:
    specs = field_by_wire(User)
    assert value_text("ESP", specs["country"]) == "Spain (ESP)"
    assert value_text("es", specs["language"]) == "Spanish (es)"
    assert value_text("tlh", specs["language"]) == "tlh"
    assert "Portugal (PRT)" in value_text([{"number": "2005", "country": "PRT"}], specs["phoneNumbers"])
