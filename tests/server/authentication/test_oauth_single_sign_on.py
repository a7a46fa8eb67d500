"""Users with single sign-on only authorize applications: through the provider and back to the consent (5.5)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from html import unescape

import httpx
import pytest

from svc_tui.server.settings import GlobalIdentity
from tests.server.authentication import oauth_support as oauth
from tests.server.authentication.provider_support import Browser as Outside
from tests.server.authentication.provider_support import browsing, provider, query_of, running_provider
from tests.support.world import APP, COMPANY, OTHER_COMPANY, World

ASKED = {"response_type": "code", "client_id": APP, "state": "s1"}
NOT_AVAILABLE = "Single sign-on is not available for this login. Use your password."


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with running_provider() as found:
        yield found


class Visitor(oauth.Browser):
    """A browser on the login page of an authorization, and at the provider."""

    def __init__(self, world: World, outside: Outside) -> None:
        super().__init__(world)
        self.world, self.outside = world, outside

    async def away(self, login: str = "jane@example.com") -> str:
        """Choose the single sign-on; the address of the link to the provider."""
        page = await self.submit(login=login, password="", way="sso")
        return unescape(page.text.partition('<a href="')[2].partition('"')[0])

    async def back(self, address: str, sub: str = "jane@example.com") -> httpx.Response:
        """Log in at the provider, and follow the redirect to the service."""
        return await self.open(await self.outside.sign_in(address, sub))

    @property
    def alert(self) -> str:
        return unescape(self.page.text.partition('role="alert">')[2].partition("<")[0])


@pytest.fixture
async def visitor(world: World, issuer: str) -> AsyncIterator[Visitor]:
    async with browsing(world, issuer) as outside:
        await oauth.application(world)
        await world.user()
        found = Visitor(world, outside)
        await found.open(**ASKED)
        yield found


async def test_the_single_sign_on_leads_to_the_consent_and_the_tokens_are_those_of_the_user(visitor: Visitor) -> None:
    address = await visitor.away()
    asked = query_of(address)
    assert (asked["login_hint"], asked["code_challenge_method"]) == ("jane@example.com", "S256")
    page = await visitor.back(address)
    assert page.status_code == 200 and 'value="allow"' in page.text and "jane@example.com" in page.text
    values = oauth.arrived(await visitor.submit(decision="allow"))
    assert values["state"] == "s1"
    form = {"grant_type": "authorization_code", "code": values["code"]}
    tokens = (await oauth.exchanged(visitor.world, **form)).json()
    own = await visitor.world.get("/api/svc/enduser/v1.0/users/me", headers=oauth.bearer(tokens))
    assert own.json()["data"]["loginEmail"] == "jane@example.com"


async def test_the_global_single_sign_on_leads_to_the_consent(visitor: Visitor, issuer: str) -> None:
    world = visitor.world
    await world.company(authenticationType="GLOBAL_OIDC")
    world.service.settings.global_identity = GlobalIdentity(issuer=issuer, client_id="svc", client_secret="x")
    assert 'value="allow"' in (await visitor.back(await visitor.away())).text


async def test_the_consent_can_be_denied_or_switched_off(visitor: Visitor) -> None:
    await visitor.back(await visitor.away())
    assert oauth.arrived(await visitor.submit(decision="deny"))["error"] == "access_denied"
    await oauth.application(visitor.world, disableOAuthConsentScreen=True)
    await visitor.open(**ASKED)
    assert "code" in oauth.arrived(await visitor.back(await visitor.away()))


@pytest.mark.parametrize("login", ["stranger@example.com", "idle@example.com"])
async def test_a_login_of_no_user_is_answered_like_those_of_its_company(visitor: Visitor, login: str) -> None:
    await visitor.world.user("idle@example.com", isActive=False)
    assert query_of(await visitor.away(login))["login_hint"] == login


@pytest.mark.parametrize("login", ["", "stranger@elsewhere.example", "idle@example.com", "jane\x00@example.com"])
async def test_logins_without_single_sign_on_get_one_answer(visitor: Visitor, login: str) -> None:
    await visitor.world.user("idle@example.com", isActive=False)
    await visitor.world.user("jane@shared.example", companyId=OTHER_COMPANY)
    await visitor.world.user("joe@example.com", companyId=OTHER_COMPANY)
    assert await visitor.away(login) == ""
    assert visitor.alert == NOT_AVAILABLE or "\x00" in login


@pytest.mark.parametrize("fields", [{"onlyUseImplicitFlow": True}, {"companyId": "9" * 24}])
async def test_a_company_without_a_provider_for_browsers_has_no_single_sign_on(
    visitor: Visitor, issuer: str, fields: dict[str, object]
) -> None:
    await visitor.world._put("identity_providers", provider(issuer, **fields))
    assert await visitor.away() == ""
    assert visitor.alert == NOT_AVAILABLE
    # The password still works.
    assert 'value="allow"' in (await visitor.log_in()).text


@pytest.mark.parametrize(
    ("sub", "alert"),
    [
        ("stranger@example.com", "No user has this email address as login."),
        ("unverified", "The email address is not verified."),
    ],
)
async def test_a_failed_single_sign_on_shows_the_login_page_with_the_reason(
    visitor: Visitor, sub: str, alert: str
) -> None:
    page = await visitor.back(await visitor.away(), sub)
    assert 'name="password"' in page.text and 'value="allow"' not in page.text
    assert visitor.alert == alert
    assert 'value="allow"' in (await visitor.back(await visitor.away())).text


async def test_a_provider_that_does_not_answer_is_reported_on_the_page(visitor: Visitor) -> None:
    await visitor.world._put("identity_providers", provider("http://127.0.0.1:9"))
    assert await visitor.away() == ""
    assert visitor.alert == "The identity provider does not respond."


async def test_the_login_ends_in_the_browser_and_the_authorization_in_which_it_began(visitor: Visitor) -> None:
    address = await visitor.away()
    other = Visitor(visitor.world, visitor.outside)
    await other.open(**ASKED)
    answer = await other.back(address)
    assert answer.status_code == 401 and "allow" not in answer.text
    # The state was used: neither browser can use it again.
    assert (await visitor.back(address)).status_code == 401


async def test_a_login_that_took_too_long_is_an_error(visitor: Visitor) -> None:
    address = await visitor.away()
    visitor.world.clock.forward(minutes=11)
    assert (await visitor.back(address)).status_code == 401


async def test_a_company_that_limits_redirects_limits_them_after_single_sign_on_too(visitor: Visitor) -> None:
    address = await visitor.away()
    await visitor.world.company(COMPANY, allowedRedirectDomains=["corp.example"])
    page = await visitor.back(address)
    assert page.status_code == 400 and 'value="allow"' not in page.text
    assert "app.example" in visitor.alert


async def test_the_page_with_the_link_is_as_strict_as_the_others(visitor: Visitor) -> None:
    await visitor.away()
    policy = visitor.page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "form-action 'self' https://app.example;" in policy
    assert visitor.page.headers["cache-control"] == "no-store"
    assert "<h1>Log in at Example sign-on</h1>" in visitor.page.text


async def test_a_login_that_another_one_completed_first_is_not_replaced(visitor: Visitor) -> None:
    login = visitor.page
    address = await visitor.away()
    visitor.page = login
    consent = await visitor.log_in()
    assert (await visitor.back(address)).status_code == 400
    visitor.page = consent
    assert "code" in oauth.arrived(await visitor.submit(decision="allow"))


async def test_a_login_that_waits_for_its_second_factor_continues_with_that_only(visitor: Visitor) -> None:
    await visitor.world.user("joe@example.com", mfaSvcAuth={"mfaStatus": "enabled"})
    login = visitor.page
    address = await visitor.away()
    visitor.page = login
    await visitor.log_in("joe@example.com")
    assert await visitor.away() == ""
    assert visitor.alert == "Wrong code."
    assert (await visitor.back(address)).status_code == 400
