"""Personal data: each field of each record against the table, and what is shown of a record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import FieldSpec, fields_of, records_in
from svc_tui.interface.personal import MASKED, open_field, shown
from svc_tui.interface.records import Record
from tests.interface.specification_personal import other, personal

#: Kinds of fields whose values are no free text.
PLAIN = ("boolean", "integer", "number", "choice", "choices", "date", "datetime")
ENVELOPES = {"Done", "Page", "Plain", "Single"}


def records() -> dict[str, type[Record]]:
    """Each record in a response, at any depth, by its name."""
    found: dict[str, type[Record]] = {}

    def walk(annotation: Any) -> None:
        for model, _ in records_in(annotation):
            if model.__name__ not in found:
                found[model.__name__] = model
                for spec in fields_of(model):
                    walk(spec.annotation)

    for operation in operations():
        walk(operation.result)
    return {name: model for name, model in found.items() if name.split("[")[0] not in ENVELOPES}


RECORDS = records()


def test_each_field_of_each_record_is_decided_in_the_table() -> None:
    named = {(record, name) for table in (personal(), other()) for record in table for name in table[record]}
    declared = {(name, spec.wire): spec for name, model in RECORDS.items() for spec in fields_of(model)}
    left = {
        f"{record}.{wire}"
        for (record, wire), spec in declared.items()
        if (record, wire) not in named
        and not (spec.kind in PLAIN or spec.facet.refers or spec.identifies or spec.facet.secret)
    }
    assert not left, f"say in tests/interface/specification_personal.py whether it holds personal data: {sorted(left)}"
    assert named <= declared.keys(), "the table names fields that are not declared"
    assert not [record for record in personal() if personal()[record] & other().get(record, frozenset())]


def test_the_declaration_is_as_the_table_says() -> None:
    declared = {
        (name, spec.wire) for name, model in RECORDS.items() for spec in fields_of(model) if spec.facet.personal
    }
    differing = declared ^ {(record, name) for record, names in personal().items() for name in names}
    assert not differing, f"personal= of the field and PERSONAL in specification_personal.py differ: {differing}"


def filled(model: type[Record], above: tuple[type[Record], ...] = ()) -> dict[str, Any]:
    """A record in which each value says whether it may be seen, by the table, whatever its field declares to hold."""
    return {
        spec.wire: _value(spec, "PRIVATE" if spec.facet.secret or is_personal(model, spec) else "OPEN", above)
        for spec in fields_of(model)
    }


def is_personal(model: type[Record], spec: FieldSpec) -> bool:
    return spec.wire in personal().get(model.__name__, ())


def _value(spec: FieldSpec, mark: str, above: tuple[type[Record], ...]) -> Any:
    for model, named in records_in(spec.annotation):
        if model not in above:
            inner: Any = filled(model, (*above, model))
            inner = {"PRIVATE": inner} if named else inner
            return [inner] if spec.kind == "objects" else inner
    if spec.kind in ("object", "objects"):
        return {"PRIVATE": "PRIVATE"}
    # A text in place of a number, a date or a choice.
    mark = "PRIVATE" if spec.kind in PLAIN else mark
    return [mark] if spec.kind in ("texts", "choices") else mark


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_no_personal_or_secret_value_of_a_record_is_shown(name: str) -> None:
    record = filled(RECORDS[name])
    seen = shown(RECORDS[name], {**record, "PRIVATE": "PRIVATE"})
    assert "PRIVATE" not in json.dumps(seen)
    for spec in fields_of(RECORDS[name]):
        if record[spec.wire] in ("OPEN", ["OPEN"]):
            assert seen[spec.wire] == record[spec.wire], "a value without personal data is masked"


def test_a_value_of_another_type_is_masked() -> None:
    user = RECORDS["User"]
    record = {"isActive": "Anna Berg", "creationDate": "Anna Berg", "roles": ["user", {"a": 1}], "country": {"a": 1}}
    assert shown(user, record) == {
        "isActive": MASKED,
        "creationDate": MASKED,
        "roles": ["user", MASKED],
        "country": MASKED,
    }


def test_what_is_not_set_is_shown_as_not_set() -> None:
    assert shown(RECORDS["User"], {"firstName": None, "lastName": "", "tags": []}) == {
        "firstName": None,
        "lastName": "",
        "tags": [],
    }


@pytest.mark.parametrize(
    ("record", "path", "opened"),
    [
        ("User", "loginEmail", False),
        ("User", "country", True),
        ("User", "loginPhone.E164", False),
        ("User", "unknown", False),
        ("User", "customData", False),
        ("ApiKey", "clientMetadata.ipAddress", False),
        ("CloudPbx", "cloudpbx.language", True),
        ("CloudPbx", "cloudpbx", False),
        ("CloudPbx", "jid_pbxagent_password", False),
    ],
)
def test_a_path_is_open_if_it_is_declared_to_its_end(record: str, path: str, opened: bool) -> None:
    assert (open_field(RECORDS[record], path) is not None) is opened
    assert open_field(None, path) is None
