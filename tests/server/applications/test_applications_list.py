"""Access to applications in lists and one at a time, and every filter of the list (4.5)."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.access import Role
from tests.support.world import OTHER_COMPANY, PARTNER, World, granted, refused

ALL = "/api/svc/applications/v1.0/applications"
NOWHERE = "0123456789abcdef01234567"


def one(id: str) -> str:
    return f"{ALL}/{id}"


async def names(world: World, by: dict[str, Any], **query: Any) -> list[str]:
    page = granted(await world.get(ALL, by=by, params=query))
    assert page["total"] >= len(page["data"])
    return [each["name"] for each in page["data"]]


async def developer(world: World, login: str, **fields: Any) -> dict[str, Any]:
    return await world.user(login, roles=("app_admin",), **fields)


class Firms:
    """Two companies and a partner, each with a developer who owns applications."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def build(self) -> Firms:
        await self.world.company(OTHER_COMPANY)
        await self.world.company(PARTNER, isBP=True)
        self.anna = await developer(self.world, "anna@example.com")
        self.ben = await developer(self.world, "ben@example.com")
        self.olga = await developer(self.world, "olga@other.example", companyId=OTHER_COMPANY)
        self.paul = await developer(self.world, "paul@partner.example", companyId=PARTNER)
        self.of_anna = await self.app("Anna's", self.anna)
        self.of_ben = await self.app("Ben's", self.ben)
        self.of_olga = await self.app("Olga's", self.olga)
        self.of_paul = await self.app("Paul's", self.paul, kpi="appconnect")
        return self

    async def app(self, name: str, owner: dict[str, Any], **fields: Any) -> dict[str, Any]:
        id = self.world.service.ids.record()
        return await self.world.application(id, name=name, ownerId=owner["id"], **fields)


@pytest.fixture
async def firms(world: World) -> Firms:
    return await Firms(world).build()


# Role -> the listed applications. The owner of application `a0a0` is not in the store.
SEEN = {
    "superadmin": ["Anna's", "Application a0a0", "Ben's", "Olga's", "Paul's"],
    "app_superadmin": ["Anna's", "Application a0a0", "Ben's", "Olga's", "Paul's"],
    "app_support": ["Anna's", "Application a0a0", "Ben's", "Olga's", "Paul's"],
    "support": ["Anna's", "Application a0a0", "Ben's", "Olga's", "Paul's"],
    "app_admin": ["Anna's", "Ben's"],
    "business_admin": ["Anna's", "Ben's"],
    "customer_success_admin": ["Anna's", "Ben's"],
    "sales_analytics": ["Anna's", "Ben's"],
    "bp_admin": ["Anna's", "Ben's"],
    "organization_admin": ["Anna's", "Ben's"],
    "company_admin": ["Anna's", "Ben's"],
    "site_admin": ["Anna's", "Ben's"],
    "directory_admin": ["Anna's", "Ben's"],
    "telephony_cpaas": ["Anna's", "Ben's"],
    "user": ["Anna's", "Ben's"],
    "bp_finance": [],
}


async def test_each_role_lists_all_applications_or_those_of_the_own_company(firms: Firms) -> None:
    assert set(SEEN) == set(Role)
    for role, expected in SEEN.items():
        caller = await firms.world.user(f"{role}@example.com", roles=(role,))
        assert await names(firms.world, caller) == expected, role


async def test_a_list_needs_credentials(world: World) -> None:
    refused(await world.get(ALL), 401102)


# Role -> whether it reads an application of the own company, and one of another company.
GETS = {
    "superadmin": (True, True),
    "app_superadmin": (True, True),
    "app_support": (True, True),
    "support": (True, True),
    "app_admin": (True, False),
}


async def test_platform_roles_and_developers_of_the_same_company_read_an_application(firms: Firms) -> None:
    for role in SEEN:
        caller = await firms.world.user(f"{role}@example.com", roles=(role,))
        own, other = GETS.get(role, (False, False))
        for application, allowed in ((firms.of_anna, own), (firms.of_olga, other)):
            answer = await firms.world.get(one(application["id"]), by=caller)
            if allowed:
                shows = role in ("superadmin", "app_superadmin", "app_admin")
                assert ("appSecret" in granted(answer)["data"]) == shows, role
            else:
                refused(answer, 403001 if role in ("app_admin", "bp_finance") else 403000)


