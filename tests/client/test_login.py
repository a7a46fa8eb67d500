"""Logging in and out against the real service: password, second factor, API key."""

from __future__ import annotations

import httpx
import pyotp
import pytest

from svc_tui.client import login as logins
from svc_tui.client.errors import LoginRefused, SessionEnded, Unreachable
from svc_tui.interface.authentication.api_keys import ApiKeyCreation, create_api_key, get_current_api_key
from svc_tui.interface.authentication.mfa import enable_mfa, get_mfa, verify_mfa
from svc_tui.interface.authentication.sessions import validate_token
from svc_tui.interface.authentication.users import get_own_user
from tests.client.support import jwt
from tests.support.world import APP, PASSWORD

JANE = "jane@example.com"


async def test_a_password_logs_in(world, connect):
    await world.user(roles=("app_superadmin",))
    client = connect()
    answer = await logins.login(client, JANE, PASSWORD)
    assert not answer.mfa_required
    assert client.session.state == "full"
    assert client.session.user["loginEmail"] == JANE
    assert client.session.application["id"] == APP
    assert (await client.call(get_own_user)).data.login_email == JANE


async def test_a_wrong_password_is_reported_and_no_user_is_logged_in(world, connect):
    await world.user()
    client = connect()
    with pytest.raises(LoginRefused, match="Wrong login or password") as told:
        await logins.login(client, JANE, "wrong-password")
    assert (told.value.status, told.value.code) == (401, 401500)
    assert told.value.request_id
    assert client.session.state == "none"


@pytest.mark.parametrize(
    ("credentials", "missing"),
    [
        ({"app_secret": ""}, "The profile has no application secret"),
        ({"app_id": "", "app_secret": ""}, "The profile has no application ID"),
    ],
)
async def test_a_refused_login_names_the_credentials_that_the_profile_lacks(world, connect, credentials, missing):
    await world.user()
    with pytest.raises(LoginRefused, match=missing) as told:
        await logins.login(connect(**credentials), JANE, PASSWORD)
    assert (told.value.status, told.value.code) == (401, 401500)
    assert told.value.request_id


async def test_a_wrong_application_secret_is_reported_like_a_wrong_password(world, connect):
    await world.user()
    with pytest.raises(LoginRefused, match="wrong application id or secret"):
        await logins.login(connect(app_secret="other"), JANE, PASSWORD)


async def test_a_locked_account_reports_that_each_attempt_restarts_the_lock(world, connect):
    await world.user()
    client = connect()
    for _ in range(5):
        with pytest.raises(LoginRefused):
            await logins.login(client, JANE, "wrong-password")
    with pytest.raises(LoginRefused, match="locked after repeated failures") as told:
        await logins.login(client, JANE, PASSWORD)
    assert told.value.code == 401501


async def test_a_refused_login_repeated_after_a_lost_response_counts_once(world, connect):
    await world.user()
    lost = LosesFirst(httpx.ASGITransport(app=world.app))
    client = connect(transport=lost)
    for _ in range(4):
        lost.next = True
        with pytest.raises(LoginRefused, match="Wrong"):
            await logins.login(client, JANE, "wrong-password")
    assert lost.count == 8
    await logins.login(client, JANE, PASSWORD)


class LosesFirst(httpx.AsyncBaseTransport):
    """Lets one answer get lost on the way back whenever `next` is set."""

    def __init__(self, inner):
        self.inner, self.next, self.count = inner, False, 0

    async def handle_async_request(self, request):
        self.count += 1
        response = await self.inner.handle_async_request(request)
        if self.next:
            self.next = False
            raise httpx.ReadError("lost on the way back", request=request)
        return response


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"isActive": False}, "This user is not active"),
        ({"timeToLive": 0}, "account has expired"),
        ({"profiles": [{"offerName": "Voice Phone", "isVoicePhone": True}]}, "only a voice phone licence"),
    ],
)
async def test_other_refused_logins_have_their_reasons(world, connect, fields, said):
    await world.user(**fields)
    with pytest.raises(LoginRefused, match=said):
        await logins.login(connect(), JANE, PASSWORD)


async def test_an_old_console_is_refused_with_the_reason(world, connect):
    await world.user()
    await world._put("client_versions", {"id": APP, "name": "Console", "version": "99.0"})
    with pytest.raises(LoginRefused, match="too old for the service") as told:
        await logins.login(connect(), JANE, PASSWORD)
    assert told.value.code == 403020


async def test_a_login_and_password_of_any_characters_arrive(world, connect):
    await world.user("jürgen@example.com", password='pä$$"w\\ö rd:1')
    client = connect()
    await logins.login(client, "jürgen@example.com", 'pä$$"w\\ö rd:1')
    assert client.session.state == "full"


async def test_the_renewal_of_the_real_service_counts_and_ends(world, connect):
    await world.user()
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    for renewed in range(1, 6):
        world.clock.forward(seconds=4100)
        await client.call(validate_token)
        assert client.session.claims.renewed == renewed
    world.clock.forward(seconds=4100)
    await client.call(validate_token)
    assert client.session.claims.renewed == 5
    world.clock.forward(seconds=7200)
    with pytest.raises(SessionEnded, match="Session expired"):
        await client.call(validate_token)


