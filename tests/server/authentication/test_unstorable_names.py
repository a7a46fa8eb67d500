"""Names with characters that a database cannot store, wherever a login is named: refused as an unknown one, or as not
valid, on both databases."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from svc_tui.interface.authentication.proof import basic
from svc_tui.server.openid_connect import Provider
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Headers
from svc_tui.server.security.single_sign_on import user_of_claims
from tests.server.authentication.oauth_support import TOKEN, Browser, application
from tests.server.events.support import admin, listening, raw
from tests.support.world import APP, APP_SECRET, World, refused

BASE = "/api/svc/authentication/v1.0"
SASL = "{urn:ietf:params:xml:ns:xmpp-sasl}"
#: As UTF-8, in a query.
NUL, SURROGATE = "%00", "%ED%A0%80"


@pytest.mark.parametrize("login", ["\x00", "jane@example.com\x00", "ja\x00ne@example.com"])
async def test_a_password_login_is_answered_as_for_an_unknown_login(world_on_both: World, login: str) -> None:
    await world_on_both.user()
    refused(await world_on_both.login(login), 401500)
    refused(await world_on_both.login(app="a0\x00"), 401500)


@pytest.mark.parametrize("part", [NUL, SURROGATE])
async def test_discovery_and_filters_by_name_are_refused(world_on_both: World, part: str) -> None:
    world = world_on_both
    root = await world.user(roles=("superadmin",))
    refused(await world.get(f"{BASE}/urls?uid=jane{part}@example.com"), 400000)
    users = "/api/svc/admin/v1.0/users"
    for parameter in ("loginEmail", "searchEmail", "displayName", "companyName"):
        body = refused(await world.get(f"{users}?{parameter}=jane{part}", by=root), 400000)
        assert "cannot be stored" in str(body) or "not UTF-8" in str(body)


async def test_the_pages_of_oauth_refuse_the_login_and_the_token_endpoint_the_application(world_on_both: World) -> None:
    world = world_on_both
    await application(world)
    await world.user()
    for field in ("login", "password", "way"):
        browser = Browser(world)
        await browser.open(response_type="code", client_id=APP)
        assert (await browser.submit(**{"login": "jane@example.com", field: "sso\x00"})).status_code == 400
    form = {"grant_type": "authorization_code", "code": "x"}
    answer = await world.http.post(TOKEN, data=form, headers={"authorization": basic(f"{APP}\x00", APP_SECRET)})
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


@pytest.mark.parametrize("email", ["jane@example.com\x00", "jane\ud800@example.com"])
async def test_an_identity_provider_confirms_no_such_address(world_on_both: World, email: str) -> None:
    await world_on_both.user()
    call: Any = Headers()
    async with world_on_both.service.database.unit() as store:
        with pytest.raises(Refusal, match="usable email address"):
            await user_of_claims(store, call, {"email": email}, Provider("https://id.example", "svc"))


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-1"])
async def test_a_session_for_events_continues_after_such_a_name(world_on_both: World, mechanism: str) -> None:
    await admin(world_on_both)
    async with listening(world_on_both) as place, raw(place) as client:
        await client.open()
        data = base64.b64encode(b"n,,n=jane\x00,r=0123456789").decode()
        failure = await client.ask(
            f'<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="{mechanism}">{data}</auth>'
        )
        assert failure[0].tag == f"{SASL}malformed-request"
        assert (await client.authenticate()).tag == f"{SASL}success"


@pytest.mark.parametrize("text", ["jane\x00", "jane\ud800"])
async def test_names_in_bodies_are_refused(world_on_both: World, text: str) -> None:
    root = await world_on_both.user(roles=("superadmin",))
    body = {"description": text, "isActive": True, "scope": ["all"]}
    refused(await world_on_both.post(f"{BASE}/apikeys", by=root, content=json.dumps(body)), 400000)