async def test_bp_finance_alone_lists_deployed_appconnect_applications_of_the_partner(
    firms: Firms,
) -> None:
    world = firms.world
    waiting = await firms.app("Waiting", firms.paul, kpi="appconnect", env="in_deployment")
    business = await firms.app("Business", firms.paul, kpi="business")
    plain = await world.user("plain@partner.example", companyId=PARTNER)
    await firms.app("Of no developer", plain, kpi="appconnect")
    await firms.app("Of another company", firms.anna, kpi="appconnect")
    finance = await world.user("money@partner.example", roles=("bp_finance",), companyId=PARTNER)
    assert await names(world, finance) == ["Paul's"]
    assert granted(await world.get(one(firms.of_paul["id"]), by=finance))["data"]["name"] == "Paul's"
    for hidden in (waiting, business, firms.of_anna):
        refused(await world.get(one(hidden["id"]), by=finance), 403001)
    both = await world.user("both@partner.example", roles=("bp_finance", "bp_admin"), companyId=PARTNER)
    assert await names(world, both) == ["Business", "Of no developer", "Paul's", "Waiting"]


async def test_a_list_has_secrets_only_for_developers_of_the_company_and_administrators_of_all_applications(
    firms: Firms,
) -> None:
    world = firms.world

    async def secrets(role: str) -> set[str]:
        caller = await world.user(f"{role}@example.com", roles=(role,))
        page = granted(await world.get(ALL, by=caller, params={"format": "full"}))
        return {each["name"] for each in page["data"] if "appSecret" in each}

    assert await secrets("app_admin") == {"Anna's", "Ben's"}
    assert await secrets("user") == set()
    assert await secrets("company_admin") == set()
    assert await secrets("app_support") == await secrets("support") == set()
    assert await secrets("app_superadmin") == {"Anna's", "Application a0a0", "Ben's", "Olga's", "Paul's"}


async def test_formats_contain_the_specified_fields(firms: Firms) -> None:
    world = firms.world
    await world.application(**firms.of_anna | {"origin": "store", "subscriptionStatus": ["active"]})
    small = {"id", "name", "state", "type", "ownerId"}
    medium = {"id", "name", "state", "type", "origin", "dateOfCreation", "env", "activity", "ownerId"}
    for format, expected in (("", small), ("small", small), ("medium", medium)):
        page = granted(await world.get(ALL, by=firms.anna, params={"format": format, "name": "anna"}))
        assert set(page["data"][0]) == expected
    full = granted(await world.get(one(firms.of_anna["id"]), by=firms.anna))["data"]
    assert {*medium, "appSecret", "kpi"} <= set(full)
    assert "subscriptionStatus" not in full
    assert set(granted(await world.get(one(firms.of_anna["id"]) + "?format=small", by=firms.anna))["data"]) == small
    refused(await world.get(ALL, by=firms.anna, params={"format": "huge"}), 400000)


#: The fields of a read response in full (2.6).
FULL = """id name ownerId appSecret ssoAuthenticationRedirectUrl backchannelAuthenticationRedirectUrl
ssoLogoutRedirectUrl oauthRedirectUris enableOAuthImplicitGrant enableOAuthRefreshTokenRotation
enableOAuthAllowSeveralRefreshTokens termsOfServiceUrl privacyPoliciesUrl state env type kpi activity origin
dateOfCreation dateOfLastTokenWhenRenew dateOfDeploymentRequest dateOfDeployment deployReason deployedByUserId
isSvcClientDefault isNoIdApplication profileId platform subscriptions appSuperadminComment appSuperadminStatus
pushNotificationSettings"""


async def test_a_new_application_has_every_field_of_each_format_also_without_a_value(firms: Firms) -> None:
    world = firms.world
    created = granted(await world.post(ALL, by=firms.anna, json={"name": "New", "type": "web", "activity": "J"}))
    path = one(created["data"]["id"])
    updated = granted(await world.put(path, by=firms.anna, json={"description": "A first one"}))
    stopped = granted(await world.put(f"{path}/stop", by=firms.anna))
    read = granted(await world.get(path, by=firms.anna))
    listed = granted(await world.get(ALL, by=firms.anna, params={"name": "New", "format": "full"}))["data"]
    for full in (created["data"], updated["data"], stopped["data"], read["data"], *listed):
        assert set(FULL.split()) <= set(full)
        assert (full["origin"], full["dateOfDeployment"]) == (None, None)
        assert full["oauthRedirectUris"] == full["termsOfServiceUrl"] == full["privacyPoliciesUrl"] == []
    (medium,) = granted(await world.get(ALL, by=firms.anna, params={"name": "New", "format": "medium"}))["data"]
    assert medium["origin"] is None
    supporter = await world.user("support@example.com", roles=("support",))
    assert "appSecret" not in granted(await world.get(path, by=supporter))["data"]