async def enrolled(world, connect):
    """Jane with a second factor: her authenticator and recovery code."""
    jane = await world.user()
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    path = {"userId": jane["id"]}
    secret = (await client.send(get_mfa, path=path)).body["data"]["mfaSecret"]
    totp = pyotp.TOTP(secret)
    code = totp.at(world.clock.now())
    recovery = (await client.send(verify_mfa, path=path, body={"token": code})).body["data"]["mfaRecoveryCode"]
    await client.send(enable_mfa, path=path)
    world.clock.forward(seconds=60)
    return totp, recovery


async def test_a_second_factor_makes_the_session_limited_until_the_code_is_given(world, connect):
    totp, _ = await enrolled(world, connect)
    client = connect()
    answer = await logins.login(client, JANE, PASSWORD)
    assert answer.mfa_required
    assert client.session.state == "limited"
    with pytest.raises(SessionEnded):
        await client.call(validate_token)
    await logins.verify(client, totp.at(world.clock.now()))
    assert client.session.state == "full"
    await client.call(validate_token)


async def test_a_wrong_code_can_be_corrected(world, connect):
    totp, _ = await enrolled(world, connect)
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    with pytest.raises(LoginRefused):
        await logins.verify(client, "000000")
    assert client.session.state == "limited"
    code = totp.at(world.clock.now())
    await logins.verify(client, f" {code[:3]} {code[3:]} ")
    assert client.session.state == "full"


@pytest.mark.parametrize("code", ["", " ", "7" * 65])
async def test_what_can_be_no_code_is_refused_without_quoting_it(world, connect, code):
    await enrolled(world, connect)
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    with pytest.raises(LoginRefused) as refused:
        await logins.verify(client, code)
    assert "777" not in str(refused.value) and refused.value.__suppress_context__
    assert client.session.state == "limited"


async def test_a_recovery_code_logs_in(world, connect):
    _, recovery = await enrolled(world, connect)
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    await logins.verify(client, recovery)
    assert client.session.state == "full"


async def test_a_late_code_asks_for_a_new_login(world, connect):
    totp, _ = await enrolled(world, connect)
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    world.clock.forward(minutes=6)
    with pytest.raises(SessionEnded, match="Session expired"):
        await logins.verify(client, totp.at(world.clock.now()))


async def test_a_trusted_application_is_recorded_by_the_service(world, connect):
    totp, _ = await enrolled(world, connect)
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    await logins.verify(client, totp.at(world.clock.now()), trust=True)
    user = (await client.call(get_own_user)).data
    assert [trusted["appId"] for trusted in user.mfa_svc_auth["mfaTrustedApps"]] == [APP]


async def test_a_code_without_a_pending_login_asks_for_a_login(connect):
    with pytest.raises(SessionEnded, match="Log in with your password first"):
        await logins.verify(connect(), "123456")


@pytest.mark.parametrize("inside", [True, False])
async def test_the_login_after_a_code_is_read_inside_data_and_beside_it(serve, inside):
    """The specification allows both."""
    login = {"token": jwt(), "loggedInUser": {"id": "u1"}}
    body = {"data": {"mfaType": "totp", **login}} if inside else {"data": {"mfaType": "totp"}, **login}
    client = serve(lambda request: httpx.Response(200, json=body), token=jwt(mfaType="totp"))
    await logins.verify(client, "123456")
    assert (client.session.state, client.session.token) == ("full", login["token"])


async def test_a_code_without_a_response_asks_for_a_new_login(serve):
    def lost(request):
        raise httpx.ReadError("lost", request=request)

    client = serve(lost, token=jwt(mfaType="totp"))
    with pytest.raises(Unreachable, match="with a new code"):
        await logins.verify(client, "123456")
    assert len(client.log.exchanges) == 1


async def test_an_api_key_logs_in_its_user(world, connect):
    await world.user()
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    body = ApiKeyCreation(description="for a test", is_active=True, scope=["all"])
    key = (await client.call(create_api_key, body=body)).data.api_key

    other = connect(method="api_key", api_key=key)
    user = await logins.with_api_key(other)
    assert user.login_email == JANE
    assert other.session.user["loginEmail"] == JANE
    # The real service accepts each challenge once.
    for _ in range(3):
        assert (await other.call(get_current_api_key)).data.description == "for a test"
    assert await logins.logout(other) == ""
    assert other.session.state == "none"


async def test_an_unknown_api_key_is_refused(world, connect):
    await world.user()
    client = connect()
    with pytest.raises(SessionEnded):
        await logins.with_api_key(client, "key-of-no-user")
    assert client.session.state == "none"


@pytest.mark.parametrize("key", ["", "  ", "two\nlines", "schlüssel"])
async def test_a_malformed_api_key_is_not_sent(connect, key):
    client = connect()
    with pytest.raises(SessionEnded, match="This is not an API key"):
        await logins.with_api_key(client, key)
    assert client.log.exchanges == ()


async def test_a_logout_ends_the_session_at_the_service_and_locally(world, connect):
    await world.user()
    client = connect()
    await logins.login(client, JANE, PASSWORD)
    assert await logins.logout(client) == ""
    assert client.log.exchanges[-1].operation_id == "logout"
    assert (client.session.state, client.session.user) == ("none", None)


async def test_a_logout_succeeds_locally_without_a_service(serve):
    def down(request):
        raise httpx.ConnectError("down", request=request)

    client = serve(down, token=jwt())
    await logins.logout(client)
    assert client.session.state == "none"
