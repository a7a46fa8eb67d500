"""Login, lock, renewal and client versions (4.1, 5.4, 5.6, 7)."""

from __future__ import annotations

import base64
import hmac
import json
from datetime import timedelta

import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.interface.dates import stamp
from svc_tui.server.security.guard import new_guard
from tests.support.statements import statements
from tests.support.world import APP, APP_SECRET, PASSWORD, World, granted, refused

LOGIN = "/api/svc/authentication/v1.0/login"
RENEW = "/api/svc/authentication/v1.0/renew"
LOGOUT = "/api/svc/authentication/v1.0/logout"
VALIDATOR = "/api/svc/authentication/v1.0/validator"


def bearer(token: str, **more: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in more.items()}}


async def test_a_login_returns_token_user_and_application(world_on_both: World) -> None:
    await world_on_both.user(roles=("company_admin",))
    body = granted(await world_on_both.login())
    assert body["mfaRequired"] is False
    assert body["loggedInUser"]["loginEmail"] == "jane@example.com"
    assert body["loggedInUser"]["roles"] == ["admin", "user"]
    assert body["loggedInUser"]["adminType"] == "company_admin"
    assert body["loggedInApplication"]["id"] == APP
    assert "appSecret" not in body["loggedInApplication"]
    assert granted(await world_on_both.http.get(VALIDATOR, headers=bearer(body["token"]))) == {"status": "OK"}


#: The fields of `loggedInUser` (2.4).
USER = """id loginEmail loginPhone firstName lastName displayName nickName title jobTitle emails phoneNumbers country
language timezone jid_im jid_tel jid_password roles adminType companyId companyName isInDefaultCompany organisationId
siteId visibility isActive isInitialized initializationDate activationDate creationDate lastUpdateDate
lastAvatarUpdateDate createdBySelfRegister"""


async def test_the_user_of_a_login_has_every_field_also_without_a_value(world: World) -> None:
    await world.user(siteId=None)
    logged_in = granted(await world.login())
    renewed = granted(await world.http.get(RENEW, headers=bearer(logged_in["token"])))
    for user in (logged_in["loggedInUser"], renewed["loggedInUser"]):
        assert set(USER.split()) <= set(user)
        assert (user["loginPhone"], user["nickName"], user["siteId"]) == (None, None, None)
    me = granted(await world.http.get("/api/svc/enduser/v1.0/users/me", headers=bearer(logged_in["token"])))["data"]
    assert set(USER.split()) - set(me) == {"jid_password"}


async def test_a_login_also_matches_the_external_identifier_and_ignores_case(world: World) -> None:
    await world.user(authenticationExternalUid="EMP-42")
    granted(await world.login("emp-42"))
    granted(await world.login("Jane@Example.COM"))


async def test_a_wrong_user_password_or_application_has_the_same_answer(world_on_both: World) -> None:
    world = world_on_both
    world.service.settings.lock_failures = 100
    await world.user()
    bare = app_auth(APP, APP_SECRET, PASSWORD).removeprefix("Basic ")
    answers = [
        await world.login("unknown@example.com"),
        await world.login(password="wrong"),
        await world.login(secret="wrong"),
        await world.login(app="b0" * 12),
        await world.http.get(LOGIN),
        await world.http.get(LOGIN, headers={"authorization": "Basic %%%"}),
        await world.login("jane\x00@example.com"),
        await world.login(app="a0\x00"),
        await world.http.get(LOGIN, headers={"authorization": basic("jane@example.com", PASSWORD)}),
        await world.http.get(LOGIN, headers={"authorization": basic("jane@example.com", PASSWORD), APP_AUTH: bare}),
    ]
    assert len({str(refused(answer, 401500)) for answer in answers}) == 1


async def test_the_proof_of_the_application_includes_the_password(world: World) -> None:
    await world.user()
    headers = {
        "authorization": basic("jane@example.com", PASSWORD),
        APP_AUTH: app_auth(APP, APP_SECRET, "another text"),
    }
    refused(await world.http.get(LOGIN, headers=headers), 401500)


async def test_an_application_without_a_secret_is_refused(world: World) -> None:
    await world.user()
    await world.application("b0" * 12, appSecret="")
    refused(await world.login(app="b0" * 12, secret=""), 401500)


async def test_five_failures_lock_the_account_even_for_the_correct_password(world_on_both: World) -> None:
    world = world_on_both
    await world.user()
    for _ in range(5):
        refused(await world.login(password="wrong"), 401500)
    refused(await world.login(), 401501)
    world.clock.forward(minutes=61)
    granted(await world.login())


