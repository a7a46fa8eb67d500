"""A field that is added for two roles, as CONTRIBUTING says, is read by these two only, wherever it could leave."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from svc_tui.interface.access import Caller, Role, Subject, access
from svc_tui.interface.authentication.users import User
from svc_tui.interface.catalogue import body_of, operations
from svc_tui.interface.companies.records import Company
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.subscriptions.records import Subscription
from svc_tui.interface.typed_access import typed
from svc_tui.server.refusal import Refusal
from svc_tui.server.request_values import check_setters
from svc_tui.server.stored import StoredCompany, StoredSubscription
from svc_tui.server.subscriptions.records import notify
from tests.server.access.matrix import Matrix, places
from tests.server.access.specified_access import ROLES, reaches
from tests.support.new_field import NAME, all_records, new_field
from tests.support.world import COMPANY, World, granted, refused

READERS = access(any=(Role.SUPERADMIN, Role.SUPPORT))
#: What each stored record holds in the new field.
PROBE = "pr0be-of-a-new-field"
COMPANIES = "/api/svc/admin/v1.0/companies"


@pytest.fixture
def probed(matrix: Matrix) -> Iterator[Matrix]:
    """The matrix, with the new field in every record of the interface and in every stored document."""
    path = str(matrix.world.service.settings.database).removeprefix("sqlite:///")
    # The service itself may be writing.
    with sqlite3.connect(path, timeout=60) as database:
        tables = [str(row[0]) for row in database.execute("select name from sqlite_master where type = 'table'")]
        for table in tables:
            columns = {row[1] for row in database.execute(f"pragma table_info({table})")}
            if "document" in columns:
                database.execute(f"update {table} set document = json_set(document, '$.{NAME}', '{PROBE}')")
    database.close()
    with new_field(READERS, all_records()):
        yield matrix


@pytest.mark.parametrize("name", ["status", "name"])
async def test_a_list_is_neither_sorted_nor_filtered_by_a_withheld_field(world: World, name: str) -> None:
    await world.company(COMPANY, name="Mine", status="active")
    jane = await world.user("jane@example.com", roles=("admin",), adminType="company_admin")
    root = await world.user("root@example.com", roles=("superadmin",))
    value = "active" if name == "status" else "Mine"
    with new_field(READERS, [Company], name=name):
        for query in (f"sortField={name}", f"{name}={value}"):
            problem = refused(await world.get(f"{COMPANIES}?{query}", by=jane), 400000)["errorDetails"][0]
            assert problem["param"] == query.partition("=")[0]
            unknown = refused(await world.get(f"{COMPANIES}?sortField=unknown", by=jane), 400000)["errorDetails"][0]
            assert problem["msg"].replace("filtered", "sorted") == unknown["msg"]
            granted(await world.get(f"{COMPANIES}?{query}", by=root))
        # The usual order of the list is no reason to refuse it.
        listed = granted(await world.get(f"{COMPANIES}?format=full", by=jane))["data"]
        assert [each["id"] for each in listed] == [COMPANY] and name not in listed[0]
        assert name in granted(await world.get(f"{COMPANIES}/{COMPANY}?format=full", by=root))["data"]


async def test_the_kept_json_of_a_list_is_that_of_its_caller(world: World) -> None:
    jane = await world.user("jane@example.com", roles=("admin",), adminType="company_admin")
    root = await world.user("root@example.com", roles=("superadmin",))
    await world.user("joe@example.com", department="Sales")
    with new_field(READERS, [User], name="department"):
        for _ in range(2):
            for by, sees in ((root, True), (jane, False), (root, True)):
                page = await world.get("/api/svc/admin/v1.0/users?format=full&roles=user", by=by)
                assert ("Sales" in page.text) is sees


async def test_a_filter_of_another_name_compares_no_withheld_field(world: World) -> None:
    jane = await world.user("jane@example.com", roles=("admin",), adminType="company_admin")
    with new_field(READERS, [User], name="loginEmail"):
        for query in ("searchEmail=jane", "loginEmail=jane%40example.com"):
            refused(await world.get(f"/api/svc/admin/v1.0/users?{query}", by=jane), 400000)
    granted(await world.get("/api/svc/admin/v1.0/users?searchEmail=jane", by=jane))


async def test_the_audit_log_has_no_value_of_a_withheld_field(world: World) -> None:
    jane = await world.user("jane@example.com", roles=("admin",), adminType="company_admin")
    root = await world.user("root@example.com", roles=("superadmin",))
    with new_field(READERS, [Company], name="slogan"):
        granted(await world.put(f"{COMPANIES}/{COMPANY}", by=root, json={"slogan": PROBE, "city": "Porto"}))
        for by, sees in ((root, True), (jane, False)):
            log = await world.get("/api/svc/audit/v1.0/records?format=full", by=by)
            assert ("Porto" in log.text, PROBE in log.text) == (True, sees)
            # Records of one moment have no fixed order: that of this change is wanted.
            found = next(each for each in granted(log)["data"] if "Porto" in str(each))
            one = await world.get(f"/api/svc/audit/v1.0/records/{found['id']}", by=by)
            assert ("Porto" in one.text, PROBE in one.text) == (True, sees)


async def test_an_event_has_what_each_of_its_recipients_reads(world: World) -> None:
    jane = await world.user("jane@example.com", roles=("admin",), adminType="company_admin")
    boss = await world.user("boss@example.com", roles=("bp_finance",))
    fields = {"id": "5a" * 12, "companyId": COMPANY, "offerId": "0f" * 12, "offerName": PROBE, "status": "active"}
    subscription, company = typed(StoredSubscription, fields), typed(StoredCompany, {"id": COMPANY, "name": "Mine"})
    finance = access(own_company=(Role.BP_FINANCE,))
    with new_field(finance, [Subscription], name="offerName"):
        async with world.service.database.unit() as store:
            await notify(store, "update", subscription, company, world.clock.now())
            await store.events.deliver()
        async with world.service.database.unit() as store:
            seen = {
                user["id"]: [event[1]["content"] for event in await store.events.log_of(user["id"])]
                for user in (jane, boss)
            }
    assert "offerName" not in seen[jane["id"]][0] and seen[jane["id"]][0]["status"] == "active"
    assert seen[boss["id"]][0]["offerName"] == PROBE


@pytest.mark.parametrize("role", ROLES)
def test_a_new_field_for_two_roles_leaks_to_no_other_role(probed: Matrix, role: str) -> None:
    shown: dict[str, str] = {}
    caller = next(each for each in probed.callers if each.role == role)
    for name, reached in reaches().items():
        for place in places(name, caller, reached.get(role, frozenset())):
            answer, _ = probed.run(probed.answer(name, caller, place))
            if PROBE in answer.text:
                shown[name] = f"at {place}: {answer.text[:200]}"
    if role in READERS.reaches:
        # It is there to be seen: many operations that return a stored record show it to its readers.
        assert len(shown) > 20, sorted(shown)
    else:
        assert not shown


#: The operations with fields that fewer roles may set than may call.
SETTING = [
    each.id
    for each in operations()
    if each.body and any(spec.facet.setters is not None for spec in fields_of(each.body))
]


@pytest.mark.parametrize("operation", SETTING)
def test_a_field_is_set_by_none_but_its_setters(matrix: Matrix, operation: str) -> None:
    faults: list[str] = []
    for caller in matrix.callers:
        reached = reaches().get(operation, {}).get(caller.role, frozenset())
        for spec in fields_of(body_of(operation)) if reached else ():
            if spec.facet.setters is None or Role(caller.role) in spec.facet.setters or spec.facet.provided:
                continue
            body = {spec.wire: _another_value(spec, matrix)}
            for place in places(operation, caller, reached):
                answer, _ = matrix.run(matrix.answer(operation, caller, place, body))
                if answer.is_success:
                    faults.append(f"{caller.role} sets {spec.wire} at {place}")
    assert not faults, f"the rule of {operation} applies no setters (check_setters of request_values.py): {faults}"


def test_setters_with_a_reach_set_the_field_of_no_other_record() -> None:
    body, partner = body_of("update_company").model_validate({"ddiReadOnly": True}), "b" * 24
    caller = Caller("u" * 24, frozenset({Role.BP_ADMIN}), company_id=partner)
    check_setters(body, {"ddiReadOnly": True}, caller, Subject(company_id="c" * 24, bp_id=partner))
    with pytest.raises(Refusal):
        check_setters(body, {"ddiReadOnly": True}, caller, Subject(company_id="d" * 24, bp_id="e" * 24))


def _another_value(spec: FieldSpec, matrix: Matrix) -> Any:
    """A value that no record has."""
    values = {"boolean": True, "choice": next(reversed(spec.choices), ""), "object": {"a": "b"}, "texts": ["a"]}
    return matrix.estates["stranger"].ids.get(spec.wire, values.get(spec.kind, "Another"))
