"""A browser that logs in at an identity provider that we did not write, and the company that uses the provider."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from svc_tui.interface.authentication.proof import app_auth
from tests.support.world import APP, APP_SECRET, COMPANY, World, granted

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import oidc_provider_mock

BASE = "/api/svc/authentication/v1.0"
HOME = "https://app.example/signed-in?from=svc"


@dataclass
class Browser:
    """A browser: it stores the service's cookies, logs in at the provider and follows the redirect back."""

    world: World
    http: httpx.AsyncClient

    async def open(self, url: str) -> str:
        """Open a page of the service and return the address of its redirect."""
        answer = await self.world.http.get(url)
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])

    async def sign_in(self, address: str, sub: str = "jane@example.com") -> str:
        """Log in at the provider and return the address of its redirect to the service."""
        answer = await self.http.post(address, data={"sub": sub})
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"])


@contextmanager
def running_provider() -> Iterator[str]:
    """The issuer of a provider that accepts every name, two of them without a confirmed address."""
    users = [
        oidc_provider_mock.User(sub="unverified", claims={"email": "jane@example.com", "email_verified": False}),
        oidc_provider_mock.User(sub="no-address", claims={"name": "Jane"}),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with oidc_provider_mock.run_server_in_thread(user_claims=users) as server:
            yield f"http://localhost:{server.server_port}"


@asynccontextmanager
async def browsing(world: World, issuer: str) -> AsyncIterator[Browser]:
    """A browser, in a world whose company and application have single sign-on."""
    world.clock.set(datetime.now(UTC))
    # One of the service's own clients: its logins end without a confirmation.
    await world.application(ssoAuthenticationRedirectUrl=HOME, isSvcClientDefault=True)
    await world._put("identity_providers", provider(issuer))
    async with httpx.AsyncClient(timeout=10) as http:
        yield Browser(world, http)


def provider(issuer: str, **fields: Any) -> dict[str, Any]:
    document = {"id": "1d" * 12, "companyId": COMPANY, "type": "OIDC", "name": "Example sign-on", "issuer": issuer}
    return {**document, "clientId": "svc", "clientSecret": "provider-secret", **fields}


async def discovered(world: World, uid: str = "jane@example.com", **query: str) -> dict[str, Any]:
    body = granted(await world.get(f"{BASE}/urls", params={"uid": uid, **query}))
    item: dict[str, Any] = body["data"][0]
    return item


def signed(item: dict[str, Any], secret: str = APP_SECRET) -> str:
    proof = app_auth(APP, secret, item["challenge"]).removeprefix("Basic ")
    return str(httpx.URL(item["loginUrl"]).copy_merge_params({"x-svc-app-auth": proof}))


def query_of(address: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
