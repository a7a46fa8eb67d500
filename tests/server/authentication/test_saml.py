"""SAML operations of a service without a SAML configuration (4.1)."""

from __future__ import annotations

import pytest

from tests.support.world import COMPANY, World, refused

SAML = "/api/svc/authentication/v1.0/saml"


@pytest.mark.parametrize("path", [f"login?companyId={COMPANY}&challenge=c", f"{COMPANY}/metadata.xml"])
async def test_a_company_without_saml_is_reported(world: World, path: str) -> None:
    await world.company()
    refused(await world.http.get(f"{SAML}/{path}"), 503000)


async def test_an_assertion_does_not_log_in(world: World) -> None:
    await world.company()
    answer = await world.http.post(f"{SAML}/{COMPANY}/assert", data={"SAMLResponse": "PHNhbWw+"})
    refused(answer, 503000)
    assert "location" not in answer.headers


async def test_a_logout_with_the_token_of_a_saml_login_is_reported(world: World) -> None:
    token = world.token(await world.user(), saml={})
    refused(await world.http.get(f"{SAML}/logout", params={"token": token}), 503000)


@pytest.mark.parametrize("query", ["", "?token=nonsense"])
async def test_a_logout_without_a_valid_token_is_refused(world: World, query: str) -> None:
    refused(await world.http.get(f"{SAML}/logout{query}"), 401202)


async def test_a_login_needs_a_known_company_and_a_challenge(world: World) -> None:
    refused(await world.http.get(f"{SAML}/login?companyId={'f0' * 12}&challenge=c"), 404000)
    refused(await world.http.get(f"{SAML}/{'f0' * 12}/metadata.xml"), 404000)
    body = refused(await world.http.get(f"{SAML}/login"), 400000)
    assert {each["param"] for each in body["errorDetails"]} == {"companyId", "challenge"}
