"""The audit log: every change leaves its record in the same transaction, with who, where and what; secrets never."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.audit.operations import READ_AUDIT
from svc_tui.interface.audit.record_kinds import RECORD_KINDS
from svc_tui.interface.catalogue import operations
from svc_tui.server.audit.reading import remove_old
from svc_tui.server.running.turns import take_turn
from svc_tui.server.store.audit import MOST_EACH, Origin, originating
from svc_tui.server.store.audit_values import MOST_CHANGES, MOST_VALUE, changes_of, kind_of
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.tables import DOCUMENT_TABLES
from svc_tui.server.subscriptions.expiry import expire
from tests.support.world import APP, COMPANY, OTHER_COMPANY, PARTNER, PASSWORD, World, granted, refused

LOG = "/api/svc/audit/v1.0/records"
APPLICATIONS = "/api/svc/applications/v1.0/applications"
USERS = "/api/svc/enduser/v1.0/users"
Document = dict[str, Any]

#: Tables whose changes the log leaves out: failed logins and locks have their own records, the others are the
#: service's own numbers, states of devices, and parts of an import, whose report is recorded.
LEFT_OUT = {
    "audit_records",
    "daily_stats",
    "directories",
    "imported_rows",
    "login_guards",
    "registrations",
    "signing_keys",
}


OTHER_APP = "a1" * 12
USERS = "/api/svc/admin/v1.0/users"


@pytest.fixture
async def root(world: World) -> Document:
    await world.application(OTHER_APP)
    return await world.user("root@example.com", roles=("superadmin", "app_superadmin"))


async def log(world: World, by: Document, **filters: Any) -> list[Document]:
    """The audit log as a user reads it, the latest first."""
    page = granted(await world.get(LOG, by=by, params={"format": "full", **filters}))
    assert page["total"] == len(page["data"])
    return list(page["data"])


async def stop(world: World, by: Document) -> None:
    granted(await world.put(f"{APPLICATIONS}/{OTHER_APP}/stop", by=by))


def test_every_table_of_records_is_in_the_log_or_left_out_on_purpose() -> None:
    assert {name for name in DOCUMENT_TABLES if not kind_of(name)} == LEFT_OUT
    assert {kind for name in DOCUMENT_TABLES if (kind := kind_of(name))} == set(RECORD_KINDS)


async def test_a_change_leaves_who_what_when_where_and_old_and_new_values(world: World, root: Document) -> None:
    owner = await world.user("owner@example.com")
    await world.application(ownerId=owner["id"])
    body = {"name": "Renamed", "description": "now with one"}
    answer = await world.put(f"{APPLICATIONS}/{APP}", by=root, json=body)
    granted(answer)
    (record,) = await log(world, root, userId=root["id"])
    assert {name: record[name] for name in record if name != "id"} == {
        "date": "2026-11-20T10:00:00.000Z",
        "action": "update",
        "outcome": "done",
        "operation": "update_application",
        "kind": "applications",
        "recordId": APP,
        "recordName": "Renamed",
        "companyId": COMPANY,
        "changes": [
            {"field": "name", "old": "Application a0a0", "new": "Renamed"},
            {"field": "description", "new": "now with one"},
        ],
        "userId": root["id"],
        "loginEmail": "root@example.com",
        "userCompanyId": COMPANY,
        "roles": ["superadmin", "app_superadmin"],
        "applicationId": APP,
        "address": "127.0.0.1",
        # The id by which the response and the log of the service name the request.
        "requestId": answer.headers["x-request-id"],
    }
    assert granted(await world.get(f"{LOG}/{record['id']}", by=root))["data"] == record


async def test_secrets_and_fields_of_the_service_alone_have_no_values(world: World, root: Document) -> None:
    made = granted(await world.post(APPLICATIONS, by=root, json={"name": "CRM", "type": "web", "activity": "J"}))[
        "data"
    ]
    key = {"description": "for scripts", "isActive": True, "scope": ["all"]}
    value = granted(await world.post("/api/svc/authentication/v1.0/apikeys", by=root, json=key))["data"]["apiKey"]
    records = await log(world, root, userId=root["id"])
    assert {each["kind"] for each in records} == {"applications", "apikeys"}
    hidden = {change["field"] for each in records for change in each["changes"] if change.get("secret")}
    assert hidden == {"appSecret", "keyHash"}
    assert made["appSecret"] not in str(records)
    assert value not in str(records)


def test_secrets_inside_lists_and_objects_are_hidden_and_texts_and_fields_are_limited() -> None:
    old = {"id": "1", "state": "a", "smtp": {"password": "one"}, "description": "x" * 1000}
    new = {"id": "1", "state": "b", "redirectUris": ["y"], "oauthClients": [{"client_secret": "two"}]}
    found = {each["field"]: each for each in changes_of("applications", old, new)}
    assert "one" not in str(found)
    assert "two" not in str(found)
    assert found["state"] == {"field": "state", "old": "a", "new": "b"}
    assert len(found["description"]["old"]) == MOST_VALUE
    many = changes_of("users", None, {f"field{number}": number for number in range(MOST_CHANGES * 2)})
    assert len(many) == MOST_CHANGES
    assert many[-1]["new"] == f"and {MOST_CHANGES + 1} more fields"


async def test_nothing_is_recorded_of_reads_refusals_and_what_stays_the_same(world: World, root: Document) -> None:
    granted(await world.get(APPLICATIONS, by=root))
    refused(await world.put(f"{APPLICATIONS}/{APP}", by=root, json={"name": ""}), 400000)
    assert await log(world, root, userId=root["id"]) == []


async def test_logins_logouts_failed_logins_and_locks_are_in_the_log(world: World, root: Document) -> None:
    jane = await world.user()
    granted(await world.login())
    granted(await world.get("/api/svc/authentication/v1.0/logout", by=jane))
    failures = world.service.settings.lock_failures
    for _ in range(failures + 3):
        await world.login(password=PASSWORD + "x")
    records = [each for each in await log(world, root, recordId=jane["id"]) if "operation" in each]
    said = [(each["action"], each["outcome"], each.get("loginEmail")) for each in records if "userId" in each]
    assert sorted(said) == [("login", "done", "jane@example.com"), ("perform", "done", "jane@example.com")]
    tried = [each["action"] for each in records if each["outcome"] == "refused"]
    assert sorted(tried) == ["failed login"] * (failures - 1) + ["lock"]
    assert {each["recordName"] for each in records} == {jane["displayName"]}
    assert {each["companyId"] for each in records} == {COMPANY}
    assert {each["address"] for each in records} == {"127.0.0.1"}
    assert len(await log(world, root, operation="logout")) == 1


async def test_what_a_background_job_does_names_the_job(world: World, root: Document) -> None:
    ended = {"id": "5a" * 12, "companyId": COMPANY, "offerId": "0f" * 12, "offerName": "Business", "status": "active"}
    async with world.service.database.unit() as store:
        await store.subscriptions.add({**ended, "expirationDate": "2026-11-19T23:59:59.000Z"})

    async def act() -> None:
        assert await expire(world.service) == 1

    with originating(Origin(world.clock.now, job="service")):
        await take_turn(world.service, "a test of the ends of terms", act, 60)
    found = [each for each in await log(world, root, recordId=ended["id"]) if each["action"] != "create"]
    assert [(each["job"], each["kind"], each["companyId"]) for each in found] == [
        ("a test of the ends of terms", "subscriptions", COMPANY)
    ]
    await stop(world, root)
    everything = await log(world, root)
    by_request, by_job = await log(world, root, byRequest="true"), await log(world, root, byRequest="false")
    assert found[0] in by_job and found[0] not in by_request
    assert by_request[0]["operation"] == "stop_application" and len(by_request) + len(by_job) == len(everything)


async def test_a_statement_for_very_many_records_leaves_one_record(world: World, root: Document) -> None:
    origin = Origin(world.clock.now, "test", user_id="u2")
    sites = [{"id": f"{number:024}", "name": "S", "companyId": COMPANY} for number in range(MOST_EACH + 1)]
    with originating(origin):
        async with world.service.database.unit() as store:
            await store.sites.add_all(sites)
        async with world.service.database.unit() as store:
            await store.sites.remove_all(Is("companyId", COMPANY))
    found = await log(world, root, userId="u2")
    assert sorted((each["action"], each["count"], each["companyId"]) for each in found) == [
        ("create", MOST_EACH + 1, COMPANY),
        ("delete", MOST_EACH + 1, COMPANY),
    ]


@pytest.mark.parametrize(
    ("role", "companies"),
    [
        ("superadmin", {COMPANY, OTHER_COMPANY, PARTNER}),
        ("company_admin", {COMPANY}),
        ("bp_admin", {COMPANY, OTHER_COMPANY}),
        ("organization_admin", {COMPANY, PARTNER}),
    ],
)
async def test_administrators_read_the_changes_of_companies_that_they_administer(
    world: World, root: Document, role: str, companies: set[str]
) -> None:
    await world.company(organisationId="0a" * 12)
    await world.company(OTHER_COMPANY, bpId=COMPANY)
    await world.company(PARTNER, organisationId="0a" * 12)
    reader = await world.user("reader@example.com", roles=(role,), organisationId="0a" * 12)
    for company in (COMPANY, OTHER_COMPANY, PARTNER):
        path = f"/api/svc/admin/v1.0/companies/{company}"
        granted(await world.put(path, by=root, json={"slogan": "changed"}))
    found = await log(world, reader, operation="update_company")
    assert {each["companyId"] for each in found} == companies
    everything = await log(world, root, operation="update_company")
    for each in everything:
        answer = await world.get(f"{LOG}/{each['id']}", by=reader)
        assert (answer.status_code == 200) == (each["companyId"] in companies)


async def test_other_roles_read_no_audit_log(world: World) -> None:
    for role in ("support", "bp_finance", "site_admin", "app_admin", "user"):
        assert role not in READ_AUDIT.as_text()
        user = await world.user(f"{role}@example.com", roles=(role,))
        refused(await world.get(LOG, by=user), 403000)


async def test_a_user_of_another_company_is_shown_by_roles_only(world: World) -> None:
    await world.company(OTHER_COMPANY)
    stranger = await world.user("stranger@example.com", roles=("superadmin",), companyId=OTHER_COMPANY)
    admin = await world.user("admin@example.com", roles=("company_admin",))
    granted(await world.put(f"/api/svc/admin/v1.0/companies/{COMPANY}", by=stranger, json={"slogan": "changed"}))
    (record,) = await log(world, admin, operation="update_company", kind="companies")
    assert record["roles"] == ["superadmin"]
    assert not {"userId", "loginEmail", "address", "applicationId", "userCompanyId"} & set(record)
    assert await log(world, admin, userId=stranger["id"]) == []


async def test_what_was_done_to_a_user_has_the_name_of_the_user_and_no_password(world: World) -> None:
    await world.company()
    admin = await world.user("admin@example.com", roles=("company_admin",))
    body = {"loginEmail": "new@example.com", "firstName": "Nora", "lastName": "New", "password": "Correct-horse-1"}
    user = granted(await world.post(USERS, by=admin, json=body))["data"]
    path = f"{USERS}/{user['id']}"
    granted(await world.put(path, by=admin, json={"password": "Another-horse-2"}))
    granted(await world.put(path, by=admin, json={"roles": ["admin", "user"], "adminType": "site_admin"}))
    refused(await world.login("new@example.com", "Third-horse-3"), 401500)
    granted(await world.delete(path, by=admin))
    found = await log(world, admin, recordId=user["id"])
    assert {each["recordName"] for each in found} == {"Nora New"}
    operations = {each["operation"]: each.get("loginEmail") for each in found}
    done = dict.fromkeys(("create_user", "update_user", "delete_user"), "admin@example.com")
    assert operations == {**done, "login": None}
    roles = [change for each in found for change in each.get("changes", ()) if change["field"] == "adminType"]
    assert {"field": "adminType", "old": "undefined", "new": "site_admin"} in roles
    assert not any(word in str(found) for word in ("horse", "argon2", "sessionsEnded"))


async def test_a_partner_reads_what_the_users_of_its_customers_did(world: World) -> None:
    await world.company(OTHER_COMPANY, isBP=True)
    await world.company(bpId=OTHER_COMPANY)
    partner = await world.user("partner@example.com", roles=("bp_admin",), companyId=OTHER_COMPANY)
    admin = await world.user("admin@example.com", roles=("company_admin",))
    granted(await world.put(f"/api/svc/admin/v1.0/companies/{COMPANY}", by=admin, json={"slogan": "changed"}))
    (record,) = await log(world, partner, userId=admin["id"])
    assert (record["loginEmail"], record["recordName"]) == ("admin@example.com", "Company c0c0")


async def test_the_log_is_filtered_by_period_and_paged(world: World, root: Document) -> None:
    for _ in range(3):
        await stop(world, root)
        granted(await world.put(f"{APPLICATIONS}/{OTHER_APP}/restart", by=root))
        world.clock.forward(hours=1)
    first = granted(await world.get(LOG, by=root, params={"userId": root["id"], "limit": 4}))
    assert (first["total"], len(first["data"])) == (6, 4)
    assert first["data"][0]["date"] == "2026-11-20T12:00:00.000Z"
    hour = {"fromDate": "2026-11-20T11:00:00Z", "toDate": "2026-11-20T11:30:00Z"}
    assert len(await log(world, root, **hour)) == 2
    refused(await world.get(LOG, by=root, params={"fromDate": "yesterday"}), 400000)


async def test_old_records_are_removed_after_their_retention(world: World, root: Document) -> None:
    await stop(world, root)
    assert await remove_old(world.service) == 0
    world.clock.forward(days=366)
    assert await remove_old(world.service) > 0
    assert await log(world, root) == []


def test_the_log_cannot_be_changed_by_any_operation() -> None:
    assert [each.method for each in operations() if each.path.startswith(LOG)] == ["GET", "GET"]
