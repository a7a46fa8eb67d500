"""Single sign-on through the real service and an independent identity provider, with a browser on the way."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime

import httpx
import pytest

from svc_tui.client import sso
from svc_tui.client.errors import LoginRefused
from svc_tui.client.login import logout
from svc_tui.interface.authentication.single_sign_on import DiscoveryQuery, discover_login_urls
from svc_tui.interface.authentication.users import get_own_user
from tests.client.support import Pauses
from tests.support.forms import filled
from tests.support.world import COMPANY

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import oidc_provider_mock

JANE = "jane@example.com"
HOME = "https://app.example/signed-in"


@pytest.fixture(scope="module")
def issuer():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with oidc_provider_mock.run_server_in_thread() as server:
            yield f"http://localhost:{server.server_port}"


@pytest.fixture
async def browser(world, issuer):
    """Opens an address, logs Jane in at the provider, decides, and returns the final address of the browser."""
    world.clock.set(datetime.now(UTC))
    await world.user()
    await world.application(ssoAuthenticationRedirectUrl=HOME)
    provider = {"id": "1d" * 12, "companyId": COMPANY, "type": "OIDC", "name": "Corporate", "issuer": issuer}
    await world._put("identity_providers", {**provider, "clientId": "svc", "clientSecret": "provider-secret"})

    async def browse(url, decision="allow"):
        away = await world.http.get(url)
        async with httpx.AsyncClient() as outside:
            back = await outside.post(away.headers["location"], data={"sub": JANE})
        asked = await world.http.get(back.headers["location"])
        if asked.status_code == 302:
            return asked.headers["location"]
        action, values = filled(asked.text, decision=decision)
        home = await world.http.post(action, data=values)
        return home.headers["location"]

    return browse


async def begun(client):
    way, _ = sso.preferred(await sso.discover(client, JANE))
    return await sso.sso_start(client, way)


async def test_the_console_is_logged_in_when_the_browser_is_done(world, connect, browser):
    client = connect()
    started = await begun(client)
    pauses = Pauses()

    async def busy(seconds):
        if not pauses.seconds:
            await browser(started.url)
        await pauses(seconds)

    await sso.sso_wait(client, started, sleep=busy)
    assert len(pauses.seconds) == 1
    assert (await client.call(get_own_user)).data.login_email == JANE
    address = await logout(client)
    assert address.endswith("/oidc-client/logout")
    assert (await world.http.get(address, headers={"accept": "text/html"})).status_code == 302


async def test_the_result_is_given_once(connect, browser):
    first, second = connect(), connect()
    started = await begun(first)
    await browser(started.url)
    await sso.sso_wait(first, started, sleep=Pauses())
    with pytest.raises(LoginRefused, match="already used"):
        await sso.sso_wait(second, started, sleep=Pauses())


async def test_an_unfinished_login_expires(world, connect, browser):
    client = connect()
    started = await begun(client)
    world.clock.forward(minutes=6)
    with pytest.raises(LoginRefused, match="has expired"):
        await sso.sso_wait(client, started, sleep=Pauses())


async def test_without_polling_the_pasted_address_logs_in(connect, browser):
    client = connect()
    ways = await client.call(discover_login_urls, query=DiscoveryQuery(uid=JANE))
    started = await sso.sso_start(client, ways.data[0])
    assert not started.polls
    await sso.sso_finish(client, await browser(started.url))
    assert (await client.call(get_own_user)).data.login_email == JANE
    assert (await logout(client)).endswith("/oidc-client/logout")


async def test_a_wrong_application_secret_is_refused_by_the_service(world, connect, browser):
    started = await begun(connect(app_secret="other"))
    assert (await world.http.get(started.url)).json()["errorDetailsCode"] == 401500


async def test_a_login_that_was_denied_in_the_browser_ends_with_the_reason(connect, browser):
    client = connect()
    started = await begun(client)
    await browser(started.url, "deny")
    with pytest.raises(LoginRefused, match=r"^The login was denied in the browser\.$"):
        await sso.sso_wait(client, started, sleep=Pauses())
    assert client.session.state == "none"