async def test_roles_that_filter_by_owner(firms: Firms) -> None:
    world = firms.world
    anna, olga = firms.anna["id"], firms.olga["id"]
    assert await names(world, firms.ben, ownerId=anna) == ["Anna's"]
    refused(await world.get(ALL, by=firms.ben, params={"ownerId": olga}), 403001)
    for role in ("superadmin", "app_superadmin", "app_support", "support"):
        caller = await world.user(f"{role}@example.com", roles=(role,))
        assert await names(world, caller, ownerId=olga) == ["Olga's"]
    problems = refused(await world.get(ALL, by=firms.ben, params={"ownerId": "no-id"}), 400000)["errorDetails"]
    assert problems[0]["param"] == "ownerId"
    refused(await world.get(ALL, by=firms.ben, params={"ownerId": NOWHERE}), 404000)


async def test_unknown_and_malformed_identifiers(firms: Firms) -> None:
    refused(await firms.world.get(one(NOWHERE), by=firms.anna), 404000)
    for bad in ("x", "z" * 23, "1" * 25, "0123456789abcdef0123456-", "%20"):
        refused(await firms.world.get(one(bad), by=firms.anna), 400000)
    long = await firms.world.application("f" * 32, name="Long id", ownerId=firms.anna["id"])
    assert granted(await firms.world.get(one(long["id"]), by=firms.anna))["data"]["name"] == "Long id"


STORED = [
    {"name": "Élan", "type": "web", "activity": "A", "state": "new", "env": "not_deployed", "kpi": "business"},
    {"name": "beta 100%", "type": "mobile", "activity": "B", "state": "active", "env": "deployed", "kpi": "payasyougo"},
    {"name": "Gamma", "type": "bot", "activity": "C", "state": "stopped", "env": "deployed", "kpi": "svcstore"},
    {"name": "delta", "type": "iot", "activity": "U", "state": "blocked", "env": "in_deployment", "kpi": "internal"},
    {"name": "Omega", "type": "web", "activity": "A", "state": "deleted", "env": "deployed", "kpi": "appconnect"},
]
MORE: list[dict[str, Any]] = [
    {"dateOfCreation": "2026-01-01T00:00:00.000Z", "subscriptionStatus": ["active"]},
    {
        "dateOfCreation": "2026-01-01T23:59:59.999Z",
        "dateOfDeploymentRequest": "2026-02-01T12:00:00.000Z",
        "dateOfDeployment": "2026-03-01T12:00:00.000Z",
        "subscriptionStatus": ["hold", "terminated"],
    },
    {"dateOfCreation": "2026-01-02T00:00:00.000Z", "dateOfDeployment": "2026-03-02T12:00:00.000Z", "origin": "store"},
    {"dateOfCreation": "2026-01-03T12:00:00.000Z", "origin": "Import"},
    {"dateOfCreation": "2026-01-03T12:00:00.000Z"},
]

