"""The identity provider of another company, which attacks the logins of others."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.browser.support import Site, site
from tests.server.authentication.provider_support import Browser, discovered, provider, query_of, signed
from tests.support.world import OTHER_COMPANY, World

MALLORY = "mallory@evil.example"


@dataclass
class Attacker:
    """A provider that publishes what it likes, and takes every code that it is sent."""

    world: World
    site: Site

    @property
    def issuer(self) -> str:
        return self.site.address("")

    @property
    def codes(self) -> list[str]:
        """The requests for tokens, each with a code."""
        return [visit for visit in self.site.visits if urlsplit(visit).path == "/token"]

    def publish(self, **metadata: object) -> None:
        names = {"authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys"}
        addresses = {name: self.site.address(path) for name, path in names.items()}
        document = {"issuer": self.issuer, **addresses, **metadata}
        self.site.pages["/.well-known/openid-configuration"] = json.dumps(document)

    async def begun(self, browser: Browser) -> dict[str, str]:
        """What the service asks of this provider when a browser opens a login of its company."""
        return query_of(await browser.open(signed(await discovered(self.world, MALLORY))))


@asynccontextmanager
async def hostile_provider(world: World) -> AsyncIterator[Attacker]:
    """The provider, with its company and a user in a world."""
    async with site() as found:
        attacker = Attacker(world, found)
        attacker.publish()
        await world.company(OTHER_COMPANY)
        await world.user(MALLORY, companyId=OTHER_COMPANY)
        await world._put("identity_providers", provider(attacker.issuer, id="2d" * 12, companyId=OTHER_COMPANY))
        yield attacker
