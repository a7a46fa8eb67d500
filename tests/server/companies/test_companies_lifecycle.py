"""Creating and deleting companies (4.4): the initial values, and every condition of a deletion."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.interface.specification_2_7 import ROLES
from tests.server.companies.support import (
    ALL,
    CUSTOMER,
    DEFAULT,
    GRANDCHILD,
    PARTNER,
    RESELLER,
    SISTER,
    TERMINATED,
    caller,
    params,
    populated,
    put,
)
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]


@pytest.fixture
async def boss(world: World) -> Document:
    await populated(world)
    return await world.user("boss@example.com", roles=("superadmin",), companyId=DEFAULT)


async def created(world: World, by: Document, **fields: Any) -> Document:
    return dict(granted(await world.post(ALL, by=by, json={"name": "New", **fields}))["data"])


async def test_roles_that_create_companies(world: World) -> None:
    await populated(world)
    for role in ROLES:
        home = PARTNER if role.startswith("bp_") else COMPANY
        answer = await world.post(ALL, by=await caller(world, role, home), json={"name": f"By {role}"})
        if role in ("superadmin", "bp_admin", "bp_finance", "organization_admin"):
            granted(answer)
        else:
            refused(answer, 403000)


async def test_a_new_company_starts_with_its_defaults(world: World, boss: Document) -> None:
    made = await created(world, boss, city="Porto")
    assert len(made["id"]) == 24
    expected = {
        "name": "New",
        "city": "Porto",
        "status": "active",
        "country": "FRA",
        "visibility": "private",
        "offerType": "freemium",
        "size": "self-employed",
        "isBP": False,
        "cloudPbxRecordingRetention": 60,
        "fileStorageCustomisation": "enabled",
        "canUseTranscriptionCustomisation": "disabled",
        "alertNotificationSending": "disabled",
        "creationDate": "2026-11-20T10:00:00.000Z",
        "numberUsers": 0,
    }
    assert expected.items() <= made.items()
    assert made["bpId"] is None
    assert granted(await world.get(f"{ALL}/{made['id']}?format=full", by=boss))["data"] == made


@pytest.mark.parametrize("role", ["bp_admin", "bp_finance"])
async def test_a_partners_new_company_is_linked_to_it_and_initializing(world: World, role: str) -> None:
    await populated(world)
    by = await caller(world, role, PARTNER)
    made = await created(world, by, offerType="premium")
    assert (made["bpId"], made["status"], made["offerType"]) == (PARTNER, "initializing", "premium")
    assert params(refused(await world.post(ALL, by=by, json={"name": "X", "bpId": RESELLER}), 403000)) == ["bpId"]
    refused(await world.post(ALL, by=await caller(world, role, OTHER_COMPANY), json={"name": "Y"}), 403301)


async def test_an_organisations_new_company_belongs_to_it(world: World) -> None:
    await populated(world)
    by = await caller(world, "organization_admin", COMPANY)
    made = await created(world, by)
    assert (made["organisationId"], made["status"]) == (ORGANISATION, "active")
    homeless = await caller(world, "organization_admin", OTHER_COMPANY)
    refused(await world.post(ALL, by=homeless, json={"name": "X"}), 403301)


async def test_the_catalog_is_the_creators_or_the_default_one(world: World, boss: Document) -> None:
    main, other = "ca" * 12, "cb" * 12
    await put(world, "catalogs", id=main, name="Main", isDefault=True)
    await put(world, "catalogs", id=other, name="Other")
    assert (await created(world, boss, name="A"))["catalogId"] == main
    assert (await created(world, boss, name="B", catalogId=other))["catalogId"] == other
    by = await caller(world, "bp_admin", PARTNER)
    assert (await created(world, by, name="C"))["catalogId"] == main
    await world.company(PARTNER, name="Distributor", isBP=True, bpType="VAD", catalogId=other)
    assert (await created(world, by, name="D"))["catalogId"] == other
    refused(await world.post(ALL, by=by, json={"name": "E", "catalogId": main}), 403000)


async def test_a_new_company_has_a_subscription_to_the_default_offer(world: World, boss: Document) -> None:
    await put(world, "offers", id="0f" * 12, name="Essential", isDefault=True, canBeSold=False)
    made = await created(world, boss)
    (subscription,) = granted(await world.get(f"{ALL}/{made['id']}?format=full", by=boss))["data"]["subscriptions"]
    expected = {"offerId": "0f" * 12, "isDefault": True, "status": "active", "offerName": "Essential"}
    assert expected.items() <= subscription.items()
    # It does not prevent a deletion.
    granted(await world.delete(f"{ALL}/{made['id']}", by=boss))


async def _private_defaults(world: World, by: Document, company_id: str) -> list[Document]:
    path = "/api/svc/admin/v1.0/customisations/templates"
    found = granted(await world.get(path, by=by, params={"companyId": company_id, "format": "full"}))["data"]
    return [each for each in found if each["type"] == "private_default_company"]


async def test_each_standalone_company_has_one_private_default_template(world: World, boss: Document) -> None:
    """Section 2.8: private_default_company (one per standalone company, private)."""
    await populated(world)
    made = await created(world, boss)
    (template,) = await _private_defaults(world, boss, made["id"])
    assert (template["ownedByCompany"], template["visibility"], template["visibleBy"]) == (made["id"], "private", [])
    one = f"/api/svc/admin/v1.0/customisations/templates/{template['id']}"
    refused(await world.delete(one, by=boss), 403000)
    granted(await world.put(f"{ALL}/{made['id']}", by=boss, json={"city": "Lyon"}))
    assert await _private_defaults(world, boss, made["id"]) == [template]
    for name, fields in (("A customer", {"bpId": PARTNER}), ("A partner", {"isBP": True})):
        other = await created(world, boss, name=name, **fields)
        assert await _private_defaults(world, boss, other["id"]) == []
        # It stands alone from now on.
        granted(await world.put(f"{ALL}/{other['id']}", by=boss, json=dict.fromkeys(fields)))
        (_,) = await _private_defaults(world, boss, other["id"])


async def test_invalid_creations_are_refused(world: World, boss: Document) -> None:
    for sent, expected in (
        ({}, ["name"]),
        ({"name": ""}, ["name"]),
        ({"name": "n" * 256}, ["name"]),
        ({"name": "X", "country": "XX"}, ["country"]),
        ({"name": "X", "bpType": "IR"}, ["bpType"]),
        ({"name": "X", "bpId": CUSTOMER}, ["bpId"]),
        ({"name": "X", "customData": {"a": 1}}, ["customData"]),
    ):
        assert params(refused(await world.post(ALL, by=boss, json=sent), 400000)) == expected, sent
    refused(await world.post(ALL, by=boss, json={"name": "default"}), 400500)
    refused(await world.post(ALL, by=boss, json={"name": "stranger"}), 400504)
    refused(await world.post(ALL, by=boss, json={"name": "X", "visibility": "organization"}), 403212)


#: Role, company of the caller -> companies that the caller may delete once they are empty.
DELETES: list[tuple[str, str, set[str]]] = [
    ("superadmin", OTHER_COMPANY, {CUSTOMER, SISTER, GRANDCHILD, RESELLER, COMPANY}),
    ("bp_admin", PARTNER, {CUSTOMER, RESELLER, COMPANY}),
    ("bp_finance", PARTNER, {CUSTOMER, RESELLER, COMPANY}),
    ("bp_admin", RESELLER, {GRANDCHILD}),
    ("organization_admin", COMPANY, {SISTER, COMPANY}),
    ("company_admin", OTHER_COMPANY, set()),
    ("company_admin", COMPANY, {COMPANY}),
]


async def test_roles_that_delete_companies(world: World) -> None:
    for role, home, expected in DELETES:
        for id in (CUSTOMER, SISTER, GRANDCHILD, RESELLER, COMPANY):
            await populated(world)
            # The reseller has no customers here. The caller belongs to another company, unless the own one is deleted.
            await world.company(GRANDCHILD, name="Grandchild", bpId=RESELLER, status="active")
            if id == RESELLER:
                await world.company(GRANDCHILD, name="Grandchild")
            by = await caller(world, role, home)
            answer = await world.delete(f"{ALL}/{id}", by=by)
            if id in expected and (id != home or role == "company_admin"):
                granted(answer)
            elif id in expected:
                refused(answer, 403704)
            else:
                refused(answer, 403301)
            async with world.service.database.unit() as store:
                await store.users.remove(by["id"])


@pytest.mark.parametrize("role", ["support", "business_admin", "site_admin", "app_superadmin", "user"])
async def test_other_roles_delete_no_company(world: World, role: str) -> None:
    await populated(world)
    refused(await world.delete(f"{ALL}/{COMPANY}", by=await caller(world, role)), 403000)


async def test_a_deleted_company_is_terminated_and_its_name_is_free(world: World, boss: Document) -> None:
    answer = granted(await world.delete(f"{ALL}/{CUSTOMER}", by=boss))
    assert answer["status"] == f"Company {CUSTOMER} successfully deleted"
    gone = answer["data"]
    assert gone["status"] == "terminated"
    assert gone["name"].endswith("Customer")
    assert gone["name"] != "Customer"
    assert gone["statusUpdatedDate"] == "2026-11-20T10:00:00.000Z"
    assert (await created(world, boss, name="Customer"))["name"] == "Customer"


async def test_the_two_companies_of_the_platform_cannot_be_deleted(world: World, boss: Document) -> None:
    for id in (DEFAULT, TERMINATED):
        body = refused(await world.delete(f"{ALL}/{id}", by=boss), 403301)
        assert "cannot be deleted" in body["errorDetails"]
    refused(await world.delete(f"{ALL}/{'f0' * 12}", by=boss), 404000)


async def test_each_failed_condition_has_a_code_and_a_count(world: World, boss: Document) -> None:
    async def refused_deletion(id: str, code: int, param: str, count: int) -> None:
        body = refused(await world.delete(f"{ALL}/{id}", by=boss), code)
        assert [(each["param"], each["value"]) for each in body["errorDetails"]] == [(param, count)]
        assert all(each["msg"] for each in body["errorDetails"])

    await refused_deletion(PARTNER, 403701, "companies", 3)
    await put(world, "sites", id="51" * 12, name="Lisbon", companyId=CUSTOMER, status="active")
    await refused_deletion(CUSTOMER, 403703, "sites", 1)
    await put(world, "subscriptions", id="5b" * 12, companyId=SISTER, offerId="0f" * 12, status="active")
    await refused_deletion(SISTER, 403702, "subscriptions", 1)
    await caller(world, "user", GRANDCHILD)
    await caller(world, "user", GRANDCHILD, isActive=False)
    await refused_deletion(GRANDCHILD, 403704, "users", 2)
    granted(await world.delete(f"{ALL}/{OTHER_COMPANY}", by=boss))
    await refused_deletion(OTHER_COMPANY, 403705, "status", 1)


async def test_all_failed_conditions_are_reported_at_once(world: World, boss: Document) -> None:
    await put(world, "sites", id="51" * 12, name="Lisbon", companyId=RESELLER, status="active")
    await put(world, "subscriptions", id="5b" * 12, companyId=RESELLER, offerId="0f" * 12, status="hold")
    await caller(world, "user", RESELLER)
    body = refused(await world.delete(f"{ALL}/{RESELLER}", by=boss), 403701)
    assert params(body) == ["companies", "sites", "subscriptions", "users"]
    assert (await world.stored("companies", RESELLER))["status"] == "active"


async def test_records_that_do_not_prevent_a_deletion(world: World, boss: Document) -> None:
    await put(world, "subscriptions", id="5b" * 12, companyId=RESELLER, offerId="0f" * 12, isDefault=True)
    await put(world, "subscriptions", id="5c" * 12, companyId=RESELLER, offerId="0f" * 12, status="terminated")
    await caller(world, "user", RESELLER, isTerminated=True)
    await world.company(GRANDCHILD, name="Grandchild", bpId=RESELLER, status="terminated")
    granted(await world.delete(f"{ALL}/{RESELLER}", by=boss))


async def test_the_last_user_counts_only_in_the_callers_own_company(world: World) -> None:
    await populated(world)
    await caller(world, "user", CUSTOMER)
    both = await world.user("both@example.com", roles=("superadmin", "company_admin"), companyId=OTHER_COMPANY)
    refused(await world.delete(f"{ALL}/{CUSTOMER}", by=both), 403704)


async def test_a_company_admin_who_is_the_only_user_deletes_the_company(world: World) -> None:
    await populated(world)
    by = await caller(world, "company_admin")
    other = await caller(world, "user")
    refused(await world.delete(f"{ALL}/{COMPANY}", by=by), 403704)
    async with world.service.database.unit() as store:
        await store.users.put({**other, "isTerminated": True})
    granted(await world.delete(f"{ALL}/{COMPANY}", by=by))
    # The users of a terminated company are refused.
    refused(await world.get(f"{ALL}/{COMPANY}", by=by), 401521)


async def test_only_one_of_several_simultaneous_companies_with_one_name_is_created(world_on_both: World) -> None:
    world = await populated(world_on_both)
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    answers = await asyncio.gather(*(world.post(ALL, by=boss, json={"name": "Same"}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]


async def test_simultaneous_updates_lose_no_field(world_on_both: World) -> None:
    world = await populated(world_on_both)
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    sent = {"city": "Porto", "street": "Main 1", "slogan": "Hi", "postalCode": "4000"}
    await asyncio.gather(*(world.put(f"{ALL}/{CUSTOMER}", by=boss, json={wire: value}) for wire, value in sent.items()))
    assert sent.items() <= (await world.stored("companies", CUSTOMER)).items()
