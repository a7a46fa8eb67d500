"""Reading companies (4.4): access by role and relation, lists with their filters, formats, omitted fields."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.companies.countries import COUNTRIES
from tests.interface.specification_2_7 import FEATURE_KEYS, ROLES, SETTINGS
from tests.server.companies.support import (
    ALL,
    CUSTOMER,
    DEFAULT,
    GRANDCHILD,
    NAMES,
    PARTNER,
    RESELLER,
    SISTER,
    caller,
    params,
    populated,
    put,
)
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, World, granted, refused

Document = dict[str, Any]

EVERY = set(NAMES.values())
_PARTNERS = {"Distributor", "Reseller", "Customer", "Own", "Grandchild"}

#: Role, company of the caller -> companies that the caller reads (4.4).
READS: list[tuple[str, str, set[str]]] = [
    *((role, OTHER_COMPANY, EVERY) for role in ("superadmin", "support", "customer_success_admin", "sales_analytics")),
    ("business_admin", OTHER_COMPANY, EVERY),
    ("bp_admin", PARTNER, _PARTNERS),
    ("bp_finance", PARTNER, _PARTNERS),
    ("bp_admin", RESELLER, {"Reseller", "Grandchild"}),
    ("organization_admin", COMPANY, {"Own", "Sister", "Distributor"}),
    ("company_admin", COMPANY, {"Own", "Distributor"}),
    ("site_admin", COMPANY, {"Own", "Distributor"}),
    ("company_admin", OTHER_COMPANY, {"Stranger"}),
    ("telephony_cpaas", COMPANY, {"Own"}),
    *(
        (role, COMPANY, set[str]())
        for role in ("directory_admin", "app_admin", "app_superadmin", "app_support", "user")
    ),
]
#: The same for the list: two roles that read any company list their own only; a BP stands in no list of its customers.
LISTS: list[tuple[str, str, set[str]]] = [
    *((role, OTHER_COMPANY, EVERY) for role in ("superadmin", "support", "business_admin")),
    *((role, OTHER_COMPANY, {"Stranger"}) for role in ("customer_success_admin", "sales_analytics")),
    ("bp_admin", PARTNER, _PARTNERS),
    ("bp_finance", PARTNER, _PARTNERS),
    ("bp_admin", RESELLER, {"Reseller", "Grandchild"}),
    ("organization_admin", COMPANY, {"Own", "Sister"}),
    ("company_admin", COMPANY, {"Own"}),
    ("site_admin", COMPANY, {"Own"}),
    ("telephony_cpaas", COMPANY, {"Own"}),
    *(
        (role, COMPANY, set[str]())
        for role in ("directory_admin", "app_admin", "app_superadmin", "app_support", "user")
    ),
]


@pytest.fixture
async def boss(world: World) -> Document:
    await populated(world)
    return await world.user("boss@example.com", roles=("superadmin",), companyId=DEFAULT)


async def listed(world: World, by: Document, query: str = "") -> list[Document]:
    return list(granted(await world.get(f"{ALL}?limit=100{query}", by=by))["data"])


async def names(world: World, by: Document, query: str = "") -> set[str]:
    return {each["name"] for each in await listed(world, by, query)}


async def test_roles_that_read_companies(world: World) -> None:
    assert {role for role, _, _ in READS} == set(ROLES)
    await populated(world)
    for role, home, expected in READS:
        by = await caller(world, role, home)
        found = set()
        for id, name in NAMES.items():
            answer = await world.get(f"{ALL}/{id}", by=by)
            if answer.status_code == 200:
                assert answer.json()["data"] == {"id": id, "name": name}
                found.add(name)
            else:
                refused(answer, 403301 if expected else 403000)
        assert found == expected, (role, home)


async def test_companies_that_each_role_lists(world_on_both: World) -> None:
    world = await populated(world_on_both)
    for role, home, expected in LISTS:
        by = await caller(world, role, home)
        if expected:
            assert await names(world, by) == expected, (role, home)
        else:
            refused(await world.get(ALL, by=by), 403000)


async def test_the_tree_is_read_level_by_level(world: World, boss: Document) -> None:
    assert await names(world, boss, f"&bpId={PARTNER}") == {"Reseller", "Customer", "Own"}
    assert await names(world, boss, f"&bpId={RESELLER}") == {"Grandchild"}
    vad = await caller(world, "bp_admin", PARTNER)
    assert await names(world, vad, "&isBP=true") == {"Distributor", "Reseller"}
    assert await names(world, vad, f"&bpId={RESELLER}") == {"Grandchild"}


async def test_every_filter(world_on_both: World) -> None:
    world = await populated(world_on_both)
    boss = await world.user("boss@example.com", roles=("superadmin",), companyId=DEFAULT)
    template, catalog, offer = "7e" * 12, "ca" * 12, "0f" * 12
    await world.company(
        CUSTOMER,
        name="Customer",
        bpId=PARTNER,
        status="hold",
        visibility="closed",
        catalogId=catalog,
        externalReference="Ref-1",
        externalReference2="Two-1",
        selectedAppCustomisationTemplate=template,
    )
    await put(world, "offers", id=offer, name="Voice", groupName="Voice group", canBeSold=True)
    await put(world, "subscriptions", id="5b" * 12, companyId=CUSTOMER, offerId=offer, status="active")
    await put(world, "subscriptions", id="5c" * 12, companyId=COMPANY, offerId=offer, status="terminated")
    for query, expected in {
        "name=CUST": {"Customer"},
        "name=%25": set(),
        "status=hold": {"Customer"},
        "status=terminated": {"Terminated"},
        "visibility=closed": {"Customer"},
        f"organisationId={ORGANISATION}": {"Own", "Sister"},
        "isBP=true": {"Distributor", "Reseller"},
        "isBP=false": EVERY - {"Distributor", "Reseller"},
        "hasBP=true": {"Reseller", "Customer", "Own", "Grandchild"},
        "hasBP=false": {"Distributor", "Sister", "Stranger", "Default", "Terminated"},
        "bpType=IR": {"Reseller"},
        f"catalogId={catalog}": {"Customer"},
        f"offerId={offer}": {"Customer"},
        "offerCanBeSold=true": {"Customer"},
        "offerCanBeSold=false": set(),
        "offerGroupName=Voice%20group": {"Customer"},
        "externalReference=Ref": {"Customer"},
        "externalReference=ref": set(),
        "externalReference2=Two": {"Customer"},
        f"selectedAppCustomisationTemplate={template}": {"Customer"},
        f"name=r&bpId={PARTNER}": {"Reseller", "Customer"},
    }.items():
        assert await names(world, boss, f"&{query}") == expected, query


async def test_invalid_filters_are_refused(world: World, boss: Document) -> None:
    for query, param in {
        "bpId=x": "bpId",
        "organisationId=x": "organisationId",
        "offerId=x": "offerId",
        "status=gone": "status",
        "bpType=XX": "bpType",
        "isBP=maybe": "isBP",
        "sortField=description": "sortField",
    }.items():
        assert params(refused(await world.get(f"{ALL}?{query}", by=boss), 400000)) == [param]


async def test_the_list_is_sorted_by_name_and_read_in_pages(world: World, boss: Document) -> None:
    page = granted(await world.get(f"{ALL}?limit=2&offset=1", by=boss))
    assert page["total"] == len(EVERY)
    assert [each["name"] for each in page["data"]] == sorted(EVERY)[1:3]
    last = granted(await world.get(f"{ALL}?limit=1&sortOrder=-1", by=boss))
    assert last["data"][0]["name"] == max(EVERY)
    assert granted(await world.get(f"{ALL}?offset=99", by=boss))["data"] == []


MEDIUM = {
    "id", "name", "status", "adminEmail", "companyContactId", "isBP", "bpType", "country", "website", "slogan",
    "description", "size", "economicActivityClassification", "creationDate", "lastAvatarUpdateDate",
    "lastBannerUpdateDate", "avatarShape", "visibility",
}  # fmt: skip
LEFT_OUT = {
    "subscriptions", "bsCompanyId", "billingCompanyId", "bpBusinessModel", "bpApplicantNumber", "bpCRDid",
    "bpIsContractAccepted", "bpHasRightToSell", "bpHasRightToConnect", "bpHasRightForBYOT",
    "preferredSipLoadBalancerId",
}  # fmt: skip


async def rich(world: World) -> None:
    await populated(world)
    whole = {wire: "x" for wire in MEDIUM | LEFT_OUT if wire not in ("id", "name", "status", "isBP", "subscriptions")}
    await world.company(COMPANY, **{**whole, "name": "Own", "bpId": PARTNER, "organisationId": ORGANISATION})


async def test_the_formats_of_a_company(world: World) -> None:
    await rich(world)
    boss = await caller(world, "superadmin", OTHER_COMPANY)

    async def read(format: str) -> set[str]:
        one = granted(await world.get(f"{ALL}/{COMPANY}{format}", by=boss))["data"]
        many = await listed(world, boss, f"&name=own{format.replace('?', '&')}")
        assert set(many[0]) <= set(one)
        return set(one)

    assert await read("") == {"id", "name"}
    assert await read("?format=small") == {"id", "name"}
    assert await read("?format=medium") == MEDIUM
    assert await read("?format=full") >= MEDIUM | LEFT_OUT | {"bpId", "organisationId"}


async def test_full_has_all_fields_of_2_7_and_the_feature_keys_also_without_a_value(world: World) -> None:
    await populated(world)
    for role, company in (("superadmin", OTHER_COMPANY), ("company_admin", COMPANY)):
        by = await caller(world, role, company)
        one = granted(await world.get(f"{ALL}/{COMPANY}?format=full", by=by))["data"]
        assert {*SETTINGS, *FEATURE_KEYS} - LEFT_OUT <= set(one), role
        assert one["adminEmail"] is None and one["allowedProviderIds"] == one["csEmailList"] == []
        assert role == "superadmin" or not LEFT_OUT & set(one)


async def test_fields_of_the_medium_format_that_are_unset_are_null(world: World) -> None:
    await populated(world)
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    one = granted(await world.get(f"{ALL}/{COMPANY}?format=medium", by=boss))["data"]
    assert set(one) == MEDIUM and one["slogan"] is None and one["lastBannerUpdateDate"] is None
    (many,) = await listed(world, boss, "&format=medium&name=own")
    assert many == one


async def test_an_admin_without_a_broader_role_does_not_read_the_business_fields(world: World) -> None:
    await rich(world)
    for role, home in (("company_admin", COMPANY), ("organization_admin", SISTER), ("site_admin", COMPANY)):
        by = await caller(world, role, home)
        one = granted(await world.get(f"{ALL}/{COMPANY}?format=full", by=by))["data"]
        assert not set(one) & LEFT_OUT
        assert "bpId" in one
        (many,) = await listed(world, by, "&format=full&name=own")
        assert not set(many) & LEFT_OUT
    for role, home in (("bp_admin", PARTNER), ("support", OTHER_COMPANY), ("business_admin", OTHER_COMPANY)):
        one = granted(await world.get(f"{ALL}/{COMPANY}?format=full", by=await caller(world, role, home)))["data"]
        assert set(one) >= LEFT_OUT, role


async def test_the_number_of_users_is_shown_for_own_and_managed_companies(world: World) -> None:
    await populated(world)
    await caller(world, "user", COMPANY)
    await caller(world, "user", COMPANY, isTerminated=True)
    for role, home, counted in (
        ("bp_admin", PARTNER, True),
        ("organization_admin", SISTER, True),
        ("superadmin", OTHER_COMPANY, True),
        ("sales_analytics", OTHER_COMPANY, False),
    ):
        by = await caller(world, role, home)
        one = granted(await world.get(f"{ALL}/{COMPANY}?format=full", by=by))["data"]
        assert one.get("numberUsers") == (1 if counted else None), role
    own = await caller(world, "company_admin")
    assert granted(await world.get(f"{ALL}/{COMPANY}?format=full", by=own))["data"]["numberUsers"] == 2
    # A user reads the BP of the own company, but does not manage it.
    assert "numberUsers" not in granted(await world.get(f"{ALL}/{PARTNER}?format=full", by=own))["data"]


@pytest.mark.parametrize("stored", ["blue", {"light": "blue", "dark": "night"}])
async def test_the_theme_is_returned_as_text_or_object(world: World, boss: Document, stored: Any) -> None:
    await world.company(CUSTOMER, name="Customer", selectedTheme=stored)
    address = f"{ALL}/{CUSTOMER}?format=full"
    assert granted(await world.get(address, by=boss))["data"]["selectedTheme"] == "blue"
    both = granted(await world.get(address + "&selectedThemeObj=true", by=boss))["data"]["selectedTheme"]
    assert both == (stored if isinstance(stored, dict) else {"light": "blue", "dark": "blue"})
    (one,) = await listed(world, boss, "&name=customer&format=full&selectedThemeObj=true")
    assert one["selectedTheme"] == both


async def test_missing_companies_and_malformed_identifiers(world: World, boss: Document) -> None:
    refused(await world.get(f"{ALL}/{'f0' * 12}", by=boss), 404000)
    assert params(refused(await world.get(f"{ALL}/x", by=boss), 400000)) == ["companyId"]
    refused(await world.get(f"{ALL}/{CUSTOMER}"), 401102)


async def test_admins_but_no_plain_users_read_the_default_company(world: World) -> None:
    await populated(world)
    for role in ROLES:
        answer = await world.get(f"{ALL}/default", by=await caller(world, role))
        if role in ("app_admin", "app_superadmin", "app_support", "telephony_cpaas", "user"):
            refused(answer, 403000)
        else:
            assert granted(answer)["data"] == {"id": DEFAULT, "name": "Default"}


async def test_a_user_reads_the_own_company_and_visible_companies(world: World) -> None:
    await populated(world)
    await world.company(OTHER_COMPANY, name="Stranger", visibility="private", city="Porto", superadminComment="secret")
    by = await caller(world, "user")

    async def read(id: str, format: str = "full") -> Document:
        address = f"/api/svc/enduser/v1.0/companies/{id}?format={format}"
        return dict(granted(await world.get(address, by=by))["data"])

    assert (await read(COMPANY))["bpId"] == PARTNER
    assert await read(COMPANY, "small") == {"id": COMPANY, "name": "Own"}
    assert (await read(DEFAULT))["id"] == DEFAULT
    for private in (SISTER, PARTNER, OTHER_COMPANY):
        refused(await world.get(f"/api/svc/enduser/v1.0/companies/{private}?format=medium", by=by), 403301)
    for id, visibility, visible in (
        (SISTER, "organization", True),
        (SISTER, "closed", False),
        (OTHER_COMPANY, "organization", False),
        (PARTNER, "public", True),
    ):
        stored = await world.stored("companies", id)
        await world.company(**{**stored, "visibility": visibility})
        answer = await world.get(f"/api/svc/enduser/v1.0/companies/{id}", by=by)
        assert answer.status_code == (200 if visible else 403), (id, visibility)
    await world.company(OTHER_COMPANY, name="Stranger", visibleBy=[COMPANY], city="Porto", superadminComment="secret")
    assert set(await read(OTHER_COMPANY)) <= MEDIUM


async def test_users_do_not_read_the_notes_of_the_platform(world: World) -> None:
    await populated(world)
    await world.company(COMPANY, name="Own", superadminComment="secret", bpCRDid="C1")
    by = await caller(world, "user")
    shown = granted(await world.get(f"/api/svc/enduser/v1.0/companies/{COMPANY}?format=full", by=by))["data"]
    assert "superadminComment" not in shown
    assert "bpCRDid" not in shown


async def test_the_administrators_of_a_company(world: World) -> None:
    await populated(world)
    admin = await caller(world, "company_admin")
    site = await caller(world, "site_admin")
    await caller(world, "user")
    await caller(world, "company_admin", isTerminated=True)
    await caller(world, "company_admin", OTHER_COMPANY)
    for role, home, allowed in (
        ("superadmin", OTHER_COMPANY, True),
        ("support", OTHER_COMPANY, True),
        ("bp_finance", PARTNER, True),
        ("company_admin", OTHER_COMPANY, False),
    ):
        answer = await world.get(f"{ALL}/{COMPANY}/administrators", by=await caller(world, role, home))
        if allowed:
            page = granted(answer)
            assert {each["id"] for each in page["data"]} == {admin["id"], site["id"]}
            assert page["total"] == 2
        else:
            refused(answer, 403301)
    refused(await world.get(f"{ALL}/{COMPANY}/administrators", by=site), 403000)


async def test_countries_have_codes_and_names(world: World) -> None:
    found = granted(await world.get("/api/svc/enduser/v1.0/countries", by=await world.user()))["data"]
    assert len(found) == len(COUNTRIES)
    assert {"isoAlpha3Code": "PRT", "fullname": "Portugal"} in found


async def test_catalogs_and_offers_are_for_superadmin_and_support(world: World, boss: Document) -> None:
    offer = "0f" * 12
    await put(world, "offers", id=offer, name="Voice", canBeSold=True, businessSpecific=["A"], offerReference="R")
    await put(world, "offers", id="0e" * 12, name="Essential", isDefault=True)
    await put(world, "catalogs", id="ca" * 12, name="Main", isDefault=True, offersList=[offer])
    await put(world, "catalogs", id="cb" * 12, name="Small")
    base = "/api/svc/admin/v1.0"

    async def found(path: str) -> list[str]:
        return [each["name"] for each in granted(await world.get(base + path, by=boss))["data"]]

    assert await found("/catalogs") == ["Main", "Small"]
    assert await found("/catalogs?isDefault=true") == ["Main"]
    assert await found("/catalogs?isDefault=false") == ["Small"]
    assert await found(f"/catalogs?offerId={offer}") == ["Main"]
    assert await found("/catalogs?name=sma") == ["Small"]
    assert await found("/offers") == ["Essential", "Voice"]
    assert await found("/offers?canBeSold=true") == ["Voice"]
    assert await found("/offers?canBeSold=false") == ["Essential"]
    assert await found("/offers?businessSpecific=A") == ["Voice"]
    assert await found("/offers?offerReference=R&name=vo") == ["Voice"]
    other = await caller(world, "bp_admin", PARTNER)
    for path in ("/catalogs", "/offers"):
        refused(await world.get(base + path, by=other), 403000)
        granted(await world.get(base + path, by=await caller(world, "support")))


async def test_grandchildren_are_read_by_the_distributor_but_not_by_another_partner(world: World) -> None:
    await populated(world)
    await world.company(OTHER_COMPANY, name="Stranger", isBP=True, bpType="VAD")
    refused(await world.get(f"{ALL}/{GRANDCHILD}", by=await caller(world, "bp_admin", OTHER_COMPANY)), 403301)
    granted(await world.get(f"{ALL}/{GRANDCHILD}", by=await caller(world, "bp_admin", PARTNER)))
