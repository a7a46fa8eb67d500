"""Creating and updating applications (2.6): roles by field, defaults, owners, names, and simultaneous updates."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from svc_tui.interface.access import Role
from tests.support.world import OTHER_COMPANY, World, granted, refused

ALL = "/api/svc/applications/v1.0/applications"
NEEDED = {"name": "CRM", "type": "web", "activity": "J"}
ADDRESS = "https://crm.example/back"

Document = dict[str, Any]


@pytest.fixture
async def anna(world: World) -> Document:
    return await world.user("anna@example.com", roles=("app_admin",))


async def created(world: World, by: Document, **fields: Any) -> Document:
    return dict(granted(await world.post(ALL, by=by, json={**NEEDED, **fields}))["data"])


async def updated(world: World, by: Document, id: str, /, **fields: Any) -> Document:
    return dict(granted(await world.put(f"{ALL}/{id}", by=by, json=fields))["data"])


def params(body: Document) -> list[str]:
    return [each["param"] for each in body["errorDetails"]]


async def test_a_created_application_is_new_not_deployed_and_has_owner_and_secret(world: World, anna: Document) -> None:
    made = await created(world, anna, description="Customers")
    assert len(made["id"]) == 24
    assert len(made["appSecret"]) == 32
    expected = {
        **NEEDED,
        "description": "Customers",
        "state": "new",
        "env": "not_deployed",
        "ownerId": anna["id"],
        "dateOfCreation": "2026-11-20T10:00:00.000Z",
        "enableOAuthImplicitGrant": False,
        "enableOAuthRefreshTokenRotation": True,
        "enableOAuthAllowSeveralRefreshTokens": True,
        "disableOAuthConsentScreen": False,
        "isAllowedToEmbed": False,
    }
    assert expected.items() <= made.items()
    assert granted(await world.get(f"{ALL}/{made['id']}", by=anna))["data"] == made
    assert (await created(world, anna, name="Other"))["appSecret"] != made["appSecret"]


# Role -> whether it creates applications.
CREATES = {"superadmin", "app_superadmin", "app_admin"}


async def test_roles_that_create_applications(world: World) -> None:
    for role in Role:
        caller = await world.user(f"{role}@example.com", roles=(role,))
        answer = await world.post(ALL, by=caller, json=NEEDED)
        if role in CREATES:
            granted(answer)
        else:
            refused(answer, 403000)


ADDRESS_FIELDS = (
    "oauthRedirectUris",
    "ssoAuthenticationRedirectUrl",
    "backchannelAuthenticationRedirectUrl",
    "ssoLogoutRedirectUrl",
)
#: Header injection, and addresses that run or contain what the browser shows.
NO_ADDRESSES = (
    "https://app.example/\r\nset-cookie: a=b",
    "https://app.example/\n",
    "https://app.example/\x1b",
    "https://app.example/a b",
    "https://app.example/\u2028",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "\x01javascript:alert(1)",
    # A browser goes to the first host, the domains of a company are compared with the second.
    "https://evil.example\\@app.example/",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://app.example/1",
    "//app.example/",
    "https://[::1/",
)
MISSING_OR_BAD: list[tuple[Document, list[str]]] = [
    ({"name": None}, ["name"]),
    ({"name": ""}, ["name"]),
    ({"name": "n" * 256}, ["name"]),
    ({"name": 5}, ["name"]),
    ({"type": "phone"}, ["type"]),
    ({"activity": "V"}, ["activity"]),
    ({"activity": "AB"}, ["activity"]),
    ({"name": "", "type": "x", "activity": "x"}, ["name", "type", "activity"]),
    ({"origin": "o" * 256}, ["origin"]),
    ({"oauthRedirectUris": [ADDRESS] * 21}, ["oauthRedirectUris"]),
    ({"ssoAuthenticationRedirectUrl": "no address"}, ["ssoAuthenticationRedirectUrl"]),
    ({"enableOAuthImplicitGrant": "maybe"}, ["enableOAuthImplicitGrant"]),
    *(({field: address}, [field]) for field in ADDRESS_FIELDS for address in NO_ADDRESSES),
    ({"oauthRedirectUris": [ADDRESS, ADDRESS + "#part"]}, ["oauthRedirectUris"]),
]


async def test_missing_and_invalid_fields_are_named(world: World, anna: Document) -> None:
    for fields, expected in MISSING_OR_BAD:
        body = refused(await world.post(ALL, by=anna, json={**NEEDED, **fields}), 400000)
        assert sorted(params(body)) == sorted(expected), fields
    assert sorted(params(refused(await world.post(ALL, by=anna, json={}), 400000))) == ["activity", "name", "type"]
    refused(await world.post(ALL, by=anna, json=[NEEDED]), 400000)
    refused(await world.post(ALL, by=anna, content=b"{"), 400000)


async def test_the_longest_allowed_values_are_accepted(world: World) -> None:
    boss = await world.user("boss@example.com", roles=("superadmin", "app_admin"))
    made = await created(
        world,
        boss,
        name="n" * 255,
        origin="o" * 255,
        oauthRedirectUris=[ADDRESS] * 20,
        appSuperadminComment="c" * 1024,
        appSuperadminStatus="s" * 64,
    )
    assert len(made["oauthRedirectUris"]) == 20
    assert (await created(world, boss, name="x"))["name"] == "x"
    for fields in ({"appSuperadminComment": "c" * 1025}, {"appSuperadminStatus": "s" * 65}):
        refused(await world.post(ALL, by=boss, json={**NEEDED, **fields}), 400000)
    refused(await world.put(f"{ALL}/{made['id']}", by=boss, json={"deployReason": "d" * 256}), 400000)


# Fields for some roles only, with a value.
GUARDED: Document = {
    "kpi": "appconnect",
    "allowSendingSms": True,
    "appSuperadminComment": "ok",
    "appSuperadminStatus": "ok",
    "disableOAuthConsentScreen": True,
    "isAllowedToEmbed": True,
}


async def test_fields_for_superadmin_and_app_superadmin_are_refused_by_name_to_other_roles(
    world: World, anna: Document
) -> None:
    made = await created(world, anna)
    for field, value in {**GUARDED, "ownerId": anna["id"]}.items():
        for answer in (
            await world.post(ALL, by=anna, json={**NEEDED, "name": field, field: value}),
            await world.put(f"{ALL}/{made['id']}", by=anna, json={field: value}),
        ):
            details = refused(answer, 403000)["errorDetails"]
            assert details == [{"param": field, "msg": "needs superadmin or app_superadmin", "value": value}]
    for role in ("superadmin", "app_superadmin"):
        caller = await world.user(f"{role}@example.com", roles=(role,))
        made = await created(world, caller, name=role, **GUARDED, ownerId=anna["id"])
        assert {**GUARDED, "ownerId": anna["id"]}.items() <= made.items()
        assert (await updated(world, caller, made["id"], kpi="payasyougo"))["kpi"] == "payasyougo"


async def test_only_app_superadmin_chooses_the_secret(world: World, anna: Document) -> None:
    superadmin = await world.user("super@example.com", roles=("superadmin",))
    for caller in (anna, superadmin):
        details = refused(await world.post(ALL, by=caller, json={**NEEDED, "appSecret": "mine"}), 403000)
        assert details["errorDetails"][0]["param"] == "appSecret"
        assert "mine" not in str(details)
    head = await world.user("head@example.com", roles=("app_superadmin",))
    assert (await created(world, head, appSecret="mine"))["appSecret"] == "mine"


async def test_the_owner_must_be_a_user_with_app_admin(world: World, anna: Document) -> None:
    head = await world.user("head@example.com", roles=("app_superadmin",))
    plain = await world.user("plain@example.com")
    gone = await world.user("gone@example.com", roles=("app_admin",), isTerminated=True)
    made = await created(world, head, ownerId=anna["id"])
    for owner in (plain["id"], gone["id"], "0" * 24, "x"):
        body = refused(await world.post(ALL, by=head, json={**NEEDED, "name": "New", "ownerId": owner}), 400000)
        assert params(body) == ["ownerId"]
        body = refused(await world.put(f"{ALL}/{made['id']}", by=head, json={"ownerId": owner}), 400000)
        assert params(body) == ["ownerId"]
    ben = await world.user("ben@example.com", roles=("app_admin",))
    assert (await updated(world, head, made["id"], ownerId=ben["id"]))["ownerId"] == ben["id"]
    refused(await world.put(f"{ALL}/{made['id']}", by=anna, json={"name": "Mine?"}), 403001)


async def test_embedding_pages_are_set_only_while_embedding_is_allowed(world: World, anna: Document) -> None:
    head = await world.user("head@example.com", roles=("app_superadmin",))
    for field in ("referrers", "referrals"):
        body = refused(await world.post(ALL, by=anna, json={**NEEDED, field: [ADDRESS]}), 400000)
        assert body["errorDetails"][0]["msg"] == "only when isAllowedToEmbed is true"
    made = await created(world, head, ownerId=anna["id"], isAllowedToEmbed=True, referrers=[ADDRESS])
    assert made["referrers"] == [ADDRESS]
    assert (await updated(world, anna, made["id"], referrals=[ADDRESS]))["referrals"] == [ADDRESS]
    body = {"isAllowedToEmbed": False, "referrals": [ADDRESS]}
    refused(await world.put(f"{ALL}/{made['id']}", by=head, json=body), 400000)
    await updated(world, head, made["id"], isAllowedToEmbed=False)
    refused(await world.put(f"{ALL}/{made['id']}", by=anna, json={"referrals": [ADDRESS]}), 400000)


async def test_an_owner_has_no_two_applications_with_one_name(world: World, anna: Document) -> None:
    ben = await world.user("ben@example.com", roles=("app_admin",))
    head = await world.user("head@example.com", roles=("app_superadmin",))
    first = await created(world, anna)
    refused(await world.post(ALL, by=anna, json=NEEDED), 409000)
    other = await created(world, anna, name="Other")
    of_ben = await created(world, ben)
    refused(await world.put(f"{ALL}/{other['id']}", by=anna, json={"name": "CRM"}), 409000)
    refused(await world.put(f"{ALL}/{of_ben['id']}", by=head, json={"ownerId": anna["id"]}), 409000)
    await updated(world, anna, first["id"], name="CRM", description="Its own name is no conflict")
    granted(await world.delete(f"{ALL}/{first['id']}", by=anna))
    await updated(world, anna, other["id"], name="CRM")


# Caller -> code of an update of anna's application; None: accepted.
CHANGES = {"app_admin": 403001, "superadmin": None, "app_superadmin": None}


async def test_only_the_owner_and_platform_roles_update_an_application(world: World, anna: Document) -> None:
    made = await created(world, anna)
    for role in Role:
        caller = await world.user(f"{role}@example.com", roles=(role,))
        answer = await world.put(f"{ALL}/{made['id']}", by=caller, json={"origin": role})
        code = CHANGES.get(role, 403000)
        if code:
            refused(answer, code)
        else:
            assert granted(answer)["data"]["origin"] == role
    await world.company(OTHER_COMPANY)
    stranger = await world.user("olga@other.example", roles=("app_admin",), companyId=OTHER_COMPANY)
    refused(await world.put(f"{ALL}/{made['id']}", by=stranger, json={"origin": "x"}), 403001)
    refused(await world.put(f"{ALL}/{'0' * 24}", by=anna, json={"origin": "x"}), 404000)
    refused(await world.put(f"{ALL}/short", by=anna, json={"origin": "x"}), 400000)


async def test_an_update_changes_the_named_fields_and_null_restores_the_default(world: World, anna: Document) -> None:
    made = await created(
        world,
        anna,
        description="Old",
        origin="store",
        oauthRedirectUris=[ADDRESS],
        enableOAuthImplicitGrant=True,
        enableOAuthRefreshTokenRotation=False,
    )
    changed = await updated(world, anna, made["id"], description="New")
    assert changed == {**made, "description": "New"}
    changed = await updated(
        world,
        anna,
        made["id"],
        description=None,
        origin=None,
        oauthRedirectUris=None,
        enableOAuthImplicitGrant=None,
        enableOAuthRefreshTokenRotation=None,
    )
    assert (changed["description"], changed["origin"], changed["oauthRedirectUris"]) == (None, None, [])
    assert (changed["enableOAuthImplicitGrant"], changed["enableOAuthRefreshTokenRotation"]) == (False, True)
    for field in ("name", "type", "activity"):
        assert params(refused(await world.put(f"{ALL}/{made['id']}", by=anna, json={field: None}), 400000)) == [field]


async def test_an_update_without_any_known_field_is_refused_and_unknown_ones_are_ignored(
    world: World, anna: Document
) -> None:
    made = await created(world, anna)
    strange = {"id": "0" * 24, "state": "active", "env": "deployed", "appSecret": "mine", "colour": {"a": [1, None]}}
    for body in ({}, strange):
        refused(await world.put(f"{ALL}/{made['id']}", by=anna, json=body), 400100)
    refused(await world.put(f"{ALL}/{made['id']}", by=anna), 400100)
    changed = await updated(world, anna, made["id"], **strange, origin="here")
    assert changed == {**made, "origin": "here"}
    del strange["appSecret"]
    again = await created(world, anna, **strange, name="Second")
    assert (again["state"], again["env"], "colour" in again) == ("new", "not_deployed", False)


async def test_a_refreshed_secret_differs(world: World, anna: Document) -> None:
    made = await created(world, anna)
    changed = await updated(world, anna, made["id"], refreshAppSecret=True)
    assert len(changed["appSecret"]) == 32
    assert changed["appSecret"] != made["appSecret"]
    assert changed == {**made, "appSecret": changed["appSecret"]}
    assert await updated(world, anna, made["id"], refreshAppSecret=False) == changed


async def test_only_platform_roles_set_the_reason_of_a_deployed_application(world: World, anna: Document) -> None:
    head = await world.user("head@example.com", roles=("app_superadmin",))
    ready = await world.application("1" * 24, ownerId=anna["id"], env="deployed")
    waiting = await world.application("2" * 24, ownerId=anna["id"], env="in_deployment", name="Waiting")
    assert (await updated(world, head, ready["id"], deployReason="Go"))["deployReason"] == "Go"
    assert params(refused(await world.put(f"{ALL}/{waiting['id']}", by=head, json={"deployReason": "Go"}), 400000))
    body = refused(await world.put(f"{ALL}/{ready['id']}", by=anna, json={"deployReason": "Go"}), 403000)
    assert params(body) == ["deployReason"]


async def test_a_single_text_is_a_list_with_one_element(world: World, anna: Document) -> None:
    made = await created(world, anna, termsOfServiceUrl=ADDRESS, privacyPoliciesUrl=[ADDRESS])
    assert made["termsOfServiceUrl"] == made["privacyPoliciesUrl"] == [ADDRESS]


async def test_simultaneous_updates_lose_no_field(world_on_both: World) -> None:
    world = world_on_both
    anna = await world.user("anna@example.com", roles=("app_admin",))
    made = await created(world, anna)
    texts = ("description", "origin", "ssoAuthenticationRedirectUrl", "ssoLogoutRedirectUrl", "name")
    await asyncio.gather(*(updated(world, anna, made["id"], **{field: f"https://{field}"}) for field in texts))
    stored = await world.stored("applications", made["id"])
    assert {field: stored.get(field) for field in texts} == {field: f"https://{field}" for field in texts}


async def test_one_of_two_simultaneous_applications_with_one_name_is_refused(world_on_both: World) -> None:
    world = world_on_both
    anna = await world.user("anna@example.com", roles=("app_admin",))
    answers = await asyncio.gather(*(world.post(ALL, by=anna, json=NEEDED) for _ in range(5)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