async def test_a_wrong_password_restarts_the_lock_and_a_correct_one_does_not(world: World) -> None:
    await world.user()
    for _ in range(5):
        await world.login(password="wrong")
    world.clock.forward(minutes=50)
    refused(await world.login(password="wrong"), 401501)
    world.clock.forward(minutes=50)
    refused(await world.login(), 401501)
    world.clock.forward(minutes=11)
    granted(await world.login())


async def test_a_wrong_password_never_shortens_a_longer_lock(world: World) -> None:
    """A lock can be longer than `lock_minutes`: the setting was shortened, or the demo has one of a year."""
    user = await world.user()
    ends = stamp(world.clock.now() + timedelta(days=1))
    async with world.service.database.unit() as store:
        await store.login_guards.put(new_guard(user["id"], ends, 5, locked=True))
    refused(await world.login(password="wrong"), 401501)
    world.clock.forward(minutes=23 * 60)
    refused(await world.login(), 401501)
    world.clock.forward(minutes=61)
    granted(await world.login())


async def test_a_login_resets_the_failures(world: World) -> None:
    await world.user()
    for _ in range(2):
        for _ in range(4):
            refused(await world.login(password="wrong"), 401500)
        granted(await world.login())


async def test_a_repeated_attempt_counts_once(world: World) -> None:
    await world.user()
    for attempt in range(4):
        for _ in range(3):
            refused(await world.login(password="wrong", x_svc_correlation_id=f"attempt-{attempt}"), 401500)
    granted(await world.login())


async def test_different_passwords_under_one_correlation_id_all_count(world: World) -> None:
    await world.user()
    for guess in range(5):
        refused(await world.login(password=f"guess {guess}", x_svc_correlation_id="one"), 401500)
    refused(await world.login(), 401501)


async def test_an_unknown_login_is_locked_like_a_known_one(world: World) -> None:
    for _ in range(5):
        refused(await world.login("unknown@example.com"), 401500)
    refused(await world.login("unknown@example.com"), 401501)


async def test_an_unknown_login_takes_as_much_work_as_a_wrong_password(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[str | None] = []
    original = type(world.service.passwords).verify

    async def counted(self: object, password: str, stored: str | None) -> bool:
        checks.append(stored)
        return await original(self, password, stored)  # type: ignore[arg-type]

    monkeypatch.setattr(type(world.service.passwords), "verify", counted)
    await world.login("unknown@example.com")
    assert checks == [None]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"profiles": [{"profileName": "Voice phone", "isVoicePhone": True}]}, 401223),
        ({"isActive": False}, 401520),
        ({"isTerminated": True}, 401520),
        ({"timeToLive": 0}, 401523),
    ],
)
async def test_a_user_who_may_not_log_in_is_refused_with_the_reason(
    world: World, fields: dict[str, object], code: int
) -> None:
    await world.user(**fields)
    refused(await world.login(), code)


async def test_a_voice_licence_beside_another_one_permits_the_login(world: World) -> None:
    await world.user(profiles=[{"isVoicePhone": True}, {"profileName": "Business"}])
    granted(await world.login())


async def test_logins_and_tokens_of_a_terminated_company_are_refused(world: World) -> None:
    jane = await world.user()
    await world.company(status="terminated")
    refused(await world.login(), 401521)
    refused(await world.get(VALIDATOR, by=jane), 401521)


@pytest.mark.parametrize("state", ["stopped", "blocked", "deleted"])
async def test_logins_and_tokens_of_a_stopped_application_are_refused(world: World, state: str) -> None:
    jane = await world.user()
    await world.application(state=state)
    refused(await world.login(), 401102)
    refused(await world.get(VALIDATOR, by=jane), 401102)


async def test_the_first_login_activates_a_new_application(world: World) -> None:
    await world.user()
    await world.application(state="new", env="not_deployed")
    assert granted(await world.login())["loggedInApplication"]["state"] == "active"
    assert (await world.stored("applications", APP))["state"] == "active"


async def test_a_login_updates_the_dates_of_the_user(world: World) -> None:
    jane = await world.user()
    granted(await world.login())
    world.clock.forward(days=1)
    granted(await world.login())
    stored = await world.stored("users", jane["id"])
    assert stored["firstLoginDate"] == "2026-11-20T10:00:00.000Z"
    assert stored["lastLoginDate"] == "2026-11-21T10:00:00.000Z"


async def test_a_client_below_the_minimum_version_can_neither_log_in_nor_renew(world: World) -> None:
    jane = await world.user()
    token = granted(await world.login(x_svc_client_version="1.74.9"))["token"]
    await world._put("client_versions", {"id": APP, "name": "Application", "version": "1.75.0"})
    refused(await world.login(x_svc_client_version="1.74.9"), 403020)
    refused(await world.http.get(RENEW, headers=bearer(token, x_svc_client_version="1.9")), 403020)
    granted(await world.login(x_svc_client_version="1.75"))
    granted(await world.login(x_svc_client_version="1.100.0"))
    granted(await world.http.get(RENEW, headers=bearer(token, x_svc_client_version="2.0")))
    other = await world.application("b0" * 12)
    granted(await world.login(app=other["id"], x_svc_client_version="0.1"))
    assert jane


