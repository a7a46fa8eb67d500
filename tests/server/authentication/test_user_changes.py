"""Creation and update of users, and a user's own password: fields, defaults, passwords and sessions (2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.authentication.oauth_support import application, code_of, exchanged
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, PASSWORD, SITE, World, granted, refused

USERS = "/api/svc/admin/v1.0/users"
OWN = "/api/svc/enduser/v1.0/users"
NEW = {"loginEmail": "new@example.com", "firstName": "Nora", "lastName": "New"}
SECOND = "Another-horse-2"

Document = dict[str, Any]


@pytest.fixture
async def admin(world: World) -> Document:
    """The administrator of a company with an application."""
    await world.company(country="FRA", organisationId=ORGANISATION)
    await world.application()
    return await world.user("admin@example.com", roles=("company_admin", "app_admin"))


async def created(world: World, by: Document, **fields: Any) -> Document:
    user: Document = granted(await world.post(USERS, by=by, json={**NEW, **fields}))["data"]
    return user


async def read(world: World, by: Document, id: str) -> Document:
    user: Document = granted(await world.get(f"{USERS}/{id}?format=full", by=by))["data"]
    return user


def params(body: Document) -> list[str]:
    return [problem["param"] for problem in body["errorDetails"]]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def token_of(world: World, login: str = "new@example.com", password: str = PASSWORD) -> str:
    return str(granted(await world.login(login, password))["token"])


async def test_a_user_with_names_and_a_login_has_the_defaults(world: World, admin: Document) -> None:
    user = await created(world, admin)
    expected = {
        **NEW,
        "displayName": "Nora New",
        "companyId": COMPANY,
        "companyName": "Company c0c0",
        "organisationId": ORGANISATION,
        "roles": ["user"],
        "adminType": "undefined",
        "isActive": True,
        "isInitialized": False,
        "isTerminated": False,
        "visibility": "same_than_company",
        "timeToLive": -1,
        "accountType": "free",
        "createdByAdmin": {"userId": admin["id"], "loginEmail": "admin@example.com"},
        "firstLoginDate": None,
        "lockedUntil": None,
        "failedLogins": 0,
    }
    assert {wire: user[wire] for wire in expected} == expected
    assert user["jid_tel"] == f"tel_{user['jid_im']}"
    assert "password" not in str(user).lower()
    assert await read(world, admin, user["id"]) == user


async def test_all_fields_are_stored(world: World, admin: Document) -> None:
    fields = {
        "nickName": "Nono",
        "title": "Dr.",
        "jobTitle": "Engineer",
        "department": "Research",
        "emails": [{"email": "nora@home.example", "type": "home"}],
        "country": "USA",
        "state": "Ohio",
        "language": "en-US",
        "timezone": "America/New_York",
        "roles": ["user", "app_admin"],
        "isInitialized": True,
        "visibility": "private",
        "timeToLive": 86400,
        "accountType": "advanced",
        "tags": ["a", "b"],
        "userInfo1": "one",
        "userInfo2": "two",
        "authenticationType": "OIDC",
        "authenticationExternalUid": "nora@idp.example",
        "customData": {"key": "v" * 4096},
    }
    user = await created(world, admin, **fields)
    assert {wire: user[wire] for wire in fields} == fields
    assert user["initializationDate"] == user["activationDate"] == user["creationDate"]


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"loginEmail": "nora"}, "loginEmail"),
        ({"loginEmail": None}, "loginEmail"),
        ({"firstName": ""}, "firstName"),
        ({"firstName": " \u200b"}, "firstName"),
        ({"lastName": "x" * 256}, "lastName"),
        ({"title": "x" * 41}, "title"),
        ({"jobTitle": "x" * 256}, "jobTitle"),
        ({"emails": [{"email": "x", "type": "work"}]}, "emails.0.email"),
        ({"emails": [{"email": "x@example.com", "type": "car"}]}, "emails.0.type"),
        ({"country": "FR"}, "country"),
        ({"state": "Ohio"}, "state"),
        ({"country": "DEU", "state": "Hessen"}, "state"),
        ({"language": "english"}, "language"),
        ({"timezone": "Europe/Atlantis"}, "timezone"),
        ({"timezone": "../UTC"}, "timezone"),
        ({"roles": []}, "roles"),
        ({"roles": ["company_admin"]}, "roles.0"),
        ({"roles": ["admin"]}, "adminType"),
        ({"roles": ["admin"], "adminType": "undefined"}, "adminType"),
        ({"adminType": "site_admin"}, "adminType"),
        ({"visibility": "organization"}, "visibility"),
        ({"timeToLive": -2}, "timeToLive"),
        ({"accountType": "gold"}, "accountType"),
        ({"tags": ["1", "2", "3", "4", "5", "6"]}, "tags"),
        ({"tags": ["x" * 65]}, "tags.0"),
        ({"customData": {str(each): "" for each in range(21)}}, "customData"),
        ({"customData": {"key": "v" * 4097}}, "customData"),
        ({"companyId": "abc"}, "companyId"),
        ({"siteId": SITE}, "siteId"),
        ({"isActive": "yes"}, "isActive"),
    ],
)
async def test_a_value_that_is_not_allowed_is_named(
    world: World, admin: Document, fields: Document, param: str
) -> None:
    assert params(refused(await world.post(USERS, by=admin, json={**NEW, **fields}), 400000)) == [param]


@pytest.mark.parametrize(
    "password",
    [
        "Short-horse",
        "no-upper-case-1",
        "No-digit-at-all",
        "NoSpecialSign12",
        "Long-1" + "x" * 59,
        "Control-1\x07xxxxx",
        "",
    ],
)
async def test_a_password_that_breaks_the_rule_is_refused_with_the_rule(
    world: World, admin: Document, password: str
) -> None:
    answers = [
        await world.post(USERS, by=admin, json={**NEW, "password": password}),
        await world.put(f"{USERS}/{admin['id']}", by=admin, json={"password": password}),
        await world.put(
            f"{OWN}/{admin['id']}/change-password",
            headers=bearer(await token_of(world, "admin@example.com")),
            json={"oldPassword": PASSWORD, "newPassword": password},
        ),
    ]
    for answer in answers:
        problem = refused(answer, 400000)["errorDetails"][0]
        rule = "12 to 64 characters with an upper case letter, a digit and a special character"
        assert problem["msg"] == f"must have {rule}"
        assert problem["value"] is None


@pytest.mark.parametrize("password", ["Exactly-12-c", "L" + "-1" * 31 + "x", "Ünïcode pass 1", "Größe-123456"])
async def test_a_password_that_meets_the_rule_logs_in(world: World, admin: Document, password: str) -> None:
    await created(world, admin, password=password)
    assert granted(await world.login("new@example.com", password))["loggedInUser"]["firstName"] == "Nora"
    refused(await world.login("new@example.com", password + "x"), 401500)


async def test_a_session_neither_sets_the_password_of_its_user_nor_deactivates_it(
    world: World, admin: Document
) -> None:
    path = f"{USERS}/{admin['id']}"
    before = await world.stored("users", admin["id"])
    assert "with the current one" in str(refused(await world.put(path, by=admin, json={"password": SECOND}), 403000))
    assert "yourself" in str(refused(await world.put(path, by=admin, json={"isActive": False}), 403000))
    assert await world.stored("users", admin["id"]) == before


async def test_without_a_password_no_login_succeeds_until_one_is_set(world: World, admin: Document) -> None:
    user = await created(world, admin)
    for password in ("", "None", PASSWORD):
        refused(await world.login("new@example.com", password), 401500)
    granted(await world.put(f"{USERS}/{user['id']}", by=admin, json={"password": PASSWORD}))
    await token_of(world)


async def test_a_login_is_taken_for_ever(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    other = await created(world, admin, loginEmail="other@example.com", authenticationExternalUid="idp-7")
    for login in ("new@example.com", "NEW@Example.com"):
        refused(await world.post(USERS, by=admin, json={**NEW, "loginEmail": login}), 409000)
    refused(await world.put(f"{USERS}/{other['id']}", by=admin, json={"loginEmail": "new@example.com"}), 409000)
    for taken in ("idp-7", "new@example.com"):
        body = {**NEW, "loginEmail": "third@example.com", "authenticationExternalUid": taken}
        refused(await world.post(USERS, by=admin, json=body), 409000)
    granted(await world.put(f"{USERS}/{user['id']}", by=admin, json={"loginEmail": "New@example.com"}))
    granted(await world.delete(f"{USERS}/{user['id']}", by=admin))
    refused(await world.post(USERS, by=admin, json=NEW), 409000)


async def test_numbers_are_stored_in_e164_of_their_country(world: World, admin: Document) -> None:
    numbers = [
        {"number": "01 23 45 67 89"},
        {"number": "030 123456", "country": "DEU", "type": "home", "deviceType": "mobile", "isVisibleByOthers": False},
    ]
    user = await created(world, admin, phoneNumbers=numbers)
    found = [(each["numberE164"], each["country"], each["deviceType"]) for each in user["phoneNumbers"]]
    assert found == [("+33123456789", "FRA", "landline"), ("+4930123456", "DEU", "mobile")]
    sent = {"country": "GBR", "phoneNumbers": [{"number": "020 7946 0000"}]}
    changed = granted(await world.put(f"{USERS}/{user['id']}", by=admin, json=sent))["data"]
    assert [each["numberE164"] for each in changed["phoneNumbers"]] == ["+442079460000"]
    body = {"phoneNumbers": [{"number": "+33123456789"}, {"number": "12"}]}
    assert params(refused(await world.put(f"{USERS}/{user['id']}", by=admin, json=body), 400210)) == [
        "phoneNumbers.1.number"
    ]
    assert await read(world, admin, user["id"]) == changed


async def test_numbers_of_the_telephone_system_stay(world: World, admin: Document) -> None:
    system = {"phoneNumberId": "ab" * 12, "shortNumber": "8001", "systemId": "cd" * 12, "isFromSystem": True}
    jane = await world.user(phoneNumbers=[system, {"number": "+33123456789", "numberE164": "+33123456789"}])
    path = f"{USERS}/{jane['id']}"
    back = {"phoneNumbers": [system, {"number": "+33123456780"}]}
    changed = granted(await world.put(path, by=admin, json=back))["data"]["phoneNumbers"]
    assert [each.get("shortNumber") or each["numberE164"] for each in changed] == ["8001", "+33123456780"]
    assert granted(await world.put(path, by=admin, json={"phoneNumbers": None}))["data"]["phoneNumbers"] == [system]


async def test_an_update_changes_what_it_names(world: World, admin: Document) -> None:
    user = await created(world, admin, jobTitle="Engineer", country="USA", state="Ohio", password=PASSWORD)
    world.clock.forward(minutes=1)
    path = f"{USERS}/{user['id']}"
    changed = granted(await world.put(path, by=admin, json={"lastName": "Newer", "country": "FRA"}))["data"]
    assert changed == {
        **user,
        "lastName": "Newer",
        "displayName": "Nora Newer",
        "country": "FRA",
        "state": None,
        "lastUpdateDate": changed["lastUpdateDate"],
    }
    assert changed["lastUpdateDate"] > user["lastUpdateDate"]
    emptied = granted(await world.put(path, by=admin, json={"jobTitle": None, "timeToLive": None}))["data"]
    assert (emptied["jobTitle"], emptied["timeToLive"]) == (None, -1)
    await token_of(world)


async def test_an_update_without_a_known_field_is_refused(world: World, admin: Document) -> None:
    jane = await world.user()
    for body in ({}, {"unknown": 1}, {"displayName": "Janet"}):
        refused(await world.put(f"{USERS}/{jane['id']}", by=admin, json=body), 400100)
    for wire in ("loginEmail", "firstName", "lastName", "password"):
        assert params(refused(await world.put(f"{USERS}/{jane['id']}", by=admin, json={wire: None}), 400000)) == [wire]
    refused(await world.put(f"{USERS}/{'0d' * 12}", by=admin, json={"title": "x"}), 404001)


async def test_a_new_password_unlocks_and_ends_earlier_sessions(world_on_both: World) -> None:
    world = world_on_both
    await world.company()
    await world.application()
    admin = await world.user("admin@example.com", roles=("company_admin",))
    user = await created(world, admin, password=PASSWORD)
    path = f"{USERS}/{user['id']}"
    session, secret = await token_of(world), (await world.stored("users", user["id"]))["jid_password"]
    granted(await world.get(f"{OWN}/me", headers=bearer(session)))
    for _ in range(5):
        refused(await world.login("new@example.com", "wrong"), 401500)
    refused(await world.login("new@example.com", PASSWORD), 401501)
    found = await read(world, admin, user["id"])
    assert found["failedLogins"] >= 5
    assert found["lockedUntil"] > user["creationDate"]
    changed = granted(await world.put(path, by=admin, json={"password": SECOND}))["data"]
    assert (changed["failedLogins"], changed["lockedUntil"]) == (0, None)
    refused(await world.get(f"{OWN}/me", headers=bearer(session)), 401202)
    assert (await world.stored("users", user["id"]))["jid_password"] != secret
    refused(await world.login("new@example.com", PASSWORD), 401500)
    later = await token_of(world, password=SECOND)
    granted(await world.get(f"{OWN}/me", headers=bearer(later)))
    renewed = granted(await world.get("/api/svc/authentication/v1.0/renew", headers=bearer(later)))["token"]
    granted(await world.get(f"{OWN}/me", headers=bearer(renewed)))
    refused(await world.get("/api/svc/authentication/v1.0/renew", headers=bearer(session)), 401202)


async def test_an_inactive_user_is_refused_and_earlier_sessions_stay_ended(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    session, path = await token_of(world), f"{USERS}/{user['id']}"
    assert granted(await world.put(path, by=admin, json={"isActive": False}))["data"]["isActive"] is False
    refused(await world.get(f"{OWN}/me", headers=bearer(session)), 401520)
    refused(await world.login("new@example.com"), 401520)
    granted(await world.put(path, by=admin, json={"isActive": True}))
    refused(await world.get(f"{OWN}/me", headers=bearer(session)), 401202)
    granted(await world.get(f"{OWN}/me", headers=bearer(await token_of(world))))


async def test_failures_are_counted_until_a_login_succeeds(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    for _ in range(2):
        refused(await world.login("new@example.com", "wrong"), 401500)
    world.clock.forward(hours=3)
    refused(await world.login("new@example.com", "wrong"), 401500)
    listed = granted(await world.get(f"{USERS}?format=full&loginEmail=new@example.com", by=admin))["data"][0]
    assert (listed["failedLogins"], listed["lockedUntil"]) == (3, None)
    own = granted(await world.login("new@example.com"))["loggedInUser"]
    assert {"failedLogins", "lockedUntil"}.isdisjoint(own)
    for path in (f"{OWN}/me", f"{OWN}/{user['id']}"):
        assert {"failedLogins", "lockedUntil"}.isdisjoint(granted(await world.get(path, by=user))["data"])
    assert (await read(world, admin, user["id"]))["failedLogins"] == 0
    assert "failedLogins" not in granted(await world.get(f"{USERS}/{user['id']}?format=medium", by=admin))["data"]


async def test_a_user_changes_the_own_password(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    session = bearer(await token_of(world))
    path = f"{OWN}/{user['id']}/change-password"
    answer = granted(await world.put(path, headers=session, json={"oldPassword": PASSWORD, "newPassword": SECOND}))
    assert set(answer) == {"status"}
    refused(await world.get(f"{OWN}/me", headers=session), 401202)
    refused(await world.login("new@example.com"), 401500)
    await token_of(world, password=SECOND)
    # For another user, and with the current password as the new one.
    body = {"oldPassword": SECOND, "newPassword": PASSWORD}
    refused(await world.put(path, by=admin, json=body), 403100)
    session = bearer(await token_of(world, password=SECOND))
    refused(await world.put(path, headers=session, json={"oldPassword": SECOND, "newPassword": SECOND}), 400000)


async def test_a_wrong_current_password_counts_for_the_lock(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    path, session = f"{OWN}/{user['id']}/change-password", bearer(await token_of(world))
    for wrong in ("1", "2", "3", "4", "5"):
        refused(await world.put(path, headers=session, json={"oldPassword": wrong, "newPassword": SECOND}), 401500)
    refused(await world.put(path, headers=session, json={"oldPassword": PASSWORD, "newPassword": SECOND}), 401501)
    refused(await world.login("new@example.com"), 401501)


async def test_an_own_new_password_ends_the_count_of_failures(world: World, admin: Document) -> None:
    user = await created(world, admin, password=PASSWORD)
    path, session = f"{OWN}/{user['id']}/change-password", bearer(await token_of(world))
    for wrong in ("1", "2", "3"):
        refused(await world.put(path, headers=session, json={"oldPassword": wrong, "newPassword": SECOND}), 401500)
    own = f"{USERS}/{user['id']}?format=full"
    assert granted(await world.get(own, by=admin))["data"]["failedLogins"] == 3
    granted(await world.put(path, headers=session, json={"oldPassword": PASSWORD, "newPassword": SECOND}))
    assert granted(await world.get(own, by=admin))["data"]["failedLogins"] == 0


async def test_an_invitation_is_accepted_and_claims_nothing(world: World, admin: Document) -> None:
    answer = granted(await world.post(f"{USERS}?sendInvitationEmail=true", by=admin, json=NEW))
    assert "mail" not in str({**answer, "data": {}}).lower()
    assert answer["data"]["invitedBy"] is None


async def test_a_superadmin_moves_a_user_to_another_company(world: World, admin: Document) -> None:
    await world.company(OTHER_COMPANY)
    root = await world.user("root@example.com", roles=("superadmin",))
    user = await created(world, admin)
    path = f"{USERS}/{user['id']}"
    refused(await world.put(path, by=admin, json={"companyId": OTHER_COMPANY}), 403000)
    granted(await world.put(path, by=admin, json={"companyId": COMPANY, "title": "Dr."}))
    moved = granted(await world.put(path, by=root, json={"companyId": OTHER_COMPANY}))["data"]
    assert (moved["companyId"], moved["companyName"], moved["organisationId"]) == (OTHER_COMPANY, "Company c1c1", None)
    refused(await world.put(path, by=admin, json={"title": "x"}), 403301)


@pytest.mark.parametrize("change", [{"password": SECOND}, {"isActive": False}])
async def test_applications_lose_their_grants_with_the_sessions(world_on_both: World, change: Document) -> None:
    world = world_on_both
    await world.company()
    await application(world)
    jane, admin = await world.user(), await world.user("admin@example.com", roles=("company_admin",))
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=await code_of(world)))
    unused = await code_of(world)
    path = f"{USERS}/{jane['id']}"
    granted(await world.put(path, by=admin, json=change))
    granted(await world.put(path, by=admin, json={"isActive": True}))
    refused(await world.get(f"{OWN}/me", headers=bearer(tokens["access_token"])), 401202)
    sent = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert (await exchanged(world, **sent)).json()["error"] == "invalid_grant"
    assert (await exchanged(world, grant_type="authorization_code", code=unused)).json()["error"] == "invalid_grant"