# Query -> names in the order of the list.
FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["beta 100%", "delta", "Gamma", "Élan"]),
    ({"name": "ÉLA"}, ["Élan"]),
    ({"name": "ta"}, ["beta 100%", "delta"]),
    ({"name": "%"}, ["beta 100%"]),
    ({"name": "_"}, []),
    ({"env": "deployed"}, ["beta 100%", "Gamma"]),
    ({"env": "in_deployment"}, ["delta"]),
    ({"state": "new"}, ["Élan"]),
    ({"state": "new,blocked"}, ["delta", "Élan"]),
    ({"state": "deleted"}, ["Omega"]),
    ({"state": "deleted, stopped"}, ["Gamma", "Omega"]),
    ({"types": "bot"}, ["Gamma"]),
    ({"types": "bot,web"}, ["Gamma", "Élan"]),
    ({"activities": "A,B"}, ["beta 100%", "Élan"]),
    ({"activities": "U"}, ["delta"]),
    ({"subscriptionStatus": "active"}, ["Élan"]),
    ({"subscriptionStatus": "terminated,active"}, ["beta 100%", "Élan"]),
    ({"subscriptionStatus": "terminating"}, []),
    ({"kpi": "business"}, ["Élan"]),
    ({"kpi": "internal"}, ["delta"]),
    ({"kpi": "payasyougo"}, ["beta 100%"]),
    ({"fromDate": "2026-01-02"}, ["delta", "Gamma"]),
    ({"toDate": "2026-01-01"}, ["beta 100%", "Élan"]),
    ({"fromDate": "2026-01-01", "toDate": "2026-01-01"}, ["beta 100%", "Élan"]),
    ({"fromDate": "2026-01-02", "toDate": "2026-01-02"}, ["Gamma"]),
    ({"fromDate": "2026-01-03", "toDate": "2026-01-01"}, []),
    ({"toDate": "2026-03-01", "dateType": "dateOfDeployment"}, ["beta 100%"]),
    ({"fromDate": "2026-02-01", "dateType": "dateOfDeploymentRequest"}, ["beta 100%"]),
    ({"name": "a", "state": "stopped,active", "env": "deployed", "types": "bot"}, ["Gamma"]),
    ({"state": "", "types": "undefined", "ownerId": ""}, ["beta 100%", "delta", "Gamma", "Élan"]),
]
SORTS: list[tuple[dict[str, Any], list[str]]] = [
    ({"sortField": "name", "sortOrder": "-1"}, ["Élan", "Gamma", "delta", "beta 100%"]),
    ({"sortField": "type"}, ["Gamma", "delta", "beta 100%", "Élan"]),
    ({"sortField": "state"}, ["beta 100%", "delta", "Élan", "Gamma"]),
    ({"sortField": "dateOfCreation", "sortOrder": "-1"}, ["delta", "Gamma", "beta 100%", "Élan"]),
    ({"sortField": "dateOfDeployment", "sortOrder": "-1"}, ["Gamma", "beta 100%", "Élan", "delta"]),
    ({"sortField": "origin"}, ["delta", "Gamma", "beta 100%", "Élan"]),
    ({"sortField": "kpi"}, ["Élan", "delta", "beta 100%", "Gamma"]),
    ({"sortField": "activity", "sortOrder": "-1"}, ["delta", "Gamma", "beta 100%", "Élan"]),
    ({"sortOrder": "undefined", "limit": ["2", "undefined"]}, ["beta 100%", "delta"]),
    ({"limit": "2", "offset": "1"}, ["delta", "Gamma"]),
    ({"offset": "4"}, []),
    ({"offset": "9" * 18}, []),
]


async def test_every_filter_order_and_page_on_both_databases(world_on_both: World) -> None:
    world = world_on_both
    anna = await developer(world, "anna@example.com")
    for index, (fields, more) in enumerate(zip(STORED, MORE, strict=True)):
        await world.application(f"{index}" * 24, ownerId=anna["id"], **{**fields, **more})
    for query, expected in FILTERS + SORTS:
        assert await names(world, anna, **query) == expected, query
    page = granted(await world.get(ALL, by=anna, params={"limit": 1, "offset": 9}))
    assert page == {"data": [], "limit": 1, "offset": 9, "total": 4}
    for field in ("id", "ownerId", "env", "dateOfDeploymentRequest", "dateOfLastTokenWhenRenew"):
        assert len(await names(world, anna, sortField=field)) == 4


BAD = [
    ({"state": "gone"}, "state"),
    ({"state": "new,gone"}, "state"),
    ({"types": "phone"}, "types"),
    ({"activities": "AA"}, "activities"),
    ({"subscriptionStatus": "paid"}, "subscriptionStatus"),
    ({"env": "production"}, "env"),
    ({"kpi": "svc"}, "kpi"),
    ({"fromDate": "yesterday"}, "fromDate"),
    ({"dateType": "dateOfBirth"}, "dateType"),
    ({"limit": "0"}, "limit"),
    ({"limit": "1001"}, "limit"),
    ({"offset": "-1"}, "offset"),
    ({"sortOrder": "2"}, "sortOrder"),
    ({"sortField": "appSecret"}, "sortField"),
    ({"sortField": "document"}, "sortField"),
]


async def test_an_invalid_filter_is_refused_by_name(world: World) -> None:
    anna = await developer(world, "anna@example.com")
    for query, param in BAD:
        body = refused(await world.get(ALL, by=anna, params=query), 400000)
        assert body["errorDetails"][0]["param"] == param, query


async def test_a_user_without_a_company_lists_nothing(world: World) -> None:
    stray = await developer(world, "stray@example.com", companyId=None)
    await world.application("1" * 24, ownerId=stray["id"])
    alone = await world.user("alone@example.com", companyId=None)
    assert await names(world, alone) == []