async def test_a_renewal_restarts_the_lifetime_and_is_counted(world: World) -> None:
    await world.user()
    token = granted(await world.login())["token"]
    first = world.service.tokens.read(token, world.clock.now())
    world.clock.forward(seconds=7000)
    renewed = granted(await world.http.get(RENEW, headers=bearer(token)))
    claims = world.service.tokens.read(renewed["token"], world.clock.now())
    assert (claims["countRenewed"], claims["exp"] - claims["iat"]) == (1, 7200)
    assert claims["iat"] == first["iat"] + 7000
    assert renewed["loggedInUser"]["loginEmail"] == "jane@example.com"


async def test_a_token_is_renewed_up_to_its_maximum(world: World) -> None:
    await world.user()
    token = granted(await world.login())["token"]
    for _ in range(5):
        token = granted(await world.http.get(RENEW, headers=bearer(token)))["token"]
    refused(await world.http.get(RENEW, headers=bearer(token)), 401202)
    granted(await world.http.get(VALIDATOR, headers=bearer(token)))


async def test_the_last_renewal_of_an_application_is_stored_to_the_minute(world: World) -> None:
    await world.user()
    token = granted(await world.login())["token"]

    async def renewed() -> tuple[int, str]:
        with statements(world.service.database) as sent:
            granted(await world.http.get(RENEW, headers=bearer(token)))
        application = await world.stored("applications", APP)
        return sum(each.sql.startswith("UPDATE") for each in sent), application["dateOfLastTokenWhenRenew"]

    first = stamp(world.clock.now())
    assert await renewed() == (1, first)
    world.clock.forward(seconds=59)
    assert await renewed() == (0, first)
    world.clock.forward(seconds=1)
    assert await renewed() == (1, stamp(world.clock.now()))


async def test_an_expired_token_is_refused_as_jwt_expired(world: World) -> None:
    jane = await world.user()
    token = world.token(jane)
    world.clock.forward(seconds=7200)
    for path in (VALIDATOR, RENEW):
        answer = await world.http.get(path, headers=bearer(token))
        assert refused(answer, 401202)["errorDetails"] == "jwt expired"


async def test_a_token_without_a_valid_rs256_signature_is_refused(world: World) -> None:
    jane = await world.user()
    header, payload, signature = world.token(jane).split(".")
    none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"
    claims = world.service.tokens.read(world.token(jane), world.clock.now())
    forged = _signed_with_the_public_key(world, claims)
    for token in (f"{none}.{payload}.", f"{none}.{payload}.{signature}", f"{header}.{payload}.AAAA", forged, "x", ""):
        refused(await world.http.get(VALIDATOR, headers=bearer(token)), 401202)


def _signed_with_the_public_key(world: World, claims: dict[str, object]) -> str:
    # The library refuses to sign with a public key, so the token is assembled here.
    def part(content: bytes) -> str:
        return base64.urlsafe_b64encode(content).rstrip(b"=").decode()

    signed = part(b'{"alg":"HS256","typ":"JWT"}') + "." + part(json.dumps(claims).encode())
    public = world.service.tokens.keys.signing().as_pem(private=False)
    return f"{signed}.{part(hmac.new(public, signed.encode(), 'sha256').digest())}"


async def test_logout_succeeds_and_the_stateless_token_is_still_valid(world: World) -> None:
    jane = await world.user()
    assert granted(await world.get(LOGOUT, by=jane))["data"] == []
    granted(await world.get(VALIDATOR, by=jane))


async def test_the_token_of_a_deleted_user_is_refused(world: World) -> None:
    jane = await world.user()
    ghost = {**jane, "id": "e0" * 12}
    refused(await world.get(VALIDATOR, by=ghost), 401202)


async def test_an_application_token_is_checked_only_when_present(world: World) -> None:
    from svc_tui.interface.authentication.proof import application_token

    jane = await world.user()
    granted(await world.get(VALIDATOR, by=jane, headers={"APIKey": application_token(APP, APP_SECRET)}))
    refused(await world.get(VALIDATOR, by=jane, headers={"APIKey": "another application's"}), 403000)
    refused(await world.login(APIKey="another application's"), 403000)
    # Section 5.1: a mismatch gives 403, also without other credentials; without any, the answer is 401.
    refused(await world.http.get(VALIDATOR, headers={"APIKey": "another application's"}), 403000)
    refused(await world.http.get(VALIDATOR), 401102)
