"""Conditions of fields as text: names of the API for its users, labels for screens."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import ApplicationUpdate
from svc_tui.interface.companies.records import CompanyUpdate
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.fields import SET, Needs, Provided
from svc_tui.interface.records import Record
from svc_tui.interface.subscriptions.ordering import Order
from tests.interface.test_labels import records

#: A name of the API or a value of it, which is no word.
_NAME = re.compile(r"[a-z]+[A-Z]\w*|\w+_\w+|\b(?:true|false)\b")


def conditions() -> Iterator[tuple[type[Record], FieldSpec, Needs]]:
    """Every declared condition, with its field and record."""
    for record in records():
        for spec in fields_of(record):
            for condition in (spec.facet.needs, *(each.needs for each in spec.facet.provided)):
                if condition is not None:
                    yield record, spec, condition


def test_conditions_contain_labels_instead_of_names() -> None:
    found = list(conditions())
    assert len(found) > 20
    for record, spec, condition in found:
        text = spec.in_words(condition)
        begins = [text.startswith((f"only when {each.label} is ", f"needs {each.label}")) for each in fields_of(record)]
        assert any(begins) or text == "only when Deployment is deployed", (record, spec.wire)
        assert _NAME.search(text) is None, (record, spec.wire)
        if spec.facet.needs is condition:
            assert spec.condition == text


@pytest.mark.parametrize(
    ("record", "wire", "api", "screen"),
    [
        (CompanyUpdate, "bpType", "only when isBP is true", "only when Business partner (BP) is yes"),
        (CompanyUpdate, "ddiReadOnly", "only when bpType is IR", "only when Partner type is IR"),
        (
            CompanyUpdate,
            "bpHasRightToSell",
            "only when bpCRDid is set",
            "needs Order system number (CRD)",
        ),
        (
            Order,
            "renewalVolume",
            "only when prepaidRenewalOption is volume",
            'only when Renewed licences is "own number"',
        ),
        (ApplicationUpdate, "deployReason", "only when env is deployed", "only when Deployment is deployed"),
    ],
)
def test_a_condition_for_the_api_and_for_screens(record: type[Record], wire: str, api: str, screen: str) -> None:
    spec = field_by_wire(record)[wire]
    assert (str(spec.facet.needs), spec.condition) == (api, screen)


def test_a_condition_on_a_role_names_the_role_and_the_feature() -> None:
    provided = Provided(Role.COMPANY_ADMIN, Needs("isBP", (True, False)), feature="F")
    assert (
        fields_of(CompanyUpdate)[0].in_words(provided)
        == "company_admin only when Business partner (BP) is yes or no or with the feature F"
    )
    assert str(Provided(Role.COMPANY_ADMIN, Needs("isBP", SET))) == "company_admin only when isBP is set"
