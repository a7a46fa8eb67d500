"""The company of a record: named by the record, its place, its user, or the record above it."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.catalogue import record_of
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.records import Belongs
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.referenced_records import COMPANY_FIELDS, CompanyReference, belonging, company_of
from tests.workspace.conftest import Desk


@pytest.mark.parametrize(
    ("kind", "record", "above", "found"),
    [
        ("users", {"companyId": "c1"}, {}, CompanyReference("c1")),
        ("users", {"companyId": "c1"}, {"companies": "partner"}, CompanyReference("c1")),
        ("templates", {"ownedByCompany": "c1"}, {}, CompanyReference("c1")),
        ("invoices", {}, {"companies": "c1"}, CompanyReference("c1")),
        ("applications", {"ownerId": "u1"}, {}, CompanyReference(kind="users", record_id="u1")),
        ("apikeys", {"userId": "u1"}, {"users": "u1"}, CompanyReference(kind="users", record_id="u1")),
        ("sipdevices", {}, {"cloudpbxs": "p1"}, CompanyReference(kind="cloudpbxs", record_id="p1")),
        (
            "sipdevices",
            {},
            {"cloudpbxs": "p1", "subscribers": "s1"},
            CompanyReference(kind="cloudpbxs", record_id="p1"),
        ),
        ("directoryentries", {"userId": "u1"}, {}, CompanyReference(kind="users", record_id="u1")),
        ("clientsversions", {"id": "v1"}, {}, None),
    ],
)
def test_where_the_company_is_named(
    kind: str, record: dict[str, Any], above: dict[str, str], found: CompanyReference | None
) -> None:
    assert belonging(KINDS[kind], record, above) == found


def test_the_fields_that_name_a_company_or_user_are_declared() -> None:
    assert Belongs().company == COMPANY_FIELDS
    for kind in KINDS.values():
        model = record_of(kind.get)
        if model is not None and kind.user_field:
            assert kind.user_field in field_by_wire(model), kind.name


class Answers:
    """A service with a few records, and the cache of a desk."""

    def __init__(self, desk: Desk, **records: dict[str, Any]) -> None:
        self.cache, self._records = desk.workspace.cache, records
        self.asked: list[str] = []

    async def read(self, operation_id: str, path: Any, query: Any) -> Any:
        self.asked.append(operation_id)
        if operation_id not in self._records:
            raise ReadError("There is none.", missing=True)
        return {"data": self._records[operation_id]}


async def test_the_company_of_a_users_record_is_read_with_one_request(desk: Desk) -> None:
    service = Answers(desk, get_user={"id": "u1", "companyId": "c1"})
    assert await company_of(service, CompanyReference(kind="users", record_id="u1")) == "c1"
    assert service.asked == ["get_user"]


async def test_the_company_of_an_applications_usage_is_that_of_its_owner(desk: Desk) -> None:
    service = Answers(desk, get_application={"ownerId": "u1"}, get_user={"companyId": "c1"})
    assert await company_of(service, CompanyReference(kind="applications", record_id="a1")) == "c1"
    assert service.asked == ["get_application", "get_user"]


async def test_a_cached_record_needs_no_request(desk: Desk) -> None:
    row = {"id": "u1", "companyId": "c7"}
    await desk.workspace.cache.store_record("users", "u1", row, operation_id="get_user", form="medium", fetched=1.0)
    service = Answers(desk)
    assert await company_of(service, CompanyReference(kind="users", record_id="u1")) == "c7"
    assert service.asked == []


async def test_a_user_without_a_company_has_none(desk: Desk) -> None:
    assert await company_of(Answers(desk, get_user={}), CompanyReference(kind="users", record_id="u1")) == ""
    with pytest.raises(ReadError):
        await company_of(Answers(desk), CompanyReference(kind="users", record_id="u1"))
