"""A browser on the pages of an OAuth 2.0 authorization, and an application of a library that we did not write."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from authlib.integrations.httpx_client import AsyncOAuth2Client, oauth2_client

from tests.support.forms import filled
from tests.support.world import APP, APP_SECRET, PASSWORD, World

BASE = "/api/svc/authentication/v1.0/oauth"
AUTHORIZE, CONSENT, LOGIN, TOKEN, TOKENS = (
    f"{BASE}/{name}" for name in ("authorize", "consent", "login", "token", "tokens")
)
CALLBACK = "https://app.example/oauth/callback?from=svc"
ORIGIN = "http://service.test"

Document = dict[str, Any]


async def application(world: World, **fields: Any) -> Document:
    """The application of the world, with two redirect addresses."""
    return await world.application(oauthRedirectUris=[CALLBACK, "myapp://oauth"], **fields)


def client(world: World, **options: Any) -> AsyncOAuth2Client:
    """The backend of the application."""
    # The library takes the successor of httpx where that is installed.
    transport = oauth2_client.httpx2.ASGITransport(app=world.app)
    given = {"scope": "all", "redirect_uri": CALLBACK, "token_endpoint": ORIGIN + TOKEN, **options}
    return AsyncOAuth2Client(APP, APP_SECRET, transport=transport, **given)


class Browser:
    """The browser of a user: cookies, the forms of the page, and no redirect followed."""

    def __init__(self, world: World, origin: str = ORIGIN) -> None:
        self.world = world
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app=world.app), base_url=origin)
        self.page = httpx.Response(200)

    @property
    def cookies(self) -> httpx.Cookies:
        return self._http.cookies

    @property
    def request(self) -> str:
        """The request that the form of the page contains."""
        return filled(self.page.text)[1]["request"]

    async def open(self, address: str = AUTHORIZE, **query: str) -> httpx.Response:
        self.page = await self._http.get(address, params=query or None)
        return self.page

    async def submit(self, **fields: str) -> httpx.Response:
        """Send the form of the page with these fields."""
        action, values = filled(self.page.text, **fields)
        self.page = await self._http.post(action, data=values)
        return self.page

    async def send(self, path: str, **fields: str) -> httpx.Response:
        """Send a form that is not on the page."""
        return await self._http.post(path, data=fields)

    async def log_in(self, login: str = "jane@example.com", password: str = PASSWORD) -> httpx.Response:
        return await self.submit(login=login, password=password)

    def forget(self) -> None:
        """Another browser with the same page."""
        self._http.cookies.clear()


def arrived(answer: httpx.Response, at: str = CALLBACK) -> Document:
    """The values with which a redirect arrives at the application."""
    assert answer.status_code == 302, answer.text
    location = urlsplit(answer.headers["location"])
    assert answer.headers["location"].startswith(at.partition("?")[0])
    return {**dict(parse_qsl(location.query)), **dict(parse_qsl(location.fragment))}


async def allowed(world: World, address: str = "", **query: str) -> Document:
    """A whole authorization of the user jane; the values at the application."""
    browser = Browser(world)
    await (browser.open(address) if address else browser.open(**query))
    await browser.log_in()
    return arrived(await browser.submit(decision="allow"))


async def code_of(world: World, **query: str) -> str:
    return str((await allowed(world, response_type="code", client_id=APP, **query))["code"])


async def exchanged(world: World, *, app: str = APP, secret: str = APP_SECRET, **form: str) -> httpx.Response:
    """A request of the application's backend, field by field."""
    return await world.http.post(TOKEN, data=form, auth=(app, secret))


def bearer(tokens: Document) -> dict[str, str]:
    return {"authorization": f"Bearer {tokens['access_token']}"}
