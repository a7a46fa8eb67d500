"""OAuth in the place of an application, through the real service with its pages."""

from __future__ import annotations

import pytest

from svc_tui.client import oauth
from svc_tui.client.client import Client
from svc_tui.client.errors import Refused
from svc_tui.client.oauth import OAuthApplication
from svc_tui.interface.authentication.oauth import OAuthTokens
from tests.server.authentication import oauth_support as pages
from tests.support.world import APP, APP_SECRET, World

APPLICATION = OAuthApplication(APP, pages.CALLBACK, APP_SECRET)


@pytest.fixture
async def client(world: World, connect) -> Client:
    await world.user()
    await pages.application(world)
    return connect()


async def tokens_of(world: World, client: Client) -> OAuthTokens:
    """The tokens of one more authorization of jane."""
    request = oauth.authorization(client, APPLICATION)
    arrived = await pages.allowed(world, request.url.replace("http://svc.test", pages.ORIGIN))
    assert arrived["state"] == request.state
    return await oauth.exchange(client, APPLICATION, request, arrived["code"])


async def works(client: Client, tokens: OAuthTokens) -> bool:
    try:
        return (await oauth.user_of(client, tokens)).login_email == "jane@example.com"
    except Refused:
        return False


async def test_the_tokens_of_this_try_are_revoked_and_not_those_of_another_device(world: World, client: Client) -> None:
    before = await tokens_of(world, client)
    world.clock.forward(minutes=5)
    own = await tokens_of(world, client)
    world.clock.forward(minutes=5)
    after = await tokens_of(world, client)
    await oauth.revoke(client, APPLICATION, own)
    assert [await works(client, each) for each in (before, own, after)] == [True, False, True]


async def test_a_code_without_its_verifier_and_a_wrong_secret_are_refused(world: World, client: Client) -> None:
    request, other = (oauth.authorization(client, APPLICATION) for _ in range(2))
    arrived = await pages.allowed(world, request.url.replace("http://svc.test", pages.ORIGIN))
    with pytest.raises(Refused, match="code_verifier does not match"):
        await oauth.exchange(client, APPLICATION, other, arrived["code"])
    wrong = OAuthApplication(APP, pages.CALLBACK, "another secret")
    with pytest.raises(Refused, match="the application or its secret is wrong"):
        await oauth.exchange(client, wrong, request, arrived["code"])


async def test_a_refresh_rotates_and_no_token_is_in_the_log(world: World, client: Client) -> None:
    first = await tokens_of(world, client)
    assert first.refresh_token
    second = await oauth.refreshed(client, APPLICATION, first.refresh_token)
    assert second.refresh_token and second.refresh_token != first.refresh_token
    logged = "".join(map(repr, client.log.exchanges))
    assert "oauth/token" in logged
    hidden = (first.access_token, first.refresh_token, second.access_token, second.refresh_token, APP_SECRET)
    assert [secret for secret in hidden if secret in logged] == []
