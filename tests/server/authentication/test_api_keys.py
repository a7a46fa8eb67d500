"""API keys (2.1, 4.1, 5.1 to 5.3, 8)."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth
from tests.support.world import APP, APP_SECRET, COMPANY, ORGANISATION, OTHER_COMPANY, PARTNER, World, granted, refused

KEYS = "/api/svc/authentication/v1.0/apikeys"
ME = "/api/svc/enduser/v1.0/users/me"
BODY = {"description": "for the nightly job", "isActive": True, "scope": ["all"]}


async def a_key(world: World, owner: dict[str, object], **more: object) -> dict[str, str]:
    answer = await world.post(KEYS, by=owner, json={**BODY, **more}, headers={"user-agent": "curl/8"})
    key: dict[str, str] = granted(answer)["data"]
    return key


def key_headers(key: str, challenge: str, *, app: str = APP, secret: str = APP_SECRET) -> dict[str, str]:
    return {API_KEY: key, CHALLENGE: challenge, APP_AUTH: app_auth(app, secret, challenge)}


async def test_the_key_is_shown_once_and_stored_only_as_a_hash(world: World) -> None:
    jane = await world.user()
    key = await a_key(world, jane)
    assert key["createdBy"] == {
        "userId": jane["id"],
        "loginEmail": "jane@example.com",
        "appId": APP,
        "appName": "Application a0a0",
    }
    assert key["clientMetadata"] == {"rawUserAgent": "curl/8", "ipAddress": "127.0.0.1"}
    read = granted(await world.get(f"{KEYS}/{key['id']}", by=jane))["data"]
    listed = granted(await world.get(f"{KEYS}?format=full", by=jane))["data"][0]
    for shown in (read, listed):
        assert shown == {name: value for name, value in key.items() if name != "apiKey"}
    assert key["apiKey"] not in str(await world.stored("api_keys", key["id"]))


async def test_keys_are_not_sorted_by_their_hash(world: World) -> None:
    jane = await world.user()
    await a_key(world, jane)
    refused(await world.get(f"{KEYS}?sortField=keyHash", by=jane), 400000)


async def test_a_key_authenticates_its_owner(world: World) -> None:
    jane = await world.user()
    key = await a_key(world, jane)
    me = await world.http.get(ME, headers=key_headers(key["apiKey"], "challenge-1"))
    assert granted(me)["data"]["id"] == jane["id"]
    current = await world.http.get(f"{KEYS}/current", headers=key_headers(key["apiKey"], "challenge-2"))
    assert granted(current)["data"]["id"] == key["id"]


async def test_a_challenge_is_never_accepted_twice(world_on_both: World) -> None:
    world = world_on_both
    key = await a_key(world, await world.user())
    headers = key_headers(key["apiKey"], "the same")
    granted(await world.http.get(ME, headers=headers))
    refused(await world.http.get(ME, headers=headers), 401102)
    world.clock.forward(minutes=9)
    refused(await world.http.get(ME, headers=headers), 401102)


async def test_only_one_of_many_simultaneous_requests_with_one_challenge_is_accepted(world_on_both: World) -> None:
    world = world_on_both
    key = await a_key(world, await world.user())
    headers = key_headers(key["apiKey"], "raced for")
    answers = await asyncio.gather(*(world.http.get(ME, headers=headers) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [401] * 7


async def test_a_refused_request_uses_up_its_challenge(world: World) -> None:
    key = await a_key(world, await world.user())
    headers = key_headers(key["apiKey"], "once")
    refused(await world.http.get("/api/svc/authentication/v1.0/logout", headers=headers), 403000)
    refused(await world.http.get(ME, headers=headers), 401102)


async def test_key_challenge_and_proof_must_all_be_valid(world: World) -> None:
    key = (await a_key(world, await world.user()))["apiKey"]
    wrong = [
        key_headers("x" * 64, "c1"),
        {API_KEY: key, APP_AUTH: app_auth(APP, APP_SECRET, "")},
        {API_KEY: key, CHALLENGE: "c6"},
        key_headers(key, "c" * 300),
    ]
    for headers in wrong:
        refused(await world.http.get(ME, headers=headers), 401102)


async def test_a_wrong_application_id_or_secret_is_refused_with_any_key(world: World) -> None:
    """Sections 5.6 and 7: wrong appId/appSecret is 401500; the answer says nothing about the key."""
    right = (await a_key(world, await world.user()))["apiKey"]
    for key in (right, "x" * 64):
        for headers in (
            key_headers(key, "c2", secret="wrong"),
            key_headers(key, "c3", app="b0" * 12),
            {**key_headers(key, "c4"), CHALLENGE: "c5"},
            {**key_headers(key, "c6"), APP_AUTH: "nonsense"},
        ):
            refused(await world.http.get(ME, headers=headers), 401500)


async def test_an_inactive_or_expired_key_is_refused(world: World) -> None:
    jane = await world.user()
    sleeping = await a_key(world, jane, isActive=False)
    ending = await a_key(world, jane, expirationDate="2026-11-21T00:00:00Z")
    endless = await a_key(world, jane, expirationDate=None)
    refused(await world.http.get(ME, headers=key_headers(sleeping["apiKey"], "c1")), 401102)
    granted(await world.http.get(ME, headers=key_headers(ending["apiKey"], "c2")))
    world.clock.forward(days=1)
    refused(await world.http.get(ME, headers=key_headers(ending["apiKey"], "c3")), 401102)
    granted(await world.http.get(ME, headers=key_headers(endless["apiKey"], "c4")))


async def test_logout_and_renewal_refuse_a_key_and_the_current_key_refuses_a_token(world: World) -> None:
    jane = await world.user()
    key = (await a_key(world, jane))["apiKey"]
    for number, path in enumerate(("logout", "renew")):
        answer = await world.http.get(f"/api/svc/authentication/v1.0/{path}", headers=key_headers(key, f"c{number}"))
        refused(answer, 403000)
    refused(await world.get(f"{KEYS}/current", by=jane), 403000)


async def test_a_user_has_at_most_a_hundred_keys(world: World) -> None:
    jane = await world.user()
    async with world.service.database.unit() as store:
        await store.api_keys.add_all(
            {"id": f"{number:024}", "userId": jane["id"], "keyHash": str(number)} for number in range(99)
        )
    answers = await asyncio.gather(*(world.post(KEYS, by=jane, json=BODY) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]
    await world.user("joe@example.com")


@pytest.mark.parametrize(
    "change",
    [{"description": None}, {"isActive": "perhaps"}, {"scope": ["some"]}, {"scope": []}, {"expirationDate": "soon"}],
)
async def test_a_wrong_field_is_named(world: World, change: dict[str, object]) -> None:
    jane = await world.user()
    body = refused(await world.post(KEYS, by=jane, json={**BODY, **change}), 400000)
    assert body["errorDetails"][0]["param"].split(".")[0] in change


async def test_all_missing_fields_are_reported_at_once(world: World) -> None:
    body = refused(await world.post(KEYS, by=await world.user(), json={}), 400000)
    assert [each["param"] for each in body["errorDetails"]] == ["description", "isActive", "scope"]


async def test_formats_filters_and_order_of_the_list(world: World) -> None:
    jane = await world.user()
    first = await a_key(world, jane, description="first")
    world.clock.forward(days=1)
    await a_key(world, jane, description="second", isActive=False)

    async def listed(query: str) -> list[str]:
        return [each["description"] for each in granted(await world.get(f"{KEYS}?{query}", by=jane))["data"]]

    assert await listed("") == ["second", "first"]
    assert await listed("sortOrder=1") == ["first", "second"]
    assert await listed("isActive=true") == ["first"]
    assert await listed("isActive=false") == ["second"]
    assert await listed("fromCreationDate=2026-11-21T00:00:00Z") == ["second"]
    assert await listed("toCreationDate=2026-11-20T11:00:00%2B01:00") == ["first"]
    assert await listed("limit=1&offset=1") == ["first"]
    small = granted(await world.get(KEYS, by=jane))
    assert small["total"] == 2
    assert set(small["data"][0]) == {"id", "description"}
    medium = granted(await world.get(f"{KEYS}?format=medium", by=jane))["data"][0]
    assert set(medium) == {"id", "description", "scope", "isActive", "expirationDate"}
    assert first


@pytest.mark.parametrize(
    ("roles", "belongs", "reached"),
    [
        (("superadmin",), {"companyId": OTHER_COMPANY}, True),
        (("bp_admin",), {"companyId": PARTNER}, True),
        (("organization_admin",), {"companyId": OTHER_COMPANY, "organisationId": ORGANISATION}, True),
        (("company_admin",), {"companyId": COMPANY}, True),
        (("site_admin",), {"companyId": COMPANY, "siteId": "51" * 12}, True),
        (("company_admin",), {"companyId": OTHER_COMPANY}, False),
        (("bp_admin",), {"companyId": OTHER_COMPANY}, False),
        (("organization_admin",), {"companyId": OTHER_COMPANY, "organisationId": "0b" * 12}, False),
        (("site_admin",), {"companyId": COMPANY, "siteId": "52" * 12}, False),
    ],
)
async def test_administrators_read_the_keys_of_users_they_are_responsible_for(
    world: World, roles: tuple[str, ...], belongs: dict[str, str], reached: bool
) -> None:
    await world.company(bpId=PARTNER, organisationId=ORGANISATION)
    jane = await world.user(siteId="51" * 12)
    key = await a_key(world, jane)
    admin = await world.user("admin@example.com", roles=roles, **belongs)
    one = f"{KEYS}/{key['id']}"
    update = {"description": "changed", "isActive": False}
    answers = {
        "list": await world.get(f"{KEYS}?userId={jane['id']}", by=admin),
        "get": await world.get(one, by=admin),
        "update": await world.put(one, by=admin, json=update),
        "delete": await world.delete(one, by=admin),
    }
    for name, answer in answers.items():
        if reached:
            granted(answer)
        else:
            refused(answer, 403301 if name == "list" else 403000)


async def test_a_plain_user_neither_reads_nor_filters_the_keys_of_another(world: World) -> None:
    jane, joe = await world.user(), await world.user("joe@example.com")
    key = await a_key(world, jane)
    refused(await world.get(f"{KEYS}/{key['id']}", by=joe), 403000)
    refused(await world.delete(f"{KEYS}/{key['id']}", by=joe), 403000)
    assert granted(await world.get(f"{KEYS}?userId={jane['id']}", by=joe))["data"] == []


async def test_a_key_is_updated_and_deleted_by_its_owner(world: World) -> None:
    jane = await world.user()
    key = await a_key(world, jane, expirationDate="2027-01-01T00:00:00Z")
    one = f"{KEYS}/{key['id']}"
    changed = granted(await world.put(one, by=jane, json={"description": "new", "isActive": False}))["data"]
    assert (changed["description"], changed["isActive"]) == ("new", False)
    assert changed["expirationDate"] == "2027-01-01T00:00:00.000Z"
    update = {"description": "new", "isActive": True, "expirationDate": None}
    assert granted(await world.put(one, by=jane, json=update))["data"]["expirationDate"] is None
    gone = granted(await world.delete(one, by=jane))
    assert gone["status"] == f"API key {key['id']} successfully deleted"
    assert gone["data"]["id"] == key["id"]
    refused(await world.get(one, by=jane), 404000)
    refused(await world.http.get(ME, headers=key_headers(key["apiKey"], "c")), 401102)


async def test_a_malformed_id_and_an_unknown_one_have_different_errors(world: World) -> None:
    jane = await world.user()
    answer: httpx.Response = await world.get(f"{KEYS}/non-sense", by=jane)
    assert refused(answer, 400000)["errorDetails"][0]["param"] == "apiKeyId"
    refused(await world.get(f"{KEYS}/{'0' * 24}", by=jane), 404000)


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("0280-05-01T19:16:00Z", "0280-05-01T19:16:00.000Z"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59.999Z"),
        ("2027-01-01T01:00:00.5+01:00", "2027-01-01T00:00:00.500Z"),
    ],
)
async def test_every_date_is_stored_as_utc_with_a_four_digit_year(world: World, sent: str, stored: str) -> None:
    jane = await world.user()
    key = await a_key(world, jane, expirationDate=sent)
    assert key["expirationDate"] == stored
    granted(await world.get(KEYS, by=jane, params={"fromCreationDate": sent}))
