"""Addresses that a browser must never be sent to: with line ends, backslashes or control characters, or with content
instead of a place. No application registers them, and stored ones are not used."""

from __future__ import annotations

import asyncio

import pytest

from svc_tui.interface.applications.records import ApplicationCreation
from svc_tui.interface.field_specs import fields_of
from tests.server.authentication.oauth_support import Browser, application, bearer, code_of, exchanged
from tests.support.world import APP, World, granted, refused

APPLICATIONS = "/api/svc/applications/v1.0/applications"
ME = "/api/svc/enduser/v1.0/users/me"
HOSTILE = (
    "https://app.example/\r\nset-cookie: svc-sso=mine",
    "https://app.example/\nx",
    "https://app.example\\@evil.example/",
    "https:\\\\evil.example/",
    "https://app.example/\x01",
    "https://app.example/\x1b[2J",
    "https://app.example/\x7f",
    " https://app.example/",
    "https://app.example/ü",
    "https://[",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "blob:https://app.example/x",
    "file:///etc/passwd",
    "//evil.example/",
    "https://a.example;sandbox/cb",
    "https://a.example,b.example/cb",
    "https://*.example/cb",
    "https://a.example'/cb",
    "https://a%3bsandbox/cb",
    "https://app.example@evil.example/",
    "https://app.example:port/",
    "https://app.example:99999/",
    "https:evil.example",
    "https:;sandbox",
    "https:///cb",
    "/relative",
    "",
)
REDIRECTS = [spec for spec in fields_of(ApplicationCreation) if "Redirect" in spec.wire]


def test_the_fields_with_redirect_addresses_are_found() -> None:
    assert len(REDIRECTS) == 4


@pytest.mark.parametrize("wire", [spec.wire for spec in REDIRECTS])
async def test_no_application_registers_such_an_address(world: World, wire: str) -> None:
    root = await world.user(roles=("superadmin", "app_superadmin", "app_admin"))
    new = {"name": "New", "type": "web", "activity": "J", "ownerId": root["id"]}
    for address in HOSTILE:
        values = {wire: [address] if wire.endswith("Uris") else address}
        created = await world.post(APPLICATIONS, by=root, json={**new, **values})
        changed = await world.put(f"{APPLICATIONS}/{APP}", by=root, json=values)
        for answer in (created, changed):
            assert wire in str(refused(answer, 400000)["errorDetails"]), (address, answer.text)


@pytest.mark.parametrize("address", [each for each in HOSTILE if each])
async def test_a_stored_one_is_neither_a_target_nor_a_link(world: World, address: str) -> None:
    await world.user()
    await world.application(oauthRedirectUris=[address], termsOfServiceUrl=[address], privacyPoliciesUrl=[address])
    for query in ({}, {"redirect_uri": address}):
        answer = await Browser(world).open(response_type="code", client_id=APP, **query)
        assert answer.status_code == 400 and "location" not in answer.headers
    browser = Browser(world)
    await application(world, termsOfServiceUrl=[address], privacyPoliciesUrl=["https://app.example/privacy"])
    await browser.open(response_type="code", client_id=APP)
    page = await browser.log_in()
    assert page.status_code == 200
    assert page.text.count("<a href=") == 1 and 'href="https://app.example/privacy"' in page.text


async def test_of_simultaneous_uses_of_a_code_one_gets_tokens_and_they_end(world_on_both: World) -> None:
    world = world_on_both
    await application(world)
    await world.user()
    code = await code_of(world)
    answers = await asyncio.gather(*(exchanged(world, grant_type="authorization_code", code=code) for _ in range(8)))
    winners = [each for each in answers if each.status_code == 200]
    assert len(winners) == 1
    assert {each.json()["error"] for each in answers if each not in winners} == {"invalid_grant"}
    # One of the users of the code has stolen it.
    refused(await world.get(ME, headers=bearer(winners[0].json())), 401202)


async def test_of_simultaneous_uses_of_a_refresh_token_one_gets_tokens_and_they_end(world_on_both: World) -> None:
    world = world_on_both
    await application(world)
    await world.user()
    code = await code_of(world)
    tokens = granted(await exchanged(world, grant_type="authorization_code", code=code))
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    answers = await asyncio.gather(*(exchanged(world, **form) for _ in range(8)))
    winners = [each for each in answers if each.status_code == 200]
    assert len(winners) == 1
    refused(await world.get(ME, headers=bearer(winners[0].json())), 401202)
